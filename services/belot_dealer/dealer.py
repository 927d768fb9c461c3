"""What the commands work with: the store, the keys, the beacons, and the matches this process has seen lately."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from belot_dealer.beacons import Beacons
from belot_dealer.keys import KeyRing, SeedSeal
from belot_dealer.match import Match, Phase, Refused, follow, replay
from belot_dealer.store import SentSeed, Store, StoredMatch
from belot_fair.bodies import Revealed
from belot_fair.drand import Chain
from belot_fair.keys import Secret, SigningKey
from belot_fair.transcript import Event, SignedEvent, decode_event
from belot_kit.errors import DomainError, Reason

MOST_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was stored at some moment; a remembered one may be behind what other replicas wrote since.

    `events` are the signed octets and `decoded` what they say; `sent`, `highest_round` and `now_ms` are of the moment.
    """

    match: Match
    seed: Secret
    chain: Chain
    events: tuple[SignedEvent, ...]
    decoded: tuple[Event, ...]
    sent: tuple[SentSeed | None, ...]
    highest_round: int
    now_ms: int

    @property
    def seeds(self) -> tuple[bytes | None, ...]:
        """The seeds sent so far, by seat."""
        return tuple(None if each is None else each.seed for each in self.sent)


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dependencies of every command. `random` draws octets from the operating system, `now_ms` is our clock."""

    store: Store
    ring: KeyRing
    seal: SeedSeal
    beacons: Beacons
    now_ms: Callable[[], int]
    random: Callable[[int], bytes]
    _remembered: "OrderedDict[str, Record]" = field(default_factory=OrderedDict, repr=False)

    @property
    def key(self) -> SigningKey:
        """The key that signs what is new."""
        return self.ring.current

    def key_of(self, record: Record) -> SigningKey:
        """The key that opened the match, as long as it is at hand.

        So a rotation leaves running matches alone, and every receipt is signed by a key that their proof files hold.
        """
        return self.ring.of(record.events[0].key_id)

    @property
    def chain(self) -> Chain:
        """The chain that new matches are bound to."""
        return self.beacons.client.chain

    async def load(self, match_id: str) -> Record:
        """The match as stored now. Errors: DomainError MATCH_NOT_FOUND."""
        stored = await self.store.load(match_id)
        if stored is None:
            raise DomainError(Reason.MATCH_NOT_FOUND, "there is no such match", match_id=match_id)
        decoded = tuple(decode_event(event.octets) for event in stored.events)
        record = Record(
            match=replay(decoded),
            seed=self._seed(match_id, stored, decoded[-1]),
            chain=stored.chain,
            events=stored.events,
            decoded=decoded,
            sent=stored.sent,
            highest_round=stored.highest_round,
            now_ms=stored.now_ms,
        )
        self._remember(record)
        return record

    def _seed(self, match_id: str, stored: StoredMatch, last: Event) -> Secret:
        # A revealed seed is public: its sealing key may be gone by now.
        if isinstance(last.body, Revealed):
            return Secret(last.body.server_seed)
        return self.seal.open(match_id, stored.sealed)

    def recall(self, match_id: str) -> Record | None:
        """The match as this process saw it last, if it remembers it."""
        return self._remembered.get(match_id)

    def follow(self, record: Record, decoded: tuple[Event, ...], events: tuple[SignedEvent, ...]) -> Record:
        """The match after events that were just written on top of `record`; remembered from now on."""
        match = record.match
        for event in decoded:
            match = follow(match, event)
        record = replace(record, match=match, events=record.events + events, decoded=record.decoded + decoded)
        self._remember(record)
        return record

    def _remember(self, record: Record) -> None:
        if record.match.phase is Phase.NOTHING:
            self._remembered.pop(record.match.match_id, None)
            return
        self._remembered[record.match.match_id] = record
        self._remembered.move_to_end(record.match.match_id)
        while len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    async def public_keys(self) -> tuple[tuple[str, bytes], ...]:
        """Every key that signs, will or did, (key id, public key), the current one first."""
        kept = await self.store.signing_keys()
        at_hand = tuple((key.key_id, key.public_key) for key in self.ring.keys)
        return (*at_hand, *(each for each in kept if each not in at_hand))


@contextmanager
def guarded() -> Iterator[None]:
    """Turn a refusal of the pure rules into an error that callers understand."""
    try:
        yield
    except Refused as refused:
        raise DomainError(Reason[refused.why.name], refused.message) from None
