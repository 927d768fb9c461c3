"""The loop on which simulations run: time passes when there is nothing else to do, and order comes from the seed."""

import asyncio
import random
import secrets
import time

import pytest

from support.virtual_time import EPOCH_MS, Standstill, VirtualLoop, run_virtually


def test_a_day_passes_in_no_time() -> None:
    async def wait(virtual: VirtualLoop) -> int:
        await asyncio.sleep(86_400)
        return virtual.clock.now_ms()

    began = time.monotonic()
    assert run_virtually(wait, random.Random(1)) == EPOCH_MS + 86_400_000
    assert time.monotonic() - began < 5


def test_what_is_due_comes_in_the_order_of_its_time() -> None:
    async def run(_: VirtualLoop) -> list[float]:
        came: list[float] = []

        async def after(seconds: float) -> None:
            await asyncio.sleep(seconds)
            came.append(seconds)

        await asyncio.gather(*(after(seconds) for seconds in (3.0, 1.0, 2.0)))
        return came

    assert run_virtually(run, random.Random(1)) == [1.0, 2.0, 3.0]


def test_the_order_of_what_is_ready_and_all_chance_are_drawn_from_the_seed() -> None:
    async def run(_: VirtualLoop) -> tuple[list[int], str, float]:
        ran: list[int] = []

        async def note(number: int) -> None:
            ran.append(number)

        await asyncio.gather(*(note(number) for number in range(8)))
        return ran, secrets.token_hex(8), random.random()

    courses = [run_virtually(run, random.Random(seed)) for seed in (1, 1, 2)]
    assert courses[0] == courses[1]
    assert courses[0] != courses[2]
    assert courses[0][0] != list(range(8))


def test_what_waits_for_nothing_is_a_standstill() -> None:
    async def wait(virtual: VirtualLoop) -> None:
        await virtual.loop.create_future()

    with pytest.raises(Standstill):
        run_virtually(wait, random.Random(1))


def test_work_meant_for_a_thread_is_done_at_once() -> None:
    async def run(virtual: VirtualLoop) -> tuple[int, float]:
        return await asyncio.to_thread(sum, [1, 2]), virtual.clock.monotonic()

    total, now = run_virtually(run, random.Random(1))
    assert (total, now) == (3, 1_000.0)
