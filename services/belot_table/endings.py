"""How a match may end besides by its rules, what players may agree on, and what each ending means for each side.

Pure. A match that its rules end is won or drawn; everything else is an `Ending` with the sides at fault.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final


class EndKind(StrEnum):
    """How a match ended; named as MatchFinished.outcome_kind."""

    WON = "won"
    DRAWN = "drawn"
    RESIGNED = "resigned"
    LEFT = "left"
    TIMED_OUT = "timed_out"
    DOUBLE_LOSS = "double_loss"
    NO_SHOW = "no_show"
    SERVER_FAULT = "server_fault"
    CANCELLED = "cancelled"


class SideOutcome(IntEnum):
    """How a match ended for one side; numbered as belot.table.v1.SideOutcome."""

    WON = 1
    LOST = 2
    DRAWN = 3
    RESIGNED = 4
    LEFT = 5
    TIMED_OUT = 6
    NO_SHOW = 7
    SERVER_FAULT = 8
    CANCELLED = 9


class ProposalKind(IntEnum):
    """What players may agree on; numbered as belot.table.v1.ProposalKind."""

    DRAW = 1
    RESIGNATION = 2
    CLAIM = 3


class ProposalState(IntEnum):
    """What became of a proposal; numbered as belot.table.v1.ProposalState."""

    OPEN = 1
    ACCEPTED = 2
    DECLINED = 3
    LAPSED = 4


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was proposed by whom; `agreed` are the seats that agree, the proposer's included, in order of seats."""

    kind: ProposalKind
    seat: int
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """A match that ended before its rules ended it; `at_fault` are the sides that lose by it."""

    kind: EndKind
    at_fault: tuple[int, ...] = ()


_FAULTS: Final[Mapping[EndKind, SideOutcome]] = {
    EndKind.RESIGNED: SideOutcome.RESIGNED,
    EndKind.LEFT: SideOutcome.LEFT,
    EndKind.TIMED_OUT: SideOutcome.TIMED_OUT,
    EndKind.DOUBLE_LOSS: SideOutcome.TIMED_OUT,
    EndKind.NO_SHOW: SideOutcome.NO_SHOW,
}
_ALIKE: Final[Mapping[EndKind, SideOutcome]] = {
    EndKind.DRAWN: SideOutcome.DRAWN,
    EndKind.SERVER_FAULT: SideOutcome.SERVER_FAULT,
    EndKind.CANCELLED: SideOutcome.CANCELLED,
}
COUNT_FOR_NOTHING: Final = frozenset({EndKind.SERVER_FAULT, EndKind.CANCELLED})
"""Endings that have neither winner nor loser."""

NEVER_RATED: Final = COUNT_FOR_NOTHING | {EndKind.DOUBLE_LOSS, EndKind.TIMED_OUT, EndKind.NO_SHOW}
"""Endings that say nothing of how anybody plays."""


def ranks_of(ending: Ending, totals: Sequence[int]) -> tuple[int, ...]:
    """Ranks by side, 1 is best: those at fault come last and level, the others by their totals; all 1 without fault."""
    if not ending.at_fault:
        return (1,) * len(totals)
    better = sorted((totals[side] for side in range(len(totals)) if side not in ending.at_fault), reverse=True)
    last = len(better) + 1
    return tuple(last if side in ending.at_fault else better.index(total) + 1 for side, total in enumerate(totals))


def side_outcomes(ending: Ending, ranks: Sequence[int]) -> tuple[SideOutcome, ...]:
    """How it ended for each side."""
    if ending.kind in _ALIKE:
        return (_ALIKE[ending.kind],) * len(ranks)
    fault = _FAULTS.get(ending.kind, SideOutcome.LOST)
    return tuple(
        fault if side in ending.at_fault else SideOutcome.WON if rank == 1 else SideOutcome.LOST
        for side, rank in enumerate(ranks)
    )
