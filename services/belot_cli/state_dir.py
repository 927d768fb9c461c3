"""The directory in which a local fleet keeps what lasts: databases, keys, logs, proof files.

It belongs to one user (mode 0700), carries a marker so that `belot wipe` never deletes anything else, and is locked
while a fleet runs over it. A running fleet writes down where its gateways are, for `belot play`.
"""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_MARKER = "belot-state"
_KEY_OCTETS = 32


class StateDirError(RuntimeError):
    """The state directory cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class RunningFleet:
    """What a running fleet tells about itself: its `belot up` process, its gateways and the beacon's name."""

    pid: int
    gateways: tuple[str, ...]
    beacon: str
    children: tuple[tuple[str, int], ...] = ()


def default_state_dir() -> Path:
    """``$XDG_STATE_HOME/belot``, usually ``~/.local/state/belot``."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "belot"


def shown(path: Path) -> str:
    """A path as people write it, with ``~`` for their home."""
    with contextlib.suppress(ValueError, RuntimeError):
        return f"~/{path.absolute().relative_to(Path.home())}"
    return str(path)


def open_state_dir(path: Path) -> Path:
    """Make the directory where missing and close it to others. Errors: StateDirError."""
    try:
        if path.is_dir() and not (path / _MARKER).exists() and any(path.iterdir()):
            raise StateDirError(f"{shown(path)} holds other files: name an empty or new directory with --state-dir")
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.chmod(0o700)
        (path / _MARKER).touch(mode=0o600)
        for folder in ("logs", "secrets", "config", "proofs"):
            (path / folder).mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise StateDirError(f"{shown(path)} cannot be used: {error.strerror}") from error
    return path.absolute()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the directory for one fleet. Errors: StateDirError when another one runs over it."""
    with (path / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StateDirError(_taken(path)) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _taken(path: Path) -> str:
    running = running_fleet(path)
    where = f" (process {running.pid}, gateway {', '.join(running.gateways)})" if running else ""
    return (
        f"a fleet is already running over {shown(path)}{where}: play on it with `belot play`, stop it with Ctrl-C "
        "where it runs, or start another with --state-dir DIR --listen HOST:PORT"
    )


def is_locked(path: Path) -> bool:
    """Whether a fleet runs over the directory now."""
    if not (path / "lock").exists():
        return False
    try:
        with locked(path):
            return False
    except StateDirError:
        return True


def record_fleet(path: Path, fleet: RunningFleet) -> None:
    """Write down what runs, in one step, so that no reader sees half of it."""
    fields = {"pid": fleet.pid, "gateways": fleet.gateways, "beacon": fleet.beacon, "children": dict(fleet.children)}
    beside = path / "fleet.json.new"
    beside.write_text(json.dumps(fields, indent=1) + "\n")
    beside.replace(path / "fleet.json")


def forget_fleet(path: Path) -> None:
    """Nothing runs any more."""
    (path / "fleet.json").unlink(missing_ok=True)


def running_fleet(path: Path) -> RunningFleet | None:
    """What is written down, or None. A fleet that was killed leaves its record: ask `is_locked`, too."""
    try:
        fields = json.loads((path / "fleet.json").read_text())
        children = tuple((str(name), int(pid)) for name, pid in fields["children"].items())
        return RunningFleet(int(fields["pid"]), tuple(fields["gateways"]), str(fields["beacon"]), children)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def secret_file(path: Path, name: str) -> Path:
    """A file of 32 random octets (as hex) that only its owner reads; made when first asked for."""
    file = path / "secrets" / name
    with contextlib.suppress(FileExistsError):
        # Written beside and linked, so that a kill in between never leaves half a key.
        beside = file.with_name(f"{name}.{os.getpid()}")
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_hex(_KEY_OCTETS))
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(beside, file)
        finally:
            beside.unlink()
    return file


def wipe(path: Path) -> bool:
    """Delete everything the directory keeps; False when there was nothing. Errors: StateDirError."""
    if not path.exists():
        return False
    if not (path / _MARKER).exists():
        raise StateDirError(f"{shown(path)} is not a state directory of belot: nothing was deleted")
    if is_locked(path):
        raise StateDirError(f"a fleet is running over {shown(path)}: stop it first, nothing was deleted")
    shutil.rmtree(path)
    return True
