"""A seat at a table over the client library, as the terminal's game wants it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from belot_cli.cards import show_cards
from belot_cli.game import Move, MoveRefused
from belot_cli.typed import Accept, Choose, Pass, PlayCard
from belot_client.cards import CARDS, SUITS, number_of
from belot_client.errors import Refused, SessionOver
from belot_client.news import Update
from belot_client.session import TableSession
from belot_client.view import TableState
from belot_kit.tasks import background

_LEAVE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class SessionSeat:
    """A table session whose news wait in a queue, so that none is missed or told twice."""

    session: TableSession
    news: "asyncio.Queue[Update | None]"

    @property
    def state(self) -> TableState:
        """The table now."""
        return self.session.state

    async def next_update(self) -> Update | None:
        """The next piece of news; None at the end."""
        return await self.news.get()

    async def move(self, move: Move) -> MoveRefused | None:
        """Play or bid; why not, when the server refuses. A time-out counts as a refusal: try again."""
        return await self._done(self._send(move))

    async def come_back(self) -> MoveRefused | None:
        """Take the seat back from a bot."""
        return await self._done(self.session.resume())

    async def claim(self) -> MoveRefused | None:
        """Claim the remaining tricks."""
        return await self._done(self.session.claim(ask_opponents=True))

    async def answer_claim(self, agree: bool) -> MoveRefused | None:
        """Say yes or no to the opponents' claim."""
        return await self._done(self.session.answer_claim(agree))

    async def say(self, text: str) -> MoveRefused | None:
        """Say something to the table."""
        return await self._done(self.session.say(text))

    async def _done(self, work: Awaitable[object]) -> MoveRefused | None:
        try:
            await work
        except Refused as refused:
            legal = show_cards(number_of(card) for card in refused.legal_cards)
            return MoveRefused(refused.clause or refused.reason.lower(), refused.localized or refused.message, legal)
        except TimeoutError:
            return MoveRefused("no answer", "The server did not answer in time; it may have been done all the same.")
        return None

    async def _send(self, move: Move) -> None:
        match move:
            case PlayCard(card):
                await self.session.play(CARDS[card])
            case Choose(suit):
                await self.session.choose(SUITS[suit])
            case Accept():
                await self.session.accept()
            case Pass():
                await self.session.pass_bid()

    async def leave(self) -> None:
        """Leave the table; when that cannot be told in time, the clock will notice."""
        with contextlib.suppress(Refused, SessionOver, TimeoutError):
            async with asyncio.timeout(_LEAVE_SECONDS):
                await self.session.leave()


@asynccontextmanager
async def followed(session: TableSession) -> AsyncIterator[SessionSeat]:
    """Follow a session while the block lasts, from its very first event on. Errors: Refused when the session ends."""
    news: asyncio.Queue[Update | None] = asyncio.Queue()
    updates = session.updates()

    async def follow() -> None:
        async for update in updates:
            news.put_nowait(update)
        news.put_nowait(None)

    async with background(follow()):
        yield SessionSeat(session, news)
