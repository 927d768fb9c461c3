"""All tricks to one side: a penalty in club, 90 more and every meld in bela, 252 in classic and announces."""

from belot_engine.events import LineKind
from belot_engine.given import GivenDeal
from support.positions import scored, values

_MINE, _THEIRS = ((162, 0), (8, 0)), ((0, 162), (0, 8))


def test_club_fines_the_side_without_a_trick_and_voids_its_melds() -> None:
    sheet = scored("club", GivenDeal(0, *_MINE, melds=(0, 100), bela=(0, 20)))
    assert sheet.scores == (16, -10)
    assert values(sheet, LineKind.PENALTY) == (0, -10)
    assert values(sheet, LineKind.MELDS) is None


def test_club_counts_the_winners_own_melds() -> None:
    assert scored("club", GivenDeal(0, *_MINE, melds=(100, 0), bela=(20, 0))).scores == (28, -10)


def test_club_fines_the_declarer_without_a_trick_once_and_without_a_bolt() -> None:
    sheet = scored("club", GivenDeal(0, *_THEIRS))
    assert (sheet.scores, sheet.bolts) == ((-10, 16), (0, 0))


def test_bela_gives_90_and_every_recognised_meld() -> None:
    sheet = scored("bela", GivenDeal(0, *_MINE, melds=(0, 50)))
    assert sheet.scores == (302, 0)
    assert values(sheet, LineKind.SWEEP) == (90, 0)


def test_bela_takes_the_bela_of_the_side_without_a_trick() -> None:
    assert scored("bela", GivenDeal(0, *_THEIRS, melds=(100, 0), bela=(20, 0))).scores == (0, 352)
    assert scored("bela", GivenDeal(0, *_MINE, bela=(20, 0))).scores == (272, 0)


def test_bela_without_the_option_voids_what_the_side_without_a_trick_has() -> None:
    deal = GivenDeal(0, *_MINE, melds=(0, 50), bela=(0, 20))
    assert scored("bela", deal, stiglja="off").scores == (162, 0)


def test_classic_pays_252_to_either_side_and_belote_to_its_owner() -> None:
    assert scored("classic", GivenDeal(0, *_MINE, bela=(0, 20))).scores == (252, 20)
    assert scored("classic", GivenDeal(0, *_THEIRS, bela=(20, 0))).scores == (20, 252)


def test_announces_moves_the_melds_to_the_sweeper() -> None:
    assert scored("announces", GivenDeal(0, *_MINE, melds=(0, 50))).scores == (302, 0)
    assert scored("announces", GivenDeal(0, *_THEIRS, melds=(100, 0), bela=(20, 0))).scores == (20, 352)
