"""`belot verify` on good, damaged, foreign and missing files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from belot_cli.main import main
from belot_cli.verify_command import Beside, verify_files
from belot_fair.evidence import write_evidence
from belot_fair.proof import write_proof
from support.proofs import DEALER_KEY, Plan, evidence_of, played, proof_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One public match, one development match, and what seat 0 kept of the first."""
    folder = tmp_path_factory.mktemp("proofs")
    match = played(Plan())
    (folder / "public.json").write_bytes(write_proof(proof_of(match)))
    (folder / "kept.json").write_bytes(write_evidence(evidence_of(match)))
    (folder / "development.json").write_bytes(write_proof(proof_of(played(Plan(development=True)))))
    return folder


def test_a_good_proof_is_verified_with_status_0(folder: Path) -> None:
    outcome = verify_files(folder / "public.json")
    assert outcome.status == 0
    assert any(line.startswith("VERIFIED: ") for line in outcome.lines)
    assert all(len(line) <= 80 for line in outcome.lines)


def test_evidence_adds_what_its_player_witnessed(folder: Path) -> None:
    alone = verify_files(folder / "public.json").lines
    told = verify_files(folder / "public.json", Beside(folder / "kept.json")).lines
    assert told != alone
    assert "not checked: keys, witness" in " ".join(alone[-2:])


def test_a_development_chain_fails_unless_it_is_accepted_and_is_always_labelled(folder: Path) -> None:
    refused = verify_files(folder / "development.json")
    accepted = verify_files(folder / "development.json", Beside(accept_dev=True))
    assert refused.status == 1
    assert "--accept-dev" in refused.lines[-1]
    assert accepted.status == 0
    assert any("proven over a development beacon" in line for line in accepted.lines)
    assert any("DEVELOPMENT CHAIN" in line for line in accepted.lines)


def test_accepting_development_chains_does_not_weaken_a_public_proof(folder: Path) -> None:
    told = verify_files(folder / "public.json", Beside(accept_dev=True)).lines
    assert told == verify_files(folder / "public.json").lines


@pytest.mark.parametrize("place", [0, 40, 400, 2_000, -300, -2])
def test_any_changed_octet_fails_with_status_1(folder: Path, tmp_path: Path, place: int) -> None:
    octets = bytearray((folder / "public.json").read_bytes())
    octets[place] ^= 1
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(octets)
    outcome = verify_files(damaged)
    assert outcome.status == 1
    assert outcome.lines[-1].startswith("FAILED at ")


def test_a_missing_file_is_status_2(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "nothing.json")])
    assert done.exit_code == 2
    assert "cannot be read: No such file" in done.output


def test_the_report_as_json_has_every_point(folder: Path) -> None:
    done = CliRunner().invoke(main, ["verify", str(folder / "public.json"), "--json"])
    report = json.loads(done.output)
    assert done.exit_code == 0
    assert report["ok"] is True
    assert {"commitment", "signatures", "packs", "plays", "score"} <= {point["name"] for point in report["points"]}


@pytest.mark.parametrize("line", ["{key}", "{id} {key}  # since 2026", "# ours\n\n{key}\n"])
def test_published_keys_say_whose_signatures_they_are(folder: Path, tmp_path: Path, line: str) -> None:
    keys = tmp_path / "keys"
    keys.write_text(line.format(key=DEALER_KEY.public_key.hex(), id=DEALER_KEY.key_id))
    done = CliRunner().invoke(main, ["verify", str(folder / "public.json"), "--trusted-keys", str(keys), "--json"])
    assert done.exit_code == 0
    verdicts = {point["name"]: point["verdict"] for point in json.loads(done.output)["points"]}
    assert verdicts["keys"] == "proven"


def test_a_proof_signed_by_another_key_than_the_published_ones_fails(folder: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("11" * 32)
    outcome = verify_files(folder / "public.json", Beside(trusted_keys=keys))
    assert (outcome.status, outcome.lines[-1]) == (1, "FAILED at keys.")


@pytest.mark.parametrize("text", ["", "no key", "11" * 31, "0123456789abcdef " + "11" * 32])
def test_a_file_of_keys_that_is_none_is_status_2(folder: Path, tmp_path: Path, text: str) -> None:
    keys = tmp_path / "keys"
    keys.write_text(text)
    done = CliRunner().invoke(main, ["verify", str(folder / "public.json"), "--trusted-keys", str(keys)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be read" in done.stderr
