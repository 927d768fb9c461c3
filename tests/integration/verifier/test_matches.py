"""Both verifiers on honest matches of every form, and the second one's command line."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from belot_fair.bodies import Unknown
from belot_fair.evidence import write_evidence
from belot_fair.keys import SigningKey
from belot_fair.proof import write_proof
from support.proofs import DEALER_KEY, Match, Plan, evidence_of, played, proof_of, replace_events, tampered
from support.second_verifier import BUNDLE, ELSEWHERE, Case, agreed, run, unfailed

FORMS = {
    "bela": Plan("bela"),
    "bela to 501": Plan("bela", options=(("target", "501"), ("melds", "off"))),
    "classic": Plan(options=(("deals", "4"),), seed=7),
    "club": Plan("club"),
    "club, 24 cards": Plan("club", pack=24),
    "club for three": Plan("club", seats=3),
    "club for three, 24 cards": Plan("club", seats=3, pack=24),
    "club for two": Plan("club", seats=2),
    "club for two, 24 cards": Plan("club", seats=2, pack=24),
    "fallback": Plan(fallback=True),
    "missed seeds": Plan(missed=(1, 2)),
    "bots": Plan(bots=(1, 3)),
    "bots alone": Plan("club", bots=(0, 1, 2, 3)),
    "everything at once": Plan("club", seats=3, pack=24, fallback=True, missed=(1,), bots=(2,)),
    "broken off before a play": Plan(most_decisions=0),
    "broken off": Plan(most_decisions=20),
    "passed out": Plan(passed_out=2),
    "claims": Plan(options=(("deals", "6"),), claims=True),
    "claims for three": Plan("club", seats=3, claims=True),
    "claims for two": Plan("club", seats=2, pack=24, claims=True),
    "claims beside a bot": Plan("bela", bots=(3,), claims=True),
}


def case_of(name: str, match: Match, *, accept_dev: bool = False) -> Case:
    """A match with the evidence of its first seat, when a person sits there."""
    kept = None if 0 in match.plan.bots else write_evidence(evidence_of(match))
    return Case(name, write_proof(proof_of(match)), kept, accept_dev)


@pytest.fixture(scope="module")
def match() -> Match:
    return played(Plan())


def test_an_honest_match_of_any_form_fails_at_nothing_and_both_say_the_same() -> None:
    cases = [case_of(name, played(plan)) for name, plan in FORMS.items()]
    told = agreed(cases)
    assert unfailed(told) == set(FORMS)
    for name, verdicts in told.items():
        assert {verdicts[point] for point in ELSEWHERE} == {"not checked"}, name
        assert verdicts["hands"] == verdicts["packs"] == verdicts["signatures"] == "proven", name


def test_a_development_chain_fails_unless_it_is_accepted() -> None:
    match = played(Plan(development=True))
    cases = [case_of("refused", match), case_of("accepted", match, accept_dev=True)]
    told = agreed(cases)
    assert told["refused"]["beacon chain"] == "failed"
    assert told["accepted"]["beacon chain"] == "not protected"


def test_kinds_of_a_later_version_are_stepped_over_and_said(match: Match) -> None:
    later = replace(match.events[2], body=Unknown(9, b"later"))
    events = [*match.events[:3], later, *match.events[3:]]
    proof = tampered(replace_events(match, events), lambda event: event)
    case = Case("later kind", write_proof(proof))
    assert agreed([case])["later kind"]["order"] == "not checked"


def test_keys_that_signed_nothing_fail(match: Match) -> None:
    other = SigningKey(b"another key, which signs nothing")
    proof = replace(proof_of(match), public_keys=(DEALER_KEY.public_key, other.public_key))
    case = Case("idle key", write_proof(proof))
    assert agreed([case])["idle key"]["keys"] == "failed"


def test_the_bundle_alone_answers_with_report_and_exit_status(match: Match, tmp_path: Path) -> None:
    bundle = Path(shutil.copy(BUNDLE, tmp_path))
    file, kept, broken = tmp_path / "proof.json", tmp_path / "kept.json", tmp_path / "broken.json"
    file.write_bytes(write_proof(proof_of(match)))
    kept.write_bytes(write_evidence(evidence_of(match)))
    broken.write_bytes(file.read_bytes()[:-1])
    told = run(str(file), "--evidence", str(kept), "--json", bundle=bundle)
    report = json.loads(told.stdout)
    assert (told.returncode, report["ok"], report["match_id"]) == (0, True, match.match_id)
    assert "VERIFIED" in run(str(file), bundle=bundle).stdout
    failed = run(str(broken), bundle=bundle)
    assert (failed.returncode, "FAILED: format" in failed.stdout) == (1, True)


@pytest.mark.parametrize("arguments", [(), ("nowhere.json",), ("--unknown",), ("a", "b")], ids=str)
def test_what_cannot_be_read_ends_with_status_two(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*(str(tmp_path / each) if each.endswith("json") else each for each in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
