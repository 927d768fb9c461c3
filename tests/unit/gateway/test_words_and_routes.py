"""Small pure things: languages and sentences, which pod a table goes to, and items encoded by hand."""

from collections import Counter

import pytest

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_gateway.localize import catalogues, language_for, sentence
from belot_gateway.rendezvous import pick, ranked
from belot_gateway.wire import event_batch, varint
from belot_kit.errors import Reason

PODS = tuple(f"10.0.0.{n}:7101" for n in range(1, 5))
TABLES = [f"table-{n}" for n in range(2_000)]
CLAUSES = ("must_follow", "must_beat", "must_trump", "must_overtrump", "must_rise_in_trump")


@pytest.mark.parametrize(
    "header", ["", "en", "en-GB", "xx", "xx, en;q=0.1", "*", ";;,,q=", "de;q=nonsense", "e" * 9_999]
)
def test_english_is_spoken_where_nothing_better_is_asked_for(header: str) -> None:
    assert language_for(header) == "en"


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    assert catalogues()["en"].reasons[reason].endswith(".")


def test_the_catalogue_speaks_of_no_reason_that_does_not_exist() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.keys()}  # noqa: SIM118 - an enum
    assert set(catalogues()["en"].reasons) <= names


def test_an_illegal_card_is_explained_by_its_clause() -> None:
    texts = {sentence("en", "ILLEGAL_CARD", {"clause": clause}) for clause in CLAUSES}
    assert len(texts) == len(CLAUSES)
    assert sentence("en", "ILLEGAL_CARD", {"clause": "must_follow"}) == "You must follow suit."


def test_what_has_no_sentence_still_says_something() -> None:
    assert sentence("xx", "SOMETHING_NEWER", {}) == sentence("en", "INTERNAL", {})


def test_tables_spread_evenly_over_pods() -> None:
    counts = Counter(ranked(table, PODS)[0] for table in TABLES)
    assert min(counts.values()) > 0.8 * len(TABLES) / len(PODS)


def test_a_lost_pod_moves_its_own_tables_only() -> None:
    lost, *live = PODS
    for table in TABLES:
        favourite = ranked(table, PODS)[0]
        assert pick(table, PODS, frozenset(live)) == (favourite if favourite != lost else ranked(table, PODS)[1])


def test_the_order_of_addresses_in_the_settings_does_not_matter() -> None:
    assert all(ranked(table, PODS) == ranked(table, PODS[::-1]) for table in TABLES[:100])


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**32, 2**64 - 1])
def test_numbers_are_written_as_protobuf_writes_them(number: int) -> None:
    item = gateway_pb2.StreamItem(sequence=number)
    assert (b"\x10" + varint(number) if number else b"") == item.SerializeToString()


def test_joined_batches_are_one_batch_of_all_their_items() -> None:
    event = view_pb2.TableEvent(status_changed=view_pb2.StatusChanged(status=view_pb2.TABLE_STATUS_PLAYING))
    event.at.FromMilliseconds(1_700_000_000_123)
    octets = event_batch(b"t" * 200, 5, event.SerializeToString()) + event_batch(b"t", 6, None)
    first, second = gateway_pb2.WatchResponse.FromString(octets).items
    assert first == gateway_pb2.StreamItem(table_id="t" * 200, sequence=5, event=event)
    assert second == gateway_pb2.StreamItem(table_id="t", sequence=6, hidden=gateway_pb2.Hidden())
    assert len(gateway_pb2.PlayResponse.FromString(octets).items) == 2
