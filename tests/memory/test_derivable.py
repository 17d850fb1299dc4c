"""What the repository says itself is no memory: looked up in the project, whatever words claim it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory.derivable import derivable


@pytest.fixture
def project(tmp_path: Path) -> str:
    (tmp_path / "src" / "auth").mkdir(parents=True)
    (tmp_path / "src" / "auth" / "token.ts").write_text("export function parseToken(){}\n")
    (tmp_path / "package.json").write_text('{"dependencies":{"react":"18.2","typescript":"5"}}')
    (tmp_path / "CLAUDE.md").write_text(
        "# Rules\n\n- Always run the tests before committing.\n- Use tabs, never spaces.\n"
    )
    (tmp_path / ".claude" / "rules").mkdir(parents=True)
    (tmp_path / ".claude" / "rules" / "api.md").write_text("Every endpoint answers with a request id.\n")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("claim", "where"),
    [
        ("parseToken is defined in src/auth/token.ts", "src/auth/token.ts shows this already"),
        ("The function `parseToken` lives in src/auth/token.ts", "src/auth/token.ts shows this already"),
        ("The tests are in src/auth/", "src/auth shows this already"),
        ("The project uses React and TypeScript", "package.json shows this already"),
        ("Always run tests before committing", "CLAUDE.md says this already"),
        ("Please use tabs and never spaces", "CLAUDE.md says this already"),
        ("Run the tests before committing", "CLAUDE.md says this already"),
        ("Every endpoint answers with a request id", ".claude/rules/api.md says this already"),
    ],
)
def test_a_claim_that_the_project_holds_names_where(project: str, claim: str, where: str) -> None:
    assert derivable(claim, project) == where


@pytest.mark.parametrize(
    "claim",
    [
        "src/auth/token.ts breaks on Safari because of cookies",
        "parseToken is defined in src/auth/gone.ts",
        "forgeToken is defined in src/auth/token.ts",
        "We chose React because the team knows it",
        "I prefer React",
        "Always use pnpm here, npm corrupts the lockfile",
        "Pipeline bugs are tracked in Linear project INGEST",
        "Don't touch src/auth/token.ts until the audit is over",
        "Never commit on Fridays",
        "Use spaces",  # the file forbids them
        "Never use tabs, always spaces for Python files",
        "tests",
        "",
    ],
)
def test_a_claim_that_says_more_than_the_project_stays(project: str, claim: str) -> None:
    assert derivable(claim, project) == ""


def test_nothing_is_looked_up_without_a_project() -> None:
    assert derivable("Always run tests before committing", "") == ""


def test_an_instruction_file_that_is_no_file_stops_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "CLAUDE.md")
    (tmp_path / "AGENTS.md").mkdir()
    (tmp_path / "package.json").write_bytes(b"\xff\xfe\0")
    assert derivable("Always run tests before committing", str(tmp_path)) == ""


@given(st.text(max_size=300))
def test_no_claim_raises(claim: str) -> None:
    assert derivable(claim, str(Path(__file__).parent)) in ("",) or "already" in derivable(
        claim, str(Path(__file__).parent)
    )
