"""`belot play`: a match at this terminal against bots, or (`--auto`) a match of bots to look at."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from belot_cli.convert import scene_of
from belot_cli.fleet import FleetPlanError
from belot_cli.game import Game, match_over
from belot_cli.migrate_command import MigrateError
from belot_cli.play_fleet import gateways_for
from belot_cli.play_options import PlayOptions, table_options
from belot_cli.session_seat import SessionSeat, followed
from belot_cli.state_dir import StateDirError, open_state_dir, shown
from belot_cli.stops import until_stopped
from belot_cli.supervisor import ChildFailedError
from belot_cli.tell_match import MatchTeller, sides_line
from belot_cli.terminal import Terminal, TypedLines
from belot_cli.verify_command import check, conclusion, is_development, report_lines
from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.view import TableState
from belot_fair.evidence import Evidence, write_evidence
from belot_fair.proof import read_proof
from belot_kit.embedded.processes import EmbeddedServerError

_EXPECTED = (StateDirError, FleetPlanError, ChildFailedError, EmbeddedServerError, MigrateError, TimeoutError)
_INTERRUPTED = 130

Match = Callable[[BelotClient, PlayOptions, Terminal], Awaitable[int]]


def play(options: PlayOptions, *, auto: bool) -> int:
    """Run the command. Exit status: 0 when the match was verified or left, 1 when something failed, 130 on Ctrl-C."""
    terminal, status = Terminal(), [1]

    async def run() -> None:
        status[0] = await _on_a_fleet(options, terminal, _watch_bots if auto else _play_person)

    try:
        stopped = asyncio.run(until_stopped(run, terminal.say))
    except Refused as refused:
        nowhere = (
            f"no fleet answers at {options.gateway}" if refused.reason == "UNAVAILABLE" and options.gateway else ""
        )
        print(f"belot play: {nowhere or refused.message or refused}", file=sys.stderr, flush=True)
        return 1
    except _EXPECTED as error:
        print(f"belot play: {error or type(error).__name__}", file=sys.stderr, flush=True)
        return 1
    return _INTERRUPTED if stopped else status[0]


async def _on_a_fleet(options: PlayOptions, terminal: Terminal, match: Match) -> int:
    async with (
        gateways_for(options.gateway, options.state, options.beacon, terminal.say) as gateways,
        BelotClient(*gateways, language=options.language) as client,
    ):
        await client.sign_in_guest(options.name)
        return await match(client, options, terminal)


async def _play_person(client: BelotClient, options: PlayOptions, terminal: Terminal) -> int:
    lines = TypedLines()
    table = await client.create_table(table_options(options))
    async with client.table(table.table_id) as session, followed(session) as seat:
        terminal.say(*_heading(session.state, options), "you sit at seat 1; type h for help when it is your turn")
        await session.fill_with_bots(options.bots)
        await session.ready()
        try:
            finished = await Game(seat, lines, terminal).play()
        except asyncio.CancelledError:
            await seat.leave()
            raise
        if not finished:
            terminal.say("a bot plays on in your place; this match stays unchecked here")
            return 0
        report = session.report()
        terminal.say("", "── the deal as your own client saw it " + "─" * 42, *report_lines(report))
        verified = await _save_and_verify(client, session.state, options, terminal, session.fairness.evidence())
        return 0 if verified and report.ok else 1


async def _watch_bots(client: BelotClient, options: PlayOptions, terminal: Terminal) -> int:
    table = await client.create_table(table_options(options), stay_standing=True)
    async with client.table(table.table_id) as session, followed(session) as seat:
        terminal.say(*_heading(session.state, options))
        await session.fill_with_bots(options.bots)
        await _tell_to_the_end(seat, terminal)
        return 0 if await _save_and_verify(client, session.state, options, terminal, None) else 1


async def _tell_to_the_end(seat: SessionSeat, terminal: Terminal) -> None:
    teller, sided = MatchTeller(), False
    while (update := await seat.next_update()) is not None:
        scene = scene_of(update.state)
        if update.state.match is not None and not sided:
            sided = True
            terminal.say(sides_line(scene))
        if update.event is not None:
            terminal.say_all(teller.lines(update.event, scene))
        if match_over(update.state):
            return


def _heading(table: TableState, options: PlayOptions) -> tuple[str, ...]:
    name, version, fingerprint = table.ruleset
    deals = f"{options.deals} deal{'s' if options.deals != 1 else ''}"
    until = deals if options.deals else f"to {options.target}" if options.target else "to its target"
    rules = f"{name} version {version} (hash {fingerprint[:12]}…), {until}, bots {options.bots}"
    return (f"table {table.table_id}", rules)


async def _save_and_verify(
    client: BelotClient, table: TableState, options: PlayOptions, terminal: Terminal, kept: Evidence | None
) -> bool:
    """Fetch, save and verify the proof, the client's own evidence beside it."""
    octets = await client.proof_file(table.match_id)
    file = options.save or open_state_dir(options.state) / "proofs" / f"{table.match_id}.json"
    _write(file, octets)
    evidence = file.with_suffix(".evidence.json")
    if kept is not None:
        _write(evidence, write_evidence(kept))
    proof = read_proof(octets)
    report = check(proof, kept, accept_dev=True)
    # A person has just read his own client's report: of the file's he needs the end.
    told = report_lines(report) if kept is None or not report.ok else conclusion(report)
    terminal.say("", "── the proof file, checked offline " + "─" * 45, *told)
    beside = "" if kept is None else f" --evidence {shown(evidence)}"
    development = " --accept-dev" if is_development(proof) else ""
    terminal.say(f"saved: {shown(file)}", f"check it again: belot verify {shown(file)}{beside}{development}")
    if is_development(proof):
        terminal.say("dealt by the development beacon: this proof convinces nobody but yourself")
    return report.ok


def _write(file: Path, octets: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(octets)
