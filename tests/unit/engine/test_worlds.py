"""Worlds drawn from what a seat knows."""

import random
from collections import Counter
from itertools import combinations

import pytest

from belot_engine.cards import mask_of
from belot_engine.inference import Knowledge, know, seen_by
from belot_engine.notation import parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.state import Phase
from belot_engine.worlds import Chance, draw_world
from support.playouts import every_form, steps

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


@pytest.mark.parametrize("rules", FORMS)
def test_every_world_agrees_with_what_is_known(rules: Ruleset) -> None:
    chance = Chance(f"worlds {rules.name} {rules.seats} {rules.pack}".encode())
    for step in steps(rules, random.Random(f"worlds {rules.name} {rules.seats} {rules.pack}")):
        if step.before.phase is not Phase.PLAYING or step.before.turn is None:
            continue
        seat = step.before.turn
        seen = seen_by(step.before, seat)
        known = know(seen)
        for _ in range(3):
            world = draw_world(known, seat, seen.hand, chance)
            assert world[seat] == seen.hand
            others = [*(world[other] for other in range(rules.seats) if other != seat), world[-1]]
            assert sum(others) == known.unseen
            assert sum(hand.bit_count() for hand in others) == known.unseen.bit_count()
            for other in range(rules.seats):
                if other != seat:
                    assert not world[other] & ~known.possible[other]
                    assert not known.certain[other] & ~world[other]
                    assert world[other].bit_count() == known.sizes[other]
            assert world[-1].bit_count() == known.out_size


def test_where_every_card_may_be_anywhere_all_worlds_are_about_equally_frequent() -> None:
    cards = parse_hand("7C 8C 9C TC JC QC")
    known = Knowledge(cards, (0, cards, cards, 0), (0, 0, 0, 0), (1, 3, 3, 0), 0, 0)
    chance, drawn = Chance(b"frequent"), 4000
    found = Counter(draw_world(known, 0, 1 << 31, chance)[1] for _ in range(drawn))
    assert found.keys() == {mask_of(hand) for hand in combinations(range(6), 3)}
    # 20 worlds, 200 draws each on average, standard deviation 14.
    assert all(130 < number < 270 for number in found.values()), found


def test_a_world_is_found_where_only_one_agrees() -> None:
    clubs, more = parse_hand("7C 8C"), parse_hand("9C TC")
    known = Knowledge(clubs | more, (0, clubs, clubs | more, 0), (0, 0, 0, 0), (1, 2, 2, 0), 0, 0)
    assert all(draw_world(known, 0, 1 << 31, Chance(bytes((number,))))[1] == clubs for number in range(50))


def test_full_hands_make_room_by_passing_cards_on() -> None:
    # Twelve cards in three hands; which of them may be where is such that greed runs into full hands.
    rng, cards = random.Random("room"), list(range(12))
    for number in range(300):
        rng.shuffle(cards)
        true = [mask_of(cards[at : at + 4]) for at in (0, 4, 8)]
        holders = [hand | mask_of(rng.sample(cards, 2)) for hand in true]
        known = Knowledge(0xFFF, (0, *holders), (0, 0, 0, 0), (1, 4, 4, 4), 0, 0)
        world = draw_world(known, 0, 1 << 31, Chance(number.to_bytes(2, "big")))
        assert [world[seat] & ~holders[seat - 1] for seat in (1, 2, 3)] == [0, 0, 0]
        assert [world[seat].bit_count() for seat in (1, 2, 3)] == [4, 4, 4]


def test_chance_is_the_same_everywhere_and_for_ever() -> None:
    chance = Chance(b"belot")
    assert [chance.below(32) for _ in range(8)] == [21, 4, 2, 28, 28, 31, 24, 18]
    # The second block of octets, too.
    streams = [Chance(seed) for seed in (b"belot", b"belot", b"other")]
    first, again, other = [[stream.below(7) for _ in range(3000)] for stream in streams]
    assert first == again
    assert first[2000:] != other[2000:]


def test_chance_is_even() -> None:
    chance = Chance(b"even")
    found = Counter(chance.below(5) for _ in range(10_000))
    assert all(1850 < found[number] < 2150 for number in range(5)), found


def test_the_same_chance_draws_the_same_worlds() -> None:
    cards = parse_hand("7C 8C 9C TC JC QC")
    known = Knowledge(cards, (0, cards, cards, 0), (0, 0, 0, 0), (1, 3, 3, 0), 0, 0)
    drawn = [[draw_world(known, 0, 1 << 31, chance) for _ in range(20)] for chance in (Chance(b"x"), Chance(b"x"))]
    assert drawn[0] == drawn[1]
