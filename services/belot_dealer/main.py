"""The dealer service's process: settings, keys, database, chain, relays, one gRPC server."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import cast

from belot_dealer.beacons import shared_beacons
from belot_dealer.books import Books, keep_books
from belot_dealer.dealer import Dealer
from belot_dealer.development import development_chain_of
from belot_dealer.drand_client import drand_client
from belot_dealer.keys import load_seed_seal, load_signing_keys
from belot_dealer.listing_store import ListingStore
from belot_dealer.publishing import Publisher
from belot_dealer.relays import QUICKNET_RELAYS, Relay, relay
from belot_dealer.servicer import SERVICE, register
from belot_dealer.store import PACKAGE, PostgresStore
from belot_fair.drand import QUICKNET, Chain
from belot_fair.listing import DAY_MS
from belot_kit.app import App, AppOptions, Step, run_service
from belot_kit.clock import SystemClock
from belot_kit.config import load_config
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.migrate import check_schema
from belot_kit.ops import OpsOptions
from belot_kit.postgres import Connection, PostgresOptions, open_pool


class BeaconChoice(StrEnum):
    """Which chain new matches are bound to: the public quicknet, or a beacon on this machine (development only)."""

    QUICKNET = "quicknet"
    DEV = "dev"


@dataclass(frozen=True, slots=True)
class DealerConfig:
    """Settings (``BELOT_DEALER__LISTEN`` and so on).

    listen                where gRPC listens: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    postgres_dsn          the database; its password comes by ``postgres_password_file``
    postgres_role         role taken on after connecting, where the dsn's own user is not the service's
    signing_key_file      the Ed25519 keys that sign transcripts and receipts, one a line in hex; the first one signs
    seal_keys_file        the AES keys that seal server seeds, one a line; the first one seals
    development           allows the development beacon, and makes key files that are missing
    beacon                ``quicknet`` or ``dev``
    relays                relays of quicknet
    dev_relays            addresses of the development beacon
    clock_check_seconds   how often our clock is compared with the newest beacon
    books_seconds         how often daily roots, forgotten matches, sealing keys and counts of packs are looked after
    abandon_after_days    a match that nobody ended in so many days is revealed as abandoned
    logs                  least level, and the share of successful calls that get a line
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    """

    postgres_dsn: str
    signing_key_file: Path
    seal_keys_file: Path
    listen: tuple[str, ...] = ("127.0.0.1:7104",)
    ops_listen: str = ""
    postgres_password: str | None = field(default=None, repr=False)
    postgres_role: str | None = None
    development: bool = False
    beacon: BeaconChoice = BeaconChoice.QUICKNET
    relays: tuple[str, ...] = QUICKNET_RELAYS
    dev_relays: tuple[str, ...] = ()
    clock_check_seconds: float = 30.0
    books_seconds: float = 60.0
    abandon_after_days: float = 7.0
    logs: LogOptions = field(default_factory=LogOptions)
    max_connection_age_s: float | None = None

    def __post_init__(self) -> None:
        """Refuse settings that contradict each other. Errors: ValueError."""
        if self.beacon is BeaconChoice.DEV and not self.development:
            raise ValueError("the development beacon is taken in development only")
        if self.beacon is BeaconChoice.DEV and not self.dev_relays:
            raise ValueError("dev_relays is empty")
        if self.beacon is BeaconChoice.QUICKNET and len(operators(self.relays)) < 2 and not self.development:
            raise ValueError("relays name fewer than two operators")
        for name in ("clock_check_seconds", "books_seconds", "abandon_after_days"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be more than 0")


def operators(relays: Sequence[str]) -> frozenset[str]:
    """Who runs these relays. Errors: ValueError for an address that is none."""
    return frozenset(relay(url).operator for url in relays)


async def serve(config: DealerConfig, app: App) -> None:
    """Wire the service into a running app. Errors: KeyFileError, MigrationError, OSError, NoBeacon."""
    ring = load_signing_keys(config.signing_key_file, create=config.development)
    seal = load_seed_seal(config.seal_keys_file, create=config.development)
    postgres = PostgresOptions(
        dsn=config.postgres_dsn,
        schema=PACKAGE,
        application_name=PACKAGE,
        password=config.postgres_password,
        role=config.postgres_role,
    )
    pool = await app.enter(await open_pool(postgres))
    async with pool.acquire() as connection:
        await check_schema(cast("Connection", connection), PACKAGE)
    store = PostgresStore(pool)
    chain, relays = await _chain_and_relays(config)
    await store.keep_chain(chain)
    for key in reversed(ring.keys):
        await store.keep_signing_key(key.key_id, key.public_key)
    clock = SystemClock()
    client = await app.enter(drand_client(chain, relays, clock.now_ms))
    beacons = await app.enter(shared_beacons(client, store, config.clock_check_seconds))
    dealer = Dealer(store, ring, seal, beacons, clock.now_ms, secrets.token_bytes)
    listing = ListingStore(pool)
    books = Books(dealer, listing, int(config.abandon_after_days * DAY_MS))
    app.spawn(keep_books(books, config.books_seconds), until=Step.QUIESCE)
    options = ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )
    await app.serve(GrpcServer(options, [register(Publisher(dealer, listing))], [SERVICE]))


async def _chain_and_relays(config: DealerConfig) -> tuple[Chain, tuple[Relay, ...]]:
    if config.beacon is BeaconChoice.QUICKNET:
        return QUICKNET, tuple(relay(url) for url in config.relays)
    relays = tuple(relay(url) for url in config.dev_relays)
    return await development_chain_of(relays), relays


def app_options(config: DealerConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="dealer", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(DealerConfig, "dealer", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
