"""A decision in a record is made again from what the bot saw, by the policy that the record names."""

import hashlib
import random
from dataclasses import replace

import pytest

from belot_bot.policy import FALLBACK, POLICIES, Policy, policy_of, recorded_policy
from belot_bot.view import seat_view
from belot_cli.verify_command import check_again
from belot_engine.events import Event
from belot_engine.match import apply, legal_actions, start
from belot_engine.ruleset import Ruleset
from belot_fair.verify_plays import BotTurn
from support.playouts import deal_from, every_form, shuffled

SEED = bytes(range(32))
PINNED = {
    ("easy/1", "0447bc98cf3b5990"),
    ("normal/1", "0a9a667ef0baeeb7"),
    ("hard/1", "6db1480976d23ab3"),
    ("expert/1", "9f6ac9536d153770"),
}


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_hard_chooses_again_from_its_own_hand_and_what_it_was_shown(rules: Ruleset) -> None:
    pack = shuffled(random.Random(f"recorded {rules.name} {rules.seats} {rules.pack}"), rules.pack)
    state, seen = start(rules, 0), list[Event]()
    hard = policy_of("hard")
    assert hard is not None
    while state.hand_number == 0 and state.result is None:
        legal = legal_actions(state)
        if legal is None:
            applied = apply(state, None, deal_from(state, pack))
        else:
            seat = legal.seat
            action = hard.choose(seat_view(state, legal), SEED)
            own = replace(state, hands=tuple(hand if at == seat else 0 for at, hand in enumerate(state.hands)))
            shown = tuple(event for event in seen if event.seat in (None, seat))
            assert check_again(BotTurn("hard", "hard/1", seat, SEED, own, legal, shown)) == action
            late = FALLBACK.choose(seat_view(state, legal), SEED)
            assert check_again(BotTurn("hard", "normal/1", seat, SEED, own, legal, shown)) == late
            applied = apply(state, seat, action)
        state = applied.state
        seen += applied.events


def test_the_version_says_which_policy_decided_and_the_level_does_where_there_is_none() -> None:
    assert [recorded_policy("hard", policy.version) for policy in POLICIES] == list(POLICIES)
    assert recorded_policy("easy", "") == policy_of("easy")
    assert recorded_policy("hard", "hard/0") is None
    assert recorded_policy("divine", "") is None


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.level)
def test_the_decisions_of_a_version_never_change(policy: Policy) -> None:
    """One deal of every form, hashed. Where this fails, the version of the policy has to be raised."""
    digest = hashlib.sha256()
    for rules in every_form()[:: 4 if policy.level == "expert" else 1]:  # whose cards take their time
        pack = shuffled(random.Random(f"pinned {rules.name} {rules.seats} {rules.pack}"), rules.pack)
        state = start(rules, 1)
        while state.hand_number == 0 and state.result is None:
            legal = legal_actions(state)
            if legal is None:
                state = apply(state, None, deal_from(state, pack)).state
            else:
                action = policy.choose(seat_view(state, legal), SEED)
                digest.update(repr(action).encode())
                state = apply(state, legal.seat, action).state
    assert (policy.version, digest.hexdigest()[:16]) in PINNED


def test_every_version_on_offer_is_pinned() -> None:
    assert {policy.version for policy in POLICIES} == {version for version, _ in PINNED}
