"""Whether a memory rests on the person's own words: judged by code, whatever a model says of it. Pure. Req: J9."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

SHORTEST = 2  # words of a quote; one word is found everywhere
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-", "—": "-"})


def rests_on(quote: str, said: Sequence[str]) -> bool:
    """True when the quote is found in what the person said, letter case, spacing and typographic marks aside."""
    wanted = _plain(quote)
    enough = len(wanted.split()) >= SHORTEST or len(_CJK.findall(wanted)) >= 4
    return enough and any(wanted in _plain(text) for text in said)


def needs_words(kind: str) -> bool:
    """The types that speak for the person; the others may also be learned from what was done together."""
    return kind in ("user", "feedback")


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_MARKS).casefold()
    return " ".join(text.split()).strip(" .,;:!?\"'`")
