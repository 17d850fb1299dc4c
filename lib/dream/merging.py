"""Duplicates become one file that holds the union of what they said; links to the others follow. Req: G3, A6."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lib.dream import likeness
from lib.dream.likeness import Sense
from lib.dream.shelf import Shelf
from lib.memory import checks, frontmatter, store
from lib.memory.store import Memory

LINK = re.compile(r"\[\[([^\[\]|#\n]{1,120})((?:[|#][^\[\]\n]{0,120})?)\]\]")
_ALIKE = frozenset(("user", "feedback"))  # one and the same wish is filed under either


def merge_duplicates(shelf: Shelf) -> None:
    """Stage every merge that keeps all words; what could not be merged without a loss stays two files."""
    links = _inbound(shelf)
    moved: dict[str, str] = {}
    for group in _groups(shelf):
        keeper, *others = sorted(group, key=lambda file: _standing(shelf, file, links))
        for other in others:
            if _into(shelf, keeper, other):
                moved[other] = keeper
    _relink(shelf, moved)


def _standing(shelf: Shelf, file: str, links: dict[str, int]) -> tuple[bool, bool, int, int, int, int, str]:
    """The first keeps its name: one that was there before this run, is linked to most, says most, is called shortest.

    A merge that was cut short comes to the same end when it is tried again: nothing here depends on times.
    """
    made, linked = file not in shelf.before, links.get(store.fold(file), 0)
    memory = shelf.memory(file)
    said = len(likeness.sense(memory.statement).words)
    return (not shelf.sound(file), made, -linked, -said, -len(likeness.plain(memory.body)), len(file), file)


def _groups(shelf: Shelf) -> list[list[str]]:
    """Files that say the same. Each is compared with those that share its rarest word only: 1,000 take seconds."""
    senses = {file: likeness.sense(shelf.memory(file).statement) for file in shelf.files()}
    exact: dict[str, str] = {}
    leader = {file: file for file in senses}

    def join(one: str, other: str) -> None:
        first, second = _root(leader, one), _root(leader, other)
        leader[max(first, second)] = min(first, second)

    for file in senses:
        memory = shelf.memory(file)
        text = likeness.plain(f"{memory.statement}\n{memory.body}")
        if text and (twin := exact.setdefault(text, file)) != file:
            join(twin, file)
    for one, other in _candidates(senses):
        if _alike(shelf.memory(one), shelf.memory(other)) and likeness.same(senses[one], senses[other]):
            join(one, other)
    groups: dict[str, list[str]] = {}
    for file in senses:
        groups.setdefault(_root(leader, file), []).append(file)
    return [group for group in groups.values() if len(group) > 1]


def _root(leader: dict[str, str], file: str) -> str:
    while leader[file] != file:
        file = leader[file]
    return file


def _candidates(senses: dict[str, Sense]) -> Iterable[tuple[str, str]]:
    """Pairs that could be the same: all words of the shorter are in the longer, so both hold its rarest one."""
    holding: dict[str, list[str]] = {}
    for file, found in senses.items():
        for word in set(found.words):
            holding.setdefault(word, []).append(file)
    for file, found in senses.items():
        if found.words:
            rarest = min(set(found.words), key=lambda word: (len(holding[word]), word))
            for other in holding[rarest]:
                if other != file and len(senses[other].words) >= len(found.words):
                    yield file, other


def _alike(one: Memory, other: Memory) -> bool:
    return one.type == other.type or {one.type, other.type} <= _ALIKE


def _into(shelf: Shelf, keeper: str, other: str) -> bool:
    """Stage the union in `keeper` and take `other` away; False when the union would be no sound memory."""
    kept, gone = shelf.memory(keeper), shelf.memory(other)
    text = shelf.now[keeper] or ""
    added = missing_lines(f"{kept.statement}\n{kept.body}", gone)
    words = _applies(gone)
    if added or words - _applies(kept):
        document = frontmatter.parse(text)
        if document.problem:
            return False
        fields = dict(document.fields)
        if words:
            fields["applies"] = [*dict.fromkeys([*_list(fields.get("applies")), *sorted(words)])]
        body = document.body.rstrip("\r\n")
        newline = document.newline
        if added:
            body += newline * 2 + f"Also noted as {other[:-3]}:" + newline * 2 + newline.join(added)
        text = frontmatter.dump(fields, body + newline, newline)
        if len(text.encode("utf-8", "replace")) > checks.TEXT_LIMIT:
            return False
    if text != shelf.now[keeper]:
        shelf.stage(keeper, text, f"holds what {other} said", "MERGE")
    shelf.times[keeper] = max(shelf.times[keeper], shelf.times[other])
    shelf.remove(other, keeper, f"says the same as {keeper}")
    return True


def missing_lines(text: str, memory: Memory) -> list[str]:
    """What a memory says, line by line, that `text` does not: its statement, its body, the words it rests on."""
    held = f"\n{chr(10).join(likeness.plain(line) for line in text.split(chr(10)))}\n"
    found: list[str] = []
    for line in (memory.statement, *memory.body.split("\n"), memory.fields.get("metadata.quote", "")):
        words = likeness.plain(line)
        if words and words not in held:
            found.append(line.rstrip())
            held += f"{words}\n"
    return found


def _applies(memory: Memory) -> set[str]:
    return {word.strip().strip("'\"") for word in memory.fields.get("applies", "").strip("[]").split(",")} - {""}


def _list(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else []


def target(name: str) -> str:
    """The folded file name that a link's name means."""
    return store.fold(f"{name.strip().removesuffix('.md')}.md")


def _inbound(shelf: Shelf) -> dict[str, int]:
    found: dict[str, int] = {}
    for file in shelf.files():
        for name in {target(match[1]) for match in LINK.finditer(shelf.memory(file).body)}:
            found[name] = found.get(name, 0) + 1
    return found


def _relink(shelf: Shelf, moved: dict[str, str]) -> None:
    """Links to a file that was merged away lead to where its content stands now."""
    places = {store.fold(file): into for file, into in moved.items()}
    if not places:
        return

    def renamed(match: re.Match[str]) -> str:
        into = places.get(target(match[1]))
        return f"[[{into[:-3]}{match[2]}]]" if into else match[0]

    for file in shelf.files():
        text = shelf.now[file] or ""
        changed = LINK.sub(renamed, text) if "[[" in text else text
        if changed != text:
            shelf.stage(file, changed, "a link follows a merged memory")
