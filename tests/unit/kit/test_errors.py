"""Errors: one table, one documentation of it, and the way there and back."""

import re
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.common.v1 import errors_pb2
from belot_kit.errors import (
    CODES,
    DomainError,
    LocalizedText,
    Reason,
    decode_error,
    encode_error,
    from_status,
    to_status,
)
from belot_kit.refusals import from_refusal, to_refusal

PROTO = Path(__file__).parents[3] / "protos/belot/common/v1/errors.proto"


def test_every_reason_has_a_code() -> None:
    assert set(CODES) == set(Reason)


def test_the_reasons_are_those_of_the_contract() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.keys()}  # noqa: SIM118 - protobuf's
    assert names - {"UNSPECIFIED"} == set(Reason)


def test_the_codes_are_those_the_contract_documents() -> None:
    documented = re.findall(r"\((\w+)\)\n  ERROR_REASON_(\w+) =", PROTO.read_text())
    assert {name: code for code, name in documented} == {reason.value: CODES[reason].name for reason in Reason}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_survives_the_way_there_and_back(reason: Reason) -> None:
    error = DomainError(reason, "why", table="t1", version=3)
    for again in (decode_error(encode_error(error)), from_refusal(to_refusal(error))):
        assert (again.reason, again.message, again.metadata) == (reason, "why", {"table": "t1", "version": "3"})


def test_an_error_has_exactly_one_info_of_our_domain() -> None:
    status = to_status(DomainError(Reason.SEAT_TAKEN, "taken"), LocalizedText("hr", "Mjesto je zauzeto."))
    kinds = [detail.TypeName() for detail in status.details]
    assert kinds == ["google.rpc.ErrorInfo", "google.rpc.LocalizedMessage"]
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    assert (info.domain, info.reason) == ("belot", "SEAT_TAKEN")


BARE = {
    grpc.StatusCode.UNAVAILABLE: Reason.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED: Reason.DEADLINE_TOO_SHORT,
    grpc.StatusCode.UNIMPLEMENTED: Reason.INTERNAL,
    grpc.StatusCode.INVALID_ARGUMENT: Reason.INVALID_ARGUMENT,
}


@pytest.mark.parametrize(("code", "reason"), BARE.items())
def test_an_error_that_is_not_ours_is_judged_by_its_code(code: grpc.StatusCode, reason: Reason) -> None:
    assert from_status(status_pb2.Status(code=code.value[0], message="x")).reason is reason


def test_a_reason_newer_than_this_program_is_judged_by_its_code() -> None:
    assert from_refusal(errors_pb2.Refusal(code=10, reason=9_999)).reason is Reason.CONFLICT  # type: ignore[arg-type]


def test_bytes_that_are_no_status_are_an_internal_error() -> None:
    assert decode_error(b"\xff\xff\xff").reason is Reason.INTERNAL
