"""The fairness keeper: draws this client's part of the shuffle, watches the dealer's every word, judges at the end.

While the match goes on each signed event is checked as it comes (signature, chain, order). At the end the packs are
made again from the revealed seed and held against every card that this client saw. What it kept can be written as an
evidence file for ``belot verify --evidence``.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from belot.table.v1 import view_pb2
from belot_client.view import BeaconChain, TableState
from belot_client.witness import Shown, Witness, learnt, resumed
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL
from belot_fair.drand import DEVELOPMENT_BEACON, QUICKNET, BeaconRefused, Chain
from belot_fair.evidence import Evidence
from belot_fair.octets import Malformed
from belot_fair.proof import Proof, Score
from belot_fair.recipe import CLIENT_SEED_LENGTH, commitment, shuffle
from belot_fair.report import Point, Report, failed, not_checked, not_protected, proven
from belot_fair.story import Story, story_of
from belot_fair.transcript import ChainBroken, SignedEvent, check_chain
from belot_fair.verify_deal import (
    check_answer,
    check_beacon_chain,
    check_commitment,
    check_opened,
    check_round,
    check_seeds,
)
from belot_fair.verify_evidence import check_evidence

DEVELOPMENT_LABEL: Final = "DEVELOPMENT CHAIN, proves nothing about chance"
Packs = Mapping[int, Sequence[int]]


class FairnessKeeper:
    """One client's watch over one match. It holds cards and a seed: keep it, and its evidence, to the player."""

    def __init__(self, trusted_keys: Sequence[bytes] | None = None, *, accept_development: bool = True) -> None:
        """`trusted_keys`: the dealer's published Ed25519 keys; None: those the table names are noted and taken.

        `accept_development`: take a development beacon, too; the report then says that it proves nothing.
        """
        self._trusted = None if trusted_keys is None else tuple(trusted_keys)
        self._accept_development = accept_development
        self._checked = 0
        self._broken: Point | None = None
        self.witness = Witness()

    @property
    def broken(self) -> Point | None:
        """What has been found wrong while the match goes on; None: nothing so far."""
        return self._broken

    def draw_seed(self) -> bytes:
        """This client's 16 octets for the match: drawn once, the same at every further call."""
        if not self.witness.seed:
            self.witness = _with_seed(self.witness, secrets.token_bytes(CLIENT_SEED_LENGTH))
        return self.witness.seed

    def began(self, state: TableState, now_ms: int) -> None:
        """A snapshot came."""
        self.witness = resumed(self.witness, state, now_ms)
        self._check(state)

    def saw(self, before: TableState, after: TableState, event: view_pb2.TableEvent, now_ms: int) -> None:
        """An event came: the table before and after it."""
        seed = self.witness.seed
        self.witness = learnt(self.witness, before, event, now_ms)
        if seed and not self.witness.seed and self.witness.match_id == before.match_id:
            self.witness = _with_seed(self.witness, seed)
        self._check(after)

    def _check(self, state: TableState) -> None:
        """Check what the dealer has said so far, if it is more than before; the first thing found wrong stays."""
        fairness = state.fairness
        if fairness is None or self._broken is not None or len(fairness.transcript) <= self._checked:
            return
        self._checked = len(fairness.transcript)
        self._broken = _broken_point(state.match_id, fairness.transcript, self._keys(state))

    def _keys(self, state: TableState) -> Mapping[str, bytes]:
        named = dict(state.fairness.keys) if state.fairness else {}
        if self._trusted is None:
            return named
        return {key_id: key for key_id, key in named.items() if key in self._trusted}

    def evidence(self) -> Evidence:
        """What this client kept, to be written with belot_fair.evidence.write_evidence. ValueError for a spectator."""
        kept = self.witness
        if kept.seat is None:
            raise ValueError("a spectator keeps no evidence of a seat")
        return Evidence(
            match_id=kept.match_id,
            seat=kept.seat,
            commitment=kept.commitment,
            seed=kept.seed,
            seed_receipt=kept.seed_receipt,
            round=kept.round,
            beacon=kept.beacon,
            hand_receipts=kept.hand_receipts,
            public_keys=self._trusted or (),
        )

    def report(self, state: TableState) -> Report:
        """Every point that can be judged now, in the order of a match; the packs once the server seed is public."""
        fairness = state.fairness
        broken = self._broken
        if fairness is None or not fairness.transcript or broken is not None:
            none = not_checked("transcript", "The dealer has said nothing of this match yet.")
            return Report(state.match_id, (broken or none,))
        events = check_chain(fairness.transcript, self._keys(state))
        story = story_of(events)
        points = [proven("transcript", f"{len(events)} events, each signed and chained to the one before.")]
        points += [_table_point(state, story), check_opened(story), check_commitment(story), check_seeds(story)]
        chain = None if fairness.chain is None else _chain_of(fairness.chain)
        if chain is None:
            points.append(failed("beacon chain", "The beacon's parameters do not give the hash that names them."))
            return Report(state.match_id, tuple(points))
        development = self._accept_development and chain.beacon_id == DEVELOPMENT_BEACON
        accepted = (QUICKNET, chain) if development else (QUICKNET,)
        points += [check_beacon_chain(story, chain, accepted), check_round(story, chain), check_answer(story, chain)]
        packs = _packs(story)
        points.append(_cards_point(self.witness, story, packs))
        if self.witness.seat is not None:
            keys = tuple(self._keys(state).values())
            proof = Proof(state.match_id, fairness.transcript, keys, chain, b"", Score((), ""))
            points += check_evidence(story, proof, packs, self.evidence())
        return Report(state.match_id, tuple(points), DEVELOPMENT_LABEL if development else "")


def _with_seed(witness: Witness, seed: bytes) -> Witness:
    return replace(witness, seed=seed)


def _broken_point(match_id: str, events: Sequence[SignedEvent], keys: Mapping[str, bytes]) -> Point | None:
    try:
        checked = check_chain(events, keys)
    except ChainBroken as broken:
        return failed(broken.point, f"Event {broken.sequence}: {broken.why}.")
    if match_id and any(event.match_id != match_id for event in checked):
        return failed("chain", "The dealer's events belong to another match.")
    return None


def _chain_of(chain: BeaconChain) -> Chain | None:
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


def _table_point(state: TableState, story: Story) -> Point:
    """What was bound at the opening is what this client was shown as the table."""
    name, opened = "table", story.opened
    if (opened.ruleset_name, opened.ruleset_version, opened.ruleset_hash.hex()) != state.ruleset:
        return failed(name, "The match was bound to another ruleset than the table shows.")
    if [seat.participant.hex() for seat in opened.seats] != [seat.participant for seat in state.seats]:
        return failed(name, "The match was bound to other seats than the table shows.")
    if state.fairness is None or opened.commitment != state.fairness.commitment:
        return failed(name, "The commitment in the transcript is not the one that the table showed.")
    return proven(name, "Ruleset, seats and commitment of the transcript are those that the table showed.")


def _packs(story: Story) -> Packs:
    """Every pack of which a card left the dealer, made again; none without the committed seed and a value."""
    drawn, revealed = story.round_and_value, story.revealed
    if drawn is None or revealed is None or commitment(revealed.server_seed) != story.opened.commitment:
        return {}
    seed, seeds, size = revealed.server_seed, story.client_seeds, story.opened.pack_size
    return {hand.hand: shuffle(seed, hand.hand, seeds, *drawn, size) for hand in story.hands}


def _cards_point(witness: Witness, story: Story, packs: Packs) -> Point:
    """Every card that this client saw came from where the transcript says, in the pack that the seeds give."""
    name = "cards seen"
    if not packs:
        return not_checked(name, "The packs cannot be made again yet.")
    for dealt in witness.dealt:
        released = [hand for hand in story.hands if (hand.hand, hand.stage) == (dealt.hand, dealt.stage)]
        given = tuple(packs[dealt.hand][at] for hand in released for at, seat in hand.positions if seat == dealt.seat)
        if given != dealt.cards:
            return failed(name, f"Hand {dealt.hand}, stage {dealt.stage}: the cards dealt are not those of the pack.")
    played = [(shown.hand, shown.card) for shown in witness.shown if shown.seat is not None]
    if len(set(played)) != len(played):
        return failed(name, "A card was played twice in one hand.")
    for shown in witness.shown:
        if not _fits(story, packs, shown, dict(witness.declarers).get(shown.hand)):
            return failed(name, f"Hand {shown.hand}: a card was shown that its player cannot have been dealt.")
    seen = len(witness.shown) + sum(len(dealt.cards) for dealt in witness.dealt)
    if not seen:
        return not_protected(name, "This client saw no cards.")
    return proven(name, f"All {seen} sights of cards agree with the packs that the seeds and the value give.")


def _fits(story: Story, packs: Packs, shown: Shown, declarer: int | None) -> bool:
    """Whether the card lay where its showing says: with its player, turned up (then it is the declarer's), left out."""
    pack = packs.get(shown.hand)
    if pack is None or shown.card not in pack:
        return False
    at = pack.index(shown.card)
    holders = {seat for hand in story.hands if hand.hand == shown.hand for place, seat in hand.positions if place == at}
    if shown.seat is None:
        return holders == {OUT_OF_PLAY if shown.left_out else SHOWN_TO_ALL}
    return holders == {shown.seat} or (holders == {SHOWN_TO_ALL} and shown.seat == declarer)
