"""Two dealers on one database: whatever races, every step has one outcome, and both answer with it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

import pytest
import pytest_asyncio

from belot_fair.bodies import Kind
from belot_kit.errors import DomainError, Reason
from support.beacons import Beaconry
from support.databases import Database
from support.dealers import DealerClient, checked, dealer_at, dealer_config, opening, ready_to_deal, seed_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

Answer = TypeVar("Answer")
Pair = tuple[DealerClient, DealerClient]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> AsyncIterator[Pair]:
    """Two replicas with the same keys and the same database."""
    state = tmp_path_factory.mktemp("dealers")
    async with (
        dealer_at(dealer_config(module_database, state, sound_relays.urls)) as one,
        dealer_at(dealer_config(module_database, state, sound_relays.urls)) as other,
    ):
        yield one, other


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dealt_twice(pair: Pair) -> list[str]:
    """Matches whose beacon is fixed; a test takes one with `pop`."""
    return list(await asyncio.gather(*(ready_to_deal(pair[0]) for _ in range(2))))


async def at_once(dealers: Pair, step: Callable[[DealerClient], Awaitable[Answer]], times: int = 3) -> Answer:
    """The one answer that all get who take the same step at the same time."""
    answers = await asyncio.gather(*(step(dealer) for dealer in dealers * times))
    assert all(answer == answers[0] for answer in answers)
    return answers[0]


async def outcomes(steps: Sequence[Awaitable[Answer]]) -> list[Answer | Reason]:
    """What each of several steps at once came to: its answer, or why it was refused."""
    done = await asyncio.gather(*steps, return_exceptions=True)
    return [each.reason if isinstance(each, DomainError) else raised(each) for each in done]


def raised(answer: Answer | BaseException) -> Answer:
    """The answer, or the error if it is one."""
    if isinstance(answer, BaseException):
        raise answer
    return answer


async def test_steps_that_race_are_taken_once(pair: Pair) -> None:
    request = opening("PBB")
    match_id = request.match_id
    await at_once(pair, lambda dealer: dealer.open(request))
    await at_once(pair, lambda dealer: dealer.seed(match_id, 0, seed_of(match_id, 0)))
    await at_once(pair, lambda dealer: dealer.close(match_id))
    await at_once(pair, lambda dealer: dealer.fix(match_id))
    await at_once(pair, lambda dealer: dealer.release(match_id, 0, 0, [(0, 0), (1, 1), (2, 2)]))
    await at_once(pair, lambda dealer: dealer.release(match_id, 0, 1, [(3, "up_card")]))
    await at_once(pair, lambda dealer: dealer.reveal(match_id))
    kinds = [event.kind for event in checked(await pair[0].transcript(match_id))]
    assert kinds == [*(Kind.OPENED, Kind.SEEDS, Kind.ROUND_CHOSEN, Kind.BEACON), *(Kind.HAND, Kind.HAND), Kind.REVEALED]
    assert await pair[0].transcript(match_id) == await pair[1].transcript(match_id)


async def test_of_two_releases_that_contradict_each_other_one_stands(pair: Pair, dealt_twice: list[str]) -> None:
    match_id = dealt_twice.pop()
    steps = [dealer.release(match_id, 0, 0, [(0, seat)]) for seat in range(4) for dealer in pair]
    came = await outcomes(steps)
    assert came.count(Reason.REQUEST_ID_REUSED) == 6
    (one, other) = [each for each in came if not isinstance(each, Reason)]
    assert one == other
    assert checked(await pair[0].transcript(match_id))[-1].kind == Kind.HAND


async def test_a_match_revealed_elsewhere_gives_out_no_card(pair: Pair, dealt_twice: list[str]) -> None:
    match_id = dealt_twice.pop()
    await pair[0].release(match_id, 0, 0, [(0, 0)])
    await pair[1].reveal(match_id)
    assert await outcomes([pair[0].release(match_id, 1, 0, [(0, 0)])]) == [Reason.HAND_NOT_ENTITLED]


async def test_of_two_seeds_for_a_seat_one_stands(pair: Pair) -> None:
    request = opening("PB")
    await pair[0].open(request)
    seeds = [bytes([number]) * 16 for number in range(8)]
    came = await outcomes([pair[at % 2].seed(request.match_id, 0, seed) for at, seed in enumerate(seeds)])
    assert came.count(Reason.SEED_ALREADY_SENT) == 7
    (winner,) = [seed for seed, each in zip(seeds, came, strict=True) if not isinstance(each, Reason)]
    assert list((await pair[1].close(request.match_id)).seeds) == [winner, b""]
