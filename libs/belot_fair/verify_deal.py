"""The points of a report that stand before the first card: what was opened, seeds, round, beacon, and the reveal."""

from collections.abc import Sequence
from hashlib import sha256

from belot_fair.bodies import Beacon, Fallback, SeatKind, SeedState
from belot_fair.drand import (
    CLOSE_MARGIN_MS,
    DEVELOPMENT_BEACON,
    FALLBACK_AFTER_MS,
    BeaconRefused,
    Chain,
    first_round_for,
    time_of,
    verify,
)
from belot_fair.playlog import PlayLog, play_log_hash
from belot_fair.recipe import PACK_SIZES, RECIPE, commitment
from belot_fair.report import Point, failed, not_checked, not_protected, proven
from belot_fair.story import Story

_OVER = "the match ended before it came to that"


def check_opened(story: Story) -> Point:
    """OPENED binds a recipe that is known here, and a ruleset whose JSON gives the hash."""
    opened = story.opened
    if opened.recipe != RECIPE:
        return failed("opened", "The match was opened with a recipe that is not known here.")
    if sha256(opened.ruleset_json).digest() != opened.ruleset_hash:
        return failed("opened", "The ruleset's JSON does not give the hash that was bound.")
    if opened.pack_size not in PACK_SIZES:
        return failed("opened", "The pack has neither 24 nor 32 cards.")
    bots = sum(seat.kind is SeatKind.BOT for seat in opened.seats)
    seats = f"{len(opened.seats)} seats ({bots} bots)"
    return proven("opened", f"{seats}, sides, first dealer, ruleset {opened.ruleset_name} and chain were bound first.")


def check_beacon_chain(story: Story, chain: Chain, accepted: Sequence[Chain]) -> Point:
    """The file's chain is the one that was bound, and one that this verification takes."""
    opened = story.opened
    if (opened.chain_hash, opened.chain_name) != (chain.chain_hash, chain.beacon_id):
        return failed("beacon chain", "The chain in the file is not the one that the match was bound to.")
    development = chain.beacon_id == DEVELOPMENT_BEACON
    if chain not in accepted:
        why = "a development chain, whose values its operator picks" if development else "none that is taken here"
        return failed("beacon chain", f"The match is bound to {why}.")
    if development:
        return not_protected("beacon chain", "A development chain, taken because this verification was told to.")
    return proven("beacon chain", f"The chain is {chain.beacon_id}; its parameters give the hash that was bound.")


def check_commitment(story: Story) -> Point:
    """The revealed server seed is the one that was committed to."""
    if story.revealed is None:
        return failed("commitment", "The server seed was never revealed.")
    if commitment(story.revealed.server_seed) != story.opened.commitment:
        return failed("commitment", "The revealed server seed is not the one that was committed to.")
    return proven("commitment", "The revealed server seed gives the commitment of the opening.")


def check_seeds(story: Story) -> Point:
    """One entry a seat; none for bots; a person without a seed had his time."""
    if story.seeds is None:
        return not_checked("seeds", f"No seeds were closed: {_OVER}.")
    opened, seats = story.opened, story.seeds.seats
    if len(seats) != len(opened.seats):
        return failed("seeds", "There is not one seed entry for each seat.")
    for at, (seat, entry) in enumerate(zip(opened.seats, seats, strict=True)):
        if (seat.kind is SeatKind.BOT) != (entry.state is SeedState.BOT):
            return failed("seeds", f"The entry of seat {at} does not fit who sits there.")
    missed = [at for at, entry in enumerate(seats) if entry.state is SeedState.MISSED]
    if missed and story.closed_ms < opened.seed_deadline_ms:
        return failed("seeds", f"Seeds were closed before the deadline although seat {missed[0]} had sent none.")
    if missed:
        named = ", ".join(map(str, missed))
        return not_protected("seeds", f"No seed came in time from seat {named}, which the deal does not protect.")
    given = sum(entry.state is SeedState.GIVEN for entry in seats)
    brought = "The one person" if given == 1 else f"All {given} persons"
    return proven("seeds", f"{brought} brought a seed of their own." if given else "Only bots sit here.")


def check_round(story: Story, chain: Chain) -> Point:
    """The round is the first one due a second after the seeds closed, above every round that was known."""
    chosen = story.chosen
    if chosen is None:
        return not_checked("round", f"No round was chosen: {_OVER}.")
    if chosen.close_time_ms != story.closed_ms:
        return failed("round", "The close time that the round rests on is not the time at which seeds closed.")
    if chosen.round != first_round_for(chain, chosen.close_time_ms, chosen.highest_verified):
        return failed("round", "The round is not the first that the rule allows after seeds closed.")
    ahead = time_of(chain, chosen.round) - chosen.close_time_ms
    if ahead < CLOSE_MARGIN_MS:
        return failed("round", "The round was due too early.")
    return proven(
        "round", f"Round {chosen.round} follows from the rule; it was due {ahead / 1000:.1f} s after seeds closed."
    )


def check_answer(story: Story, chain: Chain) -> Point:
    """The beacon's signature holds for the chosen round, or the fallback came after its time and is named as such."""
    chosen, answer = story.chosen, story.answer
    if chosen is None or answer is None:
        return not_checked("beacon", f"There is no beacon and no fallback: {_OVER}.")
    if answer.round != chosen.round or not answer.round:
        return failed("beacon", "The answer is for another round than the one that was chosen.")
    if isinstance(answer, Fallback):
        return _check_fallback(story, chain, answer)
    return _check_beacon(story, chain, answer)


def _check_beacon(story: Story, chain: Chain, beacon: Beacon) -> Point:
    try:
        value = verify(chain, beacon.round, beacon.signature)
    except BeaconRefused as refused:
        return failed("beacon", f"The beacon does not hold: {refused.why}.")
    if value != beacon.value:
        return failed("beacon", "The value is not the SHA-256 of the signature.")
    if story.answer_ms < time_of(chain, beacon.round):
        return failed("beacon", "The beacon stands in the transcript before its round was due.")
    return proven("beacon", "The BLS signature is that of the chosen round, and the value follows from it.")


def _check_fallback(story: Story, chain: Chain, fallback: Fallback) -> Point:
    if story.answer_ms < time_of(chain, fallback.round) + FALLBACK_AFTER_MS:
        return failed("beacon", "The match fell back before the beacon's time was up.")
    return not_protected("beacon", "No valid beacon came in time: seeds alone, and no public value, made the packs.")


def check_reveal(story: Story, log: PlayLog | None) -> Point:
    """The reveal is there and binds the play log of the file."""
    if story.revealed is None:
        return failed("play log", "The match was never closed by a reveal.")
    if log is None:
        return failed("play log", "The play log is not in its canonical form.")
    if log.match_id != story.match_id:
        return failed("play log", "The play log belongs to another match.")
    if play_log_hash(log) != story.revealed.play_log_hash:
        return failed("play log", "The play log is not the one that the reveal binds.")
    return proven("play log", f"The reveal binds this play log; the match ended as: {story.revealed.ending}.")
