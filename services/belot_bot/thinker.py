"""The other side of the pool: what runs in a process that thinks. Nothing of the service is imported here."""

import faulthandler
import os
import signal
import threading
from dataclasses import dataclass
from multiprocessing import parent_process

from belot_bot import travel
from belot_bot.policy import policy_of
from belot_bot.view import SeatView
from belot_engine.errors import InputError
from belot_engine.state import Action

travel.prepare()


@dataclass(frozen=True, slots=True)
class Impossible:
    """The InputError of a view that no deal leads to, as it travels between processes."""

    field: str
    message: str


def begin() -> None:
    """In a new process: Ctrl-C is for the service, which ends its processes; and they end when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_service, daemon=True).start()


def think(level: str, view: SeatView, seed: bytes, hangs_s: float) -> Action | Impossible:
    """One decision of a level that there is. The process ends itself when it thinks about it for so many seconds."""
    policy = policy_of(level)
    if policy is None:
        raise AssertionError("the service knows its levels")
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(hangs_s, exit=True, file=nowhere)
        try:
            return policy.choose(view, seed)
        except InputError as error:
            return Impossible(error.field, error.message)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _end_with_service() -> None:
    service = parent_process()
    if service is not None:
        service.join()
    os._exit(1)
