"""What a viewer is sent next: in order, once, without gaps, and nothing that is not his to see."""

import random

import pytest

from belot_events.envelope import Envelope
from belot_gateway.sequencing import SeatChange, Sent, merge, seat_after, seat_before, show

SECRET = b"secret"


def envelope(sequence: int, only_seat: int | None = None, kind: str = "turn_started") -> Envelope:
    private = SECRET if only_seat is not None else b""
    return Envelope("t", sequence, kind, 0, b"public", only_seat, private)


def encode(sequence: int, event: bytes | None) -> bytes:
    return f"[{sequence}:{'hidden' if event is None else event.decode()}]".encode()


def moves(changes: dict[int, SeatChange], each: Envelope) -> SeatChange | None:
    return changes.get(each.sequence)


@pytest.mark.parametrize("seed", range(20))
def test_any_order_and_any_repetition_come_out_in_order_and_once(seed: int) -> None:
    draw = random.Random(seed)
    arrivals = [envelope(sequence) for sequence in range(1, 30)] + [envelope(draw.randint(1, 29)) for _ in range(20)]
    draw.shuffle(arrivals)
    head, waiting, seen = 0, (), []
    while arrivals:
        batch = [arrivals.pop() for _ in range(min(len(arrivals), draw.randint(1, 5)))]
        merged = merge(head, waiting, batch)
        seen += [each.sequence for each in merged.fresh]
        head, waiting = (seen[-1] if seen else 0), merged.waiting
    assert seen == list(range(1, 30))
    assert waiting == ()


def test_what_lies_beyond_a_gap_waits() -> None:
    merged = merge(4, (), [envelope(5), envelope(7), envelope(8)])
    assert [each.sequence for each in merged.fresh] == [5]
    assert [each.sequence for each in merged.waiting] == [7, 8]


def test_the_missing_one_releases_what_waited() -> None:
    merged = merge(5, (envelope(7), envelope(8)), [envelope(6)])
    assert [each.sequence for each in merged.fresh] == [6, 7, 8]
    assert merged.waiting == ()


def test_a_private_part_is_shown_to_its_seat_alone() -> None:
    events = [envelope(1, only_seat=2)]
    assert show(Sent(0, 2), "p", events, lambda _: None, encode)[1] == b"[1:publicsecret]"
    for seat in (None, 0, 1, 3):
        assert show(Sent(0, seat), "p", events, lambda _: None, encode)[1] == b"[1:public]"


def test_a_hidden_event_comes_as_its_number_so_that_numbers_stay_contiguous() -> None:
    hidden = Envelope("t", 2, "game", 0, b"", 1, SECRET)
    sent, items = show(Sent(0, 0), "p", [envelope(1), hidden, envelope(3)], lambda _: None, encode)
    assert items == b"[1:public][2:hidden][3:public]"
    assert sent == Sent(3, 0)


def test_who_sits_down_sees_his_own_from_then_on_and_no_longer_once_he_left() -> None:
    changes = {2: SeatChange(1, "p"), 4: SeatChange(1, "")}
    events = [envelope(1, 1), envelope(2, kind="seat_changed"), envelope(3, 1), envelope(4), envelope(5, 1)]
    sent, items = show(Sent(0, None), "p", events, lambda each: moves(changes, each), encode)
    assert items == b"[1:public][2:public][3:publicsecret][4:public][5:public]"
    assert sent == Sent(5, None)


def test_another_player_on_his_seat_ends_his_right_to_it() -> None:
    assert seat_after(1, "p", SeatChange(1, "q")) is None
    assert seat_after(1, "p", SeatChange(2, "q")) == 1
    assert seat_after(1, "p", SeatChange(3, "p")) == 3


def test_the_seat_at_the_start_of_a_tail_is_found_backwards() -> None:
    assert seat_before(2, "p", []) == 2
    assert seat_before(None, "p", [(SeatChange(2, ""), "p")]) == 2
    assert seat_before(None, "p", [(SeatChange(2, ""), "q")]) is None
    assert seat_before(3, "p", [(SeatChange(1, ""), "p"), (SeatChange(3, "p"), "")]) == 1
