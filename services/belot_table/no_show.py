"""Tables at which whoever does not come loses: every seat is kept for somebody, and the match counts or has a limit.

Pure. The seats must be taken within the table's waiting time from when it was made, whatever happens in it. A table for
a rematch binds nobody: nobody has promised to come.
"""

from dataclasses import replace

from belot_table.endings import Ending, EndKind
from belot_table.table import Actor, Clock, Match, Seat, SeatChanged, Stint, Table


def is_binding(table: Table) -> bool:
    """Whether those for whom the seats are kept lose by not coming."""
    options = table.options
    kept = len(options.reserved_for) == len(table.seats) and all(options.reserved_for)
    return kept and bool(table.maker) and (options.rated or options.ends_by_ms > 0)


def unplayed(table: Table, match_id: str, now_ms: int) -> tuple[Table, tuple[SeatChanged, ...]]:
    """The table with a match of which no card was dealt: who did not come has his seat in the record, and has left."""
    absent = tuple(
        Seat(each.seat, Actor.PERSON, table.options.reserved_for[each.seat], disconnected=True)
        for each in table.seats
        if each.kind is Actor.NOBODY
    )
    by_number = {each.seat: each for each in absent}
    seats = tuple(by_number.get(each.seat, each) for each in table.seats)
    match = Match(
        match_id,
        tuple(Stint(each.seat, each.kind, each.bot_level) for each in seats),
        clock=Clock(reserves_ms=(table.options.reserve_ms,) * len(seats)),
        card_points=(0,) * (max(table.sides) + 1),
        leavers=tuple(each.player_id for each in absent),
        started_ms=now_ms,
    )
    return replace(table, seats=seats, match=match), tuple(SeatChanged(each) for each in absent)


def ending_of_unplayed(table: Table) -> Ending:
    """How a match ends whose time came before it began: sides that did not come whole lose; all, if all are level."""
    sides = set(table.sides)
    missing = {table.sides[each.seat] for each in table.seats if each.kind is Actor.NOBODY}
    if missing and missing != sides:
        return Ending(EndKind.NO_SHOW, tuple(sorted(missing)))
    return Ending(EndKind.DOUBLE_LOSS, tuple(sorted(sides)))
