"""The table service's database in memory, with the guards, claims and lists of its SQL.

`TableRows` is the database: each method is one statement, done at once by the database's own clock.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from belot_events.envelope import Envelope
from belot_kit.errors import DomainError, Reason
from belot_kit.pages import Page
from belot_table.clock import Timer, TimerKind
from belot_table.committing import Commit, OutboxRow, Request, players_of, timer_columns
from belot_table.complaints import Filed, MessageReport, Reported
from belot_table.delivery_store import Parcel, PutOff, Survey
from belot_table.presence import Player, Unseen
from belot_table.records import decode_table, encode_table
from belot_table.store import Answered, DueTimer, Listing, Published
from belot_table.table import Status, Table

_CLAIM_MS: Final = 1_500
_FIRST_KEY: Final = (2**62, "")
_LATEST_REPORT: Final = (2**62, "", 0, "")
_CONSUMER: Final = "rating"
_MOST_FORGOTTEN: Final = 1_000
_FACTS: Final = frozenset(
    {"match_opened", "round_chosen", "beacon_fixed", "cards_released", "deal_scored", "seed_revealed"}
)


@dataclass(slots=True)
class TimerRow:
    """A row of table_timers."""

    kind: str
    seat: int | None
    due_ms: int
    version: int
    claimed_until_ms: int = 0


@dataclass(slots=True)
class ParcelRow:
    """A row of outbox."""

    row: OutboxRow
    at_ms: int
    due_ms: int = 0
    attempts: int = 0
    acknowledged: bool = False
    refusal: str | None = None


@dataclass(slots=True)
class TableRow:
    """A row of tables with everything of other tables that begins with its id."""

    table_id: str
    version: int
    sequence: int
    status: int
    private: bool
    created_ms: int
    updated_ms: int
    match_id: str | None
    players: tuple[str, ...]
    ruleset_json: str
    state: bytes = field(repr=False)
    invitation: str | None
    timer: TimerRow
    log: list[Envelope] = field(default_factory=list)
    requests: dict[tuple[str, str], Request] = field(default_factory=dict)
    outbox: dict[str, ParcelRow] = field(default_factory=dict)
    reports: list[tuple[Reported, int]] = field(default_factory=list)
    published: int = 0
    settled: bool = False
    relayed_until_ms: int = 0


@dataclass(slots=True)
class PresenceRow:
    """A row of table_presence."""

    seen_ms: int
    away: bool = False
    claimed_until_ms: int = 0


class TableRows:
    """The database; `now_ms` is its clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.tables: dict[str, TableRow] = {}
        self.presence: dict[tuple[str, str], PresenceRow] = {}
        self._now_ms = now_ms

    # -- writing

    def create(self, commit: Commit) -> bool:
        """create_table."""
        table, request = commit.table, commit.request or Request("", "", b"", b"")
        if table.table_id in self.tables:
            return False
        kind, _, due = timer_columns(commit.timer)
        self.tables[table.table_id] = TableRow(
            table_id=table.table_id,
            version=1,
            sequence=table.sequence,
            status=table.status.value,
            private=table.options.private,
            created_ms=table.created_ms,
            updated_ms=table.created_ms,
            match_id=None,
            players=players_of(table),
            ruleset_json=table.ruleset_json,
            state=encode_table(table),
            invitation=table.invitation_code or None,
            timer=TimerRow(kind, None, due, 1),
            log=[replace(each, at_ms=table.created_ms) for each in commit.envelopes],
            requests={(request.player_id, request.request_id): request},
        )
        for player_id in players_of(table):
            self.expect_player(table.table_id, player_id)
        return True

    def commit(self, commits: Sequence[Commit]) -> Sequence[bool]:
        """commit_tables: who passed, in order. Errors: DomainError UNAVAILABLE for a key that is there already."""
        passed = [self._passes(each) for each in commits]
        for commit, passes in zip(commits, passed, strict=True):
            if passes:
                self._check_keys(commit)
        for commit, passes in zip(commits, passed, strict=True):
            if passes:
                self._write(commit)
        return passed

    def _passes(self, commit: Commit) -> bool:
        row, request = self.tables.get(commit.table.table_id), commit.request
        if row is None or row.version != commit.table.version - 1:
            return False
        return request is None or (request.player_id, request.request_id) not in row.requests

    def _check_keys(self, commit: Commit) -> None:
        row = self.tables[commit.table.table_id]
        known = {each.sequence for each in row.log[-len(commit.envelopes) - 1 :]}
        twice = any(each.sequence in known for each in commit.envelopes)
        if twice or any(each.outbox_id in row.outbox for each in commit.outbox):
            raise DomainError(Reason.UNAVAILABLE, "the database does not answer")

    def _write(self, commit: Commit) -> None:
        table, request = commit.table, commit.request
        row = self.tables[table.table_id]
        kind, seat, due = timer_columns(commit.timer)
        row.version, row.sequence, row.status = table.version, table.sequence, table.status.value
        row.match_id = table.match.match_id if table.match else None
        row.players, row.state, row.updated_ms = players_of(table), encode_table(table), commit.at_ms
        row.log += [replace(each, at_ms=commit.at_ms) for each in commit.envelopes]
        row.timer = TimerRow(kind, seat, due, row.version)
        row.outbox |= {each.outbox_id: ParcelRow(each, commit.at_ms) for each in commit.outbox}
        row.reports += [(each, commit.at_ms) for each in commit.reports]
        if request is not None:
            row.requests[request.player_id, request.request_id] = request

    # -- reading

    def load(self, table_id: str, known: Table | None) -> Table | None:
        """load_table."""
        row = self.tables.get(table_id)
        if row is None:
            return None
        if known is not None and known.version == row.version:
            return known
        return decode_table(row.state, row.ruleset_json)

    def find_request(self, table_id: str, player_id: str, request_id: str) -> Answered | None:
        """find_request."""
        row = self.tables.get(table_id)
        if row is None:
            return None
        request = row.requests.get((player_id, request_id))
        return Answered(row.version, request.fingerprint, request.response) if request else Answered(row.version)

    def keep_request(self, table_id: str, version: int, request: Request) -> bool:
        """keep_request."""
        row, key = self.tables.get(table_id), (request.player_id, request.request_id)
        if row is None or row.version != version or key in row.requests:
            return False
        row.requests[key] = request
        return True

    def find_match(self, match_id: str) -> str | None:
        """find_match."""
        return next((row.table_id for row in self.tables.values() if row.match_id == match_id), None)

    def find_invitation(self, code: str) -> str | None:
        """find_invitation."""
        return next((row.table_id for row in self.tables.values() if row.invitation == code), None)

    def list_matches(self, player_id: str, page: Page, private: bool) -> list[Table]:
        """list_matches."""
        found = (row for row in self.tables.values() if player_id in row.players and row.status == Status.FINISHED)
        return self._page((row for row in found if private or not row.private), page)

    def list_tables(self, listing: Listing, page: Page) -> list[Table]:
        """list_lobby, list_public and list_seated."""
        wanted = (row for row in self.tables.values() if row.status in listing.statuses)
        if listing.seated:
            return self._page((row for row in wanted if listing.seated in row.players), page)
        return self._page((row for row in wanted if not row.private), page)

    def _page(self, rows: Iterator[TableRow], page: Page) -> list[Table]:
        after = page.after or _FIRST_KEY
        keyed = sorted((((row.created_ms, row.table_id), row) for row in rows), key=lambda pair: pair[0], reverse=True)
        found = [row for key, row in keyed if key < after][: page.size + 1]
        return [decode_table(row.state, row.ruleset_json) for row in found]

    def events_after(self, table_id: str, sequence: int, limit: int) -> tuple[Envelope, ...]:
        """list_events."""
        row = self.tables.get(table_id)
        return () if row is None else tuple([each for each in row.log if each.sequence > sequence][:limit])

    def facts(self, table_id: str, sequence: int) -> tuple[Envelope, ...]:
        """list_facts."""
        row = self.tables.get(table_id)
        log = () if row is None else row.log
        return tuple(each for each in log if each.sequence <= sequence and each.kind in _FACTS)

    def said_since(self, table_id: str, since_ms: int, most: int) -> tuple[Envelope, ...]:
        """list_said."""
        row = self.tables.get(table_id)
        log = () if row is None else row.log
        said = [each for each in log if each.kind == "said" and each.at_ms > since_ms]
        return tuple(said[-most:] if most else ())

    def reported_by(self, table_id: str, player_id: str, since_ms: int, sequence: int) -> list[Filed]:
        """reported_by."""
        row = self.tables.get(table_id)
        reports = () if row is None else row.reports
        own = [(at_ms, each.sequence) for each, at_ms in reports if each.reporter_id == player_id]
        return [Filed(number, at_ms) for at_ms, number in sorted(own) if at_ms > since_ms or number == sequence]

    def list_reports(self, speaker_id: str, page: Page) -> list[MessageReport]:
        """list_reports."""
        found = [
            MessageReport(row.table_id, each.sequence, each.reporter_id, each.reason, at_ms, _said(row, each.sequence))
            for row in self.tables.values()
            for each, at_ms in row.reports
            if speaker_id in ("", each.speaker_id)
        ]
        keyed = sorted(((each.at_ms, each.table_id, each.sequence, each.reporter_id), each) for each in found)
        after = page.after or _LATEST_REPORT
        return [each for key, each in reversed(keyed) if key < after][: page.size + 1]

    # -- timers and publishing

    def claim_overdue(self, grace_ms: int, limit: int) -> list[DueTimer]:
        """claim_timers."""
        now = self._now_ms()
        due = [
            row for row in self.tables.values()
            if row.timer.due_ms < now - grace_ms and row.timer.claimed_until_ms < now and row.timer.kind
        ]  # fmt: skip
        due = sorted(due, key=lambda row: row.timer.due_ms)[:limit]
        for row in due:
            row.timer.claimed_until_ms = now + _CLAIM_MS
        return [DueTimer(row.table_id, _timer(row.timer)) for row in due]

    def claim_unpublished(self, age_ms: int, limit: int) -> list[Published]:
        """claim_unpublished."""
        now = self._now_ms()
        behind = [
            row for row in self.tables.values()
            if not row.settled and row.sequence > row.published
            and row.updated_ms < now - age_ms and row.relayed_until_ms < now
        ][:limit]  # fmt: skip
        for row in behind:
            row.relayed_until_ms = now + _CLAIM_MS
        return [Published(row.table_id, row.published, not row.timer.kind) for row in behind]

    def mark_published(self, marks: Sequence[Published]) -> None:
        """mark_published."""
        for mark in marks:
            row = self.tables.get(mark.table_id)
            if row is not None and mark.sequence > row.published:
                row.published, row.settled, row.relayed_until_ms = mark.sequence, mark.settled, 0

    def forget_requests(self, before_ms: int) -> None:
        """forget_requests."""
        left = _MOST_FORGOTTEN
        for row in self.tables.values():
            if row.status >= Status.FINISHED and row.updated_ms < before_ms:
                for key in list(row.requests)[:left]:
                    del row.requests[key]
                    left -= 1

    # -- the outbox

    def _parcels(self, consumer: str) -> Iterator[tuple[TableRow, ParcelRow]]:
        if consumer == _CONSUMER:
            yield from ((row, each) for row in self.tables.values() for each in row.outbox.values()
                        if not each.acknowledged)  # fmt: skip

    def claim_parcels(self, consumer: str, limit: int, claim_ms: int) -> list[Parcel]:
        """claim_deliveries."""
        now = self._now_ms()
        due = sorted(
            ((row, each) for row, each in self._parcels(consumer) if each.due_ms <= now),
            key=lambda pair: pair[1].due_ms,
        )[:limit]
        for _, each in due:
            each.due_ms, each.attempts = now + claim_ms, each.attempts + 1
        return [Parcel(row.table_id, each.row.outbox_id, each.row.payload, each.attempts) for row, each in due]

    def acknowledge(self, parcels: Sequence[Parcel]) -> None:
        """acknowledge_deliveries."""
        for parcel in parcels:
            each = self.tables[parcel.table_id].outbox[parcel.outbox_id]
            each.acknowledged, each.refusal = True, None if not each.acknowledged else each.refusal

    def put_off_parcels(self, late: Sequence[PutOff]) -> None:
        """put_off_deliveries."""
        for put_off in late:
            each = self.tables[put_off.parcel.table_id].outbox[put_off.parcel.outbox_id]
            if not each.acknowledged:
                each.due_ms, each.refusal = self._now_ms() + put_off.wait_ms, put_off.refusal or each.refusal

    def survey(self, consumer: str) -> Survey:
        """survey_deliveries."""
        waiting = [each for _, each in self._parcels(consumer)]
        oldest = min((each.at_ms for each in waiting), default=self._now_ms())
        return Survey(max(0, self._now_ms() - oldest), sum(each.refusal is not None for each in waiting))

    # -- presence

    def expect_player(self, table_id: str, player_id: str) -> None:
        """expect_player."""
        self.presence[table_id, player_id] = PresenceRow(self._now_ms())

    def see(self, players: Sequence[Player]) -> list[Player]:
        """see_players."""
        now, back = self._now_ms(), list[Player]()
        for player in dict.fromkeys(players):
            row = self.tables.get(player.table_id)
            if row is None or row.status >= Status.FINISHED or player.player_id not in row.players:
                continue
            known = self.presence.setdefault((player.table_id, player.player_id), PresenceRow(now))
            known.seen_ms = now
            if known.away:
                back.append(player)
        return back

    def claim_unseen(self, grace_ms: int, limit: int) -> list[Unseen]:
        """claim_unseen."""
        now = self._now_ms()
        unseen = [
            (key, row) for key, row in sorted(self.presence.items())
            if not row.away and row.seen_ms < now - grace_ms and row.claimed_until_ms < now
        ][:limit]  # fmt: skip
        for _, row in unseen:
            row.claimed_until_ms = now + _CLAIM_MS
        return [Unseen(Player(*key), row.seen_ms) for key, row in unseen]

    def mark(self, player: Player, away: bool, seen_ms: int | None) -> bool:
        """mark_away."""
        row = self.presence.get((player.table_id, player.player_id))
        if row is None or seen_ms not in (None, row.seen_ms):
            return False
        row.away, row.claimed_until_ms = away, 0
        return True

    def forget(self, player: Player) -> None:
        """forget_presence."""
        self.presence.pop((player.table_id, player.player_id), None)


def _timer(row: TimerRow) -> Timer:
    return Timer(TimerKind(row.kind), row.due_ms, row.version, row.seat)


def _said(row: TableRow, sequence: int) -> bytes:
    return row.log[sequence - 1].payload
