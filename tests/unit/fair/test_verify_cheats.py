"""Every way in which a dealer, a table or a hand on the file can cheat fails at its own point."""

import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from belot_engine.ruleset import canonical_json
from belot_fair.bodies import (
    Beacon,
    Body,
    Fallback,
    Hand,
    Opened,
    Revealed,
    RoundChosen,
    SeatSeed,
    Seeds,
    SeedState,
)
from belot_fair.documents import ProofMalformed
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog, play_log_hash
from belot_fair.proof import Proof, Score, read_proof, write_proof
from belot_fair.transcript import Event
from belot_fair.verify import failed_points, verify_proof
from support.proofs import (
    BEACON_KEY,
    Match,
    Plan,
    editing,
    participant,
    played,
    proof_of,
    replace_events,
    tampered,
    with_log,
)


def timed(kind: type, by_ms: int) -> Callable[[Event], Event]:
    """The time of every event from the first of a kind on, moved."""
    passed: list[bool] = []

    def move(event: Event) -> Event:
        passed.extend([True] * isinstance(event.body, kind))
        return replace(event, time_ms=event.time_ms + by_ms) if passed else event

    return move


def swapped_seed(body: Body) -> Body:
    assert isinstance(body, Seeds)
    return Seeds((SeatSeed(SeedState.GIVEN, b"x" * 16), *body.seats[1:]))


def first_bot(body: Body) -> Body:
    assert isinstance(body, Seeds)
    return Seeds((SeatSeed(SeedState.BOT), *body.seats[1:]))


def other_positions(body: Body) -> Body:
    assert isinstance(body, Hand)
    return replace(body, positions=((body.positions[0][0], 3), *body.positions[1:]))


CHEATS: dict[str, tuple[Callable[[Event], Event | None], str]] = {
    "another recipe": (editing(Opened, lambda body: replace(body, recipe="belot.club/deal/v9")), "opened"),
    "another ruleset hash": (editing(Opened, lambda body: replace(body, ruleset_hash=bytes(32))), "opened"),
    "another ruleset JSON": (editing(Opened, lambda body: replace(body, ruleset_json=b"{}")), "opened"),
    "another ruleset name": (editing(Opened, lambda body: replace(body, ruleset_name="bela")), "ruleset"),
    "another ruleset version": (editing(Opened, lambda body: replace(body, ruleset_version=2)), "ruleset"),
    "another pack size": (editing(Opened, lambda body: replace(body, pack_size=24)), "ruleset"),
    "a pack of no known size": (editing(Opened, lambda body: replace(body, pack_size=31)), "opened"),
    "other sides": (editing(Opened, lambda body: replace(body, sides=(0, 0, 1, 1))), "ruleset"),
    "another first dealer": (editing(Opened, lambda body: replace(body, first_dealer=1)), "hands"),
    "another chain hash": (editing(Opened, lambda body: replace(body, chain_hash=bytes(32))), "beacon chain"),
    "another chain name": (editing(Opened, lambda body: replace(body, chain_name="default")), "beacon chain"),
    "another commitment": (editing(Opened, lambda body: replace(body, commitment=bytes(32))), "commitment"),
    "another server seed": (editing(Revealed, lambda body: replace(body, server_seed=bytes(32))), "commitment"),
    "no reveal": (lambda event: None if isinstance(event.body, Revealed) else event, "commitment"),
    "another person's seed": (editing(Seeds, swapped_seed), "plays"),
    "a person counted as a bot": (editing(Seeds, first_bot), "seeds"),
    "a seat without entry": (editing(Seeds, lambda body: Seeds(body.seats[:3])), "seeds"),
    "a later round": (editing(RoundChosen, lambda body: replace(body, round=body.round + 1)), "round"),
    "an earlier round": (editing(RoundChosen, lambda body: replace(body, round=body.round - 1)), "round"),
    "round zero": (editing(RoundChosen, lambda body: replace(body, round=0)), "round"),
    "the last round of all": (editing(RoundChosen, lambda body: replace(body, round=2**64 - 1)), "round"),
    "another close": (editing(RoundChosen, lambda body: replace(body, close_time_ms=body.close_time_ms - 1)), "round"),
    "a higher known round": (editing(RoundChosen, lambda body: replace(body, highest_verified=body.round)), "round"),
    "the highest known round": (editing(RoundChosen, lambda body: replace(body, highest_verified=2**64 - 1)), "round"),
    "a beacon of another round": (editing(Beacon, lambda body: replace(body, round=body.round + 1)), "beacon"),
    "another signature": (editing(Beacon, lambda body: replace(body, signature=BEACON_KEY.sign(body.round))), "beacon"),
    "another value": (editing(Beacon, lambda body: replace(body, value=b"v" * 32)), "beacon"),
    "an early fallback": (editing(Beacon, lambda body: Fallback(body.round)), "beacon"),
    "a fallback from round zero": (editing(Beacon, lambda _: Fallback(0)), "beacon"),
    "a position to another seat": (editing(Hand, other_positions), "hands"),
    "another stage": (editing(Hand, lambda body: replace(body, stage=body.stage + 1)), "hands"),
    "hands counted from one": (editing(Hand, lambda body: replace(body, hand=body.hand + 1)), "packs"),
    "a second pack skipped": (editing(Hand, lambda body: replace(body, hand=2 * body.hand)), "packs"),
    "another play log": (editing(Revealed, lambda body: replace(body, play_log_hash=bytes(32))), "play log"),
    "another ending": (editing(Revealed, lambda body: replace(body, ending="abandoned")), "score"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_dealer_who_changes_the_transcript_and_signs_again_fails_at_the_right_point(match: Match, name: str) -> None:
    change, expected = CHEATS[name]
    report = verify_proof(tampered(match, change))
    assert not report.ok
    assert expected in failed_points(report)


def test_a_beacon_that_stands_before_its_time_fails(match: Match) -> None:
    due_and_more = 400
    report = verify_proof(tampered(match, timed(Beacon, -due_and_more - 1)))
    assert failed_points(report) == ("beacon",)


def test_a_seed_counted_as_missed_before_the_deadline_fails() -> None:
    match = played(Plan(missed=(2,)))
    later = editing(Opened, lambda body: replace(body, seed_deadline_ms=body.seed_deadline_ms + 2))
    assert failed_points(verify_proof(tampered(match, later))) == ("seeds",)


def test_cards_released_before_they_were_due_fail(match: Match) -> None:
    stages = [event for event in match.events if isinstance(event.body, Hand)]
    order = {id(stages[0]): stages[1], id(stages[1]): stages[0]}
    events = [replace(event, body=order.get(id(event), event).body) for event in match.events]
    assert "hands" in failed_points(verify_proof(tampered(replace_events(match, events), lambda event: event)))


def test_cards_that_nobody_was_entitled_to_fail(match: Match) -> None:
    more = replace(match.events[-2], body=Hand(2, 0, ((0, 1),)))
    events = [*match.events[:-1], more, match.events[-1]]
    assert failed_points(verify_proof(tampered(replace_events(match, events), lambda event: event))) == ("hands",)


def test_a_release_that_is_missing_fails(match: Match) -> None:
    hands = [event for event in match.events if isinstance(event.body, Hand)]
    report = verify_proof(tampered(match, lambda event: None if event is hands[1] else event))
    assert "hands" in failed_points(report)


def test_decisions_on_cards_that_were_never_released_fail(match: Match) -> None:
    last = [event for event in match.events if isinstance(event.body, Hand)][-1]
    report = verify_proof(tampered(match, lambda event: None if event is last else event))
    assert failed_points(report) == ("hands",)


def test_a_play_log_of_another_match_fails(match: Match) -> None:
    log = PlayLog("another", tuple(match.entries))
    bound = editing(Revealed, lambda body: replace(body, play_log_hash=play_log_hash(log)))
    assert failed_points(verify_proof(replace(tampered(match, bound), play_log=log.encode()))) == ("play log",)


def bound_json(text: str) -> Callable[[Event], Event]:
    octets = text.encode("ascii")
    return editing(Opened, lambda body: replace(body, ruleset_json=octets, ruleset_hash=sha256(octets).digest()))


def test_a_deal_map_of_the_operators_own_fails() -> None:
    rules = Plan().rules
    crooked = tuple(
        tuple((at, (seat + 1) % 4 if seat >= 0 else seat, stage) for at, seat, stage in places)
        for places in rules.deal_map
    )
    match = played(Plan())
    report = verify_proof(tampered(match, bound_json(canonical_json(replace(rules, deal_map=crooked)))))
    assert failed_points(report) == ("ruleset",)
    assert "deal map" in report.point("ruleset").sentence


def test_ruleset_json_that_is_not_canonical_fails(match: Match) -> None:
    report = verify_proof(tampered(match, bound_json(canonical_json(Plan().rules) + " ")))
    assert failed_points(report) == ("ruleset",)


@pytest.mark.parametrize("text", ["[" * 100_000, "{}", "null", '{"version":[]}', '{"version":1}', "\x00"])
def test_ruleset_json_that_is_no_ruleset_fails(match: Match, text: str) -> None:
    assert failed_points(verify_proof(tampered(match, bound_json(text)))) == ("ruleset",)


def changed_entry(match: Match, at: int, **fields: object) -> list[Entry]:
    return [*match.entries[:at], replace(match.entries[at], **fields), *match.entries[at + 1 :]]


def first_card(match: Match) -> int:
    return next(at for at, entry in enumerate(match.entries) if entry.action == ActionKind.PLAY_CARD)


@pytest.mark.parametrize(
    "fields",
    [
        {"seat": 0},
        {"seat": 9},
        {"hand": 1},
        {"action": 9, "argument": b""},
        {"argument": b"\xff"},
        {"action": ActionKind.PASS, "argument": b""},
        {"action": ActionKind.CHOOSE_SUIT, "argument": b"\xff"},
        {"actor": Actor(ActorKind.PERSON, participant(0))},
        {"actor": Actor(ActorKind.PERSON, b"somebody else 16")},
    ],
    ids=str,
)
def test_a_decision_that_breaks_the_rules_fails(match: Match, fields: dict[str, object]) -> None:
    at = first_card(match)
    assert match.entries[at].seat == 1
    assert failed_points(verify_proof(with_log(match, changed_entry(match, at, **fields)))) == ("plays",)


def test_a_card_of_another_hand_fails(match: Match) -> None:
    at = first_card(match)
    stolen = next(entry.argument for entry in match.entries[at:] if entry.seat == 2)
    assert failed_points(verify_proof(with_log(match, changed_entry(match, at, argument=stolen)))) == ("plays",)


def test_a_decision_left_out_fails(match: Match) -> None:
    at = first_card(match)
    report = verify_proof(with_log(match, match.entries[:at] + match.entries[at + 1 :]))
    assert "plays" in failed_points(report)


def test_a_bot_may_step_in_for_a_person_but_nobody_for_a_bot() -> None:
    match = played(Plan(bots=(1,)))
    for at, entry in enumerate(match.entries[:8]):
        actor = Actor(ActorKind.BOT, level="hard", policy="3") if entry.seat != 1 else Actor(ActorKind.AUTOMATIC)
        report = verify_proof(with_log(match, changed_entry(match, at, actor=actor)))
        assert report.ok == (entry.seat != 1)


@pytest.mark.parametrize("other", [("easy", "hard/1"), ("easy", "normal"), ("hard", "1"), ("normal", "normal/1")])
def test_only_the_fallback_decides_for_a_bot_at_its_own_seat(other: tuple[str, str]) -> None:
    match = played(Plan(bots=(1,)))
    at = next(at for at, entry in enumerate(match.entries) if entry.seat == 1)
    actor = Actor(ActorKind.BOT, level=other[0], policy=other[1])
    assert failed_points(verify_proof(with_log(match, changed_entry(match, at, actor=actor)))) == ("plays",)


@pytest.mark.parametrize(
    "score", [Score((0, 0), "won"), Score((167, 157), "drawn"), Score((167,), "won"), Score((157, 167), "won")]
)
def test_another_score_fails(match: Match, score: Score) -> None:
    assert failed_points(verify_proof(replace(proof_of(match), score=score))) == ("score",)


def test_a_match_id_of_another_match_fails(honest: Proof) -> None:
    assert failed_points(verify_proof(replace(honest, match_id="another"))) == ("chain",)


def test_an_empty_transcript_fails(honest: Proof) -> None:
    assert not verify_proof(replace(honest, events=())).ok


def test_a_play_log_that_cannot_be_read_fails(honest: Proof) -> None:
    assert "play log" in failed_points(verify_proof(replace(honest, play_log=b"belot")))


@pytest.mark.parametrize("seed", range(4))
def test_any_changed_octet_of_a_proof_file_is_seen(seed: int) -> None:
    octets = write_proof(proof_of(played(Plan(most_decisions=6))))
    drawn = random.Random(seed)
    for _ in range(150):
        at, bit = drawn.randrange(len(octets)), 1 << drawn.randrange(8)
        changed = octets[:at] + bytes((octets[at] ^ bit,)) + octets[at + 1 :]
        try:
            assert not verify_proof(read_proof(changed)).ok, f"octet {at}, bit {bit}"
        except ProofMalformed:
            continue
