"""The rules service as its own process wires it."""

from pathlib import Path

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from belot.rules.v1 import rules_pb2, rules_pb2_grpc
from belot_kit.app import running
from belot_kit.config import ConfigError, load_config
from belot_kit.grpc_client import ChannelOptions, open_channel
from belot_rules.main import RulesConfig, app_options, serve
from belot_rules.servicer import SERVICE


async def test_the_wired_service_is_healthy_and_answers(tmp_path: Path) -> None:
    config = RulesConfig(listen=(f"unix:{tmp_path}/rules-0.sock",))
    async with (
        running(app_options(config), lambda app: serve(config, app)) as app,
        open_channel(ChannelOptions(app.addresses["grpc"])) as channel,
    ):
        health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=SERVICE))
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        listed = await rules_pb2_grpc.RulesServiceStub(channel).ListRulesets(rules_pb2.ListRulesetsRequest())
        assert listed.rulesets


def test_settings_come_from_file_and_environment_and_unknown_ones_stop_the_start(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('listen = ["127.0.0.1:1"]\n[logs]\nlevel = "WARNING"\n')
    config = load_config(RulesConfig, "rules", file=file, environment={"BELOT_RULES__LISTEN": "unix:/a, unix:/b"})
    assert (config.listen, config.logs.level) == (("unix:/a", "unix:/b"), "WARNING")
    with pytest.raises(ConfigError):
        load_config(RulesConfig, "rules", environment={"BELOT_RULES__LISTENS": "x"})
