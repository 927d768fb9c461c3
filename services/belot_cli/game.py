"""A match as one person plays it at a terminal: told as it happens, asked when it is his turn."""

import asyncio
import textwrap
from dataclasses import dataclass
from typing import Protocol, cast

from belot_cli.convert import scene_of, sheet_seen
from belot_cli.render import WIDTH, sheet_lines, table_lines
from belot_cli.scene import Scene
from belot_cli.tell import tell
from belot_cli.terminal import Terminal
from belot_cli.typed import (
    HELP,
    Accept,
    AnswerClaim,
    Choose,
    Claim,
    ComeBack,
    Help,
    Leave,
    Pass,
    PlayCard,
    Say,
    ShowScores,
    ShowTable,
    Unclear,
    hint,
    understand,
)
from belot_client.news import Update
from belot_client.view import Status, TableState

Move = PlayCard | Pass | Accept | Choose


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """Why a move was refused: the clause or reason, a sentence in the person's language, the legal cards if named."""

    clause: str
    sentence: str
    legal_cards: str = ""


class Seat(Protocol):
    """The person's seat at a table on a server."""

    @property
    def state(self) -> TableState:
        """The table now: maybe further on than the last update that was taken."""

    async def next_update(self) -> Update | None:
        """The next piece of news, in order; None when there will be none."""

    async def move(self, move: Move) -> MoveRefused | None:
        """Play or bid; None once it is done and known here."""

    async def come_back(self) -> MoveRefused | None:
        """Take the seat back from a bot; nothing happens where none stands in."""

    async def claim(self) -> MoveRefused | None:
        """Claim the remaining tricks; where that is not certain, ask the opponents."""

    async def answer_claim(self, agree: bool) -> MoveRefused | None:
        """Say yes or no to the opponents' claim."""

    async def say(self, text: str) -> MoveRefused | None:
        """Say something to the table."""

    async def leave(self) -> None:
        """Leave the table for good."""


class Lines(Protocol):
    """What the person types."""

    async def next(self) -> str | None:
        """The next line; None when there will be none."""


def match_over(state: TableState) -> bool:
    """Whether nothing more will come: the result is known and the server seed public, or the table was closed."""
    revealed = state.fairness is not None and bool(state.fairness.server_seed)
    return state.status is Status.CLOSED or (state.status is Status.FINISHED and revealed)


class Game:
    """One match of one person."""

    def __init__(self, seat: Seat, lines: Lines, terminal: Terminal) -> None:
        """Nothing is read or shown before `play`."""
        self._seat = seat
        self._lines = lines
        self._terminal = terminal
        self._line: asyncio.Task[str | None] | None = None
        self._state = seat.state
        self._asked = -1

    async def play(self) -> bool:
        """Until the match has ended (True) or the person has left (False)."""
        news = asyncio.ensure_future(self._seat.next_update())
        try:
            while not match_over(self._state):
                await self._wait(news)
                if news.done():
                    update = news.result()
                    if update is None:
                        return match_over(self._state)
                    self._learn(update)
                    news = asyncio.ensure_future(self._seat.next_update())
                elif self._line is not None and self._line.done():
                    line, self._line = self._line.result(), None
                    if not await self._obey(line):
                        await self._seat.leave()
                        return False
            return True
        finally:
            news.cancel()
            if self._line is not None:
                self._line.cancel()

    @property
    def _scene(self) -> Scene:
        return scene_of(self._state)

    def _learn(self, update: Update) -> None:
        """Tell one piece of news, with the table as it was just after it."""
        self._state = update.state
        if update.event is not None:
            self._terminal.say_all(tell(update.event, self._scene))

    async def _wait(self, news: "asyncio.Future[Update | None]") -> None:
        """Wait for news, and at the person's turn for a line as well: typed ahead, it waits for its turn.

        While a bot plays for him, or he is asked, a line is awaited all the time: he may come back whenever he wants.
        """
        if not self._to_move and not self._stood_in and not self._is_asked:
            await asyncio.wait({news})
            return
        if self._to_move:
            self._ask()
        self._line = self._line or asyncio.ensure_future(self._lines.next())
        either = (cast("asyncio.Future[object]", news), cast("asyncio.Future[object]", self._line))
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)

    @property
    def _to_move(self) -> bool:
        """Whether the person may move now: it is his turn, and everything up to now has been told."""
        return (
            self._state.my_turn and self._state.legal is not None and self._state.sequence == self._seat.state.sequence
        )

    @property
    def _stood_in(self) -> bool:
        """Whether a bot plays for the person."""
        me = self._state.viewer_seat
        return me is not None and self._state.seats[me].stood_in

    @property
    def _is_asked(self) -> bool:
        """Whether opponents claim the remaining tricks and the person has not said yes or no."""
        me, proposal, match = self._state.viewer_seat, self._state.proposal, self._state.match
        if me is None or proposal is None or match is None or proposal.kind != "claim":
            return False
        return me not in proposal.agreed and match.sides[me] != match.sides[proposal.seat]

    def _ask(self) -> None:
        """Draw the table and say what can be typed, once a turn."""
        if self._asked != self._state.sequence:
            self._asked = self._state.sequence
            self._terminal.say("", *table_lines(self._scene), hint(self._scene))

    async def _obey(self, line: str | None) -> bool:
        """Do what was typed; False to leave."""
        scene = self._scene
        meant = Leave() if line is None else understand(line, scene)
        if isinstance(meant, Leave):
            self._terminal.say("leaving the table" if line is not None else "the input has ended: leaving the table")
            return False
        if isinstance(meant, PlayCard | Pass | Accept | Choose):
            self._told(await self._seat.move(meant))
        elif isinstance(meant, ComeBack):
            self._told(await self._seat.come_back())
        elif isinstance(meant, Claim):
            self._told(await self._seat.claim())
        elif isinstance(meant, AnswerClaim):
            self._told(await self._seat.answer_claim(meant.agree))
        elif isinstance(meant, Say):
            self._told(await self._seat.say(meant.text))
        else:
            self._terminal.say_all(self._answer(meant, scene))
        return True

    def _answer(self, meant: Help | ShowTable | ShowScores | Unclear, scene: Scene) -> tuple[str, ...]:
        if isinstance(meant, Unclear):
            return (meant.hint,)
        if isinstance(meant, Help):
            return (*HELP, hint(scene))
        if isinstance(meant, ShowScores):
            sheets = [sheet_seen(sheet) for sheet in self._state.sheets]
            lines = tuple(line for sheet in sheets for line in sheet_lines(sheet, scene))
            return lines or ("no deal has been scored yet",)
        return (*table_lines(scene), hint(scene))

    def _told(self, refused: MoveRefused | None) -> None:
        """Say why something was refused, if it was."""
        if refused is not None:
            legal = (f"   you may play: {refused.legal_cards}",) if refused.legal_cards else ()
            sentence = textwrap.wrap(f"refused ({refused.clause}): {refused.sentence}", WIDTH)
            self._terminal.say(*sentence, *legal, hint(self._scene))
