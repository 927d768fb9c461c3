"""Private tables and their codes, seats that are kept, rematches."""

import pytest

from belot.common.v1 import common_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.tables import Person, TableClient, bots, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIT = table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Anna"))
LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
RESIGN = table_pb2.TableAction(resign=table_pb2.Resign())


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


async def found(tables: TableClient, code: str, player_id: str = "eva") -> view_pb2.TableView:
    """The table that a code leads to."""
    request = table_pb2.FindInvitationRequest(invitation_code=code, player_id=player_id)
    return (await call(tables.stub.FindInvitation, request)).table


async def rematch(tables: TableClient, person: Person, request_id: str = "") -> view_pb2.TableView:
    """The rematch that a person asks for."""
    request = table_pb2.OpenRematchRequest(
        table_id=person.table_id,
        player_id=person.player_id,
        request_id=request_id or new_request(),
        display_name="Again",
    )
    return (await call(tables.stub.OpenRematch, request)).table


async def test_a_code_leads_to_a_private_table_however_it_is_typed(tables: TableClient) -> None:
    view = await tables.create("maker", short_match(private=True), "Anna")
    code = view.invitation_code
    assert len(code) == 10
    typed = f" {code[:5].lower()} {code[5:]} "
    assert (await found(tables, typed)).summary.table_id == view.summary.table_id
    assert (await refusal(found(tables, "AAAAAAAAAA"))).reason is Reason.TABLE_NOT_FOUND
    assert (await refusal(found(tables, ""))).violations[0].field == "invitation_code"


async def test_only_who_sits_there_sees_the_code(tables: TableClient) -> None:
    view = await tables.create("maker", short_match(private=True), "Anna")
    table_id = view.summary.table_id
    assert (await tables.view(table_id, "maker")).invitation_code == view.invitation_code
    assert (await tables.view(table_id, "eva", view.invitation_code)).invitation_code == ""
    assert (await tables.view(table_id, code=view.invitation_code)).invitation_code == ""
    assert (await tables.create("maker", short_match(), "Anna")).invitation_code == ""


async def test_kept_seats_are_for_their_players(tables: TableClient) -> None:
    options = short_match(reserved_for=["anna", "", "clara"])
    table_id = (await tables.create("maker", options)).summary.table_id
    at_clara = table_pb2.TableAction(sit_down=table_pb2.SitDown(seat=2, display_name="Eva"))
    assert (await refusal(tables.do(table_id, "eva", at_clara))).reason is Reason.PERMISSION_DENIED
    for player in ("eva", "clara", "anna", "fred"):
        await tables.do(table_id, player, SIT)
    seats = [each.player_id for each in (await tables.view(table_id)).summary.seats]
    assert seats == ["anna", "eva", "clara", "fred"]


@pytest.mark.parametrize("kept", [["anna", "anna"], ["a b"], ["a", "b", "c", "d", "e"]], ids=["twice", "no id", "five"])
async def test_malformed_kept_seats_name_their_field(tables: TableClient, kept: list[str]) -> None:
    error = await refusal(tables.create("maker", short_match(reserved_for=kept)))
    assert error.violations[0].field == "options.reserved_for"


async def test_a_rematch_brings_the_same_people_to_the_same_seats(tables: TableClient, valkey: str) -> None:
    options = short_match(seed_time={"seconds": 1}, private=True)
    made = await tables.create("maker", options)
    table_id, code = made.summary.table_id, made.invitation_code
    anna, boris = Person(tables, table_id, new_request()), Person(tables, table_id, new_request())
    await anna.sit(2, code)
    await boris.sit(0, code)
    assert (await refusal(rematch(tables, anna))).reason is Reason.MATCH_NOT_FINISHED
    async with watching(tables, valkey, table_id) as watcher:
        await anna.do(bots("easy"))
        await watcher.until_kind("turn_started")
        for person in (anna, boris):
            await person.do(RESIGN)
        await watcher.until_kind("seed_revealed")
        request_id = new_request()
        first, again = [await rematch(tables, anna, request_id) for _ in range(2)]
        opened = (await watcher.until_kind("rematch_opened")).rematch_opened
    assert first == again
    assert (opened.table_id, opened.player_id) == (first.summary.table_id, anna.player_id)
    second = await rematch(tables, boris)
    assert second.summary.table_id == first.summary.table_id != table_id
    assert (await rematch(tables, boris)).summary == second.summary
    human, bot = common_pb2.ACTOR_KIND_PERSON, common_pb2.ACTOR_KIND_BOT
    assert [(each.kind, each.player_id, each.bot_level) for each in second.summary.seats] == [
        (human, boris.player_id, ""),
        (bot, "", "easy"),
        (human, anna.player_id, ""),
        (bot, "", "easy"),
    ]
    assert second.summary.options.private
    assert second.summary.ruleset == first.summary.ruleset
    stranger = Person(tables, table_id, "eva")
    assert (await refusal(rematch(tables, stranger))).reason is Reason.NOT_SEATED


async def test_players_talk_within_limits_and_each_word_is_heard_once(tables: TableClient, valkey: str) -> None:
    table_id = (await tables.create("maker", short_match(), "Anna")).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        words = table_pb2.TableAction(say=table_pb2.Say(text=" Gut\x07 Blatt! "))
        first, again = [await tables.do(table_id, "maker", words, "r1") for _ in range(2)]
        assert first == again
        for _ in range(4):
            await tables.do(table_id, "maker", table_pb2.TableAction(say=table_pb2.Say(phrase="well_played")))
        error = await refusal(tables.do(table_id, "maker", words))
        assert error.reason is Reason.RATE_LIMITED
        assert 0 < (error.retry_after_ms or 0) <= 10_000
        await watcher.until_kind("said", 5)
    said = [view_pb2.TableEvent.FromString(each.payload).said for each in watcher.log if each.kind == "said"]
    assert [(each.text, each.phrase) for each in said] == [("Gut Blatt!", ""), *[("", "well_played")] * 4]
    assert (await refusal(tables.do(table_id, "eva", words))).reason is Reason.NOT_SEATED


@pytest.mark.parametrize(
    ("say", "field"),
    [
        (table_pb2.Say(text="x" * 201), "text"),
        (table_pb2.Say(text="\x00"), "text"),
        (table_pb2.Say(phrase="you cheat"), "phrase"),
        (table_pb2.Say(), "what"),
    ],
    ids=["too long", "nothing visible", "no phrase", "nothing"],
)
async def test_malformed_words_name_their_field(tables: TableClient, say: table_pb2.Say, field: str) -> None:
    error = await refusal(tables.do("any", "anna", table_pb2.TableAction(say=say)))
    assert error.violations[0].field == f"command.action.say.{field}"
