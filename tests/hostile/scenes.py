"""One table for each action of `TableAction`, ready for it: who does what, and what else the same id could say.

What is done there starts nothing that goes on by itself, so that the table stands where the answer says.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from belot.common.v1.common_pb2 import ACTOR_KIND_BOT as BOT
from belot.dealer.v1 import dealer_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from hostile.places import STILL, look_until, view_of
from support.raw_streams import RawGuest

Four: TypeAlias = Sequence[RawGuest]
_HASTE: Final = {"bid_time": {"seconds": 1}, "card_time": {"seconds": 1}, "reserve": {}, "bot_delay": {"seconds": 10}}


@dataclass(frozen=True, slots=True)
class Scene:
    """`player` may do `action` at the table now; `other` is something else to say under the same request id.

    `told` is set where the table goes on by itself: the kind of event that the action must cause once.
    """

    table_id: str
    player: RawGuest
    action: table_pb2.TableAction
    other: table_pb2.TableAction
    told: str = ""


def _say(text: str) -> table_pb2.TableAction:
    return table_pb2.TableAction(say=table_pb2.Say(text=text))


async def command(guest: RawGuest, table_id: str, action: table_pb2.TableAction) -> table_pb2.Ack:
    """Do something at a table over a Play stream of its own. Errors: AssertionError when it is refused."""
    asked = gateway_pb2.ClientCommand(call_id=1, table_id=table_id, request_id=secrets.token_hex(8), action=action)
    stream = guest.plays.Play(metadata=guest.metadata)
    await stream.write(gateway_pb2.PlayRequest(items=[gateway_pb2.PlayItem(command=asked)]))
    await stream.done_writing()
    replies = [item.reply async for response in stream for item in response.items if item.HasField("reply")]
    assert replies[0].HasField("ack"), replies[0].refusal.message
    return replies[0].ack


async def _waiting(four: Four, people: int, **options: object) -> str:
    """A table at which so many sit and nobody is ready."""
    table_id = await four[0].create(**{"ruleset": "classic", **STILL, **options})
    for seat in range(1, people):
        await four[seat].sit(table_id, seat)
    return table_id


async def _seeding(four: Four, **options: object) -> str:
    table_id = await _waiting(four, 4, **options)
    await asyncio.gather(*(each.ready(table_id) for each in four))
    await look_until(four[0], table_id, lambda view: view.summary.status == view_pb2.TABLE_STATUS_SEEDING)
    return table_id


async def playing(four: Four, **options: object) -> str:
    """A match whose first player is to bid."""
    table_id = await _seeding(four, **options)
    for each in four:
        seed = table_pb2.SubmitSeed(seed=secrets.token_bytes(16))
        await command(each, table_id, table_pb2.TableAction(submit_seed=seed))
    await look_until(four[0], table_id, lambda view: view.summary.status == view_pb2.TABLE_STATUS_PLAYING)
    await look_until(four[0], table_id, lambda view: view.HasField("turn"))
    return table_id


async def _to_act(four: Four, table_id: str) -> tuple[RawGuest, match_pb2.LegalActions]:
    view = await look_until(four[0], table_id, lambda view: view.HasField("turn"))
    guest = four[view.turn.seat]
    return guest, (await view_of(guest, table_id)).turn.legal


async def _leading(four: Four) -> tuple[str, RawGuest, match_pb2.LegalActions]:
    """A match whose first card is to be played, by whom, and what he may play."""
    table_id = await playing(four)
    while True:
        guest, legal = await _to_act(four, table_id)
        if legal.cards:
            return table_id, guest, legal
        suit = match_pb2.Choose(suit=legal.suits[0]) if legal.suits else None
        bid = match_pb2.Action(accept=match_pb2.Accept()) if legal.may_accept else match_pb2.Action(choose=suit)
        before = (await view_of(guest, table_id)).sequence
        await command(guest, table_id, table_pb2.TableAction(game=bid))
        await look_until(
            guest,
            table_id,
            lambda view, before=before: view.HasField("turn") and view.sequence > before,  # type: ignore[misc]
        )


async def _sit_down(four: Four) -> Scene:
    table_id = await _waiting(four, 2)
    action = table_pb2.TableAction(sit_down=table_pb2.SitDown(seat=3))
    return Scene(table_id, four[3], action, table_pb2.TableAction(sit_down=table_pb2.SitDown(seat=2)))


async def _leave(four: Four) -> Scene:
    action = table_pb2.TableAction(leave=table_pb2.Leave())
    return Scene(await _waiting(four, 3), four[1], action, _say("other"))


async def _set_ready(four: Four) -> Scene:
    action, other = (table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=each)) for each in (True, False))
    return Scene(await _waiting(four, 3), four[1], action, other)


async def _fill_with_bots(four: Four) -> Scene:
    action, other = (
        table_pb2.TableAction(fill_with_bots=table_pb2.FillWithBots(level=each)) for each in ("easy", "normal")
    )
    return Scene(await _waiting(four, 2), four[0], action, other)


async def _submit_seed(four: Four) -> Scene:
    action, other = (
        table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=secrets.token_bytes(16))) for _ in range(2)
    )
    return Scene(await _seeding(four), four[2], action, other)


async def _game(four: Four) -> Scene:
    table_id = await playing(four)
    guest, legal = await _to_act(four, table_id)
    assert legal.may_pass
    action = table_pb2.TableAction(game=match_pb2.Action(pass_bid=match_pb2.Pass()))
    other = match_pb2.Action(choose=match_pb2.Choose(suit=legal.suits[0] if legal.suits else 1))  # type: ignore[arg-type]
    return Scene(table_id, guest, action, table_pb2.TableAction(game=other))


async def _card(four: Four) -> Scene:
    table_id, guest, legal = await _leading(four)
    action, other = (
        table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play(card=each))) for each in legal.cards[:2]
    )
    return Scene(table_id, guest, action, other)


async def _report_fairness(four: Four) -> Scene:
    action, other = (
        table_pb2.TableAction(report_fairness=table_pb2.ReportFairness(finding=each))
        for each in (dealer_pb2.FAIRNESS_FINDING_HAND, dealer_pb2.FAIRNESS_FINDING_SEED)
    )
    return Scene(await playing(four), four[1], action, other)


async def _resume(four: Four) -> Scene:
    table_id = await playing(four, **_HASTE)
    await look_until(four[0], table_id, lambda view: all(each.kind == BOT for each in view.summary.seats))
    return Scene(table_id, four[0], table_pb2.TableAction(resume=table_pb2.Resume()), _say("other"), "seat_returned")


async def _resign(four: Four) -> Scene:
    return Scene(await playing(four), four[0], table_pb2.TableAction(resign=table_pb2.Resign()), _say("other"))


async def _propose_draw(four: Four) -> Scene:
    action = table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw())
    return Scene(await playing(four), four[0], action, _say("other"))


async def _answer_draw(four: Four) -> Scene:
    table_id = await playing(four)
    await command(four[0], table_id, table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw()))
    action, other = (table_pb2.TableAction(answer_draw=table_pb2.AnswerDraw(agree=each)) for each in (True, False))
    return Scene(table_id, four[1], action, other)


async def _spoken(four: Four) -> Scene:
    return Scene(await _waiting(four, 2), four[0], _say("hello there"), _say("other"))


async def _claim_tricks(four: Four) -> Scene:
    table_id, guest, _ = await _leading(four)
    action = table_pb2.TableAction(claim_tricks=table_pb2.ClaimTricks(ask_opponents=True))
    return Scene(table_id, guest, action, _say("other"))


async def _answer_claim(four: Four) -> Scene:
    table_id, guest, _ = await _leading(four)
    await command(guest, table_id, table_pb2.TableAction(claim_tricks=table_pb2.ClaimTricks(ask_opponents=True)))
    action, other = (table_pb2.TableAction(answer_claim=table_pb2.AnswerClaim(agree=each)) for each in (True, False))
    opponent = four[(four.index(guest) + 1) % 4]
    return Scene(table_id, opponent, action, other)


async def _mute_player(four: Four) -> Scene:
    table_id = await _waiting(four, 2)
    action, other = (
        table_pb2.TableAction(mute_player=table_pb2.MutePlayer(player_id=four[1].player_id, muted=each))
        for each in (True, False)
    )
    return Scene(table_id, four[0], action, other)


async def _report_message(four: Four) -> Scene:
    table_id = await _waiting(four, 2)
    said = await command(four[1], table_id, _say("something bad"))
    action, other = (
        table_pb2.TableAction(report_message=table_pb2.ReportMessage(sequence=said.sequence, reason=each))
        for each in (table_pb2.REPORT_REASON_ABUSE, table_pb2.REPORT_REASON_SPAM)
    )
    return Scene(table_id, four[0], action, other)


CARD: Final = "card"
"""The scene of the action `game` that plays a card; the one called ``game`` bids."""

SCENES: Final[Mapping[str, Callable[[Four], Coroutine[None, None, Scene]]]] = {
    "sit_down": _sit_down,
    "leave": _leave,
    "set_ready": _set_ready,
    "fill_with_bots": _fill_with_bots,
    "submit_seed": _submit_seed,
    "game": _game,
    CARD: _card,
    "report_fairness": _report_fairness,
    "resume": _resume,
    "resign": _resign,
    "propose_draw": _propose_draw,
    "answer_draw": _answer_draw,
    "say": _spoken,
    "claim_tricks": _claim_tricks,
    "answer_claim": _answer_claim,
    "mute_player": _mute_player,
    "report_message": _report_message,
}
