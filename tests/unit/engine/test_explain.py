"""Positions judged, with the clause of every refusal and who would allow the card elsewhere."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from belot_engine.cards import cards_of
from belot_engine.errors import Clause, InputError
from belot_engine.explain import Explanation, explain
from belot_engine.notation import hand_text, parse_card, parse_cards, parse_hand, parse_position, parse_suit
from belot_engine.play import broken_clause, legal_mask
from belot_engine.rulesets import resolve, ruleset_names
from belot_engine.state import Phase
from support.playouts import every_form, steps

_CASES = json.loads((Path(__file__).parents[2] / "golden" / "legal_cards.json").read_text())["cases"]


def _explained(position: str, card: str | None = None) -> Explanation:
    where = parse_position(position)
    rules = resolve(where.ruleset, where.seats, where.pack, {})
    return explain(rules, where.trump, where.trick, where.hand, parse_card(card) if card else None)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_disputed_position_is_judged_as_written_down(case: dict[str, Any]) -> None:
    hand = parse_hand(" ".join(case["hand"]))
    trick = parse_cards(" ".join(case["trick"]))
    told = explain(resolve(case["ruleset"], 4, 32, {}), parse_suit(case["trump"]), trick, hand)
    assert told.legal == parse_hand(" ".join(case["legal"]))
    assert [verdict.card for verdict in told.refused] == list(cards_of(hand & ~told.legal))


def test_a_legal_card_is_said_to_be_legal() -> None:
    asked = _explained("bela D | KH 7D | 8H AH KC AC", "8H").asked
    assert asked is not None
    assert (asked.legal, asked.clause, asked.allowed_by) == (True, None, ("club", "classic", "announces"))


def test_an_illegal_card_comes_with_its_clause_and_the_rulesets_that_allow_it() -> None:
    asked = _explained("bela S | 9H | 7H TH", "7H").asked
    assert asked is not None
    assert (asked.legal, asked.clause) == (False, Clause.MUST_BEAT)
    assert asked.allowed_by == ("club", "classic", "announces")


def test_every_refused_card_is_listed_with_its_clause() -> None:
    told = _explained("club H | AC TH | 7H 9H 7D")
    assert hand_text(told.legal) == "9H"
    assert [(verdict.card, verdict.clause) for verdict in told.refused] == [
        (parse_card("7D"), Clause.MUST_TRUMP),
        (parse_card("7H"), Clause.MUST_OVERTRUMP),
    ]
    assert told.asked is None


def test_a_card_is_allowed_elsewhere_when_the_partner_is_winning() -> None:
    told = _explained("club H | AC 7C | 7D 8H")
    assert [verdict.allowed_by for verdict in told.refused] == [("classic", "announces")]


def test_only_rulesets_for_as_many_players_are_asked() -> None:
    assert [verdict.allowed_by for verdict in _explained("club 3x32 H | AC | 7D 8H").refused] == [()]


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")
def test_every_verdict_of_a_match_is_the_one_that_play_gives(rules: Any) -> None:
    others = [name for name in ruleset_names() if name != rules.name and rules.seats == 4]
    for step in steps(rules, random.Random(13)):
        state = step.before
        if state.phase is not Phase.PLAYING or state.trump is None or state.turn is None:
            continue
        hand = state.hands[state.turn]
        told = explain(rules, state.trump, state.trick, hand)
        assert told.legal == legal_mask(rules, state.trump, state.trick, hand)
        for verdict in told.refused:
            assert verdict.clause is broken_clause(state.trump, state.trick, hand, verdict.card)
            allowed = [
                name
                for name in others
                if legal_mask(resolve(name, 4, 32, {}), state.trump, state.trick, hand) >> verdict.card & 1
            ]
            assert list(verdict.allowed_by) == allowed


@pytest.mark.parametrize(
    ("table", "trump", "trick", "hand", "card", "field"),
    [
        ("bela", 4, (), 1, None, "trump"),
        ("bela", -1, (), 1, None, "trump"),
        ("bela", 0, (1, 2, 3, 4), 1, None, "table"),
        ("bela", 0, (32,), 1, None, "table"),
        ("bela", 0, (-1,), 1, None, "table"),
        ("bela", 0, (5, 5), 1, None, "table"),
        ("bela", 0, (), 0, None, "hand"),
        ("bela", 0, (), -1, None, "hand"),
        ("bela", 0, (), 1 << 32, None, "hand"),
        ("bela", 0, (0,), 1, None, "hand"),
        ("bela", 0, (), 0x1FF, None, "hand"),
        ("bela", 0, (), 1, 1, "card"),
        ("bela", 0, (), 1, 32, "card"),
        ("bela", 0, (), 1, -1, "card"),
        ("small", 0, (), 1, None, "hand"),
        ("small", 0, (0,), 4, None, "table"),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_name(
    table: str, trump: int, trick: tuple[int, ...], hand: int, card: int | None, field: str
) -> None:
    rules = resolve("club", 4, 24, {}) if table == "small" else resolve(table, 4, 32, {})
    with pytest.raises(InputError) as refusal:
        explain(rules, trump, trick, hand, card)
    assert refusal.value.field == field
    assert refusal.value.message


def test_no_repr_shows_the_hand() -> None:
    told = _explained("club H | AC TH | 7H 9H 7D", "7D")
    assert str(told.legal) not in repr(told)
    assert "refused" not in repr(told)
