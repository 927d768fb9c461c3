"""`belot` as a person runs it: the command as a process of its own."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_cli.probe import free_port
from belot_cli.state_dir import running_fleet

BELOT = (sys.executable, "-m", "belot_cli.main")


@dataclass(frozen=True, slots=True)
class Up:
    """A running `belot up`: its process, its state directory, its gateway, and its ready line."""

    process: asyncio.subprocess.Process
    state: Path
    gateway: str
    ready: str

    @property
    def pids(self) -> dict[str, int]:
        """Every service's process and the database server's."""
        fleet = running_fleet(self.state)
        assert fleet is not None
        postmaster = (self.state / "postgres" / "cluster" / "postmaster.pid").read_text().splitlines()[0]
        return dict(fleet.children) | {"postgres": int(postmaster)}

    async def line(self) -> str:
        """The next line it prints."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            return (await self.process.stdout.readline()).decode().strip()


@asynccontextmanager
async def belot_up(state: Path) -> AsyncIterator[Up]:
    """Run it until it is ready, and make sure that it is gone in the end."""
    gateway = f"127.0.0.1:{free_port()}"
    command = (*BELOT, "up", "--beacon", "dev", "--state-dir", str(state), "--listen", gateway)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        up = Up(process, state, gateway, "")
        yield Up(process, state, gateway, await up.line())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def run(*arguments: str) -> tuple[int, str]:
    """A short `belot` command: exit status and everything it said."""
    process = await asyncio.create_subprocess_exec(
        *BELOT, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()
