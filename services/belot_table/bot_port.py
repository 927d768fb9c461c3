"""The bots, asked over gRPC: they get the view of their seat and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas
from belot_table.asking import ask
from belot_table.table import Fallback, Match
from belot_table.views import seat_view

ANSWER_SECONDS: Final = 1.0
"""How long one bot service may take for a decision; then the next is asked, within the patience for all of them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot decided: an encoded Action, the version of the policy that did, why it was normal's if it was."""

    action: bytes = field(repr=False)
    policy: str
    fallback: Fallback | None = None


class Bots(Protocol):
    """What the table asks the bots. Errors: DomainError."""

    async def levels(self, seats: int) -> Mapping[str, str]:
        """The levels on offer at tables of so many seats, each with the version of its policy."""

    async def choose(self, match: Match, ruleset_json: str, seat: int, level: str, seed: bytes) -> Choice:
        """A decision for the seat whose turn it is, under the ruleset of the table."""


class GrpcBots:
    """The bot service at its addresses, in turn."""

    def __init__(self, replicas: "Replicas[bot_pb2_grpc.BotServiceAsyncStub]") -> None:
        """`replicas` are running for as long as this is used."""
        self._replicas = replicas

    async def levels(self, seats: int) -> Mapping[str, str]:
        """See Bots."""
        request = bot_pb2.ListBotLevelsRequest()
        answer = await ask(self._replicas, lambda bots: call(bots.ListBotLevels, request))
        return {each.name: each.policy for each in answer.levels if not each.players or seats in each.players}

    async def choose(self, match: Match, ruleset_json: str, seat: int, level: str, seed: bytes) -> Choice:
        """See Bots."""
        view = seat_view(match, seat)
        request = bot_pb2.ChooseRequest(view=view, level=level, seed=seed, ruleset_json=ruleset_json)
        answer = await ask(self._replicas, lambda bots: _decision(bots, request))
        fallback = Fallback(answer.fallback) if answer.fallback else None
        return Choice(answer.action.SerializeToString(), answer.policy, fallback)


async def _decision(stub: "bot_pb2_grpc.BotServiceAsyncStub", request: bot_pb2.ChooseRequest) -> bot_pb2.ChooseResponse:
    """What one bot service decides; one that is frozen is as good as one that is away."""
    try:
        return await call(stub.Choose, request, most_s=ANSWER_SECONDS)
    except DomainError as error:
        if error.reason is not Reason.DEADLINE_TOO_SHORT:
            raise
        raise DomainError(Reason.UNAVAILABLE, "the bots do not answer", service="bots") from error
