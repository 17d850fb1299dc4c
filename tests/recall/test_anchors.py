"""What can be looked up is told from what only looks like it: a wrong anchor makes a true memory look stale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.recall import anchors
from lib.recall.anchors import BRANCH, FLAG, PACKAGE, PATH, SYMBOL

FOUND = [
    ("Tokens are refreshed in `src/auth.ts`.", [(PATH, "src/auth.ts", 0)]),
    ("Tokens are refreshed in src/auth.ts, see there.", [(PATH, "src/auth.ts", 0)]),
    ("The bug was at `src/auth.ts:42`", [(PATH, "src/auth.ts", 42)]),
    ("The bug was at src/auth.ts:42:7.", [(PATH, "src/auth.ts", 42)]),
    ("See `./lib/a.py:10-20`", [(PATH, "lib/a.py", 10)]),
    ("Fixtures lie in `tests/data/`", [(PATH, "tests/data/", 0)]),
    ("Settings are in `config.yaml`", [(PATH, "config.yaml", 0)]),
    ("Workflows: `.github/workflows/ci.yml`", [(PATH, ".github/workflows/ci.yml", 0)]),
    ("`refreshToken` caches for a minute", [(SYMBOL, "refreshToken", 0)]),
    ("`MAX_RETRIES` is three, `login()` blocks", [(SYMBOL, "MAX_RETRIES", 0), (SYMBOL, "login()", 0)]),
    ("`AuthService.login` and `Pool::acquire()`", [(SYMBOL, "AuthService.login", 0), (SYMBOL, "Pool::acquire()", 0)]),
    ("Run the import with `--dry-run`", [(FLAG, "--dry-run", 0)]),
    ("Run `./scripts/load.sh --all=yes`", [(PATH, "scripts/load.sh", 0), (FLAG, "--all", 0)]),
    ("We use `@acme/ui` and `zod@3.22`", [(PACKAGE, "@acme/ui", 0), (PACKAGE, "zod", 0)]),
    ("Work happens on branch `next/2.0`", [(BRANCH, "next/2.0", 0)]),
    ("The `release` branch is protected", [(BRANCH, "release", 0)]),
    ("`a/b.py` and `a/b.py` again", [(PATH, "a/b.py", 0)]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_what_a_memory_names(text: str, expected: list[tuple[str, str, int]]) -> None:
    got = [(anchor.kind, anchor.text, anchor.line) for anchor in anchors.anchors(text)]
    assert got == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "Use pnpm and not npm", "`pnpm`", "`main`", "`true`", "use TCP/IP and/or client/server", "`and/or`",
        "see https://example.com/a/b.html", "`https://example.com/x.js`", "`/etc/hosts`", "`~/.aws/config.ini`",
        "`../other/a.py`", "`src/../../a.py`", "`src/*.ts`", "`src/{a,b}.ts`", "`<name>.md`", "`node.js`", "`Next.js`",
        "`dist/bundle.js`", "`node_modules/x/index.js`", "`application/json`", "`/api/users`", "`example.com/x/`",
        "`git commit --no-verify`", "`npm run build --watch`", "version 1.2.3", "`1.2.3`", "`user@example.com`",
        "an unclosed `refreshToken", "`Dr..x()`", "`" + "x" * 300 + ".py`", "`-x`", "`--`", "`--ünïcode`", "`a b c`",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_anchor_is_none(text: str) -> None:
    assert anchors.anchors(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "`src/old.ts` was removed in May", "We used to keep it in `src/old.ts`",
        "Import `a/new.ts` instead of `a/old.ts`",
        "`src/plan.ts` will be written next week",
    ],
)  # fmt: skip
def test_what_a_memory_itself_calls_gone_is_not_looked_up(text: str) -> None:
    assert anchors.anchors(text) == []


def test_what_may_be_absent_on_purpose_does_not_count() -> None:
    forbidden, used = anchors.anchors("Never add `src/index.ts`. The entry is `src/main.ts`.")
    assert (forbidden.text, forbidden.counts) == ("src/index.ts", False)
    assert (used.text, used.counts) == ("src/main.ts", True)
    assert anchors.anchors("Never edit `a/b.py`. It is made from `a/b.py`.")[0].counts


def test_of_many_only_the_first_are_taken() -> None:
    text = " ".join(f"`src/f{n}.py`" for n in range(100))
    assert [anchor.text for anchor in anchors.anchors(text)] == [f"src/f{n}.py" for n in range(anchors.MOST)]


@given(st.text(alphabet=st.sampled_from("`/.:-_@#aB1 \n*é<") | st.characters(), max_size=300))
def test_any_text_is_read_and_no_anchor_leads_out(text: str) -> None:
    for anchor in anchors.anchors(text):
        assert 0 < len(anchor.text) <= anchors.LONGEST and not set(anchor.text) & set(" \n`<>")
        if anchor.kind == PATH:
            assert not anchor.text.startswith("/") and ".." not in anchor.text.split("/")
