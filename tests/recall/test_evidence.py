"""What a memory names is looked up in the project before it is shown: what is gone is said, the rest stays silent."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from lib.memory.store import Memory
from lib.recall import checkout, evidence
from lib.recall.checkout import Checkout
from lib.recall.evidence import Finding

PATIENT = 20.0  # seconds: these tests are about what is found, not how soon


def memory(body: str, file: str = "a.md", description: str = "", kind: str = "project") -> Memory:
    made = Memory(file, f"---\nname: a\nmetadata:\n  type: {kind}\n---\n", 0.0)
    made.description, made.body = description, body
    return made


def put(project: Path, *files: str, **texts: str) -> None:
    for file in files:
        path = project / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts.get("text", "x\n"), encoding="utf-8")


def git(project: Path, *arguments: str) -> None:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    own = [*person, "-c", "init.defaultBranch=trunk", "-c", "index.version=2"]
    subprocess.run(["git", *own, *arguments], cwd=project, check=True, capture_output=True, timeout=30)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


@pytest.fixture
def state(tmp_path: Path) -> str:
    made = tmp_path / "state"
    made.mkdir()
    return str(made)


def look(body: str, project: Path, state: str = "/none") -> Finding:
    made = memory(body)
    return evidence.findings([made], str(project), state, PATIENT).get(made.file, Finding())


@pytest.mark.parametrize("tracked", [True, False])
def test_a_path_that_is_gone_is_said(project: Path, tracked: bool) -> None:
    put(project, "src/login.ts")
    if tracked:
        git(project, "init")
        git(project, "add", ".")
    found = look("Tokens are refreshed in `src/auth.ts`.", project)
    assert (found.notes, found.stale) == (["`src/auth.ts` no longer exists."], True)
    assert look("Tokens are refreshed in `src/login.ts`.", project).notes == []


@pytest.mark.parametrize("tracked", [True, False])
def test_a_path_counts_from_a_package_too(project: Path, tracked: bool) -> None:
    put(project, "packages/api/src/auth.ts", "packages/api/tests/data/x.json")
    if tracked:
        git(project, "init")
        git(project, "add", ".")
    for named in ("src/auth.ts", "auth.ts", "tests/data/", "packages/api/"):
        assert look(f"It is in `{named}`.", project).notes == [], named
    assert look("It is in `src/uth.ts`.", project).notes == ["`src/uth.ts` no longer exists."]


def test_a_file_that_is_deleted_but_tracked_counts_as_there_until_it_is_staged(project: Path) -> None:
    put(project, "src/auth.ts", "b.ts")
    git(project, "init")
    git(project, "add", ".")
    os.unlink(project / "src" / "auth.ts")
    git(project, "add", "-A")
    assert look("It is in `src/auth.ts`.", project).notes == ["`src/auth.ts` no longer exists."]


def test_one_of_two_is_gone_and_the_memory_is_not_stale(project: Path) -> None:
    put(project, "src/a.ts")
    found = look("`src/a.ts` calls `src/b.ts`.", project)
    assert (found.notes, found.stale) == (["`src/b.ts` no longer exists."], False)


def test_a_line_beyond_the_end_is_said(project: Path) -> None:
    put(project, "src/a.ts", text="one\ntwo\nthree")
    assert look("See `src/a.ts:9`.", project).notes == ["`src/a.ts` has 3 lines now, not 9."]
    assert look("See `src/a.ts:3`.", project).notes == []


def test_a_symbol_is_looked_for_in_its_file_and_then_everywhere(project: Path) -> None:
    put(project, "src/a.ts", text="export function refreshToken() {}\n")
    put(project, "src/b.ts", text="const MAX_RETRIES = 3\nobj.renewTokens()\n")
    assert look("`src/b.ts` uses `refreshToken` and `Client.renewTokens()`, `MAX_RETRIES` times.", project).notes == []
    assert look("`refreshTok` is slow", project).notes == ["`refreshTok` is found in no file of the project now."]
    assert look("`refreshTok` is slow", project).stale


def test_a_symbol_is_a_whole_word(project: Path) -> None:
    put(project, "a.py", text="def load_all_users(): pass\n")
    assert look("`load_all` is slow", project).notes == ["`load_all` is found in no file of the project now."]
    assert look("`load_all_users` is slow", project).notes == []


def test_an_option_is_found_however_it_is_declared(project: Path) -> None:
    put(project, "cli.py", text='parser.add_argument("--dry-run")\ndef f(skip_old=False): pass\n')
    assert look("Use `--dry-run` and `--skip-old`.", project).notes == []
    found = look("Use `--wet-run`.", project)
    # it may be another program's
    assert (found.notes, found.stale) == (["`--wet-run` is found in no file of the project now."], False)


def test_a_package_is_looked_for_in_the_lists_of_dependencies(project: Path) -> None:
    put(project, "package.json", text='{"dependencies": {"@acme/ui": "1", "zod": "3"}}')
    found = look("`@acme/ui`, `zod@3.1` and `left-pad@1.0`", project)
    assert (found.notes, found.stale) == (["`left-pad` is not among the project's dependencies now."], False)
    os.unlink(project / "package.json")
    assert look("`left-pad@1.0`", project).notes == []


def test_a_branch_is_found_wherever_git_keeps_it(project: Path) -> None:
    git(project, "init")
    put(project, "a.txt")
    assert look("Work is on branch `trunk`.", project).notes == []  # not yet born
    git(project, "add", ".")
    git(project, "commit", "-m", "x")
    git(project, "branch", "feature/pay")
    git(project, "branch", "old")
    assert look("See branch `feature/pay`, branch `old` and branch `trunk`.", project).notes == []
    git(project, "pack-refs", "--all")
    assert look("See branch `feature/pay`, branch `old`.", project).notes == []
    git(project, "update-ref", "refs/remotes/origin/next", "HEAD")
    assert look("See branch `next`.", project).notes == []
    assert look("See branch `pay`.", project).notes == ["The branch `pay` no longer exists."]


def test_a_linked_worktree_knows_its_files_and_the_branches_of_all(project: Path, tmp_path: Path) -> None:
    git(project, "init")
    put(project, "src/a.ts")
    git(project, "add", ".")
    git(project, "commit", "-m", "x")
    git(project, "worktree", "add", str(tmp_path / "tree"), "-b", "side")
    tree = tmp_path / "tree"
    put(tree, "src/only.ts")
    assert look("`src/only.ts`, branch `trunk`, branch `side`", tree).notes == []
    assert look("`src/none.ts`", tree).notes == ["`src/none.ts` no longer exists."]


def test_nothing_outside_of_the_checkout_is_looked_at(project: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.py", text="outside_symbol\n")
    (project / "link").symlink_to(tmp_path / "outside")
    (project / "file.py").symlink_to(tmp_path / "outside" / "secret.py")
    put(project, "a.py")
    # neither there nor gone: it is not ours to look at
    assert look("`link/none.py`", project).notes == []
    assert look("`outside_symbol`", project).notes == ["`outside_symbol` is found in no file of the project now."]
    assert Checkout(str(project), time.monotonic() + 5).lines("file.py") is None
    assert Checkout(str(project), time.monotonic() + 5).lines("link/secret.py") is None


def test_a_pipe_or_a_device_in_the_project_holds_nobody_up(project: Path) -> None:
    put(project, "a.py")
    os.mkfifo(project / "pipe.py")
    assert look("`some_symbol` and `pipe.py:3`", project).notes == [
        "`some_symbol` is found in no file of the project now."
    ]


def test_what_could_not_be_looked_up_in_time_is_not_called_gone(project: Path) -> None:
    put(project, "a.py")
    found = evidence.findings([memory("`other_symbol`, `x/y.py`")], str(project), "/none", 0.0)
    assert (found["a.md"].notes, found["a.md"].stale) == ([], False)


def test_a_large_file_could_hold_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkout, "FILE_LIMIT", 10)
    put(project, "a.py", text="x" * 50 + "\nother_symbol")
    assert look("`other_symbol`", project).notes == []


@pytest.mark.parametrize("damage", [b"", b"DIRC", b"DIRC\0\0\0\4" + b"x" * 90, b"\xff" * 200])
def test_a_damaged_index_of_git_is_no_evidence(project: Path, damage: bytes) -> None:
    git(project, "init")
    put(project, "deep/src/a.ts")
    (project / ".git" / "index").write_bytes(damage)
    assert look("`src/a.ts`", project).notes == []


def test_many_that_are_gone_are_counted(project: Path) -> None:
    found = look(", ".join(f"`src/f{n}.py`" for n in range(9)), project)
    assert len(found.notes) == evidence.MOST + 1
    assert found.notes[-1] == "5 more of what it names is gone as well."


def test_results_are_remembered_until_something_is_staged_or_the_memory_changes(
    project: Path, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "init")
    put(project, "a.py", text="def some_symbol(): pass\n")
    git(project, "add", ".")
    asked: list[str] = []
    real = Checkout.says

    def says(self: Checkout, word: str) -> bool | None:
        asked.append(word)
        return real(self, word)

    monkeypatch.setattr(Checkout, "says", says)
    for _ in range(3):
        assert look("`some_symbol`", project, state).notes == []
    assert asked == ["some_symbol"]
    look("`some_symbol` changed", project, state)
    assert asked == ["some_symbol"] * 2
    put(project, "a.py", text="pass\n")
    git(project, "add", ".")
    assert look("`some_symbol`", project, state).stale
    monkeypatch.setattr(evidence, "KEPT", 0.0)
    assert look("`some_symbol`", project, state).stale
    assert asked == ["some_symbol"] * 4


def test_what_is_remembered_stays_small_and_damage_is_passed_over(
    project: Path, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project, "a.py", text="some_symbol\n")
    path = Path(state) / evidence.FILE
    path.write_bytes(b"\xff\xfe\nabc\n1 2 3 4\n12345678 99999999999999999 1\nx 1 2\n")
    assert look("`some_symbol`", project, state).notes == []
    monkeypatch.setattr(evidence, "LIMIT", 200)
    for n in range(30):
        look(f"`some_symbol` {n}", project, state)
    assert path.stat().st_size < 300


def test_no_state_and_no_project_is_no_error(project: Path) -> None:
    put(project, "a.py", text="some_symbol\n")
    assert look("`some_symbol`", project, "/no/such/folder").notes == []
    assert evidence.findings([memory("`some_symbol`")], "/no/such/project", "/none") == {}
    assert evidence.findings([memory("`some_symbol`")], "", "/none") == {}
    assert evidence.findings([memory("Use pnpm.")], str(project), "/none") == {}


def test_stale_ones_come_last_and_only_where_nothing_else_was_found() -> None:
    found = {"old.md": Finding(["gone"], True), "half.md": Finding(["gone"], False)}
    assert evidence.order(["old.md", "half.md", "new.md"], found, frozenset()) == ["half.md", "new.md"]
    assert evidence.order(["old.md"], found, frozenset()) == ["old.md"]
    # a preference outlives the file that it was first said about
    assert evidence.order(["old.md", "new.md"], found, frozenset({"old.md"})) == ["new.md", "old.md"]
    assert evidence.order([], found, frozenset()) == []
