"""What a bot decides from: the position as one seat sees it, in the engine's own values.

The server makes it from the message a person at that seat gets; an offline check makes the very same value from a
replayed match. Whatever the two cannot both know is not in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_engine.events import BelaAnnounced, Bid, DealStarted, Event, Meld, MeldsShown
from belot_engine.ruleset import Ruleset
from belot_engine.shown import announced_bela, shown_melds
from belot_engine.state import LegalActions, MatchState, Trick


@dataclass(frozen=True, slots=True)
class SeatView:
    """A position for the seat that is to act.

    rules     the ruleset of the table; with its standard options where the caller does not tell them
    seat      the seat to act
    dealer    the seat that dealt this hand
    hand      its cards, as a mask
    up_card   the card turned up in this hand, None where there is none
    bids      the auction so far
    declarer  who chose trumps, None before
    trump     the trump suit, None before
    tricks    finished tricks of this deal
    trick     cards on the table in the order of play
    legal     what the seat may do; at least one thing
    melds     the melds that were shown in this deal
    bela      the seat that announced king and queen of trumps, None while nobody has
    """

    rules: Ruleset
    seat: int
    dealer: int
    hand: int
    up_card: int | None
    bids: tuple[Bid, ...]
    declarer: int | None
    trump: int | None
    tricks: tuple[Trick, ...]
    trick: tuple[int, ...]
    legal: LegalActions
    melds: tuple[Meld, ...] = ()
    bela: int | None = None


def seat_view(state: MatchState, legal: LegalActions, seen: Sequence[Event] | None = None) -> SeatView:
    """The position of a match for the seat to act, who may do what ``legal`` says; nobody else's cards are in it.

    ``seen`` are the events of the match that the seat saw, for a state without the hands of others; from a whole
    state what was shown follows by itself.
    """
    melds, bela = (shown_melds(state), announced_bela(state)) if seen is None else _shown(seen)
    return SeatView(
        rules=state.ruleset,
        seat=legal.seat,
        dealer=state.dealer,
        hand=state.hands[legal.seat],
        up_card=state.up_card,
        bids=state.bids,
        declarer=state.declarer,
        trump=state.trump,
        tricks=state.tricks,
        trick=state.trick,
        legal=legal,
        melds=melds,
        bela=bela,
    )


def _shown(seen: Sequence[Event]) -> tuple[tuple[Meld, ...], int | None]:
    """The melds and the bela that were shown in the deal that is played now."""
    melds: tuple[Meld, ...] = ()
    bela = None
    for event in seen:
        match event:
            case DealStarted():
                melds, bela = (), None
            case MeldsShown(melds=shown):
                melds = shown
            case BelaAnnounced(player=player):
                bela = player
            case _:
                pass
    return melds, bela
