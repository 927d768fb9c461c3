"""Signing keys change in mid-match: transcript, receipts and proof still verify, and old keys stay published."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
import pytest_asyncio

from belot.dealer.v1 import dealer_pb2
from belot_fair.drand import Chain
from belot_fair.evidence import Evidence, LearntCommitment
from belot_fair.keys import SigningKey
from belot_fair.playlog import PlayLog, play_log_hash
from belot_fair.proof import Proof, Score
from belot_fair.receipts import SignedReceipt
from belot_fair.report import Report, Verdict
from belot_fair.verify import verify_proof
from support.beacons import Beaconry
from support.databases import Database
from support.dealers import DealerClient, checked, dealer_at, dealer_config, opening, seed_of, signed_events

pytestmark = pytest.mark.asyncio(loop_scope="module")

OLD, NEW = (sha256(word).digest() for word in (b"old signing key", b"new signing key"))
OLD_KEY, NEW_KEY = SigningKey(OLD), SigningKey(NEW)


@dataclass(frozen=True, slots=True)
class Rotated:
    """A match that two dealers took turns at, what its player kept, and what the second one says of its keys."""

    transcript: dealer_pb2.GetTranscriptResponse
    receipts: tuple[SignedReceipt, ...]
    info: dealer_pb2.GetDealerInfoResponse
    later: dealer_pb2.OpenMatchResponse

    @property
    def signers(self) -> list[str]:
        """Who signed each event."""
        return [each.key_id for each in self.transcript.events]


def write_keys(file: Path, *keys: bytes) -> None:
    file.write_text("".join(key.hex() + "\n" for key in keys))
    file.chmod(0o600)


def kept(receipt: dealer_pb2.SignedReceipt) -> SignedReceipt:
    return SignedReceipt(receipt.octets, receipt.key_id, receipt.signature)


async def rotated(database: Database, state: Path, relays: Beaconry, *keys: bytes) -> Rotated:
    """Opened under the old key, played on by a dealer with `keys`."""
    config, request = dealer_config(database, state, relays.urls), opening("PB")
    match_id = request.match_id
    write_keys(config.signing_key_file, OLD)
    async with dealer_at(config) as before:
        await before.open(request)
        seed = await before.seed(match_id, 0, seed_of(match_id, 0))
        await before.close(match_id)
    write_keys(config.signing_key_file, *keys)
    async with dealer_at(config) as after:
        await after.fix(match_id)
        cards = await after.release(match_id, 0, 0, [(0, 0), (1, 1), (2, 0)])
        again: DealerClient = after
        assert (await again.seed(match_id, 0, seed_of(match_id, 0))).receipt == seed.receipt or OLD not in keys
        await after.reveal(match_id, play_log_hash(PlayLog(match_id, ())), "cancelled")
        later = await after.open(opening("BB"))
        transcript, info = await after.transcript(match_id), await after.info()
    checked(transcript)
    return Rotated(transcript, (kept(seed.receipt), kept(cards.receipts[0].receipt)), info, later)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def in_order(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> Rotated:
    """The new key in front, the old one behind it."""
    return await rotated(module_database, tmp_path_factory.mktemp("dealer"), sound_relays, NEW, OLD)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def in_haste(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> Rotated:
    """The old key is gone at once."""
    return await rotated(module_database, tmp_path_factory.mktemp("dealer"), sound_relays, NEW)


def report_on(match: Rotated, known: tuple[bytes, ...]) -> Report:
    """The proof held against the published keys and the player's evidence."""
    chain, events = match.transcript.chain, checked(match.transcript)
    match_id = events[0].match_id
    proof = Proof(
        match_id=match_id,
        events=signed_events(match.transcript.events),
        public_keys=tuple(key.public_key for key in match.transcript.keys),
        chain=Chain(
            public_key=chain.public_key,
            period=chain.period_seconds,
            genesis=chain.genesis_time,
            group_hash=chain.group_hash,
            scheme=chain.scheme,
            beacon_id=chain.name,
            chain_hash=chain.chain_hash,
        ),
        play_log=PlayLog(match_id, ()).encode(),
        score=Score((), "cancelled"),
    )
    evidence = Evidence(
        match_id=match_id,
        seat=0,
        commitment=LearntCommitment(events[0].body.commitment, 0),  # type: ignore[union-attr]
        seed=seed_of(match_id, 0),
        seed_receipt=match.receipts[0],
        hand_receipts=match.receipts[1:],
        public_keys=known,
    )
    return verify_proof(proof, accept_chains=(proof.chain,), trusted_keys=known, evidence=evidence)


HELD = ("signatures", "keys", "commitment", "seeds", "beacon", "packs", "witness keys", "witness seed", "witness hands")


async def test_a_running_match_keeps_the_key_that_opened_it(in_order: Rotated) -> None:
    assert set(in_order.signers) == {OLD_KEY.key_id}
    assert {each.key_id for each in in_order.receipts} == {OLD_KEY.key_id}
    assert in_order.later.event.key_id == NEW_KEY.key_id
    report = report_on(in_order, (OLD_KEY.public_key,))
    assert {name for name in HELD if report.point(name).verdict is not Verdict.PROVEN} == set()


async def test_a_key_that_is_gone_is_followed_by_the_new_one(in_haste: Rotated) -> None:
    assert in_haste.signers == [OLD_KEY.key_id] * 3 + [NEW_KEY.key_id] * 3
    report = report_on(in_haste, tuple(key.public_key for key in in_haste.info.keys))
    assert {name for name in HELD if report.point(name).verdict is not Verdict.PROVEN} == set()


async def test_all_keys_stay_published_the_current_one_first(in_order: Rotated, in_haste: Rotated) -> None:
    for match in (in_order, in_haste):
        assert match.info.keys[0].public_key == NEW_KEY.public_key
        assert OLD_KEY.public_key in {key.public_key for key in match.info.keys}
        assert {key.key_id for key in match.later.keys} == {key.key_id for key in match.info.keys}
