"""The few steps between our process and an embedded server, run as a program of its own, then replaced by the server.

Run as ``python -I -S trampoline.py <parent pid> <uid or ""> <gid or ""> <signal> <identity> -- <command...>``.
It gives up root where asked (``user``: setuid; ``namespace``: a user namespace in which we are nobody, while files
still belong to root), asks the kernel to send <signal> when the parent dies, then executes the command.

This is a program and not a ``preexec_fn``: code between fork and exec in a process that runs threads (gRPC does) can
deadlock. The death signal is set last, because a change of identity clears it. It imports nothing of ours, because
the account it becomes may be unable to read the virtual environment.
"""

import ctypes
import os
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_CLONE_NEWUSER = 0x10000000


def _become_user(uid: int, gid: int) -> None:
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)


def _enter_namespace(libc: ctypes.CDLL, uid: int, gid: int) -> None:
    outer_uid, outer_gid = os.getuid(), os.getgid()
    if libc.unshare(_CLONE_NEWUSER) != 0:
        sys.exit(f"trampoline: no user namespace: {os.strerror(ctypes.get_errno())}")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {outer_uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {outer_gid} 1")


def main(arguments: list[str]) -> None:
    """Change identity, tie our life to the parent's, become the command."""
    parent, uid, gid, signal_number, identity, _, *command = arguments
    libc = ctypes.CDLL(None, use_errno=True)
    if identity == "user":
        _become_user(int(uid), int(gid))
    elif identity == "namespace":
        _enter_namespace(libc, int(uid), int(gid))
    if sys.platform == "linux":
        libc.prctl(_PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
    if os.getppid() != int(parent):
        sys.exit("trampoline: the parent is gone")
    os.execv(command[0], command)  # noqa: S606 - the command comes from our own launcher, and no shell is wanted


if __name__ == "__main__":
    main(sys.argv[1:])
