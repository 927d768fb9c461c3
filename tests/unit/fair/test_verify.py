"""The offline verifier: honest matches of every form hold, and every way of cheating fails at its own point."""

import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from belot_engine.ruleset import canonical_json
from belot_engine.state import Action, Pass
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
    Unknown,
)
from belot_fair.documents import ProofMalformed
from belot_fair.drand import QUICKNET
from belot_fair.evidence import LearntBeacon, LearntCommitment, LearntRound
from belot_fair.keys import SigningKey
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog, play_log_hash
from belot_fair.proof import Proof, Score, read_proof, write_proof
from belot_fair.receipts import BeaconReceipt, HandReceipt, SeedReceipt, sign_receipt
from belot_fair.report import Report, Verdict
from belot_fair.transcript import Event
from belot_fair.verify import failed_points, verify_proof
from belot_fair.verify_plays import BotTurn
from support.proofs import (
    BEACON_KEY,
    DEALER_KEY,
    DEVELOPMENT,
    Match,
    Plan,
    evidence_of,
    lowest,
    participant,
    played,
    proof_of,
    tampered,
    with_log,
)

FORMS = [
    Plan("bela"),
    Plan("bela", options=(("target", "501"), ("melds", "off"))),
    Plan("classic", options=(("deals", "6"),), seed=7),
    Plan("club"),
    Plan("club", pack=24),
    Plan("club", seats=3),
    Plan("club", seats=3, pack=24),
    Plan("club", seats=2),
    Plan("club", seats=2, pack=24, options=()),
]


@pytest.fixture(scope="module")
def match() -> Match:
    return played(Plan())


@pytest.fixture(scope="module")
def honest(match: Match) -> Proof:
    return proof_of(match)


@pytest.fixture(scope="module")
def fallen_back() -> Match:
    return played(Plan(fallback=True))


def verdicts(report: Report) -> dict[str, Verdict]:
    return {point.name: point.verdict for point in report.points}


def lowest_bot(turn: BotTurn) -> Action | None:
    return lowest(turn.state, turn.legal)


@pytest.mark.parametrize("plan", FORMS, ids=[f"{plan.ruleset} {plan.seats}x{plan.pack}" for plan in FORMS])
def test_an_honest_match_is_proven_in_every_form(plan: Plan) -> None:
    match = played(plan)
    report = verify_proof(read_proof(write_proof(proof_of(match))), trusted_keys=(DEALER_KEY.public_key,))
    assert report.ok
    assert {name for name, verdict in verdicts(report).items() if verdict is not Verdict.PROVEN} == {"witness"}
    assert report.label == ""


def test_hands_that_were_passed_out_take_the_next_packs() -> None:
    match = played(Plan(passed_out=2))
    released = [event.body for event in match.events if isinstance(event.body, Hand)]
    assert [(hand.hand, hand.stage) for hand in released] == [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)]
    assert verify_proof(proof_of(match)).ok


def test_without_published_keys_the_keys_are_not_checked(honest: Proof) -> None:
    assert verify_proof(honest).point("keys").verdict is Verdict.NOT_CHECKED


def test_a_key_that_was_not_published_fails(honest: Proof) -> None:
    report = verify_proof(honest, trusted_keys=(SigningKey(bytes(32)).public_key,))
    assert failed_points(report) == ("keys",)


def test_a_key_that_signed_nothing_fails(honest: Proof) -> None:
    more = replace(honest, public_keys=(*honest.public_keys, SigningKey(bytes(32)).public_key))
    assert failed_points(verify_proof(more)) == ("keys",)


def test_a_match_on_the_development_chain_fails_unless_asked_for() -> None:
    proof = proof_of(played(Plan(development=True)))
    assert failed_points(verify_proof(proof)) == ("beacon chain",)
    report = verify_proof(proof, accept_chains=(QUICKNET, DEVELOPMENT))
    assert report.ok
    assert report.point("beacon chain").verdict is Verdict.NOT_PROTECTED
    assert "DEVELOPMENT" in report.label


def test_a_match_cannot_change_its_chain_afterwards(honest: Proof) -> None:
    report = verify_proof(replace(honest, chain=DEVELOPMENT), accept_chains=(QUICKNET, DEVELOPMENT))
    assert "beacon chain" in failed_points(report)


def test_a_fallback_is_not_protected_and_no_failure(fallen_back: Match) -> None:
    report = verify_proof(proof_of(fallen_back))
    assert report.ok
    assert report.point("beacon").verdict is Verdict.NOT_PROTECTED


def test_a_missed_seed_is_not_protected_and_no_failure() -> None:
    report = verify_proof(proof_of(played(Plan(missed=(2,)))))
    assert report.ok
    assert report.point("seeds").verdict is Verdict.NOT_PROTECTED


@pytest.mark.parametrize("decisions", [0, 3, 20])
def test_a_match_that_broke_off_is_proven_as_far_as_it_went(decisions: int) -> None:
    report = verify_proof(proof_of(played(Plan(most_decisions=decisions))))
    assert report.ok
    assert report.point("score").verdict is Verdict.PROVEN
    assert report.point("plays").verdict is Verdict.PROVEN


@pytest.mark.parametrize("kept", [1, 3])
def test_a_match_cancelled_before_any_card_is_opened_by_its_reveal(match: Match, kept: int) -> None:
    bare = Match(match.plan, match.events[:kept], [], [])
    unplayed = played(Plan(most_decisions=0))
    bare.state = unplayed.state
    end = unplayed.events[-1].body
    assert isinstance(end, Revealed)
    bare.say(replace(end, ending="cancelled"), bare.events[-1].time_ms)
    report = verify_proof(replace(proof_of(bare), score=Score((0, 0), "cancelled")))
    assert report.ok
    assert report.point("commitment").verdict is Verdict.PROVEN
    assert report.point("packs").verdict is Verdict.NOT_CHECKED


def test_bots_are_not_checked_without_a_policy() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert verify_proof(proof).point("bots").verdict is Verdict.NOT_CHECKED


def test_bots_are_proven_by_their_policy_from_their_own_views() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    turns: list[BotTurn] = []

    def policy(turn: BotTurn) -> Action | None:
        turns.append(turn)
        return lowest_bot(turn)

    assert verify_proof(proof, bot_policy=policy).point("bots").verdict is Verdict.PROVEN
    assert {(turn.level, turn.policy) for turn in turns} == {("easy", "1")}
    assert len({turn.seed for turn in turns}) >= 2
    for turn in turns:
        assert all(hand == 0 for seat, hand in enumerate(turn.state.hands) if seat != turn.seat)
        assert all(event.seat in (None, turn.seat) for event in turn.seen)


def test_a_bot_that_chose_otherwise_than_its_policy_fails() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert failed_points(verify_proof(proof, bot_policy=lambda _: Pass())) == ("bots",)


def test_an_unknown_policy_version_is_not_checked() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert verify_proof(proof, bot_policy=lambda _: None).point("bots").verdict is Verdict.NOT_CHECKED


def test_an_event_of_a_later_kind_leaves_the_order_unchecked(match: Match) -> None:
    events = [*match.events[:4], replace(match.events[4], body=Unknown(50, b"x")), *match.events[4:]]
    report = verify_proof(tampered(replace_events(match, events), lambda event: event))
    assert report.ok
    assert report.point("order").verdict is Verdict.NOT_CHECKED


def replace_events(match: Match, events: list[Event]) -> Match:
    return Match(match.plan, events, match.entries, match.receipts, match.state)


def editing(kind: type, change: Callable[[Body], Body]) -> Callable[[Event], Event]:
    """A change of every event of one kind."""
    return lambda event: replace(event, body=change(event.body)) if isinstance(event.body, kind) else event


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


# --- what a client kept ------------------------------------------------------------------------------------------


def test_a_client_that_watched_in_time_witnesses_everything(match: Match, honest: Proof) -> None:
    report = verify_proof(honest, evidence=evidence_of(match))
    witness = {name: verdict for name, verdict in verdicts(report).items() if name.startswith("witness")}
    assert len(witness) == 6
    assert set(witness.values()) == {Verdict.PROVEN}


def test_a_round_learnt_after_it_was_due_is_not_witnessed_and_no_failure(match: Match, honest: Proof) -> None:
    kept = evidence_of(match)
    late = kept.round.learnt_ms + 10_000
    kept = replace(kept, round=replace(kept.round, learnt_ms=late), commitment=replace(kept.commitment, learnt_ms=late))
    report = verify_proof(honest, evidence=kept)
    assert report.ok
    assert report.point("witness round").verdict is Verdict.NOT_WITNESSED
    assert report.point("witness commitment").verdict is Verdict.NOT_WITNESSED


def test_what_was_never_noted_is_not_witnessed(match: Match, honest: Proof) -> None:
    report = verify_proof(honest, evidence=replace(evidence_of(match), round=None, commitment=None))
    assert report.ok
    assert report.point("witness round").verdict is Verdict.NOT_WITNESSED


CONTRADICTIONS: dict[str, tuple[dict[str, object], str]] = {
    "another match": ({"match_id": "another"}, "witness"),
    "another commitment": ({"commitment": LearntCommitment(bytes(32), 1)}, "witness commitment"),
    "another round": ({"round": LearntRound(1, 1)}, "witness round"),
    "another seed": ({"seed": b"o" * 16, "seed_receipt": None}, "witness seed"),
    "a receipt for another seed": ({"seed": b"o" * 16}, "witness seed"),
    "a false beacon": ({"beacon": LearntBeacon(20999999, bytes(48), 1)}, "witness beacon"),
    "another dealer key": ({"public_keys": (SigningKey(bytes(32)).public_key,)}, "witness keys"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_a_client_kept_that_contradicts_the_file_fails(match: Match, honest: Proof, name: str) -> None:
    fields, expected = CONTRADICTIONS[name]
    report = verify_proof(honest, evidence=replace(evidence_of(match), **fields))
    assert failed_points(report) == (expected,)


def signed_hand(match: Match, **fields: object) -> tuple[object, ...]:
    receipt = match.receipts[0].receipt
    assert isinstance(receipt, HandReceipt)
    return (sign_receipt(replace(receipt, **fields), DEALER_KEY),)


@pytest.mark.parametrize(
    "fields",
    [
        {"cards": ((9, 0), (10, 1), (11, 2), (18, 3), (19, 4))},
        {"cards": ()},
        {"hand": 7},
        {"stage": 1},
        {"seat": 1},
        {"match_id": "another"},
    ],
    ids=str,
)
def test_a_hand_receipt_that_contradicts_the_packs_fails(
    match: Match, honest: Proof, fields: dict[str, object]
) -> None:
    kept = replace(evidence_of(match), hand_receipts=signed_hand(match, **fields))
    assert failed_points(verify_proof(honest, evidence=kept)) == ("witness hands",)


def test_a_hand_receipt_of_another_key_fails(match: Match, honest: Proof) -> None:
    forged = sign_receipt(match.receipts[0].receipt, SigningKey(bytes(32)))
    report = verify_proof(honest, evidence=replace(evidence_of(match), hand_receipts=(forged,)))
    assert failed_points(report) == ("witness hands",)


def test_a_seed_that_was_receipted_in_time_and_not_used_fails() -> None:
    match = played(Plan(missed=(0,)))
    kept = evidence_of(match)
    assert failed_points(verify_proof(proof_of(match), evidence=kept)) == ("witness seed",)
    without = verify_proof(proof_of(match), evidence=replace(kept, seed_receipt=None))
    assert without.point("witness seed").verdict is Verdict.NOT_PROTECTED


def test_a_seed_receipt_under_another_commitment_fails(match: Match, honest: Proof) -> None:
    kept = evidence_of(match)
    receipt = kept.seed_receipt.receipt
    assert isinstance(receipt, SeedReceipt)
    other = sign_receipt(replace(receipt, commitment=bytes(32)), DEALER_KEY)
    assert failed_points(verify_proof(honest, evidence=replace(kept, seed_receipt=other))) == ("witness seed",)


def test_a_seed_that_was_receipted_after_the_close_is_no_failure() -> None:
    match = played(Plan(missed=(0,)))
    kept = evidence_of(match)
    receipt = kept.seed_receipt.receipt
    assert isinstance(receipt, SeedReceipt)
    late = sign_receipt(replace(receipt, time_ms=receipt.time_ms + 60_000), DEALER_KEY)
    assert verify_proof(proof_of(match), evidence=replace(kept, seed_receipt=late)).ok


def test_a_fallback_although_the_dealer_had_the_beacon_fails(match: Match, fallen_back: Match) -> None:
    beacon = match.events[3].body
    assert isinstance(beacon, Beacon)
    in_time = fallen_back.events[3].time_ms - 1
    receipt = BeaconReceipt(match.match_id, beacon.round, beacon.signature, in_time)
    kept = replace(evidence_of(fallen_back), beacon_receipt=sign_receipt(receipt, DEALER_KEY))
    proof = proof_of(fallen_back)
    assert failed_points(verify_proof(proof, evidence=kept)) == ("witness beacon",)
    late = sign_receipt(replace(receipt, time_ms=in_time + 1), DEALER_KEY)
    assert verify_proof(proof, evidence=replace(kept, beacon_receipt=late)).ok


def test_a_beacon_that_only_the_client_had_makes_the_fallback_unprotected(match: Match, fallen_back: Match) -> None:
    beacon = match.events[3].body
    assert isinstance(beacon, Beacon)
    seen = LearntBeacon(beacon.round, beacon.signature, fallen_back.events[3].time_ms - 1)
    report = verify_proof(proof_of(fallen_back), evidence=replace(evidence_of(fallen_back), beacon=seen))
    assert report.ok
    assert report.point("witness beacon").verdict is Verdict.NOT_PROTECTED
