"""The one interceptor of every server. It wraps each handler, from the outside in: errors, measure, guards, deadline.

It also takes over (de)serialisation: grpc.aio answers UNKNOWN together with the exception's text when bytes do not
decode or an answer does not encode. Here the first is INVALID_ARGUMENT, the second INTERNAL without text.
Wrapped handlers are kept by method, so that wrapping costs nothing per call; hence there is no room for further
interceptors. What must happen before a call is a guard.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Final, TypeAlias, TypeVar, cast

import grpc

from belot_kit.deadlines import deadline_after, set_deadline
from belot_kit.draining import set_draining
from belot_kit.errors import DomainError, LocalizedText, Reason
from belot_kit.rpc_observation import Observation, domain_error, send_error, sent_code

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"
Guard: TypeAlias = Callable[[str, Context], None]
"""Called with the method (``/package.Service/Method``) and the context before each rpc; raises DomainError to refuse.

It may set context variables, which the handler then sees."""

Request = TypeVar("Request")
Response = TypeVar("Response")

Localize: TypeAlias = Callable[[DomainError], LocalizedText | None]
"""What to show a person for a refusal, in the language of the call at hand; None: nothing is added."""

_Decode: TypeAlias = Callable[[bytes], object]
_Encode: TypeAlias = Callable[[object], bytes]
_Handler: TypeAlias = "grpc.RpcMethodHandler[object, object]"
_Behaviour: TypeAlias = Callable[[object, Context], object]


class ChassisInterceptor(grpc.aio.ServerInterceptor):
    """Gives every handler the house's errors, guards, deadlines, metrics and log line."""

    def __init__(self, guards: Sequence[Guard], *, rpc_sample: float, localize: Localize | None = None) -> None:
        """`guards` run in order before each rpc; `rpc_sample` is the share of successful rpcs that are logged."""
        self._guards = tuple(guards)
        self._localize = localize
        self._rpc_sample = rpc_sample
        self.draining = asyncio.Event()
        """Set when the server begins to stop; handlers see it by belot_kit.draining."""
        self._wrapped: dict[str, _Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["grpc.RpcMethodHandler[Request, Response] | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Request, Response] | None":
        """Find the handler, wrapped; grpc.aio itself answers UNIMPLEMENTED where there is none."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            wrapped = self._wrapped[method] = self._wrap(method, cast("_Handler", handler))
        return cast("grpc.RpcMethodHandler[Request, Response]", wrapped)

    def _wrap(self, method: str, handler: _Handler) -> _Handler:
        wraps = {
            (False, False): self._unary_unary,
            (False, True): self._unary_stream,
            (True, False): self._stream_unary,
            (True, True): self._stream_stream,
        }
        return wraps[bool(handler.request_streaming), bool(handler.response_streaming)](method, handler)

    @asynccontextmanager
    async def _rpc(self, method: str, context: Context) -> AsyncIterator[None]:
        """Everything around a handler but its messages."""
        seen = Observation(method, self._rpc_sample)
        seen.begin()
        set_draining(self.draining)
        code = grpc.StatusCode.CANCELLED
        try:
            for guard in self._guards:
                guard(method, context)
            yield
            code = sent_code(context)
        except grpc.aio.AbortError:
            code = sent_code(context)
            raise
        except Exception as error:
            refusal = domain_error(error)
            code, seen.reason = refusal.code, refusal.reason
            await send_error(context, refusal, None if self._localize is None else self._localize(refusal))
        finally:
            seen.end(code)

    def _unary_unary(self, method: str, handler: _Handler) -> _Handler:
        behave = cast("_Behaviour", handler.unary_unary)
        decode, encode = _decoder(handler), _encoder(handler)

        async def serve(raw: object, context: Context) -> object:
            async with self._rpc(method, context), _unary_deadline(context):
                return encode(await _settled(behave(decode(cast("bytes", raw)), context)))

        return grpc.unary_unary_rpc_method_handler(cast("Callable[..., object]", serve))

    def _unary_stream(self, method: str, handler: _Handler) -> _Handler:
        behave = cast("_Behaviour", handler.unary_stream)
        decode = _decoder(handler)

        async def serve(raw: object, context: Context) -> None:
            async with self._rpc(method, context):
                _stream_deadline(context)
                await _open_stream(context)
                await _write_all(behave(decode(cast("bytes", raw)), context), context)

        return grpc.unary_stream_rpc_method_handler(
            cast("Callable[..., AsyncIterator[object]]", serve), response_serializer=_encoder(handler)
        )

    def _stream_unary(self, method: str, handler: _Handler) -> _Handler:
        behave = cast("_Behaviour", handler.stream_unary)
        encode = _encoder(handler)

        async def serve(requests: object, context: Context) -> object:
            async with self._rpc(method, context):
                _stream_deadline(context)
                return encode(await _settled(behave(requests, context)))

        return grpc.stream_unary_rpc_method_handler(
            cast("Callable[..., object]", serve), request_deserializer=_decoder(handler)
        )

    def _stream_stream(self, method: str, handler: _Handler) -> _Handler:
        behave = cast("_Behaviour", handler.stream_stream)

        async def serve(requests: object, context: Context) -> None:
            async with self._rpc(method, context):
                _stream_deadline(context)
                await _open_stream(context)
                await _write_all(behave(requests, context), context)

        return grpc.stream_stream_rpc_method_handler(
            cast("Callable[..., AsyncIterator[object]]", serve),
            request_deserializer=_decoder(handler),
            response_serializer=_encoder(handler),
        )


_MALFORMED: Final = "the request is not a message of this rpc"


def _decoder(handler: _Handler) -> _Decode:
    inner = handler.request_deserializer

    def decode(raw: bytes) -> object:
        if inner is None:
            return raw
        try:
            return inner(raw)
        except Exception:
            raise DomainError(Reason.INVALID_ARGUMENT, _MALFORMED) from None

    return decode


def _encoder(handler: _Handler) -> _Encode:
    inner = handler.response_serializer

    def encode(message: object) -> bytes:
        return message if isinstance(message, bytes) or inner is None else inner(message)  # type: ignore[return-value]

    return encode


@asynccontextmanager
async def _unary_deadline(context: Context) -> AsyncIterator[None]:
    remaining: float | None = context.time_remaining()
    deadline = deadline_after(remaining)
    set_deadline(deadline)
    if remaining is not None:  # the caller's own deadline: gRPC cancels us when it passes
        yield
        return
    async with asyncio.timeout_at(deadline):
        yield


def _stream_deadline(context: Context) -> None:
    remaining: float | None = context.time_remaining()
    set_deadline(None if remaining is None else deadline_after(remaining))


async def _open_stream(context: Context) -> None:
    """Send the headers before anything can be cancelled.

    They would go with the first message, and a handler that is cancelled in the middle of it would have them sent twice
    by the error that follows, which gRPC refuses: its client would hear nothing until its deadline.
    """
    await context.send_initial_metadata(())


async def _settled(result: object) -> object:
    return await result if inspect.isawaitable(result) else result


async def _write_all(result: object, context: Context) -> None:
    """Run a streaming handler of either kind: one that writes itself, or a generator of what is to be written."""
    if inspect.isasyncgen(result):
        async with aclosing(result):
            async for message in result:
                await context.write(message)
    elif isinstance(result, AsyncIterator):
        async for message in result:
            await context.write(message)
    else:
        await _settled(result)
