"""The worker's side of the guard: each tool call of a child run is decided, and each write taken over. Req: B4, J1.

The client never writes: its Write and Edit calls are refused to it and carried out in our sandbox instead, where the
same rules and the same check hold as for an agent of our own. Read, Grep and Glob run in the client when the path is
one that our own agent might read.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path

from lib.host import registration
from lib.model.credentials import FILES, FOLDERS
from lib.model.permission import can_use_tool
from lib.model.sandbox import Sandbox, ToolError
from lib.model.scope import Scope
from lib.model.stream import Call
from lib.model.task import Check
from lib.model.tools import run

STAGED = "STAGED (this is no error): "
CLIENT_LINES = 2_000  # of a file that the client's Read shows when it is not asked for a part
CLIENT_COLUMNS = 2_000
_CALLS = 200  # decided in one run; a child that asks for more is going round in circles
_QUESTION = 4_000_000  # bytes
_GUARD = Path(__file__).resolve().parents[2] / "hooks" / "guard.py"


class Desk:
    """Answers the questions of one run's guard, which lie as files in `folder`; what was staged is in `sandbox`."""

    def __init__(self, folder: str, scope: Scope, check: Check, *, session: str, here: bool) -> None:
        """`here`: the client runs in the first read root, so that a search without a path starts there."""
        self.folder = folder
        self.sandbox = Sandbox.of(scope, check)
        self.refusals: list[str] = []
        self.calls = 0
        self._session = session
        self._here = here

    def serve(self) -> None:
        """Answer every question that waits; OSError of the folder passes through."""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".ask"):
                self._settle(os.path.join(self.folder, name))

    def _settle(self, path: str) -> None:
        with open(path, "rb") as file:
            raw = file.read(_QUESTION)
        os.unlink(path)
        allowed, reason = self.verdict(_object(raw))
        stem = path.removesuffix(".ask")
        with open(stem + ".new", "w", encoding="utf-8") as out:
            out.write(_reply(allowed, reason))
        os.rename(stem + ".new", stem + ".say")

    def verdict(self, question: Mapping[str, object]) -> tuple[bool, str]:
        """Whether the client may run this call itself, and what the model is told when it may not."""
        self.calls += 1
        name, given = str(question.get("tool_name") or ""), question.get("tool_input")
        if question.get("session_id") != self._session or not isinstance(given, dict):
            return False, "This call was not understood; stop here."
        if self.calls > _CALLS:
            return False, "Too many calls in one run; stop here."
        if name in ("Write", "Edit"):
            return False, self._staged(name, given)
        if name in ("Read", "Grep", "Glob"):
            return self._looked(name, given)
        self.refusals.append(f"{name[:60]}: not available to an agent of ours")
        return False, f"{name[:60]} is not available in this run; use Read, Grep, Glob, Write and Edit alone."

    def _staged(self, name: str, given: Mapping[str, object]) -> str:
        if name == "Edit" and given.get("replace_all") is True:
            return "replace_all is not available in this run; give an old_string that occurs once."
        result = run(Call(uuid.uuid4().hex, name, given), self.sandbox)
        if result.refused:
            self.refusals.append(f"{name}: {result.text}")
        return result.text if result.error else f"{STAGED}{result.text} Do not write it again."

    def _looked(self, name: str, given: Mapping[str, object]) -> tuple[bool, str]:
        decision = can_use_tool(name, given, scope=self.sandbox.scope)
        if not decision.allowed:
            self.refusals.append(f"{name}: {decision.reason}")
            return False, decision.reason
        if name == "Read":
            self._shown(given)
        elif not given.get("path") and not self._here:
            return False, f"Give the folder to search as path, such as {self.sandbox.project()}"
        return True, ""

    def _shown(self, given: Mapping[str, object]) -> None:
        """Note a memory file that the client is about to show whole: only such a one may be replaced."""
        if given.get("limit") is not None or given.get("offset") not in (None, 0, 1):
            return
        try:
            relative = self.sandbox.overlay.relative(self.sandbox.place(given.get("file_path")))
            text = self.sandbox.overlay.current(relative) if relative else None
        except (ToolError, OSError, ValueError):
            return
        lines = text.split("\n") if text is not None else []
        if relative and text is not None and len(lines) <= CLIENT_LINES and max(map(len, lines)) <= CLIENT_COLUMNS:
            self.sandbox.overlay.show(relative, text, range(len(lines)))


def settings(folder: str, memory: str) -> str:
    """What the child gets as --settings: the guard before every tool, and no write of its own to the memories."""
    words = (sys.executable, "-I", "-S", str(_GUARD), folder)
    asked = " ".join(word if word.startswith("-") else registration.quote(word) for word in words)
    # Status 2 denies; any other failure of a hook would let the call through.
    guard = {"type": "command", "command": f"{asked} || exit 2", "timeout": 60}
    # Should the guard not be asked at all: the client approves writes to memories by itself, but where it would have
    # to ask, it asks nobody. (A deny rule would be looked at before the guard is.)
    ask = [f"Edit(/{os.path.realpath(memory)}/**)"]
    # The guard sees where a search begins, not what it meets: the client's own search passes over what it may not read.
    deny = [f"Read(//**/{name})" for name in FILES] + [f"Read(//**/{name}/**)" for name in FOLDERS]
    return json.dumps({"hooks": {"PreToolUse": [{"hooks": [guard]}]}, "permissions": {"ask": ask, "deny": deny}})


def _reply(allowed: bool, reason: str) -> str:
    decision = {"permissionDecision": "allow" if allowed else "deny", "permissionDecisionReason": reason or "read only"}
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}})


def _object(raw: bytes) -> Mapping[str, object]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
