"""PreToolUse of our own child runs alone: the worker that started the child decides about each call of its tools.

usage (from the child's --settings): guard.py RUN_FOLDER || exit 2      whatever fails here denies the call
"""

from __future__ import annotations

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from lib.host import jsontext, payload

PATIENCE = 20.0  # seconds; the worker answers within milliseconds, or it is gone


def answer(folder: str) -> str:
    given = payload.read()
    question = {key: given.fields.get(key) for key in ("session_id", "tool_name", "tool_input", "tool_use_id")}
    path = os.path.join(folder, f"{time.time_ns()}-{os.getpid()}")
    with open(path + ".tmp", "w", encoding="ascii") as file:
        file.write(jsontext.dumps(question))
    os.rename(path + ".tmp", path + ".ask")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if os.path.exists(path + ".say"):
            with open(path + ".say", encoding="utf-8") as file:
                return file.read()
        time.sleep(0.02)
    sys.exit(2)


if __name__ == "__main__":
    sys.stdout.write(answer(sys.argv[1]))
