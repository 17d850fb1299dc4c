"""Characters of all scripts: compatibility forms, accents, parts of words, scripts without spaces. Req: C1."""

from __future__ import annotations

# Scripts written without spaces: Thai to Khmer, Hangul, kana, Han and their extensions.
_DENSE = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x3130, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
JOINERS = frozenset(".'’/@:+-_#")


class Separators(dict[int, str]):
    """Everything that is no part of a word or identifier becomes a space; filled as characters turn up."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        kept = letter.isalnum() or letter in JOINERS or (code > 0x2FF and _is_mark(letter))
        value = self[code] = letter if kept else " "
        return value


class _Bare(dict[int, str]):
    """Latin letters without their accents."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if 0xC0 <= code <= 0x24F or 0x1E00 <= code <= 0x1EFF:
            import unicodedata

            letter = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}.get(letter) or unicodedata.normalize(
                "NFD", letter
            )[0]
        self[code] = letter
        return letter


_bare = _Bare()


def fold(text: str) -> str:
    """Compatibility forms made plain (full-width letters, ligatures), accents dropped from Latin letters, case kept."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFKC", text).translate(_bare)


def is_dense(word: str) -> bool:
    """Whether the word holds characters of a script that is written without spaces."""
    return not word.isascii() and any(_dense(letter) for letter in word)


def _dense(letter: str) -> bool:
    code = ord(letter)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _DENSE)


def _is_mark(letter: str) -> bool:
    import unicodedata

    return unicodedata.category(letter).startswith("M")


def runs(word: str) -> list[str]:
    """The word cut where a dense script begins or ends."""
    found: list[str] = []
    start = 0
    for end in range(1, len(word) + 1):
        if end == len(word) or _dense(word[end]) != _dense(word[start]):
            found.append(word[start:end])
            start = end
    return found
