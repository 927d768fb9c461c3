"""Tables in memory by id and version: a commit that passed proves the state it wrote, so most commands read nothing."""

from collections import OrderedDict
from typing import Final

from belot_kit.errors import DomainError, Reason
from belot_table.store import Store
from belot_table.table import Table

_MOST: Final = 20_000


def no_such_table(table_id: str) -> DomainError:
    """What is answered where there is no such table, or where it is hidden from whoever asks."""
    return DomainError(Reason.TABLE_NOT_FOUND, "there is no such table", table_id=table_id)


class StateCache:
    """The latest state seen of each table; the store has the truth."""

    def __init__(self, store: Store, most: int = _MOST) -> None:
        """At most `most` tables; the one not used for longest goes first."""
        self._store = store
        self._most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    async def current(self, table_id: str) -> Table:
        """The table as last seen here, possibly behind the store. TABLE_NOT_FOUND."""
        known = self._tables.get(table_id)
        if known is None:
            return await self.fresh(table_id)
        self._tables.move_to_end(table_id)
        return known

    async def fresh(self, table_id: str) -> Table:
        """The table as the store has it now. TABLE_NOT_FOUND."""
        found = await self._store.load(table_id, self._tables.get(table_id))
        if found is None:
            raise no_such_table(table_id)
        return self.put(found)

    def put(self, table: Table) -> Table:
        """Remember a state unless a newer one is known; returns the newer of the two."""
        known = self._tables.get(table.table_id)
        newest = table if known is None or known.version < table.version else known
        self._tables[table.table_id] = newest
        self._tables.move_to_end(table.table_id)
        if len(self._tables) > self._most:
            self._tables.popitem(last=False)
        return newest
