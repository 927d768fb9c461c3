"""Protobuf to the bots' view and decisions back. What cannot be a view is refused here, by the name of its field."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from belot.bot.v1 import bot_pb2
from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_bot.policy import Policy
from belot_bot.thinking import Decision, Fallback
from belot_bot.view import SeatView
from belot_engine.cards import CARDS, PACK_MASK, mask_of
from belot_engine.errors import OptionError
from belot_engine.events import Bid, BidKind, Meld, MeldKind
from belot_engine.ruleset import Ruleset, ruleset_from_json
from belot_engine.rulesets import chosen_options, resolve
from belot_engine.state import Accept, Action, Choose, LegalActions, Pass, Play, Trick
from belot_kit.errors import DomainError, Reason, invalid_field

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_CARD: Final[Mapping[int, int]] = {card + 1: card for card in range(CARDS)}
_SUIT: Final[Mapping[int, int]] = {suit + 1: suit for suit in range(4)}
_BID: Final[Mapping[int, BidKind]] = {
    match_pb2.BID_KIND_PASS: BidKind.PASS,
    match_pb2.BID_KIND_ACCEPT: BidKind.ACCEPT,
    match_pb2.BID_KIND_CHOOSE: BidKind.CHOOSE,
}
_FALLBACK: "Final[Mapping[Fallback | None, bot_pb2.Fallback.ValueType]]" = {
    None: bot_pb2.FALLBACK_UNSPECIFIED,
    Fallback.DEADLINE: bot_pb2.FALLBACK_DEADLINE,
    Fallback.PROCESS: bot_pb2.FALLBACK_PROCESS,
}
_MELD: Final[Mapping[str, MeldKind]] = {kind.value: kind for kind in MeldKind}


def read_view(message: match_pb2.SeatView, ruleset_json: str = "") -> SeatView:
    """The position of the seat to act, under the ruleset of a canonical JSON, or under standard options without one.

    Raises DomainError INVALID_ARGUMENT, naming the field, when it cannot be one.
    """
    public = message.public
    rules = _ruleset(public, ruleset_json)
    if not message.HasField("seat"):
        raise invalid_field("view.seat", "a bot needs a seat")
    seat = _below(message.seat, rules.seats, "view.seat")
    view = SeatView(
        rules=rules,
        seat=seat,
        dealer=_below(public.dealer, rules.seats, "view.public.dealer"),
        hand=mask_of(_cards(message.hand, "view.hand")),
        up_card=_one(_CARD, public.up_card, "view.public.up_card") if public.up_card else None,
        bids=tuple([_bid(bid, rules.seats) for bid in public.bids]),
        declarer=_below(public.declarer, rules.seats, "view.public.declarer") if public.HasField("declarer") else None,
        trump=_one(_SUIT, public.trump, "view.public.trump") if public.trump else None,
        tricks=tuple([_trick(trick, rules.seats) for trick in public.tricks]),
        trick=_cards(public.trick.cards, "view.public.trick.cards"),
        legal=_legal(message.legal, seat),
        melds=tuple([_meld(meld, rules.seats) for meld in public.melds]),
        bela=_below(public.bela, rules.seats, "view.public.bela") if public.HasField("bela") else None,
    )
    _check(view)
    return view


def write_decision(decision: Decision) -> bot_pb2.ChooseResponse:
    """A decision and who took it."""
    return bot_pb2.ChooseResponse(
        action=_action(decision.action),
        policy=decision.policy.version,
        level=decision.policy.level,
        fallback=_FALLBACK[decision.fallback],
    )


def write_level(policy: Policy) -> bot_pb2.BotLevel:
    """A level on offer."""
    return bot_pb2.BotLevel(
        name=policy.level, policy=policy.version, description=policy.description, players=policy.players
    )


def level_unknown() -> DomainError:
    """No bot of that level is offered."""
    return DomainError(Reason.BOT_LEVEL_UNKNOWN, "no bot of that level is offered")


def _ruleset(public: match_pb2.MatchPublic, text: str) -> Ruleset:
    try:
        usual = resolve(public.ruleset.name, public.seats, public.pack_size, {})
    except OptionError as error:
        raise invalid_field("view.public", str(error)) from None
    rules = _read_ruleset(text) if text else usual
    if (rules.name, rules.seats, rules.pack) != (usual.name, usual.seats, usual.pack):
        raise invalid_field("ruleset_json", "not the ruleset of the view")
    return rules


@lru_cache(maxsize=256)
def _read_ruleset(text: str) -> Ruleset:
    """A published ruleset with options that a table can have."""
    try:
        rules = ruleset_from_json(text)
        chosen_options(rules)
    except (OptionError, TypeError, RecursionError):
        raise invalid_field("ruleset_json", "not the JSON of a ruleset that a table can have") from None
    return rules


def _check(view: SeatView) -> None:
    """Raise for a view in which there is nothing to decide, or not by the cards it shows."""
    legal = view.legal
    if not (legal.cards or legal.may_pass or legal.may_accept or legal.suits):
        raise invalid_field("view.legal", "nothing may be done")
    if legal.cards & ~view.hand:
        raise invalid_field("view.legal.cards", "not all are in the hand")
    if legal.cards and view.trump is None:
        raise invalid_field("view.public.trump", "cards are played with a trump suit")
    if view.hand & ~PACK_MASK[view.rules.pack]:
        raise invalid_field("view.hand", "not all are of this pack")
    if legal.may_accept and view.up_card is None:
        raise invalid_field("view.public.up_card", "none is there to accept")
    if len(view.trick) >= view.rules.seats:
        raise invalid_field("view.public.trick", "everybody has played")


def _action(action: Action) -> match_pb2.Action:
    match action:
        case Play(card):
            return match_pb2.Action(play=match_pb2.Play(card=common_pb2.Card.values()[card + 1]))
        case Choose(suit):
            return match_pb2.Action(choose=match_pb2.Choose(suit=common_pb2.Suit.values()[suit + 1]))
        case Accept():
            return match_pb2.Action(accept=match_pb2.Accept())
        case Pass():
            return match_pb2.Action(pass_bid=match_pb2.Pass())
        case _:
            raise AssertionError("bots deal no cards")


def _legal(legal: match_pb2.LegalActions, seat: int) -> LegalActions:
    return LegalActions(
        seat,
        cards=mask_of(_cards(legal.cards, "view.legal.cards")),
        may_pass=legal.may_pass,
        may_accept=legal.may_accept,
        suits=tuple([_one(_SUIT, suit, "view.legal.suits") for suit in legal.suits]),
    )


def _bid(bid: match_pb2.Bid, seats: int) -> Bid:
    kind = _one(_BID, bid.kind, "view.public.bids.kind")
    suit = None if kind is BidKind.PASS else _one(_SUIT, bid.suit, "view.public.bids.suit")
    return Bid(_below(bid.seat, seats, "view.public.bids.seat"), kind, suit)


def _meld(meld: match_pb2.Meld, seats: int) -> Meld:
    cards, player = _cards(meld.cards, "view.public.melds.cards"), _below(meld.seat, seats, "view.public.melds.seat")
    kind = _one(_MELD, meld.kind, "view.public.melds.kind")
    if not cards:
        raise invalid_field("view.public.melds.cards", "a meld has cards")
    top = max(card & 7 for card in cards)
    suit = cards[0] >> 3 if kind is MeldKind.RUN else None
    return Meld(player, kind, top, suit, len(cards), meld.points, mask_of(cards))


def _trick(trick: match_pb2.Trick, seats: int) -> Trick:
    cards = _cards(trick.cards, "view.public.tricks.cards")
    if len(cards) != seats:
        raise invalid_field("view.public.tricks.cards", f"{seats} cards make a trick")
    leader = _below(trick.leader, seats, "view.public.tricks.leader")
    return Trick(leader, cards, _below(trick.winner, seats, "view.public.tricks.winner"))


def _cards(values: Iterable[int], field: str) -> tuple[int, ...]:
    return tuple([_one(_CARD, value, field) for value in values])


def _one(table: Mapping[_Key, _Value], value: _Key, field: str) -> _Value:
    if value not in table:
        raise invalid_field(field, "not one of its values")
    return table[value]


def _below(value: int, limit: int, field: str) -> int:
    if value >= limit:
        raise invalid_field(field, f"must be below {limit}")
    return value
