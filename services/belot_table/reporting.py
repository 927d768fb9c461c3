"""A player's client found the deal wrong: who may say so, and how the table is told. Pure."""

from dataclasses import dataclass

from belot.dealer.v1 import dealer_pb2
from belot.table.v1 import view_pb2
from belot_table.table import Refused, Step, Table, own_seat, step
from belot_table.told import told_event


@dataclass(frozen=True, slots=True)
class ReportDeal:
    """What does not fit, as the dealer's proto numbers it, and in which hand if it is one.

    The dealer knows a report by its request id, so that the same request counts once however often it comes.
    """

    request_id: str
    finding: "dealer_pb2.FairnessFinding.ValueType"
    hand: int | None = None


def may_report(table: Table, player_id: str) -> int:
    """The seat for which this player may report the deal of the table's match. NOT_SEATED, WRONG_PHASE."""
    seat = own_seat(table, player_id).seat
    if table.match is None or not table.match.fairness.commitment:
        raise Refused("WRONG_PHASE", "no match has been opened here")
    return seat


def reported(table: Table, seat: int, report: ReportDeal) -> Step:
    """The report as everybody at the table sees it; the match goes on."""
    said = view_pb2.FairnessReported(seat=seat, finding=report.finding, hand_number=report.hand)
    return step(table, table, told_event(view_pb2.TableEvent(fairness_reported=said)))
