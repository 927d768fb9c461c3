"""Between the messages of what is public about all matches and its values."""

import datetime
from collections.abc import Sequence
from typing import Final

from belot.dealer.v1 import dealer_pb2
from belot_dealer.convert import signed_receipt
from belot_dealer.health import RelayHealth
from belot_dealer.listing_store import Counts, Listed, Report
from belot_dealer.publishing import Figures
from belot_dealer.store import PRIVATE, Place
from belot_fair.distribution import Tally, chi_square, void_figures
from belot_fair.listing import SignedRoot
from belot_fair.octets import U32_MAX
from belot_fair.receipts import SignedReceipt
from belot_kit.errors import DomainError, Reason, invalid_field

_WORD: Final = 64
_FIRST_DAY: Final = datetime.date(1970, 1, 1)
_BEACON_SIGNATURE: Final = 48


def read_place(request: dealer_pb2.OpenMatchRequest) -> Place:
    """Where a match is played; without a table it is private."""
    if not request.table_id:
        return PRIVATE
    return Place(read_word("table_id", request.table_id), request.public_table)


def read_table_filter(table_id: str) -> str:
    """A table to list or count, or none."""
    return read_word("table_id", table_id) if table_id else ""


def read_word(field: str, value: str) -> str:
    """1 to 64 printable ASCII characters."""
    if not 1 <= len(value) <= _WORD or not value.isascii() or not value.isprintable():
        raise invalid_field(field, f"must be 1 to {_WORD} printable ASCII characters")
    return value


def read_beacon_signature(signature: bytes) -> bytes:
    """A signature of a round, not verified yet. Errors: DomainError BEACON_REFUSED."""
    if len(signature) != _BEACON_SIGNATURE:
        raise DomainError(Reason.BEACON_REFUSED, f"a beacon signature is exactly {_BEACON_SIGNATURE} octets")
    return signature


def read_report(request: dealer_pb2.ReportFairnessFailureRequest) -> Report:
    """What a client found."""
    if request.finding not in dealer_pb2.FairnessFinding.values() or not request.finding:
        raise invalid_field("finding", "one of the findings is due")
    hand = request.hand_number if request.HasField("hand_number") else None
    if hand is not None and hand > U32_MAX:
        raise invalid_field("hand_number", "a hand's number is due")
    return Report(read_word("request_id", request.request_id), request.finding, hand)


def write_beacon_taken(receipt: SignedReceipt, fell_back: bool) -> dealer_pb2.SubmitBeaconResponse:
    """The answer to SubmitBeacon."""
    return dealer_pb2.SubmitBeaconResponse(receipt=signed_receipt(receipt), fell_back=fell_back)


def write_commitments(found: Sequence[Listed], token: str) -> dealer_pb2.ListCommitmentsResponse:
    """The answer to ListCommitments."""
    listed = [
        dealer_pb2.ListedCommitment(
            match_id=each.leaf.match_id,
            commitment=each.leaf.commitment,
            opened_ms=each.leaf.opened_ms,
            key_id=each.key_id,
            ending=each.ending,
            revealed_ms=each.revealed_ms,
            server_seed=each.server_seed,
            fallback=each.fallback,
            reports=each.reports,
            private=each.private,
            table_id=each.table_id,
            participant_ids=each.participants,
        )
        for each in found
    ]
    return dealer_pb2.ListCommitmentsResponse(commitments=listed, next_page_token=token)


def write_roots(found: Sequence[SignedRoot], token: str) -> dealer_pb2.ListDailyRootsResponse:
    """The answer to ListDailyRoots."""
    return dealer_pb2.ListDailyRootsResponse(roots=[_root(each) for each in found], next_page_token=token)


def _root(signed: SignedRoot) -> dealer_pb2.DailyRoot:
    root = signed.root
    return dealer_pb2.DailyRoot(
        day=(_FIRST_DAY + datetime.timedelta(days=root.day)).isoformat(),
        commitments=root.size,
        root=root.root,
        octets=signed.octets,
        signature=signed.signature,
        key_id=signed.key_id,
    )


def write_figures(figures: Figures) -> dealer_pb2.GetFairnessStatsResponse:
    """The answer to GetFairnessStats."""
    total = _counts(figures.keys)
    answered = total.beacons + total.fallbacks
    return dealer_pb2.GetFairnessStatsResponse(
        counted_ms=figures.counted_ms,
        counts=total,
        fallback_rate=total.fallbacks / answered if answered else 0.0,
        keys=[dealer_pb2.KeyCounts(key_id=each.name, counts=_counts((each,))) for each in figures.keys],
        tables=[dealer_pb2.TableCounts(table_id=each.name, counts=_counts((each,))) for each in figures.tables],
        clock_offset_ms=figures.clock_offset_ms,
        relays=[_relay(each) for each in figures.relays],
        distributions=[_distribution(each) for each in figures.tallies],
    )


def _counts(rows: Sequence[Counts]) -> dealer_pb2.MatchCounts:
    """All rows together."""
    counts = dealer_pb2.MatchCounts()
    for each in rows:
        counts.opened += each.opened
        counts.finished += each.finished
        counts.abandoned += each.abandoned
        counts.cancelled += each.cancelled
        counts.running += each.opened - each.finished - each.abandoned - each.cancelled
        counts.beacons += each.beacons
        counts.fallbacks += each.fallbacks
        counts.reports += each.reports
    return counts


def _relay(health: RelayHealth) -> dealer_pb2.RelayHealth:
    return dealer_pb2.RelayHealth(
        url=health.relay.url,
        operator=health.relay.operator,
        tries=health.tries,
        verified=health.verified,
        last_verified_ms=health.last_verified_ms,
        last_failure=health.last_failure,
    )


def _distribution(tally: Tally) -> dealer_pb2.PackDistribution:
    found = chi_square(tally)
    voids = [
        dealer_pb2.VoidRate(
            hand_size=each.hand_size,
            hands=each.hands,
            voids=each.voids,
            rate=each.rate,
            expected_rate=each.expected_rate,
            deviations=each.deviations,
        )
        for each in void_figures(tally)
    ]
    return dealer_pb2.PackDistribution(
        pack_size=tally.pack_size,
        matches=tally.matches,
        packs=tally.packs,
        chi_square=found.value,
        degrees_of_freedom=found.degrees,
        chance=found.chance,
        voids=voids,
    )
