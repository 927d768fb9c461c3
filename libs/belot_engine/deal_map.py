"""From positions of the pack to hands: who gets which position, at which stage.

Position 0 is dealt first. Packets go to the seat after the dealer first and on in ascending order; the card
turned up is the next position after the first packets; the last cards follow in the same order, one packet a
seat, one card fewer for the declarer where the card turned up is his. What is over stays out of play.
"""

from functools import lru_cache

from belot_engine.ruleset import OUT, UP_CARD, Place, Ruleset

#: Stages: before the auction, after it, and when the deal ends and the cards left out are shown.
FIRST_STAGE, LAST_STAGE, OUT_STAGE = 0, 1, 2


def build_deal_map(
    seats: int, pack: int, packets: tuple[int, ...], turned_up: bool, hand_size: int
) -> tuple[tuple[Place, ...], ...]:
    """The map of a ruleset, one list of places for each declarer (both seats counted from the dealer)."""
    return tuple(_places(seats, pack, packets, turned_up, hand_size, declarer) for declarer in range(seats))


def _places(
    seats: int, pack: int, packets: tuple[int, ...], turned_up: bool, hand_size: int, declarer: int
) -> tuple[Place, ...]:
    turn = [*range(1, seats), 0]
    owners = [(seat, FIRST_STAGE) for size in packets for seat in turn for _ in range(size)]
    if turned_up:
        owners.append((UP_CARD, FIRST_STAGE))
    for seat in turn:
        due = hand_size - sum(packets) - (turned_up and seat == declarer)
        owners += [(seat, LAST_STAGE)] * due
    owners += [(OUT, OUT_STAGE)] * (pack - len(owners))
    return tuple((position, seat, stage) for position, (seat, stage) in enumerate(owners))


@lru_cache(maxsize=4096)
def stage_places(
    deal_map: tuple[tuple[Place, ...], ...], dealer: int, declarer: int | None, stage: int
) -> tuple[tuple[int, int], ...]:
    """The (position, seat) pairs dealt at a stage, in order; before the auction the declarer is None."""
    seats = len(deal_map)
    offset = 0 if declarer is None else (declarer - dealer) % seats
    return tuple(
        (position, seat if seat < 0 else (dealer + seat) % seats)
        for position, seat, place_stage in deal_map[offset]
        if place_stage == stage
    )


def stage_count(ruleset: Ruleset) -> int:
    """How many stages a deal has: three where cards stay out of play, else two."""
    return 1 + ruleset.deal_map[0][-1][2]


def hand_positions(ruleset: Ruleset, dealer: int, declarer: int) -> tuple[tuple[int, ...], ...]:
    """Each seat's positions in the order in which it gets them; the card turned up comes with the auction's end."""
    hands: list[list[int]] = [[] for _ in range(ruleset.seats)]
    for stage in (FIRST_STAGE, LAST_STAGE):
        for position, seat in stage_places(ruleset.deal_map, dealer, declarer, stage):
            if seat != OUT:
                hands[declarer if seat == UP_CARD else seat].append(position)
    return tuple(tuple(hand) for hand in hands)


def up_position(ruleset: Ruleset) -> int | None:
    """Position of the card turned up, None where there is none."""
    return next((position for position, seat, _ in ruleset.deal_map[0] if seat == UP_CARD), None)


def out_positions(ruleset: Ruleset) -> tuple[int, ...]:
    """Positions that stay out of play."""
    return tuple(position for position, seat, _ in ruleset.deal_map[0] if seat == OUT)
