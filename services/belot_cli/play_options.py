"""What `belot play` was asked for."""

import getpass
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from belot_cli.fleet import BeaconChoice
from belot_cli.state_dir import default_state_dir
from belot_client.view import Options

_NAME_LENGTH = 32
# Nobody but bots waits at one's own table: the clock only ends a match that was forgotten.
_PATIENT_MS = 10 * 60 * 1000


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """One match at a table of one's own. `save` and `gateway` are None where the usual place is meant.

    `bot_delay` is in seconds, so that people can follow; `target` and `deals` exclude each other.
    """

    state: Path
    ruleset: str = "club"
    seats: int = 4
    pack: int = 32
    target: int | None = None
    deals: int | None = None
    name: str = "you"
    bots: str = "normal"
    bot_delay: float = 0.0
    beacon: BeaconChoice | None = None
    gateway: str | None = None
    save: Path | None = None
    language: str = "en"


class Asked(TypedDict):
    """The command line's options that need no changing on their way."""

    ruleset: str
    players: int
    target: int | None
    deals: int | None
    name: str | None
    bots: str
    beacon: str | None
    gateway: str | None
    save: Path | None
    language: str | None
    state_dir: Path | None


def options_of(pack: int, bot_delay: float, asked: Asked) -> PlayOptions:
    """The options of one match, with what was not said filled in."""
    return PlayOptions(
        state=asked["state_dir"] or default_state_dir(),
        ruleset=asked["ruleset"],
        seats=asked["players"],
        pack=pack,
        target=asked["target"],
        deals=asked["deals"],
        name=asked["name"] or own_name(),
        bots=asked["bots"],
        bot_delay=bot_delay,
        beacon=None if asked["beacon"] is None else BeaconChoice(asked["beacon"]),
        gateway=asked["gateway"],
        save=asked["save"],
        language=asked["language"] or own_language(),
    )


def table_options(options: PlayOptions) -> Options:
    """The table to make: private, with clocks that leave people alone."""
    named = (("target", options.target), ("deals", options.deals))
    knobs = tuple((name, str(value)) for name, value in named if value is not None)
    return Options(
        ruleset=options.ruleset,
        seats=options.seats,
        pack_size=options.pack,
        ruleset_options=knobs,
        private=True,
        bid_ms=_PATIENT_MS,
        card_ms=_PATIENT_MS,
        bot_delay_ms=int(options.bot_delay * 1000),
    )


def own_name() -> str:
    """The account's name, for the table."""
    try:
        return getpass.getuser()[:_NAME_LENGTH] or "guest"
    except (OSError, KeyError):
        return "guest"


def own_language() -> str:
    """The language of the terminal as a tag (``ro-MD``), English where it says none."""
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    tag = named.partition(".")[0].replace("_", "-")
    return tag if tag and tag not in {"C", "POSIX"} else "en"
