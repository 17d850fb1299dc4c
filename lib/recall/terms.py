"""Text to search terms: words stemmed, identifiers split and kept whole, dates and numbers kept, CJK as bigrams.

Pure functions; the same code reads prompts and memories, or nothing would ever meet. Req: C1.
"""
from __future__ import annotations

import re

from lib.recall.stems import stem
from lib.recall.words import COMMON, MONTH_NAMES, MONTHS, STOP

# Bounded repeats: hostile text costs linear time.
_CHUNK = re.compile(r"[^\W_](?:[\w.'’/@:+-]{0,118}[^\W_])?(?:\+\+|#)?")
_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+[a-z]?")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
# Scripts written without spaces: Thai to Khmer, Hangul, kana, Han and their extensions.
_DENSE = ("\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
          "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff")
_SCRIPTS = re.compile(f"[{_DENSE}]+|[^{_DENSE}]+")
_DENSE_ONE = re.compile(f"[{_DENSE}]")
_LATIN_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
JOINERS = frozenset(".'’/@:+-_#")

_LINE_NUMBER = re.compile(r":\d+(?::\d+)?$")
_memo: dict[str, tuple[str, ...]] = {}
COMMON_WEIGHT = 0.3
PLAIN_WEIGHT = 1.0


def fold(text: str) -> str:
    """Compatibility forms made plain (full-width letters, ligatures) and accents dropped from Latin letters; case is kept."""
    if text.isascii():
        return text
    import unicodedata

    text = unicodedata.normalize("NFKC", text)
    return _LATIN_ACCENTED.sub(lambda found: _bare(unicodedata.normalize("NFD", found.group())), text)


def _bare(letter: str) -> str:
    return letter[0] if len(letter) > 1 else {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d"}.get(letter, letter)


def terms(text: str, limit: int = 20_000) -> list[str]:
    """The terms of a text in order, with repeats and without stop words; at most `limit`."""
    found: list[str] = []
    for chunk in _CHUNK.finditer(fold(text)):
        found.extend(chunk_terms(chunk.group()))
        if len(found) >= limit:
            return found[:limit]
    return _with_days(found)


def stems(text: str, limit: int = 4_000) -> list[str]:
    """Every word as a stem, stop words included: the form in which names and aliases are compared with a prompt."""
    found: list[str] = []
    for chunk in _CHUNK.finditer(fold(text)):
        for part in _PART.findall(chunk.group()):
            found.extend(_whole_stems(part))
        if len(found) >= limit:
            break
    return found[:limit]


def weight(term: str) -> float:
    """How much a match on this term can say by itself: 0.3 for everyday words, short numbers and kana endings, else 1."""
    if term in COMMON or len(term) == 1 or (term.isdigit() and len(term) < 3):
        return COMMON_WEIGHT
    if not term.isascii() and all("\u3040" <= letter <= "\u309f" for letter in term):
        return COMMON_WEIGHT
    return PLAIN_WEIGHT


def is_compound(term: str) -> bool:
    """Whether the term is a whole identifier, path, version or date whose parts stand beside it."""
    return not JOINERS.isdisjoint(term)


def chunks(text: str) -> list[str]:
    """The words and identifiers of a folded text as they stand, case kept."""
    return _CHUNK.findall(text)


def chunk_terms(chunk: str) -> tuple[str, ...]:
    """The terms of one chunk, the whole first when it is an identifier; empty for stop words."""
    known = _memo.get(chunk)
    if known is None:
        known = tuple(_chunk_terms(chunk))
        if len(_memo) < 100_000:
            _memo[chunk] = known
    return known


def _chunk_terms(chunk: str) -> list[str]:
    low = chunk.casefold()
    if low in STOP:
        return []
    if low.isalpha() and low.isascii() and not _humped(chunk):
        return [stem(low)]
    found: list[str] = []
    date = _DATE.fullmatch(low)
    if date is not None:
        return _date_terms(low, date.group(1), int(date.group(2)), int(date.group(3)))
    if is_compound(low) and not low.endswith(("'s", "’s")):
        if _numeric(low):
            return [low]
        found.append(_LINE_NUMBER.sub("", low))
    for part in _PART.findall(chunk):
        if part != "s":
            found.extend(_part_terms(part))
    return found


def _part_terms(part: str) -> list[str]:
    low = part.casefold()
    if _DENSE_ONE.search(low):
        return [term for run in _SCRIPTS.findall(low) for term in _script_terms(run)]
    whole = [] if low in STOP else [stem(low)]
    pieces = _humps(part)
    if len(pieces) > 1:
        return whole + [stem(piece) for piece in pieces if piece not in STOP and len(piece) > 1]
    return whole


def _script_terms(run: str) -> list[str]:
    if not _DENSE_ONE.match(run):
        return [] if run in STOP else [stem(run)]
    return [run] if len(run) == 1 else [run[place:place + 2] for place in range(len(run) - 1)]


def _whole_stems(part: str) -> list[str]:
    low = part.casefold()
    if _DENSE_ONE.search(low):
        return [term for run in _SCRIPTS.findall(low) for term in _script_terms(run)]
    return [stem(low)]


def _humps(part: str) -> list[str]:
    return [piece.casefold() for piece in _CAMEL.findall(part)] if _humped(part) else []


def _humped(word: str) -> bool:
    """camelCase and HTTPServer, but not Word, WORD, k8s or v2."""
    return word.isascii() and not word.islower() and not word.isupper() and not word[1:].islower()


def _numeric(text: str) -> bool:
    return all(letter.isdigit() or letter in ".:-/" for letter in text)


def _date_terms(whole: str, year: str, month: int, day: int) -> list[str]:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return [whole, year]
    return [whole, year, stem(MONTH_NAMES[month]), f"{month:02d}-{day:02d}"]


def _with_days(found: list[str]) -> list[str]:
    """Adds month-day terms for "January 5", "5 Jan" and "Jan 5th", so that prose meets ISO dates."""
    days: list[str] = []
    for before, after in zip(found, found[1:]):
        month, day = (MONTHS_BY_STEM.get(before), after) if before in MONTHS_BY_STEM else (MONTHS_BY_STEM.get(after), before)
        digits = day[:-2] if day[-2:] in ("st", "nd", "rd", "th") else day
        if month and digits.isdecimal() and len(digits) <= 2 and 1 <= int(digits) <= 31:
            days.append(f"{month:02d}-{int(digits):02d}")
    return found + days


MONTHS_BY_STEM = {stem(name): number for name, number in MONTHS.items()}
