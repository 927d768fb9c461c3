"""Commands over gRPC on real services: refusals, repetitions, versions, lists."""

import random
import secrets

import grpc
import pytest

from belot.common.v1 import errors_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from support.tables import Person, TableClient, bots, first_legal, new_request, ready, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIT = table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Anna"))
LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
PLAY = table_pb2.TableAction(game=match_pb2.Action(pass_bid=match_pb2.Pass()))


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


async def new_table(tables: TableClient, **options: object) -> str:
    """An empty table's id."""
    return (await tables.create("maker", short_match(**options))).summary.table_id


async def test_a_table_that_does_not_exist_is_not_found(tables: TableClient) -> None:
    assert (await refusal(tables.view("nowhere"))).reason is Reason.TABLE_NOT_FOUND
    assert (await refusal(tables.do("nowhere", "anna", SIT))).reason is Reason.TABLE_NOT_FOUND


async def test_an_unknown_ruleset_or_option_is_refused(tables: TableClient) -> None:
    assert (await refusal(new_table(tables, ruleset="whist"))).reason is Reason.RULESET_NOT_FOUND
    assert (await refusal(new_table(tables, ruleset_options={"moon": "1"}))).reason is Reason.OPTION_INVALID


async def test_a_spectator_who_acts_is_denied(tables: TableClient) -> None:
    table_id = await new_table(tables)
    error = await refusal(tables.do(table_id, "eva", PLAY))
    assert (error.reason, error.code) == (Reason.NOT_SEATED, grpc.StatusCode.PERMISSION_DENIED)


async def test_a_bot_of_an_unknown_level_is_refused(tables: TableClient) -> None:
    table_id = await new_table(tables)
    assert (await refusal(tables.do(table_id, "anna", bots("grandmaster")))).reason is Reason.BOT_LEVEL_UNKNOWN


@pytest.mark.parametrize(("seats", "plays"), [(2, True), (3, False), (4, True)])
async def test_a_level_is_on_offer_at_tables_of_so_many_players(tables: TableClient, seats: int, plays: bool) -> None:
    table_id = await new_table(tables, ruleset="club", seats=seats)
    await tables.do(table_id, "anna", SIT)
    wish = tables.do(table_id, "anna", bots("expert"))
    if plays:
        await wish
    else:
        assert (await refusal(wish)).reason is Reason.BOT_LEVEL_UNKNOWN


async def test_creating_twice_makes_one_table(tables: TableClient) -> None:
    first, again = [await tables.create("anna", short_match(), "Anna", "same") for _ in range(2)]
    assert first == again
    assert first.viewer_seat == 0


async def test_creating_something_else_under_the_same_request_is_refused(tables: TableClient) -> None:
    await tables.create("anna", short_match(), request_id="other")
    error = await refusal(tables.create("anna", short_match(private=True), request_id="other"))
    assert error.reason is Reason.REQUEST_ID_REUSED


@pytest.mark.parametrize("action", [SIT, ready(), LEAVE], ids=["sit down", "ready", "leave"])
async def test_a_repeated_command_gives_the_stored_answer(tables: TableClient, action: table_pb2.TableAction) -> None:
    table_id, request_id = await new_table(tables), new_request()
    await tables.do(table_id, "boris", SIT)
    if action is not SIT:
        await tables.do(table_id, "anna", SIT)
    first = await tables.do(table_id, "anna", action, request_id)
    await tables.do(table_id, "clara", SIT)
    assert await tables.do(table_id, "anna", action, request_id) == first


async def test_a_request_id_with_other_content_is_refused(tables: TableClient) -> None:
    table_id = await new_table(tables)
    await tables.do(table_id, "anna", SIT, "r1")
    assert (await refusal(tables.do(table_id, "anna", LEAVE, "r1"))).reason is Reason.REQUEST_ID_REUSED


async def test_a_request_id_with_other_content_that_changes_nothing_is_refused_too(tables: TableClient) -> None:
    table_id = await new_table(tables)
    await tables.do(table_id, "anna", SIT, "r1")
    error = await refusal(tables.do(table_id, "anna", ready(False), "r1"))
    assert error.reason is Reason.REQUEST_ID_REUSED


async def test_a_command_that_changes_nothing_is_acknowledged_where_the_table_stands(tables: TableClient) -> None:
    table_id = await new_table(tables)
    seated = await tables.do(table_id, "anna", SIT)
    assert await tables.do(table_id, "anna", ready(False)) == seated


async def test_a_version_that_has_passed_is_refused_with_the_current_one(tables: TableClient) -> None:
    table_id = await new_table(tables)
    await tables.do(table_id, "anna", SIT)
    error = await refusal(tables.do(table_id, "boris", SIT, expected_version=1))
    assert (error.reason, error.metadata["version"]) == (Reason.VERSION_MISMATCH, "2")


async def test_an_illegal_card_is_refused_with_clause_legal_cards_and_version(tables: TableClient, valkey: str) -> None:
    table_id = await new_table(tables)
    anna = Person(tables, table_id, "anna")
    await anna.sit(1)
    async with watching(tables, valkey, table_id) as watcher:
        await anna.do(bots())
        await watcher.until_kind("match_opened")
        await anna.send_seed()
        error = await play_badly(anna, watcher.until_kind)
        await anna.do(LEAVE)
        await watcher.until_kind("seed_revealed")
    assert error.metadata["clause"]
    assert error.metadata["legal_cards"]
    assert int(error.metadata["version"]) > 1


async def play_badly(player: Person, until_kind: object) -> DomainError:
    """Act legally until some card of the hand is illegal, then play that one."""
    turns = 0
    while True:
        turns += 1
        await until_kind("turn_started", turns)  # type: ignore[operator]
        view = await player.client.view(player.table_id, player.player_id)
        legal = view.match.legal
        if not view.match.HasField("legal"):
            continue
        illegal = [card for card in view.match.hand if legal.cards and card not in legal.cards]
        if illegal:
            wrong = table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play(card=illegal[0])))
            return await refusal(player.do(wrong))
        await player.act(first_legal)


async def test_an_inner_stream_answers_each_command_by_itself(tables: TableClient) -> None:
    table_id = await new_table(tables)
    players = ["anna", "boris", "clara", "dmitri", "eva"]
    calls = [
        table_pb2.ExecuteCall(
            call_id=number,
            command=table_pb2.Command(table_id=table_id, player_id=player, request_id=new_request(), action=SIT),
        )
        for number, player in enumerate(players)
    ]
    replies: dict[int, table_pb2.ExecuteReply] = {}
    stream = tables.stub.ExecuteStream()
    await stream.write(table_pb2.ExecuteStreamRequest(calls=calls))
    while len(replies) < len(calls):
        batch = await stream.read()
        assert isinstance(batch, table_pb2.ExecuteStreamResponse)
        replies |= {each.call_id: each for each in batch.replies}
    stream.cancel()
    refused = [each.refusal.reason for each in replies.values() if each.HasField("refusal")]
    assert refused == [errors_pb2.ERROR_REASON_TABLE_FULL]
    assert [each.sequence for each in await tables.events(table_id)] == [1, 2, 3, 4, 5]


async def test_the_lobby_shows_public_tables_newest_first_in_pages(tables: TableClient) -> None:
    made = [await new_table(tables) for _ in range(5)]
    hidden = await new_table(tables, private=True)
    found: list[str] = []
    token = ""
    while True:
        request = table_pb2.ListTablesRequest(page_size=2, page_token=token)
        page = await call(tables.stub.ListTables, request)
        found += [each.table_id for each in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert [each for each in found if each in made] == made[::-1]
    assert hidden not in found
    assert len(found) == len(set(found))


async def test_a_player_finds_his_private_tables_in_his_own_list(tables: TableClient) -> None:
    player = new_request()
    table_id = (await tables.create(player, short_match(private=True), "Anna")).summary.table_id
    request = table_pb2.ListTablesRequest(seated_player_id=player)
    assert [each.table_id for each in (await call(tables.stub.ListTables, request)).tables] == [table_id]


async def test_a_page_token_of_another_list_is_refused(tables: TableClient) -> None:
    for _ in range(2):
        await new_table(tables)
    page = await call(tables.stub.ListTables, table_pb2.ListTablesRequest(page_size=1))
    other = table_pb2.ListTablesRequest(page_token=page.next_page_token, statuses=[view_pb2.TABLE_STATUS_CLOSED])
    assert (await refusal(call(tables.stub.ListTables, other))).reason is Reason.INVALID_ARGUMENT


async def test_a_proof_of_an_unknown_match_is_not_found(tables: TableClient) -> None:
    request = table_pb2.GetProofFileRequest(match_id="unknown")
    assert (await refusal(call(tables.stub.GetProofFile, request))).reason is Reason.MATCH_NOT_FOUND


METHODS = [each.name for each in table_pb2.DESCRIPTOR.services_by_name["TableService"].methods]
UNARY = [name for name in METHODS if name != "ExecuteStream"]


@pytest.mark.parametrize("method", UNARY)
async def test_random_bytes_are_malformed_and_never_a_fault_of_ours(tables: TableClient, method: str) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    accepted = {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND}
    async with open_channel(ChannelOptions(tables.address)) as channel:
        send: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
        send = channel.unary_unary(f"/belot.table.v1.TableService/{method}", None, None)
        for length in (1, 2, 5, 20, 100) * 4:
            rpc = send(rng.randbytes(length), timeout=5)
            assert await rpc.code() in accepted, await rpc.details()


async def test_a_late_copy_of_a_command_that_changed_nothing_changes_nothing_either(tables: TableClient) -> None:
    table_id = await new_table(tables)
    await tables.do(table_id, "anna", SIT)
    await tables.do(table_id, "anna", ready())
    first = await tables.do(table_id, "anna", ready(), request_id="twice")
    await tables.do(table_id, "anna", ready(False))
    assert await tables.do(table_id, "anna", ready(), request_id="twice") == first
    assert not (await tables.view(table_id)).summary.seats[0].ready
    reused = await refusal(tables.do(table_id, "anna", ready(False), request_id="twice"))
    assert reused.reason is Reason.REQUEST_ID_REUSED
