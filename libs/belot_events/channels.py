"""The channels on which committed changes are published. They carry what eyes want; nothing that changes data hangs on
them, for a message may be lost.
"""

from typing import Final

LOBBY: Final = "belot:lobby"
"""Encoded belot.table.v1.TableSummary of a public table whose seats or status changed."""


def table_channel(table_id: str) -> str:
    """Where a table's events go, one encoded belot.table.v1.EventBatch per commit."""
    return f"belot:table:{table_id}"


def player_channel(player_id: str) -> str:
    """Where a player is told that something changed at a table of his: the payload is the table's id, UTF-8."""
    return f"belot:player:{player_id}"
