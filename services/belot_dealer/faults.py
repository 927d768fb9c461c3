"""What a bad relay can do, one switch each: the faults of the development beacon, to see that none of them matters."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from aiohttp import web
from py_arkworks_bls12381 import G1Point

from belot_fair.drand import BeaconKey

_SMALL_ORDER_POINT: Final = bytes([0x80]) + bytes(47)
"""The point (0, 2) of the curve, of order 3, outside the group that signatures live in; compressed."""
_HTML: Final = "<!doctype html><title>Please wait</title><p>Checking your browser."
_HUGE_OCTETS: Final = 10_000_000
_BLANKS: Final = b" " * 100_000
_MOST_SECONDS: Final = 60.0


class FaultKind(StrEnum):
    """The switches."""

    NONE = "none"
    LATE = "late"
    NOT_FOUND = "404"
    TOO_EARLY = "425"
    SERVER_ERROR = "500"
    EMPTY = "empty"
    HTML = "html"
    HUGE = "huge"
    WRONG_ROUND = "wrong_round"
    OTHER_CHAIN = "other_chain"
    FORGED = "forged"
    SMALL_ORDER = "small_order"
    SLOW_DRIP = "slow_drip"
    REDIRECT = "redirect"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `seconds` is how late a late answer comes, or how long a dripping one takes for each octet."""

    kind: FaultKind = FaultKind.NONE
    seconds: float = 0.5


def fault_of(fields: object) -> Fault:
    """The fault that a JSON object names: `kind`, and `seconds` if it wishes. Errors: ValueError."""
    if not isinstance(fields, Mapping) or not set(fields) <= {"kind", "seconds"}:
        raise ValueError("a fault is an object with kind, and seconds if need be")
    kind, seconds = fields.get("kind"), fields.get("seconds", Fault().seconds)
    if kind not in list(FaultKind):  # a list, as what came may not be hashable
        raise ValueError(f"kind is one of {', '.join(FaultKind)}")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _MOST_SECONDS:
        raise ValueError("seconds is a number from 0 to 60")
    return Fault(FaultKind(kind), float(seconds))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a sound relay would say: the round, the way to sign one, and the request to answer."""

    round: int
    sign: Callable[[int], bytes]
    request: web.Request

    def body(self, round: int | None = None, signature: bytes | None = None) -> str:
        """drand's JSON; with other content where a fault wants it."""
        which = self.round if round is None else round
        signed = self.sign(which) if signature is None else signature
        fields = {"round": which, "randomness": sha256(signed).hexdigest(), "signature": signed.hex()}
        return json.dumps(fields)


Responder = Callable[[Answer, Fault], Awaitable[web.StreamResponse]]


def _json(text: str) -> web.Response:
    return web.Response(text=text, content_type="application/json")


async def _sound(answer: Answer, _fault: Fault) -> web.StreamResponse:
    return _json(answer.body())


async def _late(answer: Answer, fault: Fault) -> web.StreamResponse:
    await asyncio.sleep(fault.seconds)
    return _json(answer.body())


def _status(status: int) -> Responder:
    async def respond(_answer: Answer, _fault: Fault) -> web.StreamResponse:
        return web.Response(status=status, text=f"fault {status}")

    return respond


async def _empty(_answer: Answer, _fault: Fault) -> web.StreamResponse:
    return web.Response(status=200)


async def _html(_answer: Answer, _fault: Fault) -> web.StreamResponse:
    return web.Response(text=_HTML, content_type="text/html")


async def _huge(answer: Answer, _fault: Fault) -> web.StreamResponse:
    # A right answer that does not end: whoever reads it to the end would take it.
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(answer.request)
    await response.write(answer.body().encode())
    for _ in range(_HUGE_OCTETS // len(_BLANKS)):
        await response.write(_BLANKS)
    return response


async def _wrong_round(answer: Answer, _fault: Fault) -> web.StreamResponse:
    return _json(answer.body(round=max(1, answer.round - 1)))


async def _other_chain(answer: Answer, _fault: Fault) -> web.StreamResponse:
    return _json(answer.body(signature=BeaconKey(b"another chain").sign(answer.round)))


async def _forged(answer: Answer, _fault: Fault) -> web.StreamResponse:
    # The right signature of the round before, sold as this one's.
    return _json(answer.body(signature=answer.sign(max(1, answer.round - 1))))


async def _small_order(answer: Answer, _fault: Fault) -> web.StreamResponse:
    point = G1Point.from_compressed_bytes(answer.sign(answer.round))
    shifted = point + G1Point.from_compressed_bytes_unchecked(_SMALL_ORDER_POINT)
    return _json(answer.body(signature=shifted.to_compressed_bytes()))


async def _slow_drip(answer: Answer, fault: Fault) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(answer.request)
    for octet in answer.body().encode():
        await response.write(bytes((octet,)))
        await asyncio.sleep(fault.seconds)
    return response


async def _redirect(answer: Answer, _fault: Fault) -> web.StreamResponse:
    # To a place that answers well, so that following it would be noticed.
    if "moved" in answer.request.query:
        return _json(answer.body())
    return web.Response(status=302, headers={"Location": f"{answer.request.path}?moved=1"})


RESPONDERS: Mapping[FaultKind, Responder] = {
    FaultKind.NONE: _sound,
    FaultKind.LATE: _late,
    FaultKind.NOT_FOUND: _status(404),
    FaultKind.TOO_EARLY: _status(425),
    FaultKind.SERVER_ERROR: _status(500),
    FaultKind.EMPTY: _empty,
    FaultKind.HTML: _html,
    FaultKind.HUGE: _huge,
    FaultKind.WRONG_ROUND: _wrong_round,
    FaultKind.OTHER_CHAIN: _other_chain,
    FaultKind.FORGED: _forged,
    FaultKind.SMALL_ORDER: _small_order,
    FaultKind.SLOW_DRIP: _slow_drip,
    FaultKind.REDIRECT: _redirect,
}
