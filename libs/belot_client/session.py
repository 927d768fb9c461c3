"""A table as this client plays or watches it: one stream that heals itself, the state kept up, commands, fairness.

The stream is opened again after 50 to 500 ms, after the last event seen, and at the next gateway; commands that were
not answered are sent again with the same request ids. Only what makes no sense to repeat ends the session.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from types import TracebackType
from typing import Final

import grpc

from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_client.calls import Ack, Calls
from belot_client.cards import SUITS, Card, Suit, number_of
from belot_client.errors import Refused, SessionOver, comes_back, refused_by, refused_in_stream
from belot_client.fairness import FairnessKeeper
from belot_client.fold import fold, hidden
from belot_client.link import Connection, PlayLink
from belot_client.news import News, Update
from belot_client.snapshot import CARD_VALUES, REPORT_VALUES, SUIT_VALUES, table_state
from belot_client.view import ReportReason, Status, TableState
from belot_client.vigil import Vigil, Vigilance
from belot_fair.report import Report
from belot_kit.errors import Reason

BACKOFF_SECONDS: Final = (0.05, 0.5)
COMMAND_SECONDS: Final = 10.0


class _Again(Exception):  # noqa: N818 - no error: the stream is to be opened anew
    """Resume on a new stream, after so many milliseconds."""

    def __init__(self, after_ms: int = 0) -> None:
        super().__init__()
        self.after_ms = after_ms


class TableSession:
    """One table; use it as ``async with``. Entering waits for the first snapshot, or raises Refused."""

    def __init__(
        self,
        connection: Connection,
        table_id: str,
        player_id: str,
        fairness: FairnessKeeper,
        vigilance: Vigilance | None = None,
        invitation_code: str = "",
    ) -> None:
        """Made by `BelotClient.table`."""
        self._code = invitation_code
        self.table_id = table_id
        self.player_id = player_id
        self.fairness = fairness
        self._vigil = Vigil(self, fairness, vigilance or Vigilance())
        self._connection = connection
        self._news = News()
        self._calls = Calls()
        self._tasks: set[asyncio.Task[None]] = set()
        self._link: PlayLink | None = None

    async def __aenter__(self) -> "TableSession":
        self.start(self._run())
        try:
            await self.until(lambda _state: True)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up; everybody who waits gets SessionOver."""
        self.end(SessionOver("the session is closed"))
        self.fairness.save()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def channel(self) -> grpc.aio.Channel:
        """The connection in use."""
        return self._connection.channel

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""
        return self._connection.metadata

    # -- what is known

    @property
    def state(self) -> TableState:
        """The table now. RuntimeError before the first snapshot."""
        if self._news.state is None:
            raise RuntimeError("the table is not known yet: use the session as `async with`")
        return self._news.state

    def report(self) -> Report:
        """How fair the deal was, as far as it can be judged now; complete once the match has ended."""
        return self.fairness.report(self.state)

    async def checked(self) -> Report:
        """The report of a match that is over, the public list of commitments compared too."""
        await self._vigil.compare_listing(self.state)
        return self.report()

    async def until(self, holds: Callable[[TableState], bool]) -> TableState:
        """Wait until the state is as wanted. What is so for one event only may be missed: see `updates`.

        Errors: Refused (Superseded for one) when the session has ended, SessionOver when it was closed.
        """
        return await self._news.until(holds)

    def updates(self) -> AsyncIterator[Update]:
        """Every piece of news from this call on; closing the session ends it. Errors: Refused when the session ends."""
        return self._news.updates()

    def turns(self) -> AsyncIterator[TableState]:
        """The state at each turn of this client's player, until the match is over and the server seed is public."""
        return self._news.turns()

    # -- what can be done: each returns when it is durable and known here

    async def sit_down(self, seat: int | None = None) -> Ack:
        """Take a seat, the first free one unless given. SEAT_TAKEN, TABLE_FULL, ALREADY_SEATED, TABLE_NOT_OPEN."""
        wish = table_pb2.SitDown(seat=seat, invitation_code=self._code)
        return await self.do(table_pb2.TableAction(sit_down=wish))

    async def leave(self) -> Ack:
        """Leave the seat; during the match a bot takes it. NOT_SEATED.

        From then on this is a spectator's session: where the table shows spectators nothing, it ends.
        """
        try:
            return await self.do(table_pb2.TableAction(leave=table_pb2.Leave()), seen=_has_left)
        except Refused as refused:
            if refused.reason == Reason.SPECTATORS_NOT_ALLOWED and _has_left(self.state):
                return Ack(0, self.state.sequence)  # done, and the end came before the answer
            raise

    async def ready(self, ready: bool = True) -> Ack:
        """Say whether the match may start. NOT_SEATED, TABLE_NOT_OPEN."""
        return await self.do(table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=ready)))

    async def fill_with_bots(self, level: str = "") -> Ack:
        """Bots (``easy`` to ``expert``) for all free seats. BOT_LEVEL_UNKNOWN, TABLE_FULL, TABLE_NOT_OPEN."""
        return await self.do(table_pb2.TableAction(fill_with_bots=table_pb2.FillWithBots(level=level)))

    async def resume(self) -> Ack:
        """Take the seat back from the bot that stands in; so does a bid or a card. NOT_SEATED, WRONG_PHASE."""
        return await self.do(table_pb2.TableAction(resume=table_pb2.Resume()))

    async def resign(self) -> Ack:
        """Give up; the side loses once all its persons have said so in one hand. NOT_SEATED, WRONG_PHASE."""
        return await self.do(table_pb2.TableAction(resign=table_pb2.Resign()))

    async def draw(self, agree: bool | None = None) -> Ack:
        """Ask the others for a draw, or answer theirs. PERMISSION_DENIED in a rated match, WRONG_PHASE."""
        answer = None if agree is None else table_pb2.AnswerDraw(agree=agree)
        asking = table_pb2.ProposeDraw() if agree is None else None
        return await self.do(table_pb2.TableAction(propose_draw=asking, answer_draw=answer))

    async def claim(self, *, ask_opponents: bool = False) -> Ack:
        """Claim the remaining tricks, before leading to one. CLAIM_NOT_CERTAIN, NOT_YOUR_TURN, WRONG_PHASE.

        Where it is not certain the opponents may be asked, once a hand; then the state has a proposal.
        """
        return await self.do(table_pb2.TableAction(claim_tricks=table_pb2.ClaimTricks(ask_opponents=ask_opponents)))

    async def answer_claim(self, agree: bool) -> Ack:
        """Answer the opponents' claim. WRONG_PHASE when none is proposed, PERMISSION_DENIED for one's own side's."""
        return await self.do(table_pb2.TableAction(answer_claim=table_pb2.AnswerClaim(agree=agree)))

    async def say(self, text: str = "", *, phrase: str = "") -> Ack:
        """Say something to the table, in own words or by a canned phrase. RATE_LIMITED, NOT_SEATED."""
        words = table_pb2.Say(phrase=phrase) if phrase else table_pb2.Say(text=text)
        return await self.do(table_pb2.TableAction(say=words))

    async def mute(self, player_id: str, muted: bool = True) -> Ack:
        """Hear another player of this table no longer, or again; nobody else is told."""
        return await self.do(table_pb2.TableAction(mute_player=table_pb2.MutePlayer(player_id=player_id, muted=muted)))

    async def report_message(self, sequence: int, reason: ReportReason) -> Ack:
        """Report a message (`Said.sequence`) to moderators; a second time changes nothing. MESSAGE_NOT_FOUND."""
        report = table_pb2.ReportMessage(sequence=sequence, reason=REPORT_VALUES[reason])
        return await self.do(table_pb2.TableAction(report_message=report))

    async def play(self, card: Card) -> Ack:
        """Play a card. ILLEGAL_CARD (with clause and legal cards), NOT_YOUR_TURN, CARD_NOT_HELD, WRONG_PHASE."""
        action = match_pb2.Action(play=match_pb2.Play(card=CARD_VALUES[number_of(card)]))
        return await self.do(table_pb2.TableAction(game=action))

    async def pass_bid(self) -> Ack:
        """Pass. ILLEGAL_BID, NOT_YOUR_TURN, WRONG_PHASE."""
        return await self.do(table_pb2.TableAction(game=match_pb2.Action(pass_bid=match_pb2.Pass())))

    async def accept(self) -> Ack:
        """Take the suit of the card turned up. ILLEGAL_BID, NOT_YOUR_TURN, WRONG_PHASE."""
        return await self.do(table_pb2.TableAction(game=match_pb2.Action(accept=match_pb2.Accept())))

    async def choose(self, suit: Suit) -> Ack:
        """Name the trump suit. ILLEGAL_BID, NOT_YOUR_TURN, WRONG_PHASE."""
        action = match_pb2.Action(choose=match_pb2.Choose(suit=SUIT_VALUES[SUITS.index(suit)]))
        return await self.do(table_pb2.TableAction(game=action))

    async def do(
        self,
        action: table_pb2.TableAction,
        *,
        request_id: str = "",
        seconds: float = COMMAND_SECONDS,
        seen: Callable[[TableState], bool] | None = None,
    ) -> Ack:
        """Send a command and wait until it is durable and seen here; over lost connections with the same request id.

        `seen` says by what else than the number of its last event it is seen.
        Errors: Refused; TimeoutError after `seconds` (then it may have been done or not: asking again with the same
        `request_id` does it at most once).
        """
        if self._news.over is not None:
            raise self._news.over
        item, answer = self._calls.begin(self.table_id, action, request_id)
        if self._link is not None:
            self._link.send(item)
        try:
            async with asyncio.timeout(seconds):
                ack = await answer
                await self.until(lambda state: state.sequence >= ack.sequence or (seen is not None and seen(state)))
                return ack
        finally:
            self._calls.forget(item)

    # -- the stream

    async def _run(self) -> None:
        delay = BACKOFF_SECONDS[0]
        while self._news.over is None:
            channel = self._connection.channel
            before = self._news.state
            try:
                await self._one_stream(channel)
            except _Again as again:
                delay = max(delay, again.after_ms / 1000)  # told to, or something was missed
            except Refused as refused:
                self.end(refused)
                return
            except TimeoutError:
                pass  # silence: no heartbeat came either
            except grpc.aio.AioRpcError as error:
                broken = refused_by(error)
                if not comes_back(broken):
                    self.end(broken)
                    return
            if self._news.state is not before:
                delay = BACKOFF_SECONDS[0]
            self._connection.go_elsewhere(channel)
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
            delay = min(2 * delay, BACKOFF_SECONDS[1])

    async def _one_stream(self, channel: grpc.aio.Channel) -> None:
        """Follow the table on one stream until it ends. Errors: _Again, Refused, AioRpcError, TimeoutError."""
        link = PlayLink(channel, self._connection.metadata)
        after = None if self._news.state is None else self._news.state.sequence
        if after is not None and self.fairness.sequence is not None:
            after = min(after, self.fairness.sequence)  # a client that was started again has missed some
        code = self._code or (self._news.state.invitation_code if self._news.state else "")
        topic = gateway_pb2.TableTopic(table_id=self.table_id, after_sequence=after, invitation_code=code)
        link.send(gateway_pb2.PlayItem(subscribe=gateway_pb2.Subscription(table=topic)))
        for item in self._calls.unanswered():
            link.send(item)
        self._link = link
        try:
            async with aclosing(link.items()) as items:
                async for news in items:
                    self._take(news)
        finally:
            self._link = None

    def _take(self, item: gateway_pb2.StreamItem) -> None:
        """Learn one piece of news. Errors: _Again, Refused."""
        kind = item.WhichOneof("kind")
        if kind == "reply":
            self._calls.answered(item.reply)
        elif kind == "snapshot":
            self._began(table_state(item.snapshot, self.player_id))
        elif kind in ("event", "hidden"):
            self._happened(item.sequence, item.event if kind == "event" else None)
        elif kind == "heartbeat":
            if self._news.state is not None and item.table_id and item.sequence > self._news.state.sequence:
                raise _Again  # something was missed
        elif kind == "draining":
            raise _Again
        elif kind == "ended":
            refused = refused_in_stream(item.ended.refusal)
            raise _Again(refused.retry_after_ms or 0) if comes_back(refused) else refused

    def _began(self, state: TableState) -> None:
        missed = self.fairness.began(state, _now_ms())
        self._news.known(state, "snapshot", None)
        if missed:
            raise _Again
        self._vigil.look()
        if state.status is Status.SEEDING and state.fairness and state.viewer_seat not in state.fairness.seeded:
            self._vigil.send_seed(state)
        if state.status is Status.DRAWING:
            self._vigil.look_for_beacon(state)

    def _happened(self, sequence: int, event: view_pb2.TableEvent | None) -> None:
        before = self._news.state
        if before is None or sequence > before.sequence + 1:
            raise _Again  # something was missed
        if sequence <= before.sequence:
            if sequence > (self.fairness.sequence or 0):
                self.fairness.saw_again(sequence, before, event, _now_ms())
                self._vigil.look()
            return
        if event is None:
            self.fairness.passed(sequence)
            self._news.known(hidden(before, sequence), "hidden", None)
            return
        after = fold(before, sequence, event)
        self.fairness.saw(before, after, event, _now_ms())
        kind = event.WhichOneof("kind") or ""
        self._news.known(after, event.game.WhichOneof("kind") or kind if kind == "game" else kind, event)
        self._vigil.look()
        if kind == "match_opened":
            self._vigil.send_seed(after)
        elif kind == "round_chosen":
            self._vigil.look_for_beacon(after)

    def end(self, error: Exception) -> None:
        """End the session with this error, which everybody who waits gets; the first one stands."""
        if self._news.over is None:
            self._calls.fail(error)
            self._news.end(error)

    def start(self, work: Coroutine[object, object, None]) -> None:
        """Have something done beside, for as long as the session lasts."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _has_left(state: TableState) -> bool:
    return state.viewer_seat is None


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
