"""The fairness keeper: draws this client's part of the shuffle, keeps what it learns, holds the dealer to its words.

Each word of the dealer is checked as it comes, against everything known by then; what does not fit is an alarm, at once
and for good. At the end the packs are made again from the revealed seed and held against every card that was seen. With
a folder to keep evidence in, everything is on disk before the match goes on, and a client that starts again goes on
from there. What is kept of a match is what ``belot verify --evidence`` takes.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from belot.table.v1 import view_pb2
from belot_client.judging import Case, check_words, development, judge
from belot_client.keeping import EvidenceFolder, Kept
from belot_client.view import TableState
from belot_client.witness import Witness, evidence_of, learnt, resumed
from belot_fair.evidence import Evidence, LearntBeacon
from belot_fair.receipts import SignedReceipt
from belot_fair.recipe import CLIENT_SEED_LENGTH
from belot_fair.report import Point, Report, Verdict, failed, not_checked
from belot_fair.transcript import ChainBroken, Event

DEVELOPMENT_LABEL: Final = "DEVELOPMENT CHAIN, proves nothing about chance"
_TELLING: Final = frozenset(
    {"match_opened", "seed_received", "round_chosen", "beacon_fixed", "cards_released", "seed_revealed"}
)
_TELLING_GAME: Final = frozenset({"deal_started", "hand_dealt", "trump_chosen", "cards_left_out"})


@dataclass(frozen=True, slots=True)
class Where:
    """A folder for evidence, and whose match at which table is kept there."""

    folder: EvidenceFolder
    table_id: str
    player_id: str


class FairnessKeeper:
    """One client's watch over one match. It holds cards and a seed: keep it, and its evidence, to the player."""

    def __init__(
        self, trusted_keys: Sequence[bytes] | None = None, *, accept_development: bool = True, keep: Where | None = None
    ) -> None:
        """`trusted_keys`: the dealer's published Ed25519 keys; None: those the table names are noted and taken.

        `accept_development`: take a development beacon, too; the report then says that it proves nothing. `keep`: where
        evidence is written, and read when the client starts again. Errors: KeepingFailed.
        """
        self._trusted = None if trusted_keys is None else tuple(trusted_keys)
        self._accept_development = accept_development
        self._where = keep
        self._events: tuple[Event, ...] = ()
        self._broken: Point | None = None
        self._alarms: dict[str, Point] = {}
        kept = None if keep is None else keep.folder.load(keep.table_id, keep.player_id)
        self.witness = Witness() if kept is None else kept.witness
        self.sequence: int | None = None if kept is None else kept.sequence
        """The table's last event that the witness knows; None: nothing yet."""
        self.listed: Point | None = None
        """Whether the public list holds the commitment; None: it was not asked."""
        self._asked_for_the_rest = False

    @property
    def broken(self) -> Point | None:
        """The first thing that was found wrong; None: nothing so far."""
        return next(iter(self._alarms.values()), None)

    @property
    def alarms(self) -> tuple[Point, ...]:
        """Everything that was found wrong so far, one a point, in the order it was found."""
        return tuple(self._alarms.values())

    def draw_seed(self) -> bytes:
        """This client's 16 octets for the match: drawn once, on disk before they are given, the same ever after."""
        if not self.witness.seed:
            self._learn(replace(self.witness, seed=secrets.token_bytes(CLIENT_SEED_LENGTH)))
        return self.witness.seed

    def began(self, state: TableState, now_ms: int) -> bool:
        """A snapshot came. Whether the events since those that are kept should be sent again, as some were missed."""
        missed = self.sequence is not None and self.sequence < state.sequence
        if missed and self.witness.match_id == state.match_id and not self._asked_for_the_rest:
            self._asked_for_the_rest = True
            return True
        self.sequence = state.sequence
        self._learn(resumed(self.witness, state, now_ms))
        self._look(state)
        return False

    def saw(self, before: TableState, after: TableState, event: view_pb2.TableEvent, now_ms: int) -> None:
        """An event came: the table before and after it."""
        self.sequence, self._asked_for_the_rest = after.sequence, False
        self._take(before.viewer_seat, event, now_ms, again=False)
        if _tells(event):
            self._look(after)

    def saw_again(self, sequence: int, state: TableState, event: view_pb2.TableEvent | None, now_ms: int) -> None:
        """An event that was missed came after the snapshot that includes it."""
        self.sequence = sequence
        if event is not None:
            self._take(state.viewer_seat, event, now_ms, again=True)
        if sequence == state.sequence:
            self._look(state)

    def passed(self, sequence: int) -> None:
        """An event came that this viewer may not see."""
        self.sequence = sequence

    def got_beacon(self, beacon: LearntBeacon, receipt: SignedReceipt | None = None) -> None:
        """The client has the beacon from elsewhere, and the dealer's receipt where it was handed in."""
        kept = self.witness
        self._learn(replace(kept, beacon=kept.beacon or beacon, beacon_receipt=kept.beacon_receipt or receipt))

    def compared(self, point: Point) -> None:
        """The public list was asked for the commitment."""
        self.listed = point
        self._note(point)

    def save(self) -> None:
        """Write what is kept, as far as it is a player's and there is a folder. Errors: KeepingFailed."""
        where, kept = self._where, self.witness
        if where is not None and kept.seat is not None and kept.match_id and self.sequence is not None:
            where.folder.save(where.table_id, where.player_id, Kept(self.sequence, kept), self._trusted or ())

    def evidence(self) -> Evidence:
        """What this client kept, to be written with belot_fair.evidence.write_evidence. ValueError for a spectator."""
        return evidence_of(self.witness, self._trusted or ())

    def report(self, state: TableState) -> Report:
        """Every point that can be judged now, in the order of a match; the packs once the server seed is public."""
        self._look(state)
        label = DEVELOPMENT_LABEL if development(state) and self._accept_development else ""
        listed = () if self.listed is None else (self.listed,)
        return Report(state.match_id, (*self._points(state), *listed), label)

    def _take(self, seat: int | None, event: view_pb2.TableEvent, now_ms: int, *, again: bool) -> None:
        before, seed = self.witness, self.witness.seed
        after = learnt(before, seat, event, now_ms, again=again)
        if after.match_id != before.match_id:
            self._events = ()
        elif seed and not after.seed:
            after = replace(after, seed=seed)
        self._learn(after)

    def _learn(self, after: Witness) -> None:
        """Go on from here, and write what an evidence file holds as soon as there is more of it."""
        before, self.witness = self.witness, after
        if after is not before and _evidential(after) != _evidential(before):
            self.save()

    def _look(self, state: TableState) -> None:
        """Check the dealer's words, and hold everything that is known against them."""
        fairness = state.fairness
        if fairness is None or not fairness.transcript or self._broken is not None:
            return
        try:
            self._events = check_words(self._events, fairness.transcript, self._keys(state), state.match_id)
        except ChainBroken as broken:
            self._broken = failed(broken.point, f"Event {broken.sequence}: {broken.why}.")
        for point in self._points(state):
            unended = point.name == "commitment" and not fairness.server_seed  # it may be revealed in a moment
            if not unended:
                self._note(point)

    def _note(self, point: Point) -> None:
        if point.verdict is Verdict.FAILED:
            self._alarms.setdefault(point.name, point)

    def _points(self, state: TableState) -> tuple[Point, ...]:
        if self._broken is not None:
            return (self._broken,)
        if not self._events:
            return (not_checked("transcript", "The dealer has said nothing of this match yet."),)
        keys, trusted = self._keys(state), self._trusted or ()
        return judge(Case(state, self.witness, self._events, keys, trusted, self._accept_development))

    def _keys(self, state: TableState) -> Mapping[str, bytes]:
        named = dict(state.fairness.keys) if state.fairness else {}
        if self._trusted is None:
            return named
        return {key_id: key for key_id, key in named.items() if key in self._trusted}


def _tells(event: view_pb2.TableEvent) -> bool:
    """Whether an event says something that can contradict what was said before."""
    kind = event.WhichOneof("kind")
    return kind in _TELLING or (kind == "game" and event.game.WhichOneof("kind") in _TELLING_GAME)


def _evidential(kept: Witness) -> tuple[object, ...]:
    """What must be on disk at once; cards on the table can be read again from the table's log."""
    told = (kept.match_id, kept.commitment, kept.round, kept.beacon, kept.fallback)
    return (*told, kept.seed, kept.seed_receipt, kept.beacon_receipt, len(kept.hand_receipts), len(kept.dealt))
