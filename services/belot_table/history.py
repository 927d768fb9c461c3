"""Matches that are over: a player's list, the record of one, and any position of it played again through the rules.

A replay takes the packs from the revealed seeds and the decisions from the table's log, and asks the rules as the table
did: it shows what was, or fails. A private match is its players' alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope
from belot_fair.playlog import ActionKind, ActorKind, Entry
from belot_fair.recipe import shuffle
from belot_kit.errors import DomainError, Reason
from belot_kit.pages import Page, next_token
from belot_table.committing import players_of
from belot_table.convert import ACTORS, CARDS, SUITS, timestamp
from belot_table.course import Applied
from belot_table.evidence import play_log
from belot_table.ports import Ports
from belot_table.reading import whole_log
from belot_table.results import is_revealed, match_finished
from belot_table.table import FIRST_DEALER, Actor, Await, Table
from belot_table.views import cards_of

_DECISIONS: Final = frozenset({"bid_made", "card_played", "tricks_claimed"})
_WHO: Final = {ActorKind.PERSON: Actor.PERSON, ActorKind.BOT: Actor.BOT, ActorKind.AUTOMATIC: Actor.AUTOMATIC}


@dataclass(frozen=True, slots=True)
class Past:
    """A finished match with the whole log of its table."""

    table: Table
    log: Sequence[Envelope]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every decision, in order."""
        return play_log(self.table.running.match_id, self.log).entries


async def list_matches(
    ports: Ports, player_id: str, viewer_id: str, page: Page
) -> tuple[list[view_pb2.MatchFinished], str]:
    """A page of a player's finished matches, latest table first; private ones for himself alone."""
    found = await ports.store.list_matches(player_id, page, private=player_id == viewer_id)
    token = next_token(page, [(each.created_ms, each.table_id) for each in found])
    return [match_finished(each) for each in found[: page.size]], token


async def match_record(ports: Ports, match_id: str, viewer_id: str) -> table_pb2.MatchRecord:
    """Everything of a finished match. MATCH_NOT_FOUND, MATCH_NOT_FINISHED until its server seed is revealed."""
    past = await _past(ports, match_id, viewer_id)
    told = [view_pb2.TableEvent.FromString(each.payload) for each in past.log if each.kind == "deal_scored"]
    places = [each.sequence for each in past.log if each.kind in _DECISIONS]
    numbered = zip(past.entries, places, strict=True)
    return table_pb2.MatchRecord(
        summary=match_finished(past.table),
        ruleset_json=past.table.ruleset_json,
        decisions=[_decision(number, entry, place) for number, (entry, place) in enumerate(numbered, 1)],
        sheets=[each.game.deal_scored for each in told],
    )


async def replay(ports: Ports, match_id: str, viewer_id: str, decisions: int) -> table_pb2.ReplayMatchResponse:
    """A finished match after so many of its decisions. Errors: as `match_record`; the rules' own if it does not fit."""
    past = await _past(ports, match_id, viewer_id)
    json, entries = past.table.ruleset_json, past.entries[:decisions]
    packs = _Packs(past)
    now = await ports.rules.start(json, FIRST_DEALER)
    now = await _dealt(ports, json, now, packs)
    for entry in entries:
        action = _action(entry).SerializeToString()
        now = await ports.rules.apply(now.state, json, entry.seat, action)
        now = await _dealt(ports, json, now, packs)
    state = match_pb2.MatchState.FromString(now.state)
    return table_pb2.ReplayMatchResponse(
        decisions=len(entries),
        public=state.public,
        hands=[table_pb2.HandCards(cards=cards_of(mask)) for mask in state.hands],
        next=_next(now),
        notation=await ports.rules.describe(now.state, json),
    )


async def _past(ports: Ports, match_id: str, viewer_id: str) -> Past:
    table_id = await ports.store.find_match(match_id)
    table = None if table_id is None else await ports.tables.fresh(table_id)
    if table is None or (table.options.private and viewer_id not in players_of(table)):
        raise DomainError(Reason.MATCH_NOT_FOUND, "there is no such match", match_id=match_id)
    if not is_revealed(table):
        raise DomainError(Reason.MATCH_NOT_FINISHED, "the match is not finished and revealed yet")
    return Past(table, await whole_log(ports.store, table))


class _Packs:
    """The packs of a match, from what was revealed; none where the match ended before their value was fixed."""

    def __init__(self, past: Past) -> None:
        events = {each.kind: each.payload for each in past.log if each.kind in ("round_chosen", "beacon_fixed")}
        self._table = past.table
        self.fixed = "beacon_fixed" in events
        chosen = view_pb2.TableEvent.FromString(events.get("round_chosen", b"")).round_chosen
        beacon = view_pb2.TableEvent.FromString(events.get("beacon_fixed", b"")).beacon_fixed
        self._seeds = tuple(chosen.seeds)
        self._value = bytes(32) if beacon.fallback else sha256(beacon.signature).digest()
        self._round = 0 if beacon.fallback else beacon.round

    def of(self, hand: int) -> tuple[int, ...]:
        """Card numbers by position."""
        seed = self._table.running.fairness.server_seed
        return shuffle(seed, hand, self._seeds, self._round, self._value, self._table.options.pack_size)


async def _dealt(ports: Ports, json: str, now: Applied, packs: _Packs) -> Applied:
    """The match once all cards that are due are dealt."""
    while packs.fixed and now.next.kind is Await.CARDS:
        need = match_pb2.CardNeed.FromString(now.next.body)
        pack = packs.of(need.hand_number)
        cards = [
            match_pb2.DealtCard(position=each.position, card=CARDS[pack[each.position]]) for each in need.positions
        ]
        action = match_pb2.Action(deal=match_pb2.DealCards(cards=cards))
        now = await ports.rules.apply(now.state, json, None, action.SerializeToString())
    return now


def _decision(number: int, entry: Entry, sequence: int) -> table_pb2.RecordedDecision:
    return table_pb2.RecordedDecision(
        number=number,
        sequence=sequence,
        at=timestamp(entry.time_ms),
        hand_number=entry.hand,
        seat=entry.seat,
        actor=ACTORS[_WHO[entry.actor.kind]],
        bot_level=entry.actor.level,
        policy=entry.actor.policy,
        action=_action(entry),
    )


def _action(entry: Entry) -> match_pb2.Action:
    match entry.action:
        case ActionKind.PASS:
            return match_pb2.Action(pass_bid=match_pb2.Pass())
        case ActionKind.ACCEPT:
            return match_pb2.Action(accept=match_pb2.Accept())
        case ActionKind.CHOOSE_SUIT:
            return match_pb2.Action(choose=match_pb2.Choose(suit=SUITS[entry.argument[0]]))
        case ActionKind.CLAIM | ActionKind.CLAIM_AGREED:
            return match_pb2.Action(claim=match_pb2.Claim(agreed=entry.action == ActionKind.CLAIM_AGREED))
        case _:
            return match_pb2.Action(play=match_pb2.Play(card=CARDS[entry.argument[0]]))


def _next(now: Applied) -> match_pb2.Next:
    next_ = match_pb2.Next()
    if now.next.kind is Await.TURN:
        next_.turn.seat = now.next.seat
        next_.turn.legal.MergeFromString(now.next.body)
    elif now.next.kind is Await.FINISHED:
        next_.finished.MergeFromString(now.next.body)
    return next_
