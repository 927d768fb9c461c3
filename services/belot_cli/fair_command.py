"""`belot fair pack` and `belot fair beacon`: the recipe and the beacon check for whoever wants to try them by hand."""

import json
import re
from dataclasses import dataclass, field

from belot_cli.rule_words import wrong
from belot_fair.drand import QUICKNET, BeaconRefused, verify
from belot_fair.octets import Malformed
from belot_fair.recipe import (
    CLIENT_SEED_LENGTH,
    NO_VALUE,
    PACK_SIZES,
    SEATS,
    SERVER_SEED_LENGTH,
    VALUE_LENGTH,
    commitment,
    shuffle,
)

HOLDS, REFUSED = 0, 1
NO_SEED = "-"
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")
_NUMBER = re.compile(r"[0-9]{1,20}")
_INTEGER = re.compile(r"-?[0-9]{1,40}")
_RANKS, _SUITS = "789TJQKA", "CDHS"


@dataclass(frozen=True, slots=True)
class PackAsked:
    """What `belot fair pack` was told, as it was typed; None where nothing was said."""

    server_seed: str = field(repr=False)
    hand: str
    seeds: str = field(repr=False)
    round: str | None
    value: str | None
    pack: str


@dataclass(frozen=True, slots=True)
class Told:
    """What to print, and the exit status to end with."""

    text: str
    status: int


def pack_told(asked: PackAsked, *, as_json: bool) -> str:
    """The pack and the commitment as text. Errors: click.UsageError for anything that the recipe does not take."""
    server_seed = _octets("--server-seed", asked.server_seed, SERVER_SEED_LENGTH)
    seeds = tuple(_seed(word.strip()) for word in asked.seeds.split(","))
    if len(seeds) not in SEATS:
        raise wrong("--seeds", f"{len(seeds)} seats, and a table has 2, 3 or 4; write {NO_SEED} for one without a seed")
    if (asked.round is None) != (asked.value is None):
        raise wrong("--round", "say round and value, or neither for a fallback")
    round = 0 if asked.round is None else _number("--round", asked.round)
    value = NO_VALUE if asked.value is None else _octets("--value", asked.value, VALUE_LENGTH)
    size = _number("--pack", asked.pack)
    if size not in PACK_SIZES:
        raise wrong("--pack", "a pack has 24 or 32 cards")
    if (round == 0) != (value == NO_VALUE):
        raise wrong("--round", "round 0 goes with a value of zeros (a fallback), and no other round does")
    try:
        pack = shuffle(server_seed, _number("--hand", asked.hand), seeds, round, value, size)
    except Malformed as refused:
        raise wrong("--hand or --round", str(refused)) from None
    cards, committed = [_card(number) for number in pack], commitment(server_seed).hex()
    if as_json:
        return json.dumps({"pack": cards, "commitment": committed})
    return f"pack        {' '.join(cards)}\ncommitment  {committed}"


def beacon_told(round: str, signature: str, *, as_json: bool) -> Told:
    """Whether the beacon holds, and its value. Errors: click.UsageError for a round that is no number.

    Whatever is said to be a signature is judged: a forgery may have any length, or be no octets at all.
    """
    if not _INTEGER.fullmatch(round):
        raise wrong("--round", f"{round[:40]!r} is no number")
    try:
        if not _HEX.fullmatch(signature):
            raise BeaconRefused("the signature is not hex")
        value = verify(QUICKNET, int(round), bytes.fromhex(signature)).hex()
    except BeaconRefused as refused:
        text = json.dumps({"valid": False, "reason": refused.why}) if as_json else f"REFUSED: {refused.why}"
        return Told(text, REFUSED)
    return Told(json.dumps({"valid": True, "value": value}) if as_json else f"valid  value {value}", HOLDS)


def _seed(word: str) -> bytes:
    return b"" if word == NO_SEED else _octets("--seeds", word, CLIENT_SEED_LENGTH)


def _octets(option: str, text: str, length: int) -> bytes:
    """Octets written in hex. What was typed may be a secret and is not repeated in the refusal."""
    if not _HEX.fullmatch(text):
        raise wrong(option, "this is not hex: two characters out of 0-9 a-f for each octet")
    octets = bytes.fromhex(text)
    if len(octets) != length:
        raise wrong(option, f"this has {len(octets)} octets, and it takes exactly {length}")
    return octets


def _number(option: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise wrong(option, f"{text[:40]!r} is no number from 0 on")
    return int(text)


def _card(number: int) -> str:
    return _RANKS[number % 8] + _SUITS[number // 8]
