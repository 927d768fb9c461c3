"""The other side of the pool: what runs in a process that thinks. Nothing of the service is imported here."""

import faulthandler
import os
import signal
import threading
from multiprocessing import parent_process
from typing import Final

from belot_bot.policy import policy_of
from belot_bot.view import SeatView
from belot_engine.state import Action

#: A process that thinks so long about one decision hangs, and ends itself.
HANGS_SECONDS: Final = 10.0


def begin() -> None:
    """In a new process: Ctrl-C is for the service, which ends its processes; and they end when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_service, daemon=True).start()


def think(level: str, view: SeatView, seed: bytes) -> Action:
    """One decision of a level that there is. Raises InputError for a view that no deal leads to."""
    policy = policy_of(level)
    if policy is None:
        raise AssertionError("the service knows its levels")
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(HANGS_SECONDS, exit=True, file=nowhere)
        try:
            return policy.choose(view, seed)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _end_with_service() -> None:
    service = parent_process()
    if service is not None:
        service.join()
    os._exit(1)
