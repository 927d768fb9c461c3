"""`belot verify --fetch-beacon` against relays that serve the match's beacon, another one, or nothing."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from belot_cli.main import main
from belot_dealer.dev_beacon import BeaconIdentity, DevBeacon, serving
from belot_dealer.faults import Fault, FaultKind
from belot_fair.bodies import Beacon, Body
from belot_fair.proof import Proof, write_proof
from support.proofs import DEVELOPMENT, Match, Plan, editing, played, proof_of, tampered

IDENTITY = BeaconIdentity(b"beacon of the tests", DEVELOPMENT.genesis, DEVELOPMENT.period)
DEALT = played(Plan(development=True))
FELL_BACK = played(Plan(development=True, fallback=True))


def with_another_beacon(match: Match) -> Proof:
    """A dealer who put another round's signature into the transcript."""
    signature = DevBeacon(IDENTITY).key.sign(101)

    def change(body: Body) -> Body:
        return replace(body, signature=signature) if isinstance(body, Beacon) else body

    return tampered(match, editing(Beacon, change))


async def verified(folder: Path, proof: Proof, faults: Sequence[FaultKind], *options: str) -> Result:
    """What the command says that asks one relay for each fault."""
    file = folder / "proof.json"
    file.write_bytes(write_proof(proof))
    async with AsyncExitStack() as stack:
        relays = [DevBeacon(IDENTITY, Fault(kind), now=lambda: DEVELOPMENT.genesis + 10_000.0) for kind in faults]
        urls = [await stack.enter_async_context(serving(relay)) for relay in relays]
        named = [word for url in urls for word in ("--relay", url)]
        arguments = ["verify", str(file), "--accept-dev", "--json", *named, *(options or ("--fetch-beacon",))]
        done = await asyncio.to_thread(CliRunner().invoke, main, arguments)
        assert bool(options) or all(relay.asked for relay in relays)
        assert not options or not any(relay.asked for relay in relays)
    return done


def point(done: Result) -> tuple[str, str]:
    """Verdict and sentence of the point that asked the network."""
    found = [each for each in json.loads(done.output)["points"] if each["name"] == "beacon at relays"]
    return found[0]["verdict"], found[0]["sentence"]


@pytest.mark.parametrize(
    ("faults", "served"),
    [
        ((FaultKind.NONE, FaultKind.NONE), "2 of 2"),
        ((FaultKind.FORGED, FaultKind.NONE), "1 of 2"),
        ((FaultKind.WRONG_ROUND, FaultKind.SMALL_ORDER, FaultKind.NONE), "1 of 3"),
    ],
)
async def test_relays_that_serve_the_beacon_prove_it_whatever_others_say(
    tmp_path: Path, faults: Sequence[FaultKind], served: str
) -> None:
    done = await verified(tmp_path, proof_of(DEALT), faults)
    assert done.exit_code == 0
    assert point(done) == ("proven", f"{served} relays asked serve this very beacon.")


async def test_a_beacon_that_relays_do_not_serve_is_a_failure(tmp_path: Path) -> None:
    done = await verified(tmp_path, with_another_beacon(DEALT), (FaultKind.NONE,))
    assert done.exit_code == 1
    assert point(done)[0] == "failed"


async def test_relays_that_are_silent_prove_nothing_and_fail_nothing(tmp_path: Path) -> None:
    done = await verified(tmp_path, proof_of(DEALT), (FaultKind.SERVER_ERROR, FaultKind.HTML))
    verdict, sentence = point(done)
    assert (done.exit_code, verdict) == (0, "not checked")
    assert "status 5xx" in sentence
    assert "malformed" in sentence


async def test_a_fallback_is_told_that_its_round_can_be_had(tmp_path: Path) -> None:
    done = await verified(tmp_path, proof_of(FELL_BACK), (FaultKind.NONE,))
    assert (done.exit_code, point(done)[0]) == (0, "not protected")


async def test_nobody_is_asked_unless_the_command_is_told_to(tmp_path: Path) -> None:
    done = await verified(tmp_path, proof_of(DEALT), (FaultKind.NONE,), "--json")
    assert done.exit_code == 0
    assert "beacon at relays" not in done.output


def test_an_address_that_is_no_relay_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "any"), "--fetch-beacon", "--relay", "nowhere"])
    assert done.exit_code == 2
    assert "--relay: a relay is an http or https address" in done.stderr
