"""From a played deal to its score sheet, to the standing after it, and to the end of the match.

Each kind of scoring is one pure function; this file checks what it starts from and what it answers.
"""

from collections.abc import Callable

from belot_engine import scoring_bela, scoring_classic, scoring_club
from belot_engine.audit import check_outcome, check_tally
from belot_engine.events import Contract, MatchResult, Outcome, ScoreSheet
from belot_engine.outcome import DealOutcome, Tally
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing

_TALLY: dict[str, Callable[[Ruleset, Standing, DealOutcome], Tally]] = {
    "club": scoring_club.tally,
    "bela": scoring_bela.tally,
    "classic": scoring_classic.tally,
}


def score_deal(ruleset: Ruleset, standing: Standing, hand_number: int, trump: int, outcome: DealOutcome) -> ScoreSheet:
    """The score sheet of a deal. Raises AuditBreach when the outcome cannot be one of a deal."""
    check_outcome(ruleset, outcome)
    tally = _TALLY[ruleset.scoring](ruleset, standing, outcome)
    check_tally(ruleset, standing, outcome, tally)
    totals = tuple(total + score for total, score in zip(standing.totals, tally.scores, strict=True))
    level_past = standing.target > 0 and max(totals) >= standing.target and _leader(totals) is None
    extension = ruleset.level_extension if level_past else 0
    return ScoreSheet(
        hand_number,
        outcome.declarer,
        trump,
        tally.contract,
        tally.lines,
        tally.scores,
        totals,
        tally.held,
        tally.bolts,
        standing.target + extension,
        extension,
    )


def standing_after(standing: Standing, sheet: ScoreSheet) -> Standing:
    """The standing once a sheet is added; a cancelled deal is kept as a sheet, but is no scored deal."""
    scored = sheet.contract is not Contract.CANCELLED
    return Standing(
        sheet.totals, sheet.bolts, sheet.held, sheet.target, standing.deals + scored, (*standing.sheets, sheet)
    )


def result_after(ruleset: Ruleset, standing: Standing) -> MatchResult | None:
    """The result when the match is over with this standing, None when it goes on.

    With a target: the highest total at or past it wins, level leaders play on. With a number of deals: level
    leaders draw.
    """
    leader = _leader(standing.totals)
    if ruleset.deals:
        if standing.deals < ruleset.deals:
            return None
        return match_result(standing, Outcome.DRAWN if leader is None else Outcome.WON, leader)
    if leader is None or standing.totals[leader] < standing.target:
        return None
    return match_result(standing, Outcome.WON, leader)


def match_result(standing: Standing, outcome: Outcome, winner: int | None) -> MatchResult:
    """A result with ranks: the winner first, the others by their totals, level sides sharing a rank."""
    keys = [(side == winner, total) for side, total in enumerate(standing.totals)]
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    return MatchResult(outcome, winner, ranks, standing.totals, standing.deals)


def _leader(totals: tuple[int, ...]) -> int | None:
    """The side with the highest total, None when several share it."""
    top = max(totals)
    return totals.index(top) if totals.count(top) == 1 else None


def fresh_standing(ruleset: Ruleset, sides: int) -> Standing:
    """The standing before the first deal."""
    nothing = (0,) * sides
    return Standing(totals=nothing, bolts=nothing, held=0, target=ruleset.target, deals=0, sheets=())
