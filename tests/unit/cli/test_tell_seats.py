"""What is told of seats that bots hold, of connections and of proposals."""

import pytest

from belot.table.v1 import view_pb2
from belot_cli.scene import Scene, SeatScene
from belot_cli.tell import tell

SCENE = Scene(tuple(SeatScene(name, seat % 2, 8) for seat, name in enumerate(("Ana", "West", "North", "East"))), me=0)
HELD = {"kind": "ACTOR_KIND_BOT", "player_id": "p", "participant_id": "00", "bot_level": "normal"}
BACK = {"kind": "ACTOR_KIND_PERSON", "player_id": "p", "participant_id": "00"}


def taken(seat: int) -> view_pb2.TableEvent:
    """A bot takes a seat."""
    over = view_pb2.SeatTakenOver(seat=seat, player_id="p", bot_level="normal", missed_turns=2)
    return view_pb2.TableEvent(seat_taken_over=over)


def test_who_is_stood_in_for_is_told_how_to_come_back() -> None:
    said = " ".join(tell(taken(0), SCENE))
    assert "you missed 2 turns in a row: a bot (normal) plays for you" in said
    assert "type back" in said


def test_others_are_told_who_is_stood_in_for() -> None:
    assert tell(taken(1), SCENE) == ("   West missed 2 turns in a row: a bot (normal) plays on",)


@pytest.mark.parametrize("seat", [HELD, BACK])
def test_a_seat_that_is_taken_over_or_given_back_is_told_once(seat: dict[str, str]) -> None:
    changed = view_pb2.SeatChanged(seat=view_pb2.Seat(seat=1, **seat))  # type: ignore[arg-type]
    assert tell(view_pb2.TableEvent(seat_changed=changed), SCENE) == ()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (view_pb2.TableEvent(seat_returned=view_pb2.SeatReturned(seat=0)), "you are back"),
        (view_pb2.TableEvent(seat_returned=view_pb2.SeatReturned(seat=2)), "North is back"),
        (view_pb2.TableEvent(seat_presence=view_pb2.SeatPresence(seat=2)), "North is not connected"),
        (view_pb2.TableEvent(seat_presence=view_pb2.SeatPresence(seat=2, connected=True)), "North is connected again"),
        (
            view_pb2.TableEvent(
                proposal_changed=view_pb2.ProposalChanged(
                    proposal=view_pb2.Proposal(kind=view_pb2.PROPOSAL_KIND_DRAW, seat=3),
                    state=view_pb2.PROPOSAL_STATE_DECLINED,
                )
            ),
            "East: proposal of a draw is declined",
        ),
    ],
)
def test_what_happens_at_seats_is_told_in_a_line(event: view_pb2.TableEvent, line: str) -> None:
    assert tell(event, SCENE) == (f"   {line}",)
