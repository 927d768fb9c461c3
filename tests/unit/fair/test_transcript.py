"""Events in canonical octets: byte-exact examples, round trips, and chains in which anything was changed."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from belot_fair.bodies import (
    Beacon,
    Body,
    Fallback,
    Hand,
    Opened,
    Revealed,
    RoundChosen,
    Seat,
    SeatKind,
    SeatSeed,
    Seeds,
    SeedState,
    Unknown,
    decode_body,
    kind_of,
)
from belot_fair.drand import QUICKNET, first_round_for
from belot_fair.keys import SigningKey
from belot_fair.octets import Malformed
from belot_fair.transcript import (
    ChainBroken,
    Event,
    SignedEvent,
    check_chain,
    close_seeds,
    decode_event,
    event_hash,
    first_event,
    next_event,
    sign,
)
from support.proofs import DEALER_KEY, Match, Plan, opened_of, played, proof_of, signed_again

KEYS = {DEALER_KEY.key_id: DEALER_KEY.public_key}
OPENED = Opened(
    recipe="belot.club/deal/v1",
    commitment=b"C" * 32,
    seats=(Seat(b"p" * 16), Seat(b"b" * 16, SeatKind.BOT, "hard", "2")),
    sides=(0, 1),
    first_dealer=1,
    ruleset_name="club",
    ruleset_version=1,
    ruleset_hash=b"H" * 32,
    ruleset_json=b'{"a":1}',
    pack_size=24,
    chain_hash=b"K" * 32,
    chain_name="quicknet",
    seed_deadline_ms=0x0102030405060708,
)
OPENED_OCTETS = (
    b"\x12belot.club/deal/v1"
    + b"C" * 32
    + b"\x02"
    + (b"p" * 16 + b"\x00\x00\x00")
    + (b"b" * 16 + b"\x01\x04hard\x012")
    + b"\x00\x01"
    + b"\x01"
    + b"\x04club\x00\x00\x00\x01"
    + b"H" * 32
    + b'\x00\x00\x00\x07{"a":1}'
    + b"\x18"
    + b"K" * 32
    + b"\x08quicknet"
    + bytes(range(1, 9))
)
EXACT: dict[str, tuple[Body, bytes]] = {
    "opened": (OPENED, OPENED_OCTETS),
    "seeds": (
        Seeds((SeatSeed(SeedState.GIVEN, b"s" * 16), SeatSeed(SeedState.MISSED), SeatSeed(SeedState.BOT))),
        b"\x03" + b"\x00\x10" + b"s" * 16 + b"\x01\x00" + b"\x02\x00",
    ),
    "round chosen": (
        RoundChosen(2**63 + 1, 0x010203, 7),
        b"\x80\x00\x00\x00\x00\x00\x00\x01" + b"\x00\x00\x00\x00\x00\x01\x02\x03" + b"\x00\x00\x00\x00\x00\x00\x00\x07",
    ),
    "beacon": (
        Beacon(258, b"S" * 48, b"V" * 32),
        b"\x00\x00\x00\x00\x00\x00\x01\x02" + b"\x30" + b"S" * 48 + b"V" * 32,
    ),
    "fallback": (Fallback(258), b"\x00\x00\x00\x00\x00\x00\x01\x02\x0eno_valid_value"),
    "hand": (
        Hand(65536, 1, ((0, 1), (20, 0xFF), (31, 0xFE))),
        b"\x00\x01\x00\x00" + b"\x01" + b"\x03" + b"\x00\x01" + b"\x14\xff" + b"\x1f\xfe",
    ),
    "revealed": (Revealed(b"R" * 32, b"L" * 32, "finished"), b"R" * 32 + b"L" * 32 + b"\x08finished"),
}


@pytest.fixture(scope="module")
def match() -> Match:
    return played(Plan())


@pytest.fixture
def signed(match: Match) -> list[SignedEvent]:
    return list(proof_of(match).events)


@pytest.mark.parametrize("name", EXACT)
def test_a_body_has_exactly_the_documented_octets(name: str) -> None:
    body, octets = EXACT[name]
    assert body.encode() == octets
    assert decode_body(kind_of(body), octets) == body


@pytest.mark.parametrize("name", EXACT)
def test_a_body_that_ends_early_or_late_is_refused(name: str) -> None:
    body, octets = EXACT[name]
    for end in range(len(octets)):
        with pytest.raises(Malformed):
            decode_body(kind_of(body), octets[:end])
    with pytest.raises(Malformed):
        decode_body(kind_of(body), octets + b"\x00")


def test_an_event_has_exactly_the_documented_octets() -> None:
    event = Event("m-1", 5, b"P" * 32, Fallback(258), 0x0A0B)
    body = EXACT["fallback"][1]
    octets = (
        b"belot.club/transcript/v1"
        + b"\x03m-1"
        + b"\x00\x00\x00\x00\x00\x00\x00\x05"
        + b"P" * 32
        + b"\x05"
        + len(body).to_bytes(4, "big")
        + body
        + b"\x00\x00\x00\x00\x00\x00\x0a\x0b"
    )
    assert event.encode() == octets
    assert decode_event(octets) == event
    assert event_hash(event) == sha256(octets).digest()


@pytest.mark.parametrize("kind", range(1, 8))
def test_the_number_of_a_kind_is_settled(kind: int) -> None:
    assert [kind_of(body) for body, _ in EXACT.values()][kind - 1] == kind


def test_a_kind_of_a_later_version_is_kept_as_it_came() -> None:
    event = Event("m", 1, bytes(32), Unknown(200, b"whatever"), 1)
    assert decode_event(event.encode()) == event


@pytest.mark.parametrize(
    "body",
    [
        replace(OPENED, seats=OPENED.seats[:1], sides=(0,)),
        replace(OPENED, sides=(0,)),
        replace(OPENED, first_dealer=2),
        replace(OPENED, seats=(Seat(b"p" * 16), Seat(b"p" * 16))),
        replace(OPENED, seats=(Seat(b"p" * 15), Seat(b"q" * 16))),
        replace(OPENED, seats=(Seat(b"p" * 16, SeatKind.BOT), Seat(b"q" * 16))),
        replace(OPENED, seats=(Seat(b"p" * 16, SeatKind.PERSON, "hard", "1"), Seat(b"q" * 16))),
        replace(OPENED, commitment=bytes(31)),
        replace(OPENED, recipe=""),
        replace(OPENED, ruleset_name="cl ub"),
        replace(OPENED, seed_deadline_ms=2**64),
        Seeds((SeatSeed(SeedState.GIVEN),)),
        Seeds((SeatSeed(SeedState.GIVEN, bytes(17)),)),
        Seeds((SeatSeed(SeedState.MISSED, bytes(16)),)),
        RoundChosen(-1, 0, 0),
        Beacon(1, bytes(47), bytes(32)),
        Beacon(1, bytes(48), bytes(31)),
        Fallback(1, ""),
        Hand(0, 0, ((256, 0),)),
        Hand(2**32, 0, ()),
        Revealed(bytes(31), bytes(32), "finished"),
        Revealed(bytes(32), bytes(32), ""),
        Unknown(1, b""),
    ],
)
def test_a_body_that_no_octets_can_hold_is_refused(body: Body) -> None:
    with pytest.raises(Malformed):
        body.encode()


@pytest.mark.parametrize("match_id", ["", "x" * 65, "a b", "é", "a/b", "a\n"])
def test_a_match_id_outside_its_alphabet_is_refused(match_id: str) -> None:
    with pytest.raises(Malformed):
        first_event(match_id, OPENED, 1)


def test_seeds_and_the_server_seed_are_in_no_repr() -> None:
    shown = repr(Seeds((SeatSeed(SeedState.GIVEN, b"s" * 16),))) + repr(Revealed(b"R" * 32, b"L" * 32, "finished"))
    assert "ssss" not in shown
    assert "RRRR" not in shown


def test_an_honest_transcript_holds(match: Match, signed: list[SignedEvent]) -> None:
    assert check_chain(signed, KEYS) == tuple(match.events)


def test_a_transcript_that_is_not_finished_holds(signed: list[SignedEvent]) -> None:
    for end in range(1, len(signed)):
        assert len(check_chain(signed[:end], KEYS)) == end


def test_events_of_a_later_kind_do_not_break_the_order(match: Match) -> None:
    events = list(match.events[:5])
    events.append(next_event(events[-1], Unknown(77, b"news"), events[-1].time_ms))
    events.append(next_event(events[-1], match.events[5].body, events[-1].time_ms))
    assert check_chain([sign(event, DEALER_KEY) for event in events], KEYS) == tuple(events)


CHANGES: dict[str, Callable[[Event], Event]] = {
    "match id": lambda event: replace(event, match_id="another"),
    "sequence": lambda event: replace(event, sequence=event.sequence + 1),
    "previous hash": lambda event: replace(event, previous_hash=b"\x01" * 32),
    "kind and body": lambda event: replace(event, body=Unknown(99, b"")),
    "time": lambda event: replace(event, time_ms=event.time_ms + 1),
}


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize("field", CHANGES)
def test_any_changed_field_of_any_event_breaks_the_chain(signed: list[SignedEvent], field: str, at: int) -> None:
    signed[at] = replace(signed[at], octets=CHANGES[field](signed[at].event).encode())
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed, KEYS)
    assert broken.value.point in ("chain", "signatures", "order")


@pytest.mark.parametrize("field", ["match id", "sequence", "previous hash"])
def test_an_event_signed_with_a_wrong_link_breaks_the_chain(signed: list[SignedEvent], field: str) -> None:
    signed[3] = sign(CHANGES[field](signed[3].event), DEALER_KEY)
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed, KEYS)
    assert (broken.value.point, broken.value.sequence) == ("chain", 3)


@pytest.mark.parametrize("field", ["kind and body", "time"])
def test_an_event_replaced_and_signed_again_breaks_the_next_link(signed: list[SignedEvent], field: str) -> None:
    signed[3] = sign(CHANGES[field](signed[3].event), DEALER_KEY)
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed, KEYS)
    assert (broken.value.point, broken.value.sequence) == ("chain", 4)


def test_the_last_event_changed_without_a_signature_fails_by_its_signature(signed: list[SignedEvent]) -> None:
    signed[-1] = replace(signed[-1], octets=CHANGES["time"](signed[-1].event).encode())
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed, KEYS)
    assert broken.value.point == "signatures"


def test_an_event_left_out_breaks_the_chain(signed: list[SignedEvent]) -> None:
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed[:3] + signed[4:], KEYS)
    assert broken.value.point == "chain"


def test_every_flipped_octet_of_an_event_is_seen(signed: list[SignedEvent]) -> None:
    octets = signed[2].octets
    for at in range(len(octets)):
        changed = octets[:at] + bytes((octets[at] ^ 1,)) + octets[at + 1 :]
        with pytest.raises(ChainBroken):
            check_chain([*signed[:2], replace(signed[2], octets=changed)], KEYS)


@pytest.mark.parametrize("at", range(0, 64, 9))
def test_a_flipped_octet_of_a_signature_is_seen(signed: list[SignedEvent], at: int) -> None:
    good = signed[1].signature
    signed[1] = replace(signed[1], signature=good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :])
    with pytest.raises(ChainBroken) as broken:
        check_chain(signed, KEYS)
    assert (broken.value.point, broken.value.sequence) == ("signatures", 1)


def test_a_signature_of_an_unknown_key_is_not_taken(signed: list[SignedEvent]) -> None:
    signed[1] = sign(signed[1].event, SigningKey(bytes(32)))
    with pytest.raises(ChainBroken, match="not among the given ones"):
        check_chain(signed, KEYS)


def test_a_key_rotated_in_the_middle_of_a_match_is_taken_with_the_old_one(signed: list[SignedEvent]) -> None:
    newer = SigningKey(bytes(32))
    rotated = signed[:4] + [sign(each.event, newer) for each in signed[4:]]
    assert len(check_chain(rotated, {**KEYS, newer.key_id: newer.public_key})) == len(signed)


@pytest.mark.parametrize(
    "body", [Fallback(1), Hand(0, 0, ()), RoundChosen(1, 1, 0), Beacon(1, bytes(48), bytes(32)), OPENED]
)
def test_a_step_out_of_order_cannot_be_written(body: Body) -> None:
    with pytest.raises(ChainBroken, match="does not follow"):
        next_event(first_event("m", OPENED, 1), body, 2)


@pytest.mark.parametrize(
    ("kind", "octets"),
    [
        (2, b"\x01\x00\x00"),
        (2, b"\x01\x01\x10" + b"s" * 16),
        (2, b"\x01\x03\x00"),
        (4, bytes(8) + b"\x00" + bytes(32)),
        (5, bytes(8) + b"\x00"),
        (5, bytes(8) + b"\x03a b"),
        (7, bytes(64) + b"\x00"),
    ],
)
def test_octets_that_say_what_no_body_may_say_are_refused(kind: int, octets: bytes) -> None:
    with pytest.raises(Malformed):
        decode_body(kind, octets)


def test_a_step_out_of_order_is_refused_however_well_it_is_signed(match: Match) -> None:
    events = [*match.events[:3], *match.events[4:]]
    for broken in (events, match.events[1:], [*match.events[:2], *match.events[1:]]):
        with pytest.raises(ChainBroken) as refused:
            check_chain(signed_again(broken), KEYS)
        assert refused.value.point == "order"


def test_a_time_that_runs_backwards_is_refused_however_well_it_is_signed(match: Match) -> None:
    events = [*match.events[:2], replace(match.events[2], time_ms=match.events[1].time_ms - 1), *match.events[3:]]
    with pytest.raises(ChainBroken, match="its time lies before") as refused:
        check_chain(signed_again(events), KEYS)
    assert (refused.value.point, refused.value.sequence) == ("chain", 2)


def test_only_one_answer_of_the_beacon_can_be_written(match: Match) -> None:
    assert isinstance(match.events[3].body, Beacon)
    with pytest.raises(ChainBroken, match="does not follow"):
        next_event(match.events[3], Fallback(match.events[3].body.round), match.events[3].time_ms)


def test_nothing_can_be_written_after_the_reveal(match: Match) -> None:
    with pytest.raises(ChainBroken, match="does not follow"):
        next_event(match.events[-1], Hand(9, 0, ()), match.events[-1].time_ms)


def test_a_match_can_be_revealed_at_every_settled_step(match: Match) -> None:
    end = Revealed(bytes(32), bytes(32), "cancelled")
    for event in match.events[:-1]:
        if not isinstance(event.body, Seeds):
            assert next_event(event, end, event.time_ms).body == end


def test_a_clock_that_is_behind_writes_the_time_of_the_event_before() -> None:
    opened = first_event("m", OPENED, 1_000)
    assert next_event(opened, Revealed(bytes(32), bytes(32), "cancelled"), 400).time_ms == 1_000


def test_closing_seeds_chooses_the_round_from_the_close() -> None:
    opened = first_event("m", opened_of(Plan(), 5), 1_692_803_367_000)
    seeds = Seeds((SeatSeed(SeedState.MISSED),) * 4)
    closed, chosen = close_seeds(opened, seeds, QUICKNET, 41, 1_692_803_400_500)
    assert closed.time_ms == 1_692_803_400_500
    assert chosen.body == RoundChosen(first_round_for(QUICKNET, 1_692_803_400_500, 41), 1_692_803_400_500, 41)
    assert chosen.body.round == 42
