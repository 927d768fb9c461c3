"""Who may see which card when, out of a table's whole log, and every card in a message or a text. Pure.

Written down apart from the services: cards of one's own hand, and what lies open. What was not dealt to anybody is
nobody's before the deal ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from belot.rules.v1 import match_pb2
from belot_engine.notation import parse_card
from belot_events.envelope import Envelope
from robustness.log_reading import whole_event
from support.card_walk import cards_in

_WORD: Final = re.compile(r"(?<![0-9A-Za-z+/=_-])(?:[789TJQKA]|10)[CDHS](?![0-9A-Za-z+/=_-])")
"""A card as notation and logs write it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What could be seen after an event: `open` by everybody, `hands` by each seat; cards are enum values."""

    at_ms: int
    open: frozenset[int]
    hands: tuple[frozenset[int], ...]

    def seen_from(self, seat: int | None) -> frozenset[int]:
        """By a seat, or by a spectator (None)."""
        return self.open if seat is None else self.open | self.hands[seat]


@dataclass(slots=True)
class _Deal:
    """The deal at hand while the log is read."""

    open: set[int] = field(default_factory=set)
    hands: list[set[int]] = field(default_factory=list)


def sights(log: Sequence[Envelope], seats: int) -> list[Sight]:
    """What could be seen before the log (0), after its first event (1), and so on."""
    deal = _Deal(hands=[set() for _ in range(seats)])
    found = [_sight(deal, 0)]
    for envelope in log:
        _take(deal, whole_event(envelope).game)
        found.append(_sight(deal, envelope.at_ms))
    return found


def _sight(deal: _Deal, at_ms: int) -> Sight:
    return Sight(at_ms, frozenset(deal.open), tuple(frozenset(hand) for hand in deal.hands))


def _take(deal: _Deal, game: match_pb2.MatchEvent) -> None:
    kind = game.WhichOneof("kind")
    if kind == "deal_started":
        deal.open.clear()
        for hand in deal.hands:
            hand.clear()
    elif kind == "hand_dealt":
        deal.hands[game.hand_dealt.seat] |= set(game.hand_dealt.cards)
    elif kind in ("up_card_turned", "card_played", "melds_shown", "cards_left_out", "tricks_claimed"):
        deal.open |= set(cards_in(game))


def left_out_too_early(log: Sequence[Envelope]) -> Iterator[int]:
    """Numbers of events that show cards left out while somebody still has cards to play.

    The up-card goes to a hand without a word: the one who takes it plays it.
    """
    held = 0
    for envelope in log:
        game = whole_event(envelope).game
        kind = game.WhichOneof("kind")
        if kind in ("deal_started", "tricks_claimed"):
            held = 0
        elif kind == "hand_dealt":
            held += len(game.hand_dealt.cards)
        elif kind in ("up_card_turned", "card_played"):
            held += 1 if kind == "up_card_turned" else -1
        elif kind == "cards_left_out" and held:
            yield envelope.sequence


def every_card(message: Message) -> set[int]:
    """Every card anywhere in a message, as a value or written out in a text."""
    return set(cards_in(message)) | {card for text in _texts(message) for card in cards_written(text)}


def cards_written(text: str) -> set[int]:
    """Every card that a text names, as enum values."""
    return {parse_card(word.replace("10", "T")) + 1 for word in _WORD.findall(text)}


def _texts(message: Message) -> Iterator[str]:
    for one, value in message.ListFields():
        if one.message_type is not None and one.message_type.GetOptions().map_entry:
            yield from (str(each) for pair in value.items() for each in pair)
        elif one.type == FieldDescriptor.TYPE_MESSAGE:
            for part in value if one.is_repeated else (value,):
                yield from _texts(part)
        elif one.type == FieldDescriptor.TYPE_STRING:
            yield from value if one.is_repeated else (value,)
