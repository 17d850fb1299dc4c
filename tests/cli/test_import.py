"""Memories of a renamed folder and sections of CLAUDE.md come in through the checks: shown first, undoable, once."""
from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib.cli import sources
from lib.host import paths
from lib.memory import store
from tests.cli.conftest import Desk

SECRET = "ghp_" + "a1B2" * 9
RULES = """\
Read this first.

# House rules

## Style
- Use tabs, never spaces
- Keep lines short

```
# not a heading
```

## Deploy
Deploy on Friday is forbidden.

## Empty

## Keys
The token is TOKEN
"""


@pytest.fixture
def former(desk: Desk) -> Path:
    """The project's folder was renamed: its memories lie under the old slug, with a transcript that tells its path."""
    gone = desk.project.parent / "former name"
    project = desk.config / "projects" / paths.slug(str(gone))
    memory = project / "memory"
    memory.mkdir(parents=True)
    (project / "s.jsonl").write_text(json.dumps({"type": "user", "cwd": f"{gone}/sub"}) + "\n")
    for name, said in (("otter", "The staging server is called otter"), ("freeze", "Frozen until 2026-12-10")):
        text = store.text_of(name, "project", said, f"{said}.", {"originSessionId": "s"})
        (memory / f"{name}.md").write_text(text)
        os.utime(memory / f"{name}.md", (1_700_000_000, 1_700_000_000))
    return memory


def test_folders_are_listed_the_renamed_one_first(desk: Desk, former: Path) -> None:
    other = desk.config / "projects" / "-some-where" / "memory"
    other.mkdir(parents=True)
    (other / "x.md").write_text("x")
    told = json.loads(desk.run("import", "--json").stdout)["sources"]
    rows = [(row["path"], row["count"], row["likely"]) for row in told]
    assert rows == [(str(former), 2, True), (str(other), 1, False)]
    assert told[0]["note"].endswith("/former name is gone")
    shown = desk.run("import").stdout
    assert shown.startswith(f"{former.parent.name}  2 memories, ") and "former name is gone" in shown


def test_it_is_shown_first_and_taken_in_with_yes(desk: Desk, former: Path) -> None:
    slug = former.parent.name
    shown = desk.run("import", "--from", slug)
    assert shown.returncode == 0 and "2 of 2 would come into" in shown.stdout and not desk.memory.exists()
    done = desk.run("import", "--from", slug, "--yes")
    assert done.returncode == 0 and "2 taken in from" in done.stdout
    assert desk.names() == ["freeze.md", "otter.md"] and "(otter.md)" in desk.text("MEMORY.md")
    assert (desk.memory / "otter.md").read_bytes() == (former / "otter.md").read_bytes()
    assert os.stat(desk.memory / "otter.md").st_mtime == 1_700_000_000
    again = desk.run("import", "--from", str(former), "--yes")
    assert "0 of 2 would come" in again.stdout and again.stdout.count("says it already") == 2
    desk.run("undo")
    assert desk.names() == [] and sorted(os.listdir(former)) == ["freeze.md", "otter.md"]


def test_a_taken_name_gets_another_and_what_is_unsound_stays_out(desk: Desk, former: Path) -> None:
    desk.put("otter", "Something else entirely")
    (former / "secret.md").write_text(store.text_of("secret", "reference", f"Token {SECRET}", "x", {}))
    (former / "words.md").write_text("just words")
    (former / "bytes.md").write_bytes(b"---\nname: bytes\ntype: user\n---\n\xff\n")
    shown = desk.run("import", "--from", str(former.parent), "--yes")
    assert SECRET not in shown.stdout and "otter-2.md: The staging server" in shown.stdout
    assert "skip    secret.md: line " in shown.stdout and "skip    words.md: no frontmatter" in shown.stdout
    assert desk.names() == ["bytes.md", "freeze.md", "otter-2.md", "otter.md"]
    assert 'name: "otter-2"' in desk.text("otter-2.md") and "Something else" in desk.text("otter.md")


def test_sections_of_claude_md_become_memories(desk: Desk) -> None:
    path = desk.project / "CLAUDE.md"
    path.write_text(RULES.replace("TOKEN", SECRET))
    assert "CLAUDE.md  4 sections" in desk.run("import").stdout
    shown = desk.run("import", "--from", "CLAUDE.md", "--yes")
    assert shown.returncode == 0 and SECRET not in shown.stdout
    assert "still says the same; what stands in both is in context twice" in shown.stdout
    style = next(desk.text(name) for name in desk.names() if "style" in name)
    assert 'description: "Style: Use tabs, never spaces"' in style and "# not a heading" in style
    assert "**Why:** it stands in CLAUDE.md." in style and 'source: "CLAUDE.md"' in style
    assert any("Deploy on Friday is forbidden" in desk.text(name) for name in desk.names())
    assert len(desk.names()) == 3 and path.read_text() == RULES.replace("TOKEN", SECRET)
    assert "0 of 4 would come" in desk.run("import", "--from", "CLAUDE.md").stdout


@pytest.mark.parametrize(
    ("named", "said"),
    [("nowhere", "there is nothing at 'nowhere'"), ("", "there is nothing at ''"), ("/dev/null/x", "there is nothing")],
)
def test_a_source_that_is_not_there_is_one_sentence(desk: Desk, named: str, said: str) -> None:
    shown = desk.run("import", "--from", named)
    assert (shown.returncode, shown.stdout) == (1, "") and said in shown.stderr


def test_a_project_s_own_memory_is_no_source(desk: Desk) -> None:
    desk.put("one", "Number one")
    assert "is this project's own memory" in desk.run("import", "--from", str(desk.memory)).stderr
    assert json.loads(desk.run("import", "--json").stdout)["sources"] == []


@pytest.mark.parametrize("text", ["", "\n\n", "# Only\n## Headings\n", "```\n# in code\n```"])
def test_a_file_without_sections_has_few(text: str) -> None:
    assert len(sources.sections(text)) == ("```" in text)
