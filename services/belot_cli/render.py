"""A table drawn in plain lines of at most 80 columns: a scene in, lines out. Colours are put on by whoever prints.

The viewer sits at the bottom; the next seat in order of play is on his left.
"""

from collections.abc import Callable

from belot_cli.cards import SUIT_SIGNS, show_card, show_suit, sort_hand
from belot_cli.scene import BidWord, Scene, Sheet, Stage, TrickScene, seat_name, side_names
from belot_cli.typed import numbered_choices

WIDTH = 80
_COLUMN = 26
_CELL = 5
_NAME = 12
_NAME_LENGTHS = (12, 9, 7, 5, 3)

_LINE_NAMES = {
    "last_trick": "last trick",
    "left_out": "left out of play",
    "stiglja": "štiglja",
    "sweep": "all tricks",
    "capot": "capot",
    "held_won": "held, won now",
    "held_back": "held for the next",
    "bolt": "bolts",
}
_OUTCOMES = {"cancelled": "dealt anew"}


def table_lines(scene: Scene) -> tuple[str, ...]:
    """The whole table: heading, seats with the trick between them, the last trick, the hand."""
    parts = (_heading(scene), *_seats(scene), *_last_trick(scene), *_hand(scene))
    return tuple(line.rstrip() for line in parts)


def _heading(scene: Scene) -> str:
    return _widest(lambda most: _spread(_deal_text(scene, most), score_line(scene, most)))


def _widest(line: Callable[[int], str]) -> str:
    """The line with names as long as fit on the screen."""
    lines = [line(most) for most in _NAME_LENGTHS]
    return next((each for each in lines if len(each) <= WIDTH), lines[-1])


def _deal_text(scene: Scene, most: int) -> str:
    parts = [f"deal {scene.hand_number + 1}"]
    if scene.trump is not None and scene.declarer is not None:
        parts.append(f"trump {show_suit(scene.trump)} ({_cut(seat_name(scene, scene.declarer), most)})")
    elif scene.up_card is not None:
        parts.append(f"up-card {show_card(scene.up_card)}")
    return " · ".join(parts if scene.stage in {Stage.PLAYING, Stage.BIDDING} else [*parts, scene.stage.value])


def score_line(scene: Scene, most: int = 12) -> str:
    """The match in a few words, ``us 212 : 134 them, to 501``, with names of at most `most` letters."""
    if not scene.totals:
        return scene.ruleset
    names = [_cut(name, most) for name in side_names(scene)]
    if len(scene.totals) == 2:
        text = f"{names[0]} {scene.totals[0]} : {scene.totals[1]} {names[1]}"
    else:
        text = "  ".join(f"{name} {total}" for name, total in zip(names, scene.totals, strict=False))
    held = f" ({scene.held} held)" if scene.held else ""
    return text + held + (f", to {scene.target}" if scene.target else "")


def _spread(left: str, right: str) -> str:
    """Two texts at the two ends of a ruled line."""
    room = WIDTH - len(left) - len(right) - 8
    return f"── {left} {'─' * max(room, 1)} {right} ──"


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _seats(scene: Scene) -> list[str]:
    """The players around the trick; rows depend on how many there are."""
    count, base = len(scene.seats), scene.me or 0
    own, first, second, third = (((base + step) % count) for step in range(4))
    if count == 2:
        rows: tuple[tuple[int | None, ...], ...] = ((None, first, None), (None, own, None))
    elif count == 3:
        rows = ((first, None, second), (None, own, None))
    else:
        rows = ((None, second, None), (first, None, third), (None, own, None))
    lines: list[str] = []
    for row in rows:
        lines.append(_row([_label(scene, seat) for seat in row]))
        lines.append(_row([_card_at(scene, seat) for seat in row]))
    return lines


def _row(cells: list[str]) -> str:
    return "".join(cell.center(_COLUMN) for cell in cells)


def _label(scene: Scene, seat: int | None) -> str:
    if seat is None:
        return ""
    marks = ", ".join(mark for mark, shown in _marks(scene, seat).items() if shown)
    pointer = "▸ " if scene.turn == seat else ""
    return pointer + _cut(seat_name(scene, seat), _NAME) + (f" ({marks})" if marks else "")


def _marks(scene: Scene, seat: int) -> dict[str, bool]:
    mine = None if scene.me is None else scene.seats[scene.me].side
    partner = len(scene.seats) == 4 and seat != scene.me and scene.seats[seat].side == mine
    return {"partner": partner, "dealer": scene.dealer == seat}


def _card_at(scene: Scene, seat: int | None) -> str:
    if seat is None:
        return ""
    trick = scene.trick
    if trick is not None:
        place = (seat - trick.leader) % len(scene.seats)
        return f"[{show_card(trick.cards[place])}]" if place < len(trick.cards) else "·"
    spoken = [bid for bid in scene.bids if bid.seat == seat]
    if scene.stage is Stage.BIDDING and spoken:
        suit = spoken[-1].suit
        return spoken[-1].word.value + ("" if suit is None else f" {SUIT_SIGNS[suit]}")
    return "·"


def _last_trick(scene: Scene) -> list[str]:
    trick = scene.last_trick
    return [] if trick is None else [_widest(lambda most: f"   last trick  {_trick_text(scene, trick, most)}")]


def trick_text(scene: Scene, trick: TrickScene) -> str:
    """A trick in one line: ``North 7♣  East A♣  you 8♣  West 9♣  → East, 11``."""
    return _widest(lambda most: f"   {_trick_text(scene, trick, most)}").strip()


def _trick_text(scene: Scene, trick: TrickScene, most: int) -> str:
    count = len(scene.seats)
    cards = [
        f"{_cut(seat_name(scene, (trick.leader + place) % count), most)} {show_card(card)}"
        for place, card in enumerate(trick.cards)
    ]
    end = "" if trick.winner is None else f"  → {_cut(seat_name(scene, trick.winner), most)}, {trick.points}"
    return "  ".join(cards) + end


def _hand(scene: Scene) -> list[str]:
    if not scene.hand:
        return []
    hand, numbered = sort_hand(scene.hand, scene.trump), numbered_choices(scene)
    cards = "".join(show_card(card).center(_CELL) for card in hand)
    lines = [f"   your hand  {cards}"]
    if numbered:
        marks = (str(numbered.index(card) + 1) if card in numbered else "·" for card in hand)
        lines.append(f"   play       {''.join(mark.center(_CELL) for mark in marks)}")
    return lines


def bid_text(scene: Scene, seat: int, word: BidWord, suit: int | None) -> str:
    """A bid in one line: ``North names ♥ hearts``; "you" takes the verb without its s."""
    name, verb = seat_name(scene, seat), word.value
    if seat == scene.me:
        verb = {BidWord.PASS: "pass", BidWord.ACCEPT: "take", BidWord.CHOOSE: "name"}[word]
    return f"{name} {verb}" + ("" if suit is None else f" {show_suit(suit)}")


def sheet_lines(sheet: Sheet, scene: Scene) -> tuple[str, ...]:
    """A deal's score sheet: a line for every figure, a column for every side."""
    names = [_cut(name, 16) for name in side_names(scene)]
    declarer = names[sheet.declarer_side] if sheet.declarer_side < len(names) else ""
    outcome = outcome_text(sheet.outcome)
    width = max(8, *(len(name) + 2 for name in names))
    rows = [(_LINE_NAMES.get(name, name.replace("_", " ")), values) for name, values in sheet.lines]
    rows = [row for row in rows if any(row[1])]
    head = f"   {'':<20}" + "".join(name.rjust(width) for name in names)
    rule = f"   {'':<20}" + "".join(("─" * (width - 2)).rjust(width) for _ in names)
    body = [_figures(label, values, width) for label, values in rows]
    ends = [_figures("this deal", sheet.score, width), _figures("match", sheet.totals, width)]
    held = [f"   {sheet.held} points are held for the winner of the next deal"] if sheet.held else []
    title = f"── deal {sheet.hand_number + 1}: {declarer} declared, {outcome} "
    return (title + "─" * max(WIDTH - len(title), 0), head, *body, rule, *ends, *held)


def outcome_text(outcome: str) -> str:
    """A deal's outcome in words."""
    return _OUTCOMES.get(outcome, outcome.replace("_", " "))


def _figures(label: str, values: tuple[int, ...], width: int) -> str:
    return f"   {label:<20}" + "".join(str(value).rjust(width) for value in values)


def result_line(scene: Scene, outcome: str, ranks: tuple[int, ...], totals: tuple[int, ...]) -> str:
    """How the match ended, in one line."""
    names, score = side_names(scene), " : ".join(str(total) for total in totals)
    winners = [names[side] for side, rank in enumerate(ranks) if rank == 1]
    if outcome == "drawn" or len(winners) != 1:
        return f"The match is drawn, {score}."
    who = {"us": "You and your partner win", "you": "You win", "them": "They win"}.get(winners[0], f"{winners[0]} win")
    return f"{who} the match, {score}."
