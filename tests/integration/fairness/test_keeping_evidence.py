"""Evidence survives the client: kept before the match goes on, read again by a client that starts anew."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from belot_cli.verify_command import check
from belot_client.client import BelotClient
from belot_client.errors import Unfair
from belot_client.session import TableSession
from belot_client.view import Options, Status, TableState
from belot_client.vigil import Vigilance
from belot_fair.bodies import Hand, RoundChosen
from belot_fair.evidence import read_evidence
from belot_fair.proof import read_proof
from belot_fair.report import Verdict
from support.cheating_dealer import Lie
from support.rigged_fleet import RiggedFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

TWO_DEALS = Options("club", seats=2, ruleset_options=(("deals", "2"),))


async def act(session: TableSession, state: TableState) -> None:
    legal = state.legal
    assert legal is not None
    if legal.cards:
        await session.play(legal.cards[0])
    elif legal.may_accept:
        await session.accept()
    elif legal.suits:
        await session.choose(legal.suits[0])
    else:
        await session.pass_bid()


async def play_to_the_end(session: TableSession) -> None:
    async for state in session.turns():
        await act(session, state)


async def play_until_hand(session: TableSession, number: int) -> None:
    """Play until a trick of this hand was played."""
    async for state in session.turns():
        assert state.match is not None
        if state.match.hand.number >= number and state.match.hand.tricks:
            return
        await act(session, state)


@asynccontextmanager
async def at_table(rigged: RiggedFleet, lie: Lie, folder: Path) -> AsyncIterator[tuple[BelotClient, str]]:
    """A signed-in client and the table it has made."""
    rigged.liar.lie = lie
    async with BelotClient(rigged.gateway, keep=folder) as client:
        await client.sign_in_guest("Ana")
        yield client, (await client.create_table(TWO_DEALS)).table_id


async def test_a_client_that_is_started_again_goes_on_with_its_evidence(rigged: RiggedFleet, tmp_path: Path) -> None:
    first, image = tmp_path / "first", tmp_path / "image"
    async with at_table(rigged, Lie("nothing"), first) as (client, table_id):
        async with client.table(table_id) as session:
            await session.fill_with_bots("easy")
            await session.ready()
            await play_until_hand(session, 0)
            shutil.copytree(first, image)  # as the disk is when the process dies here
            known = session.fairness.witness
            await play_until_hand(session, 1)  # what follows, the next hand too, is missing in the image
            gone_on = session.fairness.witness
        async with (
            BelotClient(rigged.gateway, player=client.player, keep=image) as again,
            again.table(table_id) as anew,
        ):
            async for state in anew.turns():
                await act(anew, state)
            report, kept = await anew.checked(), anew.fairness.witness
            proof = read_proof(await again.proof_file(anew.state.match_id))
    assert (kept.seed, kept.commitment, kept.round) == (known.seed, known.commitment, known.round)
    assert set(gone_on.hand_receipts) <= set(kept.hand_receipts)
    assert len(gone_on.hand_receipts) > len(known.hand_receipts)
    assert len(kept.shown) == len(set(kept.shown))
    evidence = read_evidence((image / f"{kept.match_id}.seat-0.evidence.json").read_bytes())
    for found in (report, check(proof, evidence, accept_dev=True)):
        assert found.ok
        for name in ("witness commitment", "witness round", "witness seed", "witness beacon", "witness hands"):
            assert found.point(name).verdict is Verdict.PROVEN
    assert report.point("cards seen").verdict is Verdict.PROVEN
    assert len(kept.hand_receipts) == len([event for event in proof.events if _gives(event.event.body, seat=0)])


def _gives(body: object, seat: int) -> bool:
    return isinstance(body, Hand) and any(to == seat for _, to in body.positions)


async def test_a_seed_is_drawn_once_whatever_happens_before_it_is_used(rigged: RiggedFleet, tmp_path: Path) -> None:
    async with at_table(rigged, Lie("nothing"), tmp_path) as (client, table_id), BelotClient(rigged.gateway) as other:
        await other.sign_in_guest("Ben")
        async with client.table(table_id) as session:
            seat = other.table(table_id)
            async with seat:
                await seat.sit_down()
                await session.ready()
                # Ben's client is away while seeds are collected: the match waits for him, and Ana's client dies.
                await seat.ready()
            await session.until(lambda state: state.status is not Status.WAITING and bool(state.match_id))
            seed = session.fairness.draw_seed()
        async with client.table(table_id) as session:
            assert session.fairness.draw_seed() == seed
            async with other.table(table_id) as seat:
                state = await session.until(lambda state: state.status is Status.PLAYING)
                assert session.report().point("witness seed").verdict is Verdict.PROVEN
                assert state.fairness is not None
                assert seed in b"".join(event.octets for event in state.fairness.transcript)
                await seat.leave()
                await session.leave()


def a_later_round(chosen: RoundChosen) -> RoundChosen:
    return RoundChosen(chosen.round + 1, chosen.close_time_ms, chosen.highest_verified)


async def test_an_alarm_is_told_to_the_whole_table_and_ends_a_strict_session(
    rigged: RiggedFleet, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        at_table(rigged, Lie("later", chosen=a_later_round), tmp_path) as (client, table_id),
        BelotClient(rigged.gateway) as other,
    ):
        await other.sign_in_guest("Eve")
        async with other.table(table_id) as spectator:
            heard = spectator.updates()
            async with client.table(table_id, vigilance=Vigilance(strict=True)) as session:
                await session.fill_with_bots("easy")
                await session.ready()
                with pytest.raises(Unfair) as unfair:
                    await play_to_the_end(session)
            async with asyncio.timeout(10):
                told = [await anext(heard)]
                while told[-1].kind != "fairness_reported":
                    told.append(await anext(heard))
    assert unfair.value.point.name == "round"
    event = told[-1].event
    assert event is not None
    assert (event.fairness_reported.seat, event.fairness_reported.finding) == (0, 3)
    assert any("unfair deal" in record.message and "round" in record.message for record in caplog.records)
