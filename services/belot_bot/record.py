"""A proof file as the deals that were played: what an analysis starts from.

The match is played again through the engine, cards from the packs that the recipe makes, decisions from the play log.
Whether the file proves what it says is for `belot_fair.verify`; here it need only be playable.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from belot_engine.analysis import PlayedDeal
from belot_engine.errors import EngineError
from belot_engine.events import DealScored, Event
from belot_engine.match import apply, needs, start
from belot_engine.ruleset import Ruleset, ruleset_from_json
from belot_engine.state import Accept, Action, Choose, Claim, Deal, MatchState, Pass, Phase, Play
from belot_fair.bodies import Revealed
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, decode_play_log
from belot_fair.proof import read_proof
from belot_fair.recipe import shuffle
from belot_fair.story import Story, story_of
from belot_fair.transcript import check_order, decode_events

PERSON, AUTOMATIC = "person", "automatic"


class NotAnalysable(ValueError):  # noqa: N818 - says what cannot be done
    """A file that is no proof of a match that was played and revealed; the message says why, never the content."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand whose trumps were chosen and of which a card was played or claimed.

    ``numbers`` count the decisions of the match from 1, as its record does: one for each card, and one for a claim.
    ``deciders`` took them: `person`, `automatic` (the clock), or a bot's level. ``scores`` by side in the ruleset's
    unit, None for a hand that was not scored.
    """

    number: int
    dealer: int
    played: PlayedDeal
    numbers: tuple[int, ...]
    deciders: tuple[str, ...]
    scores: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match as it was played; hands that were passed out are left away."""

    match_id: str
    rules: Ruleset
    hands: tuple[HandRecord, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Step:
    """One decision and what followed from it, the dealing of cards included."""

    number: int
    entry: Entry
    before: MatchState
    events: tuple[Event, ...]


def read_record(octets: bytes) -> MatchRecord:
    """The deals of a proof file. Raises NotAnalysable."""
    try:
        proof = read_proof(octets)
        events = decode_events(proof.events)
        check_order(events)
        story = story_of(events)
        rules = ruleset_from_json(story.opened.ruleset_json.decode("ascii"))
        steps = tuple(_played_again(story, rules, decode_play_log(proof.play_log).entries))
    except EngineError as refused:
        raise NotAnalysable(f"the match cannot be played again: {refused}") from None
    except ValueError as refused:
        raise NotAnalysable(str(refused)) from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as broken:
        raise NotAnalysable(f"the match cannot be played again ({type(broken).__name__})") from None
    return MatchRecord(proof.match_id, rules, tuple(_hands(steps)))


def _played_again(story: Story, rules: Ruleset, entries: tuple[Entry, ...]) -> Iterator[_Step]:
    revealed, drawn = story.revealed, story.round_and_value
    if revealed is None:
        raise NotAnalysable("the server seed is not revealed yet")
    if drawn is None:
        return
    state, _ = _dealt(start(rules, story.opened.first_dealer), story, revealed, drawn)
    for number, entry in enumerate(entries, 1):
        before = state
        if entry.hand != before.hand_number:
            raise NotAnalysable(f"decision {number} names another hand than the one that is played")
        applied = apply(before, entry.seat, _action(entry))
        state, events = _dealt(applied.state, story, revealed, drawn)
        yield _Step(number, entry, before, (*applied.events, *events))


def _dealt(
    state: MatchState, story: Story, revealed: Revealed, drawn: tuple[int, bytes]
) -> tuple[MatchState, tuple[Event, ...]]:
    """The match once all cards that are due are dealt."""
    events: list[Event] = []
    while (need := needs(state)) is not None:
        seeds, size = story.client_seeds, story.opened.pack_size
        pack = shuffle(revealed.server_seed, need.hand_number, seeds, *drawn, size)
        applied = apply(state, None, Deal(tuple((at, pack[at]) for at, _ in need.places)))
        state = applied.state
        events += applied.events
    return state, tuple(events)


def _action(entry: Entry) -> Action:
    match entry.action:
        case ActionKind.PASS:
            return Pass()
        case ActionKind.ACCEPT:
            return Accept()
        case ActionKind.CHOOSE_SUIT:
            return Choose(entry.argument[0])
        case ActionKind.PLAY_CARD:
            return Play(entry.argument[0])
        case ActionKind.CLAIM | ActionKind.CLAIM_AGREED:
            return Claim(agreed=entry.action == ActionKind.CLAIM_AGREED)
        case _:
            raise NotAnalysable("there is a decision of a kind that is not known here")


def _hands(steps: tuple[_Step, ...]) -> Iterator[HandRecord]:
    for step in steps:
        if step.before.phase is Phase.PLAYING and not step.before.tricks and not step.before.trick:
            hand = step.before.hand_number
            yield _hand(step.before, [each for each in steps if each.entry.hand == hand and each.number >= step.number])


def _hand(opening: MatchState, steps: list[_Step]) -> HandRecord:
    """A hand from its first lead, or from the claim in place of it."""
    if opening.trump is None or opening.declarer is None or opening.turn is None:
        raise AssertionError("cards are played with a declarer and trumps")
    claim = next((each.entry for each in steps if each.entry.action != ActionKind.PLAY_CARD), None)
    sheets = [event.sheet for each in steps for event in each.events if isinstance(event, DealScored)]
    return HandRecord(
        number=opening.hand_number,
        dealer=opening.dealer,
        played=PlayedDeal(
            ruleset=opening.ruleset,
            trump=opening.trump,
            declarer=opening.declarer,
            hands=opening.hands,
            leader=opening.turn,
            cards=tuple(each.entry.argument[0] for each in steps if each.entry.action == ActionKind.PLAY_CARD),
            claimant=None if claim is None else claim.seat,
            agreed=claim is not None and claim.action == ActionKind.CLAIM_AGREED,
        ),
        numbers=tuple(each.number for each in steps),
        deciders=tuple(_decider(each.entry.actor) for each in steps),
        scores=sheets[0].scores if sheets else None,
    )


def _decider(actor: Actor) -> str:
    return {ActorKind.PERSON: PERSON, ActorKind.AUTOMATIC: AUTOMATIC}.get(actor.kind, actor.level)
