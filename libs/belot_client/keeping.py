"""Evidence on disk: what a client knows of its matches, written while it learns, so that no crash loses it.

Two files a match, each replaced as a whole and only once it is safe on the disk: ``MATCH.seat-N.evidence.json`` for
``belot verify --evidence``, and ``TABLE.PLAYER.witness.json``, from which a client that was started again goes on.
Both hold cards and a seed: the folder is made for its owner alone.
"""

import contextlib
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from belot_client.witness import Dealt, Shown, Witness, evidence_of
from belot_fair.documents import Fields, Json, ProofMalformed, read_document, write_document
from belot_fair.evidence import Evidence, LearntRound, read_evidence, write_evidence

FORMAT: Final = "belot.club/witness"
VERSION: Final = 1
_MOST_OCTETS: Final = 4 * 2**20
_MOST_ITEMS: Final = 100_000
_U32: Final = 2**32 - 1
_NOBODY, _LEFT_OUT = 254, 255
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


class KeepingFailed(OSError):  # noqa: N818 - it failed
    """What must be kept cannot be: no such folder, no space, or an id that is no file's name."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of a match at a table: the witness up to event `sequence` of the table."""

    sequence: int
    witness: Witness = field(repr=False)


@dataclass(frozen=True, slots=True)
class EvidenceFolder:
    """A folder with evidence of one or more players."""

    path: Path

    def load(self, table_id: str, player_id: str) -> Kept | None:
        """What was kept of the match at this table, if anything. Errors: KeepingFailed.

        Files that are damaged are set aside under another name, so that nobody takes them for evidence.
        """
        file = self._witness_file(table_id, player_id)
        try:
            kept, match_id = _read_witness(file.read_bytes())
            evidence = read_evidence(self.evidence_file(match_id, kept.witness.seat or 0).read_bytes())
        except FileNotFoundError:
            return None
        except ProofMalformed:
            with contextlib.suppress(OSError):
                file.replace(file.with_suffix(".damaged"))
            return None
        except OSError as error:
            raise KeepingFailed(error.errno, f"evidence cannot be read: {error.strerror}") from error
        return Kept(kept.sequence, _with_evidence(kept.witness, evidence))

    def save(self, table_id: str, player_id: str, kept: Kept, trusted_keys: tuple[bytes, ...]) -> None:
        """Write both files, the evidence first. Errors: KeepingFailed."""
        evidence = evidence_of(kept.witness, trusted_keys)
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            _replace(self.evidence_file(evidence.match_id, evidence.seat), write_evidence(evidence))
            _replace(self._witness_file(table_id, player_id), _write_witness(kept))
        except OSError as error:
            raise KeepingFailed(error.errno, f"evidence cannot be written: {error.strerror}") from error

    def evidence_file(self, match_id: str, seat: int) -> Path:
        """Where the evidence of a seat in a match is."""
        return self.path / f"{_file_name(match_id)}.seat-{seat}.evidence.json"

    def _witness_file(self, table_id: str, player_id: str) -> Path:
        return self.path / f"{_file_name(table_id)}.{_file_name(player_id)}.witness.json"


def _file_name(identity: str) -> str:
    """Ids come from a server: one that could leave the folder is refused."""
    if not _NAME.fullmatch(identity):
        raise KeepingFailed(None, "an id that the server gave is no file's name")
    return identity


def _replace(file: Path, octets: bytes) -> None:
    """The file has the octets, or what it had before, whatever happens in between."""
    draft = file.with_name(f"{file.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(octets)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_witness(kept: Kept) -> bytes:
    witness, fallback = kept.witness, kept.witness.fallback
    return write_document(
        {
            "format": FORMAT,
            "version": VERSION,
            "sequence": str(kept.sequence),
            "match_id": witness.match_id,
            "seat": witness.seat,
            "hand": witness.hand,
            "fallback": None if fallback is None else _round_fields(fallback),
            "dealt": [
                {"hand": each.hand, "stage": each.stage, "seat": each.seat, "cards": list(each.cards)}
                for each in witness.dealt
            ],
            "shown": [{"hand": each.hand, "card": each.card, "by": _shown_by(each)} for each in witness.shown],
            "declarers": [{"hand": hand, "seat": seat} for hand, seat in witness.declarers],
            "dealers": [{"hand": hand, "seat": seat} for hand, seat in witness.dealers],
        }
    )


def _round_fields(learnt: LearntRound) -> Json:
    return {"round": str(learnt.round), "learnt_ms": str(learnt.learnt_ms)}


def _shown_by(shown: Shown) -> int:
    if shown.seat is not None:
        return shown.seat
    return _LEFT_OUT if shown.left_out else _NOBODY


def _read_witness(octets: bytes) -> tuple[Kept, str]:
    fields = read_document(octets, "witness", FORMAT, VERSION, _MOST_OCTETS)
    sequence, match_id = fields.u64("sequence"), fields.text("match_id")
    witness = Witness(
        match_id=match_id,
        seat=fields.integer("seat", 0, 3),
        hand=fields.integer("hand", 0, _U32),
        fallback=_read_round(fields.optional("fallback")),
        dealt=tuple(map(_read_dealt, fields.objects("dealt", _MOST_ITEMS))),
        shown=tuple(map(_read_shown, fields.objects("shown", _MOST_ITEMS))),
        declarers=tuple(map(_read_seat, fields.objects("declarers", _MOST_ITEMS))),
        dealers=tuple(map(_read_seat, fields.objects("dealers", _MOST_ITEMS))),
    )
    fields.done()
    return Kept(sequence, witness), match_id


def _read_round(fields: Fields | None) -> LearntRound | None:
    return None if fields is None else LearntRound(fields.u64("round"), fields.u64("learnt_ms"))


def _read_dealt(fields: Fields) -> Dealt:
    hand, stage, seat = fields.integer("hand", 0, _U32), fields.integer("stage", 0, 255), fields.integer("seat", 0, 3)
    return Dealt(hand, stage, seat, fields.integers("cards", 0, 31, 32))


def _read_shown(fields: Fields) -> Shown:
    hand, card, by = fields.integer("hand", 0, _U32), fields.integer("card", 0, 31), fields.integer("by", 0, 255)
    return Shown(hand, card, by if by < _NOBODY else None, left_out=by == _LEFT_OUT)


def _read_seat(fields: Fields) -> tuple[int, int]:
    return fields.integer("hand", 0, _U32), fields.integer("seat", 0, 3)


def _with_evidence(witness: Witness, evidence: Evidence) -> Witness:
    if (evidence.match_id, evidence.seat) != (witness.match_id, witness.seat):
        raise ProofMalformed("the evidence is of another match or seat")
    return replace(
        witness,
        commitment=evidence.commitment,
        round=evidence.round,
        beacon=evidence.beacon,
        seed=evidence.seed,
        seed_receipt=evidence.seed_receipt,
        hand_receipts=evidence.hand_receipts,
        beacon_receipt=evidence.beacon_receipt,
    )
