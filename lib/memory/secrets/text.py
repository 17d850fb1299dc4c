"""A text as the secret rules read it: plain ASCII, nothing invisible, broken lines joined, base64 decoded once."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from lib.memory.secrets.entropy import expression

FOREIGN = "\x7f"  # stands for one character outside ASCII: no letter, no digit, no space, and part of a value
FOLDS = "\ue000"  # a character that folds to it: in a text that is yet to be folded, \x7f itself is nothing
_ODD = [chr(code) for code in range(32) if chr(code) not in "\t\n\r\x1b"] + [FOREIGN]
_NEWLINES = frozenset((0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029))
# Han, Hangul, surrogates, private use and most scripts of old: nothing in there folds to ASCII or is invisible.
_MOST = (
    "[\u3400-\uf8ff\U00010000-\U0001bc9f\U0001bca4-\U0001d172\U0001d17b-\U0001d3ff\U0001d800-\U0001f0ff"
    "\U0001f300-\U0001fbef\U0001fbfa-\U000dffff\U000f0000-\U0010ffff]"
)
MANY_KINDS = 4096  # different characters; no real text has more
# Drawn as nothing, though Unicode counts some of them as letters or marks.
_UNSEEN = frozenset((0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x034F))
# Words for "password" in other scripts, with stand-ins of the same length that the rules know.
_WORDS = (
    ("пароль", "passwd"),
    ("密码", "pw"),
    ("密碼", "pw"),
    ("パスワード", "pw" + FOLDS * 3),
    ("비밀번호", "pw" + FOLDS * 2),
)
# What may stand inside a token that was broken: quotes around a sign that joins, a line end with its indentation,
# a colour code of a terminal.
_GLUE = r"[\"'`][\s+.,&\\]{0,48}[bfru]{0,2}[\"'`]"
_JOINT = _GLUE + r"|[ \t]{0,8}\\?\r?\n[ \t>#*|]{0,24}|\x1b\[[0-9;]{0,16}[A-Za-z]"
_QUOTES = frozenset("\"'`")
_BASE64 = r"[A-Za-z0-9+/_-]{24,}={0,2}"
LINE = 20  # characters; no one breaks base64 into shorter lines
_URL_SAFE = str.maketrans("-_", "+/")
# Decoded bytes as ASCII; NUL is dropped, so UTF-16 reads as its letters.
_BYTES = bytes(code if 32 <= code < 127 or code in (9, 10, 13) else 127 for code in range(256))


class Offsets:
    """Where characters of a derived text stand in the text it was made from: from `at` on, `to` and onwards."""

    __slots__ = ("at", "to")

    def __init__(self, at: list[int], to: list[int]) -> None:
        self.at = at
        self.to = to

    def __call__(self, index: int) -> int:
        place = bisect_right(self.at, index) - 1
        return index if place < 0 else self.to[place] + index - self.at[place]


class _Folding(dict[int, str]):
    """ASCII for each character; notes those that do not become exactly one."""

    __slots__ = ("uneven",)

    def __init__(self) -> None:
        super().__init__(_ASCII)
        self.uneven: dict[str, int] = {char: 0 for char in _ODD if ord(char) not in _NEWLINES}

    def __missing__(self, code: int) -> str:
        folded = _folded(code)
        self[code] = folded
        if len(folded) != 1:
            self.uneven[chr(code)] = len(folded)
        return folded


_ASCII = {code: chr(code) for code in range(128)} | {ord(char): "" for char in _ODD} | {0x0B: "\n", 0x0C: "\n"}
_ASCII.update((code, "\n") for code in (0x1C, 0x1D, 0x1E))


def _folded(code: int) -> str:
    if 0x3400 <= code <= 0xF8FF or 0x20000 <= code < 0xE0000 or code >= 0xF0000:
        return FOREIGN
    char = chr(code)
    category = unicodedata.category(char)
    if category == "Cf" or code in _UNSEEN or (category == "Mn" and code < 0xE01F0):
        return ""
    if code in _NEWLINES:
        return "\n"
    plain = unicodedata.normalize("NFKC", char)
    return plain if plain.isascii() else FOREIGN


def fold(text: str) -> tuple[str, dict[str, int]]:
    """ASCII text of what a reader sees (NFKC, nothing invisible).

    With it the characters of `text` that did not become exactly one character, and how many they became.
    """
    if text.isascii() and not any(char in text for char in _ODD):
        return text, {}
    for word, stand_in in _WORDS:
        text = text.replace(word, stand_in)
    if len(set(text)) > MANY_KINDS:
        text = expression(_MOST).sub(FOLDS, text)
    folding = _Folding()
    shape = text.translate(folding)
    return shape, folding.uneven


def unfold(text: str, uneven: dict[str, int]) -> Offsets:
    """Where the characters of folded `text` stand in `text`."""
    at: list[int] = []
    to: list[int] = []
    shift = 0
    for index, char in enumerate(text if uneven else ""):
        if char in uneven:
            size = uneven[char]
            at += [index + shift + part for part in range(size + 1)]
            to += [index] * size + [index + 1]
            shift += size - 1
    return Offsets(at, to)


def join(shape: str) -> str:
    """`shape` without the breaks a token may have been cut at."""
    return expression(_JOINT).sub("", shape)


def has_pieces(shape: str) -> bool:
    """Whether two quoted pieces may make one value."""
    return expression(_GLUE).search(shape) is not None


class Joints:
    """Where a text was joined; found only when a match asks, for most texts have no match."""

    def __init__(self, shape: str) -> None:
        self._shape = shape
        self._at: list[int] = []
        self._glue: list[bool] = []
        self._offsets: Offsets | None = None

    def places(self) -> list[int]:
        """The joints as offsets into the joined text, in order."""
        self.offset(0)
        return self._at

    def offset(self, index: int) -> int:
        """Where a character of the joined text stands in the text before."""
        if self._offsets is None:
            self._offsets = Offsets(self._at, self._find())
        return self._offsets(index)

    def glues(self, start: int, end: int) -> bool:
        """Whether joints lie inside, each between the quoted pieces of one value (not between values of a list)."""
        inside = self._glue[bisect_right(self.places(), start) : bisect_right(self.places(), end - 1)]
        return bool(inside) and all(inside)

    def first_long_piece(self, start: int, end: int) -> int:
        """Where base64 begins between `start` and `end`: a word on the line before may have been joined to it."""
        places = self.places()
        for index in range(bisect_right(places, start), bisect_right(places, end - 1)):
            if places[index] - start >= LINE:
                break
            start = places[index]
        return start

    def _find(self) -> list[int]:
        to, removed = [], 0
        for match in expression(_JOINT).finditer(self._shape):
            start, end = match.span()
            self._at.append(start - removed)
            self._glue.append(self._shape[start] in _QUOTES and "," not in match.group())
            to.append(end)
            removed += end - start
        return to


Decoded = tuple[str, list[int], list[tuple[int, int]]]


def decoded(shape: str) -> Decoded:
    """All base64 in `shape`, decoded: one text, a line each; where each line starts; the span each came from."""
    return _decode(shape, [match.span() for match in expression(_BASE64).finditer(shape)])


def decoded_lines(shape: str, joined: str, joints: Joints) -> Decoded:
    """The same for base64 that goes on over line ends; the spans are those in `joined`."""
    whole = set(expression(_BASE64).findall(shape))
    spans = []
    for match in expression(_BASE64).finditer(joined):
        if match.group() not in whole:
            spans.append((joints.first_long_piece(*match.span()), match.end()))
    return _decode(joined, spans)


def _decode(shape: str, spans: list[tuple[int, int]]) -> Decoded:
    import binascii

    pieces: list[str] = []
    starts: list[int] = []
    size = 0
    for start, end in spans:
        run = shape[start:end].rstrip("=").translate(_URL_SAFE)
        if len(run) % 4 == 1:
            run = run[:-1]
        raw = binascii.a2b_base64(run + "=" * (-len(run) % 4))
        piece = raw.translate(_BYTES, b"\0").decode("ascii")
        pieces.append(piece)
        starts.append(size)
        size += len(piece) + 1
    return "\n".join(pieces), starts, spans
