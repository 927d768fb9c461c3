"""Key files and sealed seeds."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from belot_dealer.keys import KeyFileError, SealBroken, SealedSeed, SeedSeal, load_seed_seal, load_signing_key
from belot_fair.keys import Secret

ONE, OTHER = bytes([1]) * 32, bytes([2]) * 32
SEED = Secret(bytes(range(32)))


def test_a_sealed_seed_opens_for_its_match_alone() -> None:
    seal = SeedSeal((ONE,))
    sealed = seal.seal("a", SEED)
    assert SEED.reveal() not in sealed.octets
    assert seal.open("a", sealed) == SEED
    with pytest.raises(SealBroken):
        seal.open("b", sealed)


def test_a_seed_is_never_sealed_twice_alike() -> None:
    seal = SeedSeal((ONE,))
    assert seal.seal("a", SEED).octets != seal.seal("a", SEED).octets


@pytest.mark.parametrize("at", [0, 12, 43, 59])
def test_a_sealed_seed_that_was_changed_does_not_open(at: int) -> None:
    seal = SeedSeal((ONE,))
    sealed = seal.seal("a", SEED)
    octets = bytearray(sealed.octets)
    octets[at] ^= 1
    with pytest.raises(SealBroken):
        seal.open("a", SealedSeed(bytes(octets), sealed.key_id))


def test_after_a_rotation_old_seeds_open_and_new_ones_take_the_new_key() -> None:
    old = SeedSeal((ONE,)).seal("a", SEED)
    rotated = SeedSeal((OTHER, ONE))
    assert rotated.open("a", old) == SEED
    assert rotated.seal("a", SEED).key_id != old.key_id
    with pytest.raises(SealBroken):
        SeedSeal((OTHER,)).open("a", old)


def test_a_seal_shows_no_key_and_is_not_pickled() -> None:
    seal = SeedSeal((ONE,))
    assert ONE.hex() not in repr(seal)
    with pytest.raises(TypeError):
        pickle.dumps(seal)


def test_a_missing_key_is_made_in_development_only(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "signing.key"
    with pytest.raises(KeyFileError):
        load_signing_key(file, create=False)
    made = load_signing_key(file, create=True)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_signing_key(file, create=False).public_key == made.public_key
    assert [each.name for each in file.parent.iterdir()] == ["signing.key"]


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = list(threads.map(lambda _: load_signing_key(tmp_path / "key", create=True).key_id, range(32)))
    assert len(set(keys)) == 1


def test_a_key_file_may_hold_old_keys_and_comments(tmp_path: Path) -> None:
    file = tmp_path / "seal.keys"
    file.write_text(f"# since spring\n{OTHER.hex()}\n\n{ONE.hex()}\n")
    file.chmod(0o640)
    assert load_seed_seal(file, create=False).open("a", SeedSeal((ONE,)).seal("a", SEED)) == SEED


@pytest.mark.parametrize("text", ["", "# nothing\n", "xyz\n", ONE.hex()[:-2], "é" * 64])
def test_a_file_without_keys_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(KeyFileError) as refused:
        load_signing_key(file, create=True)
    assert not text.strip() or text.strip() not in str(refused.value)


def test_a_file_that_everybody_reads_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(ONE.hex())
    file.chmod(0o644)
    with pytest.raises(KeyFileError, match="everybody"):
        load_signing_key(file, create=False)
