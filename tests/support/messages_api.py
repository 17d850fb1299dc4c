"""A scripted Messages API on loopback: what the model says is a function of the request.

`MessagesAPI(script)` is a context manager; `script(body)` returns a `Reply` or a list of content blocks.
`body` is the request's JSON as a dict and carries the request's headers as `body.headers`.
"""
from __future__ import annotations

import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.support import event_stream
from tests.support.event_stream import Block, Reply, text, tool_use

__all__ = [
    "Block", "Body", "MessagesAPI", "Reply", "Request", "from_sdk", "main_loop", "text", "texts", "tool_names",
    "tool_results", "tool_use",
]


class Body(dict[str, Any]):
    """A request's JSON body that still knows the headers it came with (names in lower case)."""

    headers: Mapping[str, str] = {}


@dataclass(frozen=True)
class Request:
    """One POST that reached the API; `at` is seconds on the monotonic clock."""

    path: str
    headers: Mapping[str, str]
    body: Body
    at: float


Script = Callable[[Body], "Reply | list[Block]"]


def tool_names(body: Mapping[str, Any]) -> set[str]:
    return {tool["name"] for tool in body.get("tools") or [] if "name" in tool}


def from_sdk(body: Body) -> bool:
    """True when the Python SDK sent it, not the client."""
    return "anthropic/python" in body.headers.get("user-agent", "").lower()


def main_loop(body: Body) -> bool:
    """True for the client's main loop: it offers Bash, Read and Edit; titles and summaries come with few tools."""
    return tool_names(body) >= {"Bash", "Read", "Edit"} and not from_sdk(body)


def texts(body: Mapping[str, Any], *, role: str = "") -> list[str]:
    """Every text the request carries, system prompt and tool results included, in order; `role` narrows it."""
    system = [] if role else list(_texts_of(body.get("system")))
    messages = [m for m in body.get("messages") or [] if not role or m.get("role") == role]
    return system + [found for message in messages for found in _texts_of(message.get("content"))]


def tool_results(body: Mapping[str, Any]) -> list[Block]:
    """The tool_result blocks that follow the last assistant message."""
    found: list[Block] = []
    for message in reversed(body.get("messages") or []):
        if message.get("role") == "assistant":
            break
        content = message.get("content")
        if isinstance(content, list):
            found = [block for block in content if block.get("type") == "tool_result"] + found
    return found


def _texts_of(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content or []:
        if block.get("type") == "text":
            yield block["text"]
        elif block.get("type") == "tool_result":
            yield from _texts_of(block.get("content"))


class MessagesAPI:
    """Serves `script` between enter and exit, on 127.0.0.1 or on a listening socket made elsewhere.

    An error raised by the script is answered with status 500 and surfaces on exit.
    """

    def __init__(self, script: Script, listener: socket.socket | None = None) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.problems: list[BaseException] = []
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self), bind_and_activate=listener is None)
        if listener is not None:
            self._server.socket.close()
            self._server.socket = listener
            self._server.server_address = listener.getsockname()
        # Requests still waiting out a delay must not hold up the end of a test.
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> MessagesAPI:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self.problems and error is None:
            raise self.problems[0]

    def record(self, request: Request) -> None:
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()

    def wait_for(self, wanted: Callable[[Request], bool], seconds: float = 20.0) -> Request | None:
        """The first request that `wanted` accepts, waiting up to `seconds` for it; None when none came."""
        end = time.monotonic() + seconds
        with self._changed:
            while True:
                for request in self.requests:
                    if wanted(request):
                        return request
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self._changed.wait(left)


def _handler_for(api: MessagesAPI) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = api

    return Handler


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: MessagesAPI

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._plain(200 if self.path == "/" else 404, b"")

    def do_GET(self) -> None:
        self._plain(404, event_stream.error("not_found_error", self.path))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.partition("?")[0] != "/v1/messages":
            self._plain(404, event_stream.error("not_found_error", self.path))
            return
        body = Body(json.loads(raw))
        body.headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.record(Request(self.path, body.headers, body, time.monotonic()))
        try:
            said = self.owner.script(body)
        except BaseException as error:  # noqa: BLE001 - a faulty script must fail its test, not only this thread
            self.owner.problems.append(error)
            self._plain(500, event_stream.error("api_error", f"the script raised {error!r}"))
            return
        try:
            self._answer(body, said if isinstance(said, Reply) else Reply(said))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self, body: Body, reply: Reply) -> None:
        if reply.delay:
            time.sleep(reply.delay)
        if reply.status != 200:
            refusal = event_stream.error(reply.error_type, f"scripted status {reply.status}")
            self._plain(reply.status, refusal, reply.headers)
            return
        message = event_stream.message(body.get("model", "claude-scripted"), reply)
        if not body.get("stream"):
            self._plain(200, json.dumps(message).encode(), reply.headers)
            return
        # An event stream has no length: its end is the end of the connection.
        self._head(200, {"content-type": "text/event-stream", "connection": "close", **reply.headers})
        self.close_connection = True
        for event in event_stream.events(message, reply):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

    def _plain(self, status: int, payload: bytes, headers: Mapping[str, str] | None = None) -> None:
        fixed = {"content-type": "application/json", "content-length": str(len(payload))}
        self._head(status, {**fixed, **(headers or {})})
        self.wfile.write(payload)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("request-id", f"req_{uuid.uuid4().hex[:24]}")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
