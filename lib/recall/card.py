"""A memory as the ranking sees it: term counts by field, names to be met whole, when it applies, what it links to.

Req: A7, C1.
"""

from __future__ import annotations

import binascii

from lib.memory import store
from lib.recall.terms import is_compound, stems, terms, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Multiples of one half, so that sums are exact in any order.
# A word in the name or description says what the memory is about; the same word in the body may be an aside.
NAME, ALIAS, DESCRIPTION, HOOK, HEADING, BODY, TYPE = 3.0, 3.0, 2.5, 1.0, 1.5, 1.0, 0.5
PARTS, ENTRIES = "\x1e", "\x1f"  # JSON would do, but a hook that needs no JSON starts a third faster
_GONE = ("superseded", "obsolete", "deprecated", "archived")


class Card:
    """One memory for ranking, a pure function of its file's bytes and its index line.

    `counts`: term -> (field-weighted count, whether it stands in a key field); `length`: weighted terms in all; `mass`:
    summed weight of the key terms; `names`, `aliases`: as space-joined stems; `applies`: entries as written; `links`:
    slugs of other memories; `active`: False when its own frontmatter says that it no longer holds.
    """

    __slots__ = (
        "active",
        "aliases",
        "applies",
        "check",
        "counts",
        "file",
        "hook",
        "length",
        "links",
        "mass",
        "mtime_ns",
        "names",
        "size",
        "slugs",
        "type",
    )

    def __init__(self, file: str) -> None:
        self.file = file
        self.type = ""
        self.mtime_ns = self.size = self.check = self.hook = 0
        self.counts: dict[str, tuple[float, bool]] = {}
        self.length = self.mass = 0.0
        self.names: list[str] = []
        self.aliases: list[str] = []
        self.slugs: list[str] = []
        self.applies: list[str] = []
        self.links: list[str] = []
        self.active = True

    def packed(self) -> str:
        """What is needed of a candidate once its postings have been read."""
        lists = (self.names, self.aliases, self.slugs, self.applies, self.links)
        plain = (self.type, str(self.check), repr(self.mass), "1" if self.active else "")
        return PARTS.join([*plain, *(joined(entries) for entries in lists)])


def unpacked(file: str, text: str) -> Card:
    """A card without its counts. Raises ValueError when `text` was not made by `packed`."""
    card = Card(file)
    card.type, check, mass, active, *lists = text.split(PARTS)
    card.check, card.mass, card.active = int(check), float(mass), bool(active)
    card.names, card.aliases, card.slugs, card.applies, card.links = map(parted, lists)
    return card


def joined(entries: list[str]) -> str:
    """Entries as one text that `parted` takes apart; control characters that would confuse it are dropped."""
    return ENTRIES.join(entry.replace(PARTS, "").replace(ENTRIES, "") for entry in entries)


def parted(text: str) -> list[str]:
    """The entries of a text that `joined` made; an empty text holds none."""
    return text.split(ENTRIES) if text else []


def checksum(raw: bytes) -> int:
    """What tells two contents of one file apart, whatever its clock says."""
    return binascii.crc32(raw)


def card_of(file: str, raw: bytes, hook: str = "") -> Card:
    """The card of a file's bytes; undecodable bytes are skipped over, never an error."""
    memory = store.Memory(file, raw.decode("utf-8", "replace").removeprefix("\ufeff"), 0.0)
    fields, card = memory.fields, Card(file)
    card.check, card.hook = checksum(raw), checksum(hook.encode("utf-8", "replace"))
    card.type = memory.type
    slug = file[:-3]
    aliases = items(fields, "aliases") + items(fields, "alias")
    title = memory.name if fields.get("name") else _title(memory.body) or slug
    card.slugs = _unique(_slug(text) for text in (slug, title))
    # A file's name of one word is too easily met when the memory has another name of its own.
    called = [title] if len(stems(slug)) < 2 else [title, slug]
    card.names = _unique(" ".join(stems(text.replace("_", " "))) for text in called)
    card.aliases = _unique(" ".join(stems(text.replace("_", " "))) for text in aliases)
    card.applies = _unique(entry.casefold() for entry in items(fields, "applies"))
    card.links = _unique(_slug(link) for link in _linked(memory.body))
    card.active = _active(fields)
    _count(card, memory, [title] if _slug(title) == _slug(slug) else [title, slug], aliases, hook)
    return card


def items(fields: dict[str, str], key: str) -> list[str]:
    """The entries of a list-like field, at top level, under `metadata` or split into kinds (`applies.tools`)."""
    found: list[str] = []
    for name, value in fields.items():
        bare = name.removeprefix("metadata.")
        if bare == key or bare.startswith(key + "."):
            found.extend(entry.strip(" []\"'\t") for entry in value.replace(";", ",").split(","))
    return [entry for entry in found if entry][:40]


def _count(card: Card, memory: store.Memory, names: list[str], aliases: list[str], hook: str) -> None:
    key_parts = [(NAME, " ".join(names)), (ALIAS, " \n ".join(aliases)), (DESCRIPTION, memory.description)]
    counts: dict[str, float] = {}
    for factor, text in key_parts:
        for term in terms(text, 400):
            counts[term] = counts.get(term, 0.0) + factor
    keys = set(counts)
    headings = "\n".join(_headings(memory.body)[:40])
    rest = [(HOOK, hook, 80), (TYPE, memory.type, 4), (HEADING, headings, 400), (BODY, memory.body, 12_000)]
    length = sum(counts.values())
    for factor, text, limit in rest:
        for term in terms(text, limit):
            counts[term] = counts.get(term, 0.0) + factor
            length += factor
    card.counts = {term: (count, term in keys) for term, count in counts.items()}
    card.length = length
    card.mass = sum(weight(term) for term in keys if not is_compound(term))


def _headings(body: str) -> list[str]:
    return [
        line.lstrip("#").strip()[:300]
        for line in body.split("\n")
        if line.startswith("#") and line.lstrip("#")[:1] == " "
    ]


def _title(body: str) -> str:
    return next(iter(_headings(body[:2_000])), "")


def _linked(body: str) -> list[str]:
    """The targets of `[[slug]]`, `[[slug|text]]` and `[[slug#part]]`."""
    pieces = body.split("[[")[1:200]
    targets = (piece.partition("]]")[0] for piece in pieces if "]]" in piece)
    return [
        target.partition("|")[0].partition("#")[0] for target in targets if len(target) <= 240 and "\n" not in target
    ]


def _slug(text: str) -> str:
    return "-".join(stems(text.replace("_", " ").removesuffix(".md"), 24))


def _active(fields: dict[str, str]) -> bool:
    """Whether the memory still holds by its own word: `status`, `superseded_by`."""
    for name, value in fields.items():
        bare = name.removeprefix("metadata.").replace("-", "_")
        if bare == "superseded_by" and value.casefold() not in (
            "",
            "null",
            "none",
            "~",
            "no",
            "false",
        ):
            return False
        if bare in ("status", "epistemic_status") and value.casefold() in _GONE:
            return False
    return True


def _unique(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]
