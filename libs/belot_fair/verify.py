"""The offline verifier: one proof file in, one report out, no server and no clock.

It checks point by point what `report.py` can say, and trusts nothing in the file that does not follow from its octets.
"""

from collections.abc import Sequence

from belot_fair.drand import DEVELOPMENT_BEACON, QUICKNET, Chain
from belot_fair.evidence import Evidence
from belot_fair.keys import key_id_of
from belot_fair.listing import Inclusion
from belot_fair.octets import Malformed
from belot_fair.playlog import PlayLog, decode_play_log
from belot_fair.proof import Proof
from belot_fair.recipe import commitment, shuffle
from belot_fair.report import Point, Report, Verdict, failed, not_checked, proven
from belot_fair.story import Story, story_of
from belot_fair.transcript import ChainBroken, Event, check_links, check_order, check_signatures, decode_events
from belot_fair.verify_deal import (
    check_answer,
    check_beacon_chain,
    check_commitment,
    check_opened,
    check_reveal,
    check_round,
    check_seeds,
)
from belot_fair.verify_evidence import check_evidence
from belot_fair.verify_listing import check_listed
from belot_fair.verify_plays import BotPolicy, check_plays

Packs = dict[int, tuple[int, ...]]


def verify_proof(
    proof: Proof,
    *,
    accept_chains: Sequence[Chain] = (QUICKNET,),
    trusted_keys: Sequence[bytes] | None = None,
    evidence: Evidence | None = None,
    inclusion: Inclusion | None = None,
    bot_policy: BotPolicy | None = None,
) -> Report:
    """Every point of a match, checked from the file alone.

    `accept_chains`: the beacon chains that are taken, quicknet alone unless told otherwise. `trusted_keys`: dealer keys
    (32 octets each) known from elsewhere. `evidence`: what one client kept. `inclusion`: that the commitment is listed.
    `bot_policy`: recomputes what bots chose.
    """
    label = "DEVELOPMENT CHAIN, proves nothing about chance" if proof.chain.beacon_id == DEVELOPMENT_BEACON else ""
    opening, events = _check_transcript(proof, trusted_keys)
    if events is None:
        rest = not_checked("deal", "Nothing further was checked, because the transcript does not hold.")
        return Report(proof.match_id, (*opening, rest), label)
    story = story_of(events)
    log = _play_log(proof.play_log)
    deal = (
        check_opened(story),
        check_beacon_chain(story, proof.chain, accept_chains),
        check_commitment(story),
        check_seeds(story),
        check_round(story, proof.chain),
        check_answer(story, proof.chain),
        check_reveal(story, log),
    )
    packs_point, packs = _packs(story)
    plays = check_plays(story, packs, log, proof.score, bot_policy)
    kept = check_evidence(story, proof, packs, evidence)
    listed = check_listed(story, proof, inclusion, trusted_keys)
    return Report(proof.match_id, (*opening, *deal, packs_point, *plays, *kept, listed), label)


def _check_transcript(
    proof: Proof, trusted_keys: Sequence[bytes] | None
) -> tuple[tuple[Point, ...], tuple[Event, ...] | None]:
    """The points of the transcript itself, and its events when they may be read further."""
    keys = {key_id_of(key): key for key in proof.public_keys}
    points: list[Point] = []
    try:
        events = decode_events(proof.events)
        points.append(proven("format", f"{len(events)} events in canonical octets."))
        check_links(events)
        if any(event.match_id != proof.match_id for event in events):
            raise ChainBroken("chain", 0, "it belongs to another match than the file")
        points.append(proven("chain", "Every event names the hash of the one before it."))
        check_order(events)
        if not events:
            raise ChainBroken("order", 0, "there is none")
        points.append(_order_point(events))
        check_signatures(proof.events, keys)
        points.append(proven("signatures", "Every event is signed by the dealer."))
    except ChainBroken as broken:
        return (*points, failed(broken.point, f"Event {broken.sequence}: {broken.why}.")), None
    points.append(_keys_point(proof, trusted_keys))
    return tuple(points), events


def _order_point(events: tuple[Event, ...]) -> Point:
    unknown = story_of(events).unknown
    if unknown:
        return not_checked(
            "order", f"{unknown} events are of kinds that a later version added; the others are in order."
        )
    return proven("order", "The events come in the order of a match.")


def _keys_point(proof: Proof, trusted_keys: Sequence[bytes] | None) -> Point:
    used = {event.key_id for event in proof.events}
    if len(set(proof.public_keys)) != len(proof.public_keys) or used != {key_id_of(key) for key in proof.public_keys}:
        return failed("keys", "The file holds keys that signed nothing in it.")
    if trusted_keys is None:
        return not_checked(
            "keys", "The dealer's keys are those of the file; they were not compared with published ones."
        )
    if not set(proof.public_keys) <= set(trusted_keys):
        return failed("keys", "A key of the file is not among the dealer's published ones.")
    return proven("keys", "The keys are among the dealer's published ones.")


def _play_log(octets: bytes) -> PlayLog | None:
    try:
        return decode_play_log(octets)
    except Malformed:
        return None


def _packs(story: Story) -> tuple[Point, Packs]:
    """Every pack of which a card left the dealer, made again by the recipe."""
    drawn, revealed = story.round_and_value, story.revealed
    if revealed is None or commitment(revealed.server_seed) != story.opened.commitment:
        return not_checked("packs", "Without the committed server seed no pack can be made again."), {}
    if drawn is None:
        return not_checked("packs", "No card was dealt: the match ended before."), {}
    numbers = sorted({hand.hand for hand in story.hands})
    if numbers != list(range(len(numbers))):
        return failed("packs", "Hands are not counted from 0 without a gap."), {}
    round, value = drawn
    try:
        seed, seeds, size = revealed.server_seed, story.client_seeds, story.opened.pack_size
        packs = {hand: shuffle(seed, hand, seeds, round, value, size) for hand in numbers}
    except Malformed as refused:
        return failed("packs", f"The recipe refuses what the transcript holds: {refused}."), {}
    made = "1 pack was" if len(packs) == 1 else f"{len(packs)} packs were"
    return proven("packs", f"{made} made again from seeds and value."), packs


def failed_points(report: Report) -> tuple[str, ...]:
    """The names of the points that failed, for a summary."""
    return tuple(point.name for point in report.points if point.verdict is Verdict.FAILED)
