"""Which cards leave the dealer, to whom, and in which order, over gRPC."""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from belot_fair.bodies import Hand
from belot_fair.receipts import HandReceipt, SignedReceipt, receipt_holds
from belot_kit.errors import DomainError, Reason
from support.dealers import DealerClient, checked, opening, ready_to_deal, seeded

pytestmark = pytest.mark.asyncio(loop_scope="module")

Place = tuple[int, int | str]
FIRST: tuple[Place, ...] = tuple((position, position // 5) for position in range(20))
WITH_UP_CARD: tuple[Place, ...] = (*FIRST, (20, "up_card"))


async def refusal(dealer: DealerClient, match_id: str, hand: int, stage: int, places: Sequence[Place]) -> Reason:
    """Why the release is refused."""
    with pytest.raises(DomainError) as refused:
        await dealer.release(match_id, hand, stage, places)
    return refused.value.reason


async def test_a_seat_gets_a_signed_receipt_for_its_own_cards_alone(
    shared_dealer: DealerClient, dealt: list[str]
) -> None:
    match_id = dealt.pop()
    answer = await shared_dealer.release(match_id, 0, 0, WITH_UP_CARD)
    keys = {key.key_id: key.public_key for key in (await shared_dealer.info()).keys}
    cards = {each.position: each.card - 1 for each in answer.cards}
    assert [each.seat for each in answer.receipts] == [0, 1, 2, 3]
    for each in answer.receipts:
        signed = SignedReceipt(each.receipt.octets, each.receipt.key_id, each.receipt.signature)
        assert receipt_holds(signed, keys[signed.key_id])
        receipt = signed.receipt
        assert isinstance(receipt, HandReceipt)
        own = tuple((position, cards[position]) for position, to in FIRST if to == each.seat)
        assert (receipt.hand, receipt.stage, receipt.seat, receipt.cards) == (0, 0, each.seat, own)


async def test_a_pack_of_24_has_no_sevens_and_eights(shared_dealer: DealerClient) -> None:
    match_id = await ready_to_deal(shared_dealer, pack_size=24)
    answer = await shared_dealer.release(match_id, 0, 0, tuple((position, position % 4) for position in range(24)))
    assert sorted(each.card - 1 for each in answer.cards) == [card for card in range(32) if card % 8 >= 2]
    assert await refusal(shared_dealer, match_id, 0, 1, [(24, 0)]) is Reason.INVALID_ARGUMENT


async def test_the_transcript_binds_positions_and_holds_no_card(shared_dealer: DealerClient, dealt: list[str]) -> None:
    match_id = dealt.pop()
    answer = await shared_dealer.release(match_id, 0, 0, WITH_UP_CARD)
    event = checked(await shared_dealer.transcript(match_id))[-1]
    assert event.body == Hand(0, 0, (*((at, at // 5) for at in range(20)), (20, 0xFF)))
    assert sha256(answer.event.octets).digest() == sha256(event.encode()).digest()


async def test_no_card_leaves_before_the_beacon(shared_dealer: DealerClient) -> None:
    request = opening("BBBB")
    await seeded(shared_dealer, request)
    assert await refusal(shared_dealer, request.match_id, 0, 0, FIRST) is Reason.WRONG_PHASE


async def test_no_card_leaves_after_the_reveal(shared_dealer: DealerClient, dealt: list[str]) -> None:
    match_id = dealt.pop()
    await shared_dealer.release(match_id, 0, 0, FIRST)
    await shared_dealer.reveal(match_id)
    assert await refusal(shared_dealer, match_id, 0, 1, [(20, 0)]) is Reason.HAND_NOT_ENTITLED
    assert await refusal(shared_dealer, match_id, 0, 0, FIRST) is Reason.HAND_NOT_ENTITLED


@pytest.mark.parametrize(("hand", "stage"), [(1, 0), (2, 0), (0, 1), (2**32 - 1, 0)])
async def test_hands_and_stages_begin_at_zero(
    shared_dealer: DealerClient, dealt: list[str], hand: int, stage: int
) -> None:
    match_id = dealt.pop()
    assert await refusal(shared_dealer, match_id, hand, stage, FIRST) is Reason.HAND_NOT_ENTITLED


async def test_hands_and_stages_have_no_gaps(shared_dealer: DealerClient, dealt: list[str]) -> None:
    match_id = dealt.pop()
    await shared_dealer.release(match_id, 0, 0, FIRST)
    assert await refusal(shared_dealer, match_id, 0, 2, [(20, 0)]) is Reason.HAND_NOT_ENTITLED
    assert await refusal(shared_dealer, match_id, 2, 0, FIRST) is Reason.HAND_NOT_ENTITLED
    await shared_dealer.release(match_id, 1, 0, FIRST)
    assert await refusal(shared_dealer, match_id, 0, 1, [(20, 0)]) is Reason.HAND_NOT_ENTITLED


async def test_a_position_goes_to_one_destination(shared_dealer: DealerClient, dealt: list[str]) -> None:
    match_id = dealt.pop()
    await shared_dealer.release(match_id, 0, 0, FIRST)
    assert await refusal(shared_dealer, match_id, 0, 1, [(19, 0), (20, 1)]) is Reason.HAND_NOT_ENTITLED
    assert await refusal(shared_dealer, match_id, 0, 1, [(19, 3)]) is Reason.HAND_NOT_ENTITLED


async def test_a_stage_given_out_never_changes(shared_dealer: DealerClient, dealt: list[str]) -> None:
    match_id = dealt.pop()
    first = await shared_dealer.release(match_id, 0, 0, FIRST)
    swapped = ((0, 1), *FIRST[1:])
    assert await refusal(shared_dealer, match_id, 0, 0, swapped) is Reason.REQUEST_ID_REUSED
    await shared_dealer.release(match_id, 1, 0, FIRST)
    assert await shared_dealer.release(match_id, 0, 0, FIRST) == first
    assert await refusal(shared_dealer, match_id, 0, 0, swapped) is Reason.REQUEST_ID_REUSED


@pytest.mark.parametrize("places", [[], [(1, 0), (0, 1)], [(0, 0), (0, 1)], [(32, 0)], [(0, 4)]])
async def test_malformed_releases_are_refused(
    shared_dealer: DealerClient, dealt: list[str], places: list[Place]
) -> None:
    assert await refusal(shared_dealer, dealt[0], 0, 0, places) is Reason.INVALID_ARGUMENT
