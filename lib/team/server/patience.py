"""Connections that never finish their request's head are closed; the server below waits for them for ever. Req: H1."""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0


class Patience(H11Protocol):
    """HTTP/1.1 with a deadline for each request's head, from the connection or the answer before on."""

    _seen: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # With worker processes nobody else does: an answer's body waited 40 ms for the client to confirm its head.
        given = transport.get_extra_info("socket")
        if given is not None and given.family in (socket.AF_INET, socket.AF_INET6):
            given.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.loop.call_later(HEAD_SECONDS, self._look)

    def _look(self) -> None:
        """Twice in a row no request was under way and none had come between: the client is not sending any."""
        if self.transport.is_closing():
            return
        waiting = self.cycle is None or self.cycle.response_complete
        if waiting and self._seen is self.cycle:
            self.transport.close()
            return
        self._seen = self.cycle if waiting else self
        self.loop.call_later(HEAD_SECONDS, self._look)
