"""Random matches through the engine's public functions, for tests and for measuring its speed."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from belot_engine.cards import CARDS, PACK_MASK, cards_of, mask_of, side_count
from belot_engine.deal_end import deal_outcome
from belot_engine.deal_map import hand_positions
from belot_engine.events import ScoreSheet
from belot_engine.kernel import Taken
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.notation import parse_cards
from belot_engine.play import legal_mask, trick_points, trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names
from belot_engine.scoring import fresh_standing, score_deal
from belot_engine.state import Accept, Action, Applied, Choose, Deal, MatchState, Pass, Phase, Play, Trick


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a match with what it led to; ``seat`` is None for the dealer's cards."""

    before: MatchState
    seat: int | None
    action: Action
    applied: Applied


def every_form() -> list[Ruleset]:
    """Each ruleset with each number of seats and pack, standard options."""
    return [resolve(name, form.seats, form.pack, {}) for name in ruleset_names() for form in forms_of(name)]


def shuffled(rng: random.Random, pack: int) -> tuple[int, ...]:
    """A pack in random order: position -> card."""
    cards = list(cards_of(PACK_MASK[pack]))
    rng.shuffle(cards)
    return tuple(cards)


def random_hands(ruleset: Ruleset, rng: random.Random) -> list[int]:
    """Full hands from a shuffled pack, a mask a seat."""
    pack, size = shuffled(rng, ruleset.pack), ruleset.hand_size
    return [mask_of(pack[seat * size : (seat + 1) * size]) for seat in range(ruleset.seats)]


def deal_from(state: MatchState, pack: Sequence[int]) -> Deal:
    """The cards that the match asks for now, out of a pack."""
    need = needs(state)
    if need is None:
        raise AssertionError("no cards are asked for")
    return Deal(tuple((position, pack[position]) for position, _ in need.places))


def random_action(state: MatchState, rng: random.Random) -> tuple[int, Action]:
    """The seat to act and one of the things it may do."""
    legal = legal_actions(state)
    if legal is None:
        raise AssertionError("nobody is to act")
    if legal.cards:
        return legal.seat, Play(_random_card(legal.cards, rng))
    choices: list[Action] = [Choose(suit) for suit in legal.suits]
    if legal.may_accept:
        choices.append(Accept())
    if legal.may_pass:
        choices.append(Pass())
    return legal.seat, choices[int(rng.random() * len(choices))]


def _random_card(mask: int, rng: random.Random) -> int:
    for _ in range(int(rng.random() * mask.bit_count())):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def steps(ruleset: Ruleset, rng: random.Random, first_dealer: int = 0) -> Iterator[Step]:
    """A whole match of random legal actions, one step at a time, each hand from a fresh pack."""
    state = start(ruleset, first_dealer)
    pack: tuple[int, ...] = ()
    while state.phase is not Phase.FINISHED:
        if state.phase is Phase.AWAITING_CARDS:
            pack = shuffled(rng, ruleset.pack) if state.deal_stage == 0 else pack
            action = deal_from(state, pack)
            applied = apply(state, None, action)
            yield Step(state, None, action, applied)
        else:
            seat, chosen = random_action(state, rng)
            applied = apply(state, seat, chosen)
            yield Step(state, seat, chosen, applied)
        state = applied.state


def random_playout(ruleset: Ruleset, rng: random.Random, first_dealer: int = 0) -> MatchState:
    """The last state of a whole match of random legal actions."""
    state = start(ruleset, first_dealer)
    while state.phase is not Phase.FINISHED:
        state = random_deal(state, rng)
    return state


def random_deal(state: MatchState, rng: random.Random) -> MatchState:
    """The state after one more hand of random legal actions."""
    hand, pack = state.hand_number, shuffled(rng, state.ruleset.pack)
    while state.hand_number == hand and state.phase is not Phase.FINISHED:
        if state.phase is Phase.AWAITING_CARDS:
            state = apply(state, None, deal_from(state, pack)).state
        else:
            seat, action = random_action(state, rng)
            state = apply(state, seat, action).state
    return state


def pack_of_hands(ruleset: Ruleset, dealer: int, declarer: int, hands: Sequence[str]) -> tuple[int, ...]:
    """A pack that deals these hands when that seat declares; each hand is written in the order of dealing.

    Hands left empty, and cards left out of play, are filled with what remains, in ascending order.
    """
    positions = hand_positions(ruleset, dealer, declarer)
    pack: dict[int, int] = {}
    for places, text in zip(positions, hands, strict=True):
        pack.update(zip(places, parse_cards(text), strict=False))
    rest = iter(cards_of(PACK_MASK[ruleset.pack] & ~mask_of(pack.values())))
    return tuple(pack[position] if position in pack else next(rest) for position in range(ruleset.pack))


def to_play(ruleset: Ruleset, pack: Sequence[int], words: Sequence[Action], first_dealer: int = 0) -> Applied:
    """The step that ends the dealing of hand 0 after these words of the auction, ready for the first lead."""
    state = apply(start(ruleset, first_dealer), None, deal_from(start(ruleset, first_dealer), pack)).state
    for word in words:
        state = apply(state, state.turn, word).state
    return apply(state, None, deal_from(state, pack))


@lru_cache(maxsize=64)
def _places(name: str, seats: int, pack: int, declarer: int) -> tuple[tuple[int, ...], ...]:
    """Each seat's positions when seat 0 deals."""
    return hand_positions(resolve(name, seats, pack, {}), 0, declarer)


def quick_deal(ruleset: Ruleset, rng: random.Random) -> ScoreSheet:
    """One deal of random legal cards through the functions of the rules alone, without states and events.

    A random seat declares a random suit; the deal map, legality, tricks, melds and score are the engine's.
    """
    keys, seats = [rng.random() for _ in range(CARDS)], ruleset.seats
    pack = sorted(cards_of(PACK_MASK[ruleset.pack]), key=keys.__getitem__)
    declarer, trump, chances = int(rng.random() * seats), int(rng.random() * 4), iter(rng.randbytes(CARDS))
    places = _places(ruleset.name, seats, ruleset.pack, declarer)
    dealt = tuple([mask_of([pack[place] for place in hand]) for hand in places])
    hands, leader, tricks = list(dealt), 1 % seats, []
    for _ in range(ruleset.hand_size):
        trick: tuple[int, ...] = ()
        for place in range(seats):
            seat = (leader + place) % seats
            card = chosen_card(legal_mask(ruleset, trump, trick, hands[seat]), next(chances))
            hands[seat] ^= 1 << card
            trick = (*trick, card)
        winner = (leader + trick_winner(trump, trick)) % seats
        tricks.append(Trick(leader, trick, winner))
        leader = winner
    outcome = deal_outcome(ruleset, 0, declarer, trump, tuple(tricks), dealt)
    return score_deal(ruleset, fresh_standing(ruleset, side_count(seats)), 0, trump, outcome)


def chosen_card(mask: int, chance: int) -> int:
    """The card of a mask that a byte of chance picks, each about equally likely: the kernel's way of choosing."""
    for _ in range(chance * mask.bit_count() >> 8):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def slow_playout(
    ruleset: Ruleset, trump: int, hands: Sequence[int], turn: int, trick: Sequence[int], chance: bytes
) -> Taken:
    """The kernel's play-out card for card, through the public functions."""
    seats, left, chances, cards = ruleset.seats, list(hands), iter(chance), tuple(trick)
    points, tricks = [0] * seats, [0] * seats
    while any(left):
        card = chosen_card(legal_mask(ruleset, trump, cards, left[turn]), next(chances))
        left[turn] ^= 1 << card
        cards, turn = (*cards, card), (turn + 1) % seats
        if len(cards) == seats:
            turn = (turn + trick_winner(trump, cards)) % seats
            points[turn] += trick_points(trump, cards) + (0 if any(left) else ruleset.last_trick)
            tricks[turn] += 1
            cards = ()
    return Taken(tuple(points), tuple(tricks))
