"""The sets that extraction is measured on: our own invented prompts, and public dialogues when they are there."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "data" / "extract"
PUBLIC = Path(os.environ.get("MEMORY_HOOKS_BENCH_DATA", ROOT.parent / "shared" / "bench"))
_TURN = re.compile(r"\s{0,4}([A-Z][\w.'’ -]{0,30}?):\s")


@dataclass(frozen=True)
class Lasting:
    """A prompt that states something: the type and the words its description must hold."""

    type: str
    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Talk:
    """A dialogue: the quoted strings of the conventions taught in it, and whether any was; `office` when it tells
    the learner other things to do."""

    text: str
    taught: bool
    office: bool
    marks: tuple[str, ...]


def lasting() -> list[Lasting]:
    """Our own prompts that state something, one a line: `type | words | prompt`."""
    rows = (OWN / "lasting.txt").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in row.split("|", 2)] for row in rows if row.strip() and not row.startswith("#")]
    return [Lasting(kind, tuple(words.split()), text.replace("\\n", "\n")) for kind, words, text in cells]


def _sections(name: str) -> list[tuple[str, str]]:
    """(heading, text) of a file whose sections open with `=== heading`."""
    parts = (OWN / name).read_text("utf-8").split("=== ")[1:]
    pairs = (part.partition("\n") for part in parts)
    return [(head.strip(), text) for head, _, text in pairs]


def nothing() -> list[tuple[str, str]]:
    """(class, prompt) of our own prompts that state nothing lasting."""
    return [(head, prompt.strip("\n")) for head, text in _sections("nothing.txt") for prompt in text.split("\n---\n")]


def own_talk() -> list[Talk]:
    """Our own dialogues."""
    return [
        Talk(text.strip("\n"), head != "nothing", False, () if head == "nothing" else (head,))
        for head, text in _sections("talk.txt")
    ]


def public_talk() -> list[Talk]:
    """The sessions of the public dialogues, or nothing when they are not there."""
    file = PUBLIC / "memorycode" / "sample.json"
    if not file.is_file():
        return []
    found: list[Talk] = []
    for dialogue in json.loads(file.read_text("utf-8")):
        for session in dialogue["sessions"]:
            kinds = [kind.startswith("instruction") for kind in session["type"]]
            topics = [topic for topic, code in zip(session["topic"], kinds, strict=True) if code]
            marks = tuple(mark for topic in topics for mark in re.findall(r"'([^']+)'", topic)[:1])
            office = any("filler-instruction" in kind for kind in session["type"])
            found.append(Talk(session["text"], any(kinds), office, marks))
    return found


def teacher(text: str) -> list[str]:
    """The turns of the one who says most in a dialogue: the mentor."""
    turns: list[tuple[str, str]] = []
    for line in text.split("\n"):
        found = _TURN.match(line)
        if found:
            turns.append((found.group(1), line[found.end() :]))
        elif turns:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]}\n{line}")
    said: dict[str, int] = {}
    for name, words in turns:
        said[name] = said.get(name, 0) + len(words)
    if not said:
        return [text]
    chief = max(said, key=lambda name: said[name])
    short = "".join(f"{part[0]}." for part in re.split(r"[ -]", chief) if part)
    return [words.strip() for name, words in turns if name in (chief, short)]
