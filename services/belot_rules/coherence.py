"""Whether the parts of a state fit each other, so far that the rules can be applied to it without stumbling.

A state that play leads to always does; one that does not was damaged or made up, and is refused by the name of the
part that does not fit.
"""

from belot_engine.cards import PACK_MASK
from belot_engine.deal_end import claim_points
from belot_engine.deal_map import FIRST_STAGE, LAST_STAGE, OUT_STAGE, stage_count
from belot_engine.state import MatchState, Phase


def incoherent(state: MatchState, first_cards: int) -> str | None:
    """The field (of the message, below ``state``) that does not fit the others, None when all do.

    ``first_cards`` is what a seat holds during the auction.
    """
    if len(state.hands) != state.seats:
        return "hands"
    if (state.turn is not None) != (state.phase in (Phase.BIDDING, Phase.PLAYING)):
        return "public.turn"
    if (state.result is not None) != (state.phase is Phase.FINISHED):
        return "public.result"
    if (state.declarer is None) != (state.trump is None):
        return "public.trump"
    if state.standing.held and state.ruleset.litige != "carry":
        return "public.held"
    if state.phase is Phase.FINISHED:
        return _claim(state) or _cards(state)
    return _stage(state) or _claim(state) or _tricks(state) or _cards(state) or _sizes(state, first_cards)


def _stage(state: MatchState) -> str | None:
    """What was dealt must fit what is waited for."""
    chosen = state.declarer is not None
    waits = {
        Phase.AWAITING_CARDS: (FIRST_STAGE,) if not chosen else (LAST_STAGE, OUT_STAGE),
        Phase.BIDDING: () if chosen else (FIRST_STAGE + 1,),
        Phase.PLAYING: (LAST_STAGE + 1,) if chosen else (),
        Phase.FINISHED: (),
    }[state.phase]
    if state.deal_stage not in waits:
        return "stage"
    if (state.up_card is not None) != (state.ruleset.turned_up and state.deal_stage > FIRST_STAGE):
        return "public.up_card"
    if len(state.bids) > state.ruleset.bidding_rounds * state.seats - (not chosen):
        return "public.bids"
    if state.phase is Phase.BIDDING and state.turn != (state.dealer + 1 + len(state.bids)) % state.seats:
        return "public.turn"
    return None


def _claim(state: MatchState) -> str | None:
    """A claim was made of all that was left, by who was to lead, and nobody plays after it."""
    claim = state.claim
    if claim is None:
        return None
    left = state.ruleset.hand_size - len(state.tricks)
    if state.turn is not None or state.trick or state.trump is None:
        return "public.claim"
    if claim.tricks != left or left <= 0 or claim.points != claim_points(state.ruleset, state.trump, claim.hands):
        return "public.claim"
    if claim.player != (state.tricks[-1].winner if state.tricks else (state.dealer + 1) % state.seats):
        return "public.claim.seat"
    held = [hand.bit_count() for hand in claim.hands]
    return None if held == [left] * state.seats else "public.claim.hands"


def _tricks(state: MatchState) -> str | None:
    """Tricks are whole, each is led by who took the one before, and there are as many as the stage allows."""
    seats, rules = state.seats, state.ruleset
    ended = state.phase is Phase.AWAITING_CARDS and state.deal_stage == OUT_STAGE
    whole = state.claim is not None or len(state.tricks) == rules.hand_size
    if ended and (not whole or stage_count(rules) <= OUT_STAGE):
        return "public.tricks"
    if state.phase is not Phase.PLAYING and not ended:
        return "public.tricks" if state.tricks or state.trick else None
    leader = (state.dealer + 1) % seats
    for trick in state.tricks:
        if trick.leader != leader or len(trick.cards) != seats:
            return "public.tricks"
        leader = trick.winner
    if ended:
        return "public.trick" if state.trick else None
    if len(state.tricks) >= rules.hand_size or len(state.trick) >= seats:
        return "public.trick"
    return None if state.turn == (leader + len(state.trick)) % seats else "public.turn"


def _cards(state: MatchState) -> str | None:
    """Every card is of the pack and in one place."""
    played = [card for trick in state.tricks for card in trick.cards]
    played += state.trick
    places = set(played)
    if len(places) != len(played):
        return "public.tricks"
    seen = 0
    for card in played:
        seen |= 1 << card
    for hand in state.hands:
        if hand & seen:
            return "hands"
        seen |= hand
    for hand in state.claim.hands if state.claim else ():
        if hand & seen:
            return "public.claim.hands"
        seen |= hand
    if state.up_card is not None and state.declarer is None:
        if seen >> state.up_card & 1:
            return "public.up_card"
        seen |= 1 << state.up_card
    return "hands" if seen & ~PACK_MASK[state.ruleset.pack] else None


def _sizes(state: MatchState, first_cards: int) -> str | None:
    """Every hand has as many cards as it must have now."""
    if state.phase is Phase.PLAYING:
        full = state.ruleset.hand_size - len(state.tricks)
        played = len(state.trick)
        for back in range(1, state.seats + 1):
            seat = ((state.turn or 0) - back) % state.seats
            if state.hands[seat].bit_count() != full - (back <= played):
                return "hands"
        return None
    held = first_cards if state.deal_stage == FIRST_STAGE + 1 else 0
    for seat, hand in enumerate(state.hands):
        # Whoever chose has taken the card turned up, and it alone, before the last cards come.
        due = held + (held > 0 and seat == state.declarer and state.ruleset.turned_up)
        if hand.bit_count() != due:
            return "hands"
    return None
