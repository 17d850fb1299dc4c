"""One person at one machine with the product installed, the real client, and a model that says what it is told to."""
from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.client import Client, Outcome
from tests.support.messages_api import (
    Body,
    MessagesAPI,
    Reply,
    Request,
    from_sdk,
    main_loop,
    text,
    texts,
    tool_results,
    tool_use,
)
from tests.support.registered import Stage

Say = Callable[[Body], "Reply | list[dict[str, Any]]"]
NATIVE_PLACE = re.compile(r"persistent,? file-based memory (?:system )?at `([^`]+?)/?`")
# Ours, as it reaches the API: newer clients turn the `<` of a reminder tag in hook output into `&lt;`.
REMINDER = re.compile(
    r"(\w+)(?::\w+)? hook additional context: (?:<|&lt;)system-reminder>(.*?)(?:<|&lt;)/system-reminder>", re.DOTALL
)


def done(body: Body) -> list[dict[str, Any]]:
    return [text("Done.")]


@dataclass
class Play:
    """The model's parts: `main` for the client's main loop, `extraction` for what our SDK calls ask."""

    main: Say = done
    extraction: Say = done

    def __call__(self, body: Body) -> Reply | list[dict[str, Any]]:
        if from_sdk(body):
            return self.extraction(body)
        return self.main(body) if main_loop(body) else [text("ok")]


@dataclass
class Scene:
    """`checkout` is the product as installed; everything the person has lies in `stage`."""

    stage: Stage
    checkout: Path
    client: Client
    api: MessagesAPI
    play: Play
    outcomes: list[Outcome] = field(default_factory=list)

    def installer(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run install.py in the person's environment, without making a virtual environment for it."""
        command = [sys.executable, str(self.checkout / "install.py"), *arguments]
        return subprocess.run(
            command, env=self.client.environment(), cwd=self.stage.home, capture_output=True, text=True, timeout=120
        )

    def install(self, settings: Mapping[str, Any] | None = None) -> None:
        self.stage.config.mkdir(exist_ok=True)
        (self.stage.config / "settings.json").write_text(json.dumps(settings or {}))
        done = self.installer("--no-venv")
        assert done.returncode == 0, done.stdout + done.stderr

    def product(self, *arguments: str) -> str:
        """What a verb of memory.py says in the project; it must succeed."""
        command = [sys.executable, str(self.checkout / "memory.py"), *arguments]
        done = subprocess.run(
            command, env=self.client.environment(), cwd=self.stage.project, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ask(self, prompt: str, *arguments: str, cwd: Path | None = None) -> Outcome:
        """One headless session (or one more turn of it), which must succeed."""
        outcome = self.client.run(prompt, cwd or self.stage.project, *arguments)
        assert outcome.status == 0 and outcome.result.get("is_error") is False, outcome
        self.outcomes.append(outcome)
        return outcome

    def main_requests(self) -> list[Request]:
        return [request for request in self.api.requests if main_loop(request.body)]

    def sdk_requests(self) -> list[Request]:
        return [request for request in self.api.requests if from_sdk(request.body)]

    def memory(self) -> Path:
        """The memory directory as the client itself names it to the model."""
        return native_memory(self.main_requests()[-1].body)

    def memories(self) -> dict[str, str]:
        """The topic files that are there now."""
        found = self.memory().glob("*.md")
        return {path.name: path.read_text() for path in sorted(found) if path.name != "MEMORY.md"}

    def index(self) -> str:
        path = self.memory() / "MEMORY.md"
        return path.read_text() if path.exists() else ""

    def wait_for_memory(self, seconds: float = 20.0) -> tuple[str, str]:
        """Name and text of the one memory that appears, with its line in the index; fails when none does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.memories()
            if found and all(f"({name})" in self.index() for name in found):
                assert len(found) == 1, found
                return next(iter(found.items()))
            time.sleep(0.05)
        raise AssertionError(
            f"no indexed memory within {seconds} s: {self.memories()}, index {self.index()!r}\n"
            f"log: {self.stage.log()}\njournal: {self.stage.journal()}"
        )


def native_memory(body: Body) -> Path:
    for words in texts(body):
        if found := NATIVE_PLACE.search(words):
            return Path(found[1])
    raise AssertionError("the client names no memory directory in this request")


def reminders(body: Body, event: str = "UserPromptSubmit") -> list[str]:
    """What each reminder block of ours says that came with this event."""
    found = [match for words in texts(body) for match in REMINDER.finditer(words)]
    return [match[2] for match in found if match[1] == event]


def writes(*files: tuple[Path, str]) -> Say:
    """A main loop that writes these files, one tool call each in one reply, and then ends."""

    def say(body: Body) -> list[dict[str, Any]]:
        if tool_results(body):
            return [text("Saved.")]
        return [tool_use("Write", {"file_path": str(path), "content": content}) for path, content in files]

    return say


def git(folder: Path, *arguments: str) -> None:
    person = ["-c", "user.name=A Person", "-c", "user.email=person@example.org"]
    subprocess.run(["git", *person, *arguments], cwd=folder, check=True, capture_output=True, timeout=30)
