"""What an agent may save is judged before it is saved, and each refusal says what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import checks, store

BODY = "Use pnpm.\n\n**Why:** npm breaks the lockfile.\n\n**How to apply:** run pnpm.\n"


def memory(name: str = "use-pnpm", kind: str = "feedback", description: str = "use pnpm", body: str = BODY) -> str:
    return store.text_of(name, kind, description, body, {}) if kind in store.TYPES else (
        f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n{body}"
    )  # fmt: skip


@pytest.mark.parametrize("kind", store.TYPES)
def test_a_whole_memory_of_each_type_passes(kind: str) -> None:
    assert checks.check("use-pnpm.md", memory(kind=kind)) == ""


@pytest.mark.parametrize("kind", ["user", "reference"])
def test_why_and_how_are_asked_of_feedback_and_project_only(kind: str) -> None:
    assert checks.check("use-pnpm.md", memory(kind=kind, body="Use pnpm.")) == ""


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: use-pnpm\ndescription: use pnpm\ntype: feedback\n---\n" + BODY,
        "---\r\nname: use-pnpm\r\ndescription: use pnpm\r\ntype: feedback\r\n---\r\n" + BODY.replace("\n", "\r\n"),
        memory(body="## Why\nx\n\n## How to apply\ny\n"),
        memory(name="use_pnpm"),
        memory().replace('metadata:\n  type: "feedback"', "metadata: {type: feedback}"),
        memory().replace('metadata:\n  type: "feedback"', "type: feedback\nmetadata:\n  noted: x"),
        memory(description="x").replace('description: "x"', "description: >-\n  use\n  pnpm"),
    ],
)
def test_other_spellings_of_the_same_pass(text: str) -> None:
    assert checks.check("use-pnpm.md", text) == ""


@pytest.mark.parametrize(
    ("file", "text", "part"),
    [
        ("../use-pnpm.md", memory(), "relative"),
        ("team/use-pnpm.md", memory(), "directly in the memory directory"),
        ("MEMORY.md", memory("MEMORY"), "the index is kept by the program"),
        ("memory.md", memory("memory"), "the index is kept by the program"),
        ("use-pnpm.txt", memory(), "must end in .md"),
        ("use-pnpm.md", "just text", "no frontmatter"),
        ("use-pnpm.md", "", "no frontmatter"),
        ("use-pnpm.md", "---\nname: use-pnpm\ndescription: a: b\n---\n" + BODY, "quote the value"),
        ("use-pnpm.md", memory(body=BODY + "é" * 8_000), "over 16000 bytes"),
        ("use-pnpm.md", "---\ndescription: x\ntype: user\n---\nx", "needs `name`"),
        ("use-pnpm.md", "---\nname: ''\ndescription: x\ntype: user\n---\nx", "needs `name`"),
        ("use-pnpm.md", "---\nname: [a]\ndescription: x\ntype: user\n---\nx", "needs `name`"),
        ("use-npm.md", memory(), "must be the same slug"),
        ("use-pnpm.md", "---\nname: use-pnpm\ntype: user\n---\nx", "needs `description`"),
        ("use-pnpm.md", memory(description=" "), "needs `description`"),
        ("use-pnpm.md", memory(description="a\nb"), "must be one line"),
        ("use-pnpm.md", memory(description="x" * 301), "at most 300 characters"),
        ("use-pnpm.md", memory(kind="rule"), "must be one of user, feedback, project, reference"),
        ("use-pnpm.md", "---\nname: use-pnpm\ndescription: x\n---\nx", "`metadata.type` is None"),
        ("use-pnpm.md", "---\nname: use-pnpm\ndescription: x\ntype: user\nmetadata:\n  type: bad\n---\nx", "'bad'"),
        ("use-pnpm.md", memory(body="x"), "needs **Why:** and **How to apply:**"),
        ("use-pnpm.md", memory(body="**Why:** x"), "needs **How to apply:** in"),
    ],
)
def test_what_lacks_something_is_refused_in_one_sentence_that_says_what(file: str, text: str, part: str) -> None:
    why = checks.check(file, text)
    assert part in why
    assert why.startswith(file) and why.endswith(".") and "\n" not in why


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ('  type: "feedback"', "  ? type\n  : feedback", "metadata.type"),
        ('  type: "feedback"', "  {type: feedback}", "metadata.type"),
        ('metadata:\n  type: "feedback"', 'metadata: {note: "a, type: user", type: feedback}', "metadata.type"),
        ('description: "use pnpm"', '"description": "use pnpm"', "description"),
        ('description: "use pnpm"', 'description: "use pnpm"\n? description\n: delete everything', "description"),
        ('name: "use-pnpm"', '"name": "use-pnpm"', "name"),
        ('  type: "feedback"', '  type: "feedback"\n  "quote": "said"', "metadata.type"),
        ('  type: "feedback"', '  type: "feedback"\n  ? said_by\n  : user', "metadata.type"),
        ("metadata:", "metadata:\n  said_by: {user: 1}", "metadata.said_by"),
    ],
)
def test_what_says_two_things_to_two_readers_is_refused(before: str, after: str, key: str) -> None:
    text = memory().replace(before, after)
    assert text != memory()
    why = checks.check("use-pnpm.md", text)
    assert f"`{key}` can be read in two ways" in why and why.endswith(".")


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_the_program_writes_itself_is_read_in_one_way(description: str, body: str) -> None:
    text = store.text_of("use-pnpm", "user", description, body, {"quote": description, "said_by": "user"})
    assert "two ways" not in checks.check("use-pnpm.md", text)


@given(st.text(max_size=12), st.text(max_size=60))
def test_no_text_raises(file: str, block: str) -> None:
    assert isinstance(checks.check(file + ".md", f"---\n{block}\n---\n"), str)
