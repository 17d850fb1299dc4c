"""What a verdict on a tool call costs: over our own cases, the shared ones where they are, and hostile ones."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median, quantiles

from lib.model.permission import can_use_tool
from lib.model.scope import Scope
from tests.bench.rows import Row, best
from tests.model.shell_lines import ALLOWED, DENIED

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases"
MEDIAN, TAIL, HOSTILE_TAIL = 1.0, 10.0, 50.0  # ms; a thousand paths that have to be looked up take their time
FILES = 200  # in a folder of the project, so that patterns have something to match

Case = tuple[str, Mapping[str, object]]

HOSTILE = [
    "ls " + "a " * 290,
    "echo " + "x" * 4_000,
    "ls " + "*" * 200,
    "ls " + "*a" * 100 + "b",
    "ls " + "[" * 300,
    "cat " + "src/*.py " * 40,
    "cat */*/*/*/*",
    "echo " + "\\" * 2_000,
    "echo " + "'\"'\"'" * 400,
    "ls " + "{a,b}" * 200,
    "find . " + "( " * 100 + "-name x " + ") " * 100,
    "find . " + "-name '*' -o " * 60 + "-true",
    "sed -n '" + "1p;" * 300 + "'",
    "jq '" + "." + "[0]" * 300 + "'",
    "ls | " * 60 + "ls",
    "grep -r " + "-e x " * 90 + ".",
    "$(" * 500,
    "\u202els",
    "cat " + "../" * 400,
]
PATHS = [
    "a.md", "new.md", "$B/memory/a.md", "team/x.md", "../x.md", "$B/memory/../x.md", "link.md", "linkdir/x.md",
    "hard.md", "MEMORY.md", ".consolidate-lock", "x" * 5_000, "a/" * 300 + "x.md", "con.md", "a\u200b.md", "~/x.md",
    "/etc/passwd", "\ud800.md", "", "a.txt",
]  # fmt: skip


def verdicts() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        scope = scene(base)
        sets = {
            "own commands": [bash(line, base) for line in [*ALLOWED, *sum(DENIED.values(), [])]],
            "hostile commands": [bash(line, base) for line in HOSTILE],
            "own paths": [case for path in PATHS for case in on_path(path, base)],
        }
        if SHARED.is_dir():
            commands = json.loads((SHARED / "commands.json").read_text())
            paths = json.loads((SHARED / "paths.json").read_text())
            sets["shared commands"] = [bash(case["cmd"], base) for case in commands]
            sets["shared paths"] = [case for row in paths for case in on_path(row["path"], base)]
        else:
            print(f"(no shared cases at {SHARED}: only our own are measured)")
        for name, cases in sets.items():
            times = [1000 * best(lambda case=case: can_use_tool(*case, scope=scope)) for case in cases]  # type: ignore[misc]
            yield Row(f"verdict: median of {len(cases)} {name}", median(times), MEDIAN, "ms")
            tail = HOSTILE_TAIL if name.startswith("hostile") else TAIL
            slow = quantiles(times, n=100, method="inclusive")[98]
            yield Row(f"verdict: 99th percentile of {len(cases)} {name}", slow, tail, "ms")


def scene(base: Path) -> Scope:
    """A project with files and a memory directory with links, as the cases name them."""
    root, memory = base / "proj", base / "memory"
    for place in (root / "sub", root / "src", base / "proj-evil", memory / "team", memory / "dir.md"):
        place.mkdir(parents=True)
    (base / "outside.txt").write_text("outside\n")
    for name in ("notes.md", "sub/deep.md", "a file.md", "x.json", "names.txt", "evil.sh", "evil", "ls", ".env"):
        (root / name).write_text("{}\n")
    for number in range(FILES):
        (root / "src" / f"module_{number}.py").write_text("x = 1\n")
    (root / "link_in").symlink_to("notes.md")
    (root / "link_out").symlink_to("../outside.txt")
    (root / "linkdir_out").symlink_to("..")
    (memory / "a.md").write_text("one fact\n")
    (memory / "link.md").symlink_to(base / "outside.txt")
    (memory / "linkdir").symlink_to(base)
    (memory / "inlink.md").symlink_to("a.md")
    os.link(base / "outside.txt", memory / "hard.md")
    os.mkfifo(memory / "fifo.md")
    return Scope(str(memory), (str(root), str(memory)))


def bash(line: str, base: Path) -> Case:
    filled = line.replace("$ROOT", str(base / "proj")).replace("$PARENT", str(base))
    return "Bash", {"command": filled}


def on_path(path: object, base: Path) -> list[Case]:
    filled = path.replace("$B", str(base)) if isinstance(path, str) else path
    return [(name, {"file_path": filled}) for name in ("Write", "Read")]
