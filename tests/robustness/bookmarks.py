"""After the matches: some viewers open their table once more at an old number, on tape."""

import asyncio
import random
from collections.abc import Sequence

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from robustness.histories import Received, Session, Tape
from robustness.person import CHANNEL_OPTIONS
from robustness.tables_at_play import Seen

LIMIT_SECONDS = 10.0


async def open_bookmarks(gateways: Sequence[str], seen: Sequence[Seen], rng: random.Random, count: int) -> list[Tape]:
    """Tapes of `count` streams, each of somebody who saw his table to the end, from a number he had in the middle."""
    chosen = rng.sample(list(seen), min(count, len(seen)))
    return list(await asyncio.gather(*(_reopen(rng.choice(gateways), each, rng) for each in chosen)))


async def _reopen(gateway: str, seen: Seen, rng: random.Random) -> Tape:
    numbers = [each.item.sequence for each in seen.tape.received]
    after, last = rng.randrange(min(numbers), max(numbers)), max(numbers)
    tape = Tape(seen.tape.table_id, seen.tape.player_id, bookmark=True, sessions=[Session(gateway, after)])
    topic = gateway_pb2.TableTopic(table_id=tape.table_id, after_sequence=after)
    request = gateway_pb2.WatchRequest(subscriptions=[gateway_pb2.Subscription(table=topic)])
    async with grpc.aio.insecure_channel(gateway, options=CHANNEL_OPTIONS) as channel:
        call = gateway_pb2_grpc.PlayServiceStub(channel).Watch(request, metadata=seen.metadata, timeout=LIMIT_SECONDS)
        try:
            async for response in call:
                tape.received.extend(Received(0, item) for item in response.items if item.table_id)
                if tape.received and tape.received[-1].item.sequence >= last:
                    break
        except grpc.aio.AioRpcError as error:
            tape.failures.append(error.code().name)
        finally:
            call.cancel()
    return tape
