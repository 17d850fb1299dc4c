"""A scripted Messages API on loopback: what the model says is a function of the request.

`MessagesAPI(script)` is a context manager; `script(body)` returns a `Reply` or a list of content blocks.
`body` is the request's JSON as a dict and carries the request's headers as `body.headers`.
"""
from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Block = dict[str, Any]


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


@dataclass(frozen=True)
class Reply:
    """What the model answers: `delay` in seconds before the first byte; `chunks` deltas a block when streamed."""

    blocks: list[Block] = field(default_factory=list)
    stop_reason: str | None = None
    status: int = 200
    usage: Mapping[str, Any] = field(default_factory=dict)
    chunks: int = 2
    last_chunk_empty: bool = False
    drop_stream: bool = False
    delay: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)
    error_type: str = "api_error"


Script = Callable[[Body], "Reply | list[Block]"]


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def tool_use(name: str, input: Mapping[str, Any]) -> Block:
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": name, "input": dict(input)}


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
    found: list[str] = []
    if not role and body.get("system"):
        found += _texts_of(body["system"])
    for message in body.get("messages") or []:
        if not role or message.get("role") == role:
            found += _texts_of(message.get("content"))
    return found


def tool_results(body: Mapping[str, Any]) -> list[Block]:
    """The tool_result blocks of the request's last message."""
    messages = body.get("messages") or []
    content = messages[-1].get("content") if messages else None
    return [b for b in content if b.get("type") == "tool_result"] if isinstance(content, list) else []


def _texts_of(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    found: list[str] = []
    for block in content or []:
        if block.get("type") == "text":
            found.append(block["text"])
        elif block.get("type") == "tool_result":
            found += _texts_of(block.get("content"))
    return found


class MessagesAPI:
    """Serves `script` on 127.0.0.1 between enter and exit; an error raised by the script surfaces on exit."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.problems: list[BaseException] = []
        self._changed = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
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
                if not self._changed.wait(max(0.0, end - time.monotonic())) and time.monotonic() >= end:
                    return None


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
        self._plain(404, _error("not_found_error", self.path))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.partition("?")[0] != "/v1/messages":
            self._plain(404, _error("not_found_error", self.path))
            return
        body = Body(json.loads(raw))
        body.headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.record(Request(self.path, body.headers, body, time.monotonic()))
        try:
            said = self.owner.script(body)
        except BaseException as error:  # noqa: BLE001 - a faulty script must fail its test, not this thread
            self.owner.problems.append(error)
            self._plain(500, _error("api_error", f"the script raised {error!r}"))
            return
        try:
            self._answer(body, said if isinstance(said, Reply) else Reply(said))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self, body: Body, reply: Reply) -> None:
        if reply.delay:
            time.sleep(reply.delay)
        if reply.status != 200:
            self._plain(reply.status, _error(reply.error_type, f"scripted status {reply.status}"), reply.headers)
            return
        message = _message(body, reply)
        if not body.get("stream"):
            self._plain(200, json.dumps(message).encode(), reply.headers)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("request-id", f"req_{uuid.uuid4().hex[:24]}")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in _events(message, reply):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

    def _plain(self, status: int, payload: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(payload)))
        self.send_header("request-id", f"req_{uuid.uuid4().hex[:24]}")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)


def _error(kind: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def _message(body: Body, reply: Reply) -> dict[str, Any]:
    uses_tool = any(block["type"] == "tool_use" for block in reply.blocks)
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "claude-scripted"),
        "content": reply.blocks,
        "stop_reason": reply.stop_reason or ("tool_use" if uses_tool else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 5,
            "service_tier": "standard",
            **reply.usage,
        },
    }


def _events(message: Mapping[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
    """The server-sent events of one message; a dropped stream ends after the first delta."""
    opening = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": opening}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        kind, part, whole = _delta_of(block)
        yield {"type": "content_block_start", "index": index, "content_block": {**block, part[0]: part[1]}}
        for piece in _pieces(whole, reply):
            yield {"type": "content_block_delta", "index": index, "delta": {"type": kind[0], kind[1]: piece}}
            if reply.drop_stream:
                return
        yield {"type": "content_block_stop", "index": index}
    if reply.drop_stream:
        return
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _delta_of(block: Block) -> tuple[tuple[str, str], tuple[str, Any], str]:
    """How a block is streamed: (delta type, delta key), (key empty at the start, its empty value), the whole text."""
    if block["type"] == "tool_use":
        return ("input_json_delta", "partial_json"), ("input", {}), json.dumps(block["input"])
    return ("text_delta", "text"), ("text", ""), block["text"]


def _pieces(whole: str, reply: Reply) -> Iterator[str]:
    step = max(1, -(-len(whole) // max(1, reply.chunks)))
    for start in range(0, len(whole), step):
        yield whole[start : start + step]
    if reply.last_chunk_empty:
        yield ""
