"""Two clients at one table, each at a gateway of his own, who see what the other has seen before either goes on."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.session import TableSession
from belot_client.view import Options, Phase, TableState
from belot_kit.errors import Reason

OPTIONS = Options("club", seats=2, pack_size=24, bid_ms=60_000, card_ms=60_000, reserve_ms=0)


@dataclass(frozen=True, slots=True)
class Two:
    """Two clients at one table, each at his gateway, by seat."""

    clients: list[BelotClient]
    sessions: list[TableSession]

    async def turn(self) -> TableSession | None:
        """The session whose player is to act, None once the match is over; both have seen all that either has."""
        while True:
            top = max(session.state.sequence for session in self.sessions)
            for session in self.sessions:
                await _seen(session, top)
            acting = [session for session in self.sessions if session.state.my_turn and session.state.legal]
            if acting or self.sessions[0].state.outcome:
                return acting[0] if acting else None
            await _seen(self.sessions[0], top + 1)

    async def lead(self, hand: int) -> tuple[TableSession, TableSession]:
        """Play until somebody is to lead a trick of this hand or a later one: that session, and the other."""
        while True:
            session = await self.turn()
            assert session is not None
            at = session.state.match.hand if session.state.match else None
            if at is not None and at.number >= hand and leads(session.state):
                return session, self.sessions[1 - self.sessions.index(session)]
            await act(session)


async def _seen(session: TableSession, sequence: int) -> None:
    await session.until(lambda state: state.sequence >= sequence)


def leads(state: TableState) -> bool:
    """Whether the player to act is to lead."""
    return state.match is not None and state.match.hand.phase is Phase.PLAYING and state.match.hand.trick is None


async def act(session: TableSession) -> None:
    """Something legal."""
    legal = session.state.legal
    assert legal is not None
    if legal.cards:
        await session.play(legal.cards[0])
    elif legal.may_accept:
        await session.accept()
    else:
        await session.choose(legal.suits[0])


@asynccontextmanager
async def two(gateways: Sequence[str], options: Options = OPTIONS) -> AsyncIterator[Two]:
    """Two clients whose match has begun, for a minute at most."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
        clients = [await stack.enter_async_context(BelotClient(gateways[number])) for number in range(2)]
        for number, client in enumerate(clients):
            await client.sign_in_guest(f"Player {number}")
        table_id = (await clients[0].create_table(options)).table_id
        sessions = [await stack.enter_async_context(client.table(table_id)) for client in clients]
        await sessions[1].sit_down()
        for session in sessions:
            await session.ready()
        yield Two(clients, sessions)


async def claimed(session: TableSession) -> bool:
    """Whether a claim was certain."""
    try:
        await session.claim()
    except Refused as refused:
        said = refused
    else:
        return True
    assert said.reason == Reason.CLAIM_NOT_CERTAIN
    return False
