"""The rating service's inbox: real server, real database; every result once, whoever brings it how often."""

import asyncio
import signal
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import asyncpg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from belot.table.v1 import view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, open_channel
from belot_rating.servicer import SERVICE
from support.databases import Database
from support.ratings import RatingClient, rating_at, rating_process
from support.results import PEOPLE, match_result, person

WORKERS, DELIVERIES = 5, 10


@pytest.fixture
async def rating(database: Database, tmp_path: Path) -> AsyncIterator[RatingClient]:
    async with rating_at(database, f"unix:{tmp_path}/rating.sock") as client:
        yield client


async def rows(database: Database) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(database.dsn)
    try:
        return await connection.fetch("SELECT * FROM belot_rating.inbox ORDER BY match_id")
    finally:
        await connection.close()


async def refusal(rating: RatingClient, match: view_pb2.MatchFinished) -> DomainError:
    with pytest.raises(DomainError) as caught:
        await rating.record(match)
    return caught.value


async def test_the_wired_service_is_healthy(rating: RatingClient) -> None:
    async with open_channel(ChannelOptions(rating.address)) as channel:
        health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=SERVICE))
    assert health.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_result_is_kept_once_and_answered_the_same_way_again(rating: RatingClient, database: Database) -> None:
    first = await rating.record(match_result())
    again = await rating.record(match_result(leavers=["boris", "clara"]))
    assert (first.already_known, again.already_known) == (False, True)
    assert again.recorded_at == first.recorded_at
    assert list(await rating.recorded()) == [match_result()]
    (row,) = await rows(database)
    assert (row["ruleset"], row["seats"], row["pack"], row["rated"], row["place"]) == ("classic", 4, 32, True, None)


async def test_ten_deliveries_by_five_workers_of_two_replicas_are_one_result(
    rating: RatingClient, database: Database, tmp_path: Path
) -> None:
    async with rating_at(database, f"unix:{tmp_path}/other.sock") as other:

        async def worker(client: RatingClient) -> list[bool]:
            return [(await client.record(match_result())).already_known for _ in range(DELIVERIES // WORKERS)]

        told = await asyncio.gather(*(worker(other if number % 2 else rating) for number in range(WORKERS)))
    answers = [known for each in told for known in each]
    assert (len(answers), answers.count(False)) == (DELIVERIES, 1)
    assert len(await rows(database)) == 1


async def test_another_result_of_the_match_is_refused_and_changes_nothing(
    rating: RatingClient, database: Database
) -> None:
    await rating.record(match_result())
    before = await rows(database)
    error = await refusal(rating, match_result(card_points=[601, 411]))
    assert (error.reason, error.metadata["match_id"]) == (Reason.MATCH_RESULT_DIFFERS, "match-1")
    assert await rows(database) == before


async def test_of_two_results_told_at_once_one_is_kept_and_the_other_one_refused(
    rating: RatingClient, database: Database
) -> None:
    for number in range(20):
        name = f"match-{number}"
        told = [match_result(name), match_result(name, pack_size=24)]
        answers = await asyncio.gather(*map(rating.record, told), return_exceptions=True)
        refused = [each.reason for each in answers if isinstance(each, DomainError)]
        assert refused == [Reason.MATCH_RESULT_DIFFERS]
    assert len(await rows(database)) == 20


@pytest.mark.parametrize(
    ("match", "field"),
    [
        (None, "match.match_id"),
        (match_result(match_id="x" * 65), "match.match_id"),
        (match_result(sides=[0, 1]), "match.sides"),
        (match_result(seats=[person(seat, PEOPLE[0]) for seat in range(4)]), "match.seats"),
        (match_result(result=None), "match.result.ranks"),
    ],
)
async def test_what_is_no_result_is_refused_by_the_name_of_its_field(
    rating: RatingClient, database: Database, match: view_pb2.MatchFinished | None, field: str
) -> None:
    error = await refusal(rating, match or view_pb2.MatchFinished())
    assert error.reason is Reason.INVALID_ARGUMENT
    assert [each.field for each in error.violations] == [field]
    assert await rows(database) == []


async def test_octets_that_are_no_message_are_refused(rating: RatingClient) -> None:
    async with open_channel(ChannelOptions(rating.address)) as channel:
        send = channel.unary_unary(f"/{SERVICE}/RecordMatch")
        with pytest.raises(Exception, match="INVALID_ARGUMENT"):
            await send(b"\xff\xff\xff", timeout=5)


async def test_pages_show_every_result_once_latest_first(rating: RatingClient) -> None:
    for number in range(7):
        await rating.record(match_result(f"match-{number}"))
    found, token = [], ""
    while True:
        page = await rating.page(3, token)
        found += list(page.matches)
        if not (token := page.next_page_token):
            break
        assert len(page.matches) == 3
    assert sorted(each.match.match_id for each in found) == [f"match-{number}" for number in range(7)]
    keys = [(each.recorded_at.ToNanoseconds(), each.match.match_id) for each in found]
    assert all(one > two for one, two in pairwise(keys))


async def test_a_page_token_of_another_list_is_refused(rating: RatingClient) -> None:
    with pytest.raises(DomainError) as caught:
        await rating.page(token="WyJ4IiwxLCJ5Il0")
    assert [each.field for each in caught.value.violations] == ["page_token"]


@pytest.mark.parametrize("place", ["rating_before_keep", "rating_after_keep"])
async def test_a_process_that_dies_before_its_answer_leaves_the_result_once(
    database: Database, tmp_path: Path, place: str
) -> None:
    async with rating_process(database, tmp_path, f"unix:{tmp_path}/first.sock", f"{place}=kill") as (process, client):
        assert (await refusal(client, match_result())).reason is Reason.UNAVAILABLE
        assert await process.wait() == -signal.SIGKILL
    async with rating_process(database, tmp_path, f"unix:{tmp_path}/second.sock") as (_, client):
        answer = await client.record(match_result())
        assert answer.already_known is (place == "rating_after_keep")
        assert list(await client.recorded()) == [match_result()]
