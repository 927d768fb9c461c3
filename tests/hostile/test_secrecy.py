"""Whole random matches of every ruleset and size, watched: nobody is told a card that is not his to see.

Looked at: all messages of players' and spectators' streams, answers and refusals of every public rpc that reads
something of a table or match, the services' logs at their most talkative, their metrics.
"""

import asyncio
import json
import os
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import aiohttp
import grpc
import pytest
import pytest_asyncio

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_engine.ruleset import Ruleset
from belot_events.envelope import Envelope
from hostile.arena import addresses_of, patient_fleet
from hostile.logs import forms_of
from hostile.prying import LOOKING, Notebook, PryingPlayer, octets_of, pry
from hostile.secrecy import Sight, cards_written, every_card, left_out_too_early, sights
from robustness.harvest import harvest
from robustness.log_reading import whole_event
from support.fleet import Fleet
from support.playouts import every_form
from support.raw_streams import guest, table

DELAY_MS = 1_500
CLOCK_MS = 20.0
"""Two processes of one machine round their milliseconds each for himself."""

LONGEST_SECONDS = 150

FORMS = {f"{each.name}-{each.seats}x{each.pack}": each for each in every_form()}


@dataclass(frozen=True, slots=True)
class Match:
    """One match, the notes of everybody who saw it, its log, and what could be seen when."""

    notebooks: Sequence[Notebook]
    delay_ms: int
    log: Sequence[Envelope]
    sights: Sequence[Sight]


@dataclass(frozen=True, slots=True)
class Seen:
    """All matches by the names of their forms, what lies in the logs, and the metrics of every process."""

    matches: Mapping[str, Match]
    logs: bytes
    metrics: Mapping[str, str]


async def _look_on(fleet: Fleet, number: int, table_id: str, notebook: Notebook, stop: asyncio.Event) -> None:
    """A spectator with a stream, who asks as well."""
    async with guest(fleet.gateways[number % 2], f"Spectator {number}") as person:
        prying = asyncio.create_task(pry(person.channel, person.metadata, table_id, notebook, random.Random(number)))
        call = person.plays.Watch(gateway_pb2.WatchRequest(subscriptions=[table(table_id)]), metadata=person.metadata)
        reading = asyncio.create_task(_read(call, notebook))
        await stop.wait()
        for task in (reading, prying):
            task.cancel()
        await asyncio.gather(reading, prying, return_exceptions=True)


async def _read(
    call: "grpc.aio.UnaryStreamCall[gateway_pb2.WatchRequest, gateway_pb2.WatchResponse]", notebook: Notebook
) -> None:
    async for response in call:
        for item in response.items:
            notebook.stream(item)


async def _play(fleet: Fleet, rules: Ruleset, seed: int, delay_ms: int) -> tuple[str, list[Notebook]]:
    """A match of two hands by people who cheat, with two spectators; the table and everybody's notes."""
    rng, notebooks = random.Random(seed), [Notebook(seat) for seat in range(rules.seats)]
    players = [PryingPlayer(fleet.gateways, f"{rules.name}-{seat}", rng) for seat in range(rules.seats)]
    for player, notebook in zip(players, notebooks, strict=True):
        player.notebook, player.observe = notebook, notebook.stream
        await player.sign_in()
    options = view_pb2.TableOptions(
        ruleset=rules.name, seats=rules.seats, pack_size=rules.pack, ruleset_options={"deals": "2"}
    )
    for name in ("bid_time", "card_time"):
        getattr(options, name).FromSeconds(300)
    options.spectator_delay.FromMilliseconds(delay_ms)
    table_id = await players[0].create_table(options)
    for player in players[1:]:
        await player.sit_down(table_id)
    spectators, stop = [Notebook(None), Notebook(None)], asyncio.Event()
    async with grpc.aio.insecure_channel(fleet.gateways[-1]) as channel, asyncio.TaskGroup() as group:
        for number, notebook in enumerate(spectators):
            group.create_task(_look_on(fleet, number, table_id, notebook, stop))
        asking = [
            group.create_task(pry(channel, player.metadata, table_id, player.notebook, random.Random(seat)))
            for seat, player in enumerate(players)
        ]
        async with asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play(table_id))
        stop.set()
        for task in asking:
            task.cancel()
    for player in players:
        await player.close()
    return table_id, [*notebooks, *spectators]


async def _metrics(fleet: Fleet) -> dict[str, str]:
    """The metrics page of every process."""
    pages: dict[str, str] = {}
    for name, ops in addresses_of(fleet, "ops_listen").items():
        connector = aiohttp.UnixConnector(ops.removeprefix("unix:"))
        async with aiohttp.ClientSession(connector=connector) as session, session.get("http://ops/metrics") as page:
            pages[name] = await page.text()
    return pages


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seen(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Seen]:
    """A match of each form, all at the same time, spectators of every other one late; and all that there is to read."""
    seed = int(os.environ.get("BELOT_HOSTILE_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"seed {seed}: BELOT_HOSTILE_SEED={seed} plays the same cards")
    folder: Path = tmp_path_factory.mktemp("fleet")
    async with patient_fleet(folder, "DEBUG") as fleet:
        delays = {name: DELAY_MS * (number % 2) for number, name in enumerate(FORMS)}
        async with asyncio.timeout(LONGEST_SECONDS):
            played = await asyncio.gather(
                *(_play(fleet, rules, seed + len(name), delays[name]) for name, rules in FORMS.items())
            )
        logs = {each.table.table_id: each.log for each in await harvest(fleet.servers.dsn, ())}
        metrics = await _metrics(fleet)
    matches = {
        name: Match(notebooks, delays[name], logs[table_id], sights(logs[table_id], FORMS[name].seats))
        for name, (table_id, notebooks) in zip(FORMS, played, strict=True)
    }
    yield Seen(matches, b"\n".join(file.read_bytes() for file in sorted((folder / "logs").glob("*.log"))), metrics)


def _end(match: Match, kind: str) -> int:
    """The number of the first event of a kind."""
    return next(each.sequence for each in match.log if each.kind == kind)


def _foreign(match: Match, notebook: Notebook) -> list[str]:
    """What somebody was told of cards that were not his to see by then."""
    wrong: list[str] = []
    over_ms = match.sights[_end(match, "match_finished")].at_ms
    for each in notebook.told:
        if each.at_ms >= over_ms and each.by not in ("stream", "GetTable"):
            continue  # the record of a match that is over shows everything
        last = each.last
        if last < 0:
            last = max(at for at, sight in enumerate(match.sights) if sight.at_ms <= each.at_ms + CLOCK_MS)
        may = frozenset().union(*(sight.seen_from(notebook.seat) for sight in match.sights[each.first : last + 1]))
        cards = every_card(each.message)
        if cards - may:
            wrong.append(f"{each.by} at {each.first}: {sorted(cards - may)}")
    return wrong


@pytest.mark.parametrize("form", FORMS)
def test_nobody_is_told_a_card_that_is_not_his_to_see(seen: Seen, form: str) -> None:
    match = seen.matches[form]
    for notebook in match.notebooks:
        assert _foreign(match, notebook) == []
    assert sum(len(every_card(each.message)) for each in match.notebooks[0].told) > 40


def test_every_way_to_look_was_tried(seen: Seen) -> None:
    """In one match or another: on a busy machine a short one may be over before its players have tried all."""
    notebooks = [notebook for match in seen.matches.values() for notebook in match.notebooks]
    asked = {each.by.removesuffix(" refused") for notebook in notebooks for each in notebook.told}
    assert asked >= {"stream", *(each.name for each in LOOKING)}


@pytest.mark.parametrize("form", FORMS)
def test_cards_that_nobody_was_dealt_are_shown_when_the_deal_is_over_and_not_before(seen: Seen, form: str) -> None:
    match = seen.matches[form]
    assert list(left_out_too_early(match.log)) == []


@pytest.mark.parametrize("form", FORMS)
def test_spectators_are_told_nothing_before_their_time(seen: Seen, form: str) -> None:
    match = seen.matches[form]
    opened, over = _end(match, "match_opened"), _end(match, "match_finished")
    for notebook in match.notebooks:
        if notebook.seat is None:
            early = [
                (each.by, each.first, match.log[each.first - 1].kind)
                for each in notebook.told
                if each.last > opened
                and (each.by == "stream" or each.last < over)
                and each.at_ms < match.sights[each.last].at_ms + match.delay_ms - CLOCK_MS
            ]
            assert early == []


@pytest.mark.parametrize("form", FORMS)
def test_the_server_seed_is_in_nothing_that_anybody_was_told_before_its_reveal(seen: Seen, form: str) -> None:
    match = seen.matches[form]
    at = _end(match, "seed_revealed")
    server_seed = whole_event(match.log[at - 1]).seed_revealed.server_seed
    told = octets_of(match.notebooks, match.sights[at].at_ms - CLOCK_MS)
    assert len(server_seed) == 32
    assert [each for each in forms_of(server_seed) if each in told] == []
    assert [each for each in forms_of(server_seed) if each in seen.logs] == []


def test_logs_name_cards_that_lie_open_at_a_table_and_no_others(seen: Seen) -> None:
    found = 0
    for line in seen.logs.splitlines():
        cards = cards_written(line.decode())
        if cards:
            found += 1
            at_ms = datetime.fromisoformat(json.loads(line)["timestamp"]).timestamp() * 1000
            assert any(cards <= _open_at(match, at_ms) for match in seen.matches.values()), line
    assert found > 10


def _open_at(match: Match, at_ms: float) -> frozenset[int]:
    """What lay open at a table in the second before a moment."""
    known = [each for each in match.sights if each.at_ms <= at_ms + CLOCK_MS]
    lately = [each.open for each in known if each.at_ms >= at_ms - 1_000]
    return known[-1].open.union(*lately)


def test_metrics_name_no_card_and_no_seed(seen: Seen) -> None:
    assert len(seen.metrics) > 7
    for page in seen.metrics.values():
        assert "belot_" in page
        assert cards_written(page) == set()
        for match in seen.matches.values():
            revealed = whole_event(match.log[_end(match, "seed_revealed") - 1]).seed_revealed
            assert not any(each in page.encode() for each in forms_of(revealed.server_seed))
