"""Relays, their operators and turns, and the settings that name them."""

from pathlib import Path

import pytest

from belot_dealer.main import BeaconChoice, DealerConfig
from belot_dealer.relays import QUICKNET_RELAYS, in_turn, is_loopback, relay
from belot_kit.config import ConfigError, load_config

NEEDED = {
    "BELOT_DEALER__POSTGRES_DSN": "postgresql:///x",
    "BELOT_DEALER__SIGNING_KEY_FILE": "/keys/signing",
    "BELOT_DEALER__SEAL_KEYS_FILE": "/keys/seal",
}


def settings(**others: str) -> DealerConfig:
    """The dealer's settings from its environment."""
    given = {f"BELOT_DEALER__{name.upper()}": value for name, value in others.items()}
    return load_config(DealerConfig, "dealer", environment=NEEDED | given)


@pytest.mark.parametrize(
    ("url", "operator"),
    [
        ("https://api2.drand.sh/", "drand.sh"),
        ("https://drand.cloudflare.com", "cloudflare.com"),
        ("http://127.0.0.1:7109", "127.0.0.1:7109"),
        ("http://localhost:7109", "localhost"),
    ],
)
def test_the_domain_tells_the_operator(url: str, operator: str) -> None:
    assert relay(url).operator == operator


@pytest.mark.parametrize("url", ["ftp://drand.sh", "api.drand.sh", "https://", "https://a@drand.sh", "https://a.b?c=d"])
def test_anything_but_a_plain_address_is_no_relay(url: str) -> None:
    with pytest.raises(ValueError, match="relay"):
        relay(url)


def test_neighbours_in_turn_have_different_operators() -> None:
    turn = in_turn([relay(f"https://api{number}.drand.sh") for number in (1, 2, 3)] + [relay("https://x.example.com")])
    assert [each.operator for each in turn] == ["drand.sh", "example.com", "drand.sh", "drand.sh"]
    assert {each.operator for each in in_turn([relay(url) for url in QUICKNET_RELAYS])[:2]} == {
        "drand.sh",
        "cloudflare.com",
    }


def test_production_takes_quicknet_by_default_from_two_operators() -> None:
    config = settings()
    assert (config.beacon, config.relays, config.development) == (BeaconChoice.QUICKNET, QUICKNET_RELAYS, False)


@pytest.mark.parametrize(
    "others",
    [
        {"beacon": "dev", "dev_relays": "http://127.0.0.1:7109"},
        {"beacon": "dev", "development": "true"},
        {"beacon": "other"},
        {"relays": "https://api.drand.sh,https://api2.drand.sh"},
        {"relays": "nowhere,https://api2.drand.sh"},
        {"clock_check_seconds": "0"},
    ],
)
def test_settings_that_would_weaken_the_deal_refuse_to_start(others: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        settings(**others)


def test_development_takes_a_beacon_of_its_own() -> None:
    config = settings(beacon="dev", development="true", dev_relays="http://127.0.0.1:1,http://127.0.0.1:2")
    assert config.dev_relays == ("http://127.0.0.1:1", "http://127.0.0.1:2")
    assert config.signing_key_file == Path("/keys/signing")


@pytest.mark.parametrize(
    ("url", "loopback"),
    [("http://127.0.0.1:1", True), ("http://[::1]:1", True), ("http://localhost", True), ("http://0.0.0.0:1", False)],
)
def test_loopback_is_told_from_the_rest(url: str, loopback: bool) -> None:
    assert is_loopback(url) == loopback
