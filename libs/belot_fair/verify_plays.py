"""The points that need the rules: ruleset, who got which positions when, every play, the score, and bots' choices.

The match is played again through `belot_engine`: cards come from the packs that the recipe makes, decisions from the
play log. Whatever the engine refuses is a failure of the proof.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from belot_engine.cards import side_of
from belot_engine.errors import EngineError
from belot_engine.events import Event
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.ruleset import OUT, UP_CARD, Ruleset, canonical_json, ruleset_from_json
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Action, CardNeed, Choose, Claim, Deal, LegalActions, MatchState, Pass, Play
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL, Hand, Opened, Seat, SeatKind
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog
from belot_fair.proof import Score
from belot_fair.recipe import bot_seed
from belot_fair.report import Point, failed, not_checked, proven
from belot_fair.story import Story

FINISHED = "finished"
TIMEOUT_LEVEL = "easy"
FALLBACK_LEVEL = "normal"
"""Whose policy decides where the bot of a seat does not answer in time, or its process is lost."""

_POINTS = ("ruleset", "hands", "plays", "score", "bots")
_HIDDEN_SEATS = {UP_CARD: SHOWN_TO_ALL, OUT: OUT_OF_PLAY}
_ACTIONS: dict[int, Callable[[bytes], Action]] = {
    ActionKind.PASS: lambda _: Pass(),
    ActionKind.ACCEPT: lambda _: Accept(),
    ActionKind.CHOOSE_SUIT: lambda argument: Choose(argument[0]),
    ActionKind.PLAY_CARD: lambda argument: Play(argument[0]),
    ActionKind.CLAIM: lambda _: Claim(),
    ActionKind.CLAIM_AGREED: lambda _: Claim(agreed=True),
}
_BROKEN = (EngineError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class BotTurn:
    """What a bot knew when it chose: the state with all other hands empty, the events it could see, its seed.

    `level` is `easy` and `policy` empty for a decision that the clock took in a person's place.
    """

    level: str
    policy: str
    seat: int
    seed: bytes
    state: MatchState
    legal: LegalActions
    seen: tuple[Event, ...]


BotPolicy = Callable[[BotTurn], Action | None]
"""Recomputes a bot's choice; None when this policy version is not known."""


class _Stopped(Exception):  # noqa: N818 - ends a replay, with the point that failed
    def __init__(self, point: str, why: str) -> None:
        super().__init__(why)
        self.point = point
        self.why = why


class _Replay:
    """A match being played again: the state so far, and what is left of the released hands."""

    __slots__ = ("bots", "hands", "packs", "policy", "seen", "state", "story", "unknown_bots")

    def __init__(self, story: Story, packs: Mapping[int, Sequence[int]], rules: Ruleset, policy: BotPolicy | None):
        self.story = story
        self.packs = packs
        self.policy = policy
        self.hands = list(reversed(story.hands))
        self.state = start(rules, story.opened.first_dealer)
        self.seen: list[Event] = []
        self.bots = 0
        self.unknown_bots = 0

    def deal(self) -> None:
        """Apply every hand that the rules ask for and the dealer released, as long as both do."""
        while self.hands and (need := needs(self.state)) is not None:
            issued = self.hands.pop()
            if issued != _expected(need):
                raise _Stopped("hands", f"hand {issued.hand}, stage {issued.stage}: not what the rules entitled to")
            pack = self.packs[need.hand_number]
            self._apply(Deal(tuple((at, pack[at]) for at, _ in need.places)), None)

    def decide(self, at: int, entry: Entry) -> None:
        """Apply one decision of the play log."""
        if needs(self.state) is not None:
            raise _Stopped("hands", f"decision {at} was taken on cards that the dealer had not released")
        if entry.hand != self.state.hand_number:
            raise _Stopped("plays", f"decision {at} names another hand than the one that is played")
        make = _ACTIONS.get(entry.action)
        if make is None:
            raise _Stopped("plays", f"decision {at} is of a kind that is not known here")
        if not 0 <= entry.seat < len(self.story.opened.seats):
            raise _Stopped("plays", f"decision {at} was taken at a seat that is not there")
        if not _may_decide(self.story.opened.seats[entry.seat], entry.actor):
            raise _Stopped("plays", f"decision {at} was taken by somebody who does not sit there")
        if entry.action == ActionKind.CLAIM_AGREED and not _could_be_agreed(self.story.opened, entry):
            raise _Stopped("plays", f"decision {at} is a claim that was agreed, with nobody there to agree")
        action = make(entry.argument)
        self._check_bot(at, entry, action)
        try:
            self._apply(action, entry.seat)
        except EngineError as refused:
            raise _Stopped("plays", f"decision {at} breaks the rules: {refused}") from None

    def _apply(self, action: Action, seat: int | None) -> None:
        applied = apply(self.state, seat, action)
        self.state = applied.state
        self.seen.extend(applied.events)

    def _check_bot(self, at: int, entry: Entry, action: Action) -> None:
        if self.policy is None or entry.actor.kind is ActorKind.PERSON or self.state.turn != entry.seat:
            return
        chosen = self.policy(self._turn(entry))
        if chosen is None:
            self.unknown_bots += 1
        elif chosen != action:
            raise _Stopped("bots", f"decision {at} is not what this bot chooses from its own view")
        else:
            self.bots += 1

    def _turn(self, entry: Entry) -> BotTurn:
        revealed, seat = self.story.revealed, entry.seat
        secret = b"" if revealed is None else bot_seed(revealed.server_seed, self.story.match_id, seat, entry.hand)
        legal = legal_actions(self.state)
        if legal is None:
            raise _Stopped("plays", "a decision was taken when nobody was to act")
        own = tuple(hand if at == seat else 0 for at, hand in enumerate(self.state.hands))
        seen = tuple(event for event in self.seen if event.seat in (None, seat))
        level = entry.actor.level or TIMEOUT_LEVEL
        return BotTurn(level, entry.actor.policy, seat, secret, replace(self.state, hands=own), legal, seen)


def check_plays(
    story: Story,
    packs: Mapping[int, Sequence[int]],
    log: PlayLog | None,
    score: Score,
    policy: BotPolicy | None,
) -> tuple[Point, ...]:
    """The points `ruleset`, `hands`, `plays`, `score` and `bots`; where the replay stops, the later ones say so."""
    if log is None:
        return tuple(not_checked(name, "There is no play log that can be read.") for name in _POINTS)
    try:
        rules = _ruleset(story)
        replay = _Replay(story, packs, rules, policy)
        _play_again(replay, log, packs)
        score_point = _score(replay.state, story, score)
    except _Stopped as stopped:
        return _stopped_points(stopped.point, stopped.why)
    except _BROKEN as broken:
        return _stopped_points("ruleset", f"the engine cannot play this match ({type(broken).__name__})")
    return (
        proven("ruleset", f"The bound JSON is the ruleset {rules.name} version {rules.version}, with its deal map."),
        proven("hands", f"{len(story.hands)} releases, each what the rules entitled to at its moment."),
        proven("plays", _plays_sentence(log)),
        score_point,
        _bots_point(replay, log),
    )


def _plays_sentence(log: PlayLog) -> str:
    agreed = sum(entry.action == ActionKind.CLAIM_AGREED for entry in log.entries)
    taken_on_trust = f" That the opponents agreed to {agreed} claims is the table's word." if agreed else ""
    return f"{len(log.entries)} decisions, all within the rules.{taken_on_trust}"


def _stopped_points(point: str, why: str) -> tuple[Point, ...]:
    sentence = f"The replay stopped: {why}."
    return tuple(
        failed(name, f"{why[:1].upper()}{why[1:]}.") if name == point else not_checked(name, sentence)
        for name in _POINTS
    )


def _play_again(replay: _Replay, log: PlayLog, packs: Mapping[int, Sequence[int]]) -> None:
    if replay.story.hands and not packs:
        raise _Stopped("hands", "there are no packs to deal from")
    replay.deal()
    for at, entry in enumerate(log.entries):
        replay.decide(at, entry)
        replay.deal()
    if replay.hands:
        raise _Stopped("hands", "cards left the dealer that no rule had asked for")


def _ruleset(story: Story) -> Ruleset:
    """The ruleset that was bound, when it is one of the known ones in its published form."""
    opened = story.opened
    try:
        rules = ruleset_from_json(opened.ruleset_json.decode("ascii"))
        known = resolve(rules.name, rules.seats, rules.pack, {})
    except EngineError as refused:
        raise _Stopped("ruleset", f"the bound ruleset is not known here: {refused}") from None
    bound = (opened.ruleset_name, opened.ruleset_version, opened.pack_size, len(opened.seats))
    if bound != (rules.name, rules.version, rules.pack, rules.seats):
        raise _Stopped("ruleset", "the bound JSON is of another ruleset, version, pack or number of seats")
    if canonical_json(rules).encode("ascii") != opened.ruleset_json:
        raise _Stopped("ruleset", "the bound JSON is not in its canonical form")
    if rules.deal_map != known.deal_map:
        raise _Stopped("ruleset", "the deal map is not the published one")
    if opened.sides != tuple(side_of(seat, rules.seats) for seat in range(rules.seats)):
        raise _Stopped("ruleset", "the sides are not those of this ruleset")
    return rules


def _expected(need: CardNeed) -> Hand:
    places = tuple((at, _HIDDEN_SEATS.get(seat, seat)) for at, seat in need.places)
    return Hand(need.hand_number, need.stage, places)


def _may_decide(seat: Seat, actor: Actor) -> bool:
    """At a bot's seat that bot or its fallback; at a person's that person, a bot in his place, or the clock."""
    if seat.kind is SeatKind.BOT:
        bound = Actor(ActorKind.BOT, b"", seat.bot_level, seat.bot_policy)
        return actor == (replace(bound, policy=actor.policy) if _fell_back(actor) else bound)
    return actor.kind is not ActorKind.PERSON or actor.participant == seat.participant


def _fell_back(actor: Actor) -> bool:
    """Whether a bot of another level was to decide, and did not answer in time."""
    return actor.level != FALLBACK_LEVEL and actor.policy.startswith(f"{FALLBACK_LEVEL}/")


def _could_be_agreed(opened: Opened, entry: Entry) -> bool:
    """A person claims and persons agree: whether they did is the word of the table, no matter of the cards."""
    own = opened.sides[entry.seat]
    others = [seat for seat, side in zip(opened.seats, opened.sides, strict=True) if side != own]
    return entry.actor.kind is ActorKind.PERSON and all(seat.kind is SeatKind.PERSON for seat in others)


def _score(state: MatchState, story: Story, score: Score) -> Point:
    ending = story.revealed.ending if story.revealed else ""
    if (state.result is not None) != (ending == FINISHED):
        return failed("score", "The plays and the reveal disagree on whether the match was finished.")
    if state.result is None:
        if score != Score(state.standing.totals, ending):
            return failed("score", "The recorded score is not what the plays came to before the match broke off.")
        return proven("score", f"{_totals(score)} when the match broke off; who is to blame is no matter of the cards.")
    if score != Score(state.result.totals, state.result.outcome.value):
        return failed("score", "The recorded score or outcome is not what the plays came to.")
    return proven("score", f"The plays come to {_totals(score)}, as recorded.")


def _totals(score: Score) -> str:
    return ":".join(map(str, score.totals))


def _bots_point(replay: _Replay, log: PlayLog) -> Point:
    due = sum(entry.actor.kind is not ActorKind.PERSON for entry in log.entries)
    if not due:
        return proven("bots", "Every decision was a person's.")
    if replay.policy is None:
        return not_checked("bots", f"{due} decisions of bots or the clock were not computed again here.")
    if replay.unknown_bots:
        return not_checked(
            "bots", f"{replay.unknown_bots} of {due} decisions come from a policy that is not known here."
        )
    fell_back = sum(_fell_back(entry.actor) for entry in log.entries)
    instead = (
        f" {fell_back} of them are {FALLBACK_LEVEL}'s, for a bot that did not answer in time." if fell_back else ""
    )
    return proven("bots", f"All {replay.bots} decisions of bots and the clock follow from their own views.{instead}")
