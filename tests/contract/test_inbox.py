"""What the ratings rely on of their inbox: a match has one result, the first."""

from belot_kit.pages import Page
from belot_rating.inbox import Pool
from belot_rating.store import Entry, Inbox

POOL = Pool("classic", 4, 32)


def entry(match_id: str, payload: bytes = b"result") -> Entry:
    """A result."""
    return Entry(match_id, POOL, True, b"f" * 32, payload)


async def test_a_match_keeps_its_first_result(inbox: Inbox) -> None:
    kept = await inbox.keep(entry("m"))
    assert kept is not None
    assert await inbox.keep(entry("m", b"other")) is None
    found = await inbox.find("m")
    assert found is not None
    assert (found[0].match_id, found[0].received_ms, found[1]) == ("m", kept.received_ms, b"f" * 32)
    assert await inbox.find("other") is None


async def test_results_are_listed_latest_first_and_go_on_after_a_key(inbox: Inbox) -> None:
    for name in ("a", "b", "c"):
        await inbox.keep(entry(name, name.encode()))
    found = await inbox.latest(Page(10, None, ""))
    keys = [(each.received_ms, each.match_id) for each in found]
    assert keys == sorted(keys, reverse=True)
    assert {each.payload for each in found} == {b"a", b"b", b"c"}
    assert [each.match_id for each in await inbox.latest(Page(1, keys[0], ""))] == [key[1] for key in keys[1:]]
