"""What a memory says about the project that can be looked up: paths, lines, symbols, flags, packages, branches.

Pure. Only what stands in backticks, and paths with a known ending, are taken for anchors: a wrong anchor would make a
true memory look stale. Req: J5.
"""

from __future__ import annotations

MOST = 12  # anchors of one memory
LOOK = 6_000  # characters of a memory's text
LONGEST = 160  # characters of one anchor
PATH, SYMBOL, FLAG, PACKAGE, BRANCH = "path", "symbol", "flag", "package", "branch"

_ENDINGS = frozenset(
    """
astro bash bat bicep c cc cfg cjs clj cmake conf cpp cs css csv cts cxx dart env erl ex exs fish go gradle graphql
groovy h hcl hpp hs html ini ipynb java jinja jl js json json5 jsonc jsx kt kts less lock lua m md mdx mjs ml mm mod mts
nix php pl png prisma proto ps1 py pyi pyx r rb rs rst sass scala scss sh sol sql svelte svg swift tf tfvars toml ts
tsx txt vue xml yaml yml zig zsh
""".split()
)
# Products whose names end like a file's.
_PRODUCTS = frozenset(
    "node.js next.js vue.js nuxt.js express.js three.js d3.js react.js ember.js backbone.js socket.io require.js "
    "alpine.js discord.js chart.js moment.js knockout.js p5.js day.js angular.js".split()
)
# Made, not written: what is not there now may be there after the next build.
_MADE = frozenset(
    "node_modules dist build out target coverage .venv venv __pycache__ .cache .next tmp temp logs .git".split()
)
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./@+#")
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
# The memory itself says that it is gone.
_ABSENT = (
    " removed", " deleted", " dropped ", " replaced ", " renamed", " no longer", " used to ", " formerly",
    " instead of ", " gone", " moved from ", " was called ", " not yet", " will be ", " to be created", " plan to ",
)  # fmt: skip
_NEGATIONS = (" never ", " not ", " no ", "n't ", " avoid", " without ", " forbidden")


class Anchor:
    """One thing to look up; `line` is 0 when none is named, `counts` is False where its absence may be intended."""

    __slots__ = ("counts", "kind", "line", "text")

    def __init__(self, kind: str, text: str, line: int = 0, counts: bool = True) -> None:
        self.kind = kind
        self.text = text
        self.line = line
        self.counts = counts

    def __repr__(self) -> str:
        return f"Anchor({self.kind}, {self.text!r}, {self.line}, {self.counts})"


def anchors(text: str) -> list[Anchor]:
    """The anchors of a memory's text in order, each once, at most MOST; never raises."""
    found: dict[tuple[str, str, int], Anchor] = {}
    for sentence in _sentences(text[:LOOK]):
        padded = f" {sentence.casefold()} "
        if any(word in padded for word in _ABSENT):
            continue
        counts = not any(word in padded for word in _NEGATIONS)
        for anchor in _of(sentence):
            anchor.counts = counts
            known = found.setdefault((anchor.kind, anchor.text, anchor.line), anchor)
            known.counts = known.counts or counts
    return list(found.values())[:MOST]


def _sentences(text: str) -> list[str]:
    for end in (". ", "; ", "! ", "? "):
        text = text.replace(end, end + "\n")
    return [line for line in text.split("\n") if line.strip()]


def _of(sentence: str) -> list[Anchor]:
    found: list[Anchor] = []
    parts = sentence.split("`")
    for place, part in enumerate(parts):
        if place % 2 and place + 1 < len(parts):
            found += _quoted(part.strip(), parts[place - 1], parts[place + 1])
        else:
            words = (word.strip(".,;:!?()[]{}\"'“”*") for word in part.split())
            found += [anchor for word in words if "/" in word and (anchor := _path(word)) and _ends_known(anchor.text)]
    return found


def _quoted(span: str, before: str, after: str) -> list[Anchor]:
    if not span or len(span) > LONGEST:
        return []
    words = span.split()
    if len(words) == 1:
        if before.rstrip(" :").casefold().endswith("branch") or after.casefold().startswith(" branch"):
            return [Anchor(BRANCH, span)] if _plain(span) else []
        anchor = _path(span) or _package(span) or _flag(span) or _symbol(span)
        return [anchor] if anchor else []
    scripts = [anchor for word in words if "/" in word and (anchor := _path(word)) and _ends_known(anchor.text)]
    # The options of a script of the project; those of other programs stand in none of its files.
    return scripts + [anchor for word in words if scripts and (anchor := _flag(word))]


def _path(word: str) -> Anchor | None:
    """A path relative to the project, with the line that is named behind it; None for what lies elsewhere."""
    line = 0
    while (cut := word.rfind(":")) > 0 and word[cut + 1 :].replace("-", "").isdecimal():
        line = int(word[cut + 1 :].partition("-")[0][:9] or 0)
        word = word[:cut]
    word = word.removeprefix("./").partition("#L")[0]
    parts = word.rstrip("/").split("/")
    if not _plain(word) or word.startswith(("/", "@", "-", "~")) or ".." in parts or "" in parts:
        return None
    if len(parts) > 1 and "." in parts[0][1:] and not _ends_known(parts[0]):
        return None  # example.com/page
    if _MADE.intersection(parts[:-1] if len(parts) > 1 else parts):
        return None
    if not (word.endswith("/") or _ends_known(word)) or word.casefold() in _PRODUCTS:
        return None
    return Anchor(PATH, word, line)


def _ends_known(path: str) -> bool:
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    return bool(dot) and (ending.casefold() in _ENDINGS) and bool(stem or ending == "env")


def _package(word: str) -> Anchor | None:
    scoped = word.startswith("@") and word.count("/") == 1
    name, at, version = word[1:].partition("@") if scoped else word.partition("@")
    name = "@" + name if scoped else name
    if not _plain(word) or not (scoped or (at and version[:1].isdecimal() and "/" not in name)):
        return None
    return Anchor(PACKAGE, name) if len(name) > 2 else None


def _flag(word: str) -> Anchor | None:
    name = word.partition("=")[0].rstrip(",.;")
    bare = name[2:].replace("-", "")
    return Anchor(FLAG, name) if name.startswith("--") and bare.isascii() and bare.isalnum() else None


def _symbol(word: str) -> Anchor | None:
    """A name written as only code is: camelCase, snake_case, PascalCase or a call, with what stands before its dot."""
    name, whole = last_name(word), word.removesuffix("()").replace("::", ".")
    if len(name) < 4 or name[0].isdecimal() or not _NAME.issuperset(whole.replace(".", "")) or "" in whole.split("."):
        return None
    humps = any(c.isupper() and place for place, c in enumerate(whole)) and any(c.islower() for c in whole)
    humps = humps or ("." in whole and whole[0].isupper())
    return Anchor(SYMBOL, word) if word.endswith("()") or humps or "_" in whole.strip("_") else None


def last_name(symbol: str) -> str:
    """What to look for of `Class.method()`: the method."""
    return symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]


def _plain(word: str) -> bool:
    return 0 < len(word) <= LONGEST and _PLAIN.issuperset(word)
