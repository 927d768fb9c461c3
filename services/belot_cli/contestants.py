"""Who plays in the arena: a level of ours, `random`, or anybody's bot behind a BotService's address."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from belot_bot.arena import Choose
from belot_bot.policy import POLICIES, policy_of
from belot_bot.view import SeatView
from belot_engine.cards import cards_of
from belot_engine.state import Accept, Action, Pass, Play
from belot_engine.state import Choose as ChooseSuit
from belot_engine.worlds import Chance

RANDOM = "random"
REMOTE = "grpc://"


class NoContestant(ValueError):  # noqa: N818 - says what there is not
    """Nobody of that name can play; the message says who can."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """``name`` as it was typed, ``policy`` the version that plays; ``address`` and ``level`` of a bot elsewhere."""

    name: str
    policy: str
    address: str = ""
    level: str = ""


def contestant(name: str) -> Contestant:
    """Who is meant; a BotService is asked for its levels. Errors: NoContestant."""
    if name.startswith(REMOTE):
        return _elsewhere(name)
    if name == RANDOM:
        return Contestant(RANDOM, "random/1")
    policy = policy_of(name)
    if policy is None:
        names = ", ".join([RANDOM, *(each.level for each in POLICIES)])
        raise NoContestant(f"there is no {name!r}: {names}, or grpc://HOST:PORT[#LEVEL]")
    return Contestant(name, policy.version)


def _elsewhere(name: str) -> Contestant:
    from belot_cli.remote_bot import BotAway, levels

    address, _, level = name.removeprefix(REMOTE).partition("#")
    try:
        offered = levels(address)
    except BotAway as error:
        raise NoContestant(f"{name}: {error}") from None
    if not offered or level not in ("", *offered):
        raise NoContestant(f"{name}: it offers {', '.join(offered) or 'no level'}")
    level = level or list(offered)[-1]
    return Contestant(f"{REMOTE}{address}#{level}", offered[level], address, level)


@lru_cache(maxsize=16)
def chooser(who: Contestant) -> Choose:
    """How this one decides; a connection is opened once a process."""
    if who.address:
        from belot_cli.remote_bot import asking

        return asking(who.address, who.level)
    policy = policy_of(who.name)
    return at_random if policy is None else policy.choose


def at_random(view: SeatView, seed: bytes) -> Action:
    """Any legal action, each about equally likely; the same view and seed give the same one."""
    legal = view.legal
    choices: list[Action] = [Play(card) for card in cards_of(legal.cards)]
    choices += [Pass()] * legal.may_pass + [Accept()] * legal.may_accept + [ChooseSuit(suit) for suit in legal.suits]
    moment = bytes((len(view.bids), view.hand.bit_count()))
    return choices[Chance(hashlib.sha256(seed + moment).digest()).below(len(choices))]
