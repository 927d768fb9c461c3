"""What a hand holds, whose melds count, and when they are shown."""

import pytest

from belot_engine.events import BelaAnnounced, MatchEnded, MatchResult, Meld, MeldKind, MeldsShown, Outcome
from belot_engine.match import apply, legal_actions
from belot_engine.melds import melds_of, recognised
from belot_engine.notation import parse_card, parse_hand, parse_suit
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Choose, MatchState, Pass, Phase, Play
from support.playouts import pack_of_hands, to_play

_BELA, _CLUB = resolve("bela", 4, 32, {}), resolve("club", 4, 32, {})


def _found(text: str) -> list[tuple[MeldKind, int]]:
    return [(meld.kind, meld.points) for meld in melds_of(_BELA, 0, parse_hand(text))]


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("7C 8C 9C", [20]),
        ("7C 8C 9C TC", [50]),
        ("7C 8C 9C TC JC", [100]),
        ("7C 8C 9C TC JC QC KC", [100]),
        ("7C 8C 9C QC KC AC", [20, 20]),
        ("7C 8C 9C 7H 8H 9H TH", [20, 50]),
        ("7C 8C TC JC KC AC 7D 8D", []),
        ("QC KC AC 7D 8D", [20]),
    ],
)
def test_only_the_longest_form_of_a_run_counts(hand: str, points: list[int]) -> None:
    assert _found(hand) == [(MeldKind.RUN, value) for value in points]


@pytest.mark.parametrize(
    ("rank", "points"), [("J", 200), ("9", 150), ("A", 100), ("K", 100), ("Q", 100), ("T", 100), ("7", 0), ("8", 0)]
)
def test_a_four_is_worth_what_its_rank_is(rank: str, points: int) -> None:
    assert sum(value for _, value in _found(" ".join(rank + suit for suit in "CDHS"))) == points


def test_a_card_may_serve_a_run_and_a_four() -> None:
    assert _found("JC JD JH JS QC KC") == [(MeldKind.FOUR, 200), (MeldKind.RUN, 20)]


def test_a_meld_names_its_cards() -> None:
    (meld,) = melds_of(_BELA, 2, parse_hand("TH JH QH 7C"))
    assert meld == Meld(2, MeldKind.RUN, 5, 2, 3, 20, parse_hand("TH JH QH"))


def _winner(rules_name: str, hands: list[str], trump: str = "S", first: int = 0) -> tuple[int, int] | None:
    rules = resolve(rules_name, 4, 32, {})
    found = recognised(rules, parse_suit(trump), [parse_hand(hand) for hand in hands], first)
    return None if found is None else (found.side, found.points)


@pytest.mark.parametrize("name", ["club", "bela"])
def test_the_side_of_the_strongest_meld_scores_all_of_its_melds(name: str) -> None:
    assert _winner(name, ["7C 8C 9C", "TD JD QD KD", "7H 8H 9H", "TS JS QS"]) == (1, 70)


@pytest.mark.parametrize("name", ["club", "bela"])
def test_a_four_goes_over_a_run_of_the_same_points(name: str) -> None:
    assert _winner(name, ["TC JC QC KC AC", "TH TD QD TS", "", ""]) == (0, 100)
    assert _winner(name, ["7C 8C 9C TC JC", "AC AD AH AS", "", ""]) == (1, 100)


def test_a_longer_run_goes_over_a_higher_one_in_bela_alone() -> None:
    hands = ["TC JC QC KC AC", "8D 9D TD JD QD KD", "", ""]
    assert _winner("bela", hands) == (1, 100)
    assert _winner("club", hands) == (0, 100)


@pytest.mark.parametrize("name", ["club", "bela"])
def test_the_higher_top_card_decides(name: str) -> None:
    assert _winner(name, ["TC JC QC", "JD QD KD", "", ""]) == (1, 20)


def test_trump_decides_in_club_alone() -> None:
    hands = ["TC JC QC", "TS JS QS", "", ""]
    assert _winner("club", hands) == (1, 20)
    assert _winner("bela", hands) == (0, 20)


def test_nobody_scores_equal_best_melds_in_club() -> None:
    assert _winner("club", ["TC JC QC", "TD JD QD", "7H 8H 9H", ""]) is None


def test_equal_best_melds_go_to_the_earlier_in_turn_in_bela() -> None:
    hands = ["TC JC QC", "TD JD QD", "7H 8H 9H", ""]
    assert _winner("bela", hands, first=0) == (0, 40)
    assert _winner("bela", hands, first=1) == (1, 20)
    assert _winner("bela", hands, first=3) == (0, 40)


def test_equal_melds_of_partners_are_no_tie() -> None:
    assert _winner("club", ["TC JC QC", "", "TD JD QD", "7H 8H 9H"]) == (0, 40)


def test_each_plays_for_himself_at_three() -> None:
    rules = resolve("club", 3, 32, {})
    hands = [parse_hand(text) for text in ("TC JC QC", "7H 8H 9H", "TD JD QD KD")]
    found = recognised(rules, 0, hands, 0)
    assert found is not None
    assert (found.side, found.points) == (2, 50)


def test_melds_off_recognises_nothing() -> None:
    off = resolve("bela", 4, 32, {"melds": "off"})
    assert recognised(off, 0, [parse_hand("7C 8C 9C"), 0, 0, 0], 0) is None


def test_bela_shows_the_winning_melds_before_the_first_lead_and_no_other() -> None:
    hands = ["TD 7C QC 9H KH 7S 9S AS", "TC JC KC AC 7D 8D 9D JH", "QD KD AD 8C 7H QH 8S JS", ""]
    pack = pack_of_hands(_BELA, 0, 1, hands)
    shown = [event for event in to_play(_BELA, pack, [Choose(3)]).events if isinstance(event, MeldsShown)]
    (event,) = shown
    assert (event.side, event.points, event.seat) == (0, 20, None)
    assert [meld.player for meld in event.melds] == [2]


def test_club_shows_melds_after_the_first_trick() -> None:
    pack = pack_of_hands(_CLUB, 0, 1, ["", "TC JC QC 7D 9D 8H JS KS", "", ""])
    applied = to_play(_CLUB, pack, [Accept()])
    seen = [type(event) for event in applied.events]
    while len(applied.state.tricks) < 1:
        assert MeldsShown not in seen
        applied = apply(applied.state, applied.state.turn, _lowest(applied.state))
        seen = [type(event) for event in applied.events]
    assert MeldsShown in seen


def _lowest(state: MatchState) -> Play:
    legal = legal_actions(state)
    assert legal is not None
    return Play((legal.cards & -legal.cards).bit_length() - 1)


def test_a_run_of_eight_ends_the_match_won() -> None:
    pack = pack_of_hands(_BELA, 0, 2, ["", "", "", "7H 8H 9H TH JH QH KH AH"])
    applied = to_play(_BELA, pack, [Pass(), Choose(0)])
    assert applied.state.phase is Phase.FINISHED
    assert applied.events[-1] == MatchEnded(MatchResult(Outcome.BELOT, 1, (2, 1), (0, 0), 0))


def test_a_run_of_eight_is_nothing_without_melds() -> None:
    rules = resolve("bela", 4, 32, {"melds": "off"})
    pack = pack_of_hands(rules, 0, 2, ["", "", "", "7H 8H 9H TH JH QH KH AH"])
    assert to_play(rules, pack, [Pass(), Choose(0)]).state.phase is Phase.PLAYING


@pytest.mark.parametrize(("name", "order"), [("club", 0), ("classic", 0), ("bela", 1)])
@pytest.mark.parametrize("first", ["KH", "QH"])
def test_the_pair_is_announced_with_its_first_card_but_in_bela_with_its_second(
    name: str, order: int, first: str
) -> None:
    rules = resolve(name, 4, 32, {"melds": "off"} if name == "bela" else {})
    pack = pack_of_hands(rules, 0, 1, ["", "KH QH JH 9H AH 7H 8H TH", "", ""])
    state = to_play(rules, pack, [Choose(2) if name == "bela" else Accept()]).state
    announced = []
    for text in (first, "QH" if first == "KH" else "KH"):
        applied = apply(state, 1, Play(parse_card(text)))
        announced.append(BelaAnnounced(1) in applied.events)
        state = applied.state
        while state.turn != 1:
            state = apply(state, state.turn, _lowest(state)).state
    assert announced == [place == order for place in range(2)]
