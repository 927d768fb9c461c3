"""Talk and what concerns it, folded into a table's state."""

from belot.table.v1 import view_pb2
from belot_client.fold import fold
from belot_client.snapshot import options_message, options_of, table_state
from belot_client.view import MOST_SAID, Options, TableState


def a_table() -> TableState:
    return table_state(view_pb2.TableView(summary=view_pb2.TableSummary(table_id="t"), sequence=7), "ana")


def said(number: int) -> view_pb2.TableEvent:
    return view_pb2.TableEvent(said=view_pb2.Said(seat=1, player_id="bo", text=f"word {number}"))


def muted(player_id: str, is_muted: bool) -> view_pb2.TableEvent:
    return view_pb2.TableEvent(player_muted=view_pb2.PlayerMuted(player_id=player_id, muted=is_muted))


def test_messages_are_kept_with_their_numbers_and_only_so_many() -> None:
    state = a_table()
    for number in range(MOST_SAID + 10):
        state = fold(state, state.sequence + 1, said(number))
    assert len(state.said) == MOST_SAID
    assert (state.said[0].text, state.said[0].sequence) == ("word 10", 18)
    assert state.said[-1].sequence == state.sequence


def test_muting_adds_and_takes_away_as_a_snapshot_would_have_it() -> None:
    state = a_table()
    for player_id in ("cy", "bo", "cy"):
        state = fold(state, state.sequence + 1, muted(player_id, True))
    assert state.muted == ("bo", "cy")
    assert fold(state, state.sequence + 1, muted("bo", False)).muted == ("cy",)
    view = view_pb2.TableView(
        summary=view_pb2.TableSummary(table_id="t"), sequence=state.sequence, muted_player_ids=["cy", "bo"]
    )
    assert table_state(view, "ana") == state


def test_a_halted_table_stands_until_it_goes_on() -> None:
    halted = fold(a_table(), 8, view_pb2.TableEvent(table_halted=view_pb2.TableHalted(halted=True)))
    assert halted.halted
    assert not fold(halted, 9, view_pb2.TableEvent(table_halted=view_pb2.TableHalted())).halted


def test_options_about_spectators_and_the_end_survive_the_way_there_and_back() -> None:
    options = Options("bela", no_spectators=True, spectator_delay_ms=90_000, ends_by_ms=1_800_000_000_123)
    assert options_of(options_message(options)) == options
    assert not options_message(Options("bela")).HasField("spectator_delay")
