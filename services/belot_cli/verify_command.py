"""`belot verify`: a proof file checked offline and told to a person, or to a program as JSON.

Exit status 0: nothing failed; 1: something failed, a malformed file included; 2: a file could not be read.
"""

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

import click

from belot_bot.policy import recorded_policy
from belot_bot.view import seat_view
from belot_cli.verify_keys import KeysMalformed, read_keys
from belot_dealer.relays import QUICKNET_RELAYS, Relay, relay
from belot_engine.state import Action
from belot_fair.documents import ProofMalformed
from belot_fair.drand import DEVELOPMENT_BEACON, QUICKNET
from belot_fair.evidence import MOST_OCTETS as MOST_EVIDENCE_OCTETS
from belot_fair.evidence import Evidence, read_evidence
from belot_fair.listing import MOST_OCTETS as MOST_INCLUSION_OCTETS
from belot_fair.listing import Inclusion, read_inclusion
from belot_fair.proof import MOST_OCTETS, Proof, read_proof
from belot_fair.report import Point, Report, Verdict, failed
from belot_fair.verify import verify_proof
from belot_fair.verify_plays import BotTurn

OK, FAILED, UNREADABLE = 0, 1, 2
_WIDTH = 80

_MARKS = {
    Verdict.PROVEN: "✓",
    Verdict.NOT_WITNESSED: "–",
    Verdict.NOT_PROTECTED: "!",
    Verdict.NOT_CHECKED: "–",
    Verdict.FAILED: "✗",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What to print and the exit status to end with."""

    lines: tuple[str, ...]
    status: int


@dataclass(frozen=True, slots=True)
class Beside:
    """What a proof is held against: files of one client's evidence and of published keys, relays to ask (or none).

    `inclusion` is the file that shows the commitment to be listed; `accept_dev` takes a development beacon's chain.
    """

    evidence: Path | None = None
    trusted_keys: Path | None = None
    relays: tuple[Relay, ...] = ()
    accept_dev: bool = False
    inclusion: Path | None = None


class VerifyAsked(TypedDict):
    """The options of the command as they were typed."""

    evidence: Path | None
    inclusion: Path | None
    trusted_keys: Path | None
    relays: tuple[str, ...]
    accept_dev: bool


def beside_of(asked: VerifyAsked, *, fetch_beacon: bool) -> Beside:
    """What to hold the proof against; relays are asked only if `fetch_beacon`. Errors: click.UsageError."""
    try:
        relays = tuple(relay(url) for url in asked["relays"] or QUICKNET_RELAYS) if fetch_beacon else ()
    except ValueError as error:
        raise click.UsageError(f"--relay: {error}") from None
    return Beside(asked["evidence"], asked["trusted_keys"], relays, asked["accept_dev"], asked["inclusion"])


def verify_files(file: Path, beside: Beside | None = None, *, as_json: bool = False) -> Outcome:
    """Check a proof file, and say what was found."""
    beside = beside or Beside()
    try:
        octets = _read(file, MOST_OCTETS)
        kept_octets = None if beside.evidence is None else _read(beside.evidence, MOST_EVIDENCE_OCTETS)
        listed_octets = None if beside.inclusion is None else _read(beside.inclusion, MOST_INCLUSION_OCTETS)
        keys = None if beside.trusted_keys is None else read_keys(beside.trusted_keys)
    except OSError as error:
        return Outcome((f"{error.filename or file} cannot be read: {error.strerror}",), UNREADABLE)
    except KeysMalformed as malformed:
        return Outcome((f"{beside.trusted_keys} cannot be read: {malformed}",), UNREADABLE)
    try:
        proof = read_proof(octets)
    except ProofMalformed as malformed:
        return _told(_broken("format", str(malformed)), as_json, development=False)
    try:
        kept = None if kept_octets is None else read_evidence(kept_octets)
    except ProofMalformed as malformed:
        return _told(_broken("evidence", str(malformed), proof.match_id), as_json, development=False)
    try:
        listed = None if listed_octets is None else read_inclusion(listed_octets)
    except ProofMalformed as malformed:
        return _told(_broken("listed", str(malformed), proof.match_id), as_json, development=False)
    report = check(proof, kept, listed, accept_dev=beside.accept_dev, trusted_keys=keys)
    if beside.relays:
        from belot_cli.verify_relays import compared_with_relays  # what speaks to the network, only when asked to

        report = replace(report, points=(*report.points, compared_with_relays(proof, beside.relays)))
    return _told(report, as_json, development=is_development(proof) and not beside.accept_dev)


def check(
    proof: Proof,
    kept: Evidence | None = None,
    listed: Inclusion | None = None,
    *,
    accept_dev: bool = False,
    trusted_keys: Sequence[bytes] | None = None,
) -> Report:
    """The report on one proof. A development chain fails it unless accepted: anybody can make its values."""
    chains = (QUICKNET, proof.chain) if accept_dev and is_development(proof) else (QUICKNET,)
    return verify_proof(
        proof,
        accept_chains=chains,
        trusted_keys=trusted_keys,
        evidence=kept,
        inclusion=listed,
        bot_policy=check_again,
    )


def check_again(turn: BotTurn) -> Action | None:
    """What a bot of this release chooses from what it saw then; None for a policy that this release does not have."""
    policy = recorded_policy(turn.level, turn.policy)
    if policy is None:
        return None
    return policy.choose(seat_view(turn.state, turn.legal, turn.seen), turn.seed)


def is_development(proof: Proof) -> bool:
    """Whether the match was dealt over a development beacon."""
    return proof.chain.beacon_id == DEVELOPMENT_BEACON


def report_lines(report: Report) -> tuple[str, ...]:
    """A report for people, in lines that fit a screen: each point with its mark, and the conclusion last."""
    label = (f"           {report.label}",) if report.label else ()
    width = max((len(point.name) for point in report.points), default=0)
    points = tuple(line for point in report.points for line in _point_lines(point, width))
    return (f"match      {report.match_id}", *label, *points, *conclusion(report))


def conclusion(report: Report) -> tuple[str, ...]:
    """The report in one sentence, in lines that fit a screen."""
    return tuple(textwrap.wrap(_conclusion(report), _WIDTH))


def _conclusion(report: Report) -> str:
    wrong = [point.name for point in report.points if point.verdict is Verdict.FAILED]
    if wrong:
        return f"FAILED at {', '.join(wrong)}."
    weak = {
        verdict: [point.name for point in report.points if point.verdict is verdict]
        for verdict in (Verdict.NOT_PROTECTED, Verdict.NOT_WITNESSED, Verdict.NOT_CHECKED)
    }
    notes = [f"{verdict.value}: {', '.join(names)}" for verdict, names in weak.items() if names]
    proven = sum(point.verdict is Verdict.PROVEN for point in report.points)
    over = "proven over a development beacon" if report.label else "proven"
    return f"VERIFIED: {proven} points {over}, none failed{'; ' if notes else ''}{'; '.join(notes)}."


def _point_lines(point: Point, width: int) -> list[str]:
    """A point; what is not simply proven says how it came out."""
    verdict = {Verdict.PROVEN: "", Verdict.FAILED: "FAILED. "}.get(point.verdict, f"{point.verdict.value}. ")
    head = f" {_MARKS[point.verdict]} {point.name.replace('_', ' '):<{width}}  "
    return textwrap.wrap(
        f"{verdict[:1].upper()}{verdict[1:]}{point.sentence}",
        _WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
    )


def _told(report: Report, as_json: bool, *, development: bool) -> Outcome:
    status = OK if report.ok else FAILED
    if as_json:
        return Outcome((_as_json(report),), status)
    hint = ("(It was dealt by a development beacon: --accept-dev takes its chain.)",)
    return Outcome((*report_lines(report), *(hint if development else ())), status)


def _as_json(report: Report) -> str:
    points = [{"name": each.name, "verdict": each.verdict.value, "sentence": each.sentence} for each in report.points]
    fields = {"match_id": report.match_id, "ok": report.ok, "label": report.label, "points": points}
    return json.dumps(fields, ensure_ascii=False, indent=2)


def _broken(name: str, why: str, match: str = "unknown") -> Report:
    return Report(match, (failed(name, f"{why[:1].upper()}{why[1:]}."),))


def _read(file: Path, most: int) -> bytes:
    # One octet more than the reader takes is enough for it to refuse a huge file.
    with file.open("rb") as stream:
        return stream.read(most + 1)
