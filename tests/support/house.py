"""Reads the project's sources and reports where they leave the house rules: arrows, excepts, imports, sizes, names."""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Who may import whom inside lib/: a room may import the rooms in its row, and itself.
LOW = {"host", "memory"}
LAYER = {"host", "journal", "memory", "model"}
MAY_IMPORT: dict[str, set[str]] = {
    "host": set(),
    "memory": {"host"},
    "journal": {"host"},
    "boundary": {"host", "journal"},
    "detach": {"host", "memory"},
    "model": {"host", "journal", "memory"},
    "recall": LAYER,
    "extract": LAYER,
    "session": LAYER,
    "dream": LAYER,
    "agents": LAYER,
    "team": {"host", "journal", "memory"},
}
# These stand on everything, and nothing stands on them. (setup is what install.py is made of.)
TOPS = {"worker", "upkeep", "cli", "setup"}
# Third-party modules, and the one module each is imported in ("" = any); inside a function, as they are slow.
THIRD_PARTY = {"yaml": "lib/memory/frontmatter.py", "anthropic": "lib/model/anthropic_api.py", "psutil": ""}
# The team's server is a program of its own with requirements of its own: it may load them, and nobody else loads it.
SERVER = "lib/team/server/"
SERVER_PARTY = {"starlette", "uvicorn", "sqlalchemy"}
# Each costs as much as the interpreter's own start: never imported when a hook's modules load.
SLOW = {
    "argparse", "asyncio", "concurrent", "contextlib", "dataclasses", "datetime", "enum", "email", "http", "importlib",
    "inspect", "logging", "multiprocessing", "pathlib", "pickle", "random", "shutil", "socket", "ssl", "subprocess",
    "tempfile", "threading", "typing", "urllib", "uuid", "zipfile",
}  # fmt: skip
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base", "core", "tools_util"}
LONGEST = {"module": 250, "hook": 40, "function": 60}  # lines


@dataclass(frozen=True)
class Source:
    """One file, `place` being its POSIX path from the repository's root."""

    place: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        parts = self.place.split("/")
        if parts[0] == "lib" and len(parts) > 1:
            return parts[1] if len(parts) > 2 else parts[1].removesuffix(".py")
        return parts[0].removesuffix(".py")


def sources(root: Path) -> list[Source]:
    """Every Python file of the product (not of its tests)."""
    tops = [root / "lib", root / "hooks", root / "commands"]
    files = [path for top in tops for path in sorted(top.rglob("*.py"))] + sorted(root.glob("*.py"))
    return [Source(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in files]


def imports(source: Source, nodes: Iterator[ast.AST] | None = None) -> Iterator[tuple[int, str]]:
    """Line and full name of each import; `from lib import x` counts as lib.x too."""
    for node in nodes or ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = source.place.removesuffix(".py").split("/")[: -node.level] if node.level else []
            stem = ".".join(above + ([node.module] if node.module else []))
            yield node.lineno, stem
            for alias in node.names:
                yield node.lineno, f"{stem}.{alias.name}"


def at_load(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when the module is imported, without those under `if TYPE_CHECKING`."""
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from at_load(node.orelse)
            continue
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for name in ("body", "orelse", "finalbody", "handlers"):
            yield from at_load(getattr(node, name, []))


def back_arrows(source: Source) -> Iterator[str]:
    here = source.room
    for line, name in imports(source):
        parts = name.split(".")
        if parts[0] == "hooks":
            yield f"{source.place}:{line}: imports {name}; nothing imports a hook"
        if parts[0] != "lib" or len(parts) < 2:
            continue
        there = parts[1]
        if there == here or (there not in MAY_IMPORT and there not in TOPS):
            continue
        if there in TOPS and source.place.startswith("lib/") and here not in TOPS:
            yield f"{source.place}:{line}: {here} imports {there}, which stands on top"
        elif here in MAY_IMPORT and there not in MAY_IMPORT[here] and there not in TOPS:
            yield f"{source.place}:{line}: {here} imports {there}: a back arrow"


def unknown_rooms(source: Source) -> Iterator[str]:
    if source.place.startswith("lib/") and source.room not in {*MAY_IMPORT, *TOPS, "__init__"}:
        yield f"{source.place}: lib/{source.room} has no row that says what it may import"


def server_apart(source: Source) -> Iterator[str]:
    """Imports of the team's server by anything else: what it requires is not there in a user's environment."""
    for line, name in imports(source):
        if f"{name}.".startswith("lib.team.server.") and not source.place.startswith(SERVER):
            yield f"{source.place}:{line}: imports {name}; nothing else imports the server"


def broad_excepts(source: Source) -> Iterator[str]:
    allowed = 1 if source.place == "lib/boundary.py" else 0
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        for kind in caught:
            if kind is None or ast.unparse(kind) in {"Exception", "BaseException"}:
                allowed -= 1
                if allowed < 0:
                    yield f"{source.place}:{node.lineno}: a broad except beside the one of lib/boundary.py"


def third_party(source: Source) -> Iterator[str]:
    """Imports of anything but the standard library, us, and the three dependencies in their places."""
    loaded = {(line, name) for line, name in imports(source, at_load(source.tree.body))}
    for line, name in imports(source):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top in {"", "lib", "hooks", "tests"}:
            continue
        if top in SERVER_PARTY and source.place.startswith(SERVER):
            continue
        if top not in THIRD_PARTY:
            yield f"{source.place}:{line}: imports {top}, which is no dependency of ours"
        elif (line, name) in loaded:
            yield f"{source.place}:{line}: imports {top} at module level; import it in the function that needs it"
        elif THIRD_PARTY[top] not in ("", source.place):
            yield f"{source.place}:{line}: imports {top}; that belongs in {THIRD_PARTY[top]}"


def hot_path(everything: list[Source]) -> list[Source]:
    """The hooks and every module of ours that is loaded with them, whatever the event."""
    named = {source.place: source for source in everything}
    queue = [source for source in everything if source.place.startswith("hooks/")]
    found: dict[str, Source] = {}
    while queue:
        source = queue.pop()
        if source.place in found:
            continue
        found[source.place] = source
        for _, name in imports(source, at_load(source.tree.body)):
            stem = name.replace(".", "/")
            queue += [named[place] for place in (f"{stem}.py", f"{stem}/__init__.py") if place in named]
    return list(found.values())


def slow_imports(source: Source) -> Iterator[str]:
    for line, name in imports(source, at_load(source.tree.body)):
        if name.split(".")[0] in SLOW:
            yield f"{source.place}:{line}: loads {name} with a hook"


def sizes(source: Source) -> Iterator[str]:
    lines = source.text.count("\n")
    limit = LONGEST["hook" if source.place.startswith("hooks/") else "module"]
    if lines > limit:
        yield f"{source.place}: {lines} lines, over {limit}; split it along a seam"
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST["function"]:
                yield f"{source.place}:{node.lineno}: {node.name} is {length} lines, over {LONGEST['function']}"


def vague_names(source: Source) -> Iterator[str]:
    if VAGUE & set(source.place.removesuffix(".py").split("/")):
        yield f"{source.place}: the name says nothing"
