"""Matches with persons: seeds, hands that only their seats see, clocks, and leaving."""

import asyncio
import random
import secrets

import pytest

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.channels import LOBBY, player_channel
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.bus import Bus, BusOptions
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_kit.tasks import background
from support.tables import Person, TableClient, Watcher, bots, first_legal, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
ONE_SECOND = {"bid_time": {"seconds": 1}, "card_time": {"seconds": 1}, "seed_time": {"seconds": 1}, "reserve": {}}


async def seated_persons(tables: TableClient, count: int, **options: object) -> list[Person]:
    """Persons who sit at seats 0.. of a new table, all ready."""
    table_id = (await tables.create("maker", short_match(**options))).summary.table_id
    persons = [Person(tables, table_id, f"{new_request()}") for _ in range(count)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    return persons


async def play_on(persons: list[Person], watcher: Watcher, rng: random.Random, seen: list[view_pb2.TableView]) -> None:
    """Every person acts at random whenever it is his turn, until the match is over; their views are kept in `seen`."""
    turns = 1
    while (seat := await watcher.next_turn(turns)) is not None:
        turns += 1
        view = await persons[seat].client.view(persons[seat].table_id, persons[seat].player_id)
        seen.append(view)
        action = table_pb2.TableAction(game=any_legal(view.match.legal, rng))
        await persons[seat].do(action, expected_version=view.summary.version)


def any_legal(legal: match_pb2.LegalActions, rng: random.Random) -> match_pb2.Action:
    """One of the legal actions."""
    actions = [match_pb2.Action(play=match_pb2.Play(card=card)) for card in legal.cards]
    actions += [match_pb2.Action(choose=match_pb2.Choose(suit=suit)) for suit in legal.suits]
    actions += [match_pb2.Action(pass_bid=match_pb2.Pass())] if legal.may_pass else []
    actions += [match_pb2.Action(accept=match_pb2.Accept())] if legal.may_accept else []
    return rng.choice(actions)


async def test_four_persons_play_a_match_and_nobody_ever_sees_a_card_he_may_not(
    tables: TableClient, valkey: str
) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    persons = await seated_persons(tables, 4)
    table_id = persons[0].table_id
    views: list[view_pb2.TableView] = []
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        await asyncio.gather(*(each.send_seed() for each in persons))
        await play_on(persons, watcher, random.Random(seed), views)
        result = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
        log = list(watcher.log)
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))
    hands = [_cards_shown_to(log, seat) for seat in range(4)]
    assert {card for hand in hands for card in hand} == set(range(1, 33))
    for seat in range(4):
        others = set.union(*(hands[other] for other in range(4) if other != seat)) - hands[seat]
        assert _unplayed_cards_seen(log, seat).isdisjoint(others)
        own = [view for view in views if view.viewer_seat == seat]
        assert all(set(view.match.hand) <= hands[seat] for view in own)
    assert _unplayed_cards_seen(log, None) == set()
    assert [each.kind for each in result.seats] == [common_pb2.ACTOR_KIND_PERSON] * 4
    request = table_pb2.GetProofFileRequest(match_id=result.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()


def _cards_shown_to(log: list[Envelope], seat: int) -> set[int]:
    """Every card that a seat was dealt, the up-card included where it took it."""
    played = {
        event.game.card_played.card
        for event in _events(log, None)
        if event.game.HasField("card_played") and event.game.card_played.seat == seat
    }
    dealt = {
        card
        for event in _events(log, seat)
        if event.game.HasField("hand_dealt") and event.game.hand_dealt.seat == seat
        for card in event.game.hand_dealt.cards
    }
    return played | dealt


def _unplayed_cards_seen(log: list[Envelope], seat: int | None) -> set[int]:
    """Cards that a viewer saw in hands dealt or in what may be played."""
    seen: set[int] = set()
    for event in _events(log, seat):
        seen |= set(event.game.hand_dealt.cards) | set(event.turn_started.legal.cards)
        if event.cards_released.HasField("receipt"):
            assert seat is not None
    return seen


def _events(log: list[Envelope], seat: int | None) -> list[view_pb2.TableEvent]:
    visible = [visible_to(each, seat) for each in log]
    return [view_pb2.TableEvent.FromString(each) for each in visible if each]


async def test_a_seed_is_taken_once_and_its_receipt_goes_to_its_sender(tables: TableClient, valkey: str) -> None:
    anna = (await seated_persons(tables, 2))[0]
    async with watching(tables, valkey, anna.table_id) as watcher:
        await anna.do(bots())
        await watcher.until_kind("match_opened")
        await anna.send_seed()
        with pytest.raises(DomainError) as refused:
            await anna.send_seed()
        await watcher.until_kind("seed_received")
        received = next(each for each in watcher.log if each.kind == "seed_received")
    assert refused.value.reason is Reason.SEED_ALREADY_SENT
    own, other = (view_pb2.TableEvent.FromString(visible_to(received, seat) or b"") for seat in (0, 1))
    assert own.seed_received.HasField("receipt")
    assert not other.seed_received.HasField("receipt")


async def test_a_person_who_sends_no_seed_and_never_acts_is_played_for_by_the_clock(
    tables: TableClient, valkey: str
) -> None:
    anna = (await seated_persons(tables, 1, **ONE_SECOND))[0]
    async with watching(tables, valkey, anna.table_id) as watcher:
        await anna.do(bots())
        chosen = (await watcher.until_kind("round_chosen")).round_chosen
        await watcher.until(
            lambda log: any(
                view_pb2.TableEvent.FromString(each.payload).decision_taken.actor == common_pb2.ACTOR_KIND_AUTOMATIC
                for each in log
                if each.kind == "decision_taken"
            )
        )
        await anna.do(LEAVE)
        result = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
    assert set(chosen.seeds) == {b""}
    assert list(result.leavers) == [anna.player_id]
    stints = [(each.actor, each.bot_level) for each in result.stints if each.seat == 0]
    assert stints == [(common_pb2.ACTOR_KIND_PERSON, ""), (common_pb2.ACTOR_KIND_BOT, "normal")]
    request = table_pb2.GetProofFileRequest(match_id=result.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()


async def test_everybody_may_leave_in_whatever_phase_and_the_match_still_ends(tables: TableClient, valkey: str) -> None:
    persons = await seated_persons(tables, 3, **ONE_SECOND)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await persons[0].do(bots())
        await persons[0].do(LEAVE)
        await watcher.until_kind("match_opened")
        await persons[1].do(LEAVE)
        await watcher.until_kind("round_chosen")
        await persons[2].do(LEAVE)
        result = (await watcher.until_kind("match_finished")).match_finished
    assert set(result.leavers) == {each.player_id for each in persons}
    assert [each.kind for each in result.seats] == [common_pb2.ACTOR_KIND_BOT] * 4


async def test_a_refused_action_does_not_move_the_clock(tables: TableClient, valkey: str) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    anna = Person(tables, table_id, new_request())
    await anna.sit(1)
    async with watching(tables, valkey, table_id) as watcher:
        await anna.do(bots())
        await watcher.until_kind("match_opened")
        await anna.send_seed()
        assert await watcher.next_turn(1) == 1
        before = await tables.view(anna.table_id, anna.player_id)
        wrong = table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play(card=common_pb2.CARD_ACE_OF_SPADES)))
        with pytest.raises(DomainError):
            await anna.do(wrong)
        assert await tables.view(anna.table_id, anna.player_id) == before
        await anna.act(first_legal)
        await anna.do(LEAVE)


async def test_lobby_and_players_are_told_what_changes(tables: TableClient, valkey: str) -> None:
    bus, lobby, mine = Bus(BusOptions(valkey, "test")), asyncio.Queue[bytes](), asyncio.Queue[bytes]()
    player = new_request()
    async with background(bus.run()):
        await bus.wait_connected()
        await bus.subscribe(LOBBY, lobby.put_nowait, lambda: None)
        await bus.subscribe(player_channel(player), mine.put_nowait, lambda: None)
        view = await tables.create(player, short_match(), "Anna")
        async with asyncio.timeout(5):
            told = [view_pb2.TableSummary.FromString(await lobby.get())]
            while told[-1].table_id != view.summary.table_id:
                told.append(view_pb2.TableSummary.FromString(await lobby.get()))
            assert (await mine.get()).decode() == view.summary.table_id
    assert told[-1].seats[0].player_id == player
