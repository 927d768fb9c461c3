"""Which processes a local fleet has, with which settings, in which order. Pure: a specification in, plans out.

Everything but the gateways listens on unix sockets, so a local fleet needs no TLS inside.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from belot_cli.probe import split_address

SIGNING_KEY = "dealer-signing.key"
SEAL_KEYS = "dealer-seals.key"
TOKEN_KEYS = "gateway-tokens.pem"  # noqa: S105 - a file's name
DEFAULT_LISTEN = "127.0.0.1:7100"
_MOST_REPLICAS = 16
_UNIX = "unix:"
_RANKS = {"beacon": 0, "rules": 1, "bot": 1, "dealer": 1, "rating": 1, "table": 2, "gateway": 3}

Value = str | int | float | bool | list[str] | Mapping[str, "Value"]
Settings = Mapping[str, Value]


class FleetPlanError(ValueError):
    """A fleet that cannot be; the text says why and what to do."""


class BeaconChoice(StrEnum):
    """Which drand chain the dealer deals by: AUTO is quicknet where a relay answers, else the development beacon."""

    AUTO = "auto"
    QUICKNET = "quicknet"
    DEV = "dev"


@dataclass(frozen=True, slots=True)
class FleetSpec:
    """What was asked for. `listen` is the first gateway's ``host:port`` or ``unix:/path``; others follow it."""

    state: Path
    listen: str = DEFAULT_LISTEN
    beacon: BeaconChoice = BeaconChoice.AUTO
    tables: int = 1
    gateways: int = 1
    log_level: str = "INFO"


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything is. `beacon_listen` is the development beacon's ``host:port``, None for quicknet."""

    sockets: Path
    state: Path
    dsn: str
    valkey_url: str
    beacon_listen: str | None


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """One process: a name (``table-0``), the service it runs, its settings, where its ops port is.

    At the end those of the highest rank stop first, so that nobody loses what he depends on.
    """

    name: str
    service: str
    settings: Settings
    ops: str
    rank: int


def gateway_addresses(spec: FleetSpec) -> tuple[str, ...]:
    """Where the gateways listen. Errors: FleetPlanError."""
    if not 1 <= spec.gateways <= _MOST_REPLICAS or not 1 <= spec.tables <= _MOST_REPLICAS:
        raise FleetPlanError(f"a fleet has 1 to {_MOST_REPLICAS} gateways and tables")
    if spec.listen.startswith(_UNIX):
        return tuple(f"{spec.listen}{f'.{n}' if n else ''}" for n in range(spec.gateways))
    try:
        _, port = split_address(spec.listen)
    except ValueError as error:
        raise FleetPlanError(f"--listen: {error}") from None
    if not 1 <= port <= 65_536 - spec.gateways:
        raise FleetPlanError(f"--listen: port {port} leaves no room for {spec.gateways} gateways")
    return tuple(f"{spec.listen.rpartition(':')[0]}:{port + n}" for n in range(spec.gateways))


def plan_fleet(spec: FleetSpec, places: Places) -> tuple[ServicePlan, ...]:
    """The processes, those that others need first; all may be started at once, as each waits for what it needs."""
    tables = tuple(f"table-{number}" for number in range(spec.tables))
    gateways = tuple(
        _gateway(spec, places, f"gateway-{number}", address, tables)
        for number, address in enumerate(gateway_addresses(spec))
    )
    behind = (_rules(spec, places), _bot(spec, places), _dealer(spec, places), _rating(spec, places))
    beacon = () if places.beacon_listen is None else (_beacon(spec, places, places.beacon_listen),)
    return (*beacon, *behind, *(_table(spec, places, name) for name in tables), *gateways)


def _socket(places: Places, name: str) -> str:
    return f"{_UNIX}{places.sockets / name}.sock"


def _plan(spec: FleetSpec, places: Places, name: str, settings: Settings, listen: str = "") -> ServicePlan:
    ops = f"{_UNIX}{places.sockets / name}.ops"
    shared: Settings = {
        "listen": [listen or _socket(places, name)],
        "ops_listen": ops,
        "logs": {"level": spec.log_level, "rpc_sample": 1.0},
    }
    service = name.partition("-")[0]
    return ServicePlan(name, service, {**shared, **settings}, ops, _RANKS[service])


def _rules(spec: FleetSpec, places: Places) -> ServicePlan:
    return _plan(spec, places, "rules", {"postgres_dsn": places.dsn, "postgres_role": "belot_rules"})


def _bot(spec: FleetSpec, places: Places) -> ServicePlan:
    return _plan(spec, places, "bot", {})


def _dealer(spec: FleetSpec, places: Places) -> ServicePlan:
    development: Settings = {
        "development": True,
        "beacon": "dev",
        "dev_relays": [f"http://{places.beacon_listen}"],
    }
    settings: Settings = {
        "postgres_dsn": places.dsn,
        "postgres_role": "belot_dealer",
        "signing_key_file": str(places.state / "secrets" / SIGNING_KEY),
        "seal_keys_file": str(places.state / "secrets" / SEAL_KEYS),
    }
    return _plan(spec, places, "dealer", {**settings, **(development if places.beacon_listen else {})})


def _rating(spec: FleetSpec, places: Places) -> ServicePlan:
    return _plan(spec, places, "rating", {"postgres_dsn": places.dsn, "postgres_role": "belot_rating"})


def _table(spec: FleetSpec, places: Places, name: str) -> ServicePlan:
    settings: Settings = {
        "postgres_dsn": places.dsn,
        "postgres_role": "belot_table",
        "valkey_url": places.valkey_url,
        "rules_addresses": [_socket(places, "rules")],
        "dealer_addresses": [_socket(places, "dealer")],
        "bot_addresses": [_socket(places, "bot")],
        "rating_addresses": [_socket(places, "rating")],
    }
    return _plan(spec, places, name, settings)


def _gateway(spec: FleetSpec, places: Places, name: str, address: str, tables: tuple[str, ...]) -> ServicePlan:
    settings: Settings = {
        "valkey_url": places.valkey_url,
        "table_addresses": [_socket(places, table) for table in tables],
        "rules_addresses": [_socket(places, "rules")],
        "dealer_addresses": [_socket(places, "dealer")],
        "bot_addresses": [_socket(places, "bot")],
        "token_key_file": str(places.state / "secrets" / TOKEN_KEYS),
        "create_token_key": True,
    }
    return _plan(spec, places, name, settings, address)


def _beacon(spec: FleetSpec, places: Places, listen: str) -> ServicePlan:
    plan = _plan(spec, places, "beacon", {"state_dir": str(places.state / "secrets")})
    return replace(plan, settings={**plan.settings, "listen": listen, "logs": {"level": spec.log_level}})


def toml_of(settings: Settings) -> str:
    """Settings as a TOML file: plain values first, then a section for every mapping."""
    plain = [f"{key} = {_toml_value(value)}" for key, value in settings.items() if not isinstance(value, Mapping)]
    sections = [
        f"\n[{key}]\n{toml_of(value)}".rstrip() for key, value in settings.items() if isinstance(value, Mapping)
    ]
    return "\n".join((*plain, *sections)) + "\n"


def _toml_value(value: Value) -> str:
    # JSON's texts, numbers, booleans and lists of texts are TOML's, too.
    return json.dumps(value, ensure_ascii=True)
