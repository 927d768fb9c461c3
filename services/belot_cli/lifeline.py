"""A child's tie to the process that started it: when that one is gone, however it went, the child ends too.

Linux signals the child from the kernel. Elsewhere a thread looks, once a second, whether the parent has changed.
"""

import ctypes
import os
import signal
import sys
import threading

PARENT_VARIABLE = "BELOT_PARENT_PID"
"""Set by the supervisor: the process whose end is ours, too."""

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 1.0


def end_with_parent() -> None:
    """Tie our life to the parent named in the environment, if any; call it first, from the main thread."""
    named = os.environ.get(PARENT_VARIABLE)
    if not named:
        return
    parent = int(named)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    else:
        threading.Thread(target=_look, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it went before we could ask
        sys.exit("the parent process is gone")


def _look(parent: int) -> None:
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
