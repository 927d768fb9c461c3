"""What has been shown of the hands so far in a deal: it follows from the cards played, so no state has to carry it."""

from belot_engine.cards import BELA_MASK
from belot_engine.deal_end import dealt_hands
from belot_engine.events import Meld
from belot_engine.melds import full_run, recognised
from belot_engine.ruleset import Ruleset
from belot_engine.state import MatchState, Phase


def shown_melds(state: MatchState) -> tuple[Meld, ...]:
    """The melds that everybody has been shown; empty before they are, and where none counts."""
    ruleset, trump = state.ruleset, state.trump
    if not ruleset.melds or trump is None or not _play_began(state):
        return ()
    if ruleset.melds_shown == "after_first_trick" and not state.tricks and state.claim is None:
        return ()
    hands, first = dealt_hands(state), (state.dealer + 1) % state.seats
    if not state.tricks:
        run = full_run(ruleset, hands, first)
        if run is not None:
            return (run,)
    melds = recognised(ruleset, trump, hands, first)
    return () if melds is None else melds.melds


def announced_bela(state: MatchState) -> int | None:
    """The seat that has announced king and queen of trumps, None while nobody has; a claim announces them."""
    if state.trump is None:
        return None
    pair = BELA_MASK[state.trump]
    if state.claim is not None:
        return next((seat for seat, hand in enumerate(dealt_hands(state)) if hand & pair == pair), None)
    played = [0] * state.seats
    for leader, cards in _tricks(state):
        for place, card in enumerate(cards):
            if pair >> card & 1:
                played[(leader + place) % state.seats] |= 1 << card
    for seat, shown in enumerate(played):
        if shown and _announced(state.ruleset, shown, state.hands[seat] & pair, pair):
            return seat
    return None


def _announced(ruleset: Ruleset, played: int, held: int, pair: int) -> bool:
    return played == pair or (ruleset.bela_announced == "first" and played | held == pair)


def _tricks(state: MatchState) -> list[tuple[int, tuple[int, ...]]]:
    """Every trick of the deal with its leader, the one on the table included."""
    tricks = [(trick.leader, trick.cards) for trick in state.tricks]
    if state.trick and state.turn is not None:
        tricks.append(((state.turn - len(state.trick)) % state.seats, state.trick))
    return tricks


def _play_began(state: MatchState) -> bool:
    """Whether the hands are full or being played."""
    return state.phase in (Phase.PLAYING, Phase.FINISHED) or bool(state.tricks) or state.claim is not None
