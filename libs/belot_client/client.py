"""The client: one connection to Belot, a signed-in guest, lobby and tables.

``async with BelotClient("127.0.0.1:7100") as client: await client.sign_in_guest("Ana")``, then `create_table`,
`list_tables` and `table(...)`, which gives a `TableSession` to play or watch at.
"""

import asyncio
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, TypeAlias, TypeVar

import grpc

from belot.bot.v1 import bot_pb2
from belot.dealer.v1 import dealer_pb2
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import rules_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_client.errors import refused_by
from belot_client.fairness import FairnessKeeper, Where
from belot_client.keeping import EvidenceFolder
from belot_client.session import TableSession
from belot_client.snapshot import options_message, table_state
from belot_client.view import Options, TableState
from belot_client.vigil import Vigilance
from belot_kit.grpc_client import ChannelOptions, open_channel

CALL_SECONDS: Final = 5.0
ANALYSIS_SECONDS: Final = 60.0
_TRIES: Final = 5
_BACKOFF_SECONDS: Final = (0.05, 0.5)
Request = TypeVar("Request")
Answer = TypeVar("Answer")
_Method: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[Request, Answer]"


@dataclass(frozen=True, slots=True)
class Player:
    """Who this client is; `token` signs the same player in again."""

    player_id: str
    display_name: str
    token: str = field(repr=False)


class BelotClient:
    """A client of one or more gateways; use it as ``async with``."""

    def __init__(
        self,
        *addresses: str,
        language: str = "en",
        player: Player | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        keep: Path | None = None,
    ) -> None:
        """`addresses` of gateways (``host:port``, ``dns:///...``, ``unix:/...``): the next is used when one fails.

        `language` is that of refusals; `player` one who signed in before; `credentials` switch TLS on. `keep`: a folder
        in which sessions keep evidence of their matches (keeping.py), and from which they go on after a restart.
        """
        if not addresses:
            raise ValueError("a client needs the address of a gateway")
        self._addresses: Sequence[str] = addresses
        self._credentials = credentials
        self._language = language
        self._keep = keep
        self._player = player
        self._at = 0
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def __aenter__(self) -> "BelotClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        channels, self._channels = self._channels, {}
        for channel in channels.values():
            await channel.close()

    @property
    def player(self) -> Player:
        """Who is signed in. RuntimeError when nobody is."""
        if self._player is None:
            raise RuntimeError("sign in first: await client.sign_in_guest(name)")
        return self._player

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""
        language = ("accept-language", self._language)
        return (language,) if self._player is None else (language, ("authorization", f"Bearer {self._player.token}"))

    @property
    def channel(self) -> grpc.aio.Channel:
        """The connection to the gateway in use."""
        address = self._addresses[self._at % len(self._addresses)]
        if address not in self._channels:
            self._channels[address] = open_channel(ChannelOptions(address), self._credentials)
        return self._channels[address]

    def go_elsewhere(self, failed: grpc.aio.Channel) -> None:
        """Use the next gateway, unless that has happened already since `failed` was in use."""
        if failed is self.channel:
            self._at += 1

    async def sign_in_guest(self, display_name: str) -> Player:
        """Become a new guest. Errors: Refused."""
        request = gateway_pb2.SignInAsGuestRequest(display_name=display_name)
        answer = await self._ask(lambda channel: gateway_pb2_grpc.AuthServiceStub(channel).SignInAsGuest, request)
        self._player = Player(answer.player_id, display_name, answer.token)
        return self._player

    async def list_rulesets(self) -> Sequence[rules_pb2.Ruleset]:
        """The published rulesets with their knobs. Errors: Refused."""
        request = gateway_pb2.ListRulesetsRequest()
        return (await self._ask(lambda channel: _lobby(channel).ListRulesets, request)).rulesets

    async def list_tables(
        self, *, mine: bool = False, page_size: int = 0, page_token: str = ""
    ) -> tuple[Sequence[view_pb2.TableSummary], str]:
        """A page of public tables (or one's own), newest first, and the token of the next page. Errors: Refused."""
        request = gateway_pb2.ListTablesRequest(mine=mine, page_size=page_size, page_token=page_token)
        page = await self._ask(lambda channel: _lobby(channel).ListTables, request)
        return page.tables, page.next_page_token

    async def get_table(self, table_id: str, *, invitation_code: str = "") -> TableState:
        """A table as this player sees it; a code opens a private one. Errors: Refused SPECTATORS_NOT_ALLOWED for one.

        Of a match that is shown late to this player it has the seats alone.
        """
        request = gateway_pb2.GetTableRequest(table_id=table_id, invitation_code=invitation_code)
        found = await self._ask(lambda channel: _lobby(channel).GetTable, request)
        return table_state(found.table, self.player.player_id)

    async def create_table(self, options: Options, *, stay_standing: bool = False) -> TableState:
        """Make a table and sit down at seat 0, unless told to stay standing. Errors: Refused."""
        request = gateway_pb2.CreateTableRequest(
            request_id=secrets.token_hex(16), options=options_message(options), stay_standing=stay_standing
        )
        made = await self._ask(lambda channel: _lobby(channel).CreateTable, request)
        return table_state(made.table, self.player.player_id)

    async def find_invitation(self, code: str) -> TableState:
        """The private table that a code leads to. Errors: Refused TABLE_NOT_FOUND."""
        request = gateway_pb2.FindInvitationRequest(invitation_code=code)
        found = await self._ask(lambda channel: _lobby(channel).FindInvitation, request)
        return table_state(found.table, self.player.player_id)

    async def join(self, code: str, *, seat: int | None = None) -> TableSession:
        """Sit down at the private table that a code leads to; use the session as ``async with``. Errors: Refused.

        TABLE_NOT_FOUND, SEAT_TAKEN, TABLE_FULL, TABLE_NOT_OPEN; who sits there already just comes back.
        """
        found = await self.find_invitation(code)
        if found.viewer_seat is None:
            request = gateway_pb2.SitDownRequest(
                request_id=secrets.token_hex(16), table_id=found.table_id, seat=seat, invitation_code=code
            )
            await self._ask(lambda channel: gateway_pb2_grpc.PlayServiceStub(channel).SitDown, request)
        return self.table(found.table_id, invitation_code=code)

    def spectate(self, table_id: str, *, invitation_code: str = "") -> TableSession:
        """A session to watch at only; use it as ``async with``. Errors: KeepingFailed.

        Where spectators see a match late, entering it takes as long. SPECTATORS_NOT_ALLOWED ends it when the match
        begins at a table that wants none.
        """
        return self.table(table_id, invitation_code=invitation_code, vigilance=Vigilance(report=False))

    async def open_rematch(self, table_id: str) -> TableState:
        """After a match: the table for the same people, this player on his seat. Errors: Refused MATCH_NOT_FINISHED."""
        request = gateway_pb2.OpenRematchRequest(request_id=secrets.token_hex(16), table_id=table_id)
        opened = await self._ask(lambda channel: _lobby(channel).OpenRematch, request)
        return table_state(opened.table, self.player.player_id)

    async def list_matches(
        self, *, page_size: int = 0, page_token: str = ""
    ) -> tuple[Sequence[view_pb2.MatchFinished], str]:
        """A page of one's own finished matches, latest table first, and the token of the next. Errors: Refused."""
        request = gateway_pb2.ListMatchesRequest(page_size=page_size, page_token=page_token)
        page = await self._ask(lambda channel: _history(channel).ListMatches, request)
        return page.matches, page.next_page_token

    async def match_record(self, match_id: str) -> table_pb2.MatchRecord:
        """Everything that was decided in a finished match, and by whom. Errors: Refused."""
        request = gateway_pb2.GetMatchRecordRequest(match_id=match_id)
        return (await self._ask(lambda channel: _history(channel).GetMatchRecord, request)).record

    async def replay_match(self, match_id: str, decisions: int) -> table_pb2.ReplayMatchResponse:
        """A finished match after so many of its decisions. Errors: Refused."""
        request = gateway_pb2.ReplayMatchRequest(match_id=match_id, decisions=decisions)
        return (await self._ask(lambda channel: _history(channel).ReplayMatch, request)).position

    async def analyse_match(self, match_id: str, *, seconds: float = ANALYSIS_SECONDS) -> bot_pb2.MatchAnalysis:
        """A finished match with all cards open, as far as it can be solved in the time; `pending` deals are not there.

        Asking again goes on where it stopped. Errors: Refused.
        """
        request = gateway_pb2.AnalyseMatchRequest(match_id=match_id)
        return (await self._ask(lambda channel: _history(channel).AnalyseMatch, request, seconds)).analysis

    async def proof_file(self, match_id: str) -> bytes:
        """The proof file of a finished match, for ``belot verify``. Errors: Refused."""
        request = gateway_pb2.GetProofFileRequest(match_id=match_id)
        found = await self._ask(lambda channel: gateway_pb2_grpc.PlayServiceStub(channel).GetProofFile, request)
        return found.proof

    async def inclusion_proof(self, match_id: str) -> bytes:
        """That a match's commitment is listed on its day, for ``belot verify --inclusion``. Errors: Refused."""
        request = gateway_pb2.GetInclusionProofRequest(match_id=match_id)
        return (await self._ask(lambda channel: _fairness(channel).GetInclusionProof, request)).inclusion

    async def dealer_keys(self) -> tuple[bytes, ...]:
        """The dealer's keys as this gateway publishes them; compare them with those of elsewhere. Errors: Refused."""
        request = gateway_pb2.GetDealerKeysRequest()
        found = await self._ask(lambda channel: _fairness(channel).GetDealerKeys, request)
        return tuple(key.public_key for key in found.keys)

    async def fairness_stats(self, table_id: str = "") -> dealer_pb2.GetFairnessStatsResponse:
        """The public figures, of a public table too where it is named. Errors: Refused."""
        request = gateway_pb2.GetFairnessStatsRequest(table_id=table_id)
        return (await self._ask(lambda channel: _fairness(channel).GetFairnessStats, request)).stats

    def table(
        self,
        table_id: str,
        *,
        invitation_code: str = "",
        trusted_keys: Sequence[bytes] | None = None,
        vigilance: Vigilance | None = None,
    ) -> TableSession:
        """A session at a table, to play or watch; use it as ``async with``. Errors: KeepingFailed.

        `invitation_code` opens a private table to one who has no seat there yet. `trusted_keys`: see FairnessKeeper.
        `vigilance`: what to do about a deal that does not fit.
        """
        player_id = self.player.player_id
        where = None if self._keep is None else Where(EvidenceFolder(self._keep), table_id, player_id)
        return TableSession(
            self, table_id, player_id, FairnessKeeper(trusted_keys, keep=where), vigilance, invitation_code
        )

    async def _ask(
        self,
        method: "Callable[[grpc.aio.Channel], _Method[Request, Answer]]",
        request: Request,
        seconds: float = CALL_SECONDS,
    ) -> Answer:
        """One unary call, over the next gateway when one is away; safe, because requests carry their ids."""
        delay = _BACKOFF_SECONDS[0]
        for tries_left in range(_TRIES - 1, -1, -1):
            channel = self.channel
            try:
                return await method(channel)(request, metadata=self.metadata, timeout=seconds)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or not tries_left:
                    raise refused_by(error) from error
            self.go_elsewhere(channel)
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
            delay = min(2 * delay, _BACKOFF_SECONDS[1])
        raise AssertionError("the last try returns or raises")


def _history(channel: grpc.aio.Channel) -> "gateway_pb2_grpc.HistoryServiceAsyncStub":
    return gateway_pb2_grpc.HistoryServiceStub(channel)


def _lobby(channel: grpc.aio.Channel) -> "gateway_pb2_grpc.LobbyServiceAsyncStub":
    return gateway_pb2_grpc.LobbyServiceStub(channel)


def _fairness(channel: grpc.aio.Channel) -> "gateway_pb2_grpc.FairnessServiceAsyncStub":
    return gateway_pb2_grpc.FairnessServiceStub(channel)
