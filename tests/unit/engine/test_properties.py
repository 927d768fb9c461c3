"""What holds in every deal of every form, seen over random deals."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from belot_engine.cards import side_count, side_of
from belot_engine.deal_end import deal_outcome, dealt_hands
from belot_engine.events import Contract, DealScored, LineKind, MeldsShown, ScoreSheet, TrickWon
from belot_engine.ruleset import Ruleset, canonical_json, ruleset_from_json
from belot_engine.rulesets import resolve
from belot_engine.scoring import score_deal
from belot_engine.state import MatchState, Standing, Trick
from support.playouts import every_form, steps

_OPTIONS = [
    ("bela", {"melds": "off"}),
    ("bela", {"stiglja": "off", "bela_in_limit": "on"}),
    ("classic", {"litige": "fail"}),
    ("announces", {"litige": "redeal"}),
]
_TABLES = [*every_form(), *(resolve(name, 4, 32, options) for name, options in _OPTIONS)]
_EACH = pytest.mark.parametrize("rules", _TABLES, ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")


def _sheets(rules: Ruleset, seed: int) -> Iterator[ScoreSheet]:
    """The sheets of a match, dealt anew ones included."""
    for step in steps(rules, random.Random(seed), seed % rules.seats):
        yield from (event.sheet for event in step.applied.events if isinstance(event, DealScored))


def _turned(value: tuple[int, ...]) -> tuple[int, ...]:
    """Values by seat or side after everybody has moved one seat on."""
    return (*value[-1:], *value[:-1])


def _deals(rules: Ruleset, seed: int) -> Iterator[tuple[MatchState, tuple[Trick, ...], tuple[int, ...]]]:
    """The deals of a match: the state before the last card, all the tricks, the hands as they were dealt."""
    for step in steps(rules, random.Random(seed)):
        before = step.before
        for event in step.applied.events:
            if isinstance(event, TrickWon) and event.last and before.turn is not None:
                last = Trick((before.turn + 1) % rules.seats, event.cards, event.player)
                yield before, (*before.tricks, last), dealt_hands(before)


@_EACH
@pytest.mark.parametrize("seed", [1, 2])
def test_everybody_moving_one_seat_on_moves_the_result(rules: Ruleset, seed: int) -> None:
    seats, sides = rules.seats, side_count(rules.seats)
    standing = Standing(tuple(range(sides)), tuple(range(1, sides + 1)), 0, rules.target, 0, ())
    moved_standing = replace(standing, totals=_turned(standing.totals), bolts=_turned(standing.bolts))
    seen = 0
    for before, tricks, hands in _deals(rules, seed):
        assert before.declarer is not None
        assert before.trump is not None
        moved = tuple(Trick((t.leader + 1) % seats, t.cards, (t.winner + 1) % seats) for t in tricks)
        here = deal_outcome(rules, before.dealer, before.declarer, before.trump, tricks, hands)
        there = deal_outcome(
            rules, (before.dealer + 1) % seats, (before.declarer + 1) % seats, before.trump, moved, _turned(hands)
        )
        sheet = score_deal(rules, standing, 0, before.trump, here)
        mirror = score_deal(rules, moved_standing, 0, before.trump, there)
        assert mirror.scores == _turned(sheet.scores)
        assert mirror.bolts == _turned(sheet.bolts)
        assert (mirror.held, mirror.contract) == (sheet.held, sheet.contract)
        assert [(line.kind, line.values) for line in mirror.lines] == [
            (line.kind, _turned(line.values)) for line in sheet.lines
        ]
        seen += 1
    assert seen > 0


@_EACH
@pytest.mark.parametrize("seed", [3, 4])
def test_never_are_both_sides_paid_for_melds(rules: Ruleset, seed: int) -> None:
    shown: list[MeldsShown] = []
    for step in steps(rules, random.Random(seed)):
        for event in step.applied.events:
            if isinstance(event, MeldsShown):
                shown.append(event)
                assert {side_of(meld.player, rules.seats) for meld in event.melds} == {event.side}
                assert event.points == sum(meld.points for meld in event.melds)
            if isinstance(event, DealScored):
                assert len(shown) <= 1
                paid = [line.values for line in event.sheet.lines if line.kind is LineKind.MELDS]
                assert all(sum(value > 0 for value in values) == 1 for values in paid)
                assert all(sum(values) == shown[0].points for values in paid)
                shown = []


_WORTH = (LineKind.CARDS, LineKind.LAST_TRICK, LineKind.LEFT_OUT, LineKind.MELDS, LineKind.BELA, LineKind.SWEEP)


@_EACH
@pytest.mark.parametrize("seed", [5, 6])
def test_a_deal_gives_out_what_it_is_worth_and_nothing_else(rules: Ruleset, seed: int) -> None:
    held = 0
    for sheet in _sheets(rules, seed):
        worth = sum(sum(line.values) for line in sheet.lines if line.kind in _WORTH)
        fines = sum(sum(line.values) for line in sheet.lines if line.kind is LineKind.PENALTY)
        given = sum(sheet.scores) + sheet.held - held - fines
        held = sheet.held
        if sheet.contract is Contract.CANCELLED:
            assert given == 0
        elif rules.unit == 1:
            assert given == worth
        elif sheet.contract is not Contract.LEVEL:
            assert given == 16 + (worth - 162) // 10


@_EACH
def test_a_ruleset_round_trips_as_json(rules: Ruleset) -> None:
    assert ruleset_from_json(canonical_json(rules)) == rules
