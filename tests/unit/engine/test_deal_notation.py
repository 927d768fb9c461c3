"""A deal as one line: reads and writes the same, and gives the state back."""

import random
from dataclasses import replace

import pytest

from belot_engine.deal_notation import deal_text, parse_deal
from belot_engine.deal_state import line_of, state_of
from belot_engine.errors import NotationError
from belot_engine.events import Bid, BidKind
from belot_engine.match import apply, legal_actions, needs
from belot_engine.notation import parse_card, parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names
from belot_engine.state import MatchState, Phase
from support.playouts import random_playout, steps

_TABLES = [
    resolve(name, form.seats, form.pack, {"deals": "3"}) for name in ruleset_names() for form in forms_of(name)
] + [
    resolve("bela", 4, 32, {"target": "501", "melds": "off", "stiglja": "off", "bela_in_limit": "on"}),
    resolve("classic", 4, 32, {"target": "300", "litige": "redeal"}),
]
_EACH = pytest.mark.parametrize("rules", _TABLES, ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")
_LINE = (
    "club 4x32 target=51 | dealer 0 hand 4 | up QH | bids pass take | trump H by 2"
    " | tricks 1: JC AC TC 7C, 2: 9H AH JH 7H | table 0: 9C QC"
    " | hands 7D 8D / ? / - / 8C KC | score -10:36 bolts 1:0 target 101 deals 3"
)


def _without_sheets(state: MatchState) -> MatchState:
    return replace(state, standing=replace(state.standing, sheets=()))


@_EACH
@pytest.mark.parametrize("seed", [1, 2])
def test_every_state_of_a_match_is_written_and_read_back(rules: Ruleset, seed: int) -> None:
    for step in steps(rules, random.Random(seed), seed % rules.seats):
        state = step.before
        text = deal_text(line_of(state))
        assert "\n" not in text
        assert parse_deal(text) == line_of(state)
        assert state_of(parse_deal(text)) == _without_sheets(state), text


@_EACH
def test_a_line_with_one_hand_alone_is_written_and_read_back(rules: Ruleset) -> None:
    for step in steps(rules, random.Random(3)):
        line = line_of(step.before, seen=(1,))
        assert parse_deal(deal_text(line)) == line
        assert [hand is None for hand in line.hands] == [seat != 1 for seat in range(rules.seats)]
        with pytest.raises(NotationError):
            state_of(line)


@_EACH
def test_play_goes_on_from_a_line_as_from_the_state(rules: Ruleset) -> None:
    for step in steps(rules, random.Random(4)):
        again = state_of(parse_deal(deal_text(line_of(step.before))))
        assert (needs(again), legal_actions(again)) == (needs(step.before), legal_actions(step.before))
        moved = apply(again, step.seat, step.action)
        if step.applied.state.phase is not Phase.FINISHED:
            expected = line_of(step.applied.state)
            assert line_of(moved.state) == expected


def test_a_line_says_everything_of_a_deal() -> None:
    deal = parse_deal(_LINE)
    assert deal_text(deal) == _LINE
    assert (deal.ruleset, deal.dealer, deal.hand_number) == (resolve("club", 4, 32, {"target": "51"}), 0, 4)
    assert deal.bids == (Bid(1, BidKind.PASS), Bid(2, BidKind.ACCEPT, 2))
    assert (deal.declarer, deal.trump, deal.up_card) == (2, 2, parse_card("QH"))
    assert [trick.winner for trick in deal.tricks] == [2, 0]
    assert deal.hands == (parse_hand("7D 8D"), None, 0, parse_hand("8C KC"))
    assert (deal.standing.totals, deal.standing.bolts, deal.standing.target, deal.standing.deals) == (
        (-10, 36),
        (1, 0),
        101,
        3,
    )


def test_a_match_that_is_over_is_told_and_not_played_on() -> None:
    end = random_playout(resolve("classic", 4, 32, {"deals": "1"}), random.Random(8))
    text = deal_text(line_of(end))
    assert text.endswith(" | over")
    assert parse_deal(text) == line_of(end)
    with pytest.raises(NotationError):
        state_of(parse_deal(text))


def test_a_ruleset_that_no_options_make_has_no_line() -> None:
    line = replace(parse_deal("bela 4x32 | dealer 0"), ruleset=replace(resolve("bela", 4, 32, {}), last_trick=20))
    with pytest.raises(NotationError):
        deal_text(line)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bela",
        "bela 4x32",
        "poker 4x32 | dealer 0",
        "bela 4x24 | dealer 0",
        "bela 4 | dealer 0",
        "bela fourx32 | dealer 0",
        "bela 4x32 target=5 | dealer 0",
        "bela 4x32 target=501 target=501 | dealer 0",
        "bela 4x32 | dealer 4",
        "bela 4x32 | dealer -1",
        "bela 4x32 | dealer",
        "bela 4x32 | dealer 0 hand",
        "bela 4x32 | dealer 0 hand -1",
        "bela 4x32 | dealer 0 | dealer 1",
        "bela 4x32 | dealer 0 | weather fine",
        "bela 4x32 | dealer 0 | up 7X",
        "bela 4x32 | dealer 0 | bids pass pass pass pass H",
        "bela 4x32 | dealer 0 | bids take",
        "bela 4x32 | dealer 0 | bids H pass",
        "bela 4x32 | dealer 0 | bids maybe",
        "bela 4x32 | dealer 0 | bids H | trump H by 2",
        "bela 4x32 | dealer 0 | bids pass | trump H by 2",
        "bela 4x32 | dealer 0 | trump H",
        "bela 4x32 | dealer 0 | trump H by 4",
        "bela 4x32 | dealer 0 | table 1: 7C",
        "bela 4x32 | dealer 0 | tricks 1: 7C 8C 9C TC",
        "bela 4x32 | dealer 0 | trump H by 1 | table 2: 7C",
        "bela 4x32 | dealer 0 | trump H by 1 | table 1: 7C 8C 9C TC",
        "bela 4x32 | dealer 0 | trump H by 1 | table 7C",
        "bela 4x32 | dealer 0 | trump H by 1 | tricks 1: 7C 8C 9C TC, 1: 7D 8D 9D TD",
        "bela 4x32 | dealer 0 | trump H by 1 | tricks 1: 7C 8C 9C",
        "bela 4x32 | dealer 0 | trump H by 1 | tricks 1: 7C 8C 9C TC | table 0: 7C",
        "bela 4x32 | dealer 0 | hands 7C / 8C / 9C",
        "bela 4x32 | dealer 0 | hands 7C / 7C / 9C / TC",
        "bela 4x32 | dealer 0 | hands / 7C / 9C / TC",
        "bela 4x32 | dealer 0 | hands 7C 8C 9C TC JC QC KC AC 7D / - / - / -",
        "club 4x24 | dealer 0 | hands 7C / - / - / -",
        "club 4x32 | dealer 0 | up 7C | hands 7C / - / - / -",
        "bela 4x32 | dealer 0 | score 1",
        "bela 4x32 | dealer 0 | score 1:2 held",
        "bela 4x32 | dealer 0 | score 1:2 held -5",
        "bela 4x32 | dealer 0 | score 1:x",
        "bela 4x32 | dealer 0 | score 1:2 luck 5",
        "bela 4x32 | dealer 0 | over and out",
    ],
)
def test_a_text_that_is_no_deal_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_deal(text)


@pytest.mark.parametrize(
    "text",
    [
        "bela 4x32 | dealer 0 | hands 7C / - / - / -",
        "bela 4x32 | dealer 0 | trump H by 1 | hands 7C / - / - / -",
        "bela 4x32 | dealer 0 | trump H by 1 | table 1: 7C | hands 8C / - / - / -",
        "classic 4x32 | dealer 0 | trump H by 1",
        "classic 4x32 | dealer 0 | up 7C | trump H by 1",
    ],
)
def test_a_line_that_no_match_comes_to_gives_no_state(text: str) -> None:
    with pytest.raises(NotationError):
        state_of(parse_deal(text))


def test_blanks_around_the_bars_do_not_matter() -> None:
    assert parse_deal("bela 4x32|dealer 2|trump S by 1") == parse_deal("bela 4x32 |  dealer 2  | trump S by 1 ")


def test_no_repr_of_a_line_shows_a_hand() -> None:
    assert "hands" not in repr(parse_deal(_LINE))


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_line_is_refused_or_says_something_else_and_never_breaks_the_reader(seed: int) -> None:
    rng = random.Random(seed)
    letters = "0123456789|:/,-?= CDHSTJQKAx " + "dealer bids tricks table hands score over up"
    states = [step.before for step in steps(_TABLES[seed], random.Random(seed))]
    refused = 0
    for _ in range(2000):
        text = deal_text(line_of(rng.choice(states)))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(letters) * rng.randint(0, 1) + text[at + rng.randint(0, 4) :]
        try:
            deal = parse_deal(text)
        except NotationError:
            refused += 1
            continue
        assert parse_deal(deal_text(deal)) == deal, text
        try:
            state = state_of(deal)
        except NotationError:
            continue
        assert line_of(state) == deal, text
    assert refused > 0


def test_any_text_is_refused_and_never_breaks_the_reader() -> None:
    rng = random.Random(6)
    for _ in range(2000):
        text = "".join(rng.choice("bela 4x32|dler0:/,-?=٣\x00") for _ in range(rng.randrange(60)))
        with pytest.raises(NotationError):
            parse_deal(text)
