"""A real bot server in this process, and what it is asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.rules.v1 import match_pb2
from belot_bot.analysts import analysts
from belot_bot.servicer import SERVICE, registered
from belot_bot.thinking import Thinkers
from belot_engine.state import MatchState
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_rules.convert.writing import fill_next
from support.rules_client import Choice, served


@asynccontextmanager
async def bot_channel() -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a fresh bot server."""
    pool = Thinkers(1)
    try:
        async with (
            analysts(1) as solving,
            served(registered(pool, solving), SERVICE) as address,
            open_channel(ChannelOptions(address)) as channel,
        ):
            yield channel
    finally:
        pool.close()


def turn_message(state: MatchState) -> match_pb2.Turn:
    """Whose turn it is in a match and what that seat may do."""
    message = match_pb2.Next()
    fill_next(message, state)
    return message.turn


def view_message(state: match_pb2.MatchState, turn: match_pb2.Turn) -> match_pb2.SeatView:
    """What the seat to act sees of a match."""
    mask = state.hands[turn.seat]
    hand = [card for card in range(1, 33) if mask >> (card - 1) & 1]
    return match_pb2.SeatView(public=state.public, seat=turn.seat, hand=hand, legal=turn.legal)  # type: ignore[arg-type]


def by_bots(channel: grpc.aio.Channel, levels: list[str], seed: bytes = b"") -> Choice:
    """What bots of these levels, one a seat, decide."""
    stub = bot_pb2_grpc.BotServiceStub(channel)

    async def choose(state: match_pb2.MatchState, turn: match_pb2.Turn) -> match_pb2.Action:
        request = bot_pb2.ChooseRequest(view=view_message(state, turn), level=levels[turn.seat], seed=seed)
        return (await call(stub.Choose, request)).action

    return choose
