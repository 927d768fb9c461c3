"""Messages that players reported, as moderators read them."""

from dataclasses import dataclass, field

from belot.table.v1 import table_pb2, view_pb2
from belot_table.convert import timestamp


@dataclass(frozen=True, slots=True)
class MessageReport:
    """Who reported which Said event at a table; `reason` is numbered as belot.table.v1.ReportReason, `said` encoded."""

    table_id: str
    sequence: int
    reporter_id: str
    reason: int
    at_ms: int
    said: bytes = field(repr=False)


def report_message(report: MessageReport) -> table_pb2.MessageReport:
    """A report as a message."""
    return table_pb2.MessageReport(
        table_id=report.table_id,
        sequence=report.sequence,
        said=view_pb2.TableEvent.FromString(report.said),
        reporter_id=report.reporter_id,
        reason=table_pb2.ReportReason.values()[report.reason],
        reported_at=timestamp(report.at_ms),
    )
