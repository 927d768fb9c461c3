"""What a person typed, understood against what he may do. Pure: a line in, an intention out."""

from dataclasses import dataclass
from typing import TypeAlias

from belot_cli.cards import SUIT_NAMES, read_card, read_suit, show_card, sort_hand
from belot_cli.scene import Choices, Scene


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Put this card on the table, legal or not: the server says."""

    card: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the up-card's suit as trump."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Name trump."""

    suit: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take the seat back from the bot that stands in."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim the remaining tricks."""


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """Say yes or no to the opponents' claim."""

    agree: bool


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """Say what can be typed."""


@dataclass(frozen=True, slots=True)
class ShowTable:
    """Draw the table again."""


@dataclass(frozen=True, slots=True)
class ShowScores:
    """Show the score sheets so far."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Not understood; `hint` says what would be."""

    hint: str


Intention: TypeAlias = (
    PlayCard
    | Pass
    | Accept
    | Choose
    | Leave
    | ComeBack
    | Claim
    | AnswerClaim
    | Say
    | Help
    | ShowTable
    | ShowScores
    | Unclear
)

_WORDS: dict[str, Intention] = {
    "q": Leave(),
    "quit": Leave(),
    "leave": Leave(),
    "back": ComeBack(),
    "claim": Claim(),
    "yes": AnswerClaim(True),
    "no": AnswerClaim(False),
    "?": Help(),
    "h": Help(),
    "help": Help(),
    "t": ShowTable(),
    "table": ShowTable(),
    "": ShowTable(),
    "scores": ShowScores(),
    "score": ShowScores(),
}
_BID_WORDS: dict[str, Intention] = {"pass": Pass(), "p": Pass(), "take": Accept(), "accept": Accept()}

HELP = (
    "a card      7C, 10H or TH, J♠, or the number under it in your hand",
    "a bid       pass, take (the up-card's suit), hearts, clubs, ... or its number",
    "t           draw the table again",
    "score       the score sheets so far",
    'h           this help (so hearts are "hearts" or "he")',
    "claim       the remaining tricks are yours; where that is not certain the others",
    "            are asked, who answer yes or no",
    "say WORDS   say something to the table",
    "back        take your seat back, when a bot plays for you because you missed two turns",
    "q           leave the table; a bot plays on in your place",
)


def understand(line: str, scene: Scene) -> Intention:
    """What the person wants. Cards and bids are understood even when illegal, so that the server can say why not."""
    said = line.strip()
    if said[:4].lower() == "say " and said[4:].strip():
        return Say(said[4:].strip())
    word = said.lower()
    if word in _WORDS:
        return _WORDS[word]
    if word in _BID_WORDS:
        return _BID_WORDS[word]
    card = read_card(word)
    if card is not None:
        return PlayCard(card)
    if word.isdecimal():
        return _numbered(int(word), scene)
    suit = read_suit(word)
    if suit is not None:
        return _suit(suit, scene)
    return Unclear(hint(scene))


def numbered_choices(scene: Scene) -> tuple[int, ...]:
    """The legal cards in the order of the hand; the first has number 1."""
    legal = () if scene.choices is None else scene.choices.cards
    return tuple(card for card in sort_hand(scene.hand, scene.trump) if card in legal)


def _numbered(number: int, scene: Scene) -> Intention:
    cards: tuple[Intention, ...] = tuple(PlayCard(card) for card in numbered_choices(scene))
    choices = cards or tuple(intention for intention, _ in _bid_offers(scene))
    return choices[number - 1] if 1 <= number <= len(choices) else Unclear(hint(scene))


def _suit(suit: int, scene: Scene) -> Intention:
    # In the first round the up-card's suit can only be accepted; naming it means the same to a person.
    accepts = scene.choices is not None and scene.choices.may_accept and scene.up_card is not None
    return Accept() if accepts and scene.up_card is not None and scene.up_card // 8 == suit else Choose(suit)


def hint(scene: Scene) -> str:
    """One line that says what can be typed now."""
    if scene.choices is None:
        return "not your turn yet (h help, q leave)"
    if scene.choices.cards:
        count = len(scene.choices.cards)
        return f"play a card: {f'1-{count}' if count > 1 else '1'} or its name, like 7C (h help, q leave)"
    offers = ", ".join(f"{number} {text}" for number, (_, text) in enumerate(_bid_offers(scene), 1))
    return f"bid: {offers} (h help, q leave)"


def _bid_offers(scene: Scene) -> tuple[tuple[Intention, str], ...]:
    """What the auction allows, in the order of its numbers."""
    choices, card = scene.choices or Choices(), scene.up_card
    offers: list[tuple[Intention, str]] = [(Pass(), "pass")] if choices.may_pass else []
    if choices.may_accept:
        gained = "" if card is None else f" ({SUIT_NAMES[card // 8]}, you get {show_card(card)})"
        offers.append((Accept(), f"take{gained}"))
    return (*offers, *((Choose(suit), SUIT_NAMES[suit]) for suit in choices.suits))
