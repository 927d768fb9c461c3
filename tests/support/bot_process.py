"""The bot service as a process of its own, which tests kill, freeze and start again."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_kit.app import READY_FILE_VARIABLE
from support.eventually import eventually

RUN = "from belot_bot.main import run; raise SystemExit(run())"


@dataclass(frozen=True, slots=True)
class BotProcess:
    """A running bot service."""

    process: asyncio.subprocess.Process

    def send(self, number: signal.Signals) -> None:
        """A signal to the service alone."""
        self.process.send_signal(number)

    def thinkers(self) -> list[int]:
        """Its processes that think or solve: all that its fork server started."""
        return [pid for server in _children(self.process.pid) for pid in _children(server)]


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(each) for each in listed.split()]


@asynccontextmanager
async def bot_process(address: str, folder: Path) -> AsyncIterator[BotProcess]:
    """A bot service at an address, ready; dead after the block, if it was not before."""
    ready = folder / f"{address.rpartition('/')[2]}.ready"
    ready.unlink(missing_ok=True)
    settings = {"BELOT_BOT__LISTEN": address, "BELOT_BOT__LOGS__LEVEL": "WARNING", READY_FILE_VARIABLE: str(ready)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", RUN), env=os.environ | settings, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        await eventually(lambda: ready.exists() or process.returncode is not None)
        assert process.returncode is None
        yield BotProcess(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
