"""A fleet in this process: real services on unix sockets, one or more gateways; seconds less than one of processes."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import belot_bot.main as bot
import belot_dealer.main as dealer
import belot_gateway.main as gateway
import belot_rules.main as rules
import belot_table.main as table
from belot_kit.app import App, running
from support.beacons import Beaconry, beacons
from support.databases import Database
from support.dealers import dealer_config
from support.eventually import eventually

StandIn = Callable[[dealer.DealerConfig, Beaconry, str], AbstractAsyncContextManager[object]]
"""Serves at an address in place of the real dealer, which it has behind it."""


@dataclass(slots=True)
class SmallFleet:
    """Where everything listens; `gateways` are what clients dial."""

    directory: Path
    stack: AsyncExitStack
    valkey_url: str
    table_addresses: tuple[str, ...] = ()
    gateways: list[str] = field(default_factory=list)
    tables: dict[str, AsyncExitStack] = field(default_factory=dict)
    grace_s: float = 15.0

    async def stop_table(self, address: str) -> None:
        """End one table service, in order, as SIGTERM does."""
        await self.tables.pop(address).aclose()

    async def add_gateway(self, valkey_url: str | None = None) -> str:
        """One more gateway, ready; it ends with the fleet."""
        address, _ = await self.stack.enter_async_context(self.gateway(valkey_url))
        return address

    @asynccontextmanager
    async def gateway(self, valkey_url: str | None = None, **settings: object) -> AsyncIterator[tuple[str, App]]:
        """A gateway for as long as the block runs, and the app it is; further settings as it has them."""
        address = f"unix:{self.directory}/gateway-{len(self.gateways)}.sock"
        config = gateway.GatewayConfig(
            valkey_url=valkey_url or self.valkey_url,
            table_addresses=self.table_addresses,
            rules_addresses=(f"unix:{self.directory}/rules.sock",),
            dealer_addresses=(f"unix:{self.directory}/dealer.sock",),
            bot_addresses=(f"unix:{self.directory}/bot.sock",),
            token_key_file=self.directory / "tokens.pem",
            create_token_key=True,
            listen=(address,),
            presence_every_s=self.grace_s / 3,
            **settings,  # type: ignore[arg-type]  # its own fields
        )
        async with running(gateway.app_options(config), lambda app: gateway.serve(config, app)) as app:
            self.gateways.append(address)
            await eventually(lambda: all(app.conditions().values()))
            yield address, app


@asynccontextmanager
async def small_fleet(
    database: Database,
    valkey: str,
    directory: Path,
    tables: int = 1,
    stand_in: StandIn | None = None,
    grace_s: float = 15.0,
) -> AsyncIterator[SmallFleet]:
    """Rules, bots, dealer with its beacon, and tables; no gateway yet. Tables ask the `stand_in` if there is one.

    `grace_s` is how long a connection may be away before anybody is told.
    """
    async with AsyncExitStack() as stack:
        beaconry = await stack.enter_async_context(beacons())
        rules_config = rules.RulesConfig(
            listen=(f"unix:{directory}/rules.sock",), postgres_dsn=database.dsn_as("belot_rules")
        )
        bot_config = bot.BotConfig(listen=(f"unix:{directory}/bot.sock",))
        dealer_settings = dealer_config(database, directory, beaconry.urls, listen=(_dealer_at(directory, stand_in),))
        await stack.enter_async_context(
            running(rules.app_options(rules_config), lambda app: rules.serve(rules_config, app))
        )
        await stack.enter_async_context(running(bot.app_options(bot_config), lambda app: bot.serve(bot_config, app)))
        await stack.enter_async_context(
            running(dealer.app_options(dealer_settings), lambda app: dealer.serve(dealer_settings, app))
        )
        if stand_in is not None:
            await stack.enter_async_context(stand_in(dealer_settings, beaconry, _dealer_at(directory)))
        addresses = tuple(f"unix:{directory}/table-{n}.sock" for n in range(tables))
        fleet = SmallFleet(directory, stack, valkey, addresses, grace_s=grace_s)
        for address in fleet.table_addresses:
            fleet.tables[address] = await stack.enter_async_context(AsyncExitStack())
            await fleet.tables[address].enter_async_context(_table(database, valkey, directory, address, grace_s))
        yield fleet


def _dealer_at(directory: Path, stand_in: StandIn | None = None) -> str:
    return f"unix:{directory}/{'dealer' if stand_in is None else 'real-dealer'}.sock"


@asynccontextmanager
async def _table(database: Database, valkey: str, directory: Path, address: str, grace_s: float) -> AsyncIterator[App]:
    config = table.TableConfig(
        postgres_dsn=database.dsn_as("belot_table"),
        valkey_url=valkey,
        rules_addresses=(f"unix:{directory}/rules.sock",),
        dealer_addresses=(f"unix:{directory}/dealer.sock",),
        bot_addresses=(f"unix:{directory}/bot.sock",),
        listen=(address,),
        presence_grace_s=grace_s,
    )
    async with running(table.app_options(config), lambda app: table.serve(config, app)) as app:
        yield app
