"""Text to search terms: words stemmed, identifiers split and kept whole, dates and numbers kept, CJK as bigrams.

Pure functions; the same code reads prompts and memories, or nothing would ever meet. No regular expressions: compiling
them costs a hook more than all the searching. Req: C1.
"""

from __future__ import annotations

from lib.recall.scripts import JOINERS, Separators, fold, is_dense, runs
from lib.recall.stems import stem
from lib.recall.words import COMMON, MONTH_NAMES, MONTHS, STOP

EDGES = ".'’/@:-_"
CHUNK = 120  # characters of one identifier; longer runs are blobs
COMMON_WEIGHT = 0.3
PLAIN_WEIGHT = 1.0
_PLUS_NAMES = ("c++", "c#", "f#")
_memo: dict[str, tuple[str, ...]] = {}


_separators = Separators()
_apart = {ord(joiner): " " for joiner in JOINERS}


def terms(text: str, limit: int = 20_000) -> list[str]:
    """The terms of a text in order, with repeats and without stop words; at most `limit`."""
    found: list[str] = []
    for chunk in chunks(fold(text)):
        found.extend(chunk_terms(chunk))
        if len(found) >= limit:
            return found[:limit]
    return _with_days(found)


def stems(text: str, limit: int = 4_000) -> list[str]:
    """Every word as a stem, stop words included: the form in which names and aliases are compared with a prompt."""
    found: list[str] = []
    for part in fold(text).translate(_separators).translate(_apart).split():
        low = part[:CHUNK].casefold()
        found.extend(_dense_terms(low) if is_dense(low) else [stem(low)])
        if len(found) >= limit:
            break
    return found[:limit]


def weight(term: str) -> float:
    """How much a match on this term says by itself: 0.3 for everyday words, short numbers, kana endings; else 1."""
    if term in COMMON or len(term) == 1 or (term.isdigit() and len(term) < 3):
        return COMMON_WEIGHT
    if not term.isascii() and all("\u3040" <= letter <= "\u309f" for letter in term):
        return COMMON_WEIGHT
    return PLAIN_WEIGHT


def is_compound(term: str) -> bool:
    """Whether the term is a whole identifier, path, version or date whose parts stand beside it."""
    return not JOINERS.isdisjoint(term)


def chunks(text: str) -> list[str]:
    """The words and identifiers of a folded text as they stand, case kept, at most 120 characters each."""
    found: list[str] = []
    for chunk in text.translate(_separators).split():
        if chunk.isalpha() and len(chunk) <= CHUNK:
            found.append(chunk)
            continue
        chunk = chunk[:CHUNK].strip(EDGES).lstrip("+#")
        if chunk[-1:] in ("+", "#") and chunk.casefold() not in _PLUS_NAMES:
            chunk = chunk.rstrip("+#" + EDGES)
        if chunk:
            found.append(chunk)
    return found


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
        return ["may"] if chunk == "May" else []  # the month, or the start of a question: then it harms little
    if low.endswith(("'s", "’s")):
        return list(chunk_terms(chunk[:-2]))
    if not is_compound(low):
        return _part_terms(chunk)
    if all(letter.isdecimal() or letter in ".:-/" for letter in low):
        return _number_terms(low)
    found = [_without_line(low)]
    for part in chunk.translate(_apart).split():
        found.extend(_part_terms(part))
    return found


def _part_terms(part: str) -> list[str]:
    low = part.casefold()
    if is_dense(low):
        return _dense_terms(low)
    whole = [] if low in STOP else [stem(low)]
    if not part.isascii() or low == part or part.isupper() or part[1:].islower():
        return whole
    pieces = [piece for piece in _humps(part) if len(piece) > 1]
    return whole + [stem(piece) for piece in pieces if piece not in STOP and piece != low]


def _humps(word: str) -> list[str]:
    """The words of a camelCase or HTTPServer identifier, lower case, digits at their ends dropped."""
    cuts = [0]
    for place in range(1, len(word)):
        if word[place].isupper() and (not word[place - 1].isupper() or word[place + 1 : place + 2].islower()):
            cuts.append(place)
    cuts.append(len(word))
    return [word[start:end].lower().rstrip("0123456789") for start, end in zip(cuts, cuts[1:], strict=False)]


def _without_line(low: str) -> str:
    """`src/auth.ts:42` and `src/auth.ts:42:7` are about the file."""
    path = low
    while (cut := path.rfind(":")) > 0 and path[cut + 1 :].isdecimal():
        path = path[:cut]
    return path


def _number_terms(low: str) -> list[str]:
    """A number, version or time as it is; an ISO date also by its year, month and day."""
    year, _, rest = low.partition("-")
    month, dash, day = rest.partition("-")
    if not (len(year) == 4 and dash and month.isdecimal() and day.isdecimal() and len(month) < 3 and len(day) < 3):
        return [low]
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return [low, year]
    return [low, year, stem(MONTH_NAMES[int(month)]), f"{int(month):02d}-{int(day):02d}"]


def _with_days(found: list[str]) -> list[str]:
    """Adds month-day terms for "January 5", "5 Jan" and "Jan 5th", so that prose meets ISO dates."""
    days: list[str] = []
    for place, term in enumerate(found):
        month = MONTHS.get(term)
        for near in (found[place - 1 : place] + found[place + 1 : place + 2]) if month else ():
            digits = near[:-2] if near[-2:] in ("st", "nd", "rd", "th") else near
            if digits.isdecimal() and len(digits) <= 2 and 1 <= int(digits) <= 31:
                days.append(f"{month:02d}-{int(digits):02d}")
    return found + days


def _dense_terms(word: str) -> list[str]:
    """Runs of a dense script as overlapping pairs, the words between them as words."""
    found: list[str] = []
    for run in runs(word):
        if not is_dense(run):
            found.extend([] if run in STOP else [stem(run)])
        else:
            found.extend([run] if len(run) == 1 else [run[place : place + 2] for place in range(len(run) - 1)])
    return found
