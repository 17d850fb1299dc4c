"""The requests and their answers, as an ASGI application. Req: H1, H2."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from lib.team.server import body, tokens
from lib.team.server.answers import Refusal, dumps, etag, written
from lib.team.server.limits import Limits, Rate
from lib.team.server.requestlog import RequestLog
from lib.team.server.storage import Look, Storage
from lib.team.server.tables import POOL
from lib.team.wire import ADDRESS, EMPTY

T = TypeVar("T")


class Service:
    """The handlers of one worker process. What blocks runs in its threads, as many as there are connections."""

    def __init__(self, storage: Storage, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._storage, self._limits = storage, limits
        self._rate = Rate(limits, clock)
        self._threads = ThreadPoolExecutor(POOL, "database")

    async def _blocking(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def memory(self, request: Request) -> Response:
        look = await self._admitted(request)
        return await (self._put if request.method == "PUT" else self._get)(request, look)

    async def _admitted(self, request: Request) -> Look:
        """Who asks, and the state of what was asked for. Raises Refusal (400, 401, 403, 429)."""
        repo = tokens.repo_name(request.query_params.get("repo", ""))
        if not repo:
            raise Refusal(400, "The address must name the repository: ?repo=owner/name.")
        id, secret = tokens.taken_apart(request.headers.get("authorization", ""))
        look = await self._blocking(lambda: self._storage.look(id)) if id else None
        if look is None or not tokens.matches(secret, look.digest):
            raise Refusal(401, "A valid token is needed: Authorization: Bearer mht_….",
                          headers={"WWW-Authenticate": "Bearer"})  # fmt: skip
        request.state.repo, request.state.who = repo, look.name
        if look.repo != repo:
            raise Refusal(403, "This token is for another repository.")
        if wait := self._rate.wait(id):
            raise Refusal(429, f"Too many requests; try again in {wait} s.", headers={"Retry-After": str(wait)})
        return look

    async def _get(self, request: Request, look: Look) -> Response:
        view = request.query_params.get("view", "")
        if view not in ("", "hashes"):
            raise Refusal(400, "view may be hashes, or left out.")
        if not look.version:
            raise Refusal(404, "Nothing is stored for this repository yet.", checksum=EMPTY)
        if _names(request.headers.get("if-none-match", ""), look.checksum):
            return Response(status_code=304, headers={**etag(look.checksum), "Cache-Control": "no-store"})
        if view:
            return written(look.hashes, headers=etag(look.checksum))
        checksum, text = await self._blocking(lambda: self._storage.full(look.repo))
        return written(text, headers=etag(checksum))

    async def _put(self, request: Request, look: Look) -> Response:
        expected = _expected(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "The body must be application/json.")
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            raise Refusal(415, "The body must not be compressed.")
        raw = await body.read(request.stream(), request.headers.get("content-length", ""), self._limits)

        def store() -> Response:
            texts = body.entries(raw, self._limits)
            now = self._storage.put(look.repo, look.name, texts, expected)
            told = {"version": now.version, "checksum": now.checksum, "lastModified": now.modified}
            return written(dumps(told), headers=etag(now.checksum))

        return await self._blocking(store)

    async def health(self, _request: Request) -> Response:
        """200 when the database answers, 503 when not: what a supervisor or a load balancer asks."""
        await self._blocking(self._storage.answers)
        return written(dumps({"status": "ok"}))

    @asynccontextmanager
    async def running(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        self._threads.shutdown()  # a write that has begun ends
        self._storage.close()


def application(storage: Storage, limits: Limits) -> RequestLog:
    """The whole service over one database."""
    service = Service(storage, limits)
    routes = [Route(ADDRESS, service.memory, methods=["GET", "PUT"]), Route("/healthz", service.health)]
    handlers = {Refusal: _refused, HTTPException: _http, SQLAlchemyError: _unavailable, ClientDisconnect: _gone}
    return RequestLog(Starlette(routes=routes, lifespan=service.running, exception_handlers=handlers))


def _names(header: str, checksum: str) -> bool:
    """Whether If-None-Match names this state; a proxy that compresses may have marked the tag as weak."""
    return any(tag.strip().removeprefix("W/").strip('"') == checksum for tag in header.split(",") if tag)


def _expected(request: Request) -> str:
    given = request.headers.get("if-match", "").strip()
    if not given or given == "*":
        raise Refusal(428, f'Say which state this builds on: If-Match: "<checksum>", or "{EMPTY}".')
    return given.strip('"')


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return error.answer()


async def _http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return written(dumps({"error": error.detail}), error.status_code, error.headers)


async def _unavailable(_request: Request, error: Exception) -> Response:
    # What the driver says may hold an address or a password: its kind is enough to look further in its own log.
    told = Refusal(503, f"The database does not answer ({type(error).__name__}).", headers={"Retry-After": "5"})
    return told.answer()


async def _gone(_request: Request, _error: Exception) -> Response:
    return written("", 499)
