"""The bot service over gRPC: unpack, one call, pack."""

from typing import Final, TypeAlias

import grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot_bot.analysts import Analysts
from belot_bot.convert import level_unknown, read_view, write_decision, write_level
from belot_bot.convert_analysis import write_analysis
from belot_bot.policy import POLICIES, policy_of
from belot_bot.record import NotAnalysable
from belot_bot.thinking import Thinkers
from belot_engine.errors import InputError
from belot_kit.errors import invalid_field
from belot_kit.grpc_server import Register

#: Full name for health checks and reflection.
SERVICE: Final = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"

_SEED_OCTETS = 32


class BotServicer(bot_pb2_grpc.BotServiceServicer):
    """Stateless. What thinks does so in the pool's processes; easy and normal take well under a millisecond here."""

    def __init__(self, thinkers: Thinkers, analysts: Analysts) -> None:
        """Both are running for as long as this is served."""
        self._thinkers = thinkers
        self._analysts = analysts

    async def Choose(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ChooseRequest, context: Context
    ) -> bot_pb2.ChooseResponse:
        """Decide for the seat to act."""
        policy = policy_of(request.level)
        if policy is None:
            raise level_unknown()
        if len(request.seed) not in (0, _SEED_OCTETS):
            raise invalid_field("seed", f"{_SEED_OCTETS} octets, or none")
        view = read_view(request.view, request.ruleset_json)
        try:
            return write_decision(await self._thinkers.decide(policy, view, request.seed))
        except InputError as error:
            raise invalid_field("view", error.message) from None

    async def ListBotLevels(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ListBotLevelsRequest, context: Context
    ) -> bot_pb2.ListBotLevelsResponse:
        """The levels on offer, weakest first."""
        return bot_pb2.ListBotLevelsResponse(levels=[write_level(policy) for policy in POLICIES])

    async def AnalyseMatch(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.AnalyseMatchRequest, context: Context
    ) -> bot_pb2.AnalyseMatchResponse:
        """A finished match with all cards open, as far as time allows."""
        try:
            found, pending = await self._analysts.analyse(request.proof)
        except NotAnalysable as refused:
            raise invalid_field("proof", str(refused)) from None
        return bot_pb2.AnalyseMatchResponse(analysis=write_analysis(found, pending))


def registered(thinkers: Thinkers, analysts: Analysts) -> Register:
    """What serves the bots on a server."""
    return lambda server: bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(thinkers, analysts), server)
