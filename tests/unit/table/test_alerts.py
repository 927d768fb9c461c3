"""The alert rules under deploy/alerts speak of metrics that there are."""

import re
from pathlib import Path
from typing import Final

import pytest

import belot_rules.refusals as rules
import belot_table.halting as table

ALERTS: Final = Path(__file__).parents[3] / "deploy" / "alerts"
RULES: Final = tuple(
    (file.name, line.split("expr:", 1)[1])
    for file in sorted(ALERTS.glob("*.yaml"))
    for line in file.read_text().splitlines()
    if "expr:" in line
)
COUNTED: Final = {
    sample.name
    for counter in (table.AUDIT_BREACHES, rules.AUDIT_BREACHES)
    for metric in counter.collect()
    for sample in metric.samples
} | {f"{metric.name}_total" for metric in rules.AUDIT_BREACHES.collect()}


@pytest.mark.parametrize("expression", [each for _, each in RULES], ids=[name for name, _ in RULES])
def test_an_alert_watches_counters_of_the_code(expression: str) -> None:
    names = set(re.findall(r"\bbelot_\w+", expression))
    assert names
    assert names <= COUNTED


def test_any_breach_of_either_audit_raises_an_alert() -> None:
    watched = {name for _, expression in RULES for name in re.findall(r"increase\((\w+)\[\w+\]\) > 0", expression)}
    assert watched >= {"belot_table_audit_breaches_total", "belot_rules_audit_breaches_total"}
