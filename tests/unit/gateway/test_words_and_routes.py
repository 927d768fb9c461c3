"""Small pure things: which pod a table goes to, and items encoded by hand."""

from collections import Counter

import pytest

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_gateway.rendezvous import pick, ranked
from belot_gateway.wire import event_batch, varint

PODS = tuple(f"10.0.0.{n}:7101" for n in range(1, 5))
TABLES = [f"table-{n}" for n in range(2_000)]


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
