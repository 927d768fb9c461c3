"""What requests must look like, field by field, and the commands they make.

Errors: DomainError INVALID_ARGUMENT naming the field; SEED_INVALID for a seed of another length.
"""

import re
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from google.protobuf.duration_pb2 import Duration

from belot.dealer.v1 import dealer_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, FieldViolation, Reason, invalid_field
from belot_table.chatting import MOST_LETTERS, PHRASES, Mute, ReportMessage, Say, spoken
from belot_table.claiming import AnswerClaim, ClaimTricks
from belot_table.commands import (
    Act,
    AnswerDraw,
    Command,
    EndMatch,
    FillWithBots,
    Leave,
    ProposeDraw,
    Resign,
    Resume,
    SendSeed,
    SetReady,
    SitDown,
    Wish,
)
from belot_table.convert import read_options
from belot_table.endings import COUNT_FOR_NOTHING, EndKind
from belot_table.making import NewTable, Rematch
from belot_table.presence import Player
from belot_table.reporting import ReportDeal
from belot_table.stand_in import STAND_IN_LEVEL
from belot_table.table import Options, Status

_ID = re.compile(r"[!-~]{1,64}")
_NAME_LENGTH: Final = 32
_WORD_LENGTH: Final = 64
_MOST_OPTIONS: Final = 16
_SEED_OCTETS: Final = 16
_MOST_SEATS: Final = 4
_MOST_EVENTS: Final = 2**62
_MOST_PRESENT: Final = 1_000
_SECOND_MS: Final = 1_000
_TEN_MINUTES_MS: Final = 600_000
_LAST_SECOND: Final = 253_402_300_800
"""The year 10,000."""

_DURATIONS: Final = {
    "bid_time": (_SECOND_MS, _TEN_MINUTES_MS),
    "card_time": (_SECOND_MS, _TEN_MINUTES_MS),
    "reserve": (0, 3 * _TEN_MINUTES_MS),
    "seed_time": (_SECOND_MS, _TEN_MINUTES_MS),
    "bot_delay": (0, 10 * _SECOND_MS),
    "spectator_delay": (0, _TEN_MINUTES_MS),
    "waiting_time": (10 * _SECOND_MS, 144 * _TEN_MINUTES_MS),
}
"""Least and most milliseconds of each time of a table."""


def identifier(field: str, value: str) -> str:
    """1..64 visible ASCII characters, no spaces."""
    if not _ID.fullmatch(value):
        raise invalid_field(field, "must be 1 to 64 visible ASCII characters without spaces")
    return value


def request_id(field: str, value: str) -> str:
    """1..64 printable ASCII characters."""
    if not 1 <= len(value) <= _WORD_LENGTH or not value.isascii() or not value.isprintable():
        raise invalid_field(field, f"must be 1 to {_WORD_LENGTH} printable ASCII characters")
    return value


def display_name(field: str, value: str) -> str:
    """1..32 visible characters, trimmed."""
    name = unicodedata.normalize("NFC", value).strip()
    if not 1 <= len(name) <= _NAME_LENGTH or not name.isprintable():
        raise invalid_field(field, f"must be 1 to {_NAME_LENGTH} visible characters")
    return name


def invitation_code(field: str, value: str) -> str:
    """Empty, or at most 64 characters."""
    if len(value) > _WORD_LENGTH:
        raise invalid_field(field, f"must be at most {_WORD_LENGTH} characters")
    return value


def read_new_table(request: table_pb2.CreateTableRequest) -> NewTable:
    """A table to make."""
    return NewTable(
        player_id=identifier("player_id", request.player_id),
        request_id=request_id("request_id", request.request_id),
        fingerprint=_fingerprint(request.options, request.sit_as.encode()),
        options=_options(request.options),
        sit_as=display_name("sit_as", request.sit_as) if request.sit_as else "",
    )


def read_command(command: table_pb2.Command) -> Command:
    """A command."""
    kind = command.action.WhichOneof("kind")
    if kind is None:
        raise invalid_field("command.action.kind", "one is due")
    return Command(
        table_id=identifier("command.table_id", command.table_id),
        player_id=identifier("command.player_id", command.player_id),
        request_id=request_id("command.request_id", command.request_id),
        fingerprint=_fingerprint(command.action),
        wish=_report(command) if kind == "report_fairness" else _WISHES[kind](command.action),
        expected_version=command.expected_version if command.HasField("expected_version") else None,
    )


def read_ending(request: table_pb2.EndMatchRequest) -> Command:
    """A match that an operator ends."""
    if request.outcome_kind not in COUNT_FOR_NOTHING:
        raise invalid_field("outcome_kind", f"must be {' or '.join(sorted(COUNT_FOR_NOTHING))}")
    return Command(
        table_id=identifier("table_id", request.table_id),
        player_id="",
        request_id=request_id("request_id", request.request_id),
        fingerprint=sha256(b"end_match\x00" + request.outcome_kind.encode()).digest(),
        wish=EndMatch(EndKind(request.outcome_kind)),
    )


def read_rematch(request: table_pb2.OpenRematchRequest) -> Rematch:
    """A rematch that is asked for."""
    return Rematch(
        table_id=identifier("table_id", request.table_id),
        player_id=identifier("player_id", request.player_id),
        request_id=request_id("request_id", request.request_id),
        fingerprint=sha256(b"rematch\x00" + request.table_id.encode()).digest(),
        name=display_name("display_name", request.display_name),
    )


def read_present(request: table_pb2.ReportPresenceRequest) -> tuple[Player, ...]:
    """Who is connected."""
    if len(request.present) > _MOST_PRESENT:
        raise invalid_field("present", f"at most {_MOST_PRESENT} are taken")
    return tuple(
        Player(identifier("present.table_id", each.table_id), identifier("present.player_id", each.player_id))
        for each in request.present
    )


def read_statuses(request: table_pb2.ListTablesRequest) -> tuple[Status, ...]:
    """Which states are listed; none given: waiting and running tables."""
    known = {each.value for each in Status}
    if any(each not in known for each in request.statuses):
        raise invalid_field("statuses", "is not one of the states")
    chosen = {Status(each) for each in request.statuses}
    return tuple(sorted(chosen or {each for each in Status if each < Status.FINISHED}))


def _fingerprint(message: table_pb2.TableAction | view_pb2.TableOptions, more: bytes = b"") -> bytes:
    """SHA-256 over what was asked, whatever order a map was sent in."""
    return sha256(message.SerializeToString(deterministic=True) + b"\x00" + more).digest()


def _options(message: view_pb2.TableOptions) -> Options:
    if not 1 <= len(message.ruleset) <= _WORD_LENGTH:
        raise invalid_field("options.ruleset", "must name a ruleset")
    for name, most in (("seats", _MOST_SEATS), ("pack_size", 32)):
        if getattr(message, name) > most:
            raise invalid_field(f"options.{name}", f"must be at most {most}")
    if len(message.ruleset_options) > _MOST_OPTIONS:
        raise invalid_field("options.ruleset_options", f"at most {_MOST_OPTIONS} are taken")
    if any(not 1 <= len(part) <= _WORD_LENGTH for pair in message.ruleset_options.items() for part in pair):
        raise invalid_field("options.ruleset_options", f"names and values have 1 to {_WORD_LENGTH} characters")
    if len(message.reserved_for) > _MOST_SEATS:
        raise invalid_field("options.reserved_for", f"at most {_MOST_SEATS} seats can be kept")
    named = [identifier("options.reserved_for", each) for each in message.reserved_for if each]
    if len(set(named)) < len(named):
        raise invalid_field("options.reserved_for", "names a player twice")
    for name, bounds in _DURATIONS.items():
        if message.HasField(name):  # type: ignore[arg-type]
            _check_duration(f"options.{name}", getattr(message, name), *bounds)
    if message.HasField("ends_by") and not (
        0 < message.ends_by.seconds < _LAST_SECOND and 0 <= message.ends_by.nanos < 10**9
    ):
        raise invalid_field("options.ends_by", "must be a time after 1970")
    return read_options(message)


def _check_duration(field: str, value: Duration, least_ms: int, most_ms: int) -> None:
    # Compared in whole seconds first: milliseconds of a wild Duration would overflow its own arithmetic.
    if not -1 <= value.seconds <= most_ms // 1000 or not 0 <= value.nanos < 10**9:
        raise invalid_field(field, f"must be {least_ms} to {most_ms} ms")
    if not least_ms <= value.ToMilliseconds() <= most_ms:
        raise invalid_field(field, f"must be {least_ms} to {most_ms} ms")


def _sit_down(action: table_pb2.TableAction) -> Wish:
    wanted = action.sit_down
    if wanted.HasField("seat") and wanted.seat >= _MOST_SEATS:
        raise invalid_field("command.action.sit_down.seat", f"must be below {_MOST_SEATS}")
    name = display_name("command.action.sit_down.display_name", wanted.display_name)
    code = invitation_code("command.action.sit_down.invitation_code", wanted.invitation_code)
    return SitDown(wanted.seat if wanted.HasField("seat") else None, name, code)


def _fill(action: table_pb2.TableAction) -> Wish:
    level = action.fill_with_bots.level or STAND_IN_LEVEL
    if len(level) > _WORD_LENGTH:
        raise invalid_field("command.action.fill_with_bots.level", f"must be at most {_WORD_LENGTH} characters")
    return FillWithBots(level)


def _seed(action: table_pb2.TableAction) -> Wish:
    seed = action.submit_seed.seed
    if len(seed) != _SEED_OCTETS:
        broken = [FieldViolation("command.action.submit_seed.seed", f"must be exactly {_SEED_OCTETS} octets")]
        raise DomainError(Reason.SEED_INVALID, f"a seed is exactly {_SEED_OCTETS} octets", violations=broken)
    return SendSeed(seed)


def _report(command: table_pb2.Command) -> Wish:
    said = command.action.report_fairness
    if not said.finding or said.finding not in dealer_pb2.FairnessFinding.values():
        raise invalid_field("command.action.report_fairness.finding", "one of the findings is due")
    return ReportDeal(command.request_id, said.finding, said.hand_number if said.HasField("hand_number") else None)


def _game(action: table_pb2.TableAction) -> Wish:
    kind = action.game.WhichOneof("kind")
    if kind is None:
        raise invalid_field("command.action.game.kind", "one is due")
    if kind == "deal":
        raise invalid_field("command.action.game.deal", "cards come from the dealer alone")
    if kind == "claim":
        raise invalid_field("command.action.game.claim", "a claim is an action of its own, claim_tricks")
    return Act(action.game.SerializeToString())


def _say(action: table_pb2.TableAction) -> Wish:
    what = action.say.WhichOneof("what")
    if what is None:
        raise invalid_field("command.action.say.what", "one is due")
    if what == "phrase":
        if action.say.phrase not in PHRASES:
            raise invalid_field("command.action.say.phrase", f"is none of {', '.join(sorted(PHRASES))}")
        return Say(phrase=action.say.phrase)
    text = spoken(action.say.text)
    if not 1 <= len(text) <= MOST_LETTERS:
        raise invalid_field("command.action.say.text", f"must have 1 to {MOST_LETTERS} visible characters")
    return Say(text=text)


def _mute(action: table_pb2.TableAction) -> Wish:
    wanted = action.mute_player
    return Mute(identifier("command.action.mute_player.player_id", wanted.player_id), wanted.muted)


def _report_message(action: table_pb2.TableAction) -> Wish:
    wanted = action.report_message
    if not 1 <= wanted.sequence <= _MOST_EVENTS:
        raise invalid_field("command.action.report_message.sequence", "must be the number of an event")
    if not wanted.reason or wanted.reason not in table_pb2.ReportReason.values():
        raise invalid_field("command.action.report_message.reason", "one of the reasons is due")
    return ReportMessage(wanted.sequence, wanted.reason)


_WISHES: Final[dict[str, Callable[[table_pb2.TableAction], Wish]]] = {
    "sit_down": _sit_down,
    "leave": lambda action: Leave(),
    "set_ready": lambda action: SetReady(action.set_ready.ready),
    "fill_with_bots": _fill,
    "submit_seed": _seed,
    "game": _game,
    "resume": lambda action: Resume(),
    "resign": lambda action: Resign(),
    "propose_draw": lambda action: ProposeDraw(),
    "say": _say,
    "mute_player": _mute,
    "report_message": _report_message,
    "claim_tricks": lambda action: ClaimTricks(action.claim_tricks.ask_opponents),
    "answer_claim": lambda action: AnswerClaim(action.answer_claim.agree),
    "answer_draw": lambda action: AnswerDraw(action.answer_draw.agree),
}
