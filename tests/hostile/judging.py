"""What an answer to a hostile request must look like, whatever the request was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.common.v1 import errors_pb2
from belot_gateway.callers import OPEN_TO_ALL
from belot_kit.errors import DOMAIN, Reason
from hostile.headers import Beside
from hostile.octets import MOST_OCTETS
from hostile.rpcs import Rpc
from hostile.sending import Answer

_OURS_ALONE: Final = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS}
_FAULTS: Final = {Reason.INTERNAL, Reason.AUDIT_BREACH}
_FOLLOWING: Final = ("Watch", "UpdateSubscriptions", "ReportPresence")
_PERHAPS_DONE: Final = (errors_pb2.ERROR_REASON_DEADLINE_TOO_SHORT, errors_pb2.ERROR_REASON_UNAVAILABLE)
_GIVEN_UP: Final = {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
_CLIENTS_OWN: Final = "Internal error from Core"
"""What grpc.aio's client says, without a server's word, when a stream ends while it writes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with an answer (empty: nothing), its name in the counts, what it may have changed.

    `done`: something may have been changed by now; `lasting`: something may still be changed later.
    """

    wrong: tuple[str, ...]
    name: str
    done: bool
    lasting: bool = False


def judge(rpc: Rpc, octets: Sequence[bytes], beside: Beside, answer: Answer) -> Verdict:
    """The verdict on one call."""
    messages, unreadable = _read(rpc, answer.messages)
    refusals = [each for message in messages for each in refusals_in(message)]
    wrong = [*unreadable, *(text for each in refusals for text in _wrong_refusal(each))]
    if answer.cut and not answer.messages:
        unsure = rpc.name not in _FOLLOWING
        return Verdict((), "no answer before we hung up", unsure, unsure)
    if answer.code is grpc.StatusCode.OK:
        if not beside.signed_in and _needs_token(rpc):
            wrong.append("an answer without a token")
        return Verdict(tuple(wrong), "OK", *_effects(rpc, messages, refusals))
    if beside.hurried and answer.code in _GIVEN_UP and not answer.status:
        return Verdict(tuple(wrong), f"{answer.code.name} (the caller's)", True, True)
    if rpc.streams_requests and answer.details == _CLIENTS_OWN and not answer.status:
        return Verdict(tuple(wrong), f"{answer.code.name} (the client library's)", True, True)
    if answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED and max(map(len, octets)) > MOST_OCTETS and not answer.status:
        return Verdict(tuple(wrong), "RESOURCE_EXHAUSTED (gRPC's own)", False)
    reason, more = _reason(answer)
    wrong += more
    if not beside.signed_in and _needs_token(rpc) and reason not in ("UNAUTHENTICATED", "DEADLINE_TOO_SHORT"):
        wrong.append(f"{reason} without a token")
    done = answer.code in _GIVEN_UP or answer.code is grpc.StatusCode.UNAVAILABLE or rpc.streams_requests
    return Verdict(tuple(wrong), f"{answer.code.name} {reason}", done, done)


def _needs_token(rpc: Rpc) -> bool:
    return rpc.service == "gateway" and not rpc.path.startswith(OPEN_TO_ALL)


def _reason(answer: Answer) -> tuple[str, list[str]]:
    """The reason of a refused call, and what is wrong with how it was said."""
    wrong = [f"{answer.code.name}: {answer.details}"] if answer.code in _OURS_ALONE else []
    if len(answer.status) != 1:
        return "?", [*wrong, f"{answer.code.name} ({answer.details}) with {len(answer.status)} statuses"]
    status = status_pb2.Status.FromString(answer.status[0])
    infos = [each for each in status.details if each.Is(error_details_pb2.ErrorInfo.DESCRIPTOR)]
    if len(infos) != 1:
        return "?", [*wrong, f"{answer.code.name} with {len(infos)} ErrorInfos"]
    info = error_details_pb2.ErrorInfo()
    infos[0].Unpack(info)
    if info.domain != DOMAIN or info.reason not in Reason.__members__:
        wrong.append(f"the reason {info.reason} of {info.domain} is not known")
    elif Reason(info.reason) in _FAULTS:
        wrong.append(f"{info.reason}: {answer.details}")
    if status.code != answer.code.value[0]:
        wrong.append(f"the status says {status.code}, the call {answer.code.name}")
    return str(info.reason), wrong


def _read(rpc: Rpc, octets: Sequence[bytes]) -> tuple[list[Message], list[str]]:
    messages: list[Message] = []
    for each in octets:
        try:
            messages.append(rpc.response.FromString(each))
        except DecodeError:
            return messages, ["an answer that is no message"]
    return messages, []


def refusals_in(message: Message) -> Iterator[errors_pb2.Refusal]:
    """Every refusal in a message of a stream, at any depth."""
    if isinstance(message, errors_pb2.Refusal):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if field.is_repeated else (value,):
            yield from refusals_in(part)


def _wrong_refusal(refusal: errors_pb2.Refusal) -> Iterator[str]:
    known = refusal.reason in errors_pb2.ErrorReason.values()
    name = errors_pb2.ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_") if known else str(refusal.reason)
    if name not in Reason.__members__ or Reason(name) in _FAULTS:
        yield f"refused on the stream with {name}: {refusal.message}"


def _effects(rpc: Rpc, messages: Sequence[Message], refusals: Sequence[errors_pb2.Refusal]) -> tuple[bool, bool]:
    """Of a call that ended well: `done` and `lasting`. To follow a table changes nothing there."""
    if not rpc.streams_responses:
        return rpc.name not in _FOLLOWING, False
    late = any(each.reason in _PERHAPS_DONE for each in refusals)
    return late or any("ack {" in str(each) for each in messages), late
