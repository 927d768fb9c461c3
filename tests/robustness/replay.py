"""The log played again through the rules: the stored state and the result must be what comes out. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from belot.rules.v1 import match_pb2
from belot.table.v1 import record_pb2, view_pb2
from belot_engine.errors import BadDeal, Violation
from belot_engine.match import apply, needs, start
from belot_engine.ruleset import ruleset_from_json
from belot_engine.state import Accept, Action, Choose, Claim, Deal, MatchState, Pass, Play
from belot_events.envelope import Envelope
from belot_rules.convert.reading import read_state
from robustness.histories import TableHistory
from robustness.log_reading import key_of_event, whole_event

FIRST_DEALER = 0
_UP_CARD, _OUT = -1, -2
_BY_RULES = ("won", "drawn")


class ReplayError(Exception):
    """The log cannot be played: the text says where it breaks off."""


def replayed(history: TableHistory) -> Iterator[str]:
    """The stored state is the log's replay, and so is the result that was told."""
    if not any(envelope.kind == "beacon_fixed" for envelope in history.log):
        return
    try:
        state = replay(history.log, history.table.ruleset_json)
    except ReplayError as error:
        yield str(error)
        return
    finished = [whole_event(each).match_finished for each in history.log if each.kind == "match_finished"]
    if finished and finished[0].outcome_kind not in _BY_RULES:
        return
    record = record_pb2.TableRecord.FromString(history.table.state)
    kept = match_pb2.MatchState.FromString(record.match_state)
    kept.ruleset_json = history.table.ruleset_json  # stored apart, once a table
    stored = read_state(kept)[1]
    if _bare(stored) != _bare(state):
        yield "the stored state is not the replay of the log"
    if record.sequence != history.table.sequence or record.summary.version != history.table.version:
        yield f"the record says {record.summary.version}/{record.sequence}, the row otherwise"
    if finished:
        yield from _result(finished[0], state)


def replay(log: tuple[Envelope, ...], ruleset_json: str) -> MatchState:
    """The state of the match after the whole log. Errors: ReplayError."""
    state = start(ruleset_from_json(ruleset_json), FIRST_DEALER)
    at = 0
    while at < len(log):
        event = whole_event(log[at])
        found = key_of_event(event.game)
        try:
            if event.HasField("cards_released"):
                at, action = _dealt(log, at + 1, state)
                state = apply(state, None, action).state
                continue
            if found is not None:
                state = apply(state, found[0], _action(event.game)).state
        except (Violation, BadDeal, KeyError) as error:
            raise ReplayError(f"the rules refuse the log at {log[at - 1].sequence}: {type(error).__name__}") from error
        at += 1
    return state


def _dealt(log: tuple[Envelope, ...], at: int, state: MatchState) -> tuple[int, Deal]:
    """The cards told after a release, given to the places that the state waits for; and where the log goes on."""
    need = needs(state)
    if need is None:
        raise ReplayError(f"cards left the dealer at {log[at - 1].sequence} when none were due")
    given: dict[int, list[int]] = {}
    left = len(need.places)
    while at < len(log) and left:
        game = whole_event(log[at]).game
        seat, cards = _given(game)
        given.setdefault(seat, []).extend(cards)
        left -= len(cards)
        at += 1
    if left:
        raise ReplayError(f"cards are missing after the release before {log[at - 1].sequence}")
    return at, Deal(tuple((place, given[seat].pop(0)) for place, seat in need.places))


def _given(game: match_pb2.MatchEvent) -> tuple[int, list[int]]:
    if game.HasField("hand_dealt"):
        return game.hand_dealt.seat, [card - 1 for card in game.hand_dealt.cards]
    if game.HasField("up_card_turned"):
        return _UP_CARD, [game.up_card_turned.card - 1]
    return _OUT, [card - 1 for card in game.cards_left_out.cards]


def _action(game: match_pb2.MatchEvent) -> Action:
    if game.HasField("card_played"):
        return Play(game.card_played.card - 1)
    if game.HasField("tricks_claimed"):
        return Claim(game.tricks_claimed.agreed)
    if game.bid_made.kind == match_pb2.BID_KIND_CHOOSE:
        return Choose(game.bid_made.suit - 1)
    return Accept() if game.bid_made.kind == match_pb2.BID_KIND_ACCEPT else Pass()


def _bare(state: MatchState) -> MatchState:
    """Without finished score sheets, which are not kept in states."""
    return replace(state, standing=replace(state.standing, sheets=()))


def _result(finished: view_pb2.MatchFinished, state: MatchState) -> Iterator[str]:
    result = state.result
    if result is None:
        yield "a result was told, but the replayed match goes on"
    elif (tuple(finished.result.totals), tuple(finished.result.ranks)) != (result.totals, result.ranks):
        yield f"the result told is {tuple(finished.result.totals)}, the replay's {result.totals}"
