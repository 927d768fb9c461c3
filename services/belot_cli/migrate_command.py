"""`belot migrate`: bring every service's schema up to date, service by service, and say what was done."""

import asyncio
import sys

from belot_kit.migrate import Phase, migrate

PACKAGES = ("belot_dealer", "belot_rating", "belot_rules", "belot_table")
"""Services with a schema of their own."""


class MigrateError(RuntimeError):
    """A schema that could not be brought up to date; the text says why."""


async def migrate_all(dsn: str, phases: tuple[Phase, ...] = (Phase.PRE, Phase.POST)) -> tuple[str, ...]:
    """Apply what is missing; a line for everything that was applied. `dsn` is the database administrator's.

    Errors: MigrateError.
    """
    lines: list[str] = []
    for package in PACKAGES:
        try:
            applied = await migrate(dsn, package, phases=phases)
        except Exception as error:  # of the kit, the driver or the network: whatever it is, here it ends the run
            raise MigrateError(f"{package}: {error or type(error).__name__}") from error
        lines += [f"{package}: {each.number:04}_{each.phase}_{each.name}" for each in applied]
    return tuple(lines)


def migrate_and_tell(dsn: str, phase: str) -> int:
    """The command: `phase` is "pre", "post" or "all". Exit status: 0, or 1 when a schema could not be brought there."""
    phases = (Phase.PRE, Phase.POST) if phase == "all" else (Phase(phase),)
    try:
        lines = asyncio.run(migrate_all(dsn, phases))
    except MigrateError as error:
        print(f"belot migrate: {error}", file=sys.stderr)
        return 1
    for line in lines or ("nothing to do",):
        print(line)
    return 0
