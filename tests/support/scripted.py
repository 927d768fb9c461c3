"""A scripted player: what an app's client does, without the client library, so that tests see every message raw.

One connection and one Play stream; answers every turn with a legal action drawn from its own random source; can be
told to hang up and comes back, at the next gateway, after the last sequence it saw.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2

CHANNEL_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.http2.bdp_probe", 0))
GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


async def _at_once() -> None:
    """Moves go without waiting."""


def _ignore(item: gateway_pb2.StreamItem) -> None:
    """Nobody looks."""


class ScriptedPlayer:
    """One person at one table.

    ``gateways`` addresses, used in turn; ``observe`` is given every item received; ``before_move`` is awaited before
    each bid or card; ``sent`` is called as a move leaves.
    """

    def __init__(
        self,
        gateways: Sequence[str],
        name: str,
        rng: random.Random,
        observe: Callable[[gateway_pb2.StreamItem], None] = _ignore,
        before_move: Callable[[], Awaitable[None]] = _at_once,
        sent: Callable[[str], None] = lambda _table_id: None,
    ) -> None:
        self.name = name
        self.player_id = ""
        self.last_sequence: int | None = None
        self.playing = asyncio.Event()
        self.finished = asyncio.Event()
        self.metadata: tuple[tuple[str, str], ...] = ()
        self.moves: set[int] = set()
        self.gateways = gateways
        self._gateway = 0
        self.rng = rng
        self.observe = observe
        self._before_move = before_move
        self._sent = sent
        self._channel = self._connect()
        self._outbox: asyncio.Queue[gateway_pb2.PlayItem] = asyncio.Queue()
        self._unanswered: dict[int, gateway_pb2.PlayItem] = {}
        self._call_id = 0
        self._dropping = False
        self._call: grpc.aio.StreamStreamCall[gateway_pb2.PlayRequest, gateway_pb2.PlayResponse] | None = None

    def _connect(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(self.gateways[self._gateway % len(self.gateways)], options=CHANNEL_OPTIONS)

    @property
    def plays(self) -> "gateway_pb2_grpc.PlayServiceAsyncStub":
        """Unary rpcs of the play service on this player's connection; send ``metadata`` with them."""
        return gateway_pb2_grpc.PlayServiceStub(self._channel)

    @property
    def lobby(self) -> "gateway_pb2_grpc.LobbyServiceAsyncStub":
        """Unary rpcs of the lobby service on this player's connection; send ``metadata`` with them."""
        return gateway_pb2_grpc.LobbyServiceStub(self._channel)

    async def sign_in(self) -> None:
        """Become a guest."""
        answer = await gateway_pb2_grpc.AuthServiceStub(self._channel).SignInAsGuest(
            gateway_pb2.SignInAsGuestRequest(display_name=self.name)
        )
        self.player_id = answer.player_id
        self.metadata = (("authorization", f"Bearer {answer.token}"),)

    async def create_table(self, options: view_pb2.TableOptions) -> str:
        """Make a table, sit at it, and give its id."""
        request = gateway_pb2.CreateTableRequest(request_id=secrets.token_hex(8), options=options)
        return (await self.lobby.CreateTable(request, metadata=self.metadata)).table.summary.table_id

    async def sit_down(self, table_id: str) -> None:
        """Take the first free seat."""
        request = gateway_pb2.SitDownRequest(request_id=secrets.token_hex(8), table_id=table_id)
        await self.plays.SitDown(request, metadata=self.metadata)

    async def play(self, table_id: str) -> None:
        """Say ready, follow the table and answer every turn, until the match is finished and the seed revealed."""
        self.command(table_id, table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True)))
        while not self._done():
            try:
                await self._follow(table_id)
            except grpc.aio.AioRpcError as error:
                if error.code() not in GONE:
                    raise
            except asyncio.CancelledError:
                if not self._dropping:
                    raise
            await self._hang_up_and_go_elsewhere()

    def drop(self) -> None:
        """Lose the connection now, as a phone in a tunnel does; ``play`` comes back by itself."""
        self._dropping = True
        if self._call is not None:
            self._call.cancel()

    async def close(self) -> None:
        """Hang up for good."""
        await self._channel.close()

    def command(self, table_id: str, action: table_pb2.TableAction) -> int:
        """Send a command; it is sent again with the same request id after a lost connection. Gives its call id."""
        self._call_id += 1
        command = gateway_pb2.ClientCommand(
            call_id=self._call_id, table_id=table_id, request_id=f"{self.name}-{self._call_id}", action=action
        )
        item = gateway_pb2.PlayItem(command=command)
        self._unanswered[self._call_id] = item
        self._outbox.put_nowait(item)
        return self._call_id

    def _done(self) -> bool:
        """The last move may be answered after everybody saw the end: nobody hangs up before."""
        return self.finished.is_set() and not self._unanswered

    async def _follow(self, table_id: str) -> None:
        topic = gateway_pb2.TableTopic(table_id=table_id, after_sequence=self.last_sequence)
        self._outbox = asyncio.Queue()
        self._outbox.put_nowait(gateway_pb2.PlayItem(subscribe=gateway_pb2.Subscription(table=topic)))
        for waiting in self._unanswered.values():
            self._outbox.put_nowait(waiting)
        self._dropping = False
        self._call = self.plays.Play(self._requests(self._outbox), metadata=self.metadata)
        async for response in self._call:
            for item in response.items:
                await self._take(item)
            if self._done():
                return

    async def _hang_up_and_go_elsewhere(self) -> None:
        if self._call is not None:
            self._call.cancel()
        await self._channel.close()
        self._gateway += 1
        self._channel = self._connect()

    async def _requests(self, outbox: asyncio.Queue[gateway_pb2.PlayItem]) -> AsyncIterator[gateway_pb2.PlayRequest]:
        while True:
            items = [await outbox.get()]
            while not outbox.empty():
                items.append(outbox.get_nowait())
            yield gateway_pb2.PlayRequest(items=items)

    async def _take(self, item: gateway_pb2.StreamItem) -> None:
        self.observe(item)
        kind = item.WhichOneof("kind")
        if kind == "reply":
            self._unanswered.pop(item.reply.call_id, None)
            return
        if item.table_id:
            self.last_sequence = item.sequence
        if kind == "event":
            await self._happened(item.table_id, item.event)
        elif kind == "snapshot":
            await self._joined(item.table_id, item.snapshot)

    async def _joined(self, table_id: str, view: view_pb2.TableView) -> None:
        """A snapshot may already be in the middle of things: a seed or a decision of ours may be due."""
        if view.summary.status == view_pb2.TABLE_STATUS_SEEDING:
            self._send_seed(table_id)
        elif view.turn.HasField("legal"):
            await self._act(table_id, view.turn.legal)

    def _send_seed(self, table_id: str) -> None:
        seed = table_pb2.SubmitSeed(seed=secrets.token_bytes(16))
        self.command(table_id, table_pb2.TableAction(submit_seed=seed))

    async def _happened(self, table_id: str, event: view_pb2.TableEvent) -> None:
        kind = event.WhichOneof("kind")
        if kind == "turn_started":
            self.playing.set()
            if event.turn_started.HasField("legal"):
                await self._act(table_id, event.turn_started.legal)
        elif kind == "match_opened":
            self._send_seed(table_id)
        elif kind == "seed_revealed":
            self.finished.set()

    async def _act(self, table_id: str, legal: match_pb2.LegalActions) -> None:
        await self._before_move()
        self._sent(table_id)
        self.moves.add(self.command(table_id, table_pb2.TableAction(game=self._choose(legal))))

    def _choose(self, legal: match_pb2.LegalActions) -> match_pb2.Action:
        if legal.cards:
            return match_pb2.Action(play=match_pb2.Play(card=self.rng.choice(legal.cards)))
        if legal.may_accept:
            return match_pb2.Action(accept=match_pb2.Accept())
        if legal.suits:
            return match_pb2.Action(choose=match_pb2.Choose(suit=self.rng.choice(legal.suits)))
        return match_pb2.Action(pass_bid=match_pb2.Pass())
