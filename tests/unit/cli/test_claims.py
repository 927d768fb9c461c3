"""Claims at the terminal: what is typed, what is told."""

import pytest

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_cli.scene import Scene, SeatScene
from belot_cli.tell import tell
from belot_cli.tell_match import MatchTeller
from belot_cli.typed import AnswerClaim, Claim, understand
from belot_client.snapshot import CARD_VALUES

SCENE = Scene(tuple(SeatScene(name, seat % 2, 8) for seat, name in enumerate(("Ana", "West", "North", "East"))), me=0)


def claimed(*, seat: int = 1, agreed: bool = False, tricks: int = 2) -> view_pb2.TableEvent:
    """The remaining tricks were claimed."""
    hands = [match_pb2.CardsHeld(cards=CARD_VALUES[card : card + 2]) for card in (0, 2, 8, 10)]
    claim = match_pb2.TricksClaimed(seat=seat, agreed=agreed, tricks=tricks, points=34, hands=hands)
    return view_pb2.TableEvent(game=match_pb2.MatchEvent(tricks_claimed=claim))


def proposed(seat: int, state: "view_pb2.ProposalState.ValueType", agreed: tuple[int, ...]) -> tuple[str, ...]:
    """What is told of a claim that is asked for."""
    proposal = view_pb2.Proposal(kind=view_pb2.PROPOSAL_KIND_CLAIM, seat=seat, agreed_seats=agreed)
    changed = view_pb2.ProposalChanged(proposal=proposal, state=state)
    return tell(view_pb2.TableEvent(proposal_changed=changed), SCENE)


@pytest.mark.parametrize(
    ("line", "meant"), [("claim", Claim()), ("YES", AnswerClaim(True)), (" no ", AnswerClaim(False))]
)
def test_a_claim_and_its_answers_are_words(line: str, meant: object) -> None:
    assert understand(line, SCENE) == meant


def test_a_claim_is_told_with_every_hand() -> None:
    assert tell(claimed(), SCENE) == (
        "   West claims the last 2 tricks, 34 points: no card can take one",
        "   you had 7♣ 8♣",
        "   West had 9♣ 10♣",
        "   North had 7♦ 8♦",
        "   East had 9♦ 10♦",
    )
    assert tell(claimed(seat=0, agreed=True, tricks=1), SCENE)[0] == (
        "   you claim the last trick, 34 points: the opponents agree"
    )


def test_a_match_between_others_tells_it_in_a_line() -> None:
    lines = MatchTeller().lines(claimed(), SCENE)
    assert lines == ("   West claims the last 2 tricks, 34 points: no card can take one",)


def test_who_is_asked_is_told_what_to_type() -> None:
    opened = view_pb2.PROPOSAL_STATE_OPEN
    line = "   West: proposal of claiming the remaining tricks"
    assert proposed(1, opened, (1,)) == (line, "   answer yes or no")
    assert proposed(1, opened, (0, 1)) == (line,)
    assert proposed(2, opened, (2,)) == ("   North: proposal of claiming the remaining tricks",)
    assert proposed(0, view_pb2.PROPOSAL_STATE_DECLINED, (0,)) == (
        "   your proposal of claiming the remaining tricks is declined",
    )
