"""What a request must look like before anything is asked of another service, field by field.

Errors: DomainError INVALID_ARGUMENT with the field's name (UNKNOWN_CARD and SEED_INVALID where those say more).
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2
from belot_gateway.auth import DISPLAY_NAME_LENGTH
from belot_kit.errors import DomainError, FieldViolation, Reason, invalid_field

SEED_LENGTH: Final = 16
MOST_SUBSCRIPTIONS: Final = 64
"""In one request, and of one stream."""
_ID_LENGTH: Final = 64
_LARGEST_CARD: Final = common_pb2.CARD_ACE_OF_SPADES
_LARGEST_SUIT: Final = common_pb2.SUIT_SPADES
_GAME_KINDS: Final = frozenset({"pass_bid", "accept", "choose", "play"})
_BID_KINDS: Final = frozenset({match_pb2.BID_KIND_PASS, match_pb2.BID_KIND_ACCEPT, match_pb2.BID_KIND_CHOOSE})


def identifier(field: str, value: str) -> str:
    """1..64 printable ASCII characters."""
    if not 1 <= len(value) <= _ID_LENGTH or not value.isascii() or not value.isprintable():
        raise invalid_field(field, f"must be 1 to {_ID_LENGTH} printable ASCII characters")
    return value


def display_name(value: str) -> str:
    """A name to show: trimmed, 1..32 characters, none of them invisible."""
    name = unicodedata.normalize("NFC", value).strip()
    if not 1 <= len(name) <= DISPLAY_NAME_LENGTH or not name.isprintable():
        raise invalid_field("display_name", f"must be 1 to {DISPLAY_NAME_LENGTH} visible characters")
    return name


def card(field: str, value: int) -> None:
    """A card is given, and it is one of the 32."""
    if value == common_pb2.CARD_UNSPECIFIED:
        raise invalid_field(field, "must name a card")
    if not 0 < value <= _LARGEST_CARD:
        violations = [FieldViolation(field, "is no card of any pack")]
        raise DomainError(Reason.UNKNOWN_CARD, "there is no such card", violations=violations)


def suit(field: str, value: int) -> None:
    """A suit is given, and it is one of the four."""
    if not 0 < value <= _LARGEST_SUIT:
        raise invalid_field(field, "must name a suit")


def seed(field: str, value: bytes) -> None:
    """A seed is exactly 16 octets."""
    if len(value) != SEED_LENGTH:
        violations = [FieldViolation(field, f"must be exactly {SEED_LENGTH} octets")]
        raise DomainError(Reason.SEED_INVALID, f"a seed is exactly {SEED_LENGTH} octets", violations=violations)


def bid(kind: int, named_suit: int) -> None:
    """A bid is known, and choosing names a suit."""
    if kind not in _BID_KINDS:
        raise invalid_field("kind", "must be pass, accept or choose")
    if kind == match_pb2.BID_KIND_CHOOSE:
        suit("suit", named_suit)


def invitation_code(field: str, value: str) -> str:
    """Empty, or as `identifier`."""
    return identifier(field, value) if value else ""


def mute(field: str, found: table_pb2.MutePlayer) -> None:
    """It names a player."""
    identifier(f"{field}.player_id", found.player_id)


def report(field: str, found: table_pb2.ReportMessage) -> None:
    """It names an event, and one of the reasons."""
    if not found.sequence:
        raise invalid_field(f"{field}.sequence", "must be that of the message")
    if not found.reason or found.reason not in table_pb2.ReportReason.values():
        raise invalid_field(f"{field}.reason", "must be one of the reasons")


def subscriptions(field: str, found: Iterable[gateway_pb2.Subscription], *, least: int = 0) -> None:
    """Each names one topic, a table by its id; there are at least `least`."""
    count = 0
    for place, subscription in enumerate(found):
        count += 1
        if count > MOST_SUBSCRIPTIONS:
            raise invalid_field(field, f"must be at most {MOST_SUBSCRIPTIONS}")
        topic = subscription.WhichOneof("topic")
        if topic is None:
            raise invalid_field(f"{field}[{place}]", "must name one topic: me, lobby or table")
        if topic == "table":
            identifier(f"{field}[{place}].table.table_id", subscription.table.table_id)
            invitation_code(f"{field}[{place}].table.invitation_code", subscription.table.invitation_code)
    if count < least:
        raise invalid_field(field, "must not be empty")


def action(found: table_pb2.TableAction) -> None:
    """Exactly one thing to do, whole, and none that only our own services may."""
    kind = found.WhichOneof("kind")
    if kind is None:
        raise invalid_field("action", "must say what to do")
    if kind == "submit_seed":
        seed("action.submit_seed.seed", found.submit_seed.seed)
    if kind == "sit_down":
        invitation_code("action.sit_down.invitation_code", found.sit_down.invitation_code)
    if kind == "mute_player":
        mute("action.mute_player", found.mute_player)
    if kind == "report_message":
        report("action.report_message", found.report_message)
    if kind == "game":
        _game(found.game)


def _game(found: match_pb2.Action) -> None:
    kind = found.WhichOneof("kind")
    if kind not in _GAME_KINDS:
        raise invalid_field("action.game", "must be pass_bid, accept, choose or play")
    if kind == "play":
        card("action.game.play.card", found.play.card)
    if kind == "choose":
        suit("action.game.choose.suit", found.choose.suit)
