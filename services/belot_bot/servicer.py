"""The bot service over gRPC: unpack, one call, pack."""

from typing import Final, TypeAlias

import grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot_bot.convert import level_unknown, read_view, write_choice, write_level
from belot_bot.policy import POLICIES, policy_of
from belot_kit.errors import invalid_field

#: Full name for health checks and reflection.
SERVICE: Final = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"

_SEED_OCTETS = 32


class BotServicer(bot_pb2_grpc.BotServiceServicer):
    """Stateless. A decision takes well under a millisecond, so it is taken in the event loop."""

    async def Choose(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ChooseRequest, context: Context
    ) -> bot_pb2.ChooseResponse:
        """Decide for the seat to act."""
        policy = policy_of(request.level)
        if policy is None:
            raise level_unknown()
        if len(request.seed) not in (0, _SEED_OCTETS):
            raise invalid_field("seed", f"{_SEED_OCTETS} octets, or none")
        return write_choice(policy.choose(read_view(request.view), request.seed), policy)

    async def ListBotLevels(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ListBotLevelsRequest, context: Context
    ) -> bot_pb2.ListBotLevelsResponse:
        """The levels on offer, weakest first."""
        return bot_pb2.ListBotLevelsResponse(levels=[write_level(policy) for policy in POLICIES])


def register(server: grpc.aio.Server) -> None:
    """Serve the bots on a server."""
    bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(), server)
