"""`belot play --bots` knows the levels of the bot service, and no others."""

import click
import pytest
from click.testing import CliRunner

from belot_bot.policy import POLICIES
from belot_cli.bot_commands import offered_level
from belot_cli.main import main, play

OPTION = next(each for each in play.params if each.name == "bots")


@pytest.mark.parametrize("level", [policy.level for policy in POLICIES])
def test_every_level_on_offer_may_be_played_against(level: str) -> None:
    assert offered_level(click.Context(play), OPTION, level) == level


@pytest.mark.parametrize("level", ["clever", ""])
def test_another_level_is_refused_with_the_names_of_those_there_are(level: str) -> None:
    result = CliRunner().invoke(main, ["play", "--auto", "--bots", level])
    assert result.exit_code == 2
    assert all(policy.level in result.output for policy in POLICIES)
