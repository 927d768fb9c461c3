"""Tables that stand still, one for each state a table can be in: whatever changes there was done by a request."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from support.raw_streams import RawGuest

_LONG: Final = {"seconds": 600}
STILL: Final[Mapping[str, object]] = {
    "bid_time": _LONG,
    "card_time": _LONG,
    "seed_time": _LONG,
    "reserve": {"seconds": 1_800},
    "waiting_time": {"seconds": 86_400},
    "bot_delay": {},
}
_POLL_SECONDS: Final = 0.1
_LIMIT_SECONDS: Final = 60.0


@dataclass(slots=True)
class Place:
    """One such table. `touched`: a call of this batch may have changed it; `spoiled`: it has changed, or may yet.

    A spoiled one is only one more table to aim at, and another takes its place.
    """

    kind: str
    table_id: str
    player_id: str
    match_id: str = ""
    invitation_code: str = field(default="", repr=False)
    touched: bool = False
    spoiled: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The ids under which databases know it."""
        return tuple(key for key in (self.table_id, self.match_id) if key)

    def focus(self) -> dict[str, str]:
        """Its ids by the names of fields in requests."""
        people = dict.fromkeys(("player_id", "viewer_id", "seated_player_id"), self.player_id)
        return {"table_id": self.table_id, "match_id": self.match_id, "invitation_code": self.invitation_code, **people}


async def _waiting(guest: RawGuest, **options: object) -> str:
    return await guest.create(**{**STILL, **options})


async def view_of(guest: RawGuest, table_id: str) -> view_pb2.TableView:
    request = gateway_pb2.GetTableRequest(table_id=table_id)
    return (await guest.lobby.GetTable(request, metadata=guest.metadata)).table


async def look_until(guest: RawGuest, table_id: str, holds: Callable[[view_pb2.TableView], bool]) -> view_pb2.TableView:
    """Look until it is so. (Nobody follows the table: who is seen and leaves again would change it.)"""
    async with asyncio.timeout(_LIMIT_SECONDS):
        while not holds(view := await view_of(guest, table_id)):  # noqa: ASYNC110 - followers would be seen
            await asyncio.sleep(_POLL_SECONDS)
        return view


async def _empty(guest: RawGuest) -> view_pb2.TableView:
    options = view_pb2.TableOptions(**{"ruleset": "bela", **STILL})  # type: ignore[arg-type]
    request = gateway_pb2.CreateTableRequest(request_id=secrets.token_hex(8), options=options, stay_standing=True)
    return (await guest.lobby.CreateTable(request, metadata=guest.metadata)).table


async def _one_sits(guest: RawGuest) -> view_pb2.TableView:
    return await view_of(guest, await _waiting(guest, private=True))


async def _seeding(guest: RawGuest) -> view_pb2.TableView:
    table_id = await _waiting(guest)
    await guest.ready(table_id)
    await guest.bots(table_id)
    return await look_until(guest, table_id, lambda view: view.summary.status == view_pb2.TABLE_STATUS_SEEDING)


async def _playing(guest: RawGuest, **options: object) -> view_pb2.TableView:
    table_id = await _waiting(guest, **options)
    await guest.ready(table_id)
    await guest.bots(table_id)
    await look_until(guest, table_id, lambda view: view.summary.status == view_pb2.TABLE_STATUS_SEEDING)
    seed = gateway_pb2.SubmitSeedRequest(request_id="seed", table_id=table_id, seed=secrets.token_bytes(16))
    await guest.plays.SubmitSeed(seed, metadata=guest.metadata)
    return await look_until(guest, table_id, lambda view: view.turn.HasField("legal"))


async def _finished(guest: RawGuest) -> view_pb2.TableView:
    view = await _playing(guest, ruleset="classic", ruleset_options={"deals": "1"})
    table_id = view.summary.table_id
    resign = gateway_pb2.ResignRequest(request_id="resign", table_id=table_id)
    await guest.plays.Resign(resign, metadata=guest.metadata)
    return await look_until(guest, table_id, lambda view: bool(view.fairness.server_seed))


KINDS: Final[Mapping[str, Callable[[RawGuest], Awaitable[view_pb2.TableView]]]] = {
    "empty": _empty,
    "one sits": _one_sits,
    "seeding": _seeding,
    "bela": _playing,
    "club": lambda guest: _playing(guest, ruleset="club"),
    "club for three": lambda guest: _playing(guest, ruleset="club", seats=3, pack_size=24),
    "classic": lambda guest: _playing(guest, ruleset="classic"),
    "announces": lambda guest: _playing(guest, ruleset="announces"),
    "finished": _finished,
}


async def make_place(kind: str, guest: RawGuest) -> Place:
    """A fresh table of a kind, `guest` at seat 0 (but at the empty one)."""
    view = await KINDS[kind](guest)
    summary = view.summary
    return Place(kind, summary.table_id, guest.player_id, summary.match_id, view.invitation_code)


async def make_places(guests: Sequence[RawGuest]) -> list[Place]:
    """Two of each kind, made at the same time."""
    made = [make_place(kind, guests[number % len(guests)]) for number, kind in enumerate((*KINDS, *KINDS))]
    return list(await asyncio.gather(*made))
