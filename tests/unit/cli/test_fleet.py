"""Which processes a local fleet has, and whether each service takes its settings."""

import importlib
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from belot_cli.fleet import FleetPlanError, FleetSpec, Places, ServicePlan, gateway_addresses, plan_fleet, toml_of
from belot_kit.config import load_config

SPEC = FleetSpec(Path("/state"), tables=2, gateways=3)
PLACES = Places(Path("/sockets"), Path("/state"), "postgresql://x/y", "unix:///valkey", "127.0.0.1:7999")
CONFIGS = {
    "gateway": ("belot_gateway.main", "GatewayConfig"),
    "table": ("belot_table.main", "TableConfig"),
    "rules": ("belot_rules.main", "RulesConfig"),
    "dealer": ("belot_dealer.main", "DealerConfig"),
    "bot": ("belot_bot.main", "BotConfig"),
    "rating": ("belot_rating.main", "RatingConfig"),
    "beacon": ("belot_dealer.beacon_main", "BeaconConfig"),
}


def plans(places: Places = PLACES) -> dict[str, ServicePlan]:
    return {plan.name: plan for plan in plan_fleet(SPEC, places)}


def test_replicas_of_gateway_and_table_and_one_of_everything_else() -> None:
    assert list(plans()) == [
        "beacon",
        "rules",
        "bot",
        "dealer",
        "rating",
        "table-0",
        "table-1",
        "gateway-0",
        "gateway-1",
        "gateway-2",
    ]


def test_quicknet_needs_no_beacon_and_no_development() -> None:
    quicknet = plans(replace(PLACES, beacon_listen=None))
    assert "beacon" not in quicknet
    assert "development" not in quicknet["dealer"].settings
    assert "beacon" not in quicknet["dealer"].settings


def test_gateways_take_following_ports() -> None:
    assert gateway_addresses(SPEC) == ("127.0.0.1:7100", "127.0.0.1:7101", "127.0.0.1:7102")
    assert gateway_addresses(replace(SPEC, listen="[::1]:9000", gateways=1)) == ("[::1]:9000",)
    assert gateway_addresses(replace(SPEC, listen="unix:/a.sock", gateways=2)) == ("unix:/a.sock", "unix:/a.sock.1")


@pytest.mark.parametrize("listen", ["7100", "host:", ":7100", "127.0.0.1:70000", "127.0.0.1:65535", "127.0.0.1:0"])
def test_an_address_that_is_none_or_leaves_no_room_is_refused(listen: str) -> None:
    with pytest.raises(FleetPlanError, match="--listen"):
        gateway_addresses(replace(SPEC, listen=listen))


def test_everything_but_gateways_and_beacon_listens_on_a_unix_socket() -> None:
    for plan in plans().values():
        listen = plan.settings["listen"]
        assert plan.ops.startswith("unix:/sockets/")
        if plan.service not in {"gateway", "beacon"}:
            assert listen == [f"unix:/sockets/{plan.name}.sock"]


def test_gateways_stop_first_and_the_beacon_last() -> None:
    ranks = {plan.service: plan.rank for plan in plans().values()}
    assert ranks["gateway"] > ranks["table"] > ranks["dealer"] > ranks["beacon"]
    assert {ranks[each] for each in ("rules", "bot", "rating")} == {ranks["dealer"]}


@pytest.mark.parametrize("beacon", [None, "127.0.0.1:7999"])
@pytest.mark.parametrize("service", CONFIGS)
def test_each_service_takes_its_settings(tmp_path: Path, service: str, beacon: str | None) -> None:
    module, config = CONFIGS[service]
    for plan in plan_fleet(SPEC, replace(PLACES, beacon_listen=beacon)):
        if plan.service == service:
            file = tmp_path / f"{plan.name}.toml"
            file.write_text(toml_of(plan.settings))
            load_config(getattr(importlib.import_module(module), config), service, file=file, environment={})


def test_settings_survive_being_written_as_toml() -> None:
    settings = {"a": 'quo"te\\', "b": ["x", "y"], "c": True, "d": 1.5, "e": {"f": 2}, "g": "♥\n"}
    assert tomllib.loads(toml_of(settings)) == settings
