"""The client's sessions: lost connections, commands sent again, refusals as exceptions, and how sessions end."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import belot_client
from belot.table.v1 import table_pb2
from belot_client.cards import CARDS, suit_of
from belot_client.client import BelotClient
from belot_client.errors import Refused, SessionOver, Superseded
from belot_client.session import TableSession
from belot_client.view import Options, Status, TableState
from support.cutting_proxy import cutting_proxy
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = Options("bela", ruleset_options=(("deals", "1"),))


async def act(session: TableSession, state: TableState) -> None:
    legal = state.legal
    assert legal is not None
    if legal.cards:
        await session.play(legal.cards[0])
    elif legal.may_pass:
        await session.pass_bid()
    else:
        await session.choose(legal.suits[0])


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_match_goes_on_over_lost_connections_and_no_command_is_done_twice(
    fleet: SmallFleet, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    way = str(tmp_path / "way.sock")
    async with cutting_proxy(way, fleet.gateways[0]) as proxy, BelotClient(f"unix:{way}") as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        async with client.table(table_id) as session:
            updates = session.updates()
            first = session.state.sequence
            await session.fill_with_bots("easy")
            await session.ready()
            turn = 0
            async for state in session.turns():
                moving = asyncio.create_task(act(session, state))
                turn += 1
                if turn % 2:
                    await asyncio.wait([moving], timeout=draw.uniform(0, 0.004))
                    proxy.cut()
                await moving
            assert proxy.cuts >= 4
            numbers = [first]
            while numbers[-1] < session.state.sequence:
                numbers.append((await anext(updates)).sequence)
            assert numbers == list(range(first, session.state.sequence + 1))
            assert session.report().ok
            played = [shown for shown in session.fairness.witness.shown if shown.seat == session.state.viewer_seat]
            assert len(played) == 8


async def test_an_illegal_card_comes_back_with_its_clause_and_what_is_legal(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(Options("bela"))).table_id
        async with client.table(table_id) as session:
            await session.fill_with_bots("easy")
            await session.ready()
            refused: list[Refused] = []
            async for state in session.turns():
                assert state.legal is not None
                illegal = [card for card in state.hand if state.legal.cards and card not in state.legal.cards]
                if illegal:
                    with pytest.raises(Refused) as caught:
                        await session.play(illegal[0])
                    refused.append(caught.value)
                    assert set(caught.value.legal_cards) == set(state.legal.cards)
                    break
                await act(session, state)
            assert refused[0].reason == "ILLEGAL_CARD"
            assert refused[0].clause.startswith("must_")
            assert "must" in refused[0].localized  # whichever clause it was
            await act(session, session.state)


async def test_acting_out_of_turn_and_with_foreign_cards_is_refused(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(Options("bela"))).table_id
        async with client.table(table_id) as session:
            with pytest.raises(Refused) as early:
                await session.play(CARDS[0])
            assert early.value.reason == "WRONG_PHASE"
            await session.fill_with_bots("easy")
            await session.ready()
            async for state in session.turns():
                if state.legal is not None and state.legal.cards:
                    foreign = next(card for card in CARDS if card not in state.hand)
                    with pytest.raises(Refused) as caught:
                        await session.play(foreign)
                    assert caught.value.reason == "CARD_NOT_HELD"
                    break
                await act(session, state)
            assert suit_of(CARDS[0]) == "C"


async def test_the_same_request_id_is_done_once(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        async with client.table(table_id) as session:
            ready = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True))
            first = await session.do(ready, request_id="one")
            assert await session.do(ready, request_id="one") == first
            other = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=False))
            with pytest.raises(Refused) as reused:
                await session.do(other, request_id="one")
            assert reused.value.reason == "REQUEST_ID_REUSED"


async def test_a_superseded_session_ends_and_does_not_fight(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client, BelotClient(fleet.gateways[1]) as other:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        twin = BelotClient(fleet.gateways[1], player=client.player)
        async with client.table(table_id) as first:
            updates = first.updates()
            async with twin.table(table_id) as second:
                with pytest.raises(Superseded):
                    await first.until(lambda state: state.status is Status.CLOSED)
                with pytest.raises(Superseded):
                    await first.ready()
                with pytest.raises(Superseded):
                    [update async for update in updates]
                await second.ready()
                assert second.state.seats[0].ready
        await twin.close()
        assert other


async def test_a_session_at_no_table_is_refused_at_once(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        with pytest.raises(Refused) as refused:
            async with client.table("00000000-0000-0000-0000-000000000000"):
                pass
        assert refused.value.reason == "TABLE_NOT_FOUND"


async def test_a_closed_session_says_so(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        async with client.table(table_id) as session:
            updates = session.updates()
        assert [update async for update in updates] == []
        with pytest.raises(SessionOver):
            await session.ready()


async def test_who_leaves_during_the_match_sees_no_more_of_the_hand(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        async with client.table(table_id) as session:
            await session.fill_with_bots("easy")
            await session.ready()
            await session.until(lambda state: bool(state.hand))
            await session.leave()
            assert session.state.viewer_seat is None
            assert session.state.hand == ()
            done = await session.until(lambda state: bool(state.fairness and state.fairness.server_seed))
            assert done.status is Status.FINISHED
            assert session.report().ok


async def test_no_repr_and_no_log_shows_a_hand_a_seed_or_a_token(
    fleet: SmallFleet, capfd: pytest.CaptureFixture[str]
) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(SHORT)).table_id
        async with client.table(table_id) as session:
            await session.fill_with_bots("easy")
            await session.ready()
            state = await session.until(lambda state: state.my_turn)
            seed = session.fairness.draw_seed()
            shown = repr((state, client.player, session.fairness, session.fairness.witness))
            await act(session, state)
            logged = capfd.readouterr()
            assert "method=" in logged.out + logged.err
            shown += logged.out + logged.err
            assert all(repr(card) not in shown for card in state.hand)
            assert all(text not in shown for text in (seed.hex(), repr(seed), client.player.token))


async def test_the_example_of_the_readme_plays_a_match(fleet: SmallFleet, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(next(iter(belot_client.__path__))) / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    program, _, start = code.rpartition("\n\n\n")
    assert start == "asyncio.run(main(sys.argv[1]))\n"
    names: dict[str, Callable[[str], Awaitable[None]]] = {}
    exec(compile(program, "README.md", "exec"), names)  # noqa: S102 - our own text
    await names["main"](fleet.gateways[0])
    said = capsys.readouterr().out
    assert "Result(outcome='won'" in said
    assert "cards seen: proven." in said
