"""How a secret rule is written: a literal, a bounded pattern that begins with it, a judgement of what it matches."""

from __future__ import annotations

import re

from lib.memory.secrets import entropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    # Whether a match is a secret: its value; what of the match stands before the value; what stands before the match
    # (24 characters); what stands after the value (24 characters).
    Check = Callable[[str, str, str, str], bool]
    # Where a match really ends: text and end of the match to the new end, or -1 when it is none.
    Extend = Callable[[str, int], int]

    class Engine(Protocol):
        """Python's own `re` module, or another one that compiles the same expressions."""

        def compile(self, pattern: str) -> Any: ...


ALNUM = "[A-Za-z0-9]"
WORD = "[A-Za-z0-9_-]"
LOWER = "[a-z0-9]"
UPPER = "[A-Z0-9]"
HEX = "[A-Fa-f0-9]"
BASE64 = "[A-Za-z0-9+/]"
UUID = "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}"
LOWER_UUID = UUID.replace("A-F", "")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ANY = 255  # characters; a body that is longer goes on to where its characters end

# Where a rule's literal can stand: in any place; in a word as long as a token; before a name that is assigned.
ANYWHERE, IN_WORD, IN_NAME = range(3)
# What stands between a vendor's name and the value in code, configuration and prose, in lower case.
NAMED = r"(?:key|token|secret|pass|pat|auth|credential)[a-z0-9_-]{0,12}[\\\"'`)\]]{0,3}[ \t]{0,4}(?::=|=>|=|:| is)"
NEAR = rf"[a-z0-9_.' -]{{0,24}}{NAMED}[ \t]{{0,4}}[\\\"'`(]{{0,3}}"


class Rule:
    """One kind of secret; `pattern` begins with one of `literals`, and every repeat in it has a bound.

    fold: matched on the lower-case text. alone: no letter or digit may touch it. valued: the pattern's group is the
    secret, else all of the match.
    before: characters the secret begins with in front of the literal, as (alphabet, least, most).
    split: the shape alone is proof enough to look for it in pieces, and inside bytes that are no text.
    glued: looked for in `"…" + "…"` too. open: the value may go on past the bound of its pattern.
    extend: finds the real end of what the pattern only begins. where: the part of a text that can hold the literal.
    also: a second literal, without which the text holds no match.
    """

    __slots__ = (
        "name", "literals", "pattern", "fold", "alone", "valued", "before", "split", "glued", "open", "check", "extend",
        "where", "also", "_compiled",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        literals: tuple[str, ...],
        pattern: str,
        *,
        fold: bool = False,
        alone: bool = True,
        valued: bool = False,
        before: tuple[str, int, int] | None = None,
        split: bool = True,
        glued: bool = False,
        open: bool = False,
        check: Check = entropy.real,
        extend: Extend | None = None,
        where: int = ANYWHERE,
        also: str = "",
    ) -> None:
        self.name = name
        self.literals = literals
        self.pattern = pattern
        self.fold = fold
        self.alone = alone
        self.valued = valued
        self.before = before
        self.split = split
        self.glued = glued
        self.open = open
        self.check = check
        self.extend = extend
        self.where = where
        self.also = also
        self._compiled: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Rule({self.name!r})"

    def compiled(self, engine: Engine) -> Any:
        """The expression as `engine` compiles it, once a process and engine: most rules are never needed."""
        name: str = getattr(engine, "__name__", "")
        if name not in self._compiled:
            self._compiled[name] = engine.compile(self.pattern)
        return self._compiled[name]


def token(
    name: str, prefix: str, body: str, least: int, most: int = 0, check: Check = entropy.real, end: str = ""
) -> Rule:
    """A prefix that belongs to one vendor, then `least` to `most` (0: exactly `least`) characters, then `end`."""
    count = f"{{{least},{most}}}" if most else f"{{{least}}}" if least > 1 else ""
    return Rule(
        name,
        (prefix,),
        f"{re.escape(prefix)}({body}{count}){end}",
        open=most >= ANY and not end,
        check=check,
        where=ANYWHERE if " " in prefix else IN_WORD,
    )


def shape(name: str, literal: str, pattern: str, check: Check = entropy.real, open: bool = False) -> Rule:
    """A vendor's literal, followed by `pattern`; a group in it holds what is judged."""
    return Rule(name, (literal,), re.escape(literal) + pattern, check=check, open=open, where=IN_WORD)


def behind(
    name: str, alphabet: str, least: int, most: int, literal: str, pattern: str, check: Check = entropy.real
) -> Rule:
    """A secret whose literal stands in its middle: `least` to `most` characters of `alphabet` come before it."""
    return Rule(
        name, (literal,), re.escape(literal) + pattern, before=(alphabet, least, most), check=check, where=IN_WORD
    )


def near(name: str, vendors: tuple[str, ...], value: str, check: Check = entropy.drawn) -> Rule:
    """A value without a shape of its own, assigned to a name that holds the vendor's and a word such as "key"."""
    names = "|".join(re.escape(vendor) for vendor in vendors)
    names = f"(?:{names})" if len(vendors) > 1 else names
    # The end is part of the pattern: where lengths differ, the first that fits would else hide the longer one.
    pattern = f"{names}{NEAR}({value})(?:[^a-z0-9]|$)"
    return Rule(name, vendors, pattern, fold=True, alone=False, valued=True, split=False, check=check, where=IN_NAME)


def after(
    name: str,
    literals: tuple[str, ...],
    pattern: str,
    check: Check,
    fold: bool = True,
    where: int = ANYWHERE,
    also: str = "",
) -> Rule:
    """A value known by what stands before it alone: the pattern's group holds it."""
    return Rule(
        name,
        literals,
        pattern,
        fold=fold,
        alone=False,
        valued=True,
        split=False,
        open=True,
        check=check,
        where=where,
        also=also,
    )
