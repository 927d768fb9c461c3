"""What a client received, kept whole, and what must be true of it."""

import itertools
from dataclasses import dataclass, field

from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from support.card_walk import cards_in


@dataclass
class History:
    """Every stream item one client received about its table, in order of receipt."""

    items: list[gateway_pb2.StreamItem] = field(default_factory=list)
    refusals: list[gateway_pb2.CommandReply] = field(default_factory=list)
    acknowledged: set[int] = field(default_factory=set)

    def observe(self, item: gateway_pb2.StreamItem) -> None:
        """Keeps an item; replies go to their own lists."""
        if item.WhichOneof("kind") != "reply":
            self.items.append(item)
        elif item.reply.HasField("refusal"):
            self.refusals.append(item.reply)
        else:
            self.acknowledged.add(item.reply.call_id)

    def numbered(self) -> list[gateway_pb2.StreamItem]:
        """The events, hidden ones included."""
        return [item for item in self.items if item.WhichOneof("kind") in ("event", "hidden")]

    def game_events(self) -> list[match_pb2.MatchEvent]:
        """What happened in the game, as far as this client may see it."""
        return [item.event.game for item in self.items if item.event.HasField("game")]

    def hands(self) -> dict[int, dict[int, list[int]]]:
        """Cards dealt to somebody in the sight of this client: hand number → seat → card numbers, as they came."""
        found: dict[int, dict[int, list[int]]] = {}
        for event in self.game_events():
            if event.HasField("hand_dealt"):
                dealt = event.hand_dealt
                cards = found.setdefault(dealt.hand_number, {}).setdefault(dealt.seat, [])
                cards.extend(card - 1 for card in dealt.cards)
        return found


def gaps(history: History) -> list[tuple[int, int]]:
    """Places where the sequence does not go on by one: (before, after). Empty for a stream that keeps its word."""
    numbers = [item.sequence for item in history.numbered()]
    return [(before, after) for before, after in itertools.pairwise(numbers) if after != before + 1]


def foreign_cards(history: History, seat: int) -> list[tuple[int, int]]:
    """(sequence, card) of every card in a message that this seat had no right to see at that moment.

    It may see its own cards, the up-card, cards played, claimed, left out, melds shown, and nothing else.
    """
    seen: set[int] = set()
    wrong: list[tuple[int, int]] = []
    for item in history.items:
        event = item.event.game
        kind = event.WhichOneof("kind")
        if kind == "deal_started":
            seen = set()
        own = kind == "hand_dealt" and event.hand_dealt.seat == seat
        public = kind in ("up_card_turned", "card_played", "melds_shown", "cards_left_out", "tricks_claimed")
        cards = set(cards_in(item))
        if own or public:
            seen |= cards
        wrong.extend((item.sequence, card) for card in cards - seen)
    return wrong
