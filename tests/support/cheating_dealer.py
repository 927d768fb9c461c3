"""A dealer that lies: it stands before a real one, holds its key and its secrets, and changes what it says.

What it says is chained and signed as the real dealer's words are, receipts included, and its packs follow from what it
claims; so nothing but the lie itself can give it away.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

import grpc
from google.protobuf.message import Message

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot_dealer.dev_beacon import DevBeacon
from belot_dealer.keys import load_seed_seal, load_signing_key
from belot_dealer.main import DealerConfig, app_options
from belot_dealer.servicer import SERVICE
from belot_dealer.store import PACKAGE, PostgresStore
from belot_fair.bodies import Beacon, Body, Fallback, Hand, Opened, RoundChosen, Seeds
from belot_fair.drand import Chain, time_of, verify
from belot_fair.keys import SigningKey
from belot_fair.receipts import HandReceipt, Receipt, SeedReceipt, decode_receipt, sign_receipt
from belot_fair.recipe import NO_VALUE, shuffle
from belot_fair.transcript import NO_PREVIOUS, Event, SignedEvent, decode_event, event_hash, sign
from belot_kit.app import running
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.postgres import PostgresOptions, open_pool

Pack = tuple[int, ...]
ServerSeed = Callable[[str], Awaitable[bytes]]
Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"
_LONGEST_CALL_S = 10.0


@dataclass(frozen=True, slots=True)
class Lie:
    """What a dealer changes; a field left away is said honestly.

    `falls_back_after`: it claims to have fallen back so long (ms) after the round's time, though it had the beacon, and
    if it is `patient` it says so not before that time. `unlisted` keeps the match out of the public list.
    """

    name: str
    opened: Callable[[Opened], Opened] = lambda honest: honest
    chosen: Callable[[RoundChosen], RoundChosen] = lambda honest: honest
    falls_back_after: int | None = None
    patient: bool = False
    hand: Callable[[Hand], Hand] = lambda honest: honest
    pack: Callable[[Callable[[int], Pack], int], Pack] = lambda made, hand: made(hand)
    unlisted: bool = False


@dataclass(slots=True)
class Forgery:
    """A match as the liar tells it: `said` are the events in their order."""

    lie: Lie
    chain: Chain
    said: list[Event] = field(default_factory=list)

    @property
    def opened(self) -> Opened:
        """What is told of the opening."""
        return next(event.body for event in self.said if isinstance(event.body, Opened))

    @property
    def chosen(self) -> RoundChosen:
        """What is told of the round."""
        return next(event.body for event in self.said if isinstance(event.body, RoundChosen))

    @property
    def answer(self) -> Beacon | Fallback:
        """What is told of the beacon."""
        return next(event.body for event in self.said if isinstance(event.body, Beacon | Fallback))

    def pack(self, server_seed: bytes, hand: int) -> Pack:
        """The pack that is dealt: as it follows from what was told, and then as the lie changes it."""
        closed = next(event.body for event in self.said if isinstance(event.body, Seeds))
        seeds = tuple(seat.seed for seat in closed.seats)
        drawn = (self.answer.round, self.answer.value) if isinstance(self.answer, Beacon) else (0, NO_VALUE)
        return self.lie.pack(lambda k: shuffle(server_seed, k, seeds, *drawn, self.opened.pack_size), hand)


class CheatingDealer:
    """The dealer's service with lies: the next match that is opened gets the one in `lie`."""

    def __init__(
        self,
        honest: "dealer_pb2_grpc.DealerServiceAsyncStub",
        key: SigningKey,
        server_seed: ServerSeed,
        beacon: DevBeacon,
    ) -> None:
        """`honest` does the work, `key` signs, `server_seed` gives a match's secret, `beacon` signs any round."""
        self.lie = Lie("none")
        self.honest = honest
        self._key = key
        self._server_seed = server_seed
        self._beacon = beacon
        self._matches: dict[str, Forgery] = {}

    def register(self, server: grpc.aio.Server) -> None:
        """Serve it."""
        servicer = cast("dealer_pb2_grpc.DealerServiceServicer", self)
        dealer_pb2_grpc.add_DealerServiceServicer_to_server(servicer, server)

    def __getattr__(self, name: str) -> Callable[[Message, Context], Awaitable[Message]]:
        """What it does not lie about is what the honest dealer says."""
        if not name[0].isupper():
            raise AttributeError(name)

        async def forward(request: Message, context: Context) -> Message:
            method: grpc.aio.UnaryUnaryMultiCallable[Message, Message] = getattr(self.honest, name)
            return await call(method, request)

        return forward

    async def OpenMatch(  # noqa: N802
        self, request: dealer_pb2.OpenMatchRequest, context: Context
    ) -> dealer_pb2.OpenMatchResponse:
        """Opens, perhaps with something else bound than was asked for."""
        answer = await call(self.honest.OpenMatch, request)
        match = self._matches.setdefault(request.match_id, Forgery(self.lie, self._beacon.chain))
        answer.event.CopyFrom(self._told(match, answer.event))
        answer.commitment = match.opened.commitment
        return answer

    async def SubmitSeed(  # noqa: N802
        self, request: dealer_pb2.SubmitSeedRequest, context: Context
    ) -> dealer_pb2.SubmitSeedResponse:
        """Takes a seed and signs for it under the commitment that was told."""
        answer = await call(self.honest.SubmitSeed, request)
        receipt = decode_receipt(answer.receipt.octets)
        assert isinstance(receipt, SeedReceipt)
        told = replace(receipt, commitment=self._matches[request.match_id].opened.commitment)
        answer.receipt.CopyFrom(self._receipt(told))
        return answer

    async def CloseSeeds(  # noqa: N802
        self, request: dealer_pb2.CloseSeedsRequest, context: Context
    ) -> dealer_pb2.CloseSeedsResponse:
        """Closes the seeds, perhaps with a round of its own choice."""
        answer = await call(self.honest.CloseSeeds, request)
        match = self._matches[request.match_id]
        told = [self._told(match, event) for event in answer.events]
        del answer.events[:]
        answer.events.extend(told)
        answer.round, answer.round_due_ms = match.chosen.round, time_of(match.chain, match.chosen.round)
        return answer

    async def FixBeacon(  # noqa: N802
        self, request: dealer_pb2.FixBeaconRequest, context: Context
    ) -> dealer_pb2.FixBeaconResponse:
        """Fixes the value, perhaps none."""
        answer = await call(self.honest.FixBeacon, request, most_s=_LONGEST_CALL_S)
        match = self._matches[request.match_id]
        wait_ms = time_of(match.chain, match.chosen.round) + (match.lie.falls_back_after or 0) - _now_ms()
        if match.lie.patient and wait_ms > 0:
            raise DomainError(Reason.BEACON_NOT_READY, "the beacon is not decided yet", retry_after_ms=wait_ms)
        answer.event.CopyFrom(self._told(match, answer.event))
        told = match.answer
        if isinstance(told, Beacon):
            answer.round, answer.signature, answer.value = told.round, told.signature, told.value
        else:
            answer.fallback, answer.round, answer.signature, answer.value = True, 0, b"", NO_VALUE
        return answer

    async def ReleaseCards(  # noqa: N802
        self, request: dealer_pb2.ReleaseCardsRequest, context: Context
    ) -> dealer_pb2.ReleaseCardsResponse:
        """Gives out cards of the pack that the lie makes, with receipts for them."""
        answer = await call(self.honest.ReleaseCards, request)
        match = self._matches[request.match_id]
        answer.event.CopyFrom(self._told(match, answer.event))
        hand = decode_event(answer.event.octets).body
        assert isinstance(hand, Hand)
        pack = match.pack(await self._server_seed(request.match_id), hand.hand)
        for each in answer.cards:
            each.card = common_pb2.Card.values()[pack[each.position] + 1]
        for signed in answer.receipts:
            receipt = decode_receipt(signed.receipt.octets)
            assert isinstance(receipt, HandReceipt)
            cards = tuple((at, pack[at]) for at, _ in receipt.cards)
            signed.receipt.CopyFrom(self._receipt(replace(receipt, hand=hand.hand, cards=cards)))
        return answer

    async def RevealMatch(  # noqa: N802
        self, request: dealer_pb2.RevealMatchRequest, context: Context
    ) -> dealer_pb2.RevealMatchResponse:
        """Reveals the server seed: this much is true."""
        answer = await call(self.honest.RevealMatch, request)
        answer.event.CopyFrom(self._told(self._matches[request.match_id], answer.event))
        return answer

    async def GetTranscript(  # noqa: N802
        self, request: dealer_pb2.GetTranscriptRequest, context: Context
    ) -> dealer_pb2.GetTranscriptResponse:
        """What was told, not what was done."""
        answer = await call(self.honest.GetTranscript, request)
        told = [self._told(self._matches[request.match_id], event) for event in answer.events]
        del answer.events[:]
        answer.events.extend(told)
        return answer

    async def ListCommitments(  # noqa: N802
        self, request: dealer_pb2.ListCommitmentsRequest, context: Context
    ) -> dealer_pb2.ListCommitmentsResponse:
        """The public list, without the matches that are to be forgotten, and with the commitments that were told."""
        answer = await call(self.honest.ListCommitments, request)
        page = dealer_pb2.ListCommitmentsResponse(next_page_token=answer.next_page_token)
        for each in answer.commitments:
            match = self._matches.get(each.match_id)
            if match is not None:
                each.commitment = match.opened.commitment
            if match is None or not match.lie.unlisted:
                page.commitments.append(each)
        return page

    def _told(self, match: Forgery, honest: dealer_pb2.SignedEvent) -> dealer_pb2.SignedEvent:
        """An event as the liar says it: the same at every time it is asked for."""
        event = decode_event(honest.octets)
        if event.sequence == len(match.said):
            body, time_ms = self._lied(match, event)
            last = match.said[-1] if match.said else None
            time_ms = max(time_ms, last.time_ms if last else 0)
            previous = NO_PREVIOUS if last is None else event_hash(last)
            match.said.append(replace(event, body=body, time_ms=time_ms, previous_hash=previous))
        signed: SignedEvent = sign(match.said[event.sequence], self._key)
        return dealer_pb2.SignedEvent(octets=signed.octets, key_id=signed.key_id, signature=signed.signature)

    def _lied(self, match: Forgery, event: Event) -> tuple[Body, int]:
        body, lie = event.body, match.lie
        if isinstance(body, Opened):
            return lie.opened(body), event.time_ms
        if isinstance(body, RoundChosen):
            return lie.chosen(body), event.time_ms
        if isinstance(body, Beacon):
            return self._answered(match, event)
        return (lie.hand(body) if isinstance(body, Hand) else body), event.time_ms

    def _answered(self, match: Forgery, event: Event) -> tuple[Body, int]:
        round, after = match.chosen.round, match.lie.falls_back_after
        if after is not None:
            return Fallback(round), time_of(match.chain, round) + after
        signature = self._beacon.key.sign(round)
        return Beacon(round, signature, verify(match.chain, round, signature)), event.time_ms

    def _receipt(self, receipt: Receipt) -> dealer_pb2.SignedReceipt:
        signed = sign_receipt(receipt, self._key)
        return dealer_pb2.SignedReceipt(octets=signed.octets, key_id=signed.key_id, signature=signed.signature)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def cheating_dealer(config: DealerConfig, beacon: DevBeacon, address: str) -> AsyncIterator[CheatingDealer]:
    """A liar that serves at `address`, before the running dealer of these settings."""
    key = load_signing_key(config.signing_key_file, create=False)
    seal = load_seed_seal(config.seal_keys_file, create=False)
    options = PostgresOptions(config.postgres_dsn, PACKAGE, "liar", role=config.postgres_role, pool_max=2)
    async with await open_pool(options) as pool, open_channel(ChannelOptions(config.listen[0])) as channel:
        store = PostgresStore(pool)

        async def server_seed(match_id: str) -> bytes:
            stored = await store.load(match_id)
            assert stored is not None
            return seal.open(match_id, stored.sealed).reveal()

        liar = CheatingDealer(dealer_pb2_grpc.DealerServiceStub(channel), key, server_seed, beacon)
        served = GrpcServer(ServerOptions(listen=(address,)), [liar.register], [SERVICE])
        async with running(app_options(config), lambda app: app.serve(served)):
            yield liar
