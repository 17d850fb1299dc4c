"""Machines to measure on: memories of made-up words, transcripts of any size, and journals that are put back."""
from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.registered import SESSION, Stage

FACT = "---\nname: {0}\ndescription: {1}\nmetadata:\n  type: {2}\n---\n{3}\n\n**Why:** {4}\n**How to apply:** {5}\n"


def stage(base: Path, name: str) -> Stage:
    made = Stage(base / name / "home", base / name / "project")
    made.config.mkdir(parents=True)
    made.project.mkdir()
    return made


def memories(made: Stage, count: int) -> None:
    """`count` memories of made-up words, one of which the prompt of the bench is about."""
    draw = random.Random(1)
    words = ["".join(draw.choice("bdfgklmnprstvaeiou") for _ in range(draw.randint(3, 9))) for _ in range(3000)]

    def some(least: int, most: int) -> str:
        return " ".join(draw.choices(words, k=draw.randint(least, most)))

    made.memory.mkdir(parents=True)
    kinds = ("user", "feedback", "project", "reference")
    for number in range(count - 1):
        text = FACT.format(f"fact-{number}", some(6, 14), draw.choice(kinds), some(15, 60), some(5, 15), some(5, 15))
        (made.memory / f"fact-{number}.md").write_text(text)
    chosen = ("package-manager", "Dependencies are added with pnpm, npm corrupts the lockfile", "feedback")
    body = ("Add every dependency with pnpm.", "npm corrupts the lockfile.", "Whenever a dependency is added.")
    (made.memory / "package-manager.md").write_text(FACT.format(*chosen, *body))
    for age, path in enumerate(sorted(made.memory.glob("*.md"))):
        written = time.time() - 60 - age * 3000
        os.utime(path, (written, written))
    lines = [f"- [{path.stem}]({path.name}) — a fact" for path in sorted(made.memory.glob("*.md"))[:199]]
    (made.memory / "MEMORY.md").write_text("\n".join(lines) + "\n")


def entry(number: int, content: Any, *, role: str = "user") -> bytes:
    line = {
        "type": role, "uuid": f"00000000-0000-4000-8000-{number:012d}", "isSidechain": False, "sessionId": SESSION,
        "userType": "external", "message": {"role": role, "content": content},
    }  # fmt: skip
    return json.dumps(line).encode() + b"\n"


def transcript(made: Stage, size: int) -> None:
    """At least `size` bytes of earlier turns."""
    line = entry(1, "an earlier prompt " * 40)
    block = line * 1000
    made.transcript.parent.mkdir(parents=True, exist_ok=True)
    with made.transcript.open("wb") as file:
        while file.tell() < size:
            file.write(block if size - file.tell() > len(block) else line)


def turn(made: Stage) -> None:
    """One more turn, in which the main agent wrote a memory itself: read to its end, then nothing is due."""
    write = {"file_path": str(made.memory / "x.md"), "content": "x"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": write}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    with made.transcript.open("ab") as file:
        file.write(entry(9001, "keep this in mind, please"))
        file.write(entry(9002, [call], role="assistant") + entry(9003, [result]))
        file.write(entry(9004, [{"type": "text", "text": "Kept."}], role="assistant"))


def kept(made: Stage) -> Callable[[], None]:
    """What puts the journals back to how they are now; everything else a hook leaves may stay."""
    saved = {path: path.read_bytes() for path in made.own.rglob("journal/*.jsonl")}

    def restore() -> None:
        for path in made.own.rglob("journal/*.jsonl"):
            path.unlink()
        for path, data in saved.items():
            path.write_bytes(data)

    return restore
