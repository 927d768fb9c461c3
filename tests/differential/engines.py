"""Two public engines as the tests see them: the same deal, card by card, in this engine's numbers.

Their packages are dependencies of development alone: belote-cli (module ``belote``) and colver.
"""

from collections.abc import Sequence
from dataclasses import replace

import colver
from belote import deck, game, scoring  # type: ignore[import-untyped]  # it has no type information

from belot_engine.cards import BELA_MASK, RANKS, cards_of, mask_of

#: Suits C D H S as each of them names or numbers its own.
_BELOTE_SUITS = (deck.Suit.CLUBS, deck.Suit.DIAMONDS, deck.Suit.HEARTS, deck.Suit.SPADES)
_COLVER_SUITS = (3, 2, 1, 0)
_COLVER_RANKS = "789JQKTA"

_BELOTE_CARD = tuple(
    deck.Card(suit, deck.Rank("10" if rank == "T" else rank)) for suit in _BELOTE_SUITS for rank in RANKS
)
_FROM_BELOTE = {card: number for number, card in enumerate(_BELOTE_CARD)}
_COLVER_CARD = tuple(8 * suit + _COLVER_RANKS.index(rank) for suit in _COLVER_SUITS for rank in RANKS)
_FROM_COLVER = {card: number for number, card in enumerate(_COLVER_CARD)}


class BeloteCli:
    """A deal in belote-cli: full hands (masks), a trump suit, the seat after the dealer to lead, and to have taken
    unless another one is named."""

    def __init__(self, hands: Sequence[int], trump: int, dealer: int, taker: int | None = None) -> None:
        pair = BELA_MASK[trump]
        belote = [game.Seat(seat) for seat, hand in enumerate(hands) if hand & pair == pair]
        leader = game.Seat((dealer + 1) % 4)
        cards = tuple(tuple(_BELOTE_CARD[card] for card in cards_of(hand)) for hand in hands)
        self._state = replace(
            game.new_game(),
            hands=cards,
            initial_hands=cards,
            trump=_BELOTE_SUITS[trump],
            contract=deck.Contract.NORMAL,
            dealer=game.Seat(dealer),
            leader=leader,
            turn=leader,
            taker=leader if taker is None else game.Seat(taker),
            belote_holders={_BELOTE_SUITS[trump]: belote[0]} if belote else {},
            phase=game.Phase.PLAYING,
        )

    def turn(self) -> int:
        """The seat to act."""
        return int(self._state.turn.value)

    def legal(self) -> int:
        """The mask of the cards that it allows now."""
        return mask_of(_FROM_BELOTE[card] for card in game.legal_cards(self._state, self._state.turn))

    def play(self, card: int) -> None:
        """Play a card that it allows."""
        self._state = game.play_card(self._state, _BELOTE_CARD[card])

    def points(self) -> tuple[int, int]:
        """Card points by side so far, with those for the last trick."""
        even, odd = self._state.current_round_points
        return int(even), int(odd)

    def scores(self) -> tuple[int, int, int]:
        """The scores of both sides once the deal is played, and what is held for the next one."""
        told = scoring.score_round(self._state)
        taken, defended = int(told.taker_total), int(told.defender_total)
        held = int(told.litige_points_awarded)
        return (taken, defended, held) if told.taker_team == 0 else (defended, taken, held)


def belote_cli_melds(hands: Sequence[int], trump: int) -> tuple[int, int]:
    """The meld points of both sides as belote-cli finds them where an exact tie counts for nobody."""
    found = {}
    for seat, hand in enumerate(hands):
        cards = tuple(_BELOTE_CARD[card] for card in cards_of(hand))
        runs, fours = scoring.detect_sequences(cards), scoring.detect_carres(cards)
        found[game.Seat(seat)] = {"sequences": runs, "carres": fours, "belote": False}
    told = scoring.resolve_declarations(found, _BELOTE_SUITS[trump])
    even = scoring.get_declaration_points([*told.ns_sequences, *told.ns_carres])
    odd = scoring.get_declaration_points([*told.ew_sequences, *told.ew_carres])
    return (int(even) if told.scoring_team == 0 else 0, int(odd) if told.scoring_team == 1 else 0)


class Colver:
    """A deal in colver: full hands (masks), a trump suit, the seat after the dealer to lead, and to have taken unless
    another one is named."""

    def __init__(self, hands: Sequence[int], trump: int, dealer: int, taker: int | None = None) -> None:
        self._env = colver.Env.deal_with_hands(dealer, [[_COLVER_CARD[card] for card in cards_of(h)] for h in hands])
        self._env.set_contract(_COLVER_SUITS[trump], 80, (dealer + 1 if taker is None else taker) % 2, 0)
        self._env.set_phase_playing()

    def seated(self, spec: str, seat: int) -> colver.Agent:
        """An agent of its own at a seat, before the first card; `spec` is in its TOML."""
        agent = colver.Agent(spec, seat, seed=seat)
        agent.init_deal(self._env)
        return agent

    def tell(self, agent: colver.Agent, card: int) -> None:
        """An agent sees a card that is about to be played, its own too."""
        agent.observe(self._env, _COLVER_CARD[card])

    def choice(self, agent: colver.Agent) -> int:
        """The card that an agent wants to play."""
        return _FROM_COLVER[agent.action(self._env)]

    def turn(self) -> int:
        """The seat to act."""
        return int(self._env.current_player())

    def legal(self) -> int:
        """The mask of the cards that it allows now."""
        return mask_of(_FROM_COLVER[card] for card in self._env.legal_actions())

    def play(self, card: int) -> None:
        """Play a card that it allows."""
        self._env.step(_COLVER_CARD[card])

    def points(self) -> tuple[int, int]:
        """Card points by side so far, with those for the last trick."""
        even, odd = self._env.get_points()
        return int(even), int(odd)

    def rollouts(self, number: int) -> tuple[float, float]:
        """Plays the deal out at random so many times in its own loop; its average result."""
        even, odd = self._env.rollout(number)
        return float(even), float(odd)
