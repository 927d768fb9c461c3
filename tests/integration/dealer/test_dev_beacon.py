"""The development beacon speaks drand's API as real relays do, signs for real, and fails on demand."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import aiohttp
import pyblst
import pytest

from belot_dealer.beacon_main import BeaconConfig, app_options, serve
from belot_dealer.dev_beacon import DevBeacon, NotLoopback, kept_identity, new_identity, serving
from belot_dealer.development import NoBeacon, development_chain_of
from belot_dealer.drand_client import probe_quicknet
from belot_dealer.faults import FaultKind
from belot_dealer.relays import relay
from belot_fair.drand import DEVELOPMENT_BEACON, QUICKNET, Chain, round_at, verify
from belot_kit.app import READY_FILE_VARIABLE, running
from support.beacons import Beaconry, beacons
from support.eventually import eventually


@pytest.fixture
async def one() -> AsyncIterator[Beaconry]:
    """One sound relay."""
    async with beacons() as running_beacons:
        yield running_beacons


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """A plain HTTP client."""
    async with aiohttp.ClientSession() as opened:
        yield opened


def now_ms() -> int:
    """The clock."""
    return time.time_ns() // 1_000_000


async def test_it_tells_its_chain_under_its_hash(one: Beaconry, session: aiohttp.ClientSession) -> None:
    async with session.get(f"{one.urls[0]}/{one.chain.chain_hash.hex()}/info") as answer:
        told = await answer.json()
    assert told["beaconID"] == DEVELOPMENT_BEACON
    assert told["hash"] == one.chain.chain_hash.hex()
    assert await development_chain_of([relay(one.urls[0])]) == one.chain


async def test_its_signatures_hold_for_an_independent_implementation(
    one: Beaconry, session: aiohttp.ClientSession
) -> None:
    async with session.get(f"{one.urls[0]}/{one.chain.chain_hash.hex()}/public/latest") as answer:
        told = await answer.json()
    signature = bytes.fromhex(told["signature"])
    assert verify(one.chain, told["round"], signature) == bytes.fromhex(told["randomness"])
    message = sha256(int(told["round"]).to_bytes(8, "big")).digest()
    assert holds_elsewhere(one.chain, message, signature)


def holds_elsewhere(chain: Chain, message: bytes, signature: bytes) -> bool:
    """The pairing, by blst."""
    point = pyblst.BlstP1Element().uncompress(signature)
    key = pyblst.BlstP2Element().uncompress(chain.public_key)
    hashed = pyblst.BlstP1Element.hash_to_group(message, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_")
    return bool(pyblst.final_verify(pyblst.miller_loop(point, generator()), pyblst.miller_loop(hashed, key)))


def generator() -> "pyblst.BlstP2Element":
    """The generator of G2."""
    return pyblst.BlstP2Element().uncompress(
        bytes.fromhex(
            "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
            "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
        )
    )


@pytest.mark.parametrize(("ahead", "status"), [(1, 425), (2, 404), (1000, 404)])
async def test_it_refuses_rounds_that_are_not_due(
    one: Beaconry, session: aiohttp.ClientSession, ahead: int, status: int
) -> None:
    path = f"{one.urls[0]}/{one.chain.chain_hash.hex()}/public"
    for _ in range(3):  # a round may become due between the two looks at the clock
        newest = round_at(one.chain, now_ms())
        async with session.get(f"{path}/{newest + ahead}") as answer:
            got = answer.status
        if round_at(one.chain, now_ms()) == newest:
            break
    assert got == status
    async with session.get(f"{path}/0") as answer:
        assert answer.status == 404


async def test_faults_are_set_and_cleared_over_http(one: Beaconry, session: aiohttp.ClientSession) -> None:
    faults, latest = f"{one.urls[0]}/faults", f"{one.urls[0]}/{one.chain.chain_hash.hex()}/public/latest"
    async with session.post(faults, json={"kind": "500"}) as answer:
        assert await answer.json() == {"kind": "500", "seconds": 0.5}
    async with session.get(latest) as answer:
        assert answer.status == 500
    async with session.delete(faults):
        pass
    async with session.get(latest) as answer:
        assert answer.status == 200
    assert one.relays[0].beacon.fault.kind is FaultKind.NONE


@pytest.mark.parametrize(
    "fault", ["x", [], {"kind": "nothing"}, {"kind": "late", "seconds": -1}, {"kind": [1]}, {"a": 1}]
)
async def test_a_fault_that_is_none_is_refused(one: Beaconry, session: aiohttp.ClientSession, fault: object) -> None:
    async with session.post(f"{one.urls[0]}/faults", json=fault) as answer:
        assert answer.status == 400


async def test_it_listens_on_loopback_alone() -> None:
    with pytest.raises(NotLoopback):
        async with serving(DevBeacon(new_identity(time.time())), "0.0.0.0"):  # noqa: S104 - that is the point
            pass


async def test_its_chain_outlives_a_restart(tmp_path: Path) -> None:
    config = BeaconConfig(state_dir=tmp_path, listen="127.0.0.1:0")
    chains = []
    for _ in range(2):
        async with running(app_options(config), lambda app: serve(config, app)) as app:
            chains.append(await development_chain_of([relay(app.addresses["http"])]))
    assert chains[0] == chains[1]
    assert (tmp_path / "beacon.json").stat().st_mode & 0o077 == 0


async def test_a_state_file_that_is_none_stops_the_start(tmp_path: Path) -> None:
    file = tmp_path / "beacon.json"
    file.write_text("{}")
    with pytest.raises(ValueError, match="development chain"):
        kept_identity(file, time.time())


async def test_it_runs_as_a_process_of_its_own(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    environment = {
        "BELOT_BEACON__STATE_DIR": str(tmp_path),
        "BELOT_BEACON__LISTEN": "127.0.0.1:0",
        READY_FILE_VARIABLE: str(ready),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from belot_dealer.beacon_main import run; raise SystemExit(run())"),
        env=os.environ | environment,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await eventually(lambda: ready.exists() or process.returncode is not None)
        assert "http://127.0.0.1:" in ready.read_text()
        process.terminate()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_development_chain_is_asked_for_with_patience_and_not_for_ever() -> None:
    with pytest.raises(NoBeacon):
        await development_chain_of([relay("http://127.0.0.1:9")], patience_s=0.2)


async def test_quicknet_is_not_found_at_a_development_beacon(one: Beaconry) -> None:
    assert one.chain != QUICKNET
    assert not await probe_quicknet(one.urls, timeout=2.0)
    assert not await probe_quicknet(["http://127.0.0.1:9"], timeout=2.0)
