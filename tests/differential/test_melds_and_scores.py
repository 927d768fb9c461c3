"""belote-cli against ``announces``: melds and scores of random deals, each deliberate difference by its rule."""

import random

from belot_engine.cards import BELA_MASK, side_of
from belot_engine.deal_end import deal_outcome
from belot_engine.events import Contract
from belot_engine.given import melds_given
from belot_engine.melds import melds_of
from belot_engine.notation import hand_text
from belot_engine.play import legal_mask, trick_winner
from belot_engine.rulesets import resolve
from belot_engine.scoring import fresh_standing, score_deal
from belot_engine.state import Trick
from differential.engines import BeloteCli, belote_cli_melds
from support.playouts import chosen_card, random_hands

_RULES = resolve("announces", 4, 32, {})


def _has_worthless_four(hands: list[int]) -> bool:
    """Four sevens or eights: worth nothing here and so no meld, a four that beats every run in belote-cli."""
    return any(hand & 0x01010101 << rank == 0x01010101 << rank for hand in hands for rank in (0, 1))


def _level_melds(hands: list[int], trump: int) -> bool:
    """Fully equal best melds: nobody's here, the earlier one's from the taker in belote-cli when it scores."""
    counted = melds_given(_RULES, trump, hands, 0).counted
    return not counted and any(melds_of(_RULES, seat, hand) for seat, hand in enumerate(hands))


def test_ten_thousand_deals_have_the_same_melds() -> None:
    rng, paid, meant = random.Random(20), 0, 0
    for _ in range(10_000):
        hands, trump = random_hands(_RULES, rng), rng.randrange(4)
        points = melds_given(_RULES, trump, hands, 0).points
        if _has_worthless_four(hands):
            meant += 1
            continue
        assert points == belote_cli_melds(hands, trump), [hand_text(hand) for hand in hands]
        paid += any(points)
    assert paid > 3000
    assert meant < 300


def test_a_thousand_deals_have_the_same_scores() -> None:
    rng, compared, contracts = random.Random(21), 0, set()
    while compared < 1000:
        hands, trump, dealer, declarer = random_hands(_RULES, rng), rng.randrange(4), rng.randrange(4), rng.randrange(4)
        if _has_worthless_four(hands) or _level_melds(hands, trump):
            continue
        other, tricks = BeloteCli(hands, trump, dealer, declarer), _played(hands, trump, dealer, rng)
        for trick in tricks:
            for card in trick.cards:
                other.play(card)
        outcome = deal_outcome(_RULES, dealer, declarer, trump, tricks, tuple(hands))
        sheet = score_deal(_RULES, fresh_standing(_RULES, 2), 0, trump, outcome)
        contracts.add(sheet.contract)
        if _belote_decides(outcome.points, outcome.melds, outcome.bela, side_of(declarer, 4)):
            continue
        compared += 1
        assert (*sheet.scores, sheet.held) == other.scores(), [hand_text(hand) for hand in hands]
    assert contracts >= {Contract.MADE, Contract.FAILED}


def _belote_decides(points: tuple[int, ...], melds: tuple[int, ...], bela: tuple[int, ...], takers: int) -> bool:
    """Belote is counted in the comparison here and not in belote-cli: whether that makes another contract of it."""

    def margin(belote: int) -> int:
        totals = [points[side] + melds[side] + belote * bela[side] for side in range(2)]
        difference = totals[takers] - totals[1 - takers]
        return (difference > 0) - (difference < 0)

    return margin(0) != margin(1)


def _played(hands: list[int], trump: int, dealer: int, rng: random.Random) -> tuple[Trick, ...]:
    """All the tricks of a deal of random legal cards."""
    left, leader, tricks = list(hands), (dealer + 1) % 4, []
    for _ in range(8):
        cards: tuple[int, ...] = ()
        for place in range(4):
            seat = (leader + place) % 4
            card = chosen_card(legal_mask(_RULES, trump, cards, left[seat]), rng.randrange(256))
            left[seat] ^= 1 << card
            cards = (*cards, card)
        winner = (leader + trick_winner(trump, cards)) % 4
        tricks.append(Trick(leader, cards, winner))
        leader = winner
    return tuple(tricks)


def test_the_deliberate_differences_are_what_they_are_said_to_be() -> None:
    pair = BELA_MASK[0]
    assert _belote_decides((71, 91), (0, 0), (20, 0), 0)
    assert not _belote_decides((100, 62), (0, 0), (20, 0), 0)
    assert not _has_worthless_four([pair, 0, 0, 0])
    assert _has_worthless_four([0x02020202, 0, 0, 0])
