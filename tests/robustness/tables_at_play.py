"""Twelve tables and more at which matches are played one after another, and what they tell while it goes on.

Table n is of a kind by turns: four people in each ruleset, two people with bots, four people in a hurry whose clocks
run out.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from belot.table.v1 import view_pb2
from robustness.histories import Sent, Tape
from robustness.person import Person
from robustness.playing import Habits, Playing

_NEVER_MS = 300_000
_HASTE_MS = 1_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table: its ruleset, how many people sit there (bots take the rest), and their time for a move."""

    ruleset: str
    people: int = 4
    move_ms: int = _NEVER_MS
    habits: Habits = field(default_factory=Habits)

    @property
    def hasty(self) -> bool:
        """Whether clocks run out here."""
        return self.move_ms < _NEVER_MS


KINDS = (
    Kind("bela"),
    Kind("classic"),
    Kind("bela", people=2),
    Kind("club"),
    Kind("bela", move_ms=_HASTE_MS, habits=Habits(sleeps=0.03)),
    Kind("bela"),
)


@dataclass(slots=True)
class Place:
    """One place for tables: what is played there now. `playing` is on while nothing but moves is awaited."""

    number: int
    kind: Kind
    table_id: str = ""
    playing: bool = False
    doing: str = ""
    matches: int = 0
    last_moves: list[Sent] = field(default_factory=list)
    parts: list[Playing] = field(default_factory=list)

    def played_since(self, moment: float) -> float | None:
        """When the first move that left after `moment` was acknowledged; None as long as none was."""
        return next((sent.acks[0].at for sent in self.last_moves if sent.times[0] >= moment), None)


@dataclass(frozen=True, slots=True)
class Seen:
    """A match that somebody saw to its end: his tape, and the token to open the table again with."""

    tape: Tape
    metadata: tuple[tuple[str, str], ...] = field(repr=False)


class Company:
    """Everybody who plays. `stop` lets running matches end and begins no more."""

    def __init__(self, gateways: Sequence[str], tables: int, seed: int) -> None:
        """`gateways` are what clients dial."""
        self.tapes: list[Tape] = []
        self.seen: list[Seen] = []
        self.places = [Place(number, KINDS[number % len(KINDS)]) for number in range(tables)]
        self._gateways = gateways
        self._seed = seed
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Begin no more matches."""
        self._stopping.set()

    async def play(self) -> None:
        """Play at every place until stopped; ends when all matches have."""
        async with asyncio.TaskGroup() as group:
            for place in self.places:
                group.create_task(self._matches(place))

    async def _matches(self, place: Place) -> None:
        rng = random.Random(f"{self._seed}/{place.number}")
        people = [self._person(place, seat, rng) for seat in range(place.kind.people)]
        try:
            place.doing = "signing in"
            for person in people:
                await person.sign_in()
            while not self._stopping.is_set():
                await self._match(place, people)
            place.doing = ""
        finally:
            for person in people:
                await person.close()

    def _person(self, place: Place, seat: int, rng: random.Random) -> Person:
        first = (place.number + seat) % len(self._gateways)
        gateways = [*self._gateways[first:], *self._gateways[:first]]
        return Person(f"p{place.number}-{seat}", gateways, random.Random(rng.random()))

    async def _match(self, place: Place, people: Sequence[Person]) -> None:
        """One match of two deals, from the making of the table to the reveal of the seed."""
        place.doing = "making a table"
        table_id = await people[0].create_table(options_of(place.kind))
        place.table_id, place.last_moves, place.parts, place.doing = table_id, [], [], "sitting down"
        for seat, person in enumerate(people[1:], start=1):
            await person.sit_down(table_id, seat)
        if len(people) < 4:
            await people[0].fill_with_bots(table_id)
        place.doing = "the match"

        def acked(sent: Sent) -> None:
            if sent.action.HasField("game"):
                place.playing = True
                place.last_moves.append(sent)

        async with asyncio.TaskGroup() as group:
            for person in people:
                tape = Tape(table_id, person.player_id, place.kind.hasty)
                self.tapes.append(tape)
                playing = Playing(person, tape, place.kind.habits, acked)
                place.parts.append(playing)
                group.create_task(self._part(place, person, tape, playing))
        place.matches += 1

    async def _part(self, place: Place, person: Person, tape: Tape, playing: Playing) -> None:
        await playing.run()
        place.playing = False
        self.seen.append(Seen(tape, person.metadata))


def options_of(kind: Kind) -> view_pb2.TableOptions:
    """A table of this kind: two deals, a minute for seeds, bots that take their time."""
    options = view_pb2.TableOptions(ruleset=kind.ruleset, ruleset_options={"deals": "2"})
    options.bid_time.FromMilliseconds(kind.move_ms)
    options.card_time.FromMilliseconds(kind.move_ms)
    options.reserve.FromMilliseconds(0 if kind.hasty else _NEVER_MS)
    options.seed_time.FromMilliseconds(60_000)
    options.bot_delay.FromMilliseconds(50)
    return options


async def everybody_plays(places: Sequence[Place], moment: float, limit_s: float) -> float | None:
    """Seconds from `moment` until every table that was in play then has had a move sent after it acknowledged.

    Left out: tables in a hurry (they sleep on purpose), and those whose match ends first. None: not within the limit.
    """
    waiting = {place.number: place.table_id for place in places if place.playing and not place.kind.hasty}
    slowest = moment
    while waiting and time.monotonic() - moment < limit_s:
        for place in places:
            if waiting.get(place.number) != place.table_id or not place.playing:
                waiting.pop(place.number, None)
            elif (at := place.played_since(moment)) is not None:
                slowest = max(slowest, at)
                del waiting[place.number]
        await asyncio.sleep(0.02)
    return None if waiting else slowest - moment
