"""The recipe against its published vectors, and the inputs that it refuses."""

import hmac
import json
from hashlib import sha256
from pathlib import Path

import pytest

from belot_fair.recipe import NO_VALUE, RecipeRefused, bot_seed, commitment, shuffle

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "deck.json").read_text())
VECTORS = GOLDEN["vectors"]
MISTAKES = GOLDEN["mistakes"]
SEED = bytes(range(32))
SEEDS = (b"a" * 16, b"b" * 16, b"", b"d" * 16)
VALUE = b"v" * 32


def card_number(text: str) -> int:
    return "CDHS".index(text[1]) * 8 + "789TJQKA".index(text[0])


def seeds_of(case: dict) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(seed or "") for seed in case["seeds"])


def made_from(case: dict, pack_size: int = 32) -> tuple[int, ...]:
    return shuffle(
        bytes.fromhex(case["server_seed"]),
        case["hand"],
        seeds_of(case),
        int(case["drand_round"]),
        bytes.fromhex(case["drand_value"]),
        pack_size,
    )


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_every_published_pack_is_made_again(vector: dict) -> None:
    pack = made_from(vector, vector["pack_size"])
    assert list(pack) == vector["pack_index"]
    assert list(pack) == [card_number(card) for card in vector["pack_cards"].split()]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_every_published_commitment_is_made_again(vector: dict) -> None:
    assert commitment(bytes.fromhex(vector["server_seed"])).hex() == vector["commitment"]


def test_the_pack_of_the_mistakes_is_the_right_one() -> None:
    assert made_from(MISTAKES["input"]) == tuple(map(card_number, MISTAKES["right"].split()))


@pytest.mark.parametrize("mistake", sorted(MISTAKES["wrong"]))
def test_a_pack_made_with_a_known_mistake_is_another_pack(mistake: str) -> None:
    wrong = tuple(map(card_number, MISTAKES["wrong"][mistake].split()))
    assert sorted(wrong) == list(range(32))
    assert made_from(MISTAKES["input"]) != wrong


def test_the_mistakes_can_be_told_apart() -> None:
    packs = list(MISTAKES["wrong"].values())
    assert len(set(packs)) == len(packs)


def test_a_server_seed_whose_commitment_is_the_key_is_refused() -> None:
    trap = GOLDEN["hmac_key_traps"][0]
    seed = bytes.fromhex(trap["server_seed"])
    assert sha256(seed).hexdigest() == trap["commitment"]
    with pytest.raises(RecipeRefused):
        commitment(seed)
    with pytest.raises(RecipeRefused):
        made_from(trap)


def test_the_commitment_used_as_key_gives_the_pack_of_the_trap() -> None:
    trap = GOLDEN["hmac_key_traps"][0]
    pack = made_from({**trap, "server_seed": trap["commitment"]})
    assert pack == tuple(map(card_number, trap["pack_from_commitment"].split()))


def test_a_padded_server_seed_is_refused() -> None:
    trap = GOLDEN["hmac_key_traps"][1]
    padded = bytes.fromhex(trap["server_seed_b"])
    with pytest.raises(RecipeRefused):
        commitment(padded)
    with pytest.raises(RecipeRefused):
        shuffle(padded, 0, SEEDS, 1, VALUE)


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64, 65])
def test_a_server_seed_of_any_other_length_is_refused(length: int) -> None:
    for use in (commitment, lambda seed: shuffle(seed, 0, SEEDS, 1, VALUE), lambda seed: bot_seed(seed, "m", 0, 0)):
        with pytest.raises(RecipeRefused, match="exactly 32"):
            use(bytes(length))


@pytest.mark.parametrize("length", [1, 15, 17, 32])
def test_a_client_seed_of_any_other_length_is_refused(length: int) -> None:
    with pytest.raises(RecipeRefused, match="16 octets"):
        shuffle(SEED, 0, (*SEEDS[:3], bytes(length)), 1, VALUE)


@pytest.mark.parametrize(
    ("hand", "seeds", "round", "value", "pack_size"),
    [
        (-1, SEEDS, 1, VALUE, 32),
        (2**32, SEEDS, 1, VALUE, 32),
        (True, SEEDS, 1, VALUE, 32),
        (0, SEEDS[:1], 1, VALUE, 32),
        (0, SEEDS + SEEDS, 1, VALUE, 32),
        (0, SEEDS, 2**64, VALUE, 32),
        (0, SEEDS, 0, VALUE, 32),
        (0, SEEDS, 1, NO_VALUE, 32),
        (0, SEEDS, 1, VALUE[:31], 32),
        (0, SEEDS, 1, VALUE, 28),
    ],
)
def test_inputs_outside_the_recipe_are_refused(
    hand: int, seeds: tuple[bytes, ...], round: int, value: bytes, pack_size: int
) -> None:
    with pytest.raises(ValueError, match=r"hand|seats|round|value|pack"):
        shuffle(SEED, hand, seeds, round, value, pack_size)


def test_a_small_pack_is_the_large_one_without_sevens_and_eights() -> None:
    full = shuffle(SEED, 9, SEEDS, 1, VALUE)
    assert shuffle(SEED, 9, SEEDS, 1, VALUE, 24) == tuple(card for card in full if card % 8 > 1)


def test_a_bot_seed_has_the_documented_octets() -> None:
    message = b"belot.club/bot/v1" + b"\x07match-1" + b"\x02" + b"\x00\x00\x01\x00"
    assert bot_seed(SEED, "match-1", 2, 256) == hmac.new(SEED, message, "sha256").digest()


def test_bot_seeds_differ_by_match_seat_and_hand() -> None:
    seeds = {bot_seed(SEED, match, seat, hand) for match in ("m", "m1") for seat in (0, 1) for hand in (0, 1)}
    assert len(seeds) == 8
