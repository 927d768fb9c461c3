"""Evidence on disk: what is written is read again, by its owner alone, and nothing damaged is taken for evidence."""

import random
from pathlib import Path

import pytest

from belot_client.keeping import EvidenceFolder, KeepingFailed, Kept
from belot_client.witness import Dealt, Shown, Witness
from belot_fair.evidence import LearntBeacon, LearntCommitment, LearntRound
from belot_fair.receipts import SignedReceipt


def some_witness(seed: int) -> Witness:
    """A witness with something of everything."""
    draw = random.Random(seed)

    def receipt() -> SignedReceipt:
        return SignedReceipt(draw.randbytes(90), draw.randbytes(8).hex(), draw.randbytes(64))

    shown = [Shown(draw.randrange(9), draw.randrange(32), draw.randrange(4)) for _ in range(20)]
    return Witness(
        match_id="match-1",
        seat=draw.randrange(4),
        commitment=LearntCommitment(draw.randbytes(32), draw.randrange(2**41)),
        round=LearntRound(draw.randrange(2**64), draw.randrange(2**41)),
        beacon=LearntBeacon(draw.randrange(2**64), draw.randbytes(48), draw.randrange(2**41)),
        seed=draw.randbytes(16),
        seed_receipt=receipt(),
        hand_receipts=tuple(receipt() for _ in range(3)),
        beacon_receipt=receipt(),
        fallback=LearntRound(draw.randrange(2**64), draw.randrange(2**41)),
        dealt=(Dealt(0, 0, 1, tuple(draw.sample(range(32), 5))), Dealt(0, 1, 1, tuple(draw.sample(range(32), 3)))),
        shown=(*shown, Shown(1, 4), Shown(1, 5, left_out=True)),
        declarers=((0, 1), (1, 3)),
        dealers=((0, 0), (1, 1)),
        hand=1,
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_written_is_read_again(tmp_path: Path, seed: int) -> None:
    folder, kept = EvidenceFolder(tmp_path / "kept"), Kept(2**40 + seed, some_witness(seed))
    folder.save("table", "player", Kept(1, Witness("match-1", kept.witness.seat)), ())
    folder.save("table", "player", kept, (bytes(32),))
    assert folder.load("table", "player") == kept
    assert folder.load("table", "another") is None


def test_the_files_are_their_owners_alone(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path / "kept")
    folder.save("table", "player", Kept(1, some_witness(1)), ())
    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.path.iterdir()} == {0o600}
    assert len(list(folder.path.iterdir())) == 2


@pytest.mark.parametrize("name", ["witness", "evidence"])
def test_a_damaged_file_is_set_aside_and_not_believed(tmp_path: Path, name: str) -> None:
    folder = EvidenceFolder(tmp_path)
    folder.save("table", "player", Kept(1, some_witness(1)), ())
    file = next(tmp_path.glob(f"*.{name}.json"))
    file.write_bytes(file.read_bytes()[:-40])
    assert folder.load("table", "player") is None
    assert list(tmp_path.glob("*.damaged"))
    folder.save("table", "player", Kept(2, some_witness(2)), ())
    assert folder.load("table", "player") == Kept(2, some_witness(2))


def test_a_write_that_was_cut_short_leaves_what_was_there(tmp_path: Path) -> None:
    folder, kept = EvidenceFolder(tmp_path), Kept(1, some_witness(1))
    folder.save("table", "player", kept, ())
    for file in list(tmp_path.iterdir()):
        file.with_name(f"{file.name}.draft").write_bytes(b"{")
    assert folder.load("table", "player") == kept


@pytest.mark.parametrize("identity", ["", "../out", "a/b", "a\0b", "."])
def test_an_id_cannot_lead_out_of_the_folder(tmp_path: Path, identity: str) -> None:
    with pytest.raises(KeepingFailed, match="no file's name"):
        EvidenceFolder(tmp_path).load(identity, "player")


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeepingFailed, match="cannot be written"):
        EvidenceFolder(tmp_path / "file").save("table", "player", Kept(1, some_witness(1)), ())


def test_no_repr_shows_a_seed_or_cards() -> None:
    witness = some_witness(1)
    shown = repr(Kept(1, witness))
    assert repr(witness.seed) not in shown
    assert "dealt=" not in shown
