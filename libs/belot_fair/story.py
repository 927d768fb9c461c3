"""The events of a match, taken apart by kind, so that each check reads what it needs by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_fair.bodies import Beacon, Fallback, Hand, Opened, Revealed, RoundChosen, Seeds, Unknown
from belot_fair.recipe import NO_VALUE
from belot_fair.transcript import Event


@dataclass(frozen=True, slots=True)
class Story:
    """A transcript whose order was checked: what is None has not happened; times are unix milliseconds."""

    match_id: str
    opened: Opened
    opened_ms: int
    seeds: Seeds | None
    closed_ms: int
    chosen: RoundChosen | None
    chosen_ms: int
    answer: Beacon | Fallback | None
    answer_ms: int
    hands: tuple[Hand, ...]
    revealed: Revealed | None
    unknown: int

    @property
    def round_and_value(self) -> tuple[int, bytes] | None:
        """What the recipe takes from the beacon; round 0 and zeros after a fallback, None before either."""
        if self.answer is None:
            return None
        return (self.answer.round, self.answer.value) if isinstance(self.answer, Beacon) else (0, NO_VALUE)

    @property
    def client_seeds(self) -> tuple[bytes, ...]:
        """The seeds in seat order, empty for a seat without one."""
        return tuple(seat.seed for seat in self.seeds.seats) if self.seeds else ()


def story_of(events: Sequence[Event]) -> Story:
    """The story that events in a checked order tell; `ValueError` when they do not start with OPENED."""
    opened = _first(events, Opened)
    if opened is None or not isinstance(opened.body, Opened):
        raise ValueError("a transcript starts with OPENED")
    seeds, chosen = _first(events, Seeds), _first(events, RoundChosen)
    answer = _first(events, Beacon) or _first(events, Fallback)
    revealed = _first(events, Revealed)
    return Story(
        match_id=opened.match_id,
        opened=opened.body,
        opened_ms=opened.time_ms,
        seeds=seeds.body if seeds and isinstance(seeds.body, Seeds) else None,
        closed_ms=seeds.time_ms if seeds else 0,
        chosen=chosen.body if chosen and isinstance(chosen.body, RoundChosen) else None,
        chosen_ms=chosen.time_ms if chosen else 0,
        answer=answer.body if answer and isinstance(answer.body, Beacon | Fallback) else None,
        answer_ms=answer.time_ms if answer else 0,
        hands=tuple(event.body for event in events if isinstance(event.body, Hand)),
        revealed=revealed.body if revealed and isinstance(revealed.body, Revealed) else None,
        unknown=sum(isinstance(event.body, Unknown) for event in events),
    )


def _first(events: Sequence[Event], kind: type) -> Event | None:
    return next((event for event in events if isinstance(event.body, kind)), None)
