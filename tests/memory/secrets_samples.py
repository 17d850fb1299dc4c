"""Made-up secrets, put together when a test runs: no whole token stands in the repository."""

from __future__ import annotations

import base64
import importlib
import random
import re
import string
import sys
from typing import Any

from lib.memory.secrets.shapes import Rule

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "W": string.ascii_letters + string.digits + "_-",
    "h": "0123456789abcdef",
    "l": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "B": string.ascii_letters + string.digits + "+/",
    "c": string.ascii_letters,
    "d": string.digits,
    "v": "abcdefghijklmnopqrstuvwxyz234567",
}


def made(template: str, seed: int = 0) -> str:
    """`template` with each `{A36}` replaced by 36 characters of alphabet A and `{u}` by a UUID, drawn by `seed`.

    The first and the last character are letters or digits, so that no sample ends at a word boundary by chance.
    """
    chance = random.Random(f"{seed}:{template}")

    def body(match: re.Match[str]) -> str:
        if match[1] == "u":
            return "-".join("".join(chance.choices(ALPHABETS["h"], k=size)) for size in (8, 4, 4, 4, 12))
        alphabet, size = ALPHABETS[match[1]], int(match[2])
        edge = [char for char in alphabet if char.isalnum()]
        drawn = chance.choices(alphabet, k=size)
        drawn[0], drawn[-1] = chance.choice(edge), chance.choice(edge)
        for kind in (str.isdigit, str.isupper, str.islower):  # as any real token of that length has
            if size > 12 and any(map(kind, alphabet)) and not any(map(kind, drawn)):
                drawn[chance.randrange(1, size - 1)] = next(filter(kind, edge))
        return "".join(drawn)

    return re.sub(r"\{([a-zA-Z])(\d*)\}", body, template)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def parsed(pattern: str) -> list[tuple[object, object]]:
    """A pattern's parts, as Python's own parser of expressions reads them."""
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    return _plain(parser.parse(pattern))


def _plain(parts: Any) -> list[tuple[object, object]]:
    """The parser's own sequences as lists, at every depth."""
    found: list[tuple[object, object]] = []
    for operation, argument in parts:
        if str(operation) in ("MAX_REPEAT", "SUBPATTERN"):
            argument = (*argument[:-1], _plain(argument[-1]))
        elif str(operation) == "BRANCH":
            argument = (None, [_plain(branch) for branch in argument[1]])
        found.append((operation, argument))
    return found


def from_pattern(rule: Rule, seed: int = 0) -> str:
    """A text the rule's pattern matches, with bodies drawn by chance that hold a digit, as real ones do."""
    texts = [_from_pattern(rule, seed + 100 * more) for more in range(9)]
    return next((text for text in texts if re.search("[0-9]", text[len(rule.literals[0]) :])), texts[0])


def _from_pattern(rule: Rule, seed: int) -> str:
    chance = random.Random(f"{seed}:{rule.name}")
    text = _drawn(parsed(rule.pattern), chance)
    if rule.before is not None:
        alphabet, _, most = rule.before
        text = "".join(chance.choices(alphabet, k=most)) + text
    return text


def _drawn(parts: list[tuple[object, object]], chance: random.Random) -> str:
    return "".join(_part(str(operation), argument, chance) for operation, argument in parts)


def _part(operation: str, argument: object, chance: random.Random) -> str:
    match operation, argument:
        case "LITERAL", int(code):
            return chr(code)
        case "IN", list(kinds):
            return chance.choice(_characters(kinds))
        case "MAX_REPEAT", (int(least), int(most), list(body)):
            count = 0 if least == 0 else max(least, min(most, 14)) if most > least + 2 else least
            return "".join(_drawn(body, chance) for _ in range(count))
        case "SUBPATTERN", (*_, list(body)):
            return _drawn(body, chance)
        case "BRANCH", (_, list(branches)):
            return _drawn(list(branches[0]), chance)
        case "AT", _:
            return ""
    raise AssertionError(f"a rule uses {operation}")


def _characters(kinds: list[tuple[object, object]]) -> str:
    found = ""
    for kind, value in kinds:
        match str(kind), value:
            case "LITERAL", int(code):
                found += chr(code)
            case "RANGE", (int(low), int(high)):
                found += "".join(map(chr, range(low, high + 1)))
            case "CATEGORY", _:
                found += " \n\t"  # the only category in use is white space
    if str(kinds[0][0]) == "NEGATE":
        return "".join(char for char in "k7qz2wm9" if char not in found) or " "
    return found
