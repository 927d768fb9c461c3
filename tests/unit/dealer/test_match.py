"""The rules of a match's steps, without any server."""

from dataclasses import replace
from hashlib import sha256

import pytest

from belot_dealer.match import (
    Decision,
    Match,
    Phase,
    Refused,
    Repeated,
    Why,
    check_same_opening,
    check_seed,
    decide_answer,
    decide_close,
    decide_hand,
    decide_open,
    decide_reveal,
    follow,
    replay,
    seeds_complete,
)
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL, Beacon, Fallback, Hand, RoundChosen, Seeds, SeedState
from belot_fair.drand import BeaconKey, development_chain, first_round_for, time_of
from belot_fair.keys import Secret
from belot_fair.recipe import NO_VALUE, commitment
from belot_fair.transcript import ChainBroken, Event
from support.openings import an_opening

NOW_MS = 1_800_000_000_000
KEY = BeaconKey(b"match rules")
CHAIN = development_chain(KEY, NOW_MS // 1000 - 100)
SEED = Secret(sha256(b"server seed").digest())
LOG_HASH = sha256(b"log").digest()
MINE = sha256(b"mine").digest()[:16]


def events_of(decision: Decision) -> tuple[Event, ...]:
    """The events of a step that was not taken before."""
    assert isinstance(decision, tuple)
    return decision


def after(match: Match, decision: Decision) -> Match:
    """The match after a step."""
    for event in events_of(decision):
        match = follow(match, event)
    return match


def opened(kinds: str = "PB", pack_size: int = 32) -> Match:
    """A match that has just been opened."""
    event = decide_open(an_opening(kinds, pack_size=pack_size), commitment(SEED.reveal()), CHAIN, NOW_MS)
    return replay([event])


def closed(kinds: str = "PB", pack_size: int = 32) -> Match:
    """A match whose seeds are closed, all persons having sent one."""
    match = opened(kinds, pack_size)
    sent = [MINE if kind == "P" else None for kind in kinds]
    return after(match, decide_close(match, sent, CHAIN, 0, NOW_MS + 100))


def fallen(kinds: str = "PB", pack_size: int = 32) -> Match:
    """A match that may deal, without a beacon."""
    match = closed(kinds, pack_size)
    return after(match, decide_answer(match, CHAIN, None, b"", NOW_MS + 60_000))


def refusal(match: Match, asked: Hand, *events: Event) -> Why:
    """Why a hand is refused."""
    with pytest.raises(Refused) as refused:
        decide_hand(match, asked, events, NOW_MS)
    return refused.value.why


def test_the_deadline_for_seeds_counts_from_the_opening() -> None:
    assert opened().opened.seed_deadline_ms == NOW_MS + 10_000


@pytest.mark.parametrize(
    "change", [{"pack_size": 24}, {"first_dealer": 1}, {"sides": (1, 0)}, {"seed_timeout_ms": 9_999}]
)
def test_an_opening_binds_all_it_says(change: dict[str, object]) -> None:
    match, same = opened(), an_opening("PB")
    check_same_opening(match, same)
    with pytest.raises(Refused) as refused:
        check_same_opening(match, replace(same, **change))  # type: ignore[arg-type]
    assert refused.value.why is Why.REQUEST_ID_REUSED


def test_a_seed_is_taken_until_the_deadline_itself() -> None:
    match = opened()
    assert check_seed(match, 0, None, MINE, NOW_MS + 10_000)
    with pytest.raises(Refused) as refused:
        check_seed(match, 0, None, MINE, NOW_MS + 10_001)
    assert refused.value.why is Why.SEEDS_CLOSED


def test_the_same_seed_is_no_new_one_even_after_the_deadline() -> None:
    assert not check_seed(opened(), 0, MINE, MINE, NOW_MS + 60_000)


def test_seeds_are_complete_when_every_person_has_sent() -> None:
    assert seeds_complete(opened("PB").opened, (MINE, None))
    assert not seeds_complete(opened("PP").opened, (MINE, None))
    assert seeds_complete(opened("BB").opened, (None, None))


@pytest.mark.parametrize(("now_ms", "closes"), [(NOW_MS + 9_999, False), (NOW_MS + 10_000, True)])
def test_a_missing_seed_is_waited_for_until_the_deadline(now_ms: int, closes: bool) -> None:
    match = opened("PP")
    if closes:
        seeds, _ = events_of(decide_close(match, (MINE, None), CHAIN, 0, now_ms))
        assert isinstance(seeds.body, Seeds)
        assert [each.state for each in seeds.body.seats] == [SeedState.GIVEN, SeedState.MISSED]
    else:
        with pytest.raises(Refused) as refused:
            decide_close(match, (MINE, None), CHAIN, 0, now_ms)
        assert refused.value.why is Why.WRONG_PHASE


def test_the_round_follows_from_the_later_clock() -> None:
    _, chosen = events_of(decide_close(opened("BB"), (None, None), CHAIN, 0, NOW_MS, NOW_MS + 7_000))
    assert isinstance(chosen.body, RoundChosen)
    assert chosen.body.round == first_round_for(CHAIN, NOW_MS + 7_000, 0)


def test_the_round_is_above_every_round_that_was_verified() -> None:
    _, chosen = events_of(decide_close(opened("BB"), (None, None), CHAIN, 5_000, NOW_MS))
    assert isinstance(chosen.body, RoundChosen)
    assert (chosen.body.round, chosen.body.highest_verified) == (5_001, 5_000)


def test_a_beacon_is_never_dated_before_its_round() -> None:
    match = closed()
    assert match.chosen is not None
    round = match.chosen.round
    (event,) = events_of(decide_answer(match, CHAIN, KEY.sign(round), bytes([1]) * 32, NOW_MS))
    assert event.time_ms == time_of(CHAIN, round)
    assert isinstance(event.body, Beacon)


def test_a_fallback_waits_for_the_whole_5_seconds() -> None:
    match = closed()
    assert match.chosen is not None
    time_up = time_of(CHAIN, match.chosen.round) + 5_000
    with pytest.raises(Refused):
        decide_answer(match, CHAIN, None, b"", time_up - 1)
    (event,) = events_of(decide_answer(match, CHAIN, None, b"", time_up))
    assert event.body == Fallback(match.chosen.round)


def test_a_beacon_never_replaces_a_fallback_nor_a_fallback_a_beacon() -> None:
    match = fallen()
    assert match.chosen is not None
    signature = KEY.sign(match.chosen.round)
    assert decide_answer(match, CHAIN, signature, sha256(signature).digest(), NOW_MS + 70_000) == Repeated(3)
    assert (match.recipe_round, match.recipe_value) == (0, NO_VALUE)
    fixed = closed()
    fixed = after(fixed, decide_answer(fixed, CHAIN, signature, sha256(signature).digest(), NOW_MS))
    assert decide_answer(fixed, CHAIN, None, b"", NOW_MS + 70_000) == Repeated(3)


def test_an_up_card_and_cards_left_out_are_released_like_others() -> None:
    asked = Hand(0, 0, ((0, 0), (1, 1), (2, SHOWN_TO_ALL), (3, OUT_OF_PLAY)))
    match = after(fallen(), decide_hand(fallen(), asked, (), NOW_MS))
    assert match.given == asked.positions
    assert refusal(match, Hand(0, 1, ((2, 0),))) is Why.HAND_NOT_ENTITLED


def test_every_hand_has_a_pack_of_its_own() -> None:
    match = fallen()
    first = Hand(0, 0, ((0, 0),))
    match = after(match, decide_hand(match, first, (), NOW_MS))
    match = after(match, decide_hand(match, Hand(1, 0, ((0, 1),)), (), NOW_MS))
    assert (match.hand, match.stage, match.given) == (1, 0, ((0, 1),))


@pytest.mark.parametrize(
    ("positions", "pack_size"),
    [((), 32), (((1, 0), (0, 0)), 32), (((0, 0), (0, 0)), 32), (((0, 2),), 32), (((32, 0),), 32), (((24, 0),), 24)],
)
def test_positions_are_of_this_pack_and_seats_of_this_match(
    positions: tuple[tuple[int, int], ...], pack_size: int
) -> None:
    assert refusal(fallen(pack_size=pack_size), Hand(0, 0, positions)) is Why.INVALID_ARGUMENT


def test_cards_wait_for_the_beacon() -> None:
    assert refusal(closed(), Hand(0, 0, ((0, 0),))) is Why.WRONG_PHASE
    assert refusal(opened(), Hand(0, 0, ((0, 0),))) is Why.WRONG_PHASE


@pytest.mark.parametrize("make", [opened, closed, fallen])
def test_a_match_may_be_revealed_in_every_phase_and_once(make: object) -> None:
    assert callable(make)
    match: Match = make()
    over = after(match, decide_reveal(match, SEED, LOG_HASH, "abandoned", NOW_MS))
    assert over.phase is Phase.NOTHING
    assert decide_reveal(over, SEED, LOG_HASH, "abandoned", NOW_MS) == Repeated(over.last.sequence)
    with pytest.raises(Refused) as refused:
        decide_reveal(over, SEED, LOG_HASH, "finished", NOW_MS)
    assert refused.value.why is Why.REQUEST_ID_REUSED
    assert refusal(over, Hand(0, 0, ((0, 0),))) is Why.HAND_NOT_ENTITLED


def test_after_the_reveal_of_an_opening_nothing_follows() -> None:
    match = opened()
    over = after(match, decide_reveal(match, SEED, LOG_HASH, "cancelled", NOW_MS))
    with pytest.raises(Refused) as refused:
        decide_close(over, (MINE, None), CHAIN, 0, NOW_MS + 60_000)
    assert refused.value.why is Why.WRONG_PHASE
    with pytest.raises(ChainBroken):
        decide_answer(replace(over, chosen=RoundChosen(1, 0, 0), phase=Phase.BEACON), CHAIN, None, b"", NOW_MS * 2)


def test_a_match_shows_no_seed_in_its_text() -> None:
    match = closed()
    over = after(match, decide_reveal(match, SEED, LOG_HASH, "finished", NOW_MS))
    for shown in (repr(over), str(over)):
        assert repr(SEED.reveal())[2:20] not in shown
        assert repr(MINE)[2:20] not in shown
