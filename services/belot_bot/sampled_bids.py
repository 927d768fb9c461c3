"""The auction weighed in sampled deals: each word the seat may say is followed by the others' words and a play-out."""

from collections.abc import Iterator, Sequence

from belot_bot.bidding import choose_bid
from belot_bot.plan import Plan
from belot_bot.stakes import stakes, taken_so_far, worth
from belot_bot.view import SeatView
from belot_engine.auction import bid_options, passed_out
from belot_engine.cards import PACK_MASK, cards_of, mask_of, mask_points, side_masks
from belot_engine.deal_map import FIRST_STAGE, hand_positions, stage_places, up_position
from belot_engine.errors import InputError
from belot_engine.events import Bid, BidKind
from belot_engine.playout import Playout, finish, lay
from belot_engine.ranked import ranked_mask, table_of
from belot_engine.solver import Search
from belot_engine.state import Accept, Action, Choose, LegalActions, Pass
from belot_engine.worlds import Chance


def sampled_bid(view: SeatView, chance: Chance, plan: Plan) -> Action:
    """The word that leads to most on average; of equal ones a pass, then the suits in order.

    Raises InputError for an auction that cannot be.
    """
    _check(view)
    words = list(_words(view.legal))
    if len(words) == 1:
        return words[0]
    worths = [0.0] * len(words)
    for _ in range(plan.deals):
        pack = _deal(view, chance)
        for place, word in enumerate(words):
            worths[place] += _led_to(view, word, pack, plan)
    return words[worths.index(max(worths))]


def _check(view: SeatView) -> None:
    rules = view.rules
    places = stage_places(rules.deal_map, view.dealer, None, FIRST_STAGE)
    up_card = 0 if view.up_card is None else 1 << view.up_card
    if sum(seat == view.seat for _, seat in places) != view.hand.bit_count() or view.hand & up_card:
        raise InputError("position", "the hand does not have as many cards as are due")
    if bool(up_card) != rules.turned_up or up_card & ~PACK_MASK[rules.pack]:
        raise InputError("position", "a card is turned up, or none, against the rules")
    if len(view.bids) >= rules.bidding_rounds * rules.seats or any(bid.kind is not BidKind.PASS for bid in view.bids):
        raise InputError("position", "the auction is over")


def _words(legal: LegalActions) -> Iterator[Action]:
    if legal.may_pass:
        yield Pass()
    if legal.may_accept:
        yield Accept()
    for suit in legal.suits:
        yield Choose(suit)


def _deal(view: SeatView, chance: Chance) -> list[int]:
    """A whole pack that deals this seat its cards and turns this card up."""
    rules = view.rules
    pack = [-1] * rules.pack
    mine = [at for at, seat in stage_places(rules.deal_map, view.dealer, None, FIRST_STAGE) if seat == view.seat]
    for at, card in zip(mine, cards_of(view.hand), strict=True):
        pack[at] = card
    up = up_position(rules)
    if up is not None and view.up_card is not None:
        pack[up] = view.up_card
    rest = list(cards_of(PACK_MASK[rules.pack] & ~mask_of(card for card in pack if card >= 0)))
    for at in range(rules.pack):
        if pack[at] < 0:
            pick = chance.below(len(rest))
            rest[pick], rest[-1] = rest[-1], rest[pick]
            pack[at] = rest.pop()
    return pack


def _led_to(view: SeatView, word: Action, pack: Sequence[int], plan: Plan) -> float:
    """What a word leads to in one deal: the auction goes on as the normal bot bids, the cards are played out."""
    bids = [*view.bids, _bid(view, view.seat, word)]
    while bids[-1].kind is BidKind.PASS:
        if passed_out(view.rules, len(bids)):
            return 0.0
        seat = (bids[-1].player + 1) % view.rules.seats
        bids.append(_bid(view, seat, _others_word(view, seat, bids, pack)))
    return _played(view, bids[-1].player, bids[-1].suit or 0, pack, plan)


def _others_word(view: SeatView, seat: int, bids: Sequence[Bid], pack: Sequence[int]) -> Action:
    hand = mask_of(
        pack[at] for at, owner in stage_places(view.rules.deal_map, view.dealer, None, FIRST_STAGE) if owner == seat
    )
    legal = bid_options(view.rules, seat, view.up_card, len(bids))
    return choose_bid(
        SeatView(
            rules=view.rules,
            seat=seat,
            dealer=view.dealer,
            hand=hand,
            up_card=view.up_card,
            bids=tuple(bids),
            declarer=None,
            trump=None,
            tricks=(),
            trick=(),
            legal=legal,
        )
    )


def _bid(view: SeatView, seat: int, word: Action) -> Bid:
    match word:
        case Accept():
            return Bid(seat, BidKind.ACCEPT, (view.up_card or 0) >> 3)
        case Choose(suit):
            return Bid(seat, BidKind.CHOOSE, suit)
        case _:
            return Bid(seat, BidKind.PASS)


def _played(view: SeatView, declarer: int, trump: int, pack: Sequence[int], plan: Plan) -> float:
    rules, seats = view.rules, view.rules.seats
    hands = [mask_of(pack[at] for at in places) for places in hand_positions(rules, view.dealer, declarer)]
    left_out = PACK_MASK[rules.pack]
    for hand in hands:
        left_out &= ~hand
    bonus = rules.last_trick + (mask_points(trump, left_out) if left_out else 0)
    table, sides = table_of(rules), side_masks(seats)
    ranked = [ranked_mask(trump, hand) for hand in hands]
    play = Playout(table, sides, sides[declarer], bonus)
    lay(play, ranked, (view.dealer + 1) % seats, [])
    finish(play, plan.solved, Search(table, ranked, sides[view.seat], bonus))
    return worth(stakes(view, trump, declarer, hands, taken_so_far(view)), seats, play.taken, plan.word_contract)
