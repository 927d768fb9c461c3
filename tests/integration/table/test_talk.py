"""Talk at a table: who is not heard by whom, what is reported to moderators, and how much of it there may be."""

import asyncpg
import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_events.visibility import visible_to
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.databases import Database
from support.tables import TableClient, new_request, ready, short_match

pytestmark = pytest.mark.asyncio(loop_scope="session")

SPAM = table_pb2.REPORT_REASON_SPAM


def sit(name: str) -> table_pb2.TableAction:
    """Sitting down."""
    return table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name=name))


def words(text: str) -> table_pb2.TableAction:
    """Something to say."""
    return table_pb2.TableAction(say=table_pb2.Say(text=text))


def mute(player_id: str, muted: bool = True) -> table_pb2.TableAction:
    """Hearing somebody no longer, or again."""
    return table_pb2.TableAction(mute_player=table_pb2.MutePlayer(player_id=player_id, muted=muted))


def report(sequence: int, reason: "table_pb2.ReportReason.ValueType" = SPAM) -> table_pb2.TableAction:
    """Reporting a message."""
    return table_pb2.TableAction(report_message=table_pb2.ReportMessage(sequence=sequence, reason=reason))


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


async def two(tables: TableClient) -> tuple[str, str, str]:
    """A table with two players."""
    anna, boris = new_request(), new_request()
    table_id = (await tables.create(anna, short_match(), "Anna")).summary.table_id
    await tables.do(table_id, boris, sit("Boris"))
    return table_id, anna, boris


async def reports(tables: TableClient, speaker: str, size: int = 0, token: str = "") -> tuple[list[object], str]:
    """A page of what was reported of a player."""
    request = table_pb2.ListMessageReportsRequest(page_size=size, page_token=token, speaker_id=speaker)
    page = await call(tables.stub.ListMessageReports, request)
    return [(each.sequence, each.said.said.text, each.reporter_id, each.reason) for each in page.reports], (
        page.next_page_token
    )


async def test_what_a_muted_player_says_is_a_number_to_who_muted_him(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    first, again = [await tables.do(table_id, anna, mute(boris), "r") for _ in range(2)]
    assert first == again
    assert (await refusal(tables.do(table_id, anna, mute(boris, False), "r"))).reason is Reason.REQUEST_ID_REUSED
    await tables.do(table_id, boris, words("hm"))
    await tables.do(table_id, boris, table_pb2.TableAction(say=table_pb2.Say(phrase="hello")))
    await tables.do(table_id, anna, mute(boris, False))
    await tables.do(table_id, boris, words("now"))
    log = await tables.events(table_id)
    told = [each for each in log if each.kind in ("said", "player_muted")]
    heard = {
        seat: [
            None if (seen := visible_to(each, seat)) is None else view_pb2.TableEvent.FromString(seen) for each in told
        ]
        for seat in (0, 1, None)
    }
    assert [each and each.WhichOneof("kind") for each in heard[0]] == [
        "player_muted",
        None,
        None,
        "player_muted",
        "said",
    ]
    for seat in (1, None):
        assert [(each and each.said.text) or (each and each.said.phrase) for each in heard[seat]] == [
            None,
            "hm",
            "hello",
            None,
            "now",
        ]
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))


async def test_a_viewer_is_shown_whom_he_does_not_hear(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    await tables.do(table_id, anna, mute(boris))
    assert list((await tables.view(table_id, anna)).muted_player_ids) == [boris]
    assert not (await tables.view(table_id, boris)).muted_player_ids
    assert not (await tables.view(table_id)).muted_player_ids


async def test_a_report_is_kept_once_with_what_was_said(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    said = await tables.do(table_id, boris, words("buy gold"))
    first, again = [await tables.do(table_id, anna, report(said.sequence), "r") for _ in range(2)]
    assert first == again
    other = report(said.sequence, table_pb2.REPORT_REASON_ABUSE)
    assert (await refusal(tables.do(table_id, anna, other, "r"))).reason is Reason.REQUEST_ID_REUSED
    # A second report of his changes nothing, whatever it says.
    assert await tables.do(table_id, anna, other) == first
    assert (await reports(tables, boris))[0] == [(said.sequence, "buy gold", anna, SPAM)]
    told = [each for each in await tables.events(table_id) if each.kind == "message_reported"]
    assert [visible_to(told[0], seat) is None for seat in (0, 1, None)] == [False, True, True]
    assert len(told) == 1


async def test_reports_come_latest_first_in_pages_of_one_speaker_or_of_all(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    said = [(await tables.do(table_id, boris, words(f"number {number}"))).sequence for number in range(3)]
    own = (await tables.do(table_id, anna, words("and you"))).sequence
    for sequence in said:
        await tables.do(table_id, anna, report(sequence))
    await tables.do(table_id, boris, report(own))
    found: list[object] = []
    token = ""
    while True:
        page, token = await reports(tables, boris, 2, token)
        found += page
        if not token:
            break
    assert found == [(sequence, f"number {number}", anna, SPAM) for number, sequence in list(enumerate(said))[::-1]]
    assert (await reports(tables, "", 1))[0] == [(own, "and you", boris, SPAM)]
    _, token = await reports(tables, boris, 1)
    assert (await refusal(reports(tables, anna, 1, token))).violations[0].field == "page_token"


async def test_what_was_not_said_by_another_cannot_be_reported(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    own = await tables.do(table_id, anna, words("mine"))
    await tables.do(table_id, anna, mute(boris))
    unheard = await tables.do(table_id, boris, words("hm"))
    for sequence in (1, own.sequence, unheard.sequence, unheard.sequence + 1, 2**62):
        assert (await refusal(tables.do(table_id, anna, report(sequence)))).reason is Reason.MESSAGE_NOT_FOUND
    assert (await refusal(tables.do(table_id, "eva", report(own.sequence)))).reason is Reason.NOT_SEATED


async def test_reports_are_limited(tables: TableClient) -> None:
    table_id, anna, boris = await two(tables)
    clara = new_request()
    await tables.do(table_id, clara, sit("Clara"))
    for speaker in (boris, clara):
        for number in range(3):
            said = await tables.do(table_id, speaker, words(f"number {number}"))
            if (speaker, number) == (clara, 2):
                error = await refusal(tables.do(table_id, anna, report(said.sequence)))
                assert error.reason is Reason.RATE_LIMITED
                assert 0 < (error.retry_after_ms or 0) <= 60_000
            else:
                await tables.do(table_id, anna, report(said.sequence))


async def test_other_events_do_not_make_room_for_more_words(tables: TableClient) -> None:
    table_id, anna, _ = await two(tables)
    for number in range(5):
        await tables.do(table_id, anna, words(f"number {number}"))
    for number in range(220):
        await tables.do(table_id, anna, ready(number % 2 == 0))
    assert (await refusal(tables.do(table_id, anna, words("more")))).reason is Reason.RATE_LIMITED


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (mute("a b"), "mute_player.player_id"),
        (report(0), "report_message.sequence"),
        (report(2**63), "report_message.sequence"),
        (report(1, table_pb2.REPORT_REASON_UNSPECIFIED), "report_message.reason"),
        (report(1, 99), "report_message.reason"),  # type: ignore[arg-type]
    ],
    ids=["player", "no event", "number", "no reason", "reason"],
)
async def test_malformed_talk_names_its_field(tables: TableClient, action: table_pb2.TableAction, field: str) -> None:
    error = await refusal(tables.do("any", "anna", action))
    assert error.violations[0].field == f"command.action.{field}"


async def test_events_of_the_release_before_are_hidden_from_nobody(table_database: Database) -> None:
    connection = await asyncpg.connect(table_database.dsn)
    try:
        hidden = await connection.fetchval(
            "INSERT INTO belot_table.table_events (table_id, sequence, kind, at_ms, payload, only_seat, seat_payload)"
            " VALUES ($1, 1, 'said', 0, '', NULL, '') RETURNING hidden_from",
            new_request(),
        )
    finally:
        await connection.close()
    assert hidden == 0
