"""The rules of play once more, as a person reads them off the page: words for cards, lists for hands, no tables shared
with the engine. Slow, and only there for tests to hold the engine against.
"""

from dataclasses import dataclass

SUITS = ("C", "D", "H", "S")
#: Strongest first.
TRUMP_RANKS = ("J", "9", "A", "T", "K", "Q", "8", "7")
PLAIN_RANKS = ("A", "T", "K", "Q", "J", "9", "8", "7")
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


@dataclass(frozen=True, slots=True)
class PlainRules:
    """The three columns of the page that differ in play: duty to beat a plain card, freedom when the partner wins."""

    must_beat_plain_until_ruffed: bool
    free_when_partner_wins: bool


#: By ruleset.
PLAIN_RULES = {
    "club": PlainRules(must_beat_plain_until_ruffed=False, free_when_partner_wins=False),
    "bela": PlainRules(must_beat_plain_until_ruffed=True, free_when_partner_wins=False),
    "classic": PlainRules(must_beat_plain_until_ruffed=False, free_when_partner_wins=True),
    "announces": PlainRules(must_beat_plain_until_ruffed=False, free_when_partner_wins=True),
}


def points(card: str, trump: str) -> int:
    """Points of a card such as ``TH``."""
    return (TRUMP_POINTS if card[1] == trump else PLAIN_POINTS)[card[0]]


def stronger(card: str, other: str, led: str, trump: str) -> bool:
    """Whether a card takes the trick from another one when a suit was led."""
    if card[1] == trump and other[1] == trump:
        return TRUMP_RANKS.index(card[0]) < TRUMP_RANKS.index(other[0])
    if card[1] == trump or other[1] == trump:
        return card[1] == trump
    if card[1] == led and other[1] == led:
        return PLAIN_RANKS.index(card[0]) < PLAIN_RANKS.index(other[0])
    return card[1] == led


def winner(table: list[str], trump: str) -> int:
    """Place on the table of the card that is winning."""
    led = table[0][1]
    for place, card in enumerate(table):
        if not any(stronger(other, card, led, trump) for other in table if other != card):
            return place
    raise AssertionError("no card wins")


def legal(rules: PlainRules, seats: int, table: list[str], hand: list[str], trump: str) -> list[str]:
    """The cards of a hand that may be played, in the order of the hand."""
    if not table:
        return hand
    led = table[0][1]
    best = winner(table, trump)
    ruffed = led != trump and table[best][1] == trump
    following = [card for card in hand if card[1] == led]
    if following and led == trump:
        return [card for card in following if stronger(card, table[best], led, trump)] or following
    if following and rules.must_beat_plain_until_ruffed and not ruffed:
        return [card for card in following if stronger(card, table[best], led, trump)] or following
    if following:
        return following
    partner_wins = seats == 4 and len(table) - 2 == best
    if rules.free_when_partner_wins and partner_wins:
        return hand
    trumps = [card for card in hand if card[1] == trump]
    if not trumps:
        return hand
    if not ruffed:
        return trumps
    return [card for card in trumps if stronger(card, table[best], led, trump)] or trumps


def count_lines(rules: PlainRules, hands: list[list[str]], turn: int, table: list[str], trump: str, depth: int) -> int:
    """In how many ways the next ``depth`` cards can be played."""
    if depth == 0 or not hands[turn]:
        return 1
    lines = 0
    for card in legal(rules, len(hands), table, hands[turn], trump):
        left = [[other for other in hand if other != card] for hand in hands]
        cards = [*table, card]
        if len(cards) < len(hands):
            lines += count_lines(rules, left, (turn + 1) % len(hands), cards, trump, depth - 1)
        else:
            leader = (turn + 1) % len(hands)
            lines += count_lines(rules, left, (leader + winner(cards, trump)) % len(hands), [], trump, depth - 1)
    return lines
