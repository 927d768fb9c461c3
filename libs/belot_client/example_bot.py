"""A bot of its own kind at anybody's table: `python -m belot_client.example_bot --server HOST:PORT --table TABLE`.

Its idea: name the suit with most points in hand; take a trick as cheaply as possible where the partner has not got it,
give him the most, and otherwise the least. Without `--table` it opens a table and plays against three bots.
"""

import argparse
import asyncio

from belot_client.cards import Card, Suit, points_of, suit_of
from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.session import TableSession
from belot_client.view import Legal, Match, Options, TableState

PLAIN, TRUMPS = "789JQKTA", "78QKTA9J"
ENOUGH = 40  # points in hand of a suit that is named freely, all its cards counted as trumps


def strength(card: Card, trump: Suit | None) -> int:
    """Compares cards that can take the same trick."""
    return 10 + TRUMPS.index(card[0]) if suit_of(card) == trump else PLAIN.index(card[0])


def card_for(legal: Legal, match: Match, seat: int) -> Card:
    """The card to play; a trick goes to its strongest trump, or else to the strongest of the suit led."""
    trump, trick = match.hand.trump, match.hand.trick
    cards = sorted(legal.cards, key=lambda card: (points_of(card, trump), strength(card, trump)))
    if trick is None or not trick.cards:
        aces = [card for card in cards if card[0] == "A" and suit_of(card) != trump]
        return aces[0] if aces else cards[0]
    fit = [card for card in trick.cards if suit_of(card) in (suit_of(trick.cards[0]), trump)]
    best = max(fit, key=lambda card: strength(card, trump))
    winner = (trick.leader + trick.cards.index(best)) % len(match.sides)
    if match.sides[winner] == match.sides[seat]:
        return cards[-1]
    taking = [card for card in cards if suit_of(card) in (suit_of(best), trump)]
    taking = [card for card in taking if strength(card, trump) > strength(best, trump)]
    return taking[0] if taking else cards[0]


async def act(session: TableSession, state: TableState) -> None:
    """One turn, whatever is due."""
    legal, match = state.legal, state.match
    if legal is None or match is None or state.viewer_seat is None:
        return
    if legal.cards:
        await session.play(card_for(legal, match, state.viewer_seat))
        return
    up = (suit_of(match.hand.up_card),) if legal.may_accept and match.hand.up_card else ()
    worth = {
        suit: sum(points_of(card, suit) for card in state.hand if suit_of(card) == suit) for suit in (*up, *legal.suits)
    }
    suit = max(worth, key=lambda each: worth[each], default=None)
    if legal.may_pass and (suit is None or worth[suit] < ENOUGH):
        await session.pass_bid()
    elif suit is None or suit in up:
        await session.accept()
    else:
        await session.choose(suit)


async def play(server: str, table_id: str | None, code: str, name: str) -> None:
    """Sit down, play to the end of the match, say how it ended."""
    async with BelotClient(server) as client:
        await client.sign_in_guest(name)
        table = table_id or (await client.create_table(Options("bela", ruleset_options=(("deals", "2"),)))).table_id
        async with client.table(table, invitation_code=code) as session:
            await (session.sit_down() if table_id else session.fill_with_bots("normal"))
            await session.ready()
            async for state in session.turns():
                try:
                    await act(session, state)
                except Refused as refused:
                    print(f"refused: {refused.reason}")  # the clock was faster: the turn is over
            print(session.state.match.result if session.state.match else session.state.outcome)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="A bot that plays one match at a table.")
    asked.add_argument("--server", required=True, help="a gateway, HOST:PORT")
    asked.add_argument("--table", help="the table's id; one of its own if not said")
    asked.add_argument("--code", default="", help="the invitation code of a private table")
    asked.add_argument("--name", default="Example bot")
    told = asked.parse_args()
    asyncio.run(play(told.server, told.table, told.code, told.name))
