"""A deal at any moment as one line that people can read and write, and back.

Fields are parted by ``|``; each but the first begins with its name, and those that say nothing are left away::

    club 4x32 target=51 | dealer 0 hand 4 | up QH | bids pass take | trump H by 2 |
    tricks 1: JC AC TC 7C, 2: 9H AH JH 7H | table 3: 9C QC | hands 7D 8D / ? / - / KC | score 12:36 bolts 1:0

(one line; broken here to fit). The head is ruleset, seats x pack, and options that differ from the defaults. Bids go
round from the seat after the dealer: ``pass``, ``take`` (the card turned up), or a suit. A trick is its leader and its
cards in order. ``claim 2`` or ``claim 2 agreed``: that seat claimed the tricks that are left. Hands are by seat as they
are held now, or were when they were claimed: ``-`` is empty, ``?`` not known. ``score`` has totals by side
and, where they are not as at the start, ``bolts``, points ``held``, ``target`` after extensions, ``deals`` scored so
far. ``over`` marks a match that has ended. See the package's README for the grammar.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from belot_engine.cards import PACK_MASK, side_count
from belot_engine.errors import NotationError, OptionError
from belot_engine.events import Bid, BidKind
from belot_engine.notation import (
    card_text,
    cards_text,
    hand_text,
    parse_card,
    parse_cards,
    parse_form,
    parse_hand,
    parse_suit,
    suit_text,
)
from belot_engine.play import trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import chosen_options, resolve
from belot_engine.scoring import fresh_standing
from belot_engine.state import Standing, Trick


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal as a line tells it.

    ``hands`` are masks by seat, None for one that is not known. ``standing`` has no sheets: a line tells where a
    match stands, not how it came there. ``declarer`` and ``trump`` may be set without the bids that led to them.
    ``claim`` is who claimed the cards in ``hands``, and whether the opponents agreed.
    """

    ruleset: Ruleset
    dealer: int
    hand_number: int
    up_card: int | None
    bids: tuple[Bid, ...]
    declarer: int | None
    trump: int | None
    tricks: tuple[Trick, ...]
    trick: tuple[int, ...]
    hands: tuple[int | None, ...] = field(repr=False)
    standing: Standing
    over: bool = False
    claim: tuple[int, bool] | None = None

    @property
    def leader(self) -> int:
        """The seat that led, or is to lead, the trick on the table."""
        return self.tricks[-1].winner if self.tricks else (self.dealer + 1) % self.ruleset.seats


def deal_text(deal: DealLine) -> str:
    """A deal as a line. Raises NotationError for a ruleset that no options make."""
    try:
        options = chosen_options(deal.ruleset)
    except OptionError as error:
        raise NotationError(str(error)) from error
    rules = deal.ruleset
    head = [rules.name, f"{rules.seats}x{rules.pack}", *(f"{name}={value}" for name, value in sorted(options.items()))]
    fields = [" ".join(head), *(text for write in _WRITE if (text := write(deal)))]
    return " | ".join(fields)


def _bid_text(bid: Bid) -> str:
    if bid.kind is BidKind.CHOOSE and bid.suit is not None:
        return suit_text(bid.suit)
    return "pass" if bid.kind is BidKind.PASS else "take"


def _hands_text(deal: DealLine) -> str:
    if not any(hand is None or hand for hand in deal.hands):
        return ""
    return "hands " + " / ".join("?" if hand is None else hand_text(hand) or "-" for hand in deal.hands)


def _score_text(deal: DealLine) -> str:
    standing, fresh = deal.standing, fresh_standing(deal.ruleset, side_count(deal.ruleset.seats))
    if standing == fresh:
        return ""
    words = ["score", _row(standing.totals)]
    if standing.bolts != fresh.bolts:
        words += ["bolts", _row(standing.bolts)]
    for name in ("held", "target", "deals"):
        if getattr(standing, name) != getattr(fresh, name):
            words += [name, str(getattr(standing, name))]
    return " ".join(words)


def _row(values: tuple[int, ...]) -> str:
    return ":".join(map(str, values))


#: The fields after the head in their order; one that says nothing gives an empty text.
_WRITE: tuple[Callable[[DealLine], str], ...] = (
    lambda deal: f"dealer {deal.dealer}" + (f" hand {deal.hand_number}" if deal.hand_number else ""),
    lambda deal: "" if deal.up_card is None else f"up {card_text(deal.up_card)}",
    lambda deal: "bids " + " ".join(map(_bid_text, deal.bids)) if deal.bids else "",
    lambda deal: "" if deal.trump is None else f"trump {suit_text(deal.trump)} by {deal.declarer}",
    lambda deal: (
        "tricks " + ", ".join(f"{trick.leader}: {cards_text(trick.cards)}" for trick in deal.tricks)
        if deal.tricks
        else ""
    ),
    lambda deal: f"table {deal.leader}: {cards_text(deal.trick)}" if deal.trick else "",
    lambda deal: "" if deal.claim is None else f"claim {deal.claim[0]}" + " agreed" * deal.claim[1],
    _hands_text,
    _score_text,
    lambda deal: "over" if deal.over else "",
)


# --- reading -----------------------------------------------------------------------------------------------------


def parse_deal(text: str) -> DealLine:
    """The deal that a line describes. Raises NotationError saying what is wrong with it.

    The cards must be of the pack and in one place each, the tricks led and won as the rules have it, and bids and
    trump suit of one mind; whether the bids were allowed and the cards legal is not asked.
    """
    head, *rest = (part.strip() for part in text.split("|"))
    rules = _ruleset(head)
    fields: dict[str, str] = {}
    for part in rest:
        name, _, words = part.partition(" ")
        _require(name in _FIELDS, f"there is no field {name!r}; there are {', '.join(_FIELDS)}")
        _require(name not in fields, f"two fields {name!r}")
        fields[name] = words.strip()
    _require("dealer" in fields, "the field 'dealer' is needed")
    dealer, hand_number = _dealer(rules, fields["dealer"])
    up_card = parse_card(fields["up"]) if "up" in fields else None
    bids = _bids(rules, dealer, up_card, fields.get("bids", ""))
    declarer, trump = _trump(rules, bids, fields.get("trump", ""))
    tricks = _tricks(rules, dealer, trump, fields.get("tricks", ""))
    deal = DealLine(
        ruleset=rules,
        dealer=dealer,
        hand_number=hand_number,
        up_card=up_card,
        bids=bids,
        declarer=declarer,
        trump=trump,
        tricks=tricks,
        trick=_table(rules, dealer, trump, tricks, fields.get("table", "")),
        hands=_hands(rules, fields.get("hands", "")),
        standing=_standing(rules, fields.get("score", "")),
        over="over" in fields,
        claim=_claim(rules, fields["claim"]) if "claim" in fields else None,
    )
    _require(not fields.get("over"), "'over' stands alone")
    _check_claim(deal)
    _check_cards(deal)
    return deal


_FIELDS = ("dealer", "up", "bids", "trump", "tricks", "table", "claim", "hands", "score", "over")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise NotationError(message)


def _number(text: str) -> int:
    plain = text.removeprefix("-")
    _require(plain.isascii() and plain.isdecimal() and len(plain) <= 7, f"{text!r} is no number")
    return int(text)


def _seat(rules: Ruleset, text: str) -> int:
    seat = _number(text)
    _require(0 <= seat < rules.seats, f"there is no seat {seat}")
    return seat


def _ruleset(head: str) -> Ruleset:
    name, *words = head.split() or [""]
    _require(bool(words), "a line begins with a ruleset, seats x pack, and options: bela 4x32 target=501")
    seats, pack = parse_form(words[0])
    options = {option: value for option, _, value in (word.partition("=") for word in words[1:])}
    _require(len(options) == len(words) - 1, "an option is given twice")
    try:
        return resolve(name, seats, pack, options)
    except OptionError as error:
        raise NotationError(str(error)) from error


def _dealer(rules: Ruleset, words: str) -> tuple[int, int]:
    parts = words.split()
    _require(len(parts) in (1, 3) and parts[1:2] in ([], ["hand"]), "'dealer SEAT', or 'dealer SEAT hand NUMBER'")
    number = _number(parts[2]) if len(parts) == 3 else 0
    _require(number >= 0, "hands are numbered from 0")
    return _seat(rules, parts[0]), number


def _bids(rules: Ruleset, dealer: int, up_card: int | None, words: str) -> tuple[Bid, ...]:
    bids: list[Bid] = []
    for place, word in enumerate(words.split(), 1):
        player = (dealer + place) % rules.seats
        _require(not bids or bids[-1].kind is BidKind.PASS, "a bid after the choice of trumps")
        if word == "pass":
            bids.append(Bid(player, BidKind.PASS))
        elif word == "take":
            _require(up_card is not None, "'take' without a card turned up")
            bids.append(Bid(player, BidKind.ACCEPT, (up_card or 0) >> 3))
        else:
            bids.append(Bid(player, BidKind.CHOOSE, parse_suit(word)))
    _require(len(bids) <= rules.bidding_rounds * rules.seats, "more bids than the auction has")
    return tuple(bids)


def _trump(rules: Ruleset, bids: tuple[Bid, ...], words: str) -> tuple[int | None, int | None]:
    """Declarer and trump suit."""
    parts = words.split()
    _require(not parts or (len(parts) == 3 and parts[1] == "by"), "'trump SUIT by SEAT'")
    said = (_seat(rules, parts[2]), parse_suit(parts[0])) if parts else (None, None)
    chosen = bids[-1] if bids and bids[-1].kind is not BidKind.PASS else None
    if chosen is not None or bids:
        bid = (chosen.player, chosen.suit) if chosen else (None, None)
        _require(said in (bid, (None, None)), "the bids led to another trump suit or declarer")
        return bid
    return said


def _led(text: str) -> tuple[int, tuple[int, ...]]:
    leader, colon, cards = text.partition(":")
    _require(bool(colon), "a trick is written as its leader, a colon, and its cards: '1: JC AC TH TC'")
    return _number(leader.strip()), parse_cards(cards)


def _tricks(rules: Ruleset, dealer: int, trump: int | None, words: str) -> tuple[Trick, ...]:
    tricks: list[Trick] = []
    due = (dealer + 1) % rules.seats
    for text in words.split(",") if words else ():
        _require(trump is not None, "tricks without a trump suit")
        leader, cards = _led(text)
        _require(leader == due, f"seat {due} leads trick {len(tricks) + 1}")
        _require(len(cards) == rules.seats, f"a trick has {rules.seats} cards")
        due = (leader + trick_winner(trump or 0, cards)) % rules.seats
        tricks.append(Trick(leader, cards, due))
    _require(len(tricks) <= rules.hand_size, "more tricks than the deal has")
    return tuple(tricks)


def _table(rules: Ruleset, dealer: int, trump: int | None, tricks: tuple[Trick, ...], words: str) -> tuple[int, ...]:
    if not words:
        return ()
    _require(trump is not None, "cards on the table without a trump suit")
    leader, cards = _led(words)
    due = tricks[-1].winner if tricks else (dealer + 1) % rules.seats
    _require(leader == due, f"seat {due} leads the trick on the table")
    _require(0 < len(cards) < rules.seats, f"1 to {rules.seats - 1} cards are on the table")
    return cards


def _claim(rules: Ruleset, words: str) -> tuple[int, bool]:
    seat, _, agreed = words.partition(" ")
    _require(agreed in ("", "agreed"), "'claim SEAT', or 'claim SEAT agreed'")
    return _seat(rules, seat), bool(agreed)


def _check_claim(deal: DealLine) -> None:
    """A claim is made by the leader of a trick, of all the cards that are left."""
    if deal.claim is None:
        return
    _require(deal.trump is not None and not deal.trick, "a claim before trumps are chosen, or with cards on the table")
    _require(deal.claim[0] == deal.leader, f"seat {deal.leader} is to lead, and it alone can claim")
    due = deal.ruleset.hand_size - len(deal.tricks)
    _require(due > 0, "no trick is left to be claimed")
    whole = all(hand is not None and hand.bit_count() == due for hand in deal.hands)
    _require(whole, f"{due} cards a hand are claimed")


def _hands(rules: Ruleset, words: str) -> tuple[int | None, ...]:
    if not words:
        return (0,) * rules.seats
    texts = [text.strip() for text in words.split("/")]
    _require(len(texts) == rules.seats, f"{rules.seats} hands, parted by '/'")
    return tuple(None if text == "?" else 0 if text == "-" else _hand(rules, text) for text in texts)


def _hand(rules: Ruleset, text: str) -> int:
    hand = parse_hand(text)
    _require(hand > 0, "an empty hand is written '-', one that is not known '?'")
    _require(hand.bit_count() <= rules.hand_size, f"a hand has at most {rules.hand_size} cards")
    return hand


def _standing(rules: Ruleset, words: str) -> Standing:
    sides = side_count(rules.seats)
    fresh = fresh_standing(rules, sides)
    if not words:
        return fresh
    totals, *rest = words.split()
    pairs = dict(zip(rest[::2], rest[1::2], strict=False))
    known = set(pairs) <= {"bolts", "held", "target", "deals"} and len(rest) == 2 * len(pairs)
    _require(known, "'score TOTALS', then bolts, held, target, deals with their numbers")
    held, target, deals = (
        _number(pairs[name]) if name in pairs else getattr(fresh, name) for name in ("held", "target", "deals")
    )
    _require(min(held, target, deals) >= 0, "held, target and deals are not below 0")
    bolts = _numbers(pairs["bolts"], sides) if "bolts" in pairs else fresh.bolts
    return Standing(_numbers(totals, sides), bolts, held, target, deals, ())


def _numbers(text: str, sides: int) -> tuple[int, ...]:
    values = tuple(_number(word) for word in text.split(":"))
    _require(len(values) == sides, f"one number for each of {sides} sides, parted by ':'")
    return values


def _check_cards(deal: DealLine) -> None:
    """Every card is of the pack and in one place."""
    played: list[Sequence[int]] = [trick.cards for trick in deal.tricks]
    seen = 0
    for card in [card for cards in (*played, deal.trick) for card in cards]:
        _require(not seen >> card & 1, f"{card_text(card)} is played twice")
        seen |= 1 << card
    for hand in deal.hands:
        _require(not (hand or 0) & seen, "a card is in two places")
        seen |= hand or 0
    if deal.up_card is not None and deal.declarer is None:
        _require(not seen >> deal.up_card & 1, "the card turned up is in a hand")
        seen |= 1 << deal.up_card
    _require(not seen & ~PACK_MASK[deal.ruleset.pack], "a card is not of this pack")
