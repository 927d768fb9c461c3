"""What the dealer refuses, with which reason, and what it answers to nonsense."""

import random
import uuid
from collections.abc import Awaitable, Callable
from hashlib import sha256

import grpc
import pytest

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot_dealer.servicer import SERVICE
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, open_channel
from support.dealers import PLAY_LOG_HASH, DealerClient, opening, seed_of, seeded

pytestmark = pytest.mark.asyncio(loop_scope="module")

RPCS = tuple(method.name for method in dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].methods)
REQUESTS = {name: getattr(dealer_pb2, f"{name}Request") for name in RPCS}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda request: setattr(request, "match_id", "a match"),
        lambda request: setattr(request, "match_id", str(uuid.uuid4()).upper()),
        lambda request: request.seats.pop(),
        lambda request: request.seats.extend(list(request.seats)),
        lambda request: setattr(request.seats[0], "participant_id", bytes(15)),
        lambda request: setattr(request.seats[0], "participant_id", request.seats[1].participant_id),
        lambda request: setattr(request.seats[0], "kind", common_pb2.ACTOR_KIND_AUTOMATIC),
        lambda request: setattr(request.seats[0], "bot_level", "easy"),
        lambda request: setattr(request.seats[2], "bot_level", ""),
        lambda request: setattr(request.seats[2], "bot_policy", "a b"),
        lambda request: request.sides.pop(),
        lambda request: request.sides.__setitem__(0, 256),
        lambda request: setattr(request, "first_dealer", 3),
        lambda request: setattr(request.ruleset, "name", ""),
        lambda request: setattr(request.ruleset, "hash", request.ruleset.hash.upper()),
        lambda request: setattr(request.ruleset, "hash", sha256(b"other").hexdigest()),
        lambda request: setattr(request, "ruleset_json", request.ruleset_json + " "),
        lambda request: setattr(request, "pack_size", 52),
        lambda request: setattr(request, "seed_timeout_ms", 3_600_000),
    ],
)
async def test_a_malformed_opening_names_its_field(
    shared_dealer: DealerClient, spoil: Callable[[dealer_pb2.OpenMatchRequest], None]
) -> None:
    request = opening("PPB")
    spoil(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.open(request)
    assert refused.value.reason is Reason.INVALID_ARGUMENT
    assert refused.value.violations


async def test_an_opening_with_other_content_is_refused(shared_dealer: DealerClient) -> None:
    request = opening("PPB")
    await shared_dealer.open(request)
    other = opening("PPB", match_id=request.match_id, pack_size=24)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.open(other)
    assert refused.value.reason is Reason.REQUEST_ID_REUSED


async def test_the_first_seed_of_a_seat_stands(shared_dealer: DealerClient) -> None:
    request = opening("PP")
    await shared_dealer.open(request)
    await shared_dealer.seed(request.match_id, 0, seed_of(request.match_id, 0))
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 0, bytes(16))
    assert refused.value.reason is Reason.SEED_ALREADY_SENT
    await shared_dealer.seed(request.match_id, 1, seed_of(request.match_id, 1))
    closed = await shared_dealer.close(request.match_id)
    assert list(closed.seeds) == [seed_of(request.match_id, seat) for seat in (0, 1)]


@pytest.mark.parametrize("length", [0, 15, 17, 32])
async def test_a_seed_has_16_octets(shared_dealer: DealerClient, length: int) -> None:
    request = opening("PP")
    await shared_dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 0, bytes(length))
    assert refused.value.reason is Reason.SEED_INVALID


async def test_a_bot_sends_no_seed(shared_dealer: DealerClient) -> None:
    request = opening("PB")
    await shared_dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 1, bytes(16))
    assert refused.value.reason is Reason.SEED_INVALID


async def test_a_seat_that_is_not_there_sends_no_seed(shared_dealer: DealerClient) -> None:
    request = opening("PB")
    await shared_dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 2, bytes(16))
    assert refused.value.reason is Reason.INVALID_ARGUMENT


async def test_seeds_stay_open_while_one_is_awaited(shared_dealer: DealerClient) -> None:
    request = opening("PP")
    await shared_dealer.open(request)
    await shared_dealer.seed(request.match_id, 0, seed_of(request.match_id, 0))
    with pytest.raises(DomainError) as refused:
        await shared_dealer.close(request.match_id)
    assert refused.value.reason is Reason.WRONG_PHASE


async def test_after_the_deadline_a_missing_seed_counts_as_none_and_comes_too_late(
    shared_dealer: DealerClient,
) -> None:
    request = opening("PP", seed_timeout_ms=1)
    await shared_dealer.open(request)
    closed = await shared_dealer.close(request.match_id)
    assert list(closed.seeds) == [b"", b""]
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 0, bytes(16))
    assert refused.value.reason is Reason.SEEDS_CLOSED


async def test_no_round_is_awaited_before_seeds_close(shared_dealer: DealerClient) -> None:
    request = opening("PP")
    await shared_dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.fix(request.match_id)
    assert refused.value.reason is Reason.WRONG_PHASE


async def test_a_caller_in_a_hurry_is_told_when_to_come_back(shared_dealer: DealerClient) -> None:
    request = opening("BB")
    await seeded(shared_dealer, request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.fix(request.match_id, most_s=0.5)
    assert refused.value.reason is Reason.BEACON_NOT_READY
    assert refused.value.retry_after_ms is not None
    assert 500 <= refused.value.retry_after_ms <= 2_500


@pytest.mark.parametrize("ending", ["abandoned", "cancelled"])
async def test_a_match_may_end_before_its_first_card(shared_dealer: DealerClient, ending: str) -> None:
    request = opening("PB")
    opened = await shared_dealer.open(request)
    revealed = await shared_dealer.reveal(request.match_id, ending=ending)
    assert sha256(revealed.server_seed).digest() == opened.commitment
    for step in (shared_dealer.close, shared_dealer.fix):
        with pytest.raises(DomainError) as refused:
            await step(request.match_id)
        assert refused.value.reason is Reason.WRONG_PHASE
    with pytest.raises(DomainError) as refused:
        await shared_dealer.seed(request.match_id, 0, bytes(16))
    assert refused.value.reason is Reason.SEEDS_CLOSED


async def test_a_match_is_revealed_with_one_play_log(shared_dealer: DealerClient) -> None:
    request = opening("PB")
    await shared_dealer.open(request)
    await shared_dealer.reveal(request.match_id, ending="abandoned")
    for play_log_hash, ending in ((bytes(32), "abandoned"), (PLAY_LOG_HASH, "cancelled")):
        with pytest.raises(DomainError) as refused:
            await shared_dealer.reveal(request.match_id, play_log_hash, ending)
        assert refused.value.reason is Reason.REQUEST_ID_REUSED


@pytest.mark.parametrize(
    ("play_log_hash", "ending"), [(bytes(31), "finished"), (PLAY_LOG_HASH, "won"), (PLAY_LOG_HASH, "")]
)
async def test_a_malformed_reveal_is_refused(shared_dealer: DealerClient, play_log_hash: bytes, ending: str) -> None:
    request = opening("PB")
    await shared_dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await shared_dealer.reveal(request.match_id, play_log_hash, ending)
    assert refused.value.reason is Reason.INVALID_ARGUMENT


async def test_a_match_that_was_never_opened_is_not_found(shared_dealer: DealerClient) -> None:
    nowhere = str(uuid.uuid4())
    steps = (
        shared_dealer.seed(nowhere, 0, bytes(16)),
        shared_dealer.close(nowhere),
        shared_dealer.fix(nowhere),
        shared_dealer.release(nowhere, 0, 0, [(0, 0)]),
        shared_dealer.reveal(nowhere),
        shared_dealer.transcript(nowhere),
    )
    for step in steps:
        with pytest.raises(DomainError) as refused:
            await step
        assert refused.value.reason is Reason.MATCH_NOT_FOUND


@pytest.mark.parametrize("rpc", [name for name in RPCS if name != "GetDealerInfo"])
async def test_random_octets_are_malformed_and_nothing_worse(shared_dealer: DealerClient, rpc: str) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    async with open_channel(ChannelOptions(shared_dealer.address)) as channel:
        method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/{rpc}")
        for octets in nonsense(rng, REQUESTS[rpc], 60):
            code = await answered(method(octets, timeout=5.0))
            assert code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND} or (
                # Where every field may be left out, a few octets can happen to say something sensible.
                code is grpc.StatusCode.OK and rpc.startswith(("List", "Get"))
            )


async def answered(call: Awaitable[bytes]) -> grpc.StatusCode:
    """How a call ended."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def nonsense(rng: random.Random, kind: type, count: int) -> list[bytes]:
    """Random octets, and octets of a message with some of them changed."""
    whole = opening("PPB").SerializeToString() if kind is dealer_pb2.OpenMatchRequest else b"\x0a\x241" * 8
    spoiled = []
    for _ in range(count // 2):
        octets = bytearray(whole)
        # The match id stays spoiled, so that no change makes a valid request by chance.
        octets[2 + rng.randrange(36) if len(octets) > 40 else 0] = rng.choice(b"xyzXYZ")
        for _ in range(rng.randrange(4)):
            octets[rng.randrange(len(octets))] = rng.randrange(256)
        octets[5] = ord("x")
        spoiled.append(bytes(octets))
    return spoiled + [rng.randbytes(rng.randrange(1, 200)) for _ in range(count - count // 2)]
