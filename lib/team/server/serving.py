"""Starting and ending the server's processes. Req: H1."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

import uvicorn

from lib.team.server import options
from lib.team.server.app import application
from lib.team.server.patience import Patience
from lib.team.server.requestlog import RequestLog
from lib.team.server.storage import Storage
from lib.team.server.tables import connect

ENDING_SECONDS = 10  # for requests that are under way when the server is told to end
CONNECTIONS = 512  # of one worker process; beyond them a request is told 503 at once


def made() -> RequestLog:
    """The application of one worker process, over its own connections."""
    given = options.read(os.environ)
    return application(Storage(connect(given.database), given.limits), given.limits)


def serve(host: str, port: int, workers: int) -> None:
    """Answer requests until SIGTERM or SIGINT; those under way end. Does not return before."""
    # A single process raises the signal again when it is through; to have ended as told is no failure.
    signal.signal(signal.SIGTERM, _ended)
    uvicorn.run(
        "lib.team.server.serving:made", factory=True, host=host, port=port, workers=workers, http=Patience, ws="none",
        access_log=False, log_level="warning", server_header=False, proxy_headers=False, limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )  # fmt: skip


def _ended(_signal: int, _frame: object) -> NoReturn:
    raise SystemExit(0)
