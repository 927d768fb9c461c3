"""What calls cost, and how much a caller may spend: credits that come back steadily, up to a capacity. Pure.

A command on a Play stream costs what its unary twin does, a subscription what Watch does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

FREE: Final = ("/grpc.health.", "/grpc.reflection.")
"""Methods that cost nothing, by their beginnings."""

DEFAULT_COST: Final = 1

COSTS: Final[Mapping[str, int]] = {
    # New rows, or an identity that nobody paid for.
    "SignInAsGuest": 10,
    "CreateTable": 20,
    "OpenRematch": 20,
    # A snapshot and a place in memory for each.
    "Watch": 3,
    "Play": 3,
    "UpdateSubscriptions": 3,
    # Reads of more than one row.
    "GetTable": 2,
    "ListTables": 3,
    "ListMatches": 5,
    "GetMatchRecord": 5,
    "ListCommitments": 5,
    "ListDailyRoots": 3,
    "GetInclusionProof": 5,
    "GetFairnessStats": 10,
    # Work for the rules or the dealer.
    "CompareRulesets": 3,
    "Explain": 5,
    "ScoreDeal": 3,
    "Dispute": 10,
    "ClaimTricks": 5,
    "ReplayMatch": 15,
    # Seconds of another service's process.
    "AnalyseMatch": 50,
    "GetProofFile": 15,
    "SubmitBeacon": 5,
    "ReportFairnessFailure": 5,
}
"""Credits by rpc, where it is not one."""

RPC_OF_ACTION: Final[Mapping[str, str]] = {
    "sit_down": "SitDown",
    "leave": "LeaveTable",
    "set_ready": "SetReady",
    "fill_with_bots": "FillWithBots",
    "submit_seed": "SubmitSeed",
    "game": "PlayCard",
    "report_fairness": "ReportFairnessFailure",
    "resume": "Resume",
    "resign": "Resign",
    "propose_draw": "ProposeDraw",
    "answer_draw": "AnswerDraw",
    "say": "Say",
    "claim_tricks": "ClaimTricks",
    "answer_claim": "AnswerClaim",
    "mute_player": "MutePlayer",
    "report_message": "ReportMessage",
}
"""The unary twin of each command of a Play stream; a bid costs what a card does."""

SUBSCRIBE: Final = "Watch"


def rpc_of(action: str | None) -> str:
    """The unary twin of a command by the kind of its action; of none, or of one that is newer than we are, "other"."""
    return RPC_OF_ACTION.get(action or "", "other")


def cost_of(method: str) -> int:
    """The credits of a method (``/package.Service/Method``) or of an rpc by its bare name."""
    return 0 if method.startswith(FREE) else COSTS.get(method.rpartition("/")[2], DEFAULT_COST)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much one caller may spend: `capacity` at once, and `per_s` credits come back each second."""

    capacity: float
    per_s: float


@dataclass(frozen=True, slots=True)
class Spent:
    """What became of a wish to spend: when all credits are back if it was granted, else the seconds to wait."""

    full_at: float
    wait_s: float = 0.0


def spend(full_at: float, cost: float, now: float, allowance: Allowance) -> Spent:
    """Spend `cost` of credits that are all back at `full_at` (seconds, as `now`); refused, nothing is spent.

    A bucket is one number, and a full one need not be kept. What costs more than the capacity is never granted.
    """
    after = max(full_at, now) + cost / allowance.per_s
    wait_s = after - now - allowance.capacity / allowance.per_s
    return Spent(after) if wait_s <= 0 else Spent(full_at, wait_s)
