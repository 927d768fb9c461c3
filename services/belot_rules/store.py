"""Verdicts on reported moves in PostgreSQL, schema `belot_rules`: the one thing that the rules service keeps.

The pool is opened when a verdict is first kept or asked for: rules start and answer everything else without a database.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, cast

import structlog

from belot_engine.notation import (
    card_text,
    cards_text,
    hand_text,
    parse_card,
    parse_cards,
    parse_hand,
    parse_suit,
    suit_text,
)
from belot_engine.ruleset import canonical_json, ruleset_from_json, ruleset_hash
from belot_kit.errors import DomainError, Reason
from belot_kit.migrate import check_schema
from belot_kit.postgres import Connection, Pool, PostgresOptions, open_pool
from belot_kit.queries import load_queries
from belot_rules.ruling import Report, RuledOn, Treatment

PACKAGE: Final = "belot_rules"
_SQL = load_queries(PACKAGE)
_KEEP_DISPUTE: Final = _SQL["keep_dispute"]
_FIND_DISPUTE: Final = _SQL["find_dispute"]

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class KeptDispute:
    """A report with its verdict as it is kept; `ruled_ms` is unix time, `fingerprint` SHA-256 of what was sent."""

    dispute_id: str
    player_id: str
    request_id: str
    fingerprint: bytes
    report: Report
    ruled: RuledOn
    ruled_ms: int


class Disputes(Protocol):
    """The port to the verdicts that are kept."""

    async def keep(self, dispute: KeptDispute) -> bool:
        """Keep a verdict; False when there is one under its id already, which stays."""

    async def find(self, dispute_id: str) -> KeptDispute | None:
        """The verdict with this id, None when there is none."""


class NoDisputes:
    """Where there is no database: nothing is kept and nothing found."""

    async def keep(self, dispute: KeptDispute) -> bool:
        """See Disputes. Errors: DomainError UNAVAILABLE, always."""
        raise _kept_nowhere()

    async def find(self, dispute_id: str) -> KeptDispute | None:
        """See Disputes. Errors: DomainError UNAVAILABLE, always."""
        raise _kept_nowhere()


def _kept_nowhere() -> DomainError:
    return DomainError(Reason.UNAVAILABLE, "this rules service keeps no disputes: it has no postgres_dsn")


class PostgresDisputes:
    """The verdicts in PostgreSQL. Errors of every method: DomainError UNAVAILABLE when the database is away."""

    def __init__(self, options: PostgresOptions) -> None:
        """Nothing is opened yet."""
        self._options = options
        self._pool: Pool | None = None
        self._opening = asyncio.Lock()

    async def keep(self, dispute: KeptDispute) -> bool:
        """See Disputes."""
        return await self._answer(lambda pool: pool.fetchval(_KEEP_DISPUTE, *row_of(dispute).values())) is not None

    async def find(self, dispute_id: str) -> KeptDispute | None:
        """See Disputes."""
        row = await self._answer(lambda pool: pool.fetchrow(_FIND_DISPUTE, dispute_id))
        return None if row is None else dispute_of(cast("Mapping[str, object]", row))

    async def close(self) -> None:
        """Close the pool, if it was opened."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    async def _answer(self, ask: Callable[[Pool], Awaitable[object]]) -> object:
        try:
            return await ask(await self._opened())
        except Exception as error:  # of the driver, the network or a schema that lacks: nothing can be kept now
            _log.warning("database_away", error=type(error).__name__)
            raise DomainError(Reason.UNAVAILABLE, "the database of disputes does not answer") from None

    async def _opened(self) -> Pool:
        async with self._opening:
            if self._pool is None:
                pool = await open_pool(self._options)
                try:
                    async with pool.acquire() as connection:
                        await check_schema(cast("Connection", connection), PACKAGE)
                except BaseException:
                    await pool.close()
                    raise
                self._pool = pool
            return self._pool


def row_of(dispute: KeptDispute) -> dict[str, object]:
    """A dispute as its row, in the order of the columns: all of it text that needs no release of ours to be read."""
    report, ruled = dispute.report, dispute.ruled
    return {
        "dispute_id": dispute.dispute_id,
        "player_id": dispute.player_id,
        "request_id": dispute.request_id,
        "fingerprint": dispute.fingerprint,
        "ruleset_hash": ruleset_hash(report.ruleset),
        "ruleset_json": canonical_json(report.ruleset),
        "trump": suit_text(report.trump),
        "played": cards_text(report.played),
        "hand": hand_text(report.hand),
        "move": card_text(report.move),
        "treatment": report.treatment.value,
        "expected": report.expected,
        "comment": report.comment,
        "legal": ruled.legal,
        "clause": ruled.clause,
        "legal_cards": hand_text(ruled.legal_cards),
        "allowed_by": " ".join(ruled.allowed_by),
        "ruled_ms": dispute.ruled_ms,
    }


def dispute_of(row: Mapping[str, object]) -> KeptDispute:
    """A dispute from its row."""

    def text(name: str) -> str:
        return str(row[name])

    report = Report(
        ruleset=ruleset_from_json(text("ruleset_json")),
        trump=parse_suit(text("trump")),
        played=parse_cards(text("played")),
        hand=parse_hand(text("hand")),
        move=parse_card(text("move")),
        treatment=Treatment(text("treatment")),
        expected=text("expected"),
        comment=text("comment"),
    )
    legal_cards, allowed_by = parse_hand(text("legal_cards")), tuple(text("allowed_by").split())
    ruled = RuledOn(bool(row["legal"]), text("clause"), legal_cards, allowed_by)
    return KeptDispute(
        dispute_id=text("dispute_id"),
        player_id=text("player_id"),
        request_id=text("request_id"),
        fingerprint=cast("bytes", row["fingerprint"]),
        report=report,
        ruled=ruled,
        ruled_ms=cast("int", row["ruled_ms"]),
    )
