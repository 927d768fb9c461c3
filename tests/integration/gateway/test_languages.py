"""Real calls with ``accept-language``: refusals, refusals inside streams, and rulesets."""

import secrets
from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.gateway.v1 import gateway_pb2
from belot_kit.errors import STATUS_KEY
from support.raw_streams import RawGuest, guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOWHERE = "00000000-0000-0000-0000-000000000000"
NO_TABLE = {
    "hr": ("hr", "Nema takvog stola."),
    "ro-MD, ru;q=0.9": ("ro", "Nu există o astfel de masă."),
    "uk, pl;q=0.5": ("pl", "Nie ma takiego stołu."),
    "fr-CH": ("fr", "Cette table n’existe pas."),
    "tlh": ("en", "There is no such table."),
}


@pytest_asyncio.fixture(loop_scope="session")
async def ana(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[0]) as found:
        yield found


def reading(player: RawGuest, languages: str) -> RawGuest:
    """The same guest with another ``accept-language``."""
    signed_in = tuple(pair for pair in player.metadata if pair[0] != "accept-language")
    player.metadata = (*signed_in, ("accept-language", languages))
    return player


def localized(error: grpc.aio.AioRpcError) -> tuple[str, str]:
    """Language and words of the refusal's LocalizedMessage."""
    octets = dict(error.trailing_metadata() or ())[STATUS_KEY]
    for detail in status_pb2.Status.FromString(octets).details:
        message = error_details_pb2.LocalizedMessage()
        if detail.Unpack(message):
            return message.locale, message.message
    raise AssertionError("no LocalizedMessage")


@pytest.mark.parametrize(("languages", "said"), NO_TABLE.items(), ids=list(NO_TABLE))
async def test_a_refused_call_speaks_the_callers_language(ana: RawGuest, languages: str, said: tuple[str, str]) -> None:
    reading(ana, languages)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.lobby.GetTable(gateway_pb2.GetTableRequest(table_id=NOWHERE), metadata=ana.metadata)
    assert localized(refused.value) == said


async def test_a_caller_without_a_token_is_answered_in_his_language_too(ana: RawGuest) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.lobby.ListTables(gateway_pb2.ListTablesRequest(), metadata=(("accept-language", "hr"),))
    assert localized(refused.value) == ("hr", "Prijavite se ponovno.")


async def test_facts_of_the_table_service_are_in_the_sentence(fleet: SmallFleet, ana: RawGuest) -> None:
    table_id = await ana.create()
    async with guest(fleet.gateways[1], "Bo") as bo:
        request = gateway_pb2.SitDownRequest(request_id=secrets.token_hex(8), table_id=table_id, seat=0)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await bo.plays.SitDown(request, metadata=reading(bo, "hr").metadata)
    assert localized(refused.value) == ("hr", "Na mjestu 1 već netko sjedi. Odaberite drugo.")


async def test_a_refusal_inside_a_stream_speaks_the_callers_language(ana: RawGuest) -> None:
    async with reading(ana, "bs-BA").watching(table(NOWHERE)) as stream:
        assert (await stream.first("ended")).ended.refusal.localized_message == "Nema takvog stola."


async def test_rulesets_are_listed_in_the_callers_language(ana: RawGuest) -> None:
    request = gateway_pb2.ListRulesetsRequest()
    english = (await ana.lobby.ListRulesets(request, metadata=ana.metadata)).rulesets
    croatian = (await ana.lobby.ListRulesets(request, metadata=reading(ana, "hr").metadata)).rulesets
    assert [ruleset.ref for ruleset in croatian] == [ruleset.ref for ruleset in english]
    bela = next(ruleset for ruleset in croatian if ruleset.ref.name == "bela")
    assert bela.title == "Bela, 4 igrača, 32 karte"
    assert {knob.name: knob.description for knob in bela.knobs}["last_trick"] == "Bodovi za zadnji štih."
    for ours, theirs in zip(croatian, english, strict=True):
        assert not {knob.description for knob in ours.knobs} & {knob.description for knob in theirs.knobs}
