"""A bot that holds a person's seat: after two missed turns in a row it goes on for him, and he may always come back.

Pure. The seat stays the person's: he sees his hand and what it may do, and takes it back by saying so (`resume`), or by
bidding or playing in its turn. Only a decision of his own clears what he missed, so that somebody who comes back and
misses the next turn is stood in for at once. A stint begins with the seat's next decision, in that trick or later.
"""

from dataclasses import replace
from typing import Final

from belot_table.clock import begin_turn
from belot_table.table import (
    Actor,
    Await,
    Happening,
    Match,
    Refused,
    Seat,
    SeatChanged,
    SeatReturned,
    SeatTakenOver,
    Status,
    Step,
    Stint,
    Table,
    bound_stints,
    own_seat,
    step,
    unchanged,
    with_seat,
)

STAND_IN_LEVEL: Final = "normal"
"""The level of the bot that goes on for a person who left or missed his turns."""

MOST_MISSED: Final = 2
"""Turns in a row after which a bot goes on."""


def count_missed(match: Match, seat: int, actor: Actor, seats: int) -> tuple[int, ...]:
    """Missed turns by seat after a decision: one more when the clock decided, none when the person did."""
    missed = match.missed or (0,) * seats
    counts = {Actor.AUTOMATIC: missed[seat] + 1, Actor.PERSON: 0}
    count = counts.get(actor, missed[seat])
    # Nothing missed as before is the usual answer, and the very same object.
    return match.missed if count == missed[seat] else (*missed[:seat], count, *missed[seat + 1 :])


def taken_over(table: Table, seat: int, missed: int) -> tuple[Table, tuple[Happening, ...]]:
    """The table with a bot on a person's seat, and the words of it."""
    held = replace(table.seats[seat], kind=Actor.BOT, bot_level=STAND_IN_LEVEL)
    return with_seat(table, held), (SeatTakenOver(held, missed), SeatChanged(held))


def given_back(table: Table, seat: Seat) -> tuple[Table, tuple[Happening, ...]]:
    """The table with the person on his seat again, and the words of it."""
    back = replace(seat, kind=Actor.PERSON, bot_level="")
    return with_seat(table, back), (SeatReturned(back), SeatChanged(back))


def resume(table: Table, player_id: str, now_ms: int) -> Step:
    """Take the seat back, also in the middle of its turn, which then begins anew. NOT_SEATED, WRONG_PHASE when over.

    Where no bot stands in there is nothing to do.
    """
    seat = own_seat(table, player_id)
    if table.status is not Status.PLAYING:
        raise Refused("WRONG_PHASE", "no match is being played")
    if not seat.stood_in:
        return unchanged(table)
    match = table.running
    after, events = given_back(table, seat)
    match = replace(match, stints=(*match.stints, Stint(seat.seat, Actor.PERSON, "", match.hand, match.trick)))
    if match.next.kind is Await.TURN and match.next.seat == seat.seat:
        clock, turn = begin_turn(after, match.next, match.clock.reserves_ms, now_ms)
        match, events = replace(match, clock=clock), (*events, turn)
    return step(table, replace(after, match=match), *events)


def is_rated(table: Table) -> bool:
    """Whether the match counts for ratings as far as its seats go: a bot at its opening makes it casual."""
    return table.options.rated and all(each.actor is Actor.PERSON for each in bound_stints(table))


def deserted(table: Table) -> bool:
    """Whether nobody plays a rated match any more."""
    return is_rated(table) and all(each.kind is not Actor.PERSON for each in table.seats)
