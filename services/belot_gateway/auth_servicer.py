"""AuthService: unpack, one call, pack."""

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot_gateway import commands
from belot_gateway.auth import Tokens

SERVICE = "belot.gateway.v1.AuthService"


class AuthServicer(gateway_pb2_grpc.AuthServiceServicer):
    """Who is playing."""

    def __init__(self, tokens: Tokens) -> None:
        """`tokens` are made here."""
        self._tokens = tokens

    async def SignInAsGuest(  # noqa: N802 - the rpc's name
        self,
        request: gateway_pb2.SignInAsGuestRequest,
        context: "grpc.aio.ServicerContext[gateway_pb2.SignInAsGuestRequest, gateway_pb2.SignInAsGuestResponse]",
    ) -> gateway_pb2.SignInAsGuestResponse:
        """A new guest."""
        signed_in = commands.sign_in_guest(self._tokens, request.display_name)
        response = gateway_pb2.SignInAsGuestResponse(player_id=signed_in.identity.player_id, token=signed_in.token)
        response.expires_at.FromSeconds(signed_in.identity.expires_at)
        return response


def register(servicer: AuthServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_AuthServiceServicer_to_server(servicer, server)
