"""What the dealer said held against what this client saw: every point that can be judged by now. Pure.

The same points are looked at after every word of the dealer and make the report at the end; what cannot be known yet is
*not checked*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from belot_client.judging_cards import Packs, check_cards_seen, check_hand_receipts, check_hands
from belot_client.view import BeaconChain, Status, TableState
from belot_client.witness import Witness, evidence_of
from belot_fair.bodies import Fallback
from belot_fair.drand import DEVELOPMENT_BEACON, FALLBACK_AFTER_MS, QUICKNET, BeaconRefused, Chain, time_of
from belot_fair.octets import Malformed
from belot_fair.proof import Proof, Score
from belot_fair.recipe import commitment, shuffle
from belot_fair.report import Point, Verdict, failed, not_checked, proven
from belot_fair.story import Story, story_of
from belot_fair.transcript import (
    ChainBroken,
    Event,
    SignedEvent,
    check_links,
    check_order,
    check_signatures,
    decode_events,
)
from belot_fair.verify_deal import (
    check_answer,
    check_beacon_chain,
    check_commitment,
    check_opened,
    check_round,
    check_seeds,
)
from belot_fair.verify_evidence import check_evidence

EARLY_MS: Final = 2_000
"""How much too early a fallback must seem, by this client's clock and by its stopwatch, before that is held against
the dealer: clocks of devices are wrong, and messages wait."""
_BEACON: Final = "witness beacon"
_OVER: Final = frozenset({Status.FINISHED, Status.CLOSED})


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged: the table as shown, what the client saw, the dealer's checked words, and whose keys count."""

    state: TableState
    witness: Witness
    events: tuple[Event, ...]
    keys: Mapping[str, bytes]
    trusted: tuple[bytes, ...]
    accept_development: bool


def check_words(
    known: Sequence[Event], transcript: Sequence[SignedEvent], keys: Mapping[str, bytes], match_id: str
) -> tuple[Event, ...]:
    """The events of a transcript of which `known` were checked before. Errors: ChainBroken.

    Signatures of known events are not checked again: the chain of hashes ties them to the others.
    """
    events = decode_events(transcript)
    if tuple(known) != events[: len(known)]:
        raise ChainBroken("chain", 0, "the dealer says other things now than it said before")
    check_links(events)
    check_signatures(transcript[len(known) :], keys)
    check_order(events)
    if match_id and any(event.match_id != match_id for event in events):
        raise ChainBroken("chain", 0, "it belongs to another match than the table plays")
    return events


def judge(case: Case) -> tuple[Point, ...]:
    """Every point, in the order of a match."""
    story = story_of(case.events)
    points = [proven("transcript", f"{len(case.events)} events, each signed and chained to the one before.")]
    points += [_table(case.state, story), check_opened(story), check_seeds(story)]
    chain = chain_of(case.state)
    if chain is None:
        return (*points, failed("beacon chain", "The beacon's parameters do not give the hash that names them."))
    points += [check_beacon_chain(story, chain, _accepted(case, chain)), check_round(story, chain)]
    points += [
        _answer(replace(story, hands=(), revealed=None), chain),
        check_hands(story, case.witness),
        _commitment(case.state, story),
    ]
    packs = _packs(story)
    points.append(check_cards_seen(case.witness, story, packs))
    return (*points, *_witnessed(case, story, chain, packs))


def development(state: TableState) -> bool:
    """Whether the match is dealt over a development beacon."""
    fairness = state.fairness
    return fairness is not None and fairness.chain is not None and fairness.chain.name == DEVELOPMENT_BEACON


def _accepted(case: Case, chain: Chain) -> tuple[Chain, ...]:
    return (QUICKNET, chain) if case.accept_development and development(case.state) else (QUICKNET,)


def chain_of(state: TableState) -> Chain | None:
    """The beacon's chain as the table gives it; None when there is none, or its parameters do not give its hash."""
    chain: BeaconChain | None = state.fairness.chain if state.fairness else None
    if chain is None:
        return None
    try:
        return Chain(
            public_key=chain.public_key,
            period=chain.period,
            genesis=chain.genesis,
            group_hash=chain.group_hash,
            scheme=chain.scheme,
            beacon_id=chain.name,
            chain_hash=chain.chain_hash,
        )
    except (BeaconRefused, Malformed):
        return None


@lru_cache(maxsize=64)
def _answer(story: Story, chain: Chain) -> Point:
    """Checked once: it takes some milliseconds, and a story up to its value does not change."""
    return check_answer(story, chain)


def _table(state: TableState, story: Story) -> Point:
    """What was bound at the opening is what this client was shown as the table."""
    name, opened = "table", story.opened
    if (opened.ruleset_name, opened.ruleset_version, opened.ruleset_hash.hex()) != state.ruleset:
        return failed(name, "The match was bound to another ruleset than the table shows.")
    if [seat.participant.hex() for seat in opened.seats] != [seat.participant for seat in state.seats]:
        return failed(name, "The match was bound to other seats than the table shows.")
    if state.fairness is None or opened.commitment != state.fairness.commitment:
        return failed(name, "The commitment in the transcript is not the one that the table showed.")
    match = state.match
    if match is not None and (opened.sides, opened.pack_size) != (match.sides, match.pack_size):
        return failed(name, "The match is played with other sides or another pack than were bound.")
    if match is not None and opened.first_dealer != match.first_dealer:
        return failed(name, "Another seat deals first than was bound at the opening.")
    return proven(name, "Ruleset, seats, first dealer and commitment of the transcript are those that the table shows.")


def _commitment(state: TableState, story: Story) -> Point:
    if story.revealed is None and state.status not in _OVER:
        return not_checked("commitment", "The server seed is not public yet.")
    shown = state.fairness.server_seed if state.fairness else b""
    if story.revealed is not None and shown and shown != story.revealed.server_seed:
        return failed("commitment", "The table shows another server seed than the dealer revealed.")
    return check_commitment(story)


def _packs(story: Story) -> Packs:
    """Every pack of which a card left the dealer, made again; none without the committed seed and a value."""
    drawn, revealed = story.round_and_value, story.revealed
    if drawn is None or revealed is None or commitment(revealed.server_seed) != story.opened.commitment:
        return {}
    seed, seeds, size = revealed.server_seed, story.client_seeds, story.opened.pack_size
    try:
        return {hand.hand: shuffle(seed, hand.hand, seeds, *drawn, size) for hand in story.hands}
    except Malformed:
        return {}  # another point says what is wrong with what went in


def _witnessed(case: Case, story: Story, chain: Chain, packs: Packs) -> tuple[Point, ...]:
    """The points of a player's own evidence; a spectator has none."""
    if case.witness.seat is None:
        return ()
    state = case.state
    transcript = state.fairness.transcript if state.fairness else ()
    proof = Proof(state.match_id, transcript, tuple(case.keys.values()), chain, b"", Score((), ""))
    points = check_evidence(story, proof, packs, evidence_of(case.witness, case.trusted))
    if not packs:
        own = check_hand_receipts(case.witness, story, case.keys)
        points = tuple(own if point.name == own.name else point for point in points)
    early = told_too_early(case.witness, story, chain)
    if early and all(point.name != _BEACON or point.verdict is not Verdict.FAILED for point in points):
        points = tuple(failed(_BEACON, early) if point.name == _BEACON else point for point in points)
    return points


def told_too_early(witness: Witness, story: Story, chain: Chain) -> str:
    """What is wrong with the time of a fallback; empty when nothing is, or when it cannot be told."""
    told, round = witness.fallback, witness.round
    if told is None or round is None or not isinstance(story.answer, Fallback) or not story.answer.round:
        return ""
    limit = time_of(chain, story.answer.round) + FALLBACK_AFTER_MS
    by_clock = told.learnt_ms < limit - EARLY_MS
    by_stopwatch = told.learnt_ms - round.learnt_ms < limit - story.chosen_ms - EARLY_MS
    if not (by_clock and by_stopwatch):
        return ""
    return "The fallback was told before the beacon's time was up, whatever its date says."
