"""What the server says: JSON, and a refusal that tells what is wrong and what to do. Req: H1."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response


class Refusal(Exception):
    """A request that is not carried out. `entries` names keys with their reasons; `close` ends the connection."""

    def __init__(
        self,
        status: int,
        error: str,
        *,
        headers: Mapping[str, str] | None = None,
        entries: Mapping[str, str] | None = None,
        checksum: str = "",
        close: bool = False,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.told: dict[str, object] = {"error": error}
        if entries:
            self.told["entries"] = dict(entries)
        if checksum:
            self.told["checksum"] = checksum
        # Where the client is late with its body, nobody waits for the rest of it.
        self.headers = {**(headers or {}), **({"Connection": "close"} if close else {})}

    def answer(self) -> Response:
        return written(dumps(self.told), self.status, self.headers)


def written(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer that nobody on the way may keep."""
    kept = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(headers or {})}
    # A refused key may hold half a surrogate pair; it is shown as an escape then.
    return Response(text.encode(errors="backslashreplace"), status, kept, "application/json")


def etag(checksum: str) -> dict[str, str]:
    return {"ETag": f'"{checksum}"'}


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
