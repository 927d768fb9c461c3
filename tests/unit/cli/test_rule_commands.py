"""`belot explain`, `score`, `melds`, `deal-map`, `rules`: all published vectors; refusals name the option to change."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from belot_cli.main import main
from belot_engine.deal_notation import deal_text, parse_deal
from belot_engine.notation import parse_cards, parse_hand, parse_position, parse_suit, position_text
from belot_engine.play import broken_clause
from belot_engine.rulesets import forms_of, resolve, ruleset_names

_GOLDEN = Path(__file__).parents[2] / "golden"
_LEGAL = json.loads((_GOLDEN / "legal_cards.json").read_text())["cases"]
_DEALS = json.loads((_GOLDEN / "deal_maps.json").read_text())["deals"]
_SCORES = json.loads((_GOLDEN / "scores.json").read_text())["cases"]
_POSITION = ("--ruleset", "bela", "--trump", "D", "--table", "KH 7D", "--hand", "8H AH KC AC")


def said(*arguments: str) -> str:
    """What the command prints."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def answer(*arguments: str) -> Any:
    """What the command answers as JSON."""
    return json.loads(said(*arguments, "--json"))


def refusal(*arguments: str) -> str:
    """What the command says on standard error when it refuses."""
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def listed(values: list[int]) -> str:
    return ",".join(map(str, values))


def explain_arguments(case: dict[str, Any]) -> list[str]:
    named = {"ruleset": case["ruleset"], "trump": case["trump"], "hand": " ".join(case["hand"])}
    named |= {"table": " ".join(case["trick"])} if case["trick"] else {}
    named |= {key: str(case[key]) for key in ("players", "pack") if key in case}
    return ["explain", *(word for name, value in named.items() for word in (f"--{name}", value))]


def score_arguments(case: dict[str, Any], *, whole: bool = True) -> list[str]:
    """The command for a worked number; not `whole`: only what the figures themselves cannot say."""
    outcome, before = case["outcome"], case.get("before", {})
    lists = {name: listed(outcome[name]) for name in ("points", "melds", "bela", "tricks")}
    lists |= {name: listed(before[name]) for name in ("totals", "bolts") if name in before}
    single = {"declarer": outcome["declarer"], "held": before.get("held", 0), "first": outcome["turn_order"][0]}
    single |= {"players": case["seats"], "pack": case["pack"]}
    if whole or outcome["out_points"]:
        single |= {"last": outcome["last"], "out": outcome["out_points"]}
    words = ["score", "--ruleset", case["ruleset"]]
    words += [f"--{name}={value}" for name, value in (*lists.items(), *single.items())]
    return words + [f"--option={name}={value}" for name, value in case["options"].items()]


@pytest.mark.parametrize("case", _LEGAL, ids=lambda case: case["id"])
def test_every_disputed_position_is_explained_with_its_legal_cards_and_a_clause_for_each_other(
    case: dict[str, Any],
) -> None:
    found = answer(*explain_arguments(case))
    assert sorted(found["legal"]) == sorted(case["legal"])
    trump, trick, hand = parse_suit(case["trump"]), parse_cards(" ".join(case["trick"])), " ".join(case["hand"])
    others = set(case["hand"]) - set(case["legal"])
    assert found["refused"] == {
        card: broken_clause(trump, trick, parse_hand(hand), parse_cards(card)[0]).value for card in others
    }


@pytest.mark.parametrize("deal", _DEALS)
def test_every_published_deal_map_comes_out(deal: dict[str, Any]) -> None:
    words = [f"--{name}={deal[name]}" for name in ("ruleset", "players", "pack", "dealer", "declarer")]
    found = answer("deal-map", *words)
    assert {name: found[name] for name in ("hands", "up_card", "out")} == {
        name: deal[name] for name in ("hands", "up_card", "out")
    }


@pytest.mark.parametrize("whole", [True, False], ids=["all said", "last trick left open"])
@pytest.mark.parametrize("case", _SCORES, ids=lambda case: case["id"])
def test_every_worked_number_comes_out(case: dict[str, Any], whole: bool) -> None:
    found = answer(*score_arguments(case, whole=whole))
    expected = dict(case["expect"])
    assert found["score"] == expected.pop("scores")
    assert found["outcome"] == expected.pop("contract", found["outcome"])
    assert {name: found[name] for name in expected if name in found} == {
        name: value for name, value in expected.items() if name in found
    }


def test_the_examples_of_the_readme_answer_with_these_keys() -> None:
    assert {key: answer("explain", *_POSITION)[key] for key in ("legal", "refused")} == {
        "legal": ["8H", "AH"],
        "refused": {"KC": "must_follow", "AC": "must_follow"},
    }
    sheet = answer("score", "--ruleset", "bela", "--declarer", "0", "--points", "72,90", "--melds", "20,0")
    assert sheet["score"] == [92, 90]
    assert sheet["lines"] == [{"name": "cards", "values": [72, 90]}, {"name": "melds", "values": [20, 0]}]
    hands = "7C 8C 9C;TD JD QD KD;KH QH;7S 8S 9S"
    assert answer("melds", "--ruleset", "club", "--trump", "H", "--first", "0", "--hands", hands)["points"] == [0, 70]


def test_a_card_that_is_asked_about_is_judged_and_says_who_would_allow_it() -> None:
    asked = answer("explain", "--position", "bela D | KH | 8H AH KC AC", "--card", "8h")["asked"]
    assert (asked["legal"], asked["clause"]) == (False, "must_beat")
    assert asked["allowed_by"] == ["club", "classic", "announces"]
    assert "8H may not be played: must_beat" in said("explain", "--position", "bela D | KH | 8H AH KC AC", "--card=8H")


def test_a_position_may_be_one_line_instead_of_options() -> None:
    line = "bela D | KH 7D | 8H AH KC AC"
    assert answer("explain", "--position", line) == answer("explain", *_POSITION)


def test_who_leads_may_play_anything() -> None:
    found = answer("explain", "--ruleset", "classic", "--trump", "H", "--hand", "7C,9H  TS")
    assert (found["legal"], found["refused"]) == (["7C", "9H", "TS"], {})


def test_a_partner_who_is_winning_frees_a_void_player_in_classic_alone() -> None:
    table = ("--trump", "H", "--table", "AC 7C", "--hand", "9H 8S")
    assert answer("explain", "--ruleset", "classic", *table)["legal"] == ["9H", "8S"]
    assert answer("explain", "--ruleset", "club", *table)["refused"] == {"8S": "must_trump"}


def test_announces_is_a_ruleset_like_the_others() -> None:
    deal = ("--declarer", "0", "--points", "50,112", "--melds", "50,0", "--tricks", "3,5")
    assert answer("score", "--ruleset", "announces", *deal)["score"] == [0, 212]


def test_a_switch_may_be_said_as_yes_and_no() -> None:
    deal = ("score", "--ruleset", "bela", "--declarer", "0", "--points", "72,90", "--bela", "20,0")
    assert answer(*deal, "--option", "bela_in_limit=yes")["score"] == [92, 90]
    assert answer(*deal, "--option", "bela_in_limit=no")["score"] == [0, 182]


def test_all_rulesets_are_listed_in_all_forms_and_each_is_shown_knob_by_knob() -> None:
    found = answer("rules")["rulesets"]
    assert len(found) == sum(len(forms_of(name)) for name in ruleset_names())
    for name in ruleset_names():
        shown = answer("rules", name)
        assert shown["hash"] in {each["hash"] for each in found if each["name"] == name}
        assert all(knob["about"] and knob["words"] for knob in shown["knobs"])
        assert all(knob["about"] in said("rules", name) for knob in shown["knobs"])


def test_two_rulesets_are_compared_in_words() -> None:
    found = answer("rules", "club", "--compare", "bela")
    ruff = next(each for each in found["differences"] if each["knob"] == "beat_plain")
    assert (ruff["first"], ruff["second"]) == ("never", "until ruffed")
    assert said("rules", "bela", "--compare", "bela").endswith("are the same\n")
    options = answer("rules", "bela", "--compare", "bela", "--other-option", "stiglja=off")
    assert [each["knob"] for each in options["differences"]] == ["sweep"]


def test_people_get_lines() -> None:
    assert "may be played      8H AH" in said("explain", *_POSITION)
    sheet = said("score", "--ruleset", "bela", "--declarer", "0", "--points", "162,0", "--tricks", "8,0")
    assert "stiglja" in sheet
    assert "seat 1: run TD JD QD, 20, counts" in said("melds", "--ruleset=bela", "--trump=H", "--hands=;TD JD QD;;")
    assert "turned up: 20" in said("deal-map", "--ruleset", "club", "--declarer", "1")
    assert "turned up" not in said("deal-map", "--ruleset", "bela")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("explain --ruleset whist --trump D --hand 7C", "--ruleset: there is no ruleset"),
        ("explain --trump D --hand 7C", "--ruleset: say it"),
        ("explain --ruleset bela --hand 7C", "--trump: say it"),
        ("explain --ruleset bela --trump X --hand 7C", "--trump: 'X' is no suit"),
        ("explain --ruleset bela --trump D --hand 1C", "--hand: '1C' is no card"),
        ("explain --ruleset bela --trump D --hand 7C,7C", "--hand: 7C is named twice"),
        ("explain --ruleset bela --trump D --hand 7C --card 8C", "--card: the card is not in the hand"),
        ("explain --ruleset bela --trump D --hand 7C --card=7C,8C", "--card: name one card"),
        ("explain --ruleset bela --trump D --hand 7C --table 7C", "--hand: a card is on the table"),
        ("explain --ruleset bela --trump D --hand 7C --players 3", "--players: bela is played by 4"),
        ("explain --ruleset bela --trump D --hand 7C --pack 24", "--pack:"),
        ("explain --position nonsense", "--position: a position is"),
        ("explain --position bela|| --trump D", "--position: it says ruleset"),
        ("score --ruleset bela --declarer 0 --points 72,91", "--points: the points of a deal sum to 162"),
        ("score --ruleset bela --declarer 0 --points 72,x", "--points: 'x' is no whole number"),
        ("score --ruleset bela --declarer 0 --points 162,0", "--tricks: say how many"),
        ("score --ruleset bela --declarer 2 --points 72,90", "--declarer: no such side"),
        ("score --ruleset bela --declarer 0 --points 72,90 --melds 20,20", "--melds: only one side's"),
        ("score --ruleset bela --declarer 0 --points 72,90 --held 5", "--held: nothing is held"),
        ("score --ruleset bela --declarer 0 --points 72,90 --option jokers=on", "--option jokers=...: no option"),
        ("score --ruleset bela --declarer 0 --points 72,90 --option jokers", "--option: 'jokers' is not NAME=VALUE"),
        ("score --ruleset club --players 2 --declarer 0 --points 60,90 --out 12", "--last: who took"),
        ("melds --ruleset club --trump H --hands 7C;8C", "--hands: 2 hands, not 4"),
        ("melds --ruleset club --trump H --hands 7C;7C;;", "--hands: a card is in two hands"),
        ("deal-map --ruleset club", "--declarer: say which seat"),
        ("deal-map --ruleset bela --dealer 4", "--dealer: no such seat"),
        ("rules --compare bela", "--compare: name the ruleset"),
        ("rules bela --compare whist", "--ruleset: there is no ruleset"),
    ],
)
def test_what_cannot_be_is_refused_by_the_option_that_said_it(arguments: str, says: str) -> None:
    assert says in refusal(*arguments.split())


@pytest.mark.parametrize(
    "arguments",
    [
        explain_arguments(_LEGAL[0]),
        score_arguments(_SCORES[0]),
        ["deal-map", "--ruleset", "club", "--players", "3", "--pack", "32", "--dealer", "0", "--declarer", "2"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_process_of_its_own_answers_the_same(arguments: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "belot_cli.main", *arguments, "--json"], capture_output=True, check=True
    )
    assert json.loads(ran.stdout) == answer(*arguments)
    assert ran.stderr == b""


def test_a_process_that_refuses_ends_with_status_2_and_an_empty_standard_output() -> None:
    command = [sys.executable, "-m", "belot_cli.main", "explain", "--ruleset", "whist", "--trump", "D", "--hand", "7C"]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"club, bela, classic, announces" in ran.stderr


def test_every_form_has_a_deal_map_and_melds() -> None:
    for name in ruleset_names():
        for form in forms_of(name):
            words = (f"--ruleset={name}", f"--players={form.seats}", f"--pack={form.pack}")
            rules = resolve(name, form.seats, form.pack, {})
            found = answer("deal-map", *words, "--declarer=1")
            dealt = sorted(position for hand in found["hands"] for position in hand) + found["out"]
            assert dealt == list(range(form.pack))
            points = answer("melds", *words, "--trump=C", f"--hands={';' * (form.seats - 1)}")["points"]
            assert points == [0] * (2 if rules.seats == 4 else rules.seats)


_README = (Path(__file__).parents[3] / "services" / "belot_cli" / "README.md").read_text()
_ABOUT_RULES = re.findall(r"^belot ((?:explain|score|melds|deal-map|rules) .*)$", _README, re.MULTILINE)


@pytest.mark.parametrize("line", _ABOUT_RULES)
def test_every_example_of_the_readme_runs(line: str) -> None:
    assert said(*shlex.split(line))


def test_the_notation_of_the_contracts_page_is_read_and_written_back_as_it_stands() -> None:
    page = (Path(__file__).parents[3] / "protos" / "README.md").read_text()
    blocks = [block.replace("\n  |", " |").strip() for block in re.findall(r"```\n(.*?)```", page, re.DOTALL)]
    lines = [line for block in blocks if re.match(r"(club|bela) ", block) for line in block.splitlines()]
    deals = [line for line in lines if " dealer " in line]
    positions = [line for line in lines if line not in deals]
    assert (len(deals), len(positions)) == (1, 2)
    assert [deal_text(parse_deal(line)) for line in deals] == deals
    assert [position_text(parse_position(line)) for line in positions] == positions
