"""Who gets to know of a table: anybody of a public one, of a private one those whom somebody let in; and who may watch.

Pure.
"""

from belot_table.table import BEFORE_PLAY, Status, Table, seat_of


def admits(table: Table, player_id: str, code: str = "") -> bool:
    """Whether the player may look and act here: a private table is hidden from whoever has neither part in it nor
    its code. Case and spaces of the code do not matter.
    """
    if not table.options.private or seat_of(table, player_id) is not None:
        return True
    left = table.match.leavers if table.match is not None else ()
    if player_id and player_id in (table.maker, *table.options.reserved_for, *left):
        return True
    return bool(plain_code(code)) and plain_code(code) == table.invitation_code


def hides_match(table: Table, player_id: str) -> bool:
    """Whether the match that goes on here is not shown to the player: he does not sit here, and nobody is to watch.

    Before the match anybody may look who may sit down, and what is over is history.
    """
    running = table.status in BEFORE_PLAY or table.status is Status.PLAYING
    return table.options.no_spectators and running and seat_of(table, player_id) is None


def plain_code(code: str) -> str:
    """A code as it was given out, however it is typed."""
    return "".join(code.split()).upper()
