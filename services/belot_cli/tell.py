"""What happens at a table, told in lines as it happens. Pure: an event and the picture after it in, lines out."""

from collections.abc import Callable, Mapping

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_cli.cards import show_card, show_cards, show_suit
from belot_cli.convert import bid_of, card_of, cards_of, sheet_of, suit_of
from belot_cli.render import bid_text, result_line, sheet_lines
from belot_cli.scene import Scene, seat_name

Lines = tuple[str, ...]
_INDENT = "   "
_PROPOSALS: Mapping[int, str] = {
    view_pb2.PROPOSAL_KIND_DRAW: "a draw",
    view_pb2.PROPOSAL_KIND_RESIGNATION: "giving up",
    view_pb2.PROPOSAL_KIND_CLAIM: "claiming the remaining tricks",
}
_STATES: Mapping[int, str] = {
    view_pb2.PROPOSAL_STATE_OPEN: "",
    view_pb2.PROPOSAL_STATE_ACCEPTED: " is agreed on",
    view_pb2.PROPOSAL_STATE_DECLINED: " is declined",
    view_pb2.PROPOSAL_STATE_LAPSED: " has lapsed",
}
_MELDS = {"run": "a run", "four": "four of a kind"}


def tell(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    """The lines for one event; none for what the picture shows anyway."""
    kind = event.WhichOneof("kind") or ""
    if kind == "game":
        return tell_game(event.game, scene)
    teller = _TABLE.get(kind)
    return () if teller is None else teller(event, scene)


def tell_game(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    """The lines for an event of the game itself."""
    teller = _GAME.get(event.WhichOneof("kind") or "")
    return () if teller is None else teller(event, scene)


def _subject(scene: Scene, seat: int, verb: str) -> str:
    """A seat's name with its verb: ``West plays``, ``you play``."""
    return f"{seat_name(scene, seat)} {verb[:-1] if seat == scene.me else verb}"


def _seat_changed(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    seat = event.seat_changed.seat
    held = seat.kind == common_pb2.ACTOR_KIND_BOT and seat.player_id
    # Taken over or given back: said by an event of its own. Before the match nobody has a participant's id.
    if seat.seat == scene.me or seat.kind == common_pb2.ACTOR_KIND_UNSPECIFIED or held:
        return ()
    if seat.kind == common_pb2.ACTOR_KIND_PERSON and seat.participant_id:
        return ()
    level = f" (bot, {seat.bot_level})" if seat.bot_level else ""
    return (f"{_INDENT}{seat.display_name or 'a bot'}{level} sits at seat {seat.seat + 1}",)


def _seat_left(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    return (f"{_INDENT}{_subject(scene, event.seat_left.seat, 'leaves')}",) if event.seat_left.seat != scene.me else ()


def _seat_taken_over(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    taken = event.seat_taken_over
    if taken.seat == scene.me:
        return (
            f"{_INDENT}you missed {taken.missed_turns} turns in a row: a bot ({taken.bot_level}) plays for you",
            f"{_INDENT}type back to take your seat again, or just play when it is your turn",
        )
    who = seat_name(scene, taken.seat)
    return (f"{_INDENT}{who} missed {taken.missed_turns} turns in a row: a bot ({taken.bot_level}) plays on",)


def _seat_returned(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    seat = event.seat_returned.seat
    return (f"{_INDENT}{'you are' if seat == scene.me else f'{seat_name(scene, seat)} is'} back",)


def _seat_presence(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    told = event.seat_presence
    if told.seat == scene.me:
        return ()
    return (f"{_INDENT}{seat_name(scene, told.seat)} is {'connected again' if told.connected else 'not connected'}",)


def _proposal_changed(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    changed = event.proposal_changed
    what = _PROPOSALS.get(changed.proposal.kind, "something")
    who = seat_name(scene, changed.proposal.seat)
    state = _STATES.get(changed.state, "")
    line = f"{_INDENT}{'your' if changed.proposal.seat == scene.me else f'{who}:'} proposal of {what}{state}"
    return (line, f"{_INDENT}answer yes or no") if _is_asked(changed, scene) else (line,)


def _is_asked(changed: view_pb2.ProposalChanged, scene: Scene) -> bool:
    """Whether the person is to answer a claim of his opponents."""
    proposal = changed.proposal
    if scene.me is None or scene.me in proposal.agreed_seats or changed.state != view_pb2.PROPOSAL_STATE_OPEN:
        return False
    is_claim = proposal.kind == view_pb2.PROPOSAL_KIND_CLAIM
    return is_claim and scene.seats[scene.me].side != scene.seats[proposal.seat].side


def _said(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    said = event.said
    words = said.text or said.phrase.replace("_", " ")
    return () if said.seat == scene.me else (f"{_INDENT}{seat_name(scene, said.seat)}: {words}",)


def _match_opened(event: view_pb2.TableEvent, _scene: Scene) -> Lines:
    commitment = event.match_opened.fairness.commitment.hex()[:16]
    return (f"{_INDENT}the dealer is bound to a seed it drew ({commitment}…); yours is sent",)


def _round_chosen(event: view_pb2.TableEvent, _scene: Scene) -> Lines:
    return (f"{_INDENT}all seeds are shown; drand round {event.round_chosen.round} will decide every pack",)


def _beacon_fixed(event: view_pb2.TableEvent, _scene: Scene) -> Lines:
    fixed = event.beacon_fixed
    if fixed.fallback:
        return (f"{_INDENT}drand did not answer in time: this match is not protected by it, and its proof says so",)
    return (f"{_INDENT}round {fixed.round} is out: the packs are fixed",)


def _decision_taken(event: view_pb2.TableEvent, scene: Scene) -> Lines:
    taken = event.decision_taken
    if taken.actor != common_pb2.ACTOR_KIND_AUTOMATIC:
        return ()
    who = "you" if taken.seat == scene.me else seat_name(scene, taken.seat)
    return (f"{_INDENT}time is up for {who}: the clock decides",)


def _deal_started(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    started = event.deal_started
    return ("", f"{_INDENT}deal {started.hand_number + 1}: {_subject(scene, started.dealer, 'deals')}")


def _up_card_turned(event: match_pb2.MatchEvent, _scene: Scene) -> Lines:
    card = card_of(event.up_card_turned.card)
    return () if card is None else (f"{_INDENT}up-card {show_card(card)}",)


def _bid_made(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    bid = bid_of(event.bid_made)
    return (f"{_INDENT}{bid_text(scene, bid.seat, bid.word, bid.suit)}",)


def _trump_chosen(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    suit, seat = suit_of(event.trump_chosen.trump), event.trump_chosen.declarer
    return () if suit is None else (f"{_INDENT}trump is {show_suit(suit)}; {_subject(scene, seat, 'declares')}",)


def _melds_shown(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    return tuple(
        f"{_INDENT}{_subject(scene, meld.seat, 'shows')} {_MELDS.get(meld.kind, meld.kind)}: "
        f"{show_cards(cards_of(meld.cards))} ({meld.points})"
        for meld in event.melds_shown.melds
    )


def _bela_announced(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    return (f"{_INDENT}{_subject(scene, event.bela_announced.seat, 'announces')} bela: king and queen of trump",)


def _card_played(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    card = card_of(event.card_played.card)
    return () if card is None else (f"{_INDENT}{_subject(scene, event.card_played.seat, 'plays')} {show_card(card)}",)


def _trick_won(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    won = event.trick_won
    last = " and it was the last" if won.last else ""
    return (f"{_INDENT}→ {_subject(scene, won.seat, 'takes')} the trick, {won.points} points{last}",)


def _tricks_claimed(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    claim = event.tricks_claimed
    tricks = "the last trick" if claim.tricks == 1 else f"the last {claim.tricks} tricks"
    why = "the opponents agree" if claim.agreed else "no card can take one"
    held = ((seat, cards_of(hand.cards)) for seat, hand in enumerate(claim.hands))
    return (
        f"{_INDENT}{_subject(scene, claim.seat, 'claims')} {tricks}, {claim.points} points: {why}",
        *(f"{_INDENT}{seat_name(scene, seat)} had {show_cards(cards)}" for seat, cards in held),
    )


def _deal_scored(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    return ("", *sheet_lines(sheet_of(event.deal_scored), scene))


def _hand_passed_out(_event: match_pb2.MatchEvent, _scene: Scene) -> Lines:
    return (f"{_INDENT}everybody passed: the next dealer deals anew",)


def _cards_left_out(event: match_pb2.MatchEvent, _scene: Scene) -> Lines:
    return (f"{_INDENT}left out of play: {show_cards(cards_of(event.cards_left_out.cards))}",)


def _match_ended(event: match_pb2.MatchEvent, scene: Scene) -> Lines:
    result = event.match_ended
    return ("", result_line(scene, result.outcome, tuple(result.ranks), tuple(result.totals)))


_TABLE: Mapping[str, Callable[[view_pb2.TableEvent, Scene], Lines]] = {
    "seat_changed": _seat_changed,
    "seat_left": _seat_left,
    "match_opened": _match_opened,
    "round_chosen": _round_chosen,
    "beacon_fixed": _beacon_fixed,
    "decision_taken": _decision_taken,
    "seat_taken_over": _seat_taken_over,
    "seat_returned": _seat_returned,
    "seat_presence": _seat_presence,
    "proposal_changed": _proposal_changed,
    "said": _said,
}
_GAME: Mapping[str, Callable[[match_pb2.MatchEvent, Scene], Lines]] = {
    "deal_started": _deal_started,
    "up_card_turned": _up_card_turned,
    "bid_made": _bid_made,
    "trump_chosen": _trump_chosen,
    "melds_shown": _melds_shown,
    "bela_announced": _bela_announced,
    "card_played": _card_played,
    "trick_won": _trick_won,
    "tricks_claimed": _tricks_claimed,
    "deal_scored": _deal_scored,
    "hand_passed_out": _hand_passed_out,
    "cards_left_out": _cards_left_out,
    "match_ended": _match_ended,
}
