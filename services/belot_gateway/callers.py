"""Who calls and in which language he reads: found once an rpc, before its request is even decoded.

The guard sets two context variables; the handler, and everything it starts, reads them.
"""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from typing import Final, Protocol

from belot_gateway.auth import Identity, Tokens
from belot_gateway.localize import DEFAULT_LANGUAGE, language_for, sentence
from belot_kit.errors import DomainError, LocalizedText, Reason

OPEN_TO_ALL: Final = (
    "/belot.gateway.v1.AuthService/",
    "/belot.gateway.v1.FairnessService/Get",
    "/belot.gateway.v1.FairnessService/List",
    "/grpc.health.",
    "/grpc.reflection.",
)
"""Methods that need no token, by their beginnings."""

_caller: ContextVar[Identity | None] = ContextVar("belot_caller", default=None)
_language: ContextVar[str] = ContextVar("belot_language", default=DEFAULT_LANGUAGE)


class CallContext(Protocol):
    """What we read of a servicer context."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """What the client sent beside its request."""

    def peer(self) -> str:
        """Where the connection comes from: ``ipv4:192.0.2.1:50000``, ``unix:``."""


def caller_guard(tokens: Tokens) -> Callable[[str, CallContext], None]:
    """A guard that lets signed-in callers pass. UNAUTHENTICATED for all others, but where nobody needs a token."""

    def check(method: str, context: CallContext) -> None:
        metadata = _texts(context)
        _language.set(language_for(metadata.get("accept-language", DEFAULT_LANGUAGE)))
        if not method.startswith(OPEN_TO_ALL):
            _caller.set(tokens.identify(metadata.get("authorization")))

    return check


def _texts(context: CallContext) -> Mapping[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def signed_in() -> Identity | None:
    """The caller of this rpc; None where no token was needed."""
    return _caller.get()


def caller() -> Identity:
    """The signed-in caller of this rpc."""
    identity = _caller.get()
    if identity is None:
        raise DomainError(Reason.UNAUTHENTICATED, "sign in first")
    return identity


def language() -> str:
    """The caller's language."""
    return _language.get()


def localize(error: DomainError) -> LocalizedText:
    """The sentence a person reads for a refusal of this rpc."""
    return LocalizedText(language(), sentence(language(), error.reason, error.metadata))
