"""How the cards are dealt, every row of the tables of forms."""

from itertools import groupby

import pytest

from belot_engine.compare import knob_words
from belot_engine.deal_map import hand_positions, out_positions, stage_places, up_position
from belot_engine.rulesets import resolve

#: (ruleset, seats, pack): packets, card turned up, last cards of a player and of the declarer, tricks, left out.
_ROWS = {
    ("club", 4, 32): ((3, 2), True, 3, 2, 8, 0),
    ("club", 4, 24): ((3, 1), True, 2, 1, 6, 0),
    ("club", 3, 32): ((3, 2), True, 5, 4, 10, 2),
    ("club", 3, 24): ((3, 2), True, 3, 2, 8, 0),
    ("club", 2, 32): ((3, 3), True, 4, 3, 10, 12),
    ("club", 2, 24): ((3, 3), True, 3, 2, 9, 6),
    ("bela", 4, 32): ((3, 3), False, 2, 2, 8, 0),
    ("classic", 4, 32): ((3, 2), True, 3, 2, 8, 0),
    ("announces", 4, 32): ((3, 2), True, 3, 2, 8, 0),
}
_EACH = pytest.mark.parametrize("table", _ROWS, ids=lambda table: f"{table[0]}{table[1]}x{table[2]}")


@_EACH
def test_packets_go_round_and_then_the_card_is_turned_up(table: tuple[str, int, int]) -> None:
    rules, (packets, turned_up, *_) = resolve(*table, {}), _ROWS[table]
    places = stage_places(rules.deal_map, 0, None, 0)
    players = [seat for _, seat in places if seat >= 0]
    runs = [(seat, len(list(run))) for seat, run in groupby(players)]
    turn = [*range(1, rules.seats), 0]
    assert runs == [(seat, size) for size in packets for seat in turn]
    assert up_position(rules) == (len(players) if turned_up else None)


@_EACH
def test_the_last_cards_follow_one_packet_a_seat(table: tuple[str, int, int]) -> None:
    rules, (_, _, others, declarer, tricks, out) = resolve(*table, {}), _ROWS[table]
    for chooser in range(rules.seats):
        places = [seat for _, seat in stage_places(rules.deal_map, 0, chooser, 1)]
        turn = [*range(1, rules.seats), 0]
        assert places == [seat for seat in turn for _ in range(declarer if seat == chooser else others)]
        assert {len(hand) for hand in hand_positions(rules, 0, chooser)} == {tricks}
    assert len(out_positions(rules)) == out
    assert rules.hand_size == tricks


@_EACH
def test_the_card_turned_up_is_the_declarers(table: tuple[str, int, int]) -> None:
    rules = resolve(*table, {})
    for chooser in range(rules.seats):
        hands = hand_positions(rules, 0, chooser)
        owners = [seat for seat, hand in enumerate(hands) if up_position(rules) in hand]
        assert owners == ([chooser] if rules.turned_up else [])


def test_the_dealing_can_be_told_in_words() -> None:
    words = knob_words(resolve("club", 3, 32, {}), "deal_map")
    assert words == "3+2, card turned up, then 5 (declarer 4), 2 left out"
    assert knob_words(resolve("bela", 4, 32, {}), "deal_map") == "3+3, then 2"
