"""Heartbeats of many streams are spread evenly over their ten seconds."""

from collections import Counter

from belot_gateway.streams import beats


def test_each_stream_has_one_heartbeat_in_ten_seconds_and_no_turn_has_more_than_its_share() -> None:
    due = Counter((turn, number) for turn in range(7, 107) for number in range(1_000) if beats(turn, number))
    assert sorted(number for _, number in due) == list(range(1_000))
    assert set(Counter(turn for turn, _ in due).values()) == {10}
