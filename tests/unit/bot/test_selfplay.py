"""The long run of bots among themselves: a few deals of it, and that it would notice what is wrong."""

import pytest

from belot_bot import easy, normal
from belot_bot.view import SeatView
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Action, Pass, Play
from selfplay.deals import Share, played, played_by
from support.playouts import every_form

BELA = resolve("bela", 4, 32, {})
SEED = b"few"


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
@pytest.mark.parametrize(("level", "deals"), [("easy", 20), ("normal", 20), ("hard", 2)])
def test_bots_play_every_form_by_the_rules_and_the_same_again(rules: Ruleset, level: str, deals: int) -> None:
    found = played(Share(rules.name, rules.seats, rules.pack, level, "few", 0, deals))
    assert found.findings == ()
    assert found.decisions > 10 * deals


@pytest.mark.parametrize("rules", [BELA, resolve("club", 3, 24, {})], ids=lambda rules: f"{rules.name}-{rules.seats}")
def test_expert_too_though_its_cards_take_their_time(rules: Ruleset) -> None:
    found = played(Share(rules.name, rules.seats, rules.pack, "expert", "few", 0, 1))
    assert found.findings == ()
    assert found.decisions > 10


def test_a_card_that_may_not_be_played_is_found() -> None:
    def careless(view: SeatView, seed: bytes) -> Action:
        return Play(view.hand.bit_length() - 1) if view.legal.cards else normal.choose(view, seed)

    found = played_by(careless, BELA, SEED, range(5))
    assert len(found.findings) > 2
    assert all("at decision" in each.wrong for each in found.findings)


def test_a_bot_that_keeps_something_from_one_deal_to_the_next_is_found() -> None:
    kept: list[SeatView] = []

    def mindful(view: SeatView, seed: bytes) -> Action:
        kept.append(view)
        return easy.choose(view, seed) if len(kept) > 200 else normal.choose(view, seed)

    assert any("played again" in each.wrong for each in played_by(mindful, BELA, SEED, range(5)).findings)


def test_a_bot_that_raises_is_found() -> None:
    def broken(view: SeatView, seed: bytes) -> Action:
        if view.legal.cards:
            raise ZeroDivisionError("worlds")
        return Pass() if view.legal.may_pass else easy.choose(view, seed)

    assert any("ZeroDivisionError" in each.wrong for each in played_by(broken, BELA, SEED, range(3)).findings)
