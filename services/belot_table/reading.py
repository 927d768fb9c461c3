"""What can be asked of tables: one as a viewer sees it, lists, events, the proof of a finished match."""

from dataclasses import dataclass
from typing import Final

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_fair.proof import Score
from belot_kit.errors import DomainError, Reason
from belot_kit.pages import Page, next_token
from belot_table.admission import admits, hides_match
from belot_table.complaints import MessageReport
from belot_table.evidence import proof_file
from belot_table.ports import Ports
from belot_table.results import FINISHED, is_revealed, result_of, transcript_ending
from belot_table.state_cache import no_such_table
from belot_table.store import Listing, Store
from belot_table.table import Table
from belot_table.views import table_view

_LOG_PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Tail:
    """Events after a sequence, and the table that they lead up to or towards."""

    envelopes: tuple[Envelope, ...]
    table: Table


async def view_table(ports: Ports, table_id: str, player_id: str, code: str) -> view_pb2.TableView:
    """A table as a viewer sees it now; never behind what was published before the call.

    `code` opens a private table to a viewer who has no part in it. TABLE_NOT_FOUND, SPECTATORS_NOT_ALLOWED.
    """
    table = await ports.tables.fresh(table_id)
    if not admits(table, player_id, code):
        raise no_such_table(table_id)
    return await shown_to(ports, table, player_id)


async def shown_to(ports: Ports, table: Table, player_id: str) -> view_pb2.TableView:
    """This state of a table, if the viewer may see it. SPECTATORS_NOT_ALLOWED."""
    if hides_match(table, player_id):
        raise DomainError(Reason.SPECTATORS_NOT_ALLOWED, "this match is shown to its players alone")
    return await view_of(ports, table, player_id)


async def view_of(ports: Ports, table: Table, player_id: str) -> view_pb2.TableView:
    """This state of a table as a viewer sees it."""
    facts = await ports.store.facts(table.table_id, table.sequence) if table.match else ()
    return table_view(table, facts, player_id)


async def list_tables(ports: Ports, listing: Listing, page: Page) -> tuple[list[Table], str]:
    """A page of tables, newest first, and the token of the next one."""
    found = await ports.store.list_tables(listing, page)
    token = next_token(page, [(each.created_ms, each.table_id) for each in found])
    return list(found[: page.size]), token


async def list_events(ports: Ports, table_id: str, after: int, most: int) -> Tail:
    """Committed events after a sequence, unfiltered. TABLE_NOT_FOUND."""
    table = await ports.tables.fresh(table_id)
    envelopes = await ports.store.events_after(table_id, after, most)
    # What came in between belongs to seats that the caller does not know yet.
    return Tail(tuple(each for each in envelopes if each.sequence <= table.sequence), table)


async def get_proof(ports: Ports, match_id: str) -> bytes:
    """The proof file of a match. MATCH_NOT_FOUND, MATCH_NOT_FINISHED until its server seed is revealed."""
    table_id = await ports.store.find_match(match_id)
    if table_id is None:
        raise DomainError(Reason.MATCH_NOT_FOUND, "there is no such match", match_id=match_id)
    table = await ports.tables.fresh(table_id)
    if not is_revealed(table):
        raise DomainError(Reason.MATCH_NOT_FINISHED, "the match is not finished and revealed yet")
    if not table.running.fairness.commitment:
        raise DomainError(Reason.MATCH_NOT_FOUND, "no cards were dealt in this match", match_id=match_id)
    transcript = await ports.dealer.transcript(match_id)
    result, ending = result_of(table), transcript_ending(table)
    score = Score(tuple(result.totals), result.outcome if ending == FINISHED else ending)
    return proof_file(match_id, await whole_log(ports.store, table), transcript, score)


async def list_reports(ports: Ports, speaker_id: str, page: Page) -> tuple[list[MessageReport], str]:
    """A page of reported messages, latest first, of one speaker or of all, and the token of the next one."""
    found = await ports.store.list_reports(speaker_id, page)
    token = next_token(page, [(each.at_ms, each.table_id, each.sequence, each.reporter_id) for each in found])
    return list(found[: page.size]), token


async def whole_log(store: Store, table: Table) -> list[Envelope]:
    """All events of a table up to its state."""
    log: list[Envelope] = []
    while len(log) < table.sequence:
        page = await store.events_after(table.table_id, len(log), _LOG_PAGE)
        if not page:
            break
        log += page
    return log[: table.sequence]
