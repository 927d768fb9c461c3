"""The rating service's inbox in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from belot_kit.pages import Page
from belot_rating.store import Entry, Kept
from support.memory_stores import Line, straight

_LATEST: Final = (2**62, "")


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A row of inbox."""

    entry: Entry
    received_ms: int


class InboxRows:
    """The database; `now_ms` is its clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.rows: dict[str, InboxRow] = {}
        self._now_ms = now_ms

    def keep(self, entry: Entry) -> Kept | None:
        """keep_result."""
        if entry.match_id in self.rows:
            return None
        self.rows[entry.match_id] = InboxRow(entry, self._now_ms())
        return Kept(entry.match_id, self._now_ms())

    def find(self, match_id: str) -> tuple[Kept, bytes] | None:
        """find_result."""
        row = self.rows.get(match_id)
        return None if row is None else (Kept(match_id, row.received_ms), row.entry.fingerprint)

    def latest(self, page: Page) -> list[Kept]:
        """list_results."""
        after = page.after or _LATEST
        keyed = sorted(((row.received_ms, match_id), row.entry.payload) for match_id, row in self.rows.items())
        return [Kept(key[1], key[0], payload) for key, payload in reversed(keyed) if key < after][: page.size + 1]


class MemoryInbox:
    """The rating service's Inbox."""

    def __init__(self, rows: InboxRows, line: Line = straight) -> None:
        self._rows = rows
        self._line = line

    async def keep(self, entry: Entry) -> Kept | None:
        """See Inbox."""
        return await self._line("keep", lambda: self._rows.keep(entry))

    async def find(self, match_id: str) -> tuple[Kept, bytes] | None:
        """See Inbox."""
        return await self._line("find", lambda: self._rows.find(match_id))

    async def latest(self, page: Page) -> Sequence[Kept]:
        """See Inbox."""
        return await self._line("latest", lambda: self._rows.latest(page))
