"""What the hooks cost in characters, on recorded sessions: added to the model's context, and sent to a model, a turn.

usage: python tests/bench/tokens.py [--quick] [FOLDER]      exit status 0 = every number held, 1 = not

Each session of FOLDER (or of ../shared/transcripts) is replayed turn by turn: the prompt's hook, a tool's hook, the
Stop hook, and the worker with the Messages API as its backend, which here is a scripted stand-in on loopback that finds
nothing worth keeping. Each turn leaves a memory of its prompt's first words all the same, so that there is something to
recall. Beside it stands what sending the whole conversation after each turn would be.
"""
from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib import worker
from lib.extract import schedule
from lib.host import transcript
from lib.host.call import Call
from lib.host.payload import Payload
from lib.journal import Journal
from lib.memory import store
from lib.recall import answer, offer, opening
from lib.session import schedule as summary
from tests.bench.stages import stage
from tests.support.messages_api import Body, MessagesAPI, text
from tests.support.registered import Stage

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "transcripts"
FOLDER = Path(os.environ.get("MEMORY_HOOKS_TRANSCRIPTS", BESIDE))
ADDED = 9_500  # characters that a prompt may get at most
SHARE = 0.5  # of what sending the whole conversation each time would be, over all sessions
QUICK = 4  # sessions
HEAD = f"{'characters a turn':34} turns     added    most  requests        sent       whole   share"
SETTINGS = {"autoDreamEnabled": False, "memoryHooks": {"backend": "anthropic", "budget": {"dailyUsd": 1000.0}}}


@dataclass
class Count:
    """Characters over all turns of one session; `whole`: the conversation as it was at each turn's end, summed."""

    turns: int = 0
    added: int = 0
    most: int = 0
    sent: int = 0
    requests: int = 0
    whole: int = 0

    def add(self, other: Count) -> None:
        self.turns += other.turns
        self.added += other.added
        self.most = max(self.most, other.most)
        self.sent += other.sent
        self.requests += other.requests
        self.whole += other.whole


def conversation(line: bytes) -> int:
    """Characters that a line of the transcript adds to what a model would be sent: words, calls, results."""
    try:
        entry = json.loads(line)
        content = entry["message"]["content"] if entry["type"] in ("user", "assistant") else ""
    except (ValueError, KeyError, TypeError):
        return 0
    return sum(map(len, _strings(content)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if value.get("type") != "image":
            for key, inner in value.items():
                if key not in ("id", "type", "tool_use_id", "signature"):
                    yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


class Replay:
    """One session that happens again, in a home of its own."""

    def __init__(self, made: Stage, source: Path, api: MessagesAPI) -> None:
        self.made, self.api = made, api
        self.lines = source.read_bytes().splitlines(keepends=True)
        found = transcript.span(str(source), 0, source.stat().st_size)
        self.prompts = {turn.human[0][0]: turn.human[0][1] for turn in found.turns if turn.human}
        self.session = next((name for line in self.lines if (name := _field(line, "sessionId"))), source.stem)
        self.path = made.transcript.with_name(f"{self.session}.jsonl")
        self.count = Count()

    def call(self, event: str, **fields: object) -> Call:
        common = {"session_id": self.session, "transcript_path": str(self.path), "cwd": str(self.made.project)}
        return Call(event, Payload({**common, "hook_event_name": event, **fields}), os.environ, time.time())

    def run(self) -> Count:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        start = self.call("SessionStart", source="startup")
        opening.note_session(start, Journal(start.state, self.session))
        size, said = 0, ""
        with self.path.open("ab", buffering=0) as file:
            for line in self.lines:
                if prompt := self.prompts.get(_field(line, "uuid")):
                    self.end(size, said)
                    self.begin(prompt)
                    said = prompt
                file.write(line)
                size += conversation(line)
        self.end(size, said)
        return self.count

    def begin(self, prompt: str) -> None:
        call = self.call("UserPromptSubmit", prompt=prompt)
        told, work = answer.respond(call, Journal(call.state, self.session))
        self.count.turns += 1
        self.told(told)
        if work:
            self.think(call.state)

    def end(self, size: int, prompt: str) -> None:
        """The end of a turn; nothing before the first one."""
        if not prompt:
            return
        tool = self.call("PostToolUse", tool_name="Bash", tool_input={"command": "true"})
        self.told(offer.at_tool(tool, Journal(tool.state, self.session)))
        call = self.call("Stop", stop_hook_active=False, last_assistant_message="")
        journal = Journal(call.state, self.session)
        if schedule.turn_ended(call, journal) | summary.look(call, journal, journal.state()):
            self.think(call.state)
        self.count.whole += size
        number = len(list(self.made.memory.glob("*.md")))
        kept = store.text_of(f"said-{number}", "project", " ".join(prompt[:100].split()) or "-", prompt[:600], {})
        (self.made.memory / f"said-{number}.md").write_text(kept, errors="replace")

    def told(self, block: str) -> None:
        self.count.added += len(block)
        self.count.most = max(self.count.most, len(block))

    def think(self, state: str) -> None:
        """The worker's round, and what it sent: every string of every request, tools and system prompt too."""
        before = len(self.api.requests)
        worker.work(state)
        signal.alarm(0)  # the worker is a process of its own, this bench is not
        for request in self.api.requests[before:]:
            self.count.requests += 1
            self.count.sent += len(json.dumps(request.body, ensure_ascii=False))


def _field(line: bytes, name: str) -> str:
    try:
        value = json.loads(line).get(name)
    except (ValueError, AttributeError):
        return ""
    return value if isinstance(value, str) else ""


def nothing(body: Body) -> list[dict[str, Any]]:
    return [text("Nothing here is worth keeping.")]


def at_home(made: Stage, api: MessagesAPI) -> None:
    """This process as a hook and as the worker: the person's own environment, with nothing of the machine's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {name: made.environment()[name] for name in ("HOME", "CLAUDE_CONFIG_DIR", "CLAUDECODE", "CLAUDE_PROJECT_DIR")}
    os.environ.clear()
    os.environ.update({**kept, **own, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "made-up-for-a-bench"})
    made.memory.mkdir(parents=True)
    (made.config / "settings.json").write_text(json.dumps(SETTINGS))


def line(what: str, count: Count) -> str:
    turns = count.turns or 1
    part = f"{count.sent / count.whole:8.1%}" if count.whole else " " * 8
    figures = f"{count.turns:6}{count.added / turns:10.0f}{count.most:8}{count.requests / turns:10.1f}"
    return f"{what:34.34}{figures}{count.sent / turns:12.0f}{count.whole / turns:12.0f}{part}"


def main(arguments: list[str]) -> int:
    folder = next((Path(word) for word in arguments if not word.startswith("-")), FOLDER)
    found = [path for path in sorted(folder.glob("**/*.jsonl")) if "subagents" not in path.name]
    if not found:
        print(f"skipped: no transcripts in {folder} (name a folder, or set MEMORY_HOOKS_TRANSCRIPTS)")
        return 0
    total = Count()
    print(HEAD)
    with tempfile.TemporaryDirectory(prefix="memory-hooks-tokens-") as base, MessagesAPI(nothing) as api:
        for number, path in enumerate(found[:QUICK] if "--quick" in arguments else found):
            made = stage(Path(base), str(number))
            at_home(made, api)
            count = Replay(made, path, api).run()
            if count.turns:
                print(line(path.name, count), flush=True)
                total.add(count)
    print(line("all sessions", total))
    if not total.requests:
        print("void: no request reached the API; run it with the bundle's own Python, which has the anthropic package")
        return 1
    few, cheap = total.most <= ADDED, total.sent <= SHARE * total.whole
    print(f"\nadded to one prompt: at most {total.most} characters, limit {ADDED}: {'HELD' if few else 'NOT HELD'}")
    told = f"{total.sent / max(1, total.whole):.0%} of the whole conversation each time, limit {SHARE:.0%}"
    print(f"sent to a model: {told}: {'HELD' if cheap else 'NOT HELD'}")
    return 0 if few and cheap else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
