"""The table as a terminal shows it."""

from dataclasses import replace

import pytest

from belot_cli.render import WIDTH, bid_text, result_line, sheet_lines, table_lines
from belot_cli.scene import BidScene, BidWord, Choices, Scene, SeatScene, Sheet, Stage, TrickScene

NAMES = ("Ana", "West", "North", "East")
SEATS = tuple(SeatScene(name, seat % 2, 6) for seat, name in enumerate(NAMES))
SCENE = Scene(
    SEATS,
    me=0,
    stage=Stage.PLAYING,
    ruleset="bela",
    target=501,
    hand_number=2,
    dealer=3,
    totals=(212, 134),
    trump=2,
    declarer=1,
    trick=TrickScene(1, (1, 5, 7)),
    last_trick=TrickScene(0, (8, 9, 10, 15), 3, 21),
    hand=(0, 3, 20, 22, 31, 26),
    turn=0,
    choices=Choices(cards=(0, 3)),
)
SHEET = Sheet(2, 1, "failed", (("cards", (90, 72)), ("melds", (0, 0)), ("bela", (0, 20))), (182, 0), (394, 134))


def text_of(scene: Scene) -> str:
    return "\n".join(table_lines(scene))


def test_the_whole_table_at_ones_turn() -> None:
    assert table_lines(SCENE) == (
        "── deal 3 · trump ♥ hearts (West) ───────────────── us 212 : 134 them, to 501 ──",
        "                               North (partner)",
        "                                     [Q♣]",
        "           West                                           East (dealer)",
        "           [8♣]                                                [A♣]",
        "                                    ▸ you",
        "                                      ·",
        "   last trick  you 7♦  West 8♦  North 9♦  East A♦  → East, 21",
        "   your hand    J♥   K♥   A♠   9♠  10♣   7♣",
        "   play         ·    ·    ·    ·    1    2",
    )


def test_the_hand_is_sorted_with_trump_first_and_in_its_order() -> None:
    scene = replace(SCENE, hand=(16, 18, 19, 20, 21, 22, 23), choices=None)
    assert "your hand    J♥   9♥   A♥  10♥   K♥   Q♥   7♥" in text_of(scene)


def test_numbers_stand_only_under_legal_cards_and_only_at_ones_turn() -> None:
    assert "play" not in text_of(replace(SCENE, choices=None, turn=1))


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("me", [None, 0, 1])
def test_every_form_of_table_fits_eighty_columns(count: int, me: int | None) -> None:
    sides = 2 if count == 4 else count
    seats = tuple(SeatScene("A name of thirty-two characters!", seat % sides, 10) for seat in range(count))
    scene = replace(SCENE, seats=seats, me=me, totals=(-10, 1010, 330)[:sides], trick=None, declarer=0, dealer=0)
    scene = replace(scene, last_trick=TrickScene(0, (19, 11, 3, 27)[:count], 1, 21))
    sheet = replace(SHEET, score=(0,) * sides, totals=(0,) * sides, lines=())
    for line in (*table_lines(scene), *sheet_lines(sheet, scene)):
        assert len(line) <= WIDTH, line


def test_a_spectator_sees_the_seats_but_no_hand() -> None:
    text = text_of(replace(SCENE, me=None, hand=(), choices=None))
    assert "Ana" in text
    assert "your hand" not in text


def test_bids_stand_at_their_seats_until_trump_is_known() -> None:
    bids = (BidScene(1, BidWord.PASS), BidScene(2, BidWord.CHOOSE, 3))
    text = text_of(replace(SCENE, stage=Stage.BIDDING, trump=None, declarer=None, trick=None, bids=bids))
    assert "passes" in text
    assert "names ♠" in text
    assert bid_text(SCENE, 0, BidWord.PASS, None) == "you pass"


def test_a_score_sheet_shows_every_line_that_has_a_figure() -> None:
    lines = sheet_lines(SHEET, SCENE)
    assert lines[0].startswith("── deal 3: them declared, failed ─")
    assert [line.split() for line in lines[1:]] == [
        ["us", "them"],
        ["cards", "90", "72"],
        ["bela", "0", "20"],
        ["──────", "──────"],
        ["this", "deal", "182", "0"],
        ["match", "394", "134"],
    ]


def test_held_points_are_said() -> None:
    assert "81 points are held" in sheet_lines(replace(SHEET, held=81), SCENE)[-1]


def test_the_result_names_the_winner_as_the_viewer_would() -> None:
    assert result_line(SCENE, "won", (1, 2), (512, 400)) == "You and your partner win the match, 512 : 400."
    assert result_line(SCENE, "won", (2, 1), (400, 512)) == "They win the match, 400 : 512."
    assert result_line(SCENE, "drawn", (1, 1), (400, 400)) == "The match is drawn, 400 : 400."
    watching = replace(SCENE, me=None)
    assert result_line(watching, "won", (2, 1), (400, 512)) == "West + East win the match, 400 : 512."
