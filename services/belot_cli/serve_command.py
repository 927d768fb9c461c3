"""`belot serve`: one service in this process. Every service's `main.py` has a `run` that we call, and no more."""

import sys
from importlib import import_module
from pathlib import Path

from belot_cli.lifeline import end_with_parent
from belot_kit.config import ConfigError

_MODULES = {
    "gateway": "belot_gateway.main",
    "table": "belot_table.main",
    "rules": "belot_rules.main",
    "dealer": "belot_dealer.main",
    "bot": "belot_bot.main",
    "rating": "belot_rating.main",
    "beacon": "belot_dealer.beacon_main",
}


def serve(service: str, config: Path | None) -> int:
    """Run it until it is told to stop; the process's exit status."""
    end_with_parent()
    try:
        status: int = import_module(_MODULES[service]).run(config)
    except ConfigError as error:
        print(f"belot serve {service}: {error}", file=sys.stderr)
        return 1
    return status
