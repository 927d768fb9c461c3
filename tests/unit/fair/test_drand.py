"""The beacon: real rounds, forgeries, times, the chain's own hash, and an independent second BLS library."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyblst
import pytest

from belot_fair.drand import (
    QUICKNET,
    BeaconKey,
    BeaconRefused,
    Chain,
    chain_hash,
    chain_info,
    development_chain,
    first_round_for,
    round_at,
    time_of,
    verify,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "drand_quicknet.json").read_text())
PINNED = GOLDEN["chain"]
VECTORS = GOLDEN["vectors"]
NEGATIVE = GOLDEN["negative"]
GENESIS_MS = PINNED["genesis_time"] * 1000


def holds_by_the_second_library(public_key: bytes, round: int, signature: bytes) -> bool:
    """The same check through blst, sharing no code with the first."""
    generator = pyblst.BlstP2Element().uncompress(
        bytes.fromhex(
            "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
            "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
        )
    )
    try:
        point = pyblst.BlstP1Element().uncompress(signature)
    except ValueError:
        return False
    message = sha256(round.to_bytes(8, "big")).digest()
    hashed = pyblst.BlstP1Element.hash_to_group(message, PINNED["dst"].encode())
    key = pyblst.BlstP2Element().uncompress(public_key)
    return pyblst.final_verify(pyblst.miller_loop(point, generator), pyblst.miller_loop(hashed, key))


def test_quicknet_is_pinned_as_published() -> None:
    assert QUICKNET.public_key.hex() == PINNED["public_key"]
    assert (QUICKNET.period, QUICKNET.genesis) == (PINNED["period"], PINNED["genesis_time"])
    assert QUICKNET.group_hash.hex() == PINNED["group_hash"]
    assert QUICKNET.scheme == PINNED["scheme"]
    assert QUICKNET.beacon_id == PINNED["beacon_id"]
    assert QUICKNET.chain_hash.hex() == PINNED["chain_hash"]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["round"] for vector in VECTORS])
def test_a_real_beacon_gives_its_published_value(vector: dict) -> None:
    value = verify(QUICKNET, int(vector["round"]), bytes.fromhex(vector["signature"]))
    assert value.hex() == vector["randomness"]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["round"] for vector in VECTORS])
def test_a_second_library_agrees_on_a_real_beacon(vector: dict) -> None:
    signature = bytes.fromhex(vector["signature"])
    assert holds_by_the_second_library(QUICKNET.public_key, int(vector["round"]), signature)
    assert not holds_by_the_second_library(QUICKNET.public_key, int(vector["round"]) + 1, signature)


@pytest.mark.parametrize("forgery", NEGATIVE, ids=[forgery["id"] for forgery in NEGATIVE])
def test_a_forged_beacon_is_refused(forgery: dict) -> None:
    with pytest.raises(BeaconRefused) as refused:
        verify(QUICKNET, int(forgery["round"]), bytes.fromhex(forgery["signature"]))
    assert refused.value.why


@pytest.mark.parametrize("round", [-1, 0, 2**64])
def test_a_round_that_cannot_be_is_refused(round: int) -> None:
    with pytest.raises(BeaconRefused, match="rounds count from 1"):
        verify(QUICKNET, round, bytes.fromhex(VECTORS[0]["signature"]))
    with pytest.raises(BeaconRefused, match="rounds count from 1"):
        time_of(QUICKNET, round)


def test_a_true_signature_of_another_round_is_refused() -> None:
    with pytest.raises(BeaconRefused, match="not that of this round"):
        verify(QUICKNET, 2, bytes.fromhex(VECTORS[0]["signature"]))


@pytest.mark.parametrize(
    "change",
    [
        {"period": 4},
        {"genesis": QUICKNET.genesis + 1},
        {"group_hash": bytes(32)},
        {"beacon_id": "default"},
        {"public_key": BeaconKey(b"x").public_key},
        {"chain_hash": bytes(32)},
        {"scheme": "pedersen-bls-chained"},
        {"public_key": b""},
        {"period": 0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_inconsistent_chain_parameters_are_refused(change: dict) -> None:
    with pytest.raises(BeaconRefused):
        replace(QUICKNET, **change)


def test_a_public_key_that_is_no_point_is_refused_although_the_hash_fits() -> None:
    key = bytes(96)
    hashed = chain_hash(key, 3, 1, bytes(32), "quicknet")
    with pytest.raises(BeaconRefused, match="public key"):
        Chain(key, 3, 1, bytes(32), QUICKNET.scheme, "quicknet", hashed)


def test_chain_info_speaks_as_a_relay_does() -> None:
    info = chain_info(QUICKNET)
    assert info["hash"] == PINNED["chain_hash"]
    assert (info["genesis_time"], info["period"], info["beaconID"]) == (1692803367, 3, "quicknet")


@pytest.mark.parametrize("case", GOLDEN["round_times"], ids=[str(case["unix_time"]) for case in GOLDEN["round_times"]])
def test_rounds_and_times_agree_with_the_vectors(case: dict) -> None:
    at_ms = round(case["unix_time"] * 1000)
    if case["current_round"] is None:
        with pytest.raises(BeaconRefused, match="before the first round"):
            round_at(QUICKNET, at_ms)
    else:
        assert round_at(QUICKNET, at_ms) == case["current_round"]
    assert time_of(QUICKNET, case["first_round_strictly_after"]) == case["its_time"] * 1000


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["round"] for vector in VECTORS])
def test_the_time_of_a_round_is_the_published_one(vector: dict) -> None:
    assert time_of(QUICKNET, int(vector["round"])) == vector["time"] * 1000


@pytest.mark.parametrize(
    ("after_genesis_ms", "highest", "expected"),
    [
        (-5_000, 0, 1),
        (-1_000, 0, 1),
        (-999, 0, 2),
        (0, 0, 2),
        (2_000, 0, 2),
        (2_001, 0, 3),
        (2_999, 0, 3),
        (3_000, 0, 3),
        (0, 1, 2),
        (0, 2, 3),
        (0, 10_000, 10_001),
    ],
)
def test_the_round_of_a_match_is_the_first_one_due_a_second_later_and_unknown(
    after_genesis_ms: int, highest: int, expected: int
) -> None:
    close = GENESIS_MS + after_genesis_ms
    chosen = first_round_for(QUICKNET, close, highest)
    assert chosen == expected
    assert time_of(QUICKNET, chosen) >= close + 1_000


def test_a_development_chain_signs_and_verifies_with_a_hash_of_its_own() -> None:
    key = BeaconKey(b"loopback")
    chain = development_chain(key, genesis=1_790_000_000)
    signature = key.sign(77)
    assert verify(chain, 77, signature) == sha256(signature).digest()
    assert holds_by_the_second_library(chain.public_key, 77, signature)
    assert chain.beacon_id == "belot-dev"
    assert chain.period == 1
    assert chain.chain_hash != QUICKNET.chain_hash
    with pytest.raises(BeaconRefused):
        verify(QUICKNET, 77, signature)
    with pytest.raises(BeaconRefused):
        verify(chain, 78, signature)


def test_a_beacon_key_shows_nothing_of_itself() -> None:
    assert repr(BeaconKey(b"loopback")) == "BeaconKey(redacted)"
