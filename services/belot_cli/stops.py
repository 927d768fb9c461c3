"""What a command does about Ctrl-C and SIGTERM."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine

from belot_kit.embedded.processes import EmbeddedServerError

_LOOK_SECONDS = 0.05


async def until_stopped(
    run: Callable[[], Coroutine[object, object, None]],
    say: Callable[[str], None],
    on_second: Callable[[], None] = lambda: None,
) -> bool:
    """Run until it ends by itself (False), or cancel it at the first signal (True); at the second call `on_second`."""
    loop, count = asyncio.get_running_loop(), [0]
    task = loop.create_task(run())

    def on_signal() -> None:
        count[0] += 1
        if count[0] == 1:
            say("stopping")
            task.cancel()
        else:
            on_second()

    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, on_signal)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await task
    except EmbeddedServerError:
        # A terminal's Ctrl-C also reaches a server's short-lived helper, whose failure comes before our signal is seen.
        await asyncio.sleep(_LOOK_SECONDS)
        if not count[0]:
            raise
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
    return count[0] > 0
