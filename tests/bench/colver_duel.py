"""hard against the search agent of a public engine, colver: the play of the cards on duplicate deals of ``classic``.

Development only. The normal bot bids for everybody; then one side's cards are played by a level of ours, the other's by
colver's agent, and the same deal again with sides changed. Rules differ in one point (who cannot overruff an opponent
may throw off in colver): where its agent does so, the normal bot plays for it, and that is counted.

    PYTHONPATH=tests .venv/bin/python -m bench.colver_duel --deals 600 --seed 7
"""

import argparse
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import colver

from belot_bot.arena import figure, pack_of
from belot_bot.policy import Policy, policy_of
from belot_bot.view import seat_view
from belot_engine.cards import side_of
from belot_engine.events import DealScored, LineKind, ScoreSheet
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.play import legal_mask
from belot_engine.rulesets import resolve
from belot_engine.state import Action, Deal, MatchState, Phase, Play
from differential.engines import Colver

SPEC: Final = '[bid]\nstrategy = "heuristic"\n[play]\nmethod = "isdd"\ntime_ms = {ms}\n[worlds]\nsource = "uniform"\n'
SEATS: Final = 4


@dataclass
class Tally:
    """What both have cost so far: decisions and CPU seconds, and how often colver played what is illegal here."""

    decisions: dict[str, int] = field(default_factory=lambda: {"ours": 0, "colver": 0})
    cpu_s: dict[str, float] = field(default_factory=lambda: {"ours": 0.0, "colver": 0.0})
    replaced: int = 0

    def add(self, who: str, began: float) -> None:
        """One decision more."""
        self.decisions[who] += 1
        self.cpu_s[who] += time.process_time() - began

    def line(self) -> str:
        """Milliseconds of CPU a decision with more than one legal card."""
        each = ", ".join(f"{who} {1000 * self.cpu_s[who] / max(1, self.decisions[who]):.1f} ms" for who in self.cpu_s)
        return f"CPU a decision: {each}; {self.replaced} cards of colver's replaced"


class Duel:
    """The play of one deal, by our level at one side and colver's agents at the other."""

    def __init__(self, policy: Policy, ours: int, ms: int, tally: Tally) -> None:
        """`ours` is the side that our level plays; colver thinks for `ms` a card."""
        self._policy = policy
        self._ours = ours
        self._ms = ms
        self._tally = tally
        self._table: Colver | None = None
        self._agents: dict[int, colver.Agent] = {}

    def choose(self, state: MatchState, seat: int, seed: bytes) -> Action:
        """What the seat does: bids are normal's, cards those of whoever plays the seat."""
        legal = legal_actions(state)
        assert legal is not None
        view = seat_view(state, legal)
        if state.phase is not Phase.PLAYING:
            return _named("normal").choose(view, seed)
        if self._table is None:
            self._sit(state)
        if side_of(seat, SEATS) != self._ours:
            return self._colvers(state, seat, seed)
        began = time.process_time()
        action = self._policy.choose(view, seed)
        if legal.cards & (legal.cards - 1):
            self._tally.add("ours", began)
        return action

    def played(self, card: int) -> None:
        """Everybody at colver's table sees the card."""
        assert self._table is not None
        for agent in self._agents.values():
            self._table.tell(agent, card)
        self._table.play(card)

    def _sit(self, state: MatchState) -> None:
        assert state.trump is not None
        assert state.declarer is not None
        self._table = Colver(state.hands, state.trump, state.dealer, state.declarer)
        for seat in range(SEATS):
            if side_of(seat, SEATS) != self._ours:
                self._agents[seat] = self._table.seated(SPEC.format(ms=self._ms), seat)

    def _colvers(self, state: MatchState, seat: int, seed: bytes) -> Action:
        assert self._table is not None
        assert state.trump is not None
        allowed = legal_mask(state.ruleset, state.trump, state.trick, state.hands[seat])
        if not allowed & (allowed - 1):
            return Play(allowed.bit_length() - 1)
        began = time.process_time()
        card = self._table.choice(self._agents[seat])
        self._tally.add("colver", began)
        if allowed >> card & 1:
            return Play(card)
        self._tally.replaced += 1
        legal = legal_actions(state)
        assert legal is not None
        return _named("normal").choose(seat_view(state, legal), seed)


def _named(level: str) -> Policy:
    policy = policy_of(level)
    if policy is None:
        raise SystemExit(f"there is no level {level}")
    return policy


def _played(duel: Duel, pack: Sequence[int], dealer: int, seed: bytes) -> ScoreSheet | None:
    """One deal; None when nobody took it."""
    seeds = [hashlib.sha256(seed + bytes((seat,))).digest() for seat in range(SEATS)]
    state = start(resolve("classic", SEATS, 32, {}), dealer)
    while state.hand_number == 0:
        need = needs(state)
        if need is not None:
            applied = apply(state, None, Deal(tuple((at, pack[at]) for at, _ in need.places)))
        else:
            assert state.turn is not None
            action = duel.choose(state, state.turn, seeds[state.turn])
            applied = apply(state, state.turn, action)
            if isinstance(action, Play):
                duel.played(action.card)
        for event in applied.events:
            if isinstance(event, DealScored):
                return event.sheet
        state = applied.state
    return None


def duplicate(policy: Policy, ms: int, seed: bytes, number: int, tally: Tally) -> float | None:
    """Card points of our level ahead of colver's agent, on average over both sides; None when nobody took the deal."""
    ahead = 0
    for ours in range(2):
        sheet = _played(Duel(policy, ours, ms, tally), pack_of(32, seed, number), number % SEATS, seed)
        if sheet is None:
            return None
        taken = [
            sum(line.values[side] for line in sheet.lines if line.kind in (LineKind.CARDS, LineKind.LAST_TRICK))
            for side in range(2)
        ]
        ahead += taken[ours] - taken[1 - ours]
    return ahead / 2


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.colver_duel", description=__doc__)
    parser.add_argument("--level", default="hard", help="of ours")
    parser.add_argument("--deals", type=int, default=100, help="duplicate deals")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--seed", type=int, default=7, help="of packs and bots")
    parser.add_argument("--ms", type=int, default=50, help="what colver may think for a card")
    arguments = parser.parse_args()
    seed, tally, found = hashlib.sha256(str(arguments.seed).encode()).digest(), Tally(), []
    for number in range(arguments.first, arguments.first + arguments.deals):
        ahead = duplicate(_named(arguments.level), arguments.ms, seed, number, tally)
        if ahead is not None:
            found.append(ahead)
        if len(found) > 1 and (number + 1) % 20 == 0:
            print(_verdict(arguments.level, found, tally), flush=True)
    print(f"seed {arguments.seed}, deals {arguments.first} to {number}: {_verdict(arguments.level, found, tally)}")


def _verdict(level: str, found: list[float], tally: Tally) -> str:
    return f"{level} is ahead by {figure(found)} card points. {tally.line()}"


if __name__ == "__main__":
    main()
