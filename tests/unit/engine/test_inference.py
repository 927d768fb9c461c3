"""What a seat knows of other hands, held against every distribution of the cards that there is."""

import random
from collections.abc import Iterator

import pytest

from belot_engine.deal_end import dealt_hands
from belot_engine.errors import InputError
from belot_engine.inference import Knowledge, Seen, agrees_with_melds, know, lacking_after, seen_by
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import MatchState, Phase
from support.distributions import distributions
from support.playouts import every_form, steps

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


def positions(rules: Ruleset, seed: str) -> Iterator[MatchState]:
    """Every moment of play of a random match."""
    for step in steps(rules, random.Random(seed)):
        if step.before.phase is Phase.PLAYING:
            yield step.before


@pytest.mark.parametrize("rules", FORMS)
def test_what_is_possible_and_certain_is_exactly_what_some_and_all_distributions_have(rules: Ruleset) -> None:
    rng, checked = random.Random(f"exact {rules.name} {rules.seats} {rules.pack}"), 0
    for state in positions(rules, f"exact {rules.name} {rules.seats} {rules.pack}"):
        seat = rng.randrange(rules.seats)
        seen = seen_by(state, seat)
        known = know(seen)
        if known.unseen.bit_count() > (14 if rules.seats == 2 else 8):
            continue
        others = [other for other in range(rules.seats) if other != seat]
        found = list(distributions(seen, known))
        for other in others:
            assert known.possible[other] == _any(hands[other] for hands in found), (state, seat)
            assert known.certain[other] == _all(hands[other] for hands in found), (state, seat)
        assert known.out == _any(hands[-1] for hands in found)
        checked += 1
        if checked == 60:
            break
    assert checked > 10


def _any(masks: Iterator[int]) -> int:
    united = 0
    for mask in masks:
        united |= mask
    return united


def _all(masks: Iterator[int]) -> int:
    common = -1
    for mask in masks:
        common &= mask
    return common


@pytest.mark.parametrize("rules", FORMS)
def test_the_true_hands_are_never_excluded(rules: Ruleset) -> None:
    for state in positions(rules, f"true {rules.name} {rules.seats} {rules.pack}"):
        for seat in range(rules.seats):
            seen = seen_by(state, seat)
            known = know(seen)
            assert agrees_with_melds(seen, dealt_hands(state))
            for other, hand in enumerate(state.hands):
                if other != seat:
                    assert hand & ~known.possible[other] == 0
                    assert known.certain[other] & ~hand == 0
                    assert known.sizes[other] == hand.bit_count()


@pytest.mark.parametrize(
    ("name", "trick", "card", "lacking"),
    [
        ("club", "7C", "9C", ""),
        ("club", "9H", "7H", "JH"),
        ("club", "7C", "8D", "7C 8C 9C TC JC QC KC AC 7H 8H 9H TH JH QH KH AH"),
        ("club", "7C 9H", "7H", "7C 8C 9C TC JC QC KC AC JH"),
        ("bela", "9C", "7C", "TC JC QC KC AC"),
        ("bela", "9C 7H", "7C", ""),
        ("classic", "AC 7C", "7H", "7C 8C 9C TC JC QC KC AC"),
        ("classic", "AC 7C", "7D", "7C 8C 9C TC JC QC KC AC"),
        ("classic", "7C AC", "7D", "7C 8C 9C TC JC QC KC AC 7H 8H 9H TH JH QH KH AH"),
    ],
)
def test_a_card_tells_which_cards_were_not_held(name: str, trick: str, card: str, lacking: str) -> None:
    rules = resolve(name, 4, 32, {})
    assert lacking_after(rules, 2, parse_cards(trick), parse_card(card)) == parse_hand(lacking)


def position(**changes: object) -> Seen:
    told = {
        "ruleset": resolve("club", 4, 32, {}),
        "seat": 0,
        "dealer": 3,
        "hand": parse_hand("7C 8C 9C TC JC QC KC AC"),
        "trump": 2,
        "declarer": 1,
        "up_card": parse_card("TH"),
        "tricks": (),
        "trick": (),
        "leader": 0,
    }
    return Seen(**(told | changes))  # type: ignore[arg-type]


def test_the_card_turned_up_is_with_the_declarer_alone() -> None:
    known: Knowledge = know(position())
    assert known.certain == (0, parse_hand("TH"), 0, 0)
    assert not known.possible[2] & parse_hand("TH")


def test_who_plays_a_queen_of_trumps_and_says_nothing_does_not_hold_the_king() -> None:
    led = position(hand=parse_hand("7C 8C 9C TC JC QC KC AC"), leader=2, trick=parse_cards("QH KD"))
    known = know(led)
    assert not known.possible[2] & parse_hand("KH")
    assert know(position(leader=2, trick=parse_cards("QH KD"), bela=2)).certain[2] & parse_hand("KH")


def test_hands_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(InputError, match="as many cards as are due"):
        know(position(hand=parse_hand("7C 8C 9C TC JC QC KC")))
    with pytest.raises(InputError, match="cannot have had"):
        know(position(leader=1, trick=parse_cards("8H 7D 9S"), declarer=2))
