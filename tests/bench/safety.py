"""What safety costs: prints what was measured, the limit, and whether it holds; exit status 1 when one does not.

Usage: python tests/bench/safety.py [words of the rows to run]

A bench, not a test: times are of the process's own work (CPU), the best of several runs. To add rows, write a
function that yields `Row`s and name it in `PARTS`.
"""

from __future__ import annotations

import base64
import os
import random
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from lib.memory import secrets  # noqa: E402 - the root must be known first
from lib.memory.secrets import matches as secret_matches  # noqa: E402
from lib.memory.secrets.rules import RULES  # noqa: E402
from tests.bench.rows import Row, best  # noqa: E402
from tests.bench.verdicts import verdicts  # noqa: E402

SIZE = 250_000  # characters
ALNUM = string.ascii_letters + string.digits
PROSE = (
    "The user prefers small commits. See docs/readme.md (e.g. the part on tokens).\nKeep secrets out of the code; "
    "the password policy stands in https://wiki.example.com/x and nobody reads it.\n"
)


def hostile(size: int) -> dict[str, str]:
    """Texts of `size` characters, each made to be slow for some part of the scan."""
    chance = random.Random(7)
    token = "ghp_" + "".join(chance.choices(ALNUM, k=36))
    literals = [literal for rule in RULES for literal in rule.literals]
    repeated = {
        **{repr(piece): piece for piece in ("a", "A", "0", " ", "\n", "a\n", '"', '"+ "', ":", "://", "x://a:", "/")},
        **{
            repr(piece): piece
            for piece in ("ghp_", "ask-", "xsk-ant-api", "eyJ", "xeyJhbGciOiJ.", "AKIA", "EAA", "-us1")
        },
        **{
            repr(piece): piece
            for piece in ("password", "password=", "key: ", "aws_key", "datadog key ", "machine a login b ")
        },
        **{
            repr(piece): piece
            for piece in ("mysql a b c d ", " -u a", "basic YWJj ", "1/123456789012345:", "\x1b[31m", "a\u200b")
        },
        "key headers": "-----BEGIN PRIVATE KEY-----",
        "key headers, lines": "-----BEGIN PRIVATE KEY-----\nabc\n",
        "dots and letters": "M" + "a" * 23 + ".Gabcde",
        "CJK": "用户喜欢小提交",
        "ligatures": "ﷺ①ｆ",
        "NUL": "\0a",
        "all prefixes": "".join(literals),
        "all prefixes, spaced": " ".join(literals),
        "URLs with passwords": "x://a:b1c2d3@x ",
        "bearer tokens": "bearer a1b2c3d4e5f6g ",
        "spoken passwords": "password is a1b2c3d ",
        "base64 of tokens": base64.b64encode(token.encode()).decode() + " ",
    }
    texts = {name: (piece * (size // len(piece) + 1))[:size] for name, piece in repeated.items()}
    noise = "".join(chance.choices(ALNUM + "+/", k=size))
    texts["base64"] = noise
    texts["base64 in lines"] = "\n".join(noise[at : at + 76] for at in range(0, size, 77))
    texts["hex"] = "".join(chance.choices("0123456789abcdef", k=size))
    texts["every character"] = "".join(chr(code) for code in range(32, size + 2080) if not 0xD800 <= code < 0xE000)[
        :size
    ]
    texts["short passwords"] = "".join(f"pwd={number:06x} " for number in range(size // 11))
    texts["short tokens"] = "".join(f"token: v{number:06x}a " for number in range(size // 16))
    texts["real tokens"] = "".join(f"ghp_{''.join(chance.choices(ALNUM, k=36))}\n" for _ in range(size // 41))
    return texts


def scans() -> Iterator[Row]:
    yield Row(
        f"secrets: scan of {SIZE // 1000} KB of prose",
        best(lambda: secrets.scan(PROSE * (SIZE // len(PROSE)))),
        0.2,
        "s",
    )
    small, large = hostile(SIZE // 4), hostile(SIZE)
    times = {name: best(lambda text=text: secrets.scan(text)) for name, text in large.items()}  # type: ignore[misc]
    worst = max(times, key=lambda name: times[name])
    yield Row(f"secrets: worst of {len(times)} hostile texts of {SIZE // 1000} KB ({worst})", times[worst], 0.2, "s")
    growth = {name: times[name] / max(best(lambda t=text: secrets.scan(t)), 0.004) for name, text in small.items()}  # type: ignore[misc]
    steep = max(growth, key=lambda name: growth[name])
    yield Row(f"secrets: four times the text takes at most ({steep})", growth[steep], 8.0, "x")


def rules() -> Iterator[Row]:
    """Each rule alone on texts made of its own literals, where its pattern does all the work it can."""
    slow: dict[str, float] = {}
    for rule in RULES:
        for filler in ("", "a", "a1 ", "=", " = ", "-" * 3, "1" * 30, "A1b2" * 15, ".", ": '"):
            text = ((rule.literals[0] + filler) * (SIZE // 4))[: SIZE // 4]
            took = best(lambda rule=rule, text=text: list(secret_matches.found(text, (rule,))), 1)  # type: ignore[misc]
            slow[rule.name] = max(slow.get(rule.name, 0.0), took)
    worst = max(slow, key=lambda name: slow[name])
    yield Row(
        f"secrets: worst of {len(RULES)} rules alone on {SIZE // 4000} KB of its literal ({worst})",
        slow[worst],
        0.1,
        "s",
    )


def start() -> Iterator[Row]:
    """What a hook pays that scans 5 KB of clean prose, beyond an interpreter that has `re`."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import re\n"
    scan = code + f"from lib.memory import secrets; secrets.scan({(PROSE * 30)[:5000]!r})\n"

    def run(text: str) -> float:
        before = os.times()
        subprocess.run([sys.executable, "-I", "-S", "-c", text], check=True)
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    run(scan)
    pairs = [(run(scan), run(code)) for _ in range(40)]  # the clock of a process ticks in 10 ms: the sum tells more
    more = sum(with_scan - without for with_scan, without in pairs) / len(pairs)
    yield Row("secrets: load and scan 5 KB of prose, beyond loading re", more * 1000, 15.0, "ms")


PARTS: tuple[Callable[[], Iterator[Row]], ...] = (verdicts, scans, rules, start)


def main(words: list[str]) -> int:
    failed = 0
    print(f"{'what':<84} {'measured':>12} {'limit':>10}")
    for part in PARTS:
        if words and not any(word in part.__name__ for word in words):
            continue
        for row in part():
            failed += not row.ok
            measured, limit = f"{row.measured:.3g} {row.unit}", f"{row.limit:g} {row.unit}"
            print(f"{row.what:<84} {measured:>12} {limit:>10}  {'ok' if row.ok else 'NOT HELD'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
