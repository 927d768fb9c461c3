"""What processes use, from /proc: CPU time and memory that is theirs alone."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_by_service(pids: Mapping[str, int]) -> dict[str, float]:
    """User and system time of each process so far, seconds."""
    return {name: _cpu_seconds(pid) for name, pid in pids.items()}


def memory_by_service(pids: Mapping[str, int]) -> dict[str, int]:
    """Proportional set size of each process, KiB: shared pages are counted once over all who share them."""
    return {name: _pss_kib(pid) for name, pid in pids.items()}


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _pss_kib(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(next(row for row in rollup.splitlines() if row.startswith("Pss:")).split()[1])
