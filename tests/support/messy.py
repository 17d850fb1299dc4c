"""A memory directory as months of use leave it: `python tests/support/messy.py DIR [COUNT]` (60 memories by default).

Same files for the same count: duplicates and near duplicates, relative and past dates, orphans and dead lines in the
index, over-long lines, links that lead nowhere, broken frontmatter, CRLF.
"""
from __future__ import annotations

import datetime
import os
import sys
from pathlib import Path

SUBJECTS = (
    "ferry timetable", "login form", "invoice export", "search index", "image resizer", "billing job", "map tiles",
    "mail queue", "audit trail", "seat plan", "price engine", "report builder",
)  # fmt: skip
PLACES = ("Oslo", "Turin", "Porto", "Ghent", "Graz", "Brno", "Cork", "Split", "Vigo", "Lund", "Aarhus", "Nice", "Bern")
PARTS = "\n\n**Why:** it came up in a review.\n**How to apply:** when work touches it.\n"


def memory(name: str, kind: str, said: str, body: str = "", noted: str = "2026-03-04", newline: str = "\n") -> bytes:
    body = body or f"{said}."
    parts = PARTS if kind in ("feedback", "project") else "\n"
    head = f'---\nname: {name}\ndescription: "{said}"\nmetadata:\n  type: {kind}\n  noted: "{noted}"\n---\n'
    text = f"{head}\n{body}{parts}"
    return text.replace("\n", newline).encode()


def fill(directory: Path, count: int = 60) -> None:
    """Make `count` topic files and their index; the directory may exist."""
    directory.mkdir(parents=True, exist_ok=True)
    made: dict[str, bytes] = {}
    n = 0
    while len(made) < count:
        made.update(_batch(n))
        n += 1
    names = list(made)[:count]
    for age, name in enumerate(names):
        path = directory / name
        path.write_bytes(made[name])
        at = datetime.datetime(2026, 3, 4, 12).timestamp() + age * 60
        os.utime(path, (at, at))
    lines = [f"- [{name[:-3].replace('-', ' ').capitalize()}]({name}) — {_hook(n)}" for n, name in enumerate(names)]
    listed = [line for n, line in enumerate(lines) if n % 9 != 4]  # the others are orphans
    dead = ["- [Old plan](old-plan.md) — was deleted by hand", "- [Twice](twice.md) — never was there"]
    text = "\n".join(["# Memory Index", "", *listed[:10], *dead, *listed[10:], "", "A note of my own.", ""])
    (directory / "MEMORY.md").write_text(text, encoding="utf-8")


def _batch(n: int) -> dict[str, bytes]:
    """Eleven files: six facts and five kinds of mess about them."""
    subject, place = SUBJECTS[n % len(SUBJECTS)], PLACES[n % len(PLACES)]
    what = f"{subject} {n}"
    slug = what.replace(" ", "-")
    tests = f"un the {what} tests with a fixed seed before you say that it works"
    board = memory(f"board-{slug}", "reference", f"The board for the {what} is https://example.org/b/{n}")
    owner = f"The {what} is owned by the team in {place} and reviewed twice a month"
    freeze = f"Merges to the {what} are frozen until 2026-04-{n % 28 + 1:02d}"
    demo = f"The {what} is shown to the customer in {place} next month"
    answers = f"Answers about the {what} in plain English"
    limit = f"The {what} must answer within {n + 20} ms in {place}"
    odd = f"---\nname: [unclosed\ndescription: {what}: a colon\n---\nThe {what} speaks to {place}.\n"
    return {
        f"owner-{slug}.md": memory(f"owner-{slug}", "project", owner),
        f"seed-{slug}.md": memory(f"seed-{slug}", "feedback", f"R{tests}", f"R{tests}. See [[owner-{slug}]]."),
        f"seed_{slug}_again.md": memory(f"seed_{slug}_again", "feedback", f"Please always r{tests}"),
        f"board-{slug}.md": board,
        f"board-{slug}-copy.md": board,
        f"freeze-{slug}.md": memory(f"freeze-{slug}", "project", freeze),
        f"demo-{slug}.md": memory(f"demo-{slug}", "project", demo, f"Agreed yesterday, see [[plan-{slug}]]."),
        f"lang-{slug}.md": memory(f"lang-{slug}", "user", answers, newline="\r\n"),
        f"notes-{slug}.md": f"Notes on the {what} without any frontmatter.\n".encode(),
        f"odd-{slug}.md": odd.encode(),
        f"limit-{slug}.md": memory(f"limit-{slug}", "project", limit),
    }


def _hook(n: int) -> str:
    return "something worth knowing" + " that goes on about every detail of the matter" * (4 if n % 13 == 5 else 0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python tests/support/messy.py DIR [COUNT]")
    fill(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60)
    place = os.path.abspath(sys.argv[1])
    print(f"export CLAUDE_COWORK_MEMORY_PATH_OVERRIDE='{place}'   # memory.py works on it then")
