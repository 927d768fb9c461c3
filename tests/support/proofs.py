"""Whole matches made for tests: a dealer, a table and players in one place, and the proof file that comes of it.

The dealer is played honestly; `tampered` then changes what a test wants changed and signs everything again, as a
cheating operator would.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from belot_engine.cards import cards_of, side_of
from belot_engine.claims import is_certain
from belot_engine.inference import seen_by
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.ruleset import OUT, UP_CARD, Ruleset, canonical_json
from belot_engine.rulesets import resolve
from belot_engine.state import (
    Accept,
    Action,
    CardNeed,
    Choose,
    Claim,
    Deal,
    LegalActions,
    MatchState,
    Pass,
    Phase,
    Play,
)
from belot_fair.bodies import (
    OUT_OF_PLAY,
    SHOWN_TO_ALL,
    Beacon,
    Body,
    Fallback,
    Hand,
    Opened,
    Revealed,
    RoundChosen,
    Seat,
    SeatKind,
    SeatSeed,
    Seeds,
    SeedState,
)
from belot_fair.drand import QUICKNET, BeaconKey, Chain, development_chain, time_of, verify
from belot_fair.evidence import Evidence, LearntBeacon, LearntCommitment, LearntRound
from belot_fair.keys import SigningKey
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog, play_log_hash
from belot_fair.proof import Proof, Score
from belot_fair.receipts import HandReceipt, SeedReceipt, SignedReceipt, sign_receipt
from belot_fair.recipe import RECIPE, commitment, shuffle
from belot_fair.report import Report, Verdict
from belot_fair.transcript import Event, SignedEvent, close_seeds, first_event, next_event, sign

DEALER_KEY = SigningKey(b"the dealer's own key in the test")
SERVER_SEED = bytes(range(100, 132))
BEACON_KEY = BeaconKey(b"beacon of the tests")
DEVELOPMENT = development_chain(BEACON_KEY, genesis=1_790_000_000)
_VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "drand_quicknet.json").read_text())["vectors"]
_REAL = _VECTORS[-1]
_HIDDEN = {UP_CARD: SHOWN_TO_ALL, OUT: OUT_OF_PLAY}

Policy = Callable[[MatchState, LegalActions], Action]


@dataclass(frozen=True, slots=True)
class Plan:
    """What kind of match is made: ruleset and options, who sits there, which chain, where it breaks off.

    Everybody passes in the first `passed_out` hands, as long as he may. With `claims` persons claim the remaining
    tricks where that is certain, and in every second hand agree to a claim after the third trick.
    """

    ruleset: str = "classic"
    seats: int = 4
    pack: int = 32
    options: tuple[tuple[str, str], ...] = (("deals", "2"),)
    bots: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    development: bool = False
    fallback: bool = False
    most_decisions: int | None = None
    passed_out: int = 0
    seed: int = 1
    claims: bool = False

    @property
    def rules(self) -> Ruleset:
        """The ruleset value."""
        return resolve(self.ruleset, self.seats, self.pack, dict(self.options))

    @property
    def chain(self) -> Chain:
        """The beacon chain."""
        return DEVELOPMENT if self.development else QUICKNET


@dataclass(slots=True)
class Match:
    """A match under way: its events, its play log, and the receipts that seat 0 was given."""

    plan: Plan
    events: list[Event] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    receipts: list[SignedReceipt] = field(default_factory=list)
    state: MatchState | None = None

    @property
    def match_id(self) -> str:
        """One id for all."""
        return "match-of-the-tests"

    def say(self, body: Body, time_ms: int) -> Event:
        """Append an event."""
        self.events.append(next_event(self.events[-1], body, time_ms))
        return self.events[-1]


def participant(seat: int) -> bytes:
    """The random id of a seat, not so random here."""
    return sha256(b"participant %d" % seat).digest()[:16]


def client_seed(seat: int) -> bytes:
    """What the client of a seat drew."""
    return sha256(b"seed %d" % seat).digest()[:16]


def _signature(plan: Plan) -> tuple[int, bytes]:
    if plan.development:
        return 100, BEACON_KEY.sign(100)
    return int(_REAL["round"]), bytes.fromhex(_REAL["signature"])


def _seat(plan: Plan, seat: int) -> Seat:
    if seat in plan.bots:
        return Seat(participant(seat), SeatKind.BOT, "easy", "1")
    return Seat(participant(seat))


def _seat_seed(plan: Plan, seat: int) -> SeatSeed:
    if seat in plan.bots:
        return SeatSeed(SeedState.BOT)
    if seat in plan.missed:
        return SeatSeed(SeedState.MISSED)
    return SeatSeed(SeedState.GIVEN, client_seed(seat))


def opened_of(plan: Plan, seed_deadline_ms: int) -> Opened:
    """The opening of a planned match."""
    text = canonical_json(plan.rules).encode("ascii")
    return Opened(
        recipe=RECIPE,
        commitment=commitment(SERVER_SEED),
        seats=tuple(_seat(plan, seat) for seat in range(plan.seats)),
        sides=tuple(side_of(seat, plan.seats) for seat in range(plan.seats)),
        first_dealer=0,
        ruleset_name=plan.rules.name,
        ruleset_version=plan.rules.version,
        ruleset_hash=sha256(text).digest(),
        ruleset_json=text,
        pack_size=plan.pack,
        chain_hash=plan.chain.chain_hash,
        chain_name=plan.chain.beacon_id,
        seed_deadline_ms=seed_deadline_ms,
    )


def _open(match: Match) -> tuple[int, bytes]:
    """Everything before the first card; gives the round and value of the recipe."""
    plan = match.plan
    round, signature = _signature(plan)
    due = time_of(plan.chain, round)
    close = due - 1_500
    match.events.append(first_event(match.match_id, opened_of(plan, close - 1), close - 10_000))
    seeds = Seeds(tuple(_seat_seed(plan, seat) for seat in range(plan.seats)))
    closed, chosen = close_seeds(match.events[-1], seeds, plan.chain, 0, close)
    assert isinstance(chosen.body, RoundChosen)
    match.events += [closed, chosen]
    if plan.fallback:
        match.say(Fallback(chosen.body.round), time_of(plan.chain, chosen.body.round) + 5_000)
        return 0, bytes(32)
    assert chosen.body.round == round
    value = verify(plan.chain, round, signature)
    match.say(Beacon(round, signature, value), due + 400)
    return round, value


def random_policy(seed: int) -> Policy:
    """Any legal action, drawn from a seed."""
    drawn = random.Random(seed)

    def choose(_state: MatchState, legal: LegalActions) -> Action:
        choices: list[Action] = [Play(card) for card in cards_of(legal.cards)]
        choices += [Pass()] * legal.may_pass + [Accept()] * legal.may_accept + [Choose(suit) for suit in legal.suits]
        return drawn.choice(choices)

    return choose


def lowest(_state: MatchState, legal: LegalActions) -> Action:
    """What the bots of these tests do: pass if they may, else the first thing allowed."""
    if legal.cards:
        return Play(cards_of(legal.cards)[0])
    if legal.may_pass:
        return Pass()
    return Accept() if legal.may_accept else Choose(legal.suits[0])


def _claim(plan: Plan, state: MatchState, seat: int) -> Claim | None:
    if not plan.claims or state.phase is not Phase.PLAYING or state.trick or seat in plan.bots:
        return None
    if state.hand_number % 2 and len(state.tricks) == 3 and not plan.bots:
        return Claim(agreed=True)
    return Claim() if is_certain(seen_by(state, seat)) else None


def _logged(action: Action) -> tuple[ActionKind, bytes]:
    match action:
        case Play(card):
            return ActionKind.PLAY_CARD, bytes((card,))
        case Choose(suit):
            return ActionKind.CHOOSE_SUIT, bytes((suit,))
        case Accept():
            return ActionKind.ACCEPT, b""
        case Claim(agreed):
            return ActionKind.CLAIM_AGREED if agreed else ActionKind.CLAIM, b""
        case _:
            return ActionKind.PASS, b""


def _actor(plan: Plan, seat: int) -> Actor:
    if seat in plan.bots:
        return Actor(ActorKind.BOT, level="easy", policy="1")
    return Actor(ActorKind.PERSON, participant(seat))


def _release(match: Match, need: CardNeed, pack: Sequence[int], time_ms: int) -> Deal:
    places = tuple((at, _HIDDEN.get(seat, seat)) for at, seat in need.places)
    match.say(Hand(need.hand_number, need.stage, places), time_ms)
    own = tuple((at, pack[at]) for at, seat in need.places if seat == 0)
    if own:
        receipt = HandReceipt(match.match_id, need.hand_number, need.stage, 0, own, time_ms)
        match.receipts.append(sign_receipt(receipt, DEALER_KEY))
    return Deal(tuple((at, pack[at]) for at, _ in need.places))


def _play(match: Match, round: int, value: bytes) -> MatchState:
    plan, now = match.plan, match.events[-1].time_ms
    seeds = tuple(_seat_seed(plan, seat).seed for seat in range(plan.seats))
    people = random_policy(plan.seed)
    state = start(plan.rules, 0)
    while state.result is None:
        now += 1_000
        need = needs(state)
        if need is not None:
            pack = shuffle(SERVER_SEED, need.hand_number, seeds, round, value, plan.pack)
            state = apply(state, None, _release(match, need, pack, now)).state
            continue
        if len(match.entries) == plan.most_decisions:
            break
        legal = legal_actions(state)
        assert legal is not None
        shy = state.hand_number < plan.passed_out
        chosen = (lowest if legal.seat in plan.bots or shy else people)(state, legal)
        action = _claim(plan, state, legal.seat) or chosen
        actor, (kind, argument) = _actor(plan, legal.seat), _logged(action)
        match.entries.append(Entry(state.hand_number, legal.seat, actor, kind, argument, now))
        state = apply(state, legal.seat, action).state
    return state


def played(plan: Plan) -> Match:
    """A whole match with its reveal."""
    match = Match(plan)
    round, value = _open(match)
    match.state = _play(match, round, value)
    ending = "finished" if match.state.result else "abandoned"
    log = PlayLog(match.match_id, tuple(match.entries))
    match.say(Revealed(SERVER_SEED, play_log_hash(log), ending), match.events[-1].time_ms + 60_000)
    return match


def proof_of(match: Match) -> Proof:
    """The proof file's content of a match that was played."""
    assert match.state is not None
    result, standing = match.state.result, match.state.standing
    score = Score(result.totals, result.outcome.value) if result else Score(standing.totals, "abandoned")
    return Proof(
        match_id=match.match_id,
        events=tuple(sign(event, DEALER_KEY) for event in match.events),
        public_keys=(DEALER_KEY.public_key,),
        chain=match.plan.chain,
        play_log=PlayLog(match.match_id, tuple(match.entries)).encode(),
        score=score,
    )


def signed_again(events: Sequence[Event]) -> tuple[SignedEvent, ...]:
    """Events whose bodies or times were changed, chained and signed anew in their order."""
    chained: list[Event] = []
    for at, event in enumerate(events):
        previous = sha256(chained[-1].encode()).digest() if chained else bytes(32)
        chained.append(replace(event, sequence=at, previous_hash=previous))
    return tuple(sign(event, DEALER_KEY) for event in chained)


def tampered(match: Match, change: Callable[[Event], Event | None]) -> Proof:
    """The proof of a dealer who changes events (None leaves one out) and signs everything again."""
    changed = [after for event in match.events if (after := change(event)) is not None]
    return replace(proof_of(match), events=signed_again(changed))


def with_log(match: Match, entries: Sequence[Entry]) -> Proof:
    """The proof of a dealer who changes the play log and binds the changed one in the reveal."""
    log = PlayLog(match.match_id, tuple(entries))

    def bind(event: Event) -> Event:
        body = event.body
        return (
            replace(event, body=replace(body, play_log_hash=play_log_hash(log)))
            if isinstance(body, Revealed)
            else event
        )

    return replace(tampered(match, bind), play_log=log.encode())


def evidence_of(match: Match) -> Evidence:
    """What the client of seat 0 kept of an honest match that it watched in time."""
    plan, events = match.plan, match.events
    chosen = next(event for event in events if isinstance(event.body, RoundChosen))
    assert isinstance(chosen.body, RoundChosen)
    round, signature = _signature(plan)
    seed = SeedReceipt(match.match_id, 0, client_seed(0), commitment(SERVER_SEED), chosen.time_ms - 100)
    return Evidence(
        match_id=match.match_id,
        seat=0,
        commitment=LearntCommitment(commitment(SERVER_SEED), events[0].time_ms + 50),
        seed=client_seed(0),
        seed_receipt=sign_receipt(seed, DEALER_KEY),
        round=LearntRound(chosen.body.round, chosen.time_ms + 50),
        beacon=None if plan.fallback else LearntBeacon(round, signature, chosen.time_ms + 2_000),
        hand_receipts=tuple(match.receipts),
        public_keys=(DEALER_KEY.public_key,),
    )


def replace_events(match: Match, events: list[Event]) -> Match:
    """The match with other events; the rest as it was."""
    return Match(match.plan, events, match.entries, match.receipts, match.state)


def editing(kind: type, change: Callable[[Body], Body]) -> Callable[[Event], Event]:
    """A change of every event of one kind."""
    return lambda event: replace(event, body=change(event.body)) if isinstance(event.body, kind) else event


def verdicts(report: Report) -> dict[str, Verdict]:
    """The verdict of every point by its name."""
    return {point.name: point.verdict for point in report.points}
