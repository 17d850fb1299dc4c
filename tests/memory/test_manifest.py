"""A memory is one line of the manifest, whatever its file holds."""

from __future__ import annotations

from lib.memory import manifest
from lib.memory.store import Memory


def test_a_line_says_type_file_time_and_statement() -> None:
    memory = Memory(
        "a.md", "---\nname: a\ndescription: Use tabs\nmetadata:\n  type: user\n---\nbody\n", 1_796_000_000.0
    )
    assert manifest.text([memory]) == "- [user] a.md (2026-11-30T00:53Z): Use tabs"


def test_a_file_without_frontmatter_still_has_its_line() -> None:
    assert manifest.text([Memory("b.md", "\n# Title\nmore\n", 0.0)]) == "- [untyped] b.md (1970-01-01T00:00Z): Title"


def test_every_memory_is_one_bounded_line() -> None:
    text = '---\nname: c\ndescription: "a\\nb ' + "x" * 900 + '"\n---\n'
    lines = manifest.text([Memory("c.md", text, 0.0), Memory("d.md", "", 0.0)]).split("\n")
    assert len(lines) == 2
    assert max(map(len, lines)) <= manifest.LINE_LIMIT


def test_no_memory_is_no_text() -> None:
    assert manifest.text([]) == ""
