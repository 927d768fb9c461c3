"""Settings: where they come from, what wins, and everything that keeps a service from starting."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import pytest

from belot_kit.config import ConfigError, load_config


class Level(Enum):
    """Two levels."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Postgres:
    """A part."""

    dsn: str
    pool: int = 4
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Sample:
    """A whole."""

    postgres: Postgres
    listen: tuple[str, ...] = ("127.0.0.1:0",)
    level: Level = Level.LOW
    share: float = 1.0
    dark: bool = False
    state: Path | None = None
    retries: int | None = 3

    def __post_init__(self) -> None:
        if self.share > 1:
            raise ValueError("share is at most 1")


def load(tmp_path: Path, text: str, **environment: str) -> Sample:
    """Load from a file with this text and these variables."""
    file = tmp_path / "sample.toml"
    file.write_text(text)
    return load_config(Sample, "sample", file=file, environment=environment)


def test_everything_can_come_from_the_environment() -> None:
    environment = {
        "BELOT_SAMPLE__POSTGRES__DSN": "postgresql://x",
        "BELOT_SAMPLE__POSTGRES__POOL": "7",
        "BELOT_SAMPLE__LISTEN": "unix:/a, 0.0.0.0:1",
        "BELOT_SAMPLE__LEVEL": "high",
        "BELOT_SAMPLE__SHARE": "0.5",
        "BELOT_SAMPLE__DARK": "yes",
        "BELOT_SAMPLE__STATE": "/var/x",
        "BELOT_SAMPLE__RETRIES": "",
        "BELOT_OTHER__UNKNOWN": "somebody else's",
    }
    assert load_config(Sample, "sample", environment=environment) == Sample(
        Postgres("postgresql://x", 7), ("unix:/a", "0.0.0.0:1"), Level.HIGH, 0.5, True, Path("/var/x"), None
    )


def test_the_environment_wins_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    text = 'listen = ["a:1"]\n[postgres]\ndsn = "from file"\npool = 5\n'
    loaded = load(tmp_path, text, BELOT_SAMPLE__POSTGRES__DSN="from environment")
    assert (loaded.postgres.dsn, loaded.postgres.pool, loaded.listen) == ("from environment", 5, ("a:1",))
    assert loaded.level is Level.LOW


def test_a_secret_comes_from_a_file_and_is_never_shown(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret\n")
    text = f'[postgres]\ndsn = "x"\npassword_file = "{tmp_path}/password"\n'
    loaded = load(tmp_path, text)
    assert loaded.postgres.password == "s3cret"
    assert "s3cret" not in repr(loaded)


def test_a_secret_file_in_the_environment_replaces_a_value_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("new")
    text = '[postgres]\ndsn = "x"\npassword = "old"\n'
    loaded = load(tmp_path, text, BELOT_SAMPLE__POSTGRES__PASSWORD_FILE=str(tmp_path / "password"))
    assert loaded.postgres.password == "new"


WRONG = {
    "unknown = 1": "unknown is unknown",
    "[postgres]\ndns = 'x'": "postgres.dns is unknown; postgres.dsn is missing",
    "": "postgres.dsn is missing",
    "share = 'much'": "share must be a number",
    "dark = 'perhaps'": "dark must be true or false",
    "level = 'middle'": "level must be one of low, high",
    "listen = 5": "listen must be a list",
    "retries = 1.5": "retries must be a whole number",
    "retries = true": "retries must be a whole number",
    "postgres = 'dsn'": "postgres must be a table of fields",
    "share = 2\n[postgres]\ndsn = 'x'": "share is at most 1",
    "[postgres]\ndsn = 'x'\npassword = 'a'\npassword_file = 'b'": "postgres.password is given twice",
    "[postgres]\ndsn = 'x'\npassword_file = '/nowhere/at/all'": "postgres.password_file cannot be read",
    "share = ": "is not TOML",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(tmp_path, text)
    assert message in str(refused.value)


def test_all_wrong_settings_are_told_at_once_and_without_their_values() -> None:
    environment = {"BELOT_SAMPLE__SHARE": "s3cret", "BELOT_SAMPLE__POSTGRES__PASWORD": "s3cret"}
    with pytest.raises(ConfigError) as refused:
        load_config(Sample, "sample", environment=environment)
    text = str(refused.value)
    assert "postgres.pasword is unknown" in text
    assert "share must be a number" in text
    assert "s3cret" not in text


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        load_config(Sample, "sample", file=tmp_path / "gone.toml", environment={})
