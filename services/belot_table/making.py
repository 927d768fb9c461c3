"""How tables come to be: made by a player, opened for a rematch, found by an invitation."""

import secrets
from dataclasses import dataclass, replace
from typing import Final

from belot_kit.errors import DomainError, Reason
from belot_kit.ids import id_for_request
from belot_table import seating
from belot_table.admission import plain_code
from belot_table.commands import ATTEMPTS, Command, SitDown, execute, reused
from belot_table.committing import Request
from belot_table.ports import Ports, announce, commit_of, encode_ack, write
from belot_table.rules_port import Ruleset
from belot_table.table import Actor, Options, RematchOpened, Seat, Status, Step, Table, seat_of, step

_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 10
"""Fifty bits: nobody finds somebody else's table by trying."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to make; its maker sits at seat 0 under the name `sit_as`, unless that is empty."""

    player_id: str
    request_id: str
    fingerprint: bytes
    options: Options
    sit_as: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """A rematch that a player of a finished table asks for."""

    table_id: str
    player_id: str
    request_id: str
    fingerprint: bytes
    name: str


async def create_table(ports: Ports, wanted: NewTable) -> Table:
    """Make a table; sent again, the request finds what it made. RULESET_NOT_FOUND, OPTION_INVALID."""
    ruleset = await ports.rules.ruleset(wanted.options)
    await _check_rated(ports, wanted.options, ruleset)
    options = replace(wanted.options, seats=ruleset.seats, pack_size=ruleset.pack_size)
    if len(options.reserved_for) > ruleset.seats:
        raise DomainError(Reason.OPTION_INVALID, f"there are {ruleset.seats} seats to keep")
    now, table_id = ports.clock.now_ms(), id_for_request("table", wanted.player_id, wanted.request_id)
    empty = seating.new_table(table_id, options, ruleset.ref, ruleset.json, ruleset.sides, now)
    made = seating.set_up(_invited(empty), wanted.player_id, wanted.sit_as)
    request = Request(wanted.player_id, wanted.request_id, wanted.fingerprint, encode_ack(made.table))
    if await _create(ports, made, now, request):
        return made.table
    answered = await ports.store.find_request(table_id, wanted.player_id, wanted.request_id)
    if answered is not None and answered.fingerprint not in (None, wanted.fingerprint):
        raise reused()
    return await ports.tables.fresh(table_id)


async def find_invitation(ports: Ports, code: str) -> Table:
    """The table that a code leads to. TABLE_NOT_FOUND."""
    table_id = await ports.store.find_invitation(plain_code(code))
    if table_id is None:
        raise DomainError(Reason.TABLE_NOT_FOUND, "there is no such invitation")
    return await ports.tables.fresh(table_id)


async def open_rematch(ports: Ports, wanted: Rematch) -> Table:
    """A table like a finished one, kept for its people, the caller on his seat; all who ask get the same one.

    NOT_SEATED, MATCH_NOT_FINISHED; TABLE_NOT_OPEN when it has begun without him.
    """
    old = await ports.tables.fresh(wanted.table_id)
    seat = seat_of(old, wanted.player_id)
    if seat is None:
        raise DomainError(Reason.NOT_SEATED, "you have no seat at this table")
    if old.status is not Status.FINISHED:
        raise DomainError(Reason.MATCH_NOT_FINISHED, "the match is not over")
    now, table_id = ports.clock.now_ms(), id_for_request("rematch", "", wanted.table_id)
    sitting = Seat(seat.seat, Actor.PERSON, wanted.player_id, wanted.name)
    made = seating.set_up_rematch(_invited(seating.table_like(old, table_id, now)), old, sitting)
    request = Request(wanted.player_id, wanted.request_id, wanted.fingerprint, encode_ack(made.table))
    if await _create(ports, made, now, request):
        await _tell_rematch(ports, old, RematchOpened(table_id, wanted.player_id))
        return made.table
    sit = SitDown(seat.seat, wanted.name, "")
    command = Command(table_id, wanted.player_id, wanted.request_id, wanted.fingerprint, sit)
    try:
        await execute(ports, command)
    except DomainError as error:
        if error.reason is not Reason.ALREADY_SEATED:
            raise
    return await ports.tables.fresh(table_id)


async def _create(ports: Ports, made: Step, now_ms: int, request: Request) -> bool:
    commit = commit_of(made, now_ms, request)
    passed = await ports.store.create(commit)
    if passed:
        announce(ports, made, commit)
    return passed


async def _tell_rematch(ports: Ports, old: Table, event: RematchOpened) -> None:
    """Say it at the old table; whoever misses it finds the new one by asking himself."""
    for _ in range(ATTEMPTS):
        if await write(ports, step(old, old, event), ports.clock.now_ms()):
            return
        old = await ports.tables.fresh(old.table_id)


def _invited(table: Table) -> Table:
    """The table with a code of its own, if it is private."""
    if not table.options.private:
        return table
    return replace(table, invitation_code="".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)))


async def _check_rated(ports: Ports, options: Options, ruleset: Ruleset) -> None:
    if options.rated and options.private:
        raise DomainError(Reason.OPTION_INVALID, "private tables are never rated: make it public, or unrated")
    if not options.rated or not options.ruleset_options:
        return
    standard = await ports.rules.ruleset(replace(options, ruleset_options=()))
    if standard.ref != ruleset.ref:
        raise DomainError(Reason.OPTION_INVALID, "rated tables have the standard options of their ruleset")
