"""From positions to hands, for every form of every ruleset."""

import json
from pathlib import Path
from typing import Any

import pytest

from belot_engine.deal_map import hand_positions, out_positions, stage_count, stage_places, up_position
from belot_engine.ruleset import OUT, UP_CARD, Ruleset
from belot_engine.rulesets import resolve
from support.playouts import every_form

_DEALS = json.loads((Path(__file__).parents[2] / "golden" / "deal_maps.json").read_text())["deals"]
_FORMS = every_form()


def _name(rules: Ruleset) -> str:
    return f"{rules.name}-{rules.seats}x{rules.pack}"


@pytest.mark.parametrize("deal", _DEALS)
def test_the_published_examples_come_out(deal: dict[str, Any]) -> None:
    rules = resolve(deal["ruleset"], deal["players"], deal["pack"], {})
    hands = hand_positions(rules, deal["dealer"], deal["declarer"])
    assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in deal["hands"]]
    assert up_position(rules) == deal["up_card"]
    assert list(out_positions(rules)) == deal["out"]


@pytest.mark.parametrize("deal", _DEALS)
def test_a_seat_gets_its_positions_in_the_published_order(deal: dict[str, Any]) -> None:
    rules = resolve(deal["ruleset"], deal["players"], deal["pack"], {})
    hands = hand_positions(rules, deal["dealer"], deal["declarer"])
    assert [list(hand) for hand in hands] == deal["hands"]


@pytest.mark.parametrize("rules", _FORMS, ids=_name)
def test_every_position_is_given_out_once_for_every_dealer_and_declarer(rules: Ruleset) -> None:
    for dealer in range(rules.seats):
        for declarer in range(rules.seats):
            places = [
                place
                for stage in range(stage_count(rules))
                for place in stage_places(rules.deal_map, dealer, declarer, stage)
            ]
            assert sorted(position for position, _ in places) == list(range(rules.pack))
            hands = hand_positions(rules, dealer, declarer)
            assert {len(hand) for hand in hands} == {rules.hand_size}


@pytest.mark.parametrize("rules", _FORMS, ids=_name)
def test_the_first_stage_is_the_same_whoever_declares(rules: Ruleset) -> None:
    firsts = {stage_places(rules.deal_map, 0, declarer, 0) for declarer in range(rules.seats)}
    assert firsts == {stage_places(rules.deal_map, 0, None, 0)}
    assert sum(seat == UP_CARD for _, seat in firsts.pop()) == rules.turned_up


@pytest.mark.parametrize("rules", _FORMS, ids=_name)
def test_only_fewer_players_leave_cards_out(rules: Ruleset) -> None:
    left = rules.pack - rules.seats * rules.hand_size
    assert len(out_positions(rules)) == left
    assert any(seat == OUT for _, seat, _ in rules.deal_map[0]) == (left > 0)
    assert stage_count(rules) == (3 if left else 2)
