"""A match as one person plays it at a terminal: told as it happens, asked when it is his turn."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from belot.table.v1 import view_pb2
from belot_cli.convert import scene_of, sheet_seen
from belot_cli.render import sheet_lines, table_lines
from belot_cli.scene import Scene, Stage
from belot_cli.tell import tell
from belot_cli.terminal import Terminal
from belot_cli.typed import (
    HELP,
    Accept,
    Choose,
    Help,
    Leave,
    Pass,
    PlayCard,
    ShowScores,
    ShowTable,
    Unclear,
    hint,
    understand,
)
from belot_client.view import TableState

Move = PlayCard | Pass | Accept | Choose


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a move was refused: the clause or reason, a sentence in the person's language, the legal cards if named."""

    clause: str
    sentence: str
    legal_cards: str = ""


class Seat(Protocol):
    """The person's seat at a table on a server."""

    @property
    def view(self) -> TableState:
        """The table as he sees it, with every event so far."""

    async def next_event(self) -> view_pb2.TableEvent | None:
        """The next event he may see, already in `view`; None when nothing more will come."""

    async def move(self, move: Move) -> int | Refused:
        """Play or bid; the sequence of the last event it caused."""

    async def leave(self) -> None:
        """Leave the table for good."""


class Lines(Protocol):
    """What the person types."""

    async def next(self) -> str | None:
        """The next line; None when there will be none."""


class Game:
    """One match of one person."""

    def __init__(self, seat: Seat, lines: Lines, terminal: Terminal) -> None:
        """Nothing is read or shown before `play`."""
        self._seat = seat
        self._lines = lines
        self._terminal = terminal
        self._line: asyncio.Task[str | None] | None = None
        self._asked = -1
        self._moved = 0

    async def play(self) -> bool:
        """Until the match has ended (True) or the person has left (False)."""
        event = asyncio.ensure_future(self._seat.next_event())
        try:
            while True:
                await self._wait(event)
                if event.done():
                    happened = event.result()
                    if happened is None:
                        return self._scene.stage is Stage.FINISHED
                    self._terminal.say_all(tell(happened, self._scene))
                    if happened.WhichOneof("kind") == "seed_revealed":
                        return True
                    event = asyncio.ensure_future(self._seat.next_event())
                elif self._line is not None and self._line.done():
                    line, self._line = self._line.result(), None
                    if not await self._obey(line):
                        await self._seat.leave()
                        return False
        finally:
            event.cancel()
            if self._line is not None:
                self._line.cancel()

    @property
    def _scene(self) -> Scene:
        return scene_of(self._seat.view)

    @property
    def _to_move(self) -> bool:
        """Whether the person may move now; not while the events of his last move are still on their way."""
        scene = self._scene
        return scene.my_turn and scene.choices is not None and self._seat.view.sequence >= self._moved

    async def _wait(self, event: "asyncio.Future[view_pb2.TableEvent | None]") -> None:
        """Wait for an event, and at the person's turn for a line as well: typed ahead, it waits for its turn."""
        waits: set[asyncio.Future[object]] = {event}  # type: ignore[arg-type]  # a set of either kind
        if self._to_move and not event.done():
            self._ask()
            self._line = self._line or asyncio.ensure_future(self._lines.next())
            waits.add(self._line)  # type: ignore[arg-type]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)

    def _ask(self) -> None:
        """Draw the table and say what can be typed, once a turn."""
        if self._asked != self._seat.view.sequence:
            self._asked = self._seat.view.sequence
            self._terminal.say("", *table_lines(self._scene), hint(self._scene))

    async def _obey(self, line: str | None) -> bool:
        """Do what was typed; False to leave."""
        scene = self._scene
        meant = Leave() if line is None else understand(line, scene)
        if isinstance(meant, Leave):
            self._terminal.say("leaving the table" if line is not None else "the input has ended: leaving the table")
            return False
        if isinstance(meant, PlayCard | Pass | Accept | Choose):
            await self._move(meant)
        else:
            self._terminal.say_all(self._answer(meant, scene))
        return True

    def _answer(self, meant: Help | ShowTable | ShowScores | Unclear, scene: Scene) -> tuple[str, ...]:
        if isinstance(meant, Unclear):
            return (meant.hint,)
        if isinstance(meant, Help):
            return (*HELP, hint(scene))
        if isinstance(meant, ShowScores):
            sheets = [sheet_seen(sheet) for sheet in self._seat.view.sheets]
            lines = tuple(line for sheet in sheets for line in sheet_lines(sheet, scene))
            return lines or ("no deal has been scored yet",)
        return (*table_lines(scene), hint(scene))

    async def _move(self, move: Move) -> None:
        answer = await self._seat.move(move)
        if not isinstance(answer, Refused):
            self._moved = answer
            return
        legal = f" Legal: {answer.legal_cards}." if answer.legal_cards else ""
        self._terminal.say(f"refused ({answer.clause}): {answer.sentence}{legal}", hint(self._scene))
