"""Figures out of measurements: percentiles and lines of a report. Pure."""

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (0..1) of ``values`` lie, nearest rank; NaN without values."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(name: str, figure: float, unit: str, note: str = "") -> str:
    """One line of the report: name, figure, unit and what to keep in mind."""
    shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:,.2f}"
    return f"{name:<46}{shown:>12} {unit:<12}{note}".rstrip()
