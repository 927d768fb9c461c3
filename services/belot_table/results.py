"""How a match ended, in words: what other systems count, and the result of one that its rules did not end."""

from typing import Final

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_table.closing import Early, cards_seen
from belot_table.convert import ruleset_of, seat_message, stint_of, timestamp
from belot_table.endings import COUNT_FOR_NOTHING, NEVER_RATED, Ending, EndKind, ranks_of, side_outcomes
from belot_table.fields import message_field
from belot_table.stand_in import is_rated
from belot_table.table import Match, Status, Table, Told

FINISHED: Final = "finished"
ABANDONED: Final = "abandoned"
_GAME: Final = view_pb2.TableEvent.GAME_FIELD_NUMBER
_AGREED: Final = "agreed"
"""A draw that people agreed on: another word than the rules' own, so that clients know that the hand broke off."""
_BY_RULES: Final = {"drawn": EndKind.DRAWN, "cancelled": EndKind.CANCELLED}


def match_finished(table: Table) -> view_pb2.MatchFinished:
    """The result of a match, for everybody and for the systems that count it.

    A person for whom a bot stands in at the end has left: the score stands. Rated is what was opened so with persons
    alone, once a card was seen.
    """
    match, result = table.running, result_of(table)
    ending = ending_of(match, result)
    absent = tuple(each.player_id for each in table.seats if each.stood_in)
    return view_pb2.MatchFinished(
        match_id=match.match_id,
        source="private" if table.options.private else "lobby",
        ruleset=ruleset_of(table.ruleset),
        ruleset_options=dict(table.options.ruleset_options),
        seats=[seat_message(each) for each in table.seats],
        sides=table.sides,
        pack_size=table.options.pack_size,
        rated=is_rated(table) and cards_seen(match) and ending.kind not in NEVER_RATED,
        result=result,
        card_points=match.card_points,
        outcome_kind=ending.kind,
        leavers=(*match.leavers, *absent),
        stints=[stint_of(each) for each in match.stints],
        started_at=timestamp(match.started_ms),
        ended_at=timestamp(match.ended_ms),
        table_id=table.table_id,
        side_outcomes=[view_pb2.SideOutcome.values()[each] for each in side_outcomes(ending, result.ranks)],
    )


def result_of(table: Table) -> match_pb2.MatchResult:
    """The result of a match that is over."""
    return match_pb2.MatchResult.FromString(table.running.next.body)


def ending_of(match: Match, result: match_pb2.MatchResult) -> Ending:
    """How it ended: by something else than its rules, or won or drawn by them."""
    return match.ended_early or Ending(_BY_RULES.get(result.outcome, EndKind.WON))


def is_revealed(table: Table) -> bool:
    """Whether the match is over and nothing of it is secret any more."""
    if table.status is not Status.FINISHED:
        return False
    fairness = table.running.fairness
    return bool(fairness.server_seed) or not fairness.commitment


def transcript_ending(table: Table) -> str:
    """How the match ended, in the transcript's words: `finished`, `abandoned` or `cancelled`."""
    ending = ending_of(table.running, result_of(table))
    if ending.kind in COUNT_FOR_NOTHING:
        return EndKind.CANCELLED
    return FINISHED if table.running.ended_early is None else ABANDONED


def early_of(table: Table, ending: Ending) -> Early:
    """An ending in the rules' words; before play has begun there is no state that could tell it."""
    match = table.running
    state = match_pb2.MatchState.FromString(match.state)
    totals = tuple(state.public.totals) or (0,) * (max(table.sides) + 1)
    outcome = _AGREED if ending.kind is EndKind.DRAWN else ending.kind
    result = match_pb2.MatchResult(
        outcome=outcome, ranks=ranks_of(ending, totals), totals=totals, deals_played=state.public.deals_played
    )
    if not match.state:
        return Early(ending, result.SerializeToString(), b"", ())
    state.public.phase = match_pb2.PHASE_FINISHED
    state.public.ClearField("turn")
    state.public.result.CopyFrom(result)
    event = match_pb2.MatchEvent(match_ended=result)
    told = Told("match_ended", message_field(_GAME, event.SerializeToString()))
    return Early(ending, result.SerializeToString(), state.SerializeToString(), (told,))
