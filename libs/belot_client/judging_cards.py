"""Cards: hands in order and by the deal map, receipts as they come, and every sight of a card in the end. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from belot_client.witness import Dealt, Shown, Witness
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL, Hand, Opened
from belot_fair.octets import Malformed
from belot_fair.receipts import HandReceipt, SignedReceipt, receipt_holds
from belot_fair.report import Point, failed, not_checked, not_protected, proven
from belot_fair.story import Story

Packs = Mapping[int, Sequence[int]]
Place = tuple[int, int]
"""(position in the pack, who got its card)."""
_HIDDEN: Final = {-1: SHOWN_TO_ALL, -2: OUT_OF_PLAY}


def check_hands(story: Story, witness: Witness) -> Point:
    """Hands come without a gap, each dealt by the seat whose turn it is, to the seats that the deal map names."""
    name, opened = "hands", story.opened
    if not story.hands:
        return not_checked(name, "No card has left the dealer yet.")
    for number, seat in witness.dealers:
        bound = (opened.first_dealer + number) % len(opened.seats)
        if seat != bound:
            return failed(
                name, f"Seat {seat} deals hand {number}; by the first dealer that was bound it is seat {bound}."
            )
    rows = _deal_map(opened)
    if rows is None:
        return not_checked(name, "The bound ruleset has no deal map that can be read here.")
    declarers = dict(witness.declarers)
    last: Hand | None = None
    for hand in story.hands:
        wrong = _gap(last, hand) or _wrong_places(opened, rows, hand, declarers.get(hand.hand))
        if wrong:
            return failed(name, wrong)
        last = hand
    hands = story.hands[-1].hand + 1
    return proven(name, f"Hands 0 to {hands - 1}, none left out, each card to the seat that the deal map names.")


def _gap(last: Hand | None, hand: Hand) -> str:
    """What is left out between two releases; empty when nothing is. The next hand may come at any stage of the last."""
    due = 0 if last is None else last.hand + 1
    if (hand.hand, hand.stage) == (due, 0) or (last and (hand.hand, hand.stage) == (last.hand, last.stage + 1)):
        return ""
    if hand.hand > due:
        return f"Hand {hand.hand} was dealt where hand {due} was due: a pack was skipped."
    return f"Hand {hand.hand}, stage {hand.stage} was dealt out of turn."


def _deal_map(opened: Opened) -> list[list[list[int]]] | None:
    try:
        rows = json.loads(opened.ruleset_json)["deal_map"]
        [[at, seat, stage] for row in rows for at, seat, stage in row]
    except (ValueError, KeyError, TypeError):
        return None
    found: list[list[list[int]]] = rows
    return found if len(found) == len(opened.seats) else None


def _wrong_places(opened: Opened, rows: list[list[list[int]]], hand: Hand, declarer: int | None) -> str:
    """What is wrong with a release; empty when nothing is. Without a declarer any row of the map will do."""
    seats = len(opened.seats)
    bound = (opened.first_dealer + hand.hand) % seats

    def fits(dealer: int) -> bool:
        told = rows if declarer is None else [rows[(declarer - dealer) % seats]]
        return any(_places(row, hand.stage, dealer, seats) == hand.positions for row in told)

    if fits(bound):
        return ""
    head = f"Hand {hand.hand}, stage {hand.stage}"
    for dealer in range(seats):
        if fits(dealer):
            return f"{head}: dealt as if seat {dealer} were the dealer; by what was bound it is seat {bound}."
    return f"{head}: cards went to other seats than the deal map names."


def _places(row: Sequence[Sequence[int]], stage: int, dealer: int, seats: int) -> tuple[Place, ...]:
    return tuple((at, _HIDDEN.get(seat, (seat + dealer) % seats)) for at, seat, of_stage in row if of_stage == stage)


def check_hand_receipts(witness: Witness, story: Story, keys: Mapping[str, bytes]) -> Point:
    """As long as no pack is known: the dealer signed for the very cards that came, from the positions it released."""
    name, signed = "witness hands", {}
    for each in witness.hand_receipts:
        receipt = _held(each, keys)
        if receipt is None or (receipt.match_id, receipt.seat) != (witness.match_id, witness.seat):
            return failed(name, "A receipt for a hand does not hold, or is for something else.")
        if tuple(at for at, _ in receipt.cards) != _released(story, receipt.hand, receipt.stage, receipt.seat):
            return failed(name, f"Hand {receipt.hand}: the receipt names other positions than the transcript.")
        signed[receipt.hand, receipt.stage] = tuple(card for _, card in receipt.cards)
    for dealt in witness.dealt:
        if (dealt.hand, dealt.stage) not in signed:
            return failed(name, f"Hand {dealt.hand}, stage {dealt.stage}: the dealer signed no receipt for its cards.")
        if dealt.cards != signed[dealt.hand, dealt.stage]:
            return failed(name, f"Hand {dealt.hand}, stage {dealt.stage}: other cards came than the dealer signed for.")
    if not signed:
        return not_checked(name, "No receipt for a hand has come.")
    return not_checked(name, f"{len(signed)} receipts hold and name the cards that came; the packs are not known.")


def _held(signed: SignedReceipt, keys: Mapping[str, bytes]) -> HandReceipt | None:
    key = keys.get(signed.key_id)
    if key is None or not receipt_holds(signed, key):
        return None
    try:
        receipt = signed.receipt
    except Malformed:
        return None
    return receipt if isinstance(receipt, HandReceipt) else None


def _released(story: Story, hand: int, stage: int, to: int) -> tuple[int, ...]:
    """The positions that a seat got at a stage of a hand."""
    return tuple(
        at
        for each in story.hands
        if (each.hand, each.stage) == (hand, stage)
        for at, seat in each.positions
        if seat == to
    )


def check_cards_seen(witness: Witness, story: Story, packs: Packs) -> Point:
    """Every card that this client saw came from where the transcript says, in the pack that the seeds give."""
    name = "cards seen"
    if not packs:
        return not_checked(name, "The packs cannot be made again yet.")
    for dealt in witness.dealt:
        if dealt.cards != _given(story, packs, dealt):
            return failed(name, f"Hand {dealt.hand}, stage {dealt.stage}: the cards dealt are not those of the pack.")
    played = [(shown.hand, shown.card) for shown in witness.shown if shown.seat is not None]
    if len(set(played)) != len(played):
        return failed(name, "A card was played twice in one hand.")
    for shown in witness.shown:
        if not _fits(story, packs, shown, dict(witness.declarers).get(shown.hand)):
            return failed(name, f"Hand {shown.hand}: a card was shown that its player cannot have been dealt.")
    seen = len(witness.shown) + sum(len(dealt.cards) for dealt in witness.dealt)
    if not seen:
        return not_protected(name, "This client saw no cards.")
    return proven(name, f"All {seen} sights of cards agree with the packs that the seeds and the value give.")


def _given(story: Story, packs: Packs, dealt: Dealt) -> tuple[int, ...]:
    pack = packs.get(dealt.hand, ())
    return tuple(pack[at] for at in _released(story, dealt.hand, dealt.stage, dealt.seat) if at < len(pack))


def _fits(story: Story, packs: Packs, shown: Shown, declarer: int | None) -> bool:
    """Whether the card lay where its showing says: with its player, turned up (then it is the declarer's), left out."""
    pack = packs.get(shown.hand)
    if pack is None or shown.card not in pack:
        return False
    at = pack.index(shown.card)
    holders = {seat for hand in story.hands if hand.hand == shown.hand for place, seat in hand.positions if place == at}
    if shown.seat is None:
        return holders == {OUT_OF_PLAY if shown.left_out else SHOWN_TO_ALL}
    return holders == {shown.seat} or (holders == {SHOWN_TO_ALL} and shown.seat == declarer)
