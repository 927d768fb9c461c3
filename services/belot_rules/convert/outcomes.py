"""What came of an action, and the published rulesets, as messages."""

import json
from typing import Final

from belot.rules.v1 import rules_pb2
from belot_engine.ruleset import ABOUT, KNOBS
from belot_engine.state import Applied, MatchState
from belot_rules.convert.events import fill_event
from belot_rules.convert.known import Known
from belot_rules.convert.writing import fill_next, fill_state

_TITLES: Final = {
    "club": "Belot Club",
    "bela": "Bela",
    "classic": "Classic belote",
    "announces": "Belote with announces",
}


def fill_started(message: rules_pb2.Applied, known: Known, state: MatchState) -> None:
    """A match before its first deal: nothing has happened."""
    fill_state(message.state, known, state)
    fill_next(message.next, state)


def fill_applied(message: rules_pb2.Applied, known: Known, before: MatchState, applied: Applied) -> None:
    """The state after an action, what happened and what is waited for; ``before`` is where the action was done.

    Written in place: a message put into another one is copied, and this is the hot path.
    """
    fill_state(message.state, known, applied.state)
    for event in applied.events:
        fill_event(message.events.add(), event, before)
    fill_next(message.next, applied.state)


def write_ruleset(known: Known) -> rules_pb2.Ruleset:
    """A ruleset with its knobs in words."""
    rules = known.ruleset
    return rules_pb2.Ruleset(
        ref=known.ref,
        title=f"{_TITLES.get(rules.name, rules.name)}, {rules.seats} players, {rules.pack} cards",
        seats=rules.seats,
        pack_size=rules.pack,
        sides=known.sides,
        json=known.json,
        knobs=[
            rules_pb2.Knob(
                name=knob,
                value=json.dumps(getattr(rules, knob), separators=(",", ":")),
                description=ABOUT[knob],
            )
            for knob in KNOBS[rules.version]
        ],
    )
