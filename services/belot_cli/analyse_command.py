"""`belot analyse`: a finished match from its proof file, offline, for people in lines and for programs as JSON."""

from pathlib import Path

from belot_bot.analysis import MatchAnalysis
from belot_bot.record import HandRecord, MatchRecord, NotAnalysable, read_record
from belot_cli.analyse_words import as_json, lines
from belot_cli.workers import each_done, engine_kind, with_bar
from belot_engine.analysis import BUDGET, DealAnalysis, analyse_deal
from belot_fair.proof import MOST_OCTETS


class Unreadable(Exception):  # noqa: N818 - says what is wrong with the file
    """A file that cannot be read or analysed, in one sentence."""


def analyse_file(file: Path, *, budget: int | None, jobs: int, json: bool) -> str:
    """The analysis of a proof file as text, with the usual budget if none is given. Errors: Unreadable."""
    budget = BUDGET if budget is None else budget
    found = analysed(_record(file), budget, jobs)
    return as_json(found, budget, engine_kind()) if json else "\n".join(lines(found, budget, engine_kind()))


def analysed(record: MatchRecord, budget: int, jobs: int) -> MatchAnalysis:
    """Every deal of a match solved, with a bar meanwhile."""
    tasks = [(hand, budget) for hand in record.hands]
    done = dict(with_bar(each_done(_solved, tasks, jobs), "deals solved", len(tasks)))
    return MatchAnalysis(record, tuple(done[task] for task in tasks))


def _solved(task: tuple[HandRecord, int]) -> DealAnalysis:
    hand, budget = task
    return analyse_deal(hand.played, budget)


def _record(file: Path) -> MatchRecord:
    try:
        with file.open("rb") as stream:
            # One octet more than the reader takes is enough for it to refuse a huge file.
            return read_record(stream.read(MOST_OCTETS + 1))
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from None
    except NotAnalysable as refused:
        raise Unreadable(f"{file} cannot be analysed: {refused}") from None
