"""Tables as messages: what is stored comes back, what is shown is what the viewer may see."""

from dataclasses import replace

import pytest

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2, rules_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_kit.errors import DomainError
from belot_table import closing, course, seating, stand_in
from belot_table.course import Decision
from belot_table.records import decode_table, encode_table
from belot_table.requests import read_command, read_new_table
from belot_table.results import match_finished
from belot_table.rules_port import ApplyCall
from belot_table.table import Actor, Options, Step, Table, Told
from belot_table.told import applied_of, envelopes_of, private_event
from belot_table.views import cards_of, table_view
from support.table_values import (
    NOW,
    applied,
    drawing,
    finished,
    opening,
    playing,
    seated,
    seeding,
    to_act,
    told,
    waiting_table,
)

OPTIONS = Options("club", 4, 24, (("target", "51"),), True, 1_500, 2_500, 0, 3_000, 250)


def taken_over() -> Table:
    """A private table of kept seats where a bot stands in for a person who is away."""
    options = replace(OPTIONS, rated=True, reserved_for=("anna", "", "clara"), waiting_ms=60_000)
    table, _ = stand_in.taken_over(playing("PPPP", options), 1, 2)
    table = replace(table, invitation_code="ABCDEFGHJK", match=replace(table.running, missed=(0, 2, 0, 1)))
    return seating.set_connected(table, "boris", False).table


def asked() -> Table:
    """A table at which a draw is proposed."""
    table = playing("PPPP")
    return replace(table, match=closing.propose_draw(table, "clara").match)


TABLES = {
    "waiting": waiting_table(options=OPTIONS, maker="anna"),
    "seated": seated("PB.P"),
    "opening": opening("PPPP"),
    "seeding": course.seeded(seeding("PPPP"), 2, told("seed_received")).table,
    "drawing": drawing("PPPP"),
    "playing": playing("PPPP", bidding=True),
    "a bot's turn": playing("PBPB"),
    "left": seating.leave(playing("PPPP", turn=0), "anna", NOW).table,
    "stood in for": taken_over(),
    "asked": asked(),
    "finished": finished("PPPP"),
    "revealed": course.revealed(finished("PPPP"), b"s" * 32, told("seed_revealed")).table,
}


def hand_state() -> bytes:
    """A match state in which seat s holds the card number s alone."""
    return match_pb2.MatchState(schema=1, hands=[1 << seat for seat in range(4)]).SerializeToString()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_a_stored_table_comes_back_as_it_was(table: Table) -> None:
    if table.match is not None and table.match.state:
        table = replace(table, match=replace(table.match, state=hand_state()))
    assert decode_table(encode_table(table), table.ruleset_json) == table


def test_a_record_of_a_later_layout_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="layout 9"):
        decode_table(encode_table(waiting_table()) + b"\x08\x09", "{}")


def test_the_rulesets_json_is_not_in_the_stored_record() -> None:
    assert b"canonical" not in encode_table(replace(waiting_table(), ruleset_json="canonical"))


def test_a_state_goes_to_the_rules_whole() -> None:
    action = match_pb2.Action(pass_bid=match_pb2.Pass())
    call = ApplyCall(hand_state(), '{"a":1}', 2, action.SerializeToString())
    call.call_id = 300
    decoded = rules_pb2.ApplyCall.FromString(call.SerializeToString())
    state = match_pb2.MatchState(schema=1, hands=[1, 2, 4, 8], ruleset_json='{"a":1}')
    expected = rules_pb2.ApplyRequest(state=state, seat=2, action=action)
    assert decoded == rules_pb2.ApplyCall(call_id=300, request=expected)


def test_an_action_without_content_arrives_as_that_action() -> None:
    action = match_pb2.Action(pass_bid=match_pb2.Pass()).SerializeToString()
    decoded = rules_pb2.ApplyCall.FromString(ApplyCall(b"", "", None, action).SerializeToString())
    assert decoded.request.action.WhichOneof("kind") == "pass_bid"
    assert not decoded.request.HasField("seat")


def test_an_answer_of_the_rules_is_kept_without_the_rulesets_json() -> None:
    state = match_pb2.MatchState(schema=1, ruleset_json="canonical")
    state.public.hand_number = 3
    state.public.tricks.add()
    answer = applied_of(rules_pb2.Applied(state=state))
    assert b"canonical" not in answer.state
    assert (answer.hand, answer.trick) == (3, 1)


def test_card_points_are_those_of_the_sheets_line() -> None:
    lines = [match_pb2.ScoreLine(name="cards", values=(100, 52)), match_pb2.ScoreLine(name="melds", values=(20, 0))]
    scored = match_pb2.MatchEvent(deal_scored=match_pb2.ScoreSheet(lines=lines))
    answer = applied_of(rules_pb2.Applied(events=[match_pb2.AddressedEvent(event=scored)]))
    assert answer.card_points == (100, 52)


def envelopes(step: Step) -> tuple[Envelope, ...]:
    """The events of a step."""
    return envelopes_of(step, NOW)


def seen(envelope: Envelope, seat: int | None) -> view_pb2.TableEvent | None:
    """What a viewer sees of an event."""
    visible = visible_to(envelope, seat)
    return None if visible is None else view_pb2.TableEvent.FromString(visible)


def test_events_are_numbered_on() -> None:
    before = playing("PPPP")
    step = course.decided(before, Decision(1, Actor.PERSON), applied(to_act(2), events=[told("card_played")]), NOW)
    assert [each.sequence for each in envelopes(step)] == [before.sequence + 1, before.sequence + 2]


def test_a_dealt_hand_is_seen_by_its_seat_alone_with_its_time() -> None:
    hand = match_pb2.MatchEvent(hand_dealt=match_pb2.HandDealt(seat=2, cards=[common_pb2.CARD_ACE_OF_SPADES]))
    answer = applied_of(rules_pb2.Applied(events=[match_pb2.AddressedEvent(only_seat=2, event=hand)]))
    step = course.decided(playing("PPPP"), Decision(1, Actor.PERSON), replace(answer, next=to_act(2)), NOW)
    dealt = envelopes(step)[0]
    assert [seen(dealt, seat) is not None for seat in (0, 1, 2, 3, None)] == [False, False, True, False, False]
    own = seen(dealt, 2)
    assert own is not None
    assert (own.at.ToMilliseconds(), own.game) == (NOW, hand)


def test_a_turn_is_seen_by_all_and_what_it_allows_by_its_seat() -> None:
    step = course.decided(playing("PPPP"), Decision(1, Actor.PERSON), applied(to_act(2)), NOW)
    turn = envelopes(step)[-1]
    views = {seat: seen(turn, seat) for seat in (None, 1, 2)}
    assert all(view is not None and view.turn_started.seat == 2 for view in views.values())
    assert [bool(view and view.turn_started.legal.cards) for view in views.values()] == [False, False, True]


def test_a_receipt_is_seen_by_its_seat_alone() -> None:
    receipt = private_event(1, view_pb2.TableEvent(cards_released=view_pb2.CardsReleased()))
    assert receipt == Told("cards_released", b"", 1, receipt.seat_body)


def test_a_player_sees_his_own_hand_and_no_other() -> None:
    table = playing("PPPP", turn=1)
    table = replace(table, match=replace(table.running, state=hand_state()))
    views = [table_view(table, (), name) for name in ("anna", "boris", "eva")]
    assert [list(view.match.hand) for view in views] == [[1], [2], []]
    assert [view.match.HasField("legal") for view in views] == [False, True, False]
    assert [view.HasField("viewer_seat") for view in views] == [True, True, False]


def test_a_hand_is_shown_in_pack_order() -> None:
    assert cards_of(1 << 31 | 1 << 8 | 1) == [1, 9, 32]


def test_a_casual_match_is_not_rated_and_names_its_source() -> None:
    result = match_finished(finished("PPPP"))
    assert (result.source, result.rated, result.outcome_kind) == ("lobby", False, "won")
    assert list(result.card_points) == [152, 0]


def command(**fields: object) -> table_pb2.Command:
    """A command that is well formed but for `fields`."""
    settings: dict[str, object] = {
        "table_id": "t",
        "player_id": "anna",
        "request_id": "r",
        "action": table_pb2.TableAction(leave=table_pb2.Leave()),
    }
    return table_pb2.Command(**(settings | fields))  # type: ignore[arg-type]


SEED = table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=b"short"))
NAMELESS = table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name=" "))
DEAL = table_pb2.TableAction(game=match_pb2.Action(deal=match_pb2.DealCards()))
NOTHING = table_pb2.TableAction(game=match_pb2.Action())


@pytest.mark.parametrize(
    ("malformed", "field"),
    [
        (command(table_id=""), "command.table_id"),
        (command(player_id="a b"), "command.player_id"),
        (command(request_id=""), "command.request_id"),
        (command(request_id="r" * 65), "command.request_id"),
        (command(action=table_pb2.TableAction()), "command.action.kind"),
        (command(action=SEED), "command.action.submit_seed.seed"),
        (command(action=NAMELESS), "command.action.sit_down.display_name"),
        (command(action=DEAL), "command.action.game.deal"),
        (command(action=NOTHING), "command.action.game.kind"),
    ],
    ids=["table", "player", "request", "long request", "action", "seed", "name", "deal", "nothing"],
)
def test_a_malformed_command_is_refused_by_the_name_of_its_field(malformed: table_pb2.Command, field: str) -> None:
    with pytest.raises(DomainError) as refused:
        read_command(malformed)
    assert [each.field for each in refused.value.violations] == [field]


def test_the_same_options_have_the_same_fingerprint_in_whatever_order_they_come() -> None:
    pairs = [("target", "501"), ("melds", "off"), ("sweep", "on")]
    requests = [
        table_pb2.CreateTableRequest(
            player_id="anna",
            request_id="r",
            options=view_pb2.TableOptions(ruleset="bela", ruleset_options=dict(order)),
        )
        for order in (pairs, pairs[::-1])
    ]
    assert len({read_new_table(each).fingerprint for each in requests}) == 1


@pytest.mark.parametrize(
    ("name", "seconds"),
    [("bid_time", 0), ("card_time", 601), ("seed_time", -1), ("bot_delay", 11), ("reserve", 10**11)],
)
def test_a_time_out_of_bounds_is_refused_by_name(name: str, seconds: int) -> None:
    request = table_pb2.CreateTableRequest(player_id="anna", request_id="r")
    request.options.ruleset = "bela"
    getattr(request.options, name).seconds = seconds
    with pytest.raises(DomainError) as refused:
        read_new_table(request)
    assert refused.value.violations[0].field == f"options.{name}"
