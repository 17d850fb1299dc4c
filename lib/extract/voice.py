"""Whether a memory rests on the person's own words: judged by code, whatever a model says of it. Pure. Req: J9."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from lib.extract.likeness import Sense, opposed, sense, share
from lib.extract.sentences import prose

SHORTEST = 2  # words of a quote; one word is found everywhere
SHARE = 0.6  # of what a statement says that one sentence of the person must say too
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-", "—": "-"})


def rests_on(quote: str, said: Sequence[str]) -> bool:
    """True when the quote is found in what the person said, letter case, spacing and typographic marks aside."""
    wanted = _plain(quote)
    enough = len(wanted.split()) >= SHORTEST or len(_CJK.findall(wanted)) >= 4
    return enough and any(wanted in _plain(text) for text in said)


def bears_on(quote: str, statement: str) -> bool:
    """Whether a quote speaks of what the statement says: words of the person about something else prove nothing."""
    mine, theirs = sense(quote).stems, sense(statement).stems
    common = len(mine & theirs)
    return common >= 2 or 0 < min(len(mine), len(theirs)) <= 2 * common


def words_behind(statement: str, said: Sequence[str]) -> str:
    """The person's sentence that says what a statement says, or "": what was pasted is not the person's own.

    For a memory whose author named no words; a sentence that says the opposite is none.
    """
    meaning = sense(statement)
    best, share_of_best = "", 0.0
    for text in said:
        for sentence in prose(text).sentences:
            found = sense(sentence.text)
            common = meaning.stems & found.stems
            enough = len(common) >= SHORTEST and share(meaning.stems, found.stems) >= SHARE
            if enough and not _contrary(meaning, found) and len(common) > share_of_best:
                best, share_of_best = sentence.text, len(common)
    return best


def _contrary(a: Sense, b: Sense) -> bool:
    """Of tools only what is wanted counts: "npm corrupts the lockfile" does not ask for npm."""
    if a.wanted and b.wanted:
        return bool((a.forbidden & b.wanted) | (b.forbidden & a.wanted))
    return opposed(a, b)


def needs_words(kind: str) -> bool:
    """The types that speak for the person; the others may also be learned from what was done together."""
    return kind in ("user", "feedback")


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_MARKS).casefold()
    return " ".join(text.split()).strip(" .,;:!?\"'`")
