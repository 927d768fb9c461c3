"""What a session does for the fairness of its match: sends its seed, looks for the beacon, says out loud what is wrong.

An alarm is logged, told to a callback, and reported to the table, where everybody hears of it; where the app wants so,
the session ends with it.
"""

import logging
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

import grpc

from belot.dealer.v1 import dealer_pb2
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import table_pb2
from belot_client.errors import Refused, SessionOver, Unfair
from belot_client.fairness import FairnessKeeper
from belot_client.judging import chain_of
from belot_client.snapshot import receipt_of
from belot_client.view import TableState
from belot_fair.drand import BeaconRefused, Chain, verify
from belot_fair.evidence import LearntBeacon
from belot_fair.report import Point, failed, not_checked, proven

HAND_IN_SECONDS: Final = 5.0
LIST_SECONDS: Final = 5.0
LISTED: Final = "listed"
_PAGE: Final = 200
_MOST_PAGES: Final = 50
_HAND: Final = re.compile(r"\b[Hh]and ([0-9]{1,9})\b")
_log = logging.getLogger(__name__)

BeaconSource = Callable[[Chain, int], Awaitable[bytes | None]]
"""Waits until a round of a chain is due and gets its signature from a relay; None when none came in time."""


@dataclass(frozen=True, slots=True)
class Vigilance:
    """How a session watches over the deal.

    `on_unfair` hears of each point that does not fit, once; `report` tells the table and the public counter of the
    first; `strict` ends the session with Unfair. `beacon_source` gets the beacon from elsewhere: it is handed in, and
    the receipt convicts a dealer who falls back nevertheless.
    """

    on_unfair: Callable[[Point], None] | None = None
    report: bool = True
    strict: bool = False
    beacon_source: BeaconSource | None = field(default=None, repr=False)


class Session(Protocol):
    """What the vigil needs of its session."""

    table_id: str

    @property
    def channel(self) -> grpc.aio.Channel:
        """The connection in use."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""

    async def do(self, action: table_pb2.TableAction) -> object:
        """Send a command. Errors: Refused, SessionOver, TimeoutError."""

    def start(self, work: Coroutine[object, object, None]) -> None:
        """Have something done beside."""

    def end(self, error: Exception) -> None:
        """End the session with this error."""


class Vigil:
    """The watch of one session."""

    def __init__(self, session: Session, fairness: FairnessKeeper, vigilance: Vigilance) -> None:
        """`session` calls it after everything that it learns."""
        self._session = session
        self._fairness = fairness
        self._vigilance = vigilance
        self._told = 0

    def look(self) -> None:
        """Say out loud what was found wrong since the last look."""
        fresh = self._fairness.alarms[self._told :]
        if not fresh:
            return
        first = not self._told
        self._told += len(fresh)
        for point in fresh:
            _log.error("unfair deal: match %s: %s: %s", self._fairness.witness.match_id, point.name, point.sentence)
            if self._vigilance.on_unfair is not None:
                self._vigilance.on_unfair(point)
        if first:
            self._session.start(self._report(fresh[0]))

    async def _report(self, point: Point) -> None:
        if self._vigilance.report and self._fairness.witness.seat is not None:
            hand = _HAND.search(point.sentence)
            report = table_pb2.ReportFairness(
                finding=_FINDINGS.get(point.name, dealer_pb2.FAIRNESS_FINDING_OTHER),
                hand_number=int(hand[1]) if hand else None,
            )
            await self._try(table_pb2.TableAction(report_fairness=report))
        if self._vigilance.strict:
            self._session.end(Unfair(point))

    def send_seed(self, state: TableState) -> None:
        """Bring this client's own part of the shuffle; a spectator has none."""
        if state.viewer_seat is not None:
            seed = table_pb2.SubmitSeed(seed=self._fairness.draw_seed())
            self._session.start(self._try(table_pb2.TableAction(submit_seed=seed)))

    async def _try(self, action: table_pb2.TableAction) -> None:
        try:
            await self._session.do(action)
        except (Refused, SessionOver, TimeoutError):
            return  # too late, or over: of seeds the transcript says which seats brought none, and the report shows it

    def look_for_beacon(self, state: TableState) -> None:
        """Once the round is known: get its beacon from elsewhere, if the app has a source."""
        round, chain = self._fairness.witness.round, chain_of(state)
        if self._vigilance.beacon_source is not None and round is not None and chain is not None:
            self._session.start(self._hand_in(self._vigilance.beacon_source, chain, round.round))

    async def _hand_in(self, source: BeaconSource, chain: Chain, round: int) -> None:
        signature = await source(chain, round)
        try:
            verify(chain, round, signature or b"")
        except BeaconRefused:
            return
        match_id = self._fairness.witness.match_id
        beacon = LearntBeacon(round, signature or b"", time.time_ns() // 1_000_000)
        self._fairness.got_beacon(beacon)
        request = gateway_pb2.SubmitBeaconRequest(match_id=match_id, round=round, signature=beacon.signature)
        stub: gateway_pb2_grpc.FairnessServiceAsyncStub = gateway_pb2_grpc.FairnessServiceStub(self._session.channel)
        try:
            taken = await stub.SubmitBeacon(request, metadata=self._session.metadata, timeout=HAND_IN_SECONDS)
        except grpc.aio.AioRpcError as error:
            _log.warning("a beacon could not be handed in: %s", error.code())
            return
        if self._fairness.witness.match_id == match_id:
            self._fairness.got_beacon(beacon, receipt_of(taken.receipt))

    async def compare_listing(self, state: TableState) -> None:
        """Ask the public list for the commitment, once the match is over."""
        kept, seed = self._fairness.witness, state.fairness.server_seed if state.fairness else b""
        if not seed or kept.commitment is None or self._fairness.listed is not None:
            return
        if state.options.private:
            point = not_checked(LISTED, "A private table is not named in the list; its inclusion proof says it.")
        else:
            point = await self._listed(kept.match_id, kept.commitment.commitment, seed)
        self._fairness.compared(point)
        self.look()

    async def _listed(self, match_id: str, commitment: bytes, seed: bytes) -> Point:
        stub: gateway_pb2_grpc.FairnessServiceAsyncStub = gateway_pb2_grpc.FairnessServiceStub(self._session.channel)
        request = gateway_pb2.ListCommitmentsRequest(table_id=self._session.table_id, page_size=_PAGE)
        try:
            for _ in range(_MOST_PAGES):
                page = await stub.ListCommitments(request, metadata=self._session.metadata, timeout=LIST_SECONDS)
                for entry in page.commitments:
                    if entry.match_id == match_id:
                        return _compared(entry, commitment, seed)
                if not page.next_page_token:
                    return failed(LISTED, "The commitment of this match is left out of the public list.")
                request.page_token = page.next_page_token
        except grpc.aio.AioRpcError as error:
            return not_checked(LISTED, f"The public list could not be asked: {error.code().name}.")
        return not_checked(LISTED, "The public list of this table is too long to be asked whole.")


def _compared(entry: dealer_pb2.ListedCommitment, commitment: bytes, seed: bytes) -> Point:
    if entry.commitment != commitment:
        return failed(LISTED, "The public list names another commitment for this match.")
    if entry.server_seed and entry.server_seed != seed:
        return failed(LISTED, "The public list opens the commitment with another server seed.")
    return proven(LISTED, "The public list names this match with its commitment.")


_FINDINGS: "Final[Mapping[str, dealer_pb2.FairnessFinding.ValueType]]" = {
    "commitment": dealer_pb2.FAIRNESS_FINDING_COMMITMENT,
    "witness commitment": dealer_pb2.FAIRNESS_FINDING_COMMITMENT,
    "seeds": dealer_pb2.FAIRNESS_FINDING_SEED,
    "witness seed": dealer_pb2.FAIRNESS_FINDING_SEED,
    "round": dealer_pb2.FAIRNESS_FINDING_ROUND,
    "witness round": dealer_pb2.FAIRNESS_FINDING_ROUND,
    "beacon chain": dealer_pb2.FAIRNESS_FINDING_BEACON,
    "beacon": dealer_pb2.FAIRNESS_FINDING_BEACON,
    "witness beacon": dealer_pb2.FAIRNESS_FINDING_FALLBACK,
    "hands": dealer_pb2.FAIRNESS_FINDING_HAND,
    "cards seen": dealer_pb2.FAIRNESS_FINDING_HAND,
    "witness hands": dealer_pb2.FAIRNESS_FINDING_RECEIPT,
    "format": dealer_pb2.FAIRNESS_FINDING_TRANSCRIPT,
    "chain": dealer_pb2.FAIRNESS_FINDING_TRANSCRIPT,
    "order": dealer_pb2.FAIRNESS_FINDING_TRANSCRIPT,
    "signatures": dealer_pb2.FAIRNESS_FINDING_TRANSCRIPT,
    LISTED: dealer_pb2.FAIRNESS_FINDING_LISTING,
}
