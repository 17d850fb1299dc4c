"""One request to a team's server, bounded in every direction: time, size, place. The token never travels on. Req: H1.

No redirect is followed, nothing compressed is taken, and a server that sends one byte a minute is hung up on.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import json
import socket
import threading
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field

from lib.team import wire
from lib.team.problems import Moved, StoreProblem, TooLarge

SECONDS = 30.0  # of a whole request
ANSWER = 64_000_000  # bytes
FAULT = 65_536  # bytes of an answer that says no
LONGEST_WAIT = 6 * 3600.0  # seconds that a server may ask for


@dataclass(frozen=True)
class Server:
    """`url` without a path behind it, as `checked_url` gives it; `token` is sent there and nowhere else."""

    url: str
    token: str = field(repr=False)
    seconds: float = SECONDS


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    value: object


def checked_url(url: str) -> str:
    """The server's address without a trailing slash. Raises ValueError, as a sentence, for one no token may go to."""
    parts = urllib.parse.urlsplit(url.strip())
    host = parts.hostname or ""
    if any(c.isspace() or not c.isprintable() for c in url.strip()) or not host:
        raise ValueError(f"{url!r} is no address: give one such as https://memory.example.com")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(f"the address of {host} may hold no user, password, query or fragment")
    if parts.scheme != "https" and not (parts.scheme == "http" and _loopback(host)):
        raise ValueError(f"the address of {host} must begin with https://: a token is sent there")
    if parts.port == 0:
        raise ValueError(f"{url!r} has no usable port")
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def ask(
    server: Server, method: str, query: Mapping[str, str], *, headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Reply:  # fmt: skip
    """The server's answer of status 200, 304 or 404. Raises StoreProblem for every other, in one sentence."""
    parts = urllib.parse.urlsplit(server.url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=min(10.0, server.seconds))
    # The connection forgets its socket when the server says that it will close: kept here to be able to hang up.
    late, sockets = threading.Event(), list[socket.socket]()
    timer = threading.Timer(server.seconds, _hang_up, (connection, sockets, late))
    timer.daemon = True
    timer.start()
    try:
        connection.connect()
        sockets.append(connection.sock)
        if late.is_set():
            raise TimeoutError
        connection.request(
            method, f"{parts.path}{wire.ADDRESS}?{urllib.parse.urlencode(query)}", body=body or None,
            headers={
                "Authorization": f"Bearer {server.token}", "Accept": "application/json",
                "Accept-Encoding": "identity", "User-Agent": "memory-hooks",
                **({"Content-Type": "application/json"} if body else {}), **(headers or {}),
            },
        )  # fmt: skip
        with connection.getresponse() as response:
            raw = _body(response, ANSWER if response.status == 200 else FAULT)
    except (OSError, http.client.HTTPException, ValueError, StoreProblem) as error:
        if late.is_set():
            raise StoreProblem(f"{parts.netloc} did not answer within {server.seconds:.0f} s") from error
        if isinstance(error, StoreProblem):
            raise
        raise StoreProblem(f"{parts.netloc} cannot be reached: {_told(error)}") from error
    finally:
        timer.cancel()
        connection.close()
    if late.is_set():
        raise StoreProblem(f"{parts.netloc} did not answer within {server.seconds:.0f} s")
    told = {name.lower(): value for name, value in response.getheaders()}
    _refuse(response.status, told, raw, server.url)
    value = _value(raw, told, parts.netloc) if response.status == 200 else None
    return Reply(response.status, told, value)


def _hang_up(connection: http.client.HTTPConnection, sockets: list[socket.socket], late: threading.Event) -> None:
    late.set()
    for open_one in [*sockets, connection.sock]:
        if open_one is not None:
            with contextlib.suppress(OSError):  # it is closed already
                open_one.shutdown(socket.SHUT_RDWR)


def _told(error: BaseException) -> str:
    text = str(error) if isinstance(error, OSError) else ""
    return f"{type(error).__name__} {text}".strip()[:200]


def _body(response: http.client.HTTPResponse, limit: int) -> bytes:
    if response.status == 200:
        coding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if coding not in ("", "identity"):
            raise StoreProblem(f"the server sent a body in {coding[:20]!r}, which was not asked for")
        length = response.headers.get("Content-Length", "")
        if length.isdigit() and int(length) > limit:
            raise StoreProblem(f"the server sends {length} bytes, over {limit}")
    chunks: list[bytes] = []
    size = 0
    while chunk := response.read1(1 << 16):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            if response.status == 200:
                raise StoreProblem(f"the server sends more than {limit} bytes")
            break
    else:
        if response.length:
            raise StoreProblem("the server's answer broke off")
    return b"".join(chunks)


def _refuse(status: int, headers: Mapping[str, str], raw: bytes, url: str) -> None:
    host = urllib.parse.urlsplit(url).netloc
    if status in (200, 304):
        return
    if status == 404:
        if _is_json(headers):
            return  # our server says so of a repository that has nothing yet
        raise StoreProblem(f"there is no team's server at {url} (404)")
    if status in (401, 403):
        raise StoreProblem(
            f"{host} does not accept the token for this repository ({status}): set MEMORY_HOOKS_TEAM_TOKEN, or give "
            f"git's credential helper one for {url}"
        )
    if status == 412:
        raise Moved("the team's memory has changed meanwhile")
    if status == 413:
        raise TooLarge(f"{host} takes no more in one request, or no more entries (413)")
    if status == 429 or status == 503:
        wait = _seconds(headers.get("retry-after", ""))
        raise StoreProblem(f"{host} asks to wait {wait:.0f} s ({status})", wait)
    if 300 <= status < 400:
        raise StoreProblem(f"{host} points to another address ({status}), where no token is taken: set up that one")
    raise StoreProblem(f"{host} answered {status}{_reason(raw, headers)}")


def _reason(raw: bytes, headers: Mapping[str, str]) -> str:
    """What the server says is wrong, as the end of a sentence of ours."""
    try:
        told = json.loads(raw) if _is_json(headers) else None
    except (ValueError, RecursionError):
        told = None
    error = told.get("error") if isinstance(told, dict) else None
    text = "".join(c for c in error if c.isprintable())[:200] if isinstance(error, str) else ""
    return f": {text}" if text else ""


def _seconds(text: str) -> float:
    return min(LONGEST_WAIT, float(text)) if text.isascii() and text.isdigit() else 60.0


def _is_json(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _value(raw: bytes, headers: Mapping[str, str], host: str) -> object:
    if not _is_json(headers):
        kind = headers.get("content-type", "").partition(";")[0].strip()
        raise StoreProblem(f"{host} answered with {kind[:60] or 'no content type'!r} instead of application/json")
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise StoreProblem(f"{host} sent no usable JSON: {str(error)[:120]}") from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("an object holds one key twice")
    return made


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
