"""What calls cost and who pays: the arithmetic of credits, the callers that are kept, whose address counts."""

import contextvars
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_gateway.auth import TokenKeys, Tokens
from belot_gateway.callers import caller_guard
from belot_gateway.credits import COSTS, RPC_OF_ACTION, Allowance, cost_of, rpc_of, spend
from belot_gateway.limits import UNLIMITED, Buckets, LimitOptions, Limits, address_of
from belot_kit.errors import DomainError, Reason

RPCS = frozenset(
    method.name for service in gateway_pb2.DESCRIPTOR.services_by_name.values() for method in service.methods
)


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def now(self) -> float:
        return self.seconds


class Call:
    """What a guard sees of a call."""

    def __init__(self, peer: str, *metadata: tuple[str, str]) -> None:
        self._peer, self._metadata = peer, metadata

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


def test_every_price_is_one_of_an_rpc_that_exists() -> None:
    assert set(COSTS) <= RPCS
    assert all(cost > 1 for cost in COSTS.values())


def test_every_command_of_a_stream_costs_what_its_unary_twin_does() -> None:
    kinds = {field.name for field in table_pb2.TableAction.DESCRIPTOR.oneofs_by_name["kind"].fields}
    assert set(RPC_OF_ACTION) == kinds
    assert set(RPC_OF_ACTION.values()) <= RPCS
    assert cost_of(rpc_of(None)) == 1


def test_health_and_reflection_cost_nothing() -> None:
    assert cost_of("/grpc.health.v1.Health/Check") == 0
    assert cost_of("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo") == 0
    assert cost_of("/belot.gateway.v1.PlayService/PlayCard") == 1
    assert cost_of("/belot.gateway.v1.LobbyService/CreateTable") == COSTS["CreateTable"]


@pytest.mark.parametrize("seed", range(20))
def test_nobody_spends_more_than_the_capacity_and_what_came_back(seed: int) -> None:
    draw = random.Random(seed)
    allowance = Allowance(capacity=draw.uniform(20, 100), per_s=draw.uniform(0.5, 50))
    full_at, now, granted = 0.0, 1_000.0, []
    for _ in range(500):
        now += draw.choice([0.0, 0.001, 0.1, 2.0])
        cost = draw.choice([1, 1, 1, 5, 20])
        spent = spend(full_at, cost, now, allowance)
        if spent.wait_s > 0:
            assert spent.full_at == full_at, "what is refused costs nothing"
            again = spend(full_at, cost, now + spent.wait_s + 1e-9, allowance)
            assert again.wait_s <= 0, "after the time that was named it is granted"
        else:
            granted.append((now, cost))
        full_at = spent.full_at
    for start in range(0, len(granted), 7):
        total = 0.0
        for at, cost in granted[start:]:
            total += cost
            assert total <= allowance.capacity + allowance.per_s * (at - granted[start][0]) + 1e-6


def test_a_person_at_full_speed_never_meets_the_limit() -> None:
    """Five cards a second for an hour, a new stream with a table every second, a look at the lobby as often."""
    options = LimitOptions()
    allowance = Allowance(options.player_capacity, options.player_per_s)
    full_at, now = 0.0, 1_000.0
    for _ in range(3_600):
        for rpc in ("PlayCard",) * 5 + ("Play", "Watch", "ListTables", "GetTable"):
            spent = spend(full_at, cost_of(rpc), now, allowance)
            assert spent.wait_s == 0
            full_at = spent.full_at
        now += 1


def test_a_refusal_says_when_to_come_back_and_then_it_is_granted() -> None:
    clock = Clock()
    buckets = Buckets("player", Allowance(20, 10), 10, clock.now)
    buckets.spend("ana", "CreateTable", 20)
    with pytest.raises(DomainError) as refused:
        buckets.spend("ana", "PlayCard", 1)
    assert refused.value.reason is Reason.RATE_LIMITED
    assert refused.value.retry_after_ms in (100, 101)
    buckets.spend("bo", "PlayCard", 1)
    clock.seconds += 0.101
    buckets.spend("ana", "PlayCard", 1)


def test_only_so_many_callers_are_kept_and_the_least_recent_goes_first() -> None:
    clock = Clock()
    buckets = Buckets("player", Allowance(20, 1), 3, clock.now)
    for name in ("ana", "bo", "cy"):
        buckets.spend(name, "PlayCard", 20)
    with pytest.raises(DomainError):
        buckets.spend("ana", "PlayCard", 20)  # refused, and seen
    for number in range(1_000):
        buckets.spend(f"stranger {number}", "PlayCard", 1)
        with pytest.raises(DomainError):
            buckets.spend("ana", "PlayCard", 20)
        assert len(buckets) == 3
    buckets.spend("bo", "PlayCard", 20)  # forgotten, so he may again


@pytest.mark.parametrize(
    ("peer", "named", "whose"),
    [
        ("ipv4:192.0.2.7:50000", "", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50000", "", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.7]:50000", "", "192.0.2.7"),
        ("ipv6:[fe80::1%25eth0]:50000", "", "fe80::/64"),
        ("ipv4:127.0.0.1:50000", "", None),
        ("ipv6:%5B::1%5D:50000", "", None),
        ("unix:", "", None),
        ("ipv4:127.0.0.1:50000", "192.0.2.7", "192.0.2.7"),
        ("unix:", "2001:db8::9", "2001:db8::/64"),
        ("ipv4:192.0.2.7:50000", "nonsense", "192.0.2.7"),
    ],
)
def test_whose_address_counts(peer: str, named: str, whose: str | None) -> None:
    assert address_of(peer, named) == whose


def granted_to(limits: Limits, call: Call, rpc: str = "/belot.gateway.v1.AuthService/SignInAsGuest") -> int:
    granted = 0
    for _ in range(1_000):
        try:
            limits.guard(rpc, call)
        except DomainError:
            break
        granted += 1
    return granted


def test_a_header_counts_only_where_it_is_configured_and_its_last_entry_does() -> None:
    trusting = Limits(LimitOptions(address_header="X-Forwarded-For", address_capacity=50, address_per_s=1), lambda: 0.0)
    spoofed = Call("ipv4:10.0.0.1:1", ("x-forwarded-for", "198.51.100.1, 192.0.2.7"))
    assert granted_to(trusting, spoofed) == 5
    assert granted_to(trusting, Call("ipv4:10.0.0.1:1", ("x-forwarded-for", "203.0.113.5, 192.0.2.7"))) == 0
    assert granted_to(trusting, Call("ipv4:10.0.0.1:1", ("x-forwarded-for", "192.0.2.8"))) == 5
    plain = Limits(LimitOptions(address_capacity=50, address_per_s=1), lambda: 0.0)
    assert granted_to(plain, spoofed) == 5
    assert granted_to(plain, Call("ipv4:10.0.0.1:1", ("x-forwarded-for", "192.0.2.9"))) == 0


def test_a_player_pays_for_himself_wherever_he_connects_from() -> None:
    tokens = Tokens(TokenKeys("k", key := Ed25519PrivateKey.generate(), {"k": key.public_key()}))
    signed_in = tokens.sign_in_guest("Ana")
    limits = Limits(LimitOptions(player_capacity=50, player_per_s=1), lambda: 0.0)
    method = "/belot.gateway.v1.HistoryService/AnalyseMatch"

    def call_from(peer: str) -> int:
        call = Call(peer, ("authorization", f"Bearer {signed_in.token}"))
        caller_guard(tokens)(method, call)
        return granted_to(limits, call, method)

    assert contextvars.copy_context().run(call_from, "ipv4:192.0.2.7:1") == 1
    assert contextvars.copy_context().run(call_from, "unix:") == 0


def test_limits_can_be_switched_off() -> None:
    assert granted_to(Limits(UNLIMITED), Call("ipv4:192.0.2.7:1")) == 1_000


@pytest.mark.parametrize("wrong", [{"player_capacity": 5.0}, {"address_per_s": 0.0}, {"most_kept": 0}])
def test_limits_that_would_refuse_a_call_for_ever_do_not_start(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        LimitOptions(**wrong)  # type: ignore[arg-type]
