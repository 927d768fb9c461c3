"""Private tables: hidden from strangers whatever they try, open to those who have part in them or their code.

And tables without spectators.
"""

import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.tables import Person, TableClient, bots, new_request, ready, short_match

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOWHERE = "00000000-0000-7000-8000-000000000000"


def sit(code: str = "") -> table_pb2.TableAction:
    """Sitting down with a code."""
    return table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Eva", invitation_code=code))


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


async def private_table(tables: TableClient, **options: object) -> view_pb2.TableView:
    """A private table whose maker does not sit there."""
    return await tables.create("maker", short_match(private=True, **options))


async def test_a_private_table_is_answered_like_one_that_is_not_there(tables: TableClient) -> None:
    table_id = (await private_table(tables)).summary.table_id
    actions = [
        sit(),
        sit("AAAAAAAAAA"),
        ready(),
        bots(),
        table_pb2.TableAction(leave=table_pb2.Leave()),
        table_pb2.TableAction(say=table_pb2.Say(phrase="hello")),
    ]
    pairs = [
        (await refusal(tables.view(table_id, "eva")), await refusal(tables.view(NOWHERE, "eva"))),
        *[
            (await refusal(tables.do(table_id, "eva", each)), await refusal(tables.do(NOWHERE, "eva", each)))
            for each in actions
        ],
        (
            await refusal(tables.do(table_id, "eva", ready(), expected_version=7)),
            await refusal(tables.do(NOWHERE, "eva", ready(), expected_version=7)),
        ),
    ]
    for hidden, absent in pairs:
        assert hidden.reason is absent.reason is Reason.TABLE_NOT_FOUND
        assert hidden.message == absent.message
        assert set(hidden.metadata) == set(absent.metadata)
    assert (await tables.view(table_id, "maker")).summary.version == 1


async def test_the_code_lets_a_stranger_look_and_sit_down_once(tables: TableClient) -> None:
    made = await private_table(tables)
    table_id, code = made.summary.table_id, made.invitation_code
    typed = f" {code[:5].lower()} {code[5:].lower()}"
    assert (await tables.view(table_id, "eva", typed)).summary.table_id == table_id
    first, again = [await tables.do(table_id, "eva", sit(typed), "r") for _ in range(2)]
    assert first == again
    assert (await refusal(tables.do(table_id, "eva", sit(code), "r"))).reason is Reason.REQUEST_ID_REUSED
    # Who sits there needs it no more.
    assert (await tables.view(table_id, "eva")).viewer_seat == 0
    await tables.do(table_id, "eva", ready())


async def test_the_maker_and_who_has_a_kept_seat_need_no_code(tables: TableClient) -> None:
    table_id = (await private_table(tables, reserved_for=["", "clara"])).summary.table_id
    for player in ("maker", "clara"):
        await tables.view(table_id, player)
        await Person(tables, table_id, player).sit()
    assert [each.player_id for each in (await tables.view(table_id, "clara")).summary.seats[:2]] == ["maker", "clara"]


async def test_a_code_that_is_too_long_names_its_field(tables: TableClient) -> None:
    error = await refusal(tables.do(new_request(), "eva", sit("A" * 65)))
    assert error.violations[0].field == "command.action.sit_down.invitation_code"
    error = await refusal(tables.view(new_request(), "eva", "A" * 65))
    assert error.violations[0].field == "invitation_code"


async def test_a_match_without_spectators_is_shown_to_who_sits_there(tables: TableClient) -> None:
    made = await private_table(tables, no_spectators=True)
    table_id, code = made.summary.table_id, made.invitation_code
    assert (await tables.view(table_id, "eva", code)).summary.options.no_spectators
    anna = Person(tables, table_id, new_request())
    await anna.sit(0, code)
    await anna.do(bots())
    for player in ("eva", "maker", ""):
        assert (await refusal(tables.view(table_id, player, code))).reason is Reason.SPECTATORS_NOT_ALLOWED
        asked = table_pb2.FindInvitationRequest(invitation_code=code, player_id=player)
        assert (await refusal(call(tables.stub.FindInvitation, asked))).reason is Reason.SPECTATORS_NOT_ALLOWED
    assert (await refusal(tables.view(table_id, "eva"))).reason is Reason.TABLE_NOT_FOUND
    assert (await tables.view(table_id, anna.player_id)).viewer_seat == 0
