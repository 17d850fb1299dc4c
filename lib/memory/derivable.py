"""Whether the repository says it already: a memory that shadows code or CLAUDE.md goes stale by definition. Req: A6.

Measured, not guessed from wording: the claim's own paths, symbols, package names and phrases are looked up in the
project. A claim is derivable when an instruction file states it, or when everything it names is found where it says and
nothing is left of it beyond words of structure.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from lib.memory import files

INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursorrules")
RULES = ".claude/rules"
MANIFESTS = (
    "package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "Gemfile", "composer.json", "pom.xml",
)  # fmt: skip
READ = 200_000  # bytes of one file looked at
STATED = 0.85  # share of a claim's words that one paragraph of an instruction file must hold
_PATH = re.compile(
    r"(?<![\w/.@-])(?:\./)?(?:[\w.@-]{1,80}/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z]\w{0,9}(?=$|[^\w/])"
    r"|(?<![\w/.@:-])(?:[\w.@-]{1,80}/){1,12}"  # a folder
)
_QUOTED = re.compile(r"`([^`\n]{1,120})`")
_SYMBOL = re.compile(
    r"\b(?:[a-z]{1,40}[A-Z]\w{0,60}|[A-Z][a-z0-9]{1,40}[A-Z]\w{0,60}|[A-Za-z]\w{0,60}_\w{1,60}"
    r"|\w{2,60}(?=\(\)))"
)
_WORD = re.compile(r"[^\W_][\w'-]*")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#)\s)")
_EMPTY = frozenset(
    "a an the and or of to in on at for from by with as is are was were be been it its this that these those there "
    "here we our you your i they their has have had do does did can will must should not no always never only also "
    "just all any each every when where which who what how please note remember project repo repository code codebase "
    "user s".split()
)  # fmt: skip
_NEGATIONS = frozenset("no not never don't doesn't avoid stop without nor cannot can't mustn't".split())
# Words of a sentence that tells where things are or what the code is made of.
_STRUCTURE = (
    "file files folder folders directory directories module modules package packages class classes function functions "
    "method methods helper helpers component components constant constants variable variables type types interface "
    "interfaces test tests script scripts config configuration lives live located lies sits stays stands found defined "
    "declared implemented exported imported registered stored kept placed contains contain holds implements handles "
    "exports imports calls uses use using used written built based inside under called named entry point main root "
    "source logic version framework library dependency dependencies language stack depends"
).split()


def derivable(claim: str, project: str) -> str:
    """Where the repository at `project` says this already, as one sentence, or "". Never raises."""
    words = _words(claim)
    if not words or not project:
        return ""
    for file in _instruction_files(project):
        if _stated(words, _forbids(claim), _text(project, file)):
            return f"{file} says this already"
    return _structure(claim, project)


def _words(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text[:2_000].lower()) if word not in _EMPTY]


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word.rstrip("e") if len(word) > 4 else word


def _instruction_files(project: str) -> Iterator[str]:
    yield from INSTRUCTIONS
    try:
        names = sorted(os.listdir(os.path.join(project, RULES)))
    except OSError:
        return
    yield from (f"{RULES}/{name}" for name in names[:50] if name.endswith(".md"))


def _stated(words: list[str], forbids: bool, text: str) -> bool:
    if len(set(words)) < 2:
        return False  # one word is found in any long file
    for paragraph in _PARAGRAPH.split(text):
        held = set(_words(paragraph))
        # "use npm" is not what "never use npm" says
        if sum(word in held for word in words) >= STATED * len(words) and _forbids(paragraph) == forbids:
            return True
    return False


def _forbids(text: str) -> bool:
    return not _NEGATIONS.isdisjoint(_WORD.findall(text[:2_000].lower().replace("’", "'")))


def _structure(claim: str, project: str) -> str:
    paths = [path.rstrip("/") for path in _PATH.findall(claim)]
    found = [path for path in paths if os.path.lexists(os.path.join(project, path))]
    if len(found) < len(paths):
        return ""  # it names something that is not there: not for the repository to say
    symbols = {name.strip("()") for name in (*_QUOTED.findall(claim), *_SYMBOL.findall(claim))} - set(paths)
    texts = [_text(project, path) for path in found]
    if found and any(not _symbol_in(symbol, texts, found) for symbol in symbols):
        return ""
    where = found[0] if found else ""
    known: set[str] = set()
    if not where:
        where, known = _manifest(claim, project)
    if not where:
        return ""
    named = {word for part in (*paths, *symbols) for word in _words(part)} | known
    left = [word for word in _words(_without(claim, paths)) if word not in named and not _is_structure(word)]
    return f"{where} shows this already" if not left else ""


def _is_structure(word: str) -> bool:
    return word in {_stem(known) for known in _STRUCTURE} or word.isdigit()


def _without(claim: str, paths: list[str]) -> str:
    for path in paths:
        claim = claim.replace(path, " ")
    return claim


def _symbol_in(symbol: str, texts: list[str], paths: list[str]) -> bool:
    return any(symbol in text for text in texts) or any(symbol in path for path in paths)


def _manifest(claim: str, project: str) -> tuple[str, set[str]]:
    """The manifest whose entries hold the names of the claim, and the words of those names."""
    names = {word.lower() for word in re.findall(r"[A-Za-z][\w.@/-]{1,60}", claim)}
    for file in MANIFESTS:
        text = _text(project, file).lower()
        listed = {name for name in names if text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)}
        listed -= _EMPTY | set(_STRUCTURE)
        if listed:
            return file, {word for name in listed for word in _words(name)}
    return "", set()


def _text(project: str, path: str) -> str:
    try:
        return files.read(project, path, READ).decode("utf-8", "replace")
    except OSError:
        return ""
