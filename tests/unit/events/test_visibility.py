"""What a viewer sees of an event, and what he does not."""

from hypothesis import given
from hypothesis import strategies as st

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_events.wire import decode_batch, encode_batch

SEATS = st.none() | st.integers(0, 3)
ENVELOPES = st.builds(
    Envelope,
    table_id=st.text("abc", min_size=1, max_size=4),
    sequence=st.integers(1, 2**40),
    kind=st.sampled_from(["hand_dealt", "turn_started"]),
    at_ms=st.integers(0, 2**42),
    payload=st.binary(max_size=8),
    only_seat=SEATS,
    seat_payload=st.binary(max_size=8),
    hidden_from=st.lists(st.integers(0, 3), max_size=3, unique=True).map(tuple),
)


def _envelope(public: bytes, only_seat: int | None, secret: bytes) -> Envelope:
    return Envelope("t", 1, "turn_started", 0, public, only_seat, secret)


def test_an_event_for_everybody_is_seen_by_spectators_too() -> None:
    assert visible_to(_envelope(b"all", None, b""), None) == b"all"


def test_a_private_event_is_hidden_from_every_other_seat_and_from_spectators() -> None:
    dealt = _envelope(b"", 2, b"cards")
    assert [visible_to(dealt, seat) for seat in (0, 1, 2, 3, None)] == [None, None, b"cards", None, None]


def test_the_addressed_seat_sees_the_public_part_joined_with_its_own() -> None:
    public = view_pb2.TableEvent(turn_started=view_pb2.TurnClock(seat=1))
    legal = match_pb2.LegalActions(cards=[common_pb2.CARD_ACE_OF_SPADES])
    secret = view_pb2.TableEvent(turn_started=view_pb2.TurnClock(legal=legal))
    turn = _envelope(public.SerializeToString(), 1, secret.SerializeToString())
    whole = view_pb2.TableEvent.FromString(visible_to(turn, 1) or b"")
    assert (whole.turn_started.seat, list(whole.turn_started.legal.cards)) == (1, [common_pb2.CARD_ACE_OF_SPADES])


def test_what_a_seat_does_not_want_to_hear_is_hidden_from_it_alone() -> None:
    said = Envelope("t", 1, "said", 0, b"words", None, b"", (1, 3))
    assert [visible_to(said, seat) for seat in (0, 1, 2, 3, None)] == [b"words", None, b"words", None, b"words"]


def test_hidden_outweighs_addressed() -> None:
    assert visible_to(Envelope("t", 1, "said", 0, b"words", 1, b"more", (1,)), 1) is None


@given(ENVELOPES, SEATS)
def test_nobody_but_the_addressed_seat_ever_sees_the_seat_payload(envelope: Envelope, viewer: int | None) -> None:
    seen = visible_to(envelope, viewer) or b""
    entitled = viewer is not None and viewer == envelope.only_seat
    if viewer is not None and viewer in envelope.hidden_from:
        assert seen == b""
        return
    assert seen == envelope.payload + (envelope.seat_payload if entitled else b"")


@given(st.lists(ENVELOPES, max_size=5))
def test_a_batch_comes_back_as_it_was_sent(envelopes: list[Envelope]) -> None:
    assert decode_batch(encode_batch(envelopes)) == tuple(envelopes)


def test_joined_encoded_batches_are_a_batch() -> None:
    one, two = _envelope(b"a", None, b""), _envelope(b"b", 0, b"c")
    assert decode_batch(encode_batch([one]) + encode_batch([two])) == (one, two)


def test_a_repr_shows_no_payload() -> None:
    assert "cards" not in repr(_envelope(b"cards", 2, b"cards"))
