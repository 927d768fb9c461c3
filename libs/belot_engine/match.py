"""A match from its first deal to its result: start it, ask what it needs, apply one action after another.

``apply`` is the only way on. It never changes the state it is given; it answers a new one with the events that
happened, or raises Violation, in which case nothing happened.
"""

from dataclasses import replace

from belot_engine.auction import bid_options, checked_bid, passed_out
from belot_engine.bela import announces_bela
from belot_engine.cards import PACK_MASK, side_count, side_of
from belot_engine.claims import is_certain
from belot_engine.deal_end import claimed, dealt_hands, end_deal, finished, new_hand, next_hand
from belot_engine.deal_map import OUT_STAGE, stage_count, stage_places
from belot_engine.errors import CLAUSE_TEXT, BadDeal, EngineError, Reason, Violation
from belot_engine.events import (
    BelaAnnounced,
    BidKind,
    BidMade,
    CardPlayed,
    CardsLeftOut,
    DealStarted,
    Event,
    HandDealt,
    HandPassedOut,
    MatchEnded,
    MeldsShown,
    Outcome,
    TrickWon,
    TrumpChosen,
    UpCardTurned,
)
from belot_engine.inference import seen_by
from belot_engine.melds import full_run, recognised
from belot_engine.play import broken_clause, legal_mask, trick_points, trick_winner
from belot_engine.ruleset import OUT, UP_CARD, Ruleset
from belot_engine.scoring import fresh_standing, match_result
from belot_engine.shown import announced_bela
from belot_engine.state import (
    Accept,
    Action,
    Applied,
    CardNeed,
    Choose,
    Claim,
    Deal,
    LegalActions,
    MatchState,
    Pass,
    Phase,
    Play,
    Trick,
)

#: Looked up once: an enum's members are slow to reach in the hottest function.
_PLAYING = Phase.PLAYING


def start(ruleset: Ruleset, first_dealer: int) -> MatchState:
    """The state of a match before its first card. Raises EngineError for a dealer who has no seat."""
    if not 0 <= first_dealer < ruleset.seats:
        raise EngineError(f"no seat {first_dealer}")
    return new_hand(ruleset, first_dealer, 0, fresh_standing(ruleset, side_count(ruleset.seats)))


def needs(state: MatchState) -> CardNeed | None:
    """The cards that the dealer service is to be asked for now, None when the match waits for something else."""
    if state.phase is not Phase.AWAITING_CARDS:
        return None
    places = stage_places(state.ruleset.deal_map, state.dealer, state.declarer, state.deal_stage)
    return CardNeed(state.hand_number, state.deal_stage, places)


def legal_actions(state: MatchState) -> LegalActions | None:
    """What the seat to act may do, None when no seat is to act."""
    if state.turn is None:
        return None
    if state.phase is Phase.BIDDING:
        return bid_options(state.ruleset, state.turn, state.up_card, len(state.bids))
    if state.trump is None:
        return None
    return LegalActions(state.turn, legal_mask(state.ruleset, state.trump, state.trick, state.hands[state.turn]))


def apply(state: MatchState, seat: int | None, action: Action) -> Applied:
    """Do one action of a seat, or of the dealer service (seat None, action Deal).

    Raises Violation when the rules refuse a seat's action, BadDeal when the cards of a Deal are not those that
    ``needs`` asked for.
    """
    if isinstance(action, Play):
        return _play(state, seat, action.card)
    if isinstance(action, Deal):
        return _deal(state, seat, action)
    if isinstance(action, Claim):
        return _claim(state, seat, action.agreed)
    return _bid(state, seat, action)


def _out_of_turn(state: MatchState, phase: Phase) -> Violation:
    """Why a seat cannot act at all: the match is in another phase, or another seat's turn it is."""
    if state.phase is not phase:
        return Violation(Reason.WRONG_PHASE, f"the match is {state.phase}")
    return Violation(Reason.NOT_YOUR_TURN, f"it is the turn of seat {state.turn}")


# --- cards from the dealer ---------------------------------------------------------------------------------------


def _deal(state: MatchState, seat: int | None, action: Deal) -> Applied:
    if state.phase is not Phase.AWAITING_CARDS:
        raise Violation(Reason.WRONG_PHASE, f"the match is {state.phase}")
    if seat is not None:
        raise Violation(Reason.NOT_YOUR_TURN, "no seat deals the cards")
    hands, up_card, left_out = _placed(state, action)
    if state.deal_stage == OUT_STAGE:
        return end_deal(state, [CardsLeftOut(left_out)])
    events: list[Event] = [] if state.declarer is not None else [DealStarted(state.hand_number, state.dealer)]
    events += [HandDealt(player, tuple(cards)) for player, cards in enumerate(hands) if cards]
    if up_card is not None:
        events.append(UpCardTurned(up_card))
    held = tuple(mask | sum(1 << card for card in cards) for mask, cards in zip(state.hands, hands, strict=True))
    moved = replace(
        state,
        phase=Phase.BIDDING if state.declarer is None else Phase.PLAYING,
        deal_stage=state.deal_stage + 1,
        turn=(state.dealer + 1) % state.seats,
        hands=held,
        up_card=state.up_card if up_card is None else up_card,
    )
    return Applied(moved, tuple(events)) if moved.phase is Phase.BIDDING else _before_play(moved, events)


def _placed(state: MatchState, action: Deal) -> tuple[list[list[int]], int | None, tuple[int, ...]]:
    """The dealt cards per seat, the one turned up, and those left out. Raises BadDeal."""
    places = stage_places(state.ruleset.deal_map, state.dealer, state.declarer, state.deal_stage)
    given = dict(action.cards)
    if len(action.cards) != len(places) or given.keys() != {position for position, _ in places}:
        raise BadDeal("the positions are not those that were asked for")
    free = PACK_MASK[state.ruleset.pack] & ~_known(state)
    hands: list[list[int]] = [[] for _ in range(state.seats)]
    up_card, left_out = None, []
    for position, seat in places:
        card = given[position]
        if card < 0 or not free >> card & 1:
            raise BadDeal("a card is not of this pack, or already out")
        free ^= 1 << card
        if seat == UP_CARD:
            up_card = card
        elif seat == OUT:
            left_out.append(card)
        else:
            hands[seat].append(card)
    return hands, up_card, tuple(left_out)


def _known(state: MatchState) -> int:
    """Every card of this hand that the state knows of."""
    known = 0 if state.up_card is None else 1 << state.up_card
    for hand in dealt_hands(state):
        known |= hand
    return known


def _before_play(state: MatchState, events: list[Event]) -> Applied:
    """Hands are full: melds that are shown before the first lead are, and a run of eight ends the match."""
    ruleset, first = state.ruleset, (state.dealer + 1) % state.seats
    run = full_run(ruleset, state.hands, first)
    if run is not None:
        side = side_of(run.player, state.seats)
        result = match_result(state.standing, Outcome.BELOT, side)
        events += [MeldsShown(side, (run,), run.points), MatchEnded(result)]
        return Applied(finished(state, state.standing, result), tuple(events))
    if ruleset.melds_shown == "before_play":
        events += _melds_shown(state)
    return Applied(state, tuple(events))


def _melds_shown(state: MatchState) -> list[MeldsShown]:
    if not state.ruleset.melds or state.trump is None:
        return []
    melds = recognised(state.ruleset, state.trump, dealt_hands(state), (state.dealer + 1) % state.seats)
    return [] if melds is None else [MeldsShown(melds.side, melds.melds, melds.points)]


# --- the auction -------------------------------------------------------------------------------------------------


def _bid(state: MatchState, seat: int | None, action: Pass | Accept | Choose) -> Applied:
    if seat is None or state.phase is not Phase.BIDDING or seat != state.turn:
        raise _out_of_turn(state, Phase.BIDDING)
    ruleset, spoken = state.ruleset, len(state.bids)
    bid = checked_bid(bid_options(ruleset, seat, state.up_card, spoken), state.up_card, action)
    bids = (*state.bids, bid)
    if bid.kind is BidKind.PASS:
        if passed_out(ruleset, spoken + 1):
            events = (BidMade(bid), HandPassedOut(state.hand_number))
            return Applied(next_hand(state, state.standing), events)
        return Applied(replace(state, bids=bids, turn=(seat + 1) % ruleset.seats), (BidMade(bid),))
    hands = state.hands
    if state.up_card is not None:
        hands = (*hands[:seat], hands[seat] | 1 << state.up_card, *hands[seat + 1 :])
    moved = replace(state, phase=Phase.AWAITING_CARDS, turn=None, hands=hands, bids=bids, declarer=seat, trump=bid.suit)
    return Applied(moved, (BidMade(bid), TrumpChosen(seat, bid.suit or 0, state.up_card)))


# --- the cards ---------------------------------------------------------------------------------------------------


def _play(state: MatchState, seat: int | None, card: int) -> Applied:
    trump = state.trump
    if seat is None or trump is None or state.phase is not _PLAYING or seat != state.turn:
        raise _out_of_turn(state, _PLAYING)
    ruleset, trick, hands = state.ruleset, state.trick, state.hands
    hand = hands[seat]
    legal = legal_mask(ruleset, trump, trick, hand)
    if card < 0 or not legal >> card & 1:
        raise _refused(state, card, hand, legal)
    left = hand ^ 1 << card
    events: tuple[Event, ...] = (CardPlayed(seat, card),)
    if card >> 3 == trump and announces_bela(ruleset, trump, seat, card, left, state.tricks):
        events = (*events, BelaAnnounced(seat))
    hands = (*hands[:seat], left, *hands[seat + 1 :])
    trick = (*trick, card)
    following = (seat + 1) % ruleset.seats
    if len(trick) < ruleset.seats:
        return Applied(_moved(state, following, hands, state.tricks, trick), events)
    # In a full trick the leader is the seat after the last one.
    winner = (following + trick_winner(trump, trick)) % ruleset.seats
    tricks = (*state.tricks, Trick(following, trick, winner))
    return _after_trick(_moved(state, winner, hands, tricks, ()), trump, events)


def _moved(
    state: MatchState, turn: int, hands: tuple[int, ...], tricks: tuple[Trick, ...], trick: tuple[int, ...]
) -> MatchState:
    """The state with a card played, written out because it is made 32 times a deal."""
    return MatchState(
        state.ruleset,
        state.first_dealer,
        state.hand_number,
        state.phase,
        state.deal_stage,
        turn,
        hands,
        state.up_card,
        state.bids,
        state.declarer,
        state.trump,
        tricks,
        trick,
        state.standing,
        None,
    )


def _after_trick(state: MatchState, trump: int, played: tuple[Event, ...]) -> Applied:
    """A trick is taken: say so, show melds where they are shown now, and end the deal after the last one."""
    ruleset, trick = state.ruleset, state.tricks[-1]
    last = len(state.tricks) == ruleset.hand_size
    points = trick_points(trump, trick.cards) + (ruleset.last_trick if last else 0)
    events = [*played, TrickWon(trick.winner, trick.cards, points, last)]
    if len(state.tricks) == 1 and ruleset.melds_shown == "after_first_trick":
        events += _melds_shown(state)
    return _play_over(state, events) if last else Applied(state, tuple(events))


def _play_over(state: MatchState, events: list[Event]) -> Applied:
    """All tricks are taken or claimed: cards left out of play are due, or the deal ends."""
    if stage_count(state.ruleset) > OUT_STAGE:
        waiting = replace(state, phase=Phase.AWAITING_CARDS, deal_stage=OUT_STAGE, turn=None)
        return Applied(waiting, tuple(events))
    return end_deal(state, events)


def _claim(state: MatchState, seat: int | None, agreed: bool) -> Applied:
    """The remaining tricks go to the claimant's side: the cards count as played, in whatever order."""
    trump = state.trump
    if seat is None or trump is None or state.phase is not _PLAYING or seat != state.turn:
        raise _out_of_turn(state, _PLAYING)
    if state.trick:
        raise Violation(Reason.WRONG_PHASE, "a claim is made before a card is led")
    if not agreed and not is_certain(seen_by(state, seat)):
        raise Violation(Reason.CLAIM_NOT_CERTAIN, "from what you have seen a trick can still be lost")
    ruleset, announced = state.ruleset, announced_bela(state)
    claim = claimed(ruleset, trump, len(state.tricks), seat, agreed, state.hands)
    moved = replace(state, turn=None, hands=(0,) * ruleset.seats, claim=claim)
    events: list[Event] = [claim]
    bela = announced_bela(moved)
    if bela is not None and announced is None:
        events.append(BelaAnnounced(bela))
    if not state.tricks and ruleset.melds_shown == "after_first_trick":
        events += _melds_shown(moved)
    return _play_over(moved, events)


def _refused(state: MatchState, card: int, hand: int, legal: int) -> Violation:
    """Why a card cannot be played."""
    if card < 0 or not PACK_MASK[state.ruleset.pack] >> card & 1:
        return Violation(Reason.UNKNOWN_CARD, "there is no such card in this pack", None, legal)
    if not hand >> card & 1:
        return Violation(Reason.CARD_NOT_HELD, "the card is not in this hand", None, legal)
    clause = broken_clause(state.trump or 0, state.trick, hand, card)
    return Violation(Reason.ILLEGAL_CARD, CLAUSE_TEXT[clause], clause, legal)
