"""Starting, watching and ending an embedded server's process.

A server ends with us even when we are killed: the kernel signals it (Linux, see trampoline.py). That signal follows
the *thread* which started the server, so start servers from the main thread.
"""

import contextlib
import hashlib
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

_TRAMPOLINE = Path(__file__).with_name("trampoline.py")
_POLL_SECONDS = 0.01

Address = TypeVar("Address")


class EmbeddedServerError(RuntimeError):
    """An embedded server could not be found, started or stopped; the text says why and where its log is."""

    safe_to_log = True


class Identity(StrEnum):
    """Which account a server runs as: ours, nobody's, or root seen as nobody inside a user namespace."""

    SELF = "self"
    USER = "user"
    NAMESPACE = "namespace"


@dataclass(frozen=True, slots=True)
class Account:
    """The account a server runs as. `uid` and `gid` are those it sees; `owner_uid`/`owner_gid` own its files."""

    identity: Identity
    uid: int
    gid: int
    owner_uid: int
    owner_gid: int


def account_for(paths: Sequence[Path]) -> Account:
    """Choose an account that can get as far as all `paths`, because PostgreSQL refuses to run as root.

    An ordinary user stays himself. Root becomes nobody where nobody can reach every path, else root in a user
    namespace, where the server believes to be nobody and root's files stay its own.
    """
    if os.geteuid() != 0:
        return Account(Identity.SELF, os.geteuid(), os.getegid(), os.geteuid(), os.getegid())
    nobody = pwd.getpwnam("nobody")
    if all(_reachable_by_others(path) for path in paths):
        return Account(Identity.USER, nobody.pw_uid, nobody.pw_gid, nobody.pw_uid, nobody.pw_gid)
    return Account(Identity.NAMESPACE, nobody.pw_uid, nobody.pw_gid, 0, 0)


def own_account() -> Account:
    """The account for a server that does not mind running as root."""
    return Account(Identity.SELF, os.geteuid(), os.getegid(), os.geteuid(), os.getegid())


def _reachable_by_others(path: Path) -> bool:
    parents = [parent for parent in path.absolute().parents if parent.exists()]
    return all(parent.stat().st_mode & 0o001 for parent in parents)


def give(path: Path, account: Account) -> None:
    """Make everything under `path` belong to the account (only root can, and only root needs to)."""
    if os.geteuid() != 0 or path.stat().st_uid == account.owner_uid:
        return
    for folder, _, files in os.walk(path):
        for each in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(each, account.owner_uid, account.owner_gid, follow_symlinks=False)


def socket_directory(purpose: str, state: Path, account: Account) -> Path:
    """A directory for a unix socket: short (a socket's path may have 107 bytes), private, the same for the same state.

    Errors: EmbeddedServerError when the name is taken by someone else's directory.
    """
    digest = hashlib.sha256(str(state.absolute()).encode()).hexdigest()[:10]
    folder = Path("/tmp" if Path("/tmp").is_dir() else tempfile.gettempdir()) / f"belot-{purpose}-{digest}"  # noqa: S108
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    details = folder.lstat()
    if folder.is_symlink() or details.st_uid not in {os.geteuid(), account.owner_uid}:
        raise EmbeddedServerError(f"{folder} belongs to somebody else")
    folder.chmod(0o700)
    give(folder, account)
    return folder


def run_to_end(command: Sequence[str], account: Account, *, cwd: Path) -> None:
    """Run a short command (initdb) as the account; EmbeddedServerError with its output when it fails."""
    full = _with_trampoline(command, account, signal.SIGKILL)
    done = subprocess.run(full, cwd=cwd, capture_output=True, text=True, env=_environment(), check=False)
    if done.returncode != 0:
        raise EmbeddedServerError(f"{Path(command[0]).name} failed: {done.stderr.strip() or done.stdout.strip()}")


def _with_trampoline(command: Sequence[str], account: Account, death_signal: signal.Signals) -> list[str]:
    ids = (str(account.uid), str(account.gid))
    steps = (str(os.getpid()), *ids, str(int(death_signal)), account.identity.value)
    return [sys.executable, "-I", "-S", str(_TRAMPOLINE), *steps, "--", *command]


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": "/", "TZ": "UTC"}


class ServerProcess:
    """One running server: `start`, then `wait_ready`, finally `stop`. Its output goes to a log file."""

    def __init__(self, command: Sequence[str], account: Account, *, cwd: Path, log: Path) -> None:
        """Start `command` as `account` in `cwd`; it is signalled with SIGINT if our process dies."""
        self._log = log
        self._name = Path(command[0]).name
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                _with_trampoline(command, account, signal.SIGINT),
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=_environment(),
                start_new_session=True,  # Ctrl-C in a terminal is ours to handle, in our order
            )

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    def wait_ready(self, answers: Callable[[], bool], *, seconds: float = 20.0) -> None:
        """Wait until `answers()` is true; EmbeddedServerError when the server ends or takes longer than `seconds`."""
        end = time.monotonic() + seconds
        while not answers():
            if self._process.poll() is not None:
                raise EmbeddedServerError(f"{self._name} ended at its start: {self._last_lines()}")
            if time.monotonic() > end:
                self.stop(signal.SIGKILL)
                raise EmbeddedServerError(f"{self._name} was not ready in {seconds} s: {self._last_lines()}")
            time.sleep(_POLL_SECONDS)

    def stop(self, how: signal.Signals = signal.SIGINT, *, seconds: float = 10.0) -> None:
        """Ask the server to end with the signal `how`; kill it when it has not after `seconds`."""
        if self._process.poll() is not None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _last_lines(self) -> str:
        text = self._log.read_text(errors="replace") if self._log.exists() else ""
        return f"{' / '.join(text.strip().splitlines()[-3:])} (log: {self._log})"


def process_alive(pid: int) -> bool:
    """Whether a process exists and is more than a zombie: a killed orphan can stay one for seconds."""
    status = Path(f"/proc/{pid}/stat")
    if status.exists():
        with contextlib.suppress(OSError, IndexError):
            return status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class RunningServer(Generic[Address]):
    """A server for the length of a block, written ``with`` or ``async with``; the block gets its address.

    The asynchronous form starts and stops in the calling thread too (and so blocks the loop for up to a second),
    because a server lives only as long as the thread that started it.
    """

    def __init__(self, context: AbstractContextManager[Address]) -> None:
        """Nothing starts before the block is entered."""
        self._context = context

    def __enter__(self) -> Address:
        return self._context.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.__exit__(kind, error, trace)

    async def __aenter__(self) -> Address:
        return self._context.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._context.__exit__(kind, error, trace)
