"""Matches that many tests look at and none changes."""

import pytest

from belot_fair.proof import Proof
from support.proofs import Match, Plan, played, proof_of


@pytest.fixture(scope="session")
def match() -> Match:
    return played(Plan())


@pytest.fixture(scope="session")
def honest(match: Match) -> Proof:
    return proof_of(match)


@pytest.fixture(scope="session")
def fallen_back() -> Match:
    return played(Plan(fallback=True))
