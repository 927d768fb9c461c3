"""What one run leaves behind: what clients sent, were answered and received, and what the database holds in the end.

Plain values: the validators (log_checks, stream_checks, replay) are pure functions over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_events.envelope import Envelope


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a command: when it came (monotonic seconds), and either where the table stood or the refusal."""

    at: float
    version: int = 0
    sequence: int = 0
    refusal: str = ""


@dataclass(slots=True)
class Sent:
    """One command, however often it was sent; a double click is one command, too.

    `times` are those at which it left (monotonic seconds).
    """

    request_id: str
    action: table_pb2.TableAction = field(repr=False)
    times: list[float] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def acks(self) -> tuple[Answer, ...]:
        """The answers that said it is done."""
        return tuple(answer for answer in self.answers if not answer.refusal)


@dataclass(frozen=True, slots=True)
class Session:
    """One stream of a client: at which gateway, and after which sequence it resumed (None: from a snapshot)."""

    gateway: str
    after: int | None


@dataclass(frozen=True, slots=True)
class Received:
    """One item about the table, with the number of the session it came in."""

    session: int
    item: gateway_pb2.StreamItem = field(repr=False)


@dataclass(slots=True)
class Tape:
    """Everything between one client and one table. `hasty`: its clocks are so short that refusals are part of the game.

    `bookmark` says that this stream was opened after the match, to see the same again; it sent nothing.
    """

    table_id: str
    player_id: str
    hasty: bool = False
    bookmark: bool = False
    sessions: list[Session] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """Ends of streams that no fault explains."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """The table's row; `published` is how far its events are said to be published."""

    table_id: str
    version: int
    sequence: int
    state: bytes = field(repr=False)
    ruleset_json: str = field(repr=False)
    published: int = 0


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One message for other systems; `acknowledged` once a consumer took it."""

    outbox_id: str
    kind: str
    payload: bytes = field(repr=False)
    acknowledged: bool = False


@dataclass(frozen=True, slots=True)
class TableHistory:
    """One table from both sides.

    `requests` are the stored answers by (player, request), `inbox` the encoded results of it that the ratings keep.
    """

    table: StoredTable
    log: tuple[Envelope, ...]
    requests: Mapping[tuple[str, str], bytes]
    outbox: tuple[OutboxRow, ...]
    tapes: tuple[Tape, ...]
    inbox: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be: which validator says so of which table, in words without a hand in them."""

    validator: str
    table_id: str
    text: str

    def __str__(self) -> str:
        return f"{self.validator}: table {self.table_id}: {self.text}"
