"""What the table service relies on of its database: guards, requests, lists, claims, outbox and presence."""

from dataclasses import replace

from belot_events.envelope import Envelope
from belot_kit.pages import Page
from belot_table import seating
from belot_table.chatting import Say, say
from belot_table.clock import Timer, TimerKind
from belot_table.committing import Commit, OutboxRow, Request
from belot_table.complaints import Filed, Reported
from belot_table.delivery_store import PutOff, Survey
from belot_table.ports import commit_of
from belot_table.presence import Player
from belot_table.store import Answered, DueTimer, Listing, Published
from belot_table.table import Options, Status, Table
from contract.conftest import Tables
from support.table_values import NOW, OPTIONS, empty_table, finished

FIRST = Page(10, None, "")
RUNNING = (Status.WAITING, Status.PLAYING)


async def made(tables: Tables, table_id: str = "t", options: Options = OPTIONS, created: int = 0) -> Table:
    """A stored table at which nobody sits."""
    step = seating.set_up(replace(empty_table(table_id, options), created_ms=NOW + created), "", "")
    assert await tables.store.create(commit_of(step, NOW))
    return step.table


def sitting(table: Table, player: str = "anna", request_id: str = "") -> Commit:
    """A player sits down at the first free seat."""
    request = Request(player, request_id, b"f" * 32, b"done") if request_id else None
    return commit_of(seating.sit_down(table, player, player, None), NOW + 1, request)


async def over(tables: Tables, table_id: str = "t", options: Options = OPTIONS) -> Table:
    """A stored table whose match is over, with its result in the outbox."""
    waiting, result = await made(tables, table_id, options), finished("PPPP")
    ended = replace(
        result,
        match=replace(result.running, state=b""),
        table_id=table_id,
        version=2,
        sequence=waiting.sequence + 1,
        options=options,
    )
    outbox = (OutboxRow("match_finished:match-1", "match_finished", b"result"),)
    told = (Envelope(table_id, ended.sequence, "match_finished", NOW + 5, b"over"),)
    assert await tables.commit(Commit(ended, NOW + 5, told, None, outbox=outbox)) == [True]
    return ended


# -- the guards


async def test_a_table_is_made_once(tables: Tables) -> None:
    table = await made(tables)
    assert await tables.store.load("t", None) == table
    assert not await tables.store.create(commit_of(seating.set_up(empty_table("t"), "boris", "Boris"), NOW))
    assert await tables.store.load("t", None) == table
    assert await tables.store.load("other", None) is None


async def test_a_commit_needs_the_version_it_was_decided_on(tables: Tables) -> None:
    table = await made(tables)
    assert await tables.commit(sitting(table)) == [True]
    assert await tables.commit(sitting(table, "boris")) == [False]
    stored = await tables.store.load("t", table)
    assert stored is not None
    assert (stored.version, stored.seats[0].player_id) == (2, "anna")
    assert [each.sequence for each in await tables.store.events_after("t", 0, 10)] == list(
        range(1, stored.sequence + 1)
    )


async def test_the_losers_of_a_batch_leave_nothing_and_cost_the_others_nothing(tables: Tables) -> None:
    first, lost, last = [await made(tables, name) for name in ("a", "b", "c")]
    await tables.commit(sitting(lost, "quick"))
    assert await tables.commit(sitting(first), sitting(lost), sitting(last)) == [True, False, True]
    assert await tables.commit(sitting(replace(first, table_id="nowhere"))) == [False]


async def test_a_request_is_done_once_whatever_the_version(tables: Tables) -> None:
    table = await made(tables)
    commit = sitting(table, "anna", "r1")
    assert await tables.commit(commit) == [True]
    assert await tables.commit(sitting(commit.table, "boris", "r1")) == [True]
    again = await tables.store.load("t", None)
    assert again is not None
    assert await tables.commit(commit_of(say(again, "anna", Say("hi")), NOW, commit.request)) == [False]


async def test_a_request_is_found_with_its_answer_and_the_tables_version(tables: Tables) -> None:
    table = await made(tables)
    await tables.commit(sitting(table, "anna", "r1"))
    assert await tables.store.find_request("t", "anna", "r1") == Answered(2, b"f" * 32, b"done")
    assert await tables.store.find_request("t", "boris", "r1") == Answered(2)
    assert await tables.store.find_request("other", "anna", "r1") is None


async def test_the_answer_to_a_request_that_changed_nothing_is_kept_once_and_at_its_version_alone(
    tables: Tables,
) -> None:
    await made(tables)
    nothing = Request("anna", "r1", b"f" * 32, b"done")
    assert not await tables.store.keep_request("t", 2, nothing, NOW)
    assert not await tables.store.keep_request("other", 1, nothing, NOW)
    assert await tables.store.keep_request("t", 1, nothing, NOW)
    assert not await tables.store.keep_request("t", 1, replace(nothing, response=b"else"), NOW)
    assert await tables.store.find_request("t", "anna", "r1") == Answered(1, b"f" * 32, b"done")


async def test_a_state_that_is_known_already_is_not_read_again(tables: Tables) -> None:
    table = await made(tables)
    assert await tables.store.load("t", table) is table
    await tables.commit(sitting(table))
    assert await tables.store.load("t", table) is not table


async def test_requests_are_forgotten_once_the_table_has_rested(tables: Tables) -> None:
    waiting, ended = await made(tables, "w"), await over(tables, "e")
    await tables.commit(sitting(waiting, "anna", "r1"))
    said = commit_of(say(ended, "anna", Say("hi")), NOW + 9, Request("anna", "r2", b"f", b"done"))
    await tables.commit(said)
    await tables.store.forget_requests(NOW + 9)
    assert (await tables.store.find_request("e", "anna", "r2") or Answered(0)).response == b"done"
    await tables.store.forget_requests(NOW + 10)
    assert await tables.store.find_request("e", "anna", "r2") == Answered(said.table.version)
    assert (await tables.store.find_request("w", "anna", "r1") or Answered(0)).response == b"done"


# -- the log


async def test_events_come_in_order_as_they_were_told(tables: Tables) -> None:
    table = await made(tables)
    last = table.sequence
    told = (
        Envelope("t", last + 1, "one", 0, b"all", 2, b"more"),
        Envelope("t", last + 2, "two", 0, b"", 1, b"own"),
        Envelope("t", last + 3, "said", 0, b"words", hidden_from=(0, 3)),
    )
    after = replace(table, version=2, sequence=last + 3)
    assert await tables.commit(Commit(after, NOW + 7, told, None)) == [True]
    assert await tables.store.events_after("t", last, 2) == tuple(replace(each, at_ms=NOW + 7) for each in told[:2])
    assert await tables.store.events_after("t", last + 2, 9) == (replace(told[2], at_ms=NOW + 7),)
    assert await tables.store.events_after("other", 0, 9) == ()


async def test_a_snapshot_finds_its_facts_up_to_its_sequence(tables: Tables) -> None:
    table = await made(tables)
    kinds = ("match_opened", "card_played", "deal_scored", "seed_revealed")
    told = tuple(Envelope("t", table.sequence + n, kind, 0, b"x") for n, kind in enumerate(kinds, start=1))
    await tables.commit(Commit(replace(table, version=2, sequence=table.sequence + 4), NOW, told, None))
    facts = await tables.store.facts("t", table.sequence + 3)
    assert [each.kind for each in facts] == ["match_opened", "deal_scored"]


async def test_the_last_things_said_since_a_time_come_in_order(tables: Tables) -> None:
    table = await made(tables)
    last = table.sequence
    for number in (1, 2, 3):
        table = replace(table, version=table.version + 1, sequence=last + number)
        told = Envelope("t", last + number, "said", 0, b"%d" % number)
        await tables.commit(Commit(table, NOW + number, (told,), None))
    assert [each.payload for each in await tables.store.said_since("t", NOW, 2)] == [b"2", b"3"]
    assert [each.payload for each in await tables.store.said_since("t", NOW + 2, 9)] == [b"3"]


async def test_reports_are_found_by_reporter_and_listed_latest_first(tables: Tables) -> None:
    table = await made(tables)
    said = Envelope("t", table.sequence + 1, "said", 0, b"words")
    report = Reported(1, table.sequence + 1, "boris", "anna", 2)
    after = replace(table, version=2, sequence=table.sequence + 1)
    await tables.commit(Commit(after, NOW + 3, (said,), None, reports=(report,)))
    filed = [Filed(report.sequence, NOW + 3)]
    assert list(await tables.store.reported_by("t", "boris", NOW, 0)) == filed
    assert list(await tables.store.reported_by("t", "boris", NOW + 3, 0)) == []
    assert list(await tables.store.reported_by("t", "boris", NOW + 3, report.sequence)) == filed
    (listed,) = await tables.store.list_reports("anna", FIRST)
    assert (listed.reporter_id, listed.reason, listed.at_ms, listed.said) == ("boris", 2, NOW + 3, b"words")
    assert not await tables.store.list_reports("boris", FIRST)
    key = (listed.at_ms, listed.table_id, listed.sequence, listed.reporter_id)
    assert not await tables.store.list_reports("", Page(10, key, ""))


# -- lists


async def test_lists_are_newest_first_and_go_on_after_a_key(tables: Tables) -> None:
    for number, name in enumerate(("a", "b", "c")):
        await made(tables, name, created=number)
    found = await tables.store.list_tables(Listing(RUNNING), Page(1, None, ""))
    assert [each.table_id for each in found] == ["c", "b"]
    rest = await tables.store.list_tables(Listing(RUNNING), Page(5, (NOW + 1, "b"), ""))
    assert [each.table_id for each in rest] == ["a"]


async def test_private_tables_are_listed_for_their_players_alone(tables: Tables) -> None:
    private = await made(tables, "p", replace(OPTIONS, private=True))
    await tables.commit(sitting(private))
    assert not await tables.store.list_tables(Listing(RUNNING), FIRST)
    assert [each.table_id for each in await tables.store.list_tables(Listing(RUNNING, "anna"), FIRST)] == ["p"]
    assert not await tables.store.list_tables(Listing(RUNNING, "boris"), FIRST)


async def test_a_players_matches_are_listed_once_they_are_over(tables: Tables) -> None:
    await over(tables, "open")
    await over(tables, "own", replace(OPTIONS, private=True))
    await tables.commit(sitting(await made(tables, "w")))
    mine = await tables.store.list_matches("anna", FIRST, private=True)
    assert [each.table_id for each in mine] == ["own", "open"]
    assert [each.table_id for each in await tables.store.list_matches("anna", FIRST, private=False)] == ["open"]


async def test_a_table_is_found_by_its_match_and_by_its_invitation(tables: Tables) -> None:
    ended = await over(tables)
    assert await tables.store.find_match(ended.running.match_id) == "t"
    assert await tables.store.find_match("other") is None
    invited = replace(seating.set_up(empty_table("i"), "", "").table, invitation_code="CODE")
    assert await tables.store.create(Commit(invited, NOW, (), None))
    assert await tables.store.find_invitation("CODE") == "i"
    assert await tables.store.find_invitation("NONE") is None


# -- timers, publishing, outbox, presence


async def test_an_overdue_timer_is_claimed_by_one_and_left_alone_for_a_while(tables: Tables) -> None:
    table = await made(tables)
    due = NOW + table.options.waiting_ms
    assert list(await tables.store.claim_overdue(250, 10)) == [DueTimer("t", Timer(TimerKind.EXPIRY, due, 1))]
    assert list(await tables.store.claim_overdue(250, 10)) == []
    await tables.commit(sitting(table))
    assert [each.timer.version for each in await tables.store.claim_overdue(250, 10)] == [2]


async def test_timers_to_come_and_tables_at_rest_are_not_claimed(tables: Tables) -> None:
    table = await made(tables)
    later = Timer(TimerKind.TURN, 2**50, 2, 3)
    await tables.commit(Commit(replace(table, version=2), NOW, (), later))
    await over(tables, "e")
    assert list(await tables.store.claim_overdue(250, 10)) == []


async def test_the_timers_due_longest_are_claimed_first(tables: Tables) -> None:
    for number, name in enumerate(("late", "early")):
        table = await made(tables, name)
        await tables.commit(Commit(replace(table, version=2), NOW, (), Timer(TimerKind.DEAL, NOW - number, 2)))
    assert [each.table_id for each in await tables.store.claim_overdue(0, 1)] == ["early"]


async def test_what_is_not_marked_as_published_is_claimed_by_one(tables: Tables) -> None:
    table = await made(tables)
    assert list(await tables.store.claim_unpublished(500, 10)) == [Published("t", 0)]
    assert list(await tables.store.claim_unpublished(500, 10)) == []
    await tables.store.mark_published([Published("t", table.sequence)])
    assert list(await tables.store.claim_unpublished(500, 10)) == []
    commit = sitting(table)
    await tables.commit(commit)
    assert list(await tables.store.claim_unpublished(500, 10)) == [Published("t", table.sequence)]


async def test_marks_never_go_back_and_a_settled_table_is_done(tables: Tables) -> None:
    ended = await over(tables)
    assert [each.settled for each in await tables.store.claim_unpublished(500, 10)] == [True]
    await tables.store.mark_published([Published("t", ended.sequence - 1), Published("other", 1)])
    assert list(await tables.store.claim_unpublished(500, 10)) == [Published("t", ended.sequence - 1, True)]
    await tables.store.mark_published([Published("t", ended.sequence, True)])
    await tables.store.mark_published([Published("t", 1)])
    assert list(await tables.store.claim_unpublished(0, 10)) == []


async def test_an_outbox_row_is_claimed_until_it_is_acknowledged(tables: Tables) -> None:
    await over(tables)
    (parcel,) = await tables.deliveries.claim("rating", 10, 60_000)
    assert (parcel.table_id, parcel.outbox_id, parcel.payload, parcel.attempts) == (
        *("t", "match_finished:match-1"),
        *(b"result", 1),
    )
    assert not await tables.deliveries.claim("rating", 10, 60_000)
    await tables.deliveries.put_off([PutOff(parcel, 0, "NO")])
    assert (await tables.deliveries.survey("rating")).refused == 1
    assert [each.attempts for each in await tables.deliveries.claim("rating", 10, 0)] == [2]
    await tables.deliveries.acknowledge([parcel])
    await tables.deliveries.put_off([PutOff(parcel, 0)])
    assert not await tables.deliveries.claim("rating", 10, 0)
    assert await tables.deliveries.survey("rating") == Survey(0, 0)
    assert not await tables.deliveries.claim("others", 10, 0)


async def test_presence_is_kept_of_those_who_sit_there(tables: Tables) -> None:
    await tables.commit(sitting(await made(tables)))
    anna, stranger = Player("t", "anna"), Player("t", "boris")
    assert list(await tables.presence.see([anna, stranger, anna])) == []
    (unseen,) = await tables.presence.claim_unseen(-1_000, 10)
    assert unseen.player == anna
    assert list(await tables.presence.claim_unseen(-1_000, 10)) == []
    assert list(await tables.presence.claim_unseen(60_000, 10)) == []


async def test_who_counted_as_away_is_told_to_be_back(tables: Tables) -> None:
    await tables.commit(sitting(await made(tables)))
    anna = Player("t", "anna")
    await tables.presence.see([anna])
    (unseen,) = await tables.presence.claim_unseen(-1_000, 10)
    assert not await tables.presence.mark(anna, away=True, seen_ms=unseen.seen_ms - 1)
    assert await tables.presence.mark(anna, away=True, seen_ms=unseen.seen_ms)
    assert list(await tables.presence.claim_unseen(-1_000, 10)) == []
    assert list(await tables.presence.see([anna])) == [anna]
    assert await tables.presence.mark(anna, away=False)
    await tables.presence.forget(anna)
    assert not await tables.presence.mark(anna, away=False)
