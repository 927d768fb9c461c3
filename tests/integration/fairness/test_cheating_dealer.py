"""Matches against a dealer that lies: the client finds each lie out, says so, and its report names it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest
import pytest_asyncio

from belot_cli.verify_command import check
from belot_client.client import BelotClient
from belot_client.session import TableSession
from belot_client.view import Options, TableState
from belot_client.vigil import BeaconSource, Vigilance
from belot_dealer.drand_client import drand_client
from belot_dealer.relays import relay
from belot_fair.bodies import Hand, Opened, RoundChosen
from belot_fair.drand import Chain
from belot_fair.evidence import read_evidence
from belot_fair.proof import read_proof
from belot_fair.report import Point, Report, Verdict
from support.cheating_dealer import Lie, Pack
from support.rigged_fleet import RiggedFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = Options("classic", ruleset_options=(("deals", "1"),))


def another_commitment(opened: Opened) -> Opened:
    return replace(opened, commitment=sha256(b"another server seed").digest())


def another_first_dealer(opened: Opened) -> Opened:
    return replace(opened, first_dealer=(opened.first_dealer + 1) % len(opened.seats))


def a_round_already_known(chosen: RoundChosen) -> RoundChosen:
    return replace(chosen, round=chosen.round - 3)


def a_later_round(chosen: RoundChosen) -> RoundChosen:
    return replace(chosen, round=chosen.round + 1)


def swapped_places(hand: Hand) -> Hand:
    """The first cards of two seats, as the transcript tells who got them."""
    if hand.stage:
        return hand
    places = list(hand.positions)
    other = next(at for at, (_, seat) in enumerate(places) if seat != places[0][1])
    (first, to), (second, too) = places[0], places[other]
    places[0], places[other] = (first, too), (second, to)
    return replace(hand, positions=tuple(places))


def the_next_hand(hand: Hand) -> Hand:
    return replace(hand, hand=hand.hand + 1)


def swapped_cards(made: Callable[[int], Pack], hand: int) -> Pack:
    """The pack with cards of two seats exchanged: position 0 goes to seat 1, position 9 to seat 0."""
    pack = list(made(hand))
    pack[0], pack[9] = pack[9], pack[0]
    return tuple(pack)


LIES = {
    "nothing": (Lie("nothing"), ""),
    "another commitment": (Lie("another commitment", opened=another_commitment), "commitment"),
    "another first dealer": (Lie("another first dealer", opened=another_first_dealer), "hands"),
    "a round already known": (Lie("a round already known", chosen=a_round_already_known), "round"),
    "a later round": (Lie("a later round", chosen=a_later_round), "round"),
    "swapped hands": (Lie("swapped hands", pack=swapped_cards), "cards seen"),
    "swapped places": (Lie("swapped places", hand=swapped_places), "hands"),
    "a skipped hand": (Lie("a skipped hand", hand=the_next_hand), "hands"),
    "the pack of the next hand": (Lie("the pack of the next hand", pack=lambda made, k: made(k + 1)), "cards seen"),
    "a hasty fallback": (Lie("a hasty fallback", falls_back_after=100), "beacon"),
    "a fallback with a false date": (Lie("a fallback with a false date", falls_back_after=5_000), "witness beacon"),
    "a fallback in spite of a beacon handed in": (
        Lie("a fallback in spite of a beacon handed in", falls_back_after=5_000, patient=True),
        "witness beacon",
    ),
    "an omitted commitment": (Lie("an omitted commitment", unlisted=True), "listed"),
}
SENTENCES = {
    "another commitment": "The revealed server seed is not the one that was committed to.",
    "another first dealer": "Seat 0 deals hand 0; by the first dealer that was bound it is seat 1.",
    "a round already known": "The round is not the first that the rule allows after seeds closed.",
    "a later round": "The round is not the first that the rule allows after seeds closed.",
    "swapped hands": "the cards dealt are not those of the pack",
    "swapped places": "cards went to other seats than the deal map names",
    "a skipped hand": "Hand 1 was dealt where hand 0 was due: a pack was skipped",
    "the pack of the next hand": "the cards dealt are not those of the pack",
    "a hasty fallback": "The match fell back before the beacon's time was up.",
    "a fallback with a false date": "The fallback was told before the beacon's time was up",
    "a fallback in spite of a beacon handed in": "The dealer signed for the valid beacon in time",
    "an omitted commitment": "The commitment of this match is left out of the public list.",
}
BY_THE_END = {"another commitment", "swapped hands", "the pack of the next hand", "an omitted commitment"}
"""Lies that nobody can see before the server seed is public."""
ONLY_SEEN = {"a fallback with a false date", "an omitted commitment"}
"""Lies that the proof file with the evidence of one client does not show: its own clock and the list do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the client of seat 0 said while it played, its report, and what the proof with its evidence says."""

    alarms: tuple[Point, ...]
    alarms_while_playing: tuple[Point, ...]
    report: Report
    proof: Report


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


def relayed(rigged: RiggedFleet) -> BeaconSource:
    """The beacon from the relays, as an app would get it."""

    async def source(chain: Chain, round: int) -> bytes | None:
        relays = [relay(url) for url in rigged.beaconry.urls]
        async with drand_client(chain, relays, lambda: time.time_ns() // 1_000_000) as client:
            found = await client.fetch(round)
        return None if found is None else found.signature

    return source


async def cheated(rigged: RiggedFleet, lie: Lie, folder: Path, opening: asyncio.Lock) -> Found:
    """A person with three bots plays a deal against the lie."""
    alarms: list[Point] = []
    async with BelotClient(rigged.gateway, keep=folder) as client:
        await client.sign_in_guest("Ana")
        async with opening:  # the liar takes one lie after the other
            rigged.liar.lie = lie
            table_id = (await client.create_table(SHORT)).table_id
            source = relayed(rigged) if lie.patient else None
            session = client.table(table_id, vigilance=Vigilance(alarms.append, beacon_source=source))
            await session.__aenter__()
            await session.fill_with_bots("easy")
            await session.ready()
            await session.until(lambda state: bool(state.match_id and state.fairness))
        try:
            while_playing = 0
            async for state in session.turns():
                await act(session, state)
                while_playing = len(alarms)
            report = await session.checked()
            match_id = session.state.match_id
        finally:
            await session.close()
        proof = read_proof(await client.proof_file(match_id))
    kept = read_evidence((folder / f"{match_id}.seat-0.evidence.json").read_bytes())
    return Found(tuple(alarms), tuple(alarms[:while_playing]), report, check(proof, kept, accept_dev=True))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def found(rigged: RiggedFleet, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Found]]:
    """A match against each lie, all at once: most of their time is waiting for the beacon."""
    folder, opening = tmp_path_factory.mktemp("kept"), asyncio.Lock()
    async with asyncio.timeout(60):
        played = await asyncio.gather(
            *(cheated(rigged, lie, folder / name, opening) for name, (lie, _) in LIES.items())
        )
    yield dict(zip(LIES, played, strict=True))


def failures(report: Report) -> dict[str, str]:
    return {point.name: point.sentence for point in report.points if point.verdict is Verdict.FAILED}


async def test_an_honest_dealer_raises_no_alarm(found: dict[str, Found]) -> None:
    honest = found["nothing"]
    assert honest.alarms == ()
    assert (failures(honest.report), failures(honest.proof)) == ({}, {})


@pytest.mark.parametrize("name", [name for name in LIES if name != "nothing"])
async def test_each_lie_is_caught_and_named(found: dict[str, Found], name: str) -> None:
    told, point = found[name], LIES[name][1]
    assert SENTENCES[name] in failures(told.report)[point]
    assert point in [alarm.name for alarm in told.alarms]
    assert bool(failures(told.proof)) is (name not in ONLY_SEEN)
    if name not in BY_THE_END:
        assert point in [alarm.name for alarm in told.alarms_while_playing]
