"""One line a request on standard error: when, who, what, how it ended. Never a body, a token or an address. Req: H1."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timezone

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RequestLog:
    """Passes every request on and writes its line when the answer is through.

    The repository and the name come from the handler, for a good token only: nothing that a stranger sent is logged
    but the method, and that only when it is a word.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, size = time.perf_counter(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        state = scope.setdefault("state", {})
        try:
            await self._app(scope, receive, counted)
        finally:
            took = (time.perf_counter() - started) * 1000
            sys.stderr.write(line(scope["method"], state, status, size, took))


def line(method: str, state: dict[str, object], status: int, size: int, took: float) -> str:
    """`2026-11-30T20:00:00Z GET owner/name 200 5120B 1.9ms alice`; `-` for what is not known."""
    when = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    word = method if method.isalpha() and len(method) < 10 else "-"
    return f"{when} {word} {state.get('repo', '-')} {status} {size}B {took:.1f}ms {state.get('who', '-')}\n"
