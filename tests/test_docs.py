"""What the documents name is there, every command they show runs, and what code gives is what it gives."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import memory
from lib.host import settings
from lib.memory import frontmatter
from lib.setup import option_texts
from tests.support.registered import Stage

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/how-it-works.md", "docs/security.md", "docs/settings.md", "docs/team.md",
         "docs/troubleshooting.md")
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
ROW = re.compile(r"^\| ([A-J]\d) \|", re.M)
REQUIREMENTS = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")


def test_every_file_that_a_requirement_names_exists() -> None:
    named = re.findall(r"`((?:lib|tests|hooks)/[^`]+|install\.py)`", REQUIREMENTS)
    assert len(named) > 50
    assert [place for place in named if not (ROOT / place).is_file()] == []


def test_every_requirement_has_a_module_a_proof_and_a_state() -> None:
    for line in REQUIREMENTS.splitlines():
        if ROW.match(line):
            _, _, told, module, proof, state, _ = (cell.strip() for cell in line.split("|"))
            assert told and "`" in module and "`tests/" in proof
            assert state.startswith(("done", "partly", "open"))


def test_the_rows_that_the_code_cites_are_told() -> None:
    rows = set(ROW.findall(REQUIREMENTS))
    cited: dict[str, str] = {}
    for path in [*(ROOT / "lib").rglob("*.py"), *(ROOT / "hooks").glob("*.py")]:
        for listed in re.findall(r"Req: ((?:[A-J]\d(?:, | and )?)+)", path.read_text(encoding="utf-8")):
            cited.update(dict.fromkeys(re.findall(r"[A-J]\d", listed), str(path.relative_to(ROOT))))
    assert {row: place for row, place in cited.items() if row not in rows} == {}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_command_that_is_shown_names_a_script_that_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    scripts = re.findall(r"python ((?:[\w/]+/)?[\w]+(?:\.py)?)\b", text)
    assert "tests" in scripts
    assert [script for script in scripts if not (ROOT / script).exists() and script != "tests/bench/NAME.py"] == []


def shown(page: str) -> list[str]:
    """The commands of a page's `sh` blocks, one a line, without what is said of them; `console` blocks do not run."""
    lines = [line for block in FENCE.findall((ROOT / page).read_text(encoding="utf-8")) for line in block.splitlines()]
    return [command for line in lines if (command := re.sub(r"\s+#.*", "", line).strip())]


def ran(command: str) -> tuple[int, str]:
    """Exit status and complaints. A verb runs in this process, which is quicker; install.py makes no environment."""
    python, script, *rest = shlex.split(command)
    assert python == "python" and script in ("memory.py", "install.py"), command
    if script == "memory.py":
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as complaints:
            return memory.main(rest), complaints.getvalue()
    more = [] if {"--check", "--uninstall"} & set(rest) else ["--no-venv"]
    argv = [sys.executable, str(ROOT / script), *rest, *more]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stderr


def test_every_command_that_is_shown_runs(own_home: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    # A sub-agent that keeps a memory, as the README names it.
    definition, memory_of_it = tmp_path / ".claude/agents/reviewer.md", tmp_path / ".claude/agent-memory/reviewer"
    definition.parent.mkdir(parents=True)
    definition.write_text("---\nname: reviewer\ndescription: reviews\nmemory: project\n---\nYou review.\n")
    memory_of_it.mkdir(parents=True)
    (memory_of_it / "otter.md").write_text("---\nname: otter\ndescription: Staging is otter\n---\nStaging is otter.\n")
    commands = list(dict.fromkeys(command for page in PAGES for command in shown(page)))
    assert len(commands) > 25
    commands.remove("python tests")  # this is what it runs
    # In a person's order: what they said first, and the way out at the end.
    ordered = [f'python memory.py remember "{SAID}"', *sorted(commands, key=lambda command: "--uninstall" in command)]
    wrong = {}
    for command in ordered:
        status, complaints = ran(command)
        # `lint` and `doctor` end with 1 when something needs attention: that is an answer.
        if status not in ((0, 1) if {"lint", "doctor"} & set(command.split()) else (0,)) or complaints:
            wrong[command] = (status, complaints[-500:])
    assert wrong == {}
    assert not (own_home / ".claude" / "settings.json").exists()


def test_the_memory_that_the_readme_shows_is_the_one_that_is_made(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    stage = Stage(own_home, project)
    monkeypatch.chdir(project)
    assert ran(f'python memory.py remember "{SAID}"') == (0, "")
    told = re.search(r"^```markdown\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert told is not None
    made, said = (frontmatter.parse(text) for text in ((stage.memory / "use-pnpm.md").read_text(), told[1]))
    assert made.body == said.body
    for document in (made, said):
        for key in ("originSessionId", "noted", "quote", "said_by"):  # the day, the session, and who was asked differ
            document.fields["metadata"].pop(key, None)
    assert made.fields == said.fields


def test_every_option_is_described_and_no_other() -> None:
    assert list(option_texts.OPTIONS) == list(settings.OPTIONS)


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md"])
def test_every_link_leads_to_a_file(page: str) -> None:
    place = ROOT / page
    targets = [target for target, _ in LINK.findall(place.read_text(encoding="utf-8")) if target]
    assert [target for target in targets if not (place.parent / target).exists()] == []


def test_every_test_that_the_security_page_names_is_there() -> None:
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [place for place in named if not (ROOT / place).is_file()] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_verb_that_is_named_is_one(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    verbs = re.findall(r"memory\.py ([a-z][a-z-]*)\b(?! lies)", text)
    assert [verb for verb in verbs if verb not in memory.VERBS] == []
