"""When two memories say the same: precision first, for what differs must never be merged. Pure. Req: G3, A6."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

SHARE = 0.8  # of the longer statement's words that the shorter one must have
FEWEST = 3  # words; of less nothing can be told
_EMPTY = frozenset(
    "a an the is are was were be been being of to in on at for from by with and or that this these those it its as we "
    "our you your i my they their he she please always just very really so also here there user users user's wants "
    "want prefers prefer likes like should must shall will use uses used using der die das ein eine und ist sind zu im "
    "le la les un une des et est el los las una y es".split()
)
_NO = frozenset(
    "no not never don't dont doesn't avoid without nothing none neither nor stop forbidden instead kein keine nicht "
    "nie pas jamais sans nunca sin ohne".split()
)
_WORD = re.compile(r"[^\W_](?:[\w'’.+#/-]*[\w+#])?")
_VALUE = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”|(\S*\d\S*)|(\S+[/\\]\S+)")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class Sense:
    """A statement reduced to what counts: its words in order, its values (figures, dates, quoted names), its noes."""

    words: tuple[str, ...]
    values: frozenset[str]
    noes: int


def plain(text: str) -> str:
    """Letters and digits in lower case, single spaces: two texts with the same `plain` say the same words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())


def sense(text: str) -> Sense:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")[:2_000]
    values = {next(part for part in found if part).strip(".,;:()'\"") for found in _VALUE.findall(folded)}
    words: list[str] = []
    noes = 0
    for word in _WORD.findall(folded):
        if word in _NO:
            noes += 1
            words.append("not")
        elif _WIDE.search(word):
            words += word  # scripts without spaces: letter by letter
        elif word not in _EMPTY:
            words.append(_stem(word))
    return Sense(tuple(words), frozenset(values - {""}), noes)


def same(one: Sense, other: Sense) -> bool:
    """One statement holds all words of the other in their order and little more; values and noes are the same."""
    if one.values != other.values or one.noes != other.noes:
        return False
    short, long = sorted((one.words, other.words), key=len)
    if len(short) < FEWEST or len(short) < SHARE * len(long):
        return False
    rest = iter(long)
    return all(word in rest for word in short)


def _stem(word: str) -> str:
    for ending in ("'s", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)]
    return word
