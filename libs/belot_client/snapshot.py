"""Messages of belot.table.v1 and belot.rules.v1 as the client's own values: the only place that reads snapshots."""

from collections.abc import Mapping
from typing import Final

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_client.cards import cards_from_wire, from_wire, suit_from_wire
from belot_client.view import (
    Actor,
    BeaconChain,
    Bid,
    BidKind,
    Claim,
    Fairness,
    Hand,
    Legal,
    Match,
    Meld,
    Options,
    Phase,
    Proposal,
    ReportReason,
    Result,
    ScoreSheet,
    Seat,
    Standing,
    Status,
    TableState,
    Trick,
    Turn,
)
from belot_fair.receipts import SignedReceipt
from belot_fair.transcript import SignedEvent

STATUSES: Final[Mapping[int, Status]] = dict(enumerate(Status))
ACTORS: Final[Mapping[int, Actor]] = dict(enumerate(Actor))
PHASES: Final[Mapping[int, Phase]] = dict(enumerate(Phase))
CARD_VALUES: Final = tuple(common_pb2.Card.values()[1:])
"""Cards of messages by number."""
SUIT_VALUES: Final = tuple(common_pb2.Suit.values()[1:])
"""Suits of messages by number."""
PROPOSALS: Final[Mapping[int, str]] = {1: "draw", 2: "resignation", 3: "claim"}
REPORT_VALUES: "Final[Mapping[ReportReason, table_pb2.ReportReason.ValueType]]" = {
    ReportReason.ABUSE: table_pb2.REPORT_REASON_ABUSE,
    ReportReason.SPAM: table_pb2.REPORT_REASON_SPAM,
    ReportReason.CHEATING: table_pb2.REPORT_REASON_CHEATING,
    ReportReason.OTHER: table_pb2.REPORT_REASON_OTHER,
}
BID_KINDS: Final[Mapping[int, BidKind]] = dict(enumerate(BidKind))
"""Values of messages are the places in these enums; what a newer server adds is the first of each."""


def table_state(view: view_pb2.TableView, player_id: str) -> TableState:
    """The table in a snapshot for this player."""
    summary = view.summary
    return TableState(
        table_id=summary.table_id,
        sequence=view.sequence,
        status=STATUSES.get(summary.status, Status.UNKNOWN),
        options=options_of(summary.options),
        ruleset=(summary.ruleset.name, summary.ruleset.version, summary.ruleset.hash),
        seats=tuple(seat_of(seat) for seat in summary.seats),
        created_ms=summary.created_at.ToMilliseconds(),
        player_id=player_id,
        match_id=summary.match_id,
        viewer_seat=view.viewer_seat if view.HasField("viewer_seat") else None,
        match=match_of(view.match) if view.HasField("match") else None,
        turn=turn_of(view.turn) if view.HasField("turn") else None,
        fairness=fairness_of(view.fairness) if view.HasField("fairness") else None,
        sheets=tuple(sheet_of(sheet) for sheet in view.sheets),
        reserves_ms=tuple(reserve.ToMilliseconds() for reserve in view.reserves),
        proposal=proposal_of(view.proposal) if view.HasField("proposal") else None,
        outcome=view.finished.outcome_kind,
        muted=tuple(sorted(view.muted_player_ids)),
        halted=view.halted,
        invitation_code=view.invitation_code,
    )


def options_of(options: view_pb2.TableOptions) -> Options:
    """How a table plays."""
    return Options(
        ruleset=options.ruleset,
        seats=options.seats,
        pack_size=options.pack_size,
        ruleset_options=tuple(sorted(options.ruleset_options.items())),
        private=options.private,
        bid_ms=options.bid_time.ToMilliseconds(),
        card_ms=options.card_time.ToMilliseconds(),
        reserve_ms=options.reserve.ToMilliseconds(),
        seed_ms=options.seed_time.ToMilliseconds(),
        bot_delay_ms=options.bot_delay.ToMilliseconds(),
        rated=options.rated,
        reserved_for=tuple(options.reserved_for),
        waiting_ms=options.waiting_time.ToMilliseconds(),
        no_spectators=options.no_spectators,
        spectator_delay_ms=options.spectator_delay.ToMilliseconds(),
        ends_by_ms=options.ends_by.ToMilliseconds() if options.HasField("ends_by") else 0,
    )


def options_message(options: Options) -> view_pb2.TableOptions:
    """The same, for a request."""
    message = view_pb2.TableOptions(
        ruleset=options.ruleset,
        seats=options.seats,
        pack_size=options.pack_size,
        ruleset_options=dict(options.ruleset_options),
        private=options.private,
        rated=options.rated,
        reserved_for=options.reserved_for,
        no_spectators=options.no_spectators,
    )
    if options.ends_by_ms:
        message.ends_by.FromMilliseconds(options.ends_by_ms)
    for field, ms in (
        (message.bid_time, options.bid_ms),
        (message.card_time, options.card_ms),
        (message.reserve, options.reserve_ms),
        (message.seed_time, options.seed_ms),
        (message.bot_delay, options.bot_delay_ms),
        (message.waiting_time, options.waiting_ms),
        (message.spectator_delay, options.spectator_delay_ms),
    ):
        if ms:
            field.FromMilliseconds(ms)
    return message


def seat_of(seat: view_pb2.Seat) -> Seat:
    """One seat."""
    return Seat(
        seat=seat.seat,
        actor=ACTORS.get(seat.kind, Actor.NOBODY),
        player_id=seat.player_id,
        display_name=seat.display_name,
        bot_level=seat.bot_level,
        ready=seat.ready,
        participant=seat.participant_id,
        disconnected=seat.disconnected,
    )


def proposal_of(proposal: view_pb2.Proposal) -> Proposal:
    """A proposal."""
    return Proposal(PROPOSALS.get(proposal.kind, ""), proposal.seat, tuple(proposal.agreed_seats))


def match_of(view: match_pb2.SeatView) -> Match:
    """The match as its viewer sees it."""
    public = view.public
    trick = Trick(public.trick.leader, cards_from_wire(public.trick.cards)) if public.HasField("trick") else None
    hand = Hand(
        number=public.hand_number,
        dealer=public.dealer,
        phase=PHASES.get(public.phase, Phase.UNKNOWN),
        up_card=from_wire(public.up_card),
        bids=tuple(bid_of(bid) for bid in public.bids),
        declarer=public.declarer if public.HasField("declarer") else None,
        trump=suit_from_wire(public.trump),
        tricks=tuple(
            Trick(each.leader, cards_from_wire(each.cards), each.winner, each.points) for each in public.tricks
        ),
        trick=trick,
        melds=tuple(meld_of(meld) for meld in public.melds),
        bela=public.bela if public.HasField("bela") else None,
        claim=claim_of(public.claim) if public.HasField("claim") else None,
        sizes=tuple(public.hand_sizes),
        own=cards_from_wire(view.hand),
    )
    totals, bolts = tuple(public.totals), tuple(public.bolts)
    return Match(
        first_dealer=public.first_dealer,
        sides=tuple(public.sides),
        pack_size=public.pack_size,
        hand=hand,
        standing=Standing(totals, bolts, public.held, public.target, public.deals_played),
        result=result_of(public.result) if public.HasField("result") else None,
    )


def turn_of(turn: view_pb2.TurnClock) -> Turn:
    """Whose turn it is."""
    legal = legal_of(turn.legal) if turn.HasField("legal") else None
    return Turn(turn.seat, turn.due_at.ToMilliseconds(), turn.reserve_from.ToMilliseconds(), legal)


def legal_of(legal: match_pb2.LegalActions) -> Legal:
    """What may be done."""
    suits = tuple(found for found in map(suit_from_wire, legal.suits) if found is not None)
    return Legal(cards_from_wire(legal.cards), legal.may_pass, legal.may_accept, suits)


def bid_of(bid: match_pb2.Bid) -> Bid:
    """A word of the auction."""
    return Bid(bid.seat, BID_KINDS.get(bid.kind, BidKind.UNKNOWN), suit_from_wire(bid.suit))


def meld_of(meld: match_pb2.Meld) -> Meld:
    """A meld."""
    return Meld(meld.seat, meld.kind, cards_from_wire(meld.cards), meld.points)


def claim_of(claim: match_pb2.TricksClaimed) -> Claim:
    """A claim."""
    hands = tuple(cards_from_wire(hand.cards) for hand in claim.hands)
    return Claim(claim.seat, claim.agreed, claim.tricks, claim.points, hands)


def sheet_of(sheet: match_pb2.ScoreSheet) -> ScoreSheet:
    """A score sheet."""
    return ScoreSheet(
        hand_number=sheet.hand_number,
        declarer_side=sheet.declarer_side,
        outcome=sheet.outcome,
        lines=tuple((line.name, tuple(line.values)) for line in sheet.lines),
        score=tuple(sheet.score),
        totals=tuple(sheet.totals),
        held=sheet.held,
        bolts=tuple(sheet.bolts),
        target=sheet.target,
    )


def result_of(result: match_pb2.MatchResult) -> Result:
    """How the match ended."""
    return Result(result.outcome, tuple(result.ranks), tuple(result.totals), result.deals_played)


def fairness_of(fairness: view_pb2.FairnessView) -> Fairness:
    """The fair deal so far."""
    return Fairness(
        commitment=fairness.commitment,
        seed_deadline_ms=fairness.seed_deadline.ToMilliseconds(),
        seeded=tuple(fairness.seeded_seats),
        transcript=tuple(signed_event_of(event) for event in fairness.transcript),
        chain=chain_of(fairness.chain) if fairness.HasField("chain") else None,
        keys=tuple((key.key_id, key.public_key) for key in fairness.keys),
        server_seed=fairness.server_seed,
    )


def chain_of(chain: dealer_pb2.DrandChain) -> BeaconChain:
    """The beacon's parameters."""
    return BeaconChain(
        name=chain.name,
        chain_hash=chain.chain_hash,
        public_key=chain.public_key,
        period=chain.period_seconds,
        genesis=chain.genesis_time,
        group_hash=chain.group_hash,
        scheme=chain.scheme,
    )


def signed_event_of(event: dealer_pb2.SignedEvent) -> SignedEvent:
    """An event of the dealer's transcript."""
    return SignedEvent(event.octets, event.key_id, event.signature)


def receipt_of(receipt: dealer_pb2.SignedReceipt) -> SignedReceipt:
    """A receipt of the dealer's."""
    return SignedReceipt(receipt.octets, receipt.key_id, receipt.signature)
