"""Between the dealer's protobuf messages and its values; everything malformed is refused here, field by field."""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot_dealer.commands import (
    BeaconFixed,
    CardsReleased,
    MatchRevealed,
    Opened,
    SeedsClosed,
    SeedTaken,
    Transcript,
)
from belot_dealer.match import ENDINGS, Opening
from belot_fair.bodies import HASH_LENGTH, OUT_OF_PLAY, PARTICIPANT_LENGTH, SHOWN_TO_ALL, Hand, Seat, SeatKind
from belot_fair.drand import Chain
from belot_fair.octets import Malformed
from belot_fair.receipts import SignedReceipt
from belot_fair.recipe import CLIENT_SEED_LENGTH, NO_VALUE, PACK_SIZES, SEATS
from belot_fair.transcript import SignedEvent
from belot_kit.errors import DomainError, Reason, invalid_field

DEFAULT_SEED_TIMEOUT_MS: Final = 10_000
MOST_SEED_TIMEOUT_MS: Final = 600_000
MOST_RULESET_JSON: Final = 64 * 1024
MOST_STAGE: Final = 254
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_KINDS: Final = {common_pb2.ACTOR_KIND_PERSON: SeatKind.PERSON, common_pb2.ACTOR_KIND_BOT: SeatKind.BOT}


def read_match_id(match_id: str) -> str:
    """A match id: a UUID in its usual lower-case form."""
    if not _UUID.fullmatch(match_id):
        raise invalid_field("match_id", "a UUID in lower case is due")
    return match_id


def read_opening(request: dealer_pb2.OpenMatchRequest) -> Opening:
    """What an OpenMatch binds."""
    match_id = read_match_id(request.match_id)
    if len(request.seats) not in SEATS:
        raise invalid_field("seats", "a table has 2, 3 or 4 seats")
    if len(request.sides) != len(request.seats) or any(side >= len(request.seats) for side in request.sides):
        raise invalid_field("sides", "every seat has a side, counted from 0")
    if request.first_dealer >= len(request.seats):
        raise invalid_field("first_dealer", "one of the seats is due")
    if request.pack_size not in PACK_SIZES:
        raise invalid_field("pack_size", "24 or 32 is due")
    timeout_ms = request.seed_timeout_ms or DEFAULT_SEED_TIMEOUT_MS
    if timeout_ms > MOST_SEED_TIMEOUT_MS:
        raise invalid_field("seed_timeout_ms", f"at most {MOST_SEED_TIMEOUT_MS}")
    seats = tuple(_read_seat(seat, f"seats[{at}]") for at, seat in enumerate(request.seats))
    if len({seat.participant for seat in seats}) != len(seats):
        raise invalid_field("seats", "every seat has a participant id of its own")
    ruleset_hash, ruleset_json = _read_ruleset(request)
    return Opening(
        match_id=match_id,
        seats=seats,
        sides=tuple(request.sides),
        first_dealer=request.first_dealer,
        ruleset_name=request.ruleset.name,
        ruleset_version=request.ruleset.version,
        ruleset_hash=ruleset_hash,
        ruleset_json=ruleset_json,
        pack_size=request.pack_size,
        seed_timeout_ms=timeout_ms,
    )


def _read_seat(seat: dealer_pb2.MatchSeat, at: str) -> Seat:
    if len(seat.participant_id) != PARTICIPANT_LENGTH:
        raise invalid_field(f"{at}.participant_id", f"exactly {PARTICIPANT_LENGTH} octets are due")
    kind = _KINDS.get(seat.kind)
    if kind is None:
        raise invalid_field(f"{at}.kind", "a person or a bot is due")
    read = Seat(seat.participant_id, kind, seat.bot_level, seat.bot_policy)
    try:
        read.encode()
    except Malformed as malformed:
        raise invalid_field(at, str(malformed)) from None
    return read


def _read_ruleset(request: dealer_pb2.OpenMatchRequest) -> tuple[bytes, bytes]:
    """The ruleset's hash and JSON, which must give that hash: what is bound is checked before it is signed."""
    name = request.ruleset.name
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", name, re.ASCII):
        raise invalid_field("ruleset.name", "1 to 64 letters, digits and . _ - are due")
    if not _HASH.fullmatch(request.ruleset.hash):
        raise invalid_field("ruleset.hash", "a SHA-256 in lower-case hex is due")
    octets = request.ruleset_json.encode()
    if not 0 < len(octets) <= MOST_RULESET_JSON:
        raise invalid_field("ruleset_json", f"1 to {MOST_RULESET_JSON} octets are due")
    if hashlib.sha256(octets).hexdigest() != request.ruleset.hash:
        raise invalid_field("ruleset.hash", "it is not the SHA-256 of ruleset_json")
    return bytes.fromhex(request.ruleset.hash), octets


def read_seed(seed: bytes) -> bytes:
    """A player's seed. Errors: DomainError SEED_INVALID."""
    if len(seed) != CLIENT_SEED_LENGTH:
        raise DomainError(Reason.SEED_INVALID, f"a seed is exactly {CLIENT_SEED_LENGTH} octets")
    return seed


def read_seat_number(seat: int) -> int:
    """A seat's number."""
    if seat >= max(SEATS):
        most = max(SEATS) - 1
        raise invalid_field("seat", f"0 to {most}")
    return seat


def read_hand(request: dealer_pb2.ReleaseCardsRequest) -> Hand:
    """What a ReleaseCards asks for."""
    if request.stage > MOST_STAGE:
        raise invalid_field("stage", f"0 to {MOST_STAGE}")
    if not 0 < len(request.releases) <= max(PACK_SIZES):
        raise invalid_field("releases", f"1 to {max(PACK_SIZES)} are due")
    positions = tuple(_read_release(each, f"releases[{at}]") for at, each in enumerate(request.releases))
    numbers = [position for position, _ in positions]
    if numbers != sorted(set(numbers)):
        raise invalid_field("releases", "positions come once each, in ascending order")
    return Hand(request.hand_number, request.stage, positions)


def _read_release(release: dealer_pb2.Release, at: str) -> tuple[int, int]:
    if release.position >= max(PACK_SIZES):
        raise invalid_field(f"{at}.position", f"0 to {max(PACK_SIZES) - 1}")
    to = release.WhichOneof("to")
    if to == "seat" and release.seat < max(SEATS):
        return release.position, release.seat
    if to == "up_card" and release.up_card:
        return release.position, SHOWN_TO_ALL
    if to == "left_out" and release.left_out:
        return release.position, OUT_OF_PLAY
    raise invalid_field(f"{at}.to", "a seat, up_card or left_out is due")


def read_play_log_hash(play_log_hash: bytes) -> bytes:
    """The hash of a play log."""
    if len(play_log_hash) != HASH_LENGTH:
        raise invalid_field("play_log_hash", f"exactly {HASH_LENGTH} octets are due")
    return play_log_hash


def read_ending(ending: str) -> str:
    """How a match ended."""
    if ending not in ENDINGS:
        raise invalid_field("ending", f"one of {', '.join(ENDINGS)}")
    return ending


def _event(event: SignedEvent) -> dealer_pb2.SignedEvent:
    return dealer_pb2.SignedEvent(octets=event.octets, signature=event.signature, key_id=event.key_id)


def signed_receipt(receipt: SignedReceipt) -> dealer_pb2.SignedReceipt:
    """A receipt as a message."""
    return dealer_pb2.SignedReceipt(octets=receipt.octets, signature=receipt.signature, key_id=receipt.key_id)


def _keys(keys: Sequence[tuple[str, bytes]]) -> list[dealer_pb2.VerifyKey]:
    return [dealer_pb2.VerifyKey(key_id=key_id, public_key=public_key) for key_id, public_key in keys]


def _chain(chain: Chain) -> dealer_pb2.DrandChain:
    return dealer_pb2.DrandChain(
        name=chain.beacon_id,
        chain_hash=chain.chain_hash,
        public_key=chain.public_key,
        period_seconds=chain.period,
        genesis_time=chain.genesis,
        group_hash=chain.group_hash,
        scheme=chain.scheme,
    )


def write_opened(opened: Opened) -> dealer_pb2.OpenMatchResponse:
    """The answer to OpenMatch."""
    return dealer_pb2.OpenMatchResponse(
        commitment=opened.commitment,
        event=_event(opened.event),
        seed_deadline_ms=opened.seed_deadline_ms,
        chain=_chain(opened.chain),
        keys=_keys(opened.keys),
    )


def write_seed_taken(taken: SeedTaken) -> dealer_pb2.SubmitSeedResponse:
    """The answer to SubmitSeed."""
    return dealer_pb2.SubmitSeedResponse(receipt=signed_receipt(taken.receipt), complete=taken.complete)


def write_seeds_closed(closed: SeedsClosed) -> dealer_pb2.CloseSeedsResponse:
    """The answer to CloseSeeds."""
    return dealer_pb2.CloseSeedsResponse(
        events=[_event(event) for event in closed.events],
        seeds=closed.seeds,
        round=closed.round,
        round_due_ms=closed.round_due_ms,
    )


def write_beacon_fixed(fixed: BeaconFixed) -> dealer_pb2.FixBeaconResponse:
    """The answer to FixBeacon."""
    return dealer_pb2.FixBeaconResponse(
        event=_event(fixed.event),
        fallback=fixed.value == NO_VALUE,
        round=fixed.round,
        signature=fixed.signature,
        value=fixed.value,
    )


def write_cards_released(released: CardsReleased) -> dealer_pb2.ReleaseCardsResponse:
    """The answer to ReleaseCards; a card's number on the wire is one more, as 0 means none."""
    cards = [
        dealer_pb2.ReleasedCard(position=position, card=common_pb2.Card.ValueType(card + 1))
        for position, card in released.cards
    ]
    return dealer_pb2.ReleaseCardsResponse(
        cards=cards,
        event=_event(released.event),
        receipts=[dealer_pb2.SeatReceipt(seat=seat, receipt=signed_receipt(each)) for seat, each in released.receipts],
        bot_seeds=[dealer_pb2.BotSeed(seat=seat, seed=seed) for seat, seed in enumerate(released.bot_seeds)],
    )


def write_revealed(revealed: MatchRevealed) -> dealer_pb2.RevealMatchResponse:
    """The answer to RevealMatch."""
    return dealer_pb2.RevealMatchResponse(event=_event(revealed.event), server_seed=revealed.server_seed)


def write_transcript(transcript: Transcript) -> dealer_pb2.GetTranscriptResponse:
    """The answer to GetTranscript."""
    return dealer_pb2.GetTranscriptResponse(
        events=[_event(event) for event in transcript.events],
        keys=_keys(transcript.keys),
        chain=_chain(transcript.chain),
    )


def write_info(chain: Chain, keys: Sequence[tuple[str, bytes]]) -> dealer_pb2.GetDealerInfoResponse:
    """The answer to GetDealerInfo."""
    return dealer_pb2.GetDealerInfoResponse(chain=_chain(chain), keys=_keys(keys))
