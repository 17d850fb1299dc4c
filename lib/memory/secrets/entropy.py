"""Whether a value looks drawn by chance, or like a word, a placeholder, a name in code or a documented example."""

from __future__ import annotations

import re
from functools import cache

# Compiled when first asked for: a hook that finds nothing would pay more for compiling than for looking.
expression = cache(re.compile)

_FAKE = (
    r"example|placeholder|xxxx|x-x-x|\*\*\*|\.\.\.|your|redacted|changeme|change[_-]me|replace[_-]?me|dummy|<|\{\{|\$\{"
)
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# A stretch of letters and digits that reads as a word or a name made of words: humps of a few letters, digits at most
# at one place inside and at the end. Each hump begins with a capital, so there is one way to read a stretch.
_WORDS = (
    r"(?<![A-Za-z0-9])(?:[A-Z]?[a-z]{2,32}(?:[A-Z][a-z]{2,24}){0,12}(?:[0-9]{1,3}[A-Za-z]?[a-z]{2,24})?|[A-Z]{2,24})"
    r"[0-9]{0,3}(?![A-Za-z0-9])"
)
_MASK = frozenset("xX*.0-_#\x7f")
_DIGITS = frozenset("0123456789")
# SHA-256 (first 16 digits) of keys that vendors print in their documentation and that open nothing.
_DOCUMENTED = frozenset({
    "1a5d44a2dca19669", "7f75367e78812551", "2cafc0970149a84f", "f2d6ca16515033e5", "7e8de44ea9ecf6d5",
    "ac9265e56c79b234", "0011cc25eb432071", "3543c50b0cb9cea8", "bc3ae723f57c6b9e", "82e74299544e0073",
    "797c0ce414586cc8", "0cecafe4ec476606",
})  # fmt: skip
_DOCUMENTED_LENGTHS = frozenset((20, 32, 39, 40, 88, 155))


def bits(value: str) -> float:
    """Shannon entropy in bits a character; 0.0 for an empty value."""
    from math import log2

    size = len(value)
    return -sum(n / size * log2(n / size) for n in map(value.count, set(value)))


def fake(value: str) -> bool:
    """A placeholder, a mask, or an example that its vendor documents."""
    if expression(_FAKE).search(value.lower()):
        return True
    kinds = set(value)
    return len(kinds) <= 2 and kinds <= _MASK


def documented(value: str) -> bool:
    """A key from a vendor's documentation; known by its hash, so that no source of ours holds a key."""
    if len(value) not in _DOCUMENTED_LENGTHS:
        return False
    import hashlib

    return hashlib.sha256(value.encode("ascii", "replace")).hexdigest()[:16] in _DOCUMENTED


def real(value: str, lead: str = "", back: str = "", after: str = "") -> bool:
    """No placeholder: enough for a value behind a prefix that belongs to one vendor."""
    return not fake(value)


def drawn(value: str, lead: str = "", back: str = "", after: str = "") -> bool:
    """Letters and digits with some variety: enough where a vendor's name stands before a value of the right length."""
    return not fake(value) and not _DIGITS.isdisjoint(value) and not value.isdigit() and bits(value) >= 2.5


def mixed(value: str, lead: str = "", back: str = "", after: str = "") -> bool:
    """Letters and digits with some variety and not made of words: for values whose prefix is short or missing."""
    return drawn(value) and not wordy(value) and not value.replace(".", "").replace("-", "").isdigit()


def cased(value: str, lead: str = "", back: str = "", after: str = "") -> bool:
    """At least two of lower case, upper case and digits, and not made of words."""
    kinds = (any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value)))
    return sum(kinds) > 1 and not fake(value) and not wordy(value)


def wordy(value: str) -> bool:
    """Words, or names made of words, cover more than half of it."""
    covered = sum(map(len, expression(_WORDS).findall(value)))
    return covered * 2 > len(value)


def is_uuid(value: str) -> bool:
    return len(value) == 36 and expression(_UUID).fullmatch(value.lower()) is not None
