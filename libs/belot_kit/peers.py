"""Which service is calling, and whether it may.

Over mutual TLS a caller is the DNS name in its certificate (``gateway.belot``); over a unix socket it is whoever may
enter the socket's directory, which is trusted. Players are no peers: they are known by token, at the gateway alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from belot_kit.errors import DomainError, Reason

_SAN = "x509_subject_alternative_name"


class CallContext(Protocol):
    """What we read of a grpc.aio servicer context."""

    def peer(self) -> str:
        """The caller's address: ``unix:...``, ``ipv4:host:port``."""

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """What TLS knows of the caller; empty without TLS."""


@dataclass(frozen=True, slots=True)
class PeerPolicy:
    """Per gRPC service (``belot.table.v1.TableService``), the certificate names that may call it.

    A service that is not listed is open to every peer that got through TLS. `require_tls` refuses TCP callers without
    a certificate; unix sockets stay open.
    """

    allowed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    require_tls: bool = False

    def check(self, service: str, context: CallContext) -> None:
        """Let the caller pass, or raise DomainError PERMISSION_DENIED."""
        allowed = self.allowed.get(service)
        if allowed is None and not self.require_tls:
            return
        if context.peer().startswith("unix:"):
            return
        names = peer_names(context)
        if not names and not self.require_tls:
            return
        if not names or (allowed is not None and not allowed.intersection(names)):
            raise DomainError(Reason.PERMISSION_DENIED, "this service may not be called by you")


def peer_names(context: CallContext) -> Sequence[str]:
    """The DNS names in the caller's certificate; none without TLS."""
    return [name.decode("ascii", "replace") for name in context.auth_context().get(_SAN, ())]
