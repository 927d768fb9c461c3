"""The second verifier on the vectors: packs, beacons and their forgeries, round times."""

import json
from pathlib import Path

from support.second_verifier import ask

GOLDEN = Path(__file__).parents[2] / "golden"
DECK = json.loads((GOLDEN / "deck.json").read_text())
DRAND = json.loads((GOLDEN / "drand_quicknet.json").read_text())
CHAIN = DRAND["chain"]


def pack_request(vector: dict[str, object], **changes: object) -> dict[str, object]:
    """A vector of the recipe as a request."""
    seeds = vector["seeds"]
    assert isinstance(seeds, list)
    asked = {
        "ask": "pack",
        "server_seed": vector["server_seed"],
        "seeds": [seed or "" for seed in seeds],
        "round": str(vector["drand_round"] or 0),
        "value": vector["drand_value"] or "00" * 32,
        "hand": vector["hand"],
        "size": vector.get("pack_size", 32),
    }
    return asked | changes


def test_every_pack_of_the_vectors_is_made() -> None:
    answers = ask([pack_request(vector) for vector in DECK["vectors"]])
    for vector, answer in zip(DECK["vectors"], answers, strict=True):
        assert answer == {"pack": vector["pack_index"], "commitment": vector["commitment"]}, vector["id"]


def test_the_pack_of_the_mistakes_is_the_right_one_and_none_of_the_wrong_ones() -> None:
    [answer] = ask([pack_request(DECK["mistakes"]["input"])])
    pack = answer["pack"]
    assert isinstance(pack, list)
    text = " ".join("789TJQKA"[card % 8] + "CDHS"[card // 8] for card in pack)
    assert text == DECK["mistakes"]["right"]
    assert text not in DECK["mistakes"]["wrong"].values()


def test_odd_inputs_of_the_recipe_are_refused() -> None:
    good = DECK["vectors"][0]
    trap = DECK["hmac_key_traps"][0]["server_seed"]
    odd: list[dict[str, object]] = [
        {"server_seed": trap},
        {"server_seed": "00" * 31},
        {"seeds": ["00" * 15, "", "", ""]},
        {"seeds": [""]},
        {"seeds": [""] * 5},
        {"round": "0"},
        {"value": "00" * 32},
        {"value": "11" * 31},
        {"size": 31},
    ]
    assert [list(answer) for answer in ask([pack_request(good, **change) for change in odd])] == [["error"]] * len(odd)


def test_every_real_beacon_holds_and_every_forgery_is_refused_torsion_included() -> None:
    beacons = [*DRAND["vectors"], *DRAND["negative"]]
    head = {"ask": "beacon", "public_key": CHAIN["public_key"]}
    answers = ask([head | {"round": str(each["round"]), "signature": each["signature"]} for each in beacons])
    assert any("torsion" in each["id"] for each in DRAND["negative"])
    for each, answer in zip(beacons, answers, strict=True):
        assert answer.get("valid", False) is ("expect" not in each), each
        assert "randomness" not in each or answer["value"] == each["randomness"]


def test_a_public_key_outside_the_subgroup_or_at_infinity_takes_no_signature() -> None:
    beacon = DRAND["vectors"][0]
    # About every second small x is that of a point on the curve, and hardly any of those is in the subgroup.
    keys = ["c0" + "00" * 95, *(f"80{x:0190x}" for x in range(12))]
    requests = [
        {"ask": "beacon", "public_key": key, "round": str(beacon["round"]), "signature": beacon["signature"]}
        for key in keys
    ]
    assert [answer.get("valid") for answer in ask(requests)] == [False] * len(keys)


def test_the_chain_hash_and_the_rounds_of_the_vectors_follow() -> None:
    chain = {
        "ask": "round",
        "beacon_id": CHAIN["beacon_id"],
        "genesis": str(CHAIN["genesis_time"]),
        "group_hash": CHAIN["group_hash"],
        "period": CHAIN["period"],
        "public_key": CHAIN["public_key"],
    }
    times = DRAND["round_times"]
    # The first round strictly after a time is the first one due a second after 999 ms before it, in whole milliseconds.
    closes = [round(each["unix_time"] * 1000) - 999 for each in times]
    answers = ask([chain | {"close_ms": str(close), "highest": "0"} for close in closes])
    assert all(answer["quicknet"] for answer in answers)
    assert [int(str(answer["round"])) for answer in answers] == [each["first_round_strictly_after"] for each in times]
    [above] = ask([chain | {"close_ms": str(closes[0]), "highest": "41"}])
    assert above["round"] == "42"
