"""Whole matches of the typed client: its folded state is what a snapshot says, and the deal was fair."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

import pytest
import pytest_asyncio

from belot.common.v1 import common_pb2
from belot.table.v1 import view_pb2
from belot_client.client import BelotClient
from belot_client.fairness import FairnessKeeper
from belot_client.fold import fold, hidden
from belot_client.news import Update
from belot_client.session import TableSession
from belot_client.view import Options, Seat, Status, TableState
from belot_fair.drand import QUICKNET
from belot_fair.evidence import read_evidence, write_evidence
from belot_fair.proof import read_proof
from belot_fair.report import Report, Verdict
from belot_fair.verify import verify_proof
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOW_MS = 1_700_000_000_000
FORMS = [
    ("bela", 4, 32),
    ("classic", 4, 32),
    ("club", 4, 32),
    ("club", 4, 24),
    ("club", 3, 32),
    ("club", 3, 24),
    ("club", 2, 32),
    ("club", 2, 24),
]


@dataclass(slots=True)
class Seen:
    """One client's match: its session at the end, every update, and snapshots taken on the way."""

    session: TableSession
    start: TableState
    updates: list[Update] = field(default_factory=list)
    snapshots: list[TableState] = field(default_factory=list)

    @property
    def folded(self) -> dict[int, TableState]:
        """The state after each number."""
        return {update.sequence: update.state for update in self.updates}


@dataclass(slots=True)
class Match:
    """A whole match as its players and a spectator saw it."""

    table_id: str
    players: list[Seen]
    spectator: Seen
    client: BelotClient


async def act(session: TableSession, state: TableState, draw: random.Random) -> None:
    """Something legal."""
    legal = state.legal
    assert legal is not None
    if legal.cards:
        await session.play(draw.choice(legal.cards))
    elif legal.may_accept and draw.random() < 0.5:
        await session.accept()
    elif legal.may_pass and (not legal.suits or draw.random() < 0.5):
        await session.pass_bid()
    elif legal.suits:
        await session.choose(draw.choice(legal.suits))
    else:
        await session.accept()


async def listen(seen: Seen, updates: AsyncIterator[Update]) -> None:
    async for update in updates:
        seen.updates.append(update)


async def play(client: BelotClient, seen: Seen, draw: random.Random) -> None:
    async for state in seen.session.turns():
        if draw.random() < 0.2:
            seen.snapshots.append(await client.get_table(state.table_id))
        await act(seen.session, state, draw)
        if draw.random() < 0.2:
            seen.snapshots.append(await client.get_table(state.table_id))


async def watch(client: BelotClient, seen: Seen, updates: AsyncIterator[Update]) -> None:
    async for update in updates:
        seen.updates.append(update)
        if update.kind in ("status_changed", "seed_received", "deal_scored", "trump_chosen", "match_finished"):
            seen.snapshots.append(await client.get_table(update.state.table_id))


async def whole_match(fleet: SmallFleet, stack: AsyncExitStack, form: tuple[str, int, int]) -> Match:
    """Two deals by persons who do legal things at random, with a spectator."""
    name, seats, pack = form
    draw = random.Random(f"{name} {seats} {pack}")
    clients = [await stack.enter_async_context(BelotClient(fleet.gateways[number % 2])) for number in range(seats + 1)]
    for number, client in enumerate(clients):
        await client.sign_in_guest(f"Player {number}")
    options = Options(name, seats=seats, pack_size=pack, ruleset_options=(("deals", "2"),))
    table_id = (await clients[0].create_table(options)).table_id
    sessions = [await stack.enter_async_context(client.table(table_id)) for client in clients]
    seen = [Seen(session, session.state) for session in sessions]
    *players, spectator = seen
    async with asyncio.TaskGroup() as group:
        heard = [group.create_task(listen(each, each.session.updates())) for each in players]
        heard.append(group.create_task(watch(clients[-1], spectator, spectator.session.updates())))
        for each in players[1:]:
            await each.session.sit_down()
        for each in players:
            await each.session.ready()
        await asyncio.gather(*[play(client, each, draw) for client, each in zip(clients, players, strict=False)])
        await spectator.session.until(lambda state: bool(state.fairness and state.fairness.server_seed))
        spectator.snapshots.append(await clients[-1].get_table(table_id))
        for task in heard:
            task.cancel()
    return Match(table_id, players, spectator, clients[-1])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def matches(fleet: SmallFleet) -> AsyncIterator[dict[tuple[str, int, int], Match]]:
    """A match of every form, all at once: most of their time is waiting for the beacon."""
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(60):
            found = await asyncio.gather(*[whole_match(fleet, stack, form) for form in FORMS])
        yield dict(zip(FORMS, found, strict=True))


def comparable(state: TableState) -> TableState:
    """A state without what events tell one commit later: the match's id and its seats' participants."""
    if state.status is not Status.OPENING:
        return state
    seats: tuple[Seat, ...] = tuple(replace(seat, participant="") for seat in state.seats)
    return replace(state, match_id="", seats=seats)


@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_the_folded_state_equals_a_fresh_snapshot(
    matches: dict[tuple[str, int, int], Match], form: tuple[str, int, int]
) -> None:
    match = matches[form]
    compared = 0
    for seen in (*match.players, match.spectator):
        for snapshot in seen.snapshots:
            if snapshot.sequence in seen.folded:
                assert comparable(seen.folded[snapshot.sequence]) == comparable(snapshot)
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_every_client_finds_the_deal_fair(
    matches: dict[tuple[str, int, int], Match], form: tuple[str, int, int]
) -> None:
    for seen in (*matches[form].players, matches[form].spectator):
        report = seen.session.report()
        assert [point for point in report.points if point.verdict is Verdict.FAILED] == []
        assert report.point("cards seen").verdict is Verdict.PROVEN
        assert report.label.startswith("DEVELOPMENT")
    player = matches[form].players[0].session.report()
    for name in ("commitment", "seeds", "witness seed", "witness round", "witness commitment", "witness hands"):
        assert player.point(name).verdict is Verdict.PROVEN


@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_the_evidence_a_client_keeps_holds_against_the_proof_file(
    matches: dict[tuple[str, int, int], Match], form: tuple[str, int, int]
) -> None:
    match = matches[form]
    proof = read_proof(await match.client.proof_file(match.spectator.session.state.match_id))
    for seen in match.players:
        kept = read_evidence(write_evidence(seen.session.fairness.evidence()))
        report = verify_proof(proof, accept_chains=(QUICKNET, proof.chain), evidence=kept)
        assert [point for point in report.points if point.verdict is Verdict.FAILED] == []
        assert report.point("witness hands").verdict is Verdict.PROVEN
    with pytest.raises(ValueError, match="spectator"):
        match.spectator.session.fairness.evidence()


@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_nobody_is_sent_a_card_that_is_not_his(
    matches: dict[tuple[str, int, int], Match], form: tuple[str, int, int]
) -> None:
    match = matches[form]
    for seen in (*match.players, match.spectator):
        seat = seen.session.state.viewer_seat
        for update in seen.updates:
            event = update.event
            if event is None:
                continue
            if event.game.HasField("hand_dealt"):
                assert event.game.hand_dealt.seat == seat
            if event.turn_started.HasField("legal"):
                assert event.turn_started.seat == seat
            if event.seed_received.HasField("receipt"):
                assert event.seed_received.seat == seat


# --- the same events again, some of them changed on the way ---------------------------------------------------------

Change = Callable[[view_pb2.TableEvent], None]


def told_again(seen: Seen, change: Change, *, keys: Sequence[bytes] | None = None, late_ms: int = 0) -> Report:
    """What a keeper finds that was told the same match, each event changed by `change`, `late_ms` later."""
    keeper, state = FairnessKeeper(keys), seen.start
    keeper.began(state, NOW_MS)
    for update in seen.updates:
        if update.event is None:
            state = hidden(state, update.sequence)
            continue
        event = view_pb2.TableEvent()
        event.CopyFrom(update.event)
        change(event)
        before, state = state, fold(state, update.sequence, event)
        keeper.saw(before, state, event, event.at.ToMilliseconds() + late_ms)
    return keeper.report(state)


def another_card(event: view_pb2.TableEvent) -> None:
    """Whatever seat 1 played was another card."""
    played = event.game.card_played
    if played.card and played.seat == 1:
        played.card = common_pb2.Card.values()[1 + played.card % 32]


def another_hand(event: view_pb2.TableEvent) -> None:
    cards = event.game.hand_dealt.cards
    if len(cards) > 1:
        cards[0], cards[1] = cards[1], cards[0]


def another_commitment(event: view_pb2.TableEvent) -> None:
    if event.HasField("match_opened"):
        event.match_opened.fairness.commitment = bytes(32)


def another_seed(event: view_pb2.TableEvent) -> None:
    transcript = event.seed_revealed.transcript
    if event.HasField("seed_revealed"):
        transcript.octets = transcript.octets[:-80] + bytes(1) + transcript.octets[-79:]


def another_receipt(event: view_pb2.TableEvent) -> None:
    receipt = event.cards_released.receipt
    if receipt.octets:
        receipt.octets = receipt.octets[:-1] + bytes([receipt.octets[-1] ^ 1])


def another_ruleset(event: view_pb2.TableEvent) -> None:
    for seat in event.match_opened.seats:
        seat.participant_id = "00" * 16


@pytest.mark.parametrize(
    ("change", "point"),
    [
        (another_card, "cards seen"),
        (another_hand, "cards seen"),
        (another_commitment, "table"),
        (another_commitment, "witness commitment"),
        (another_receipt, "witness hands"),
        (another_ruleset, "table"),
    ],
)
@pytest.mark.parametrize("form", [FORMS[0], FORMS[-1]], ids=str)
async def test_a_deal_that_was_tampered_with_is_found_out(
    matches: dict[tuple[str, int, int], Match], form: tuple[str, int, int], change: Change, point: str
) -> None:
    report = told_again(matches[form].players[0], change)
    assert not report.ok
    assert report.point(point).verdict is Verdict.FAILED


async def test_a_changed_word_of_the_dealer_is_found_at_once(matches: dict[tuple[str, int, int], Match]) -> None:
    report = told_again(matches[FORMS[0]].players[0], another_seed)
    assert [point.verdict for point in report.points] == [Verdict.FAILED]
    assert report.points[0].name in ("format", "signatures")


async def test_a_dealer_whose_key_is_not_the_published_one_is_not_believed(
    matches: dict[tuple[str, int, int], Match],
) -> None:
    report = told_again(matches[FORMS[0]].players[0], lambda _: None, keys=[bytes(32)])
    assert report.point("signatures").verdict is Verdict.FAILED


async def test_a_round_that_was_learnt_too_late_is_not_witnessed_and_no_failure(
    matches: dict[tuple[str, int, int], Match],
) -> None:
    in_time = told_again(matches[FORMS[0]].players[0], lambda _: None)
    too_late = told_again(matches[FORMS[0]].players[0], lambda _: None, late_ms=60_000)
    assert in_time.point("witness round").verdict is Verdict.PROVEN
    assert too_late.point("witness round").verdict is Verdict.NOT_WITNESSED
    assert in_time.ok
    assert too_late.ok


def kinds(updates: Sequence[Update]) -> set[str]:
    return {update.kind for update in updates}


async def test_the_course_of_a_match_is_told_in_full(matches: dict[tuple[str, int, int], Match]) -> None:
    told = kinds(matches["club", 2, 32].players[0].updates)
    assert {"match_opened", "seed_received", "round_chosen", "beacon_fixed", "deal_started", "hand_dealt"} <= told
    assert {"up_card_turned", "trump_chosen", "cards_left_out", "deal_scored", "match_ended", "seed_revealed"} <= told
