"""What the rating service does, one function a use case."""

from collections.abc import Sequence

from belot_kit.errors import DomainError, Reason, invalid_field
from belot_kit.failpoints import failpoint
from belot_kit.pages import Page, next_token
from belot_rating.inbox import MalformedError, Result, check, fingerprint, pool_of
from belot_rating.metrics import RESULTS
from belot_rating.store import Entry, Inbox, Kept


async def record_match(inbox: Inbox, result: Result, payload: bytes) -> tuple[Kept, bool]:
    """Keep a result once, however often and by whomever it is told: where it is kept, and whether it was before.

    `payload` is the result as it came. Errors: DomainError INVALID_ARGUMENT naming the field, MATCH_RESULT_DIFFERS,
    UNAVAILABLE; after the last it may have been kept.
    """
    try:
        check(result)
    except MalformedError as malformed:
        RESULTS.labels("malformed").inc()
        raise invalid_field(malformed.field, malformed.description) from None
    mark = fingerprint(result)
    failpoint("rating_before_keep")
    kept = await inbox.keep(Entry(result.match_id, pool_of(result), result.rated, mark, payload))
    failpoint("rating_after_keep")
    if kept is not None:
        RESULTS.labels("new").inc()
        return kept, False
    return await _known(inbox, result.match_id, mark), True


async def list_recorded(inbox: Inbox, page: Page) -> tuple[Sequence[Kept], str]:
    """A page of results with the token of the next one."""
    found = await inbox.latest(page)
    return found[: page.size], next_token(page, [(each.received_ms, each.match_id) for each in found])


async def _known(inbox: Inbox, match_id: str, mark: bytes) -> Kept:
    found = await inbox.find(match_id)
    if found is None or found[1] != mark:
        RESULTS.labels("differs").inc()
        raise DomainError(Reason.MATCH_RESULT_DIFFERS, "another result of this match is kept", match_id=match_id)
    RESULTS.labels("known").inc()
    return found[0]
