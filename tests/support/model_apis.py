"""The model APIs of other agents on loopback, in their own forms: Responses, Gemini and OpenAI chat.

Every request is answered with the same words: what a host asks its model is what these tests look at.
"""
from __future__ import annotations

import json
import socket
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

SAID = "All right."


@dataclass
class ModelAPIs:
    """Serves between enter and exit on a listening socket; `bodies` holds (path, JSON) of each request in order."""

    listener: socket.socket
    bodies: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __enter__(self) -> ModelAPIs:
        owner = self

        class Handler(_Handler):
            apis = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = self.listener
        self._server.server_address = self.listener.getsockname()
        self._server.daemon_threads = True
        self._server.block_on_close = False
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def asked(self, prompt: str) -> list[str]:
        """What each request holds that carries `prompt`: all its strings, one a line."""
        found = ["\n".join(_strings(body)) for _, body in self.bodies]
        return [words for words in found if prompt in words]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def responses() -> list[dict[str, Any]]:
    """The events of one reply in the Responses form."""
    id, usage = uuid.uuid4().hex, {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    content = [{"type": "output_text", "text": SAID, "annotations": []}]
    item = {"type": "message", "id": f"msg_{id}", "role": "assistant", "status": "completed", "content": content}
    response = {"id": f"resp_{id}", "object": "response", "status": "completed", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]


def gemini() -> dict[str, Any]:
    candidate = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": SAID}]}}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


def chat(stream: bool) -> list[dict[str, Any]]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    about = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": 1, "model": "scripted"}
    said = {"role": "assistant", "content": SAID}
    if not stream:
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        return [{**about, "object": "chat.completion", "choices": [choice], "usage": usage}]
    chunk = {**about, "object": "chat.completion.chunk"}
    return [
        {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage},
    ]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    apis: ModelAPIs

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        self.apis.bodies.append((path, body))
        if path.endswith("/responses"):
            self._stream([(event["type"], event) for event in responses()])
        elif path.endswith(":streamGenerateContent"):
            self._stream([("", gemini())])
        elif path.endswith(":generateContent"):
            self._json(gemini())
        elif path.endswith(":countTokens"):
            self._json({"totalTokens": 1})
        elif path.endswith("/chat/completions") and body.get("stream"):
            self._stream([("", chunk) for chunk in chat(True)], end="data: [DONE]\n\n")
        elif path.endswith("/chat/completions"):
            self._json(chat(False)[0])
        else:
            self._json({"error": {"message": self.path}}, 404)

    def _json(self, value: dict[str, Any], status: int = 200) -> None:
        payload = json.dumps(value).encode()
        self._head(status, {"content-type": "application/json", "content-length": str(len(payload))})
        self.wfile.write(payload)

    def _stream(self, events: list[tuple[str, dict[str, Any]]], end: str = "") -> None:
        self._head(200, {"content-type": "text/event-stream", "connection": "close"})
        self.close_connection = True
        for name, event in events:
            named = f"event: {name}\n" if name else ""
            self.wfile.write(f"{named}data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(end.encode())

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
