"""One thing changed in a proof or evidence file: it fails, and both verifiers say the same where both check."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from belot_fair.bodies import Beacon, Fallback, Hand, Opened
from belot_fair.evidence import LearntBeacon, write_evidence
from belot_fair.playlog import ActionKind
from belot_fair.proof import Proof, write_proof
from belot_fair.receipts import BeaconReceipt, sign_receipt
from belot_fair.transcript import Event
from support.proof_changes import (
    chained_again,
    fields_of,
    leaves,
    signed_again,
    taken_apart,
    with_leaf_changed,
    with_octet_changed,
    without_leaf,
)
from support.proofs import (
    DEALER_KEY,
    Match,
    Plan,
    editing,
    evidence_of,
    played,
    proof_of,
    tampered,
    with_log,
)
from support.second_verifier import Case, agreed, unfailed

SEED = 20_261_130
PLANS = [Plan(), Plan("club", seats=2, pack=24, fallback=True, missed=(1,))]
NAMES = ["classic", "fallback of two with 24 cards"]
UNSEEN = {("score", "outcome"), ("score", "totals", 0), ("score", "totals", 1)}
"""Fields that only a verifier with the rules holds against the plays."""


@pytest.fixture(scope="module", params=PLANS, ids=NAMES)
def match(request: pytest.FixtureRequest) -> Match:
    plan: Plan = request.param
    return played(plan)


def test_a_field_that_is_changed_or_left_out_of_the_file_fails(match: Match) -> None:
    drawn, file = random.Random(SEED), write_proof(proof_of(match))
    paths = list(leaves(json.loads(file)))
    changed = [Case(f"other {path}", with_leaf_changed(file, path, drawn)) for path in paths if path not in UNSEEN]
    absent = [Case(f"no {path}", without_leaf(file, path)) for path in paths if isinstance(path[-1], str)]
    assert unfailed(agreed(changed + absent)) == set()


def test_an_octet_that_is_changed_in_the_file_fails(match: Match) -> None:
    drawn, file = random.Random(SEED), write_proof(proof_of(match))
    places = drawn.sample(range(len(file)), 150)
    cases = [Case(f"octet {at}", with_octet_changed(file, at, drawn)) for at in places]
    agreed(cases)


def resigned(match: Match, drawn: random.Random) -> Iterator[Case]:
    """Every field of every event, each changed by a dealer who chains and signs again."""
    proof = proof_of(match)
    parts = [taken_apart(event.octets) for event in proof.events]
    for at, (event, part) in enumerate(zip(match.events, parts, strict=True)):
        ways = {
            "kind": replace(part, kind=part.kind % 9 + 1),
            "time": replace(part, time=with_octet_changed(part.time, drawn.randint(4, 7), drawn)),
            "shorter": replace(part, body=part.body[:-1]),
            "longer": replace(part, body=part.body + b"\x00"),
        }
        for field, places in enumerate(fields_of(event.body)):
            body = with_octet_changed(part.body, drawn.choice(places), drawn)
            ways[f"field {field}"] = replace(part, body=body)
        for name, other in ways.items():
            changed = chained_again(proof, [*parts[:at], other, *parts[at + 1 :]], DEALER_KEY)
            yield Case(f"event {at}, {name}", write_proof(changed))


def test_a_dealer_who_changes_octets_and_signs_again_is_told_the_same_by_both(match: Match) -> None:
    agreed(list(resigned(match, random.Random(SEED))))


def test_events_that_are_left_out_doubled_or_swapped_are_told_the_same_by_both(match: Match) -> None:
    proof = proof_of(match)
    parts = [taken_apart(event.octets) for event in proof.events]
    ways = {}
    for at in range(len(parts)):
        ways[f"without {at}"] = [*parts[:at], *parts[at + 1 :]]
        ways[f"twice {at}"] = [*parts[: at + 1], *parts[at:]]
    for at in range(len(parts) - 1):
        ways[f"swapped {at}"] = [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]
    numbered = {
        name: [replace(part, head=part.head[:-8] + at.to_bytes(8, "big")) for at, part in enumerate(way)]
        for name, way in ways.items()
    }
    told = agreed([Case(name, write_proof(chained_again(proof, way, DEALER_KEY))) for name, way in numbered.items()])
    # Whether one more release was due at the very end, the score decides.
    assert unfailed(told) <= {f"without {len(parts) - 2}"}


def moved_from(kind: type, by_ms: int) -> Callable[[Event], Event]:
    """The time of every event from the first of a kind on, moved."""
    passed: list[bool] = []

    def move(event: Event) -> Event:
        passed.extend([True] * isinstance(event.body, kind))
        return replace(event, time_ms=event.time_ms + by_ms) if passed else event

    return move


def test_steps_that_stand_before_their_time_fail() -> None:
    missed = editing(Opened, lambda body: replace(body, seed_deadline_ms=body.seed_deadline_ms + 2))
    # The plans answer 400 ms after the round was due, or fall back at the very moment that is allowed.
    ways = {
        "in time": (Plan(), moved_from(Beacon, -400), "beacon", "proven"),
        "early beacon": (Plan(), moved_from(Beacon, -401), "beacon", "failed"),
        "fallback in time": (Plan(fallback=True), moved_from(Fallback, 0), "beacon", "not protected"),
        "early fallback": (Plan(fallback=True), moved_from(Fallback, -1), "beacon", "failed"),
        "early deadline": (Plan(missed=(2,)), missed, "seeds", "failed"),
    }
    cases = [Case(name, write_proof(tampered(played(plan), move))) for name, (plan, move, *_) in ways.items()]
    told = agreed(cases)
    for name, (_, _, point, verdict) in ways.items():
        assert told[name][point] == verdict, name


def test_releases_that_the_deal_map_does_not_ask_for_fail(match: Match) -> None:
    def changing(place: int, change: str) -> Proof:
        hands = [event for event in match.events if isinstance(event.body, Hand)]
        chosen = hands[place]
        assert isinstance(chosen.body, Hand)
        positions = chosen.body.positions
        ways = {
            "one fewer": positions[:-1],
            "one twice": (*positions, positions[0]),
            "reversed": positions[::-1],
            "other seat": ((positions[0][0], (positions[0][1] + 1) % match.plan.seats), *positions[1:]),
            "other position": ((31, positions[0][1]), *positions[1:]),
            "none": (),
        }
        body = replace(chosen.body, positions=ways[change])
        return tampered(match, lambda event: replace(event, body=body) if event is chosen else event)

    ways = ["one fewer", "one twice", "reversed", "other seat", "other position", "none"]
    cases = [Case(f"{way} in {at}", write_proof(changing(at, way))) for way in ways for at in (0, 1, 2)]
    assert {verdicts["hands"] for verdicts in agreed(cases).values()} == {"failed"}


def test_a_hand_that_was_dealt_before_the_one_before_it_was_over_fails(match: Match) -> None:
    taken = [entry for entry in match.entries if entry.hand > 0 or entry.action is not ActionKind.PLAY_CARD]
    case = Case("no plays in hand 0", write_proof(with_log(match, taken)))
    assert agreed([case])[case.name]["hands"] == "failed"


def test_evidence_of_which_one_field_is_changed_is_told_the_same_by_both(match: Match) -> None:
    drawn, file, kept = random.Random(SEED), write_proof(proof_of(match)), write_evidence(evidence_of(match))
    paths = [path for path in leaves(json.loads(kept)) if "hand_receipts" not in path or path[1] == 0]
    changed = [Case(f"other {path}", file, with_leaf_changed(kept, path, drawn)) for path in paths]
    absent = [Case(f"no {path}", file, without_leaf(kept, path)) for path in paths if isinstance(path[-1], str)]
    agreed(changed + absent)


def test_receipts_that_the_dealer_signed_over_other_octets_are_told_the_same_by_both(match: Match) -> None:
    drawn, file = random.Random(SEED), write_proof(proof_of(match))
    kept = replace(evidence_of(match), beacon=None)
    assert kept.seed_receipt is not None
    hand, seed = kept.hand_receipts[0], kept.seed_receipt
    cases = []
    for at in range(26, len(hand.octets), 4):
        other = signed_again(hand, at, DEALER_KEY, drawn)
        cases.append(Case(f"hand {at}", file, write_evidence(replace(kept, hand_receipts=(other,)))))
    for at in range(26, len(seed.octets), 3):
        other = signed_again(seed, at, DEALER_KEY, drawn)
        cases.append(Case(f"seed {at}", file, write_evidence(replace(kept, seed_receipt=other))))
    agreed(cases)


def test_a_receipt_for_a_beacon_convicts_a_fallback_without_cause(match: Match) -> None:
    real = next((event for event in match.events if isinstance(event.body, Fallback)), None)
    honest = played(replace(match.plan, fallback=False))
    beacon = evidence_of(honest).beacon
    assert beacon is not None
    cases = []
    for later in (0, 10_000):
        receipt = BeaconReceipt(match.match_id, beacon.round, beacon.signature, beacon.learnt_ms + later)
        seen = LearntBeacon(beacon.round, beacon.signature, beacon.learnt_ms + later)
        kept = replace(evidence_of(match), beacon=seen, beacon_receipt=sign_receipt(receipt, DEALER_KEY))
        cases.append(Case(f"receipt {later} ms later", write_proof(proof_of(match)), write_evidence(kept)))
        alone = replace(kept, beacon_receipt=None)
        cases.append(Case(f"seen {later} ms later", write_proof(proof_of(match)), write_evidence(alone)))
    told = [verdicts["witness beacon"] for verdicts in agreed(cases).values()]
    expected = ["failed", "not protected", "proven", "proven"] if real else ["proven"] * 4
    assert told == expected
