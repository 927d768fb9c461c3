"""Bela: a run of all eight cards of a suit wins the match at once; nowhere else."""

from belot_engine.events import MatchEnded, Outcome
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Action, Choose
from support.playouts import pack_of_hands, to_play

_HANDS = ["", "7C 8C 9C TC JC QC KC AC", "", ""]


def _ends(name: str, word: Action, **options: str) -> list[Outcome]:
    rules = resolve(name, 4, 32, options)
    events = to_play(rules, pack_of_hands(rules, 0, 1, _HANDS), [word]).events
    return [event.result.outcome for event in events if isinstance(event, MatchEnded)]


def test_it_ends_a_match_of_bela() -> None:
    assert _ends("bela", Choose(2)) == [Outcome.BELOT]


def test_it_does_not_where_melds_are_off() -> None:
    assert _ends("bela", Choose(2), melds="off") == []


def test_it_does_not_in_the_other_rulesets() -> None:
    assert [_ends(name, Accept()) for name in ("club", "classic", "announces")] == [[]] * 3
