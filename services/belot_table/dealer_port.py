"""The fair deal, asked over gRPC. Every step is idempotent by match id, so that asking again after a crash is safe."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas
from belot_table.asking import ask
from belot_table.convert import ACTORS, ruleset_of, seat_message, timestamp
from belot_table.course import Opened, Released
from belot_table.reporting import ReportDeal
from belot_table.table import FIRST_DEALER, Actor, Table, Told, bound_stints
from belot_table.told import private_event, told_event


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards that left the dealer: what is told of them, and the encoded Action that deals them."""

    released: Released
    action: bytes = field(repr=False)


class Dealer(Protocol):
    """What the table asks the dealer. Errors: DomainError, the dealer's own refusals among them."""

    async def open(self, table: Table, policies: Mapping[str, str]) -> Opened:
        """Open the table's match; `policies` are policy versions by bot level."""

    async def submit_seed(self, match_id: str, seat: int, seed: bytes) -> Told:
        """Hand a seed in. SEED_INVALID, SEED_ALREADY_SENT, SEEDS_CLOSED."""

    async def close_seeds(self, match_id: str) -> tuple[int, Told]:
        """Close the seeds: when the chosen round is due (unix ms), and the word of it. WRONG_PHASE when too early."""

    async def fix_beacon(self, match_id: str) -> Told:
        """Fix the value of all packs. BEACON_NOT_READY when asked too early."""

    async def release(self, table: Table) -> Dealt:
        """The cards that the table's match waits for."""

    async def reveal(
        self, match_id: str, play_log_hash: bytes, ending: str, told: Collection[bytes] | None
    ) -> tuple[bytes, Told]:
        """End the match: its server seed, and the word of it.

        `told` are the octets of what events have told of the dealer's transcript; None: all of it.
        """

    async def report(self, match_id: str, seat: int, report: ReportDeal) -> None:
        """Have it counted that a player found the deal wrong. RATE_LIMITED when he has reported before."""

    async def transcript(self, match_id: str) -> dealer_pb2.GetTranscriptResponse:
        """The signed events so far, with keys and chain. MATCH_NOT_FOUND."""


class GrpcDealer:
    """The dealer service at its addresses, in turn."""

    def __init__(self, replicas: "Replicas[dealer_pb2_grpc.DealerServiceAsyncStub]") -> None:
        """`replicas` are running for as long as this is used."""
        self._replicas = replicas

    async def open(self, table: Table, policies: Mapping[str, str]) -> Opened:
        """See Dealer."""
        request = _open_request(table, policies)
        answer = await ask(self._replicas, lambda dealer: call(dealer.OpenMatch, request))
        fairness = view_pb2.FairnessView(
            commitment=answer.commitment,
            seed_deadline=timestamp(answer.seed_deadline_ms),
            transcript=[answer.event],
            chain=answer.chain,
            keys=answer.keys,
        )
        seats = [seat_message(each) for each in table.seats]
        opened = view_pb2.MatchOpened(match_id=request.match_id, fairness=fairness, seats=seats)
        return Opened(answer.commitment, answer.seed_deadline_ms, told_event(view_pb2.TableEvent(match_opened=opened)))

    async def submit_seed(self, match_id: str, seat: int, seed: bytes) -> Told:
        """See Dealer."""
        request = dealer_pb2.SubmitSeedRequest(match_id=match_id, seat=seat, seed=seed)
        answer = await ask(self._replicas, lambda dealer: call(dealer.SubmitSeed, request))
        public = view_pb2.TableEvent(seed_received=view_pb2.SeedReceived(seat=seat))
        receipt = view_pb2.TableEvent(seed_received=view_pb2.SeedReceived(receipt=answer.receipt))
        return told_event(public, seat, receipt)

    async def close_seeds(self, match_id: str) -> tuple[int, Told]:
        """See Dealer."""
        request = dealer_pb2.CloseSeedsRequest(match_id=match_id)
        answer = await ask(self._replicas, lambda dealer: call(dealer.CloseSeeds, request))
        chosen = view_pb2.RoundChosen(
            transcript=answer.events, seeds=answer.seeds, round=answer.round, due_at=timestamp(answer.round_due_ms)
        )
        return answer.round_due_ms, told_event(view_pb2.TableEvent(round_chosen=chosen))

    async def fix_beacon(self, match_id: str) -> Told:
        """See Dealer."""
        request = dealer_pb2.FixBeaconRequest(match_id=match_id)
        answer = await ask(self._replicas, lambda dealer: call(dealer.FixBeacon, request))
        fixed = view_pb2.BeaconFixed(
            transcript=answer.event, fallback=answer.fallback, round=answer.round, signature=answer.signature
        )
        return told_event(view_pb2.TableEvent(beacon_fixed=fixed))

    async def release(self, table: Table) -> Dealt:
        """See Dealer."""
        match = table.running
        need = match_pb2.CardNeed.FromString(match.next.body)
        request = dealer_pb2.ReleaseCardsRequest(
            match_id=match.match_id,
            hand_number=need.hand_number,
            stage=need.stage,
            releases=[_release(each) for each in need.positions],
        )
        answer = await ask(self._replicas, lambda dealer: call(dealer.ReleaseCards, request))
        cards = [match_pb2.DealtCard(position=each.position, card=each.card) for each in answer.cards]
        action = match_pb2.Action(deal=match_pb2.DealCards(cards=cards))
        released = Released(
            need.hand_number, _cards_told(table, answer), tuple((each.seat, each.seed) for each in answer.bot_seeds)
        )
        return Dealt(released, action.SerializeToString())

    async def reveal(
        self, match_id: str, play_log_hash: bytes, ending: str, told: Collection[bytes] | None
    ) -> tuple[bytes, Told]:
        """See Dealer."""
        request = dealer_pb2.RevealMatchRequest(match_id=match_id, play_log_hash=play_log_hash, ending=ending)
        answer = await ask(self._replicas, lambda dealer: call(dealer.RevealMatch, request))
        event = view_pb2.SeedRevealed(transcript=answer.event, server_seed=answer.server_seed)
        if told is not None:
            signed = (await self.transcript(match_id)).events
            event.untold.extend(each for each in signed[:-1] if each.octets not in told)
        return answer.server_seed, told_event(view_pb2.TableEvent(seed_revealed=event))

    async def report(self, match_id: str, seat: int, report: ReportDeal) -> None:
        """See Dealer."""
        request = dealer_pb2.ReportFairnessFailureRequest(
            match_id=match_id,
            seat=seat,
            request_id=report.request_id,
            finding=report.finding,
            hand_number=report.hand,
        )
        await ask(self._replicas, lambda dealer: call(dealer.ReportFairnessFailure, request))

    async def transcript(self, match_id: str) -> dealer_pb2.GetTranscriptResponse:
        """See Dealer."""
        request = dealer_pb2.GetTranscriptRequest(match_id=match_id)
        return await ask(self._replicas, lambda dealer: call(dealer.GetTranscript, request))


def _open_request(table: Table, policies: Mapping[str, str]) -> dealer_pb2.OpenMatchRequest:
    """What is bound: who sat there when the table opened, whoever has left since."""
    stints = bound_stints(table)
    seats = [
        dealer_pb2.MatchSeat(
            participant_id=seat.participant,
            kind=ACTORS[stint.actor],
            bot_level=stint.bot_level,
            bot_policy=policies[stint.bot_level] if stint.actor is Actor.BOT else "",
        )
        for seat, stint in zip(table.seats, stints, strict=True)
    ]
    return dealer_pb2.OpenMatchRequest(
        match_id=table.running.match_id,
        seats=seats,
        sides=table.sides,
        first_dealer=FIRST_DEALER,
        ruleset=ruleset_of(table.ruleset),
        ruleset_json=table.ruleset_json,
        pack_size=table.options.pack_size,
        seed_timeout_ms=table.options.seed_ms,
        table_id=table.table_id,
        public_table=not table.options.private,
    )


def _release(need: match_pb2.PositionNeed) -> dealer_pb2.Release:
    release = dealer_pb2.Release(position=need.position)
    match need.WhichOneof("to"):
        case "seat":
            release.seat = need.seat
        case "up_card":
            release.up_card = need.up_card
        case "left_out":
            release.left_out = need.left_out
        case _:
            pass  # the dealer refuses it
    return release


def _cards_told(table: Table, answer: dealer_pb2.ReleaseCardsResponse) -> tuple[Told, ...]:
    """The signed event for everybody, then each person's receipt for his eyes."""
    public = view_pb2.TableEvent(cards_released=view_pb2.CardsReleased(transcript=answer.event))
    receipts = [
        private_event(each.seat, view_pb2.TableEvent(cards_released=view_pb2.CardsReleased(receipt=each.receipt)))
        for each in answer.receipts
        if table.seats[each.seat].player_id
    ]
    return (told_event(public), *receipts)
