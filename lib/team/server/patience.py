"""Connections that never finish their request's head are closed; the server below waits for them for ever. Req: H1."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0


class Patience(H11Protocol):
    """HTTP/1.1 with a deadline for each request's head, from the connection or the answer before on."""

    _seen: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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
