"""The state directory of a local fleet."""

from pathlib import Path

import pytest

from belot_cli.state_dir import (
    RunningFleet,
    StateDirError,
    forget_fleet,
    is_locked,
    locked,
    open_state_dir,
    record_fleet,
    running_fleet,
    secret_file,
    wipe,
)


def test_only_its_user_enters_and_only_its_user_reads_keys(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    key = secret_file(state, "jwt.key")
    assert state.stat().st_mode & 0o777 == 0o700
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(bytes.fromhex(key.read_text())) == 32


def test_a_key_is_made_once(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    first = secret_file(state, "seeds.key").read_text()
    assert secret_file(state, "seeds.key").read_text() == first
    assert [file.name for file in (state / "secrets").iterdir()] == ["seeds.key"]


def test_a_second_fleet_is_refused_with_what_to_do(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    with locked(state):
        record_fleet(state, RunningFleet(17, ("127.0.0.1:7100",), "belot-dev"))
        refused = r"already running .*process 17, gateway 127.0.0.1:7100.*--state-dir"
        with pytest.raises(StateDirError, match=refused), locked(state):
            pass
        assert is_locked(state)
    assert not is_locked(state)


def test_a_running_fleet_is_recorded_and_forgotten(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    fleet = RunningFleet(17, ("127.0.0.1:7100", "127.0.0.1:7101"), "quicknet", (("table-0", 18),))
    record_fleet(state, fleet)
    assert running_fleet(state) == fleet
    forget_fleet(state)
    assert running_fleet(state) is None


def test_a_directory_with_other_files_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StateDirError, match="holds other files"):
        open_state_dir(tmp_path)


def test_wiping_deletes_a_state_directory_and_nothing_else(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    other = tmp_path / "other"
    other.mkdir()
    assert wipe(state)
    assert not state.exists()
    assert not wipe(state)
    with pytest.raises(StateDirError, match="is not a state directory"):
        wipe(other)


def test_a_running_fleet_is_not_wiped(tmp_path: Path) -> None:
    state = open_state_dir(tmp_path / "belot")
    with locked(state), pytest.raises(StateDirError, match="stop it first"):
        wipe(state)
    assert state.exists()
