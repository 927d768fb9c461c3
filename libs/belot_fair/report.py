"""What a verification found: one verdict and one sentence for every point, in the order of a match."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a point came out.

    PROVEN: it follows from the octets. NOT_WITNESSED: nobody says that he knew of it in time, a fact and not a failure.
    NOT_PROTECTED: it holds, but something that should guard it was absent, as in a fallback match. NOT_CHECKED:
    this verifier, or what it was given, does not reach it. FAILED: the octets contradict it.
    """

    PROVEN = "proven"
    NOT_WITNESSED = "not witnessed"
    NOT_PROTECTED = "not protected"
    NOT_CHECKED = "not checked"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that was checked, by a stable name, with a sentence for people."""

    name: str
    verdict: Verdict
    sentence: str


@dataclass(frozen=True, slots=True)
class Report:
    """All points of one proof; `label` is empty, or says that the match was no public one."""

    match_id: str
    points: tuple[Point, ...]
    label: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing failed; points that were not checked or not witnessed do not fail a report."""
        return all(point.verdict is not Verdict.FAILED for point in self.points)

    def point(self, name: str) -> Point:
        """The point of a name; `KeyError` when the report has none."""
        for point in self.points:
            if point.name == name:
                return point
        raise KeyError(name)


def proven(name: str, sentence: str) -> Point:
    """A point that follows from the octets."""
    return Point(name, Verdict.PROVEN, sentence)


def failed(name: str, sentence: str) -> Point:
    """A point that the octets contradict."""
    return Point(name, Verdict.FAILED, sentence)


def not_checked(name: str, sentence: str) -> Point:
    """A point that could not be reached."""
    return Point(name, Verdict.NOT_CHECKED, sentence)


def not_protected(name: str, sentence: str) -> Point:
    """A point that holds without the guard it should have had."""
    return Point(name, Verdict.NOT_PROTECTED, sentence)


def not_witnessed(name: str, sentence: str) -> Point:
    """A point that nobody claims to have known of in time."""
    return Point(name, Verdict.NOT_WITNESSED, sentence)
