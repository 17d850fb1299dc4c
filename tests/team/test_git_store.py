"""A ref on a real remote: not seen in the person's repository, refused when it moved, safe against what lies in it."""
from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.team import git_program, git_tree, opening, wire
from lib.team.choice import GIT, Choice
from lib.team.git_store import REF, GitStore
from lib.team.problems import Moved, StoreProblem
from tests.team.members import bare, git


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    return bare(tmp_path / "hub.git")


def store(tmp_path: Path, hub: Path | str, name: str = "ann") -> GitStore:
    return GitStore(str(tmp_path / name / "team.git"), str(hub), name.title())


def test_what_one_puts_another_gets_with_its_author(tmp_path: Path, hub: Path) -> None:
    ann, bob = store(tmp_path, hub), store(tmp_path, hub, "bob")
    first = ann.put({"a.md": "é\r\n", "api/b ключ.md": ""}, ann.fetch_hashes().checksum)
    second = bob.put({"c.md": "3"}, bob.fetch_hashes().checksum)
    found = ann.fetch_all(first)
    assert found and found.checksum == second
    assert found.entries == {"a.md": "é\r\n", "api/b ключ.md": "", "c.md": "3"}
    assert found.authors == {"a.md": "Ann", "api/b ключ.md": "Ann", "c.md": "Bob"}
    assert ann.fetch_all(second) is None
    assert ann.fetch_hashes().entries == {key: wire.checksum(text) for key, text in found.entries.items()}


def test_nothing_is_stored_in_a_remote_without_the_ref(tmp_path: Path, hub: Path) -> None:
    ann = store(tmp_path, hub)
    found = ann.fetch_all()
    assert found and (found.checksum, dict(found.entries)) == (wire.EMPTY, {})
    assert ann.fetch_all(wire.EMPTY) is None


def test_a_write_for_a_state_that_is_no_more_is_refused(tmp_path: Path, hub: Path) -> None:
    ann, bob = store(tmp_path, hub), store(tmp_path, hub, "bob")
    seen = ann.fetch_hashes().checksum
    assert bob.fetch_hashes().checksum == seen == wire.EMPTY
    bob.put({"b.md": "Bob's"}, seen)
    with pytest.raises(Moved):
        ann.put({"a.md": "Ann's"}, seen)
    with pytest.raises(Moved):
        ann.put({"a.md": "Ann's"}, "sha256:" + "0" * 64)
    ann.put({"a.md": "Ann's"}, ann.fetch_hashes().checksum)
    found = bob.fetch_all()
    assert found and set(found.entries) == {"a.md", "b.md"}


def test_a_branch_that_is_called_like_the_ref_is_another(tmp_path: Path, hub: Path) -> None:
    ann = store(tmp_path, hub)
    after = ann.put({"a.md": "1"}, ann.fetch_hashes().checksum)
    other = git("hash-object", "-t", "tree", "-w", "--stdin", cwd=hub)
    commit = git("-c", "user.name=E", "-c", "user.email=e@x", "commit-tree", "-m", "x", other, cwd=hub)
    git("update-ref", f"refs/heads/{REF}", commit, cwd=hub)
    bob = store(tmp_path, hub, "bob")
    assert bob.fetch_hashes().checksum == after
    with pytest.raises(StoreProblem, match="matches more than one"):  # git itself cannot tell them apart in a push
        bob.put({"b.md": "2"}, after)


def test_without_the_lease_the_other_write_would_be_lost(
    tmp_path: Path, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = git_program.run

    def careless(arguments: list[str], **more: object) -> git_program.Answer:
        forced = ["--force" if part.startswith("--force-with-lease") else part for part in arguments]
        return real(forced, **more)  # type: ignore[arg-type]

    ann, bob = store(tmp_path, hub), store(tmp_path, hub, "bob")
    seen = ann.fetch_hashes().checksum
    bob.fetch_hashes()
    bob.put({"b.md": "Bob's"}, seen)
    monkeypatch.setattr(git_program, "run", careless)
    ann.put({"a.md": "Ann's"}, seen)
    found = ann.fetch_all()
    assert found and set(found.entries) == {"a.md"}, "the mutant loses what the lease protects"


def test_the_persons_repository_is_not_touched(tmp_path: Path, hub: Path) -> None:
    git("clone", "-q", str(hub), "clone", cwd=tmp_path)
    clone = tmp_path / "clone"
    (clone / "work.txt").write_text("in progress")
    git("add", "work.txt", cwd=clone)
    before = sorted(str(path.relative_to(clone)) for path in clone.rglob("*"))
    chosen = Choice(GIT, remote="origin", place=opening.fingerprint(str(hub)))
    opened = opening.opened(chosen, str(clone), str(tmp_path / "state"), os.environ)
    opened.put({"a.md": "1"}, opened.fetch_hashes().checksum)
    assert opened.fetch_all() is not None
    assert sorted(str(path.relative_to(clone)) for path in clone.rglob("*")) == before
    assert git("for-each-ref", cwd=clone) == "" and git("status", "--short", cwd=clone) == "A  work.txt"
    git("fetch", "-q", cwd=clone)
    assert git("for-each-ref", cwd=clone) == "", "an ordinary fetch does not bring it"
    assert git("for-each-ref", "--format=%(refname)", cwd=hub) == REF


def test_no_hook_of_the_person_runs(tmp_path: Path, hub: Path, own_home: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-push", "post-checkout", "pre-commit", "post-commit"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    git("config", "--global", "core.hooksPath", str(hooks), cwd=tmp_path)
    git("config", "--global", "commit.gpgSign", "true", cwd=tmp_path)
    git("config", "--global", "gpg.program", "/bin/false", cwd=tmp_path)
    ann = store(tmp_path, hub)
    ann.put({"a.md": "1"}, ann.fetch_hashes().checksum)
    assert not (tmp_path / "ran").exists()


def test_the_hosts_git_variables_send_it_nowhere_else(
    tmp_path: Path, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": "/x", "GIT_ASKPASS": "/bin/cat",
                        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "x"}.items():
        monkeypatch.setenv(name, value)  # fmt: skip
    ann = store(tmp_path, hub)
    ann.put({"a.md": "1"}, ann.fetch_hashes().checksum)
    env = git_program.environment()
    assert env["GIT_TERMINAL_PROMPT"] == "0" and "BatchMode=yes" in env["GIT_SSH_COMMAND"] and "GIT_DIR" not in env


def hostile(tmp_path: Path, hub: Path) -> None:
    """What nobody of ours would put there, as whoever may push can."""
    def blob(text: str) -> str:
        return git("hash-object", "-w", "--stdin", cwd=hub, given=text)

    def tree(*rows: str) -> str:
        return git("mktree", cwd=hub, given="".join(f"{row}\n" for row in rows))

    good, big = blob("fine"), blob("x" * (wire.ENTRY_BYTES + 1))
    inner = tree(f"100644 blob {good}\tb.md")
    deep = inner
    for _ in range(6):
        deep = tree(f"040000 tree {deep}\td")
    whole = tree(
        f"100644 blob {good}\ta.md", f"100755 blob {good}\trun.md", f"120000 blob {blob('/etc/passwd')}\tlink.md",
        f"160000 commit {'1' * 40}\tsub.md", f"100644 blob {big}\tbig.md", f"100644 blob {good}\tCON.md",
        f"100644 blob {good}\t-rf.md", f"100644 blob {good}\tnotes.txt", f"040000 tree {inner}\tdir.md",
        f"040000 tree {deep}\tdeep", f"100644 blob {good}\tMEMORY.md",
    )  # fmt: skip
    git("update-ref", REF, git("-c", "user.name=Eve", "-c", "user.email=e@x", "commit-tree", "-m", "x", whole, cwd=hub),
        cwd=hub)  # fmt: skip


def test_of_a_hostile_tree_the_good_files_come_and_the_others_are_named(tmp_path: Path, hub: Path) -> None:
    hostile(tmp_path, hub)
    found = store(tmp_path, hub).fetch_all()
    assert found is not None
    assert set(found.entries) == {"a.md", "run.md", "MEMORY.md"}, "the index is judged by the caller"
    assert set(found.damaged) == {
        "link.md", "sub.md", "big.md", "CON.md", "-rf.md", "notes.txt", "dir.md/b.md", "deep/d/d/d/d/d/d/b.md",
    }  # fmt: skip
    assert found.damaged["link.md"] == found.damaged["sub.md"] == "it is no regular file"
    assert found.authors["a.md"] == "Eve"


def test_a_write_beside_hostile_entries_goes_through_and_leaves_them(tmp_path: Path, hub: Path) -> None:
    hostile(tmp_path, hub)
    ann = store(tmp_path, hub)
    ann.put({"mine.md": "1"}, ann.fetch_hashes().checksum)
    again = store(tmp_path, hub, "bob").fetch_all()
    assert again and again.entries["mine.md"] == "1" and "CON.md" in again.damaged


def test_a_tree_that_unfolds_without_end_is_hung_up_on(
    tmp_path: Path, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = f"100644 blob {git('hash-object', '-w', '--stdin', cwd=hub, given='x')}\ta.md\n"
    for _ in range(5):
        one = git("mktree", cwd=hub, given=row)
        row = "".join(f"040000 tree {one}\tdir{number:02}\n" for number in range(20))
    commit = git("-c", "user.name=E", "-c", "user.email=e@x", "commit-tree", "-m", "x",
                 git("mktree", cwd=hub, given=row), cwd=hub)  # fmt: skip
    git("update-ref", REF, commit, cwd=hub)
    monkeypatch.setattr(git_tree, "LISTING", 100_000)
    with pytest.raises(StoreProblem, match="more than 100000 bytes"):
        store(tmp_path, hub).fetch_hashes()


def test_a_ref_that_is_no_commit_is_a_problem_and_no_crash(tmp_path: Path, hub: Path) -> None:
    git("update-ref", REF, git("hash-object", "-w", "--stdin", cwd=hub, given="x"), cwd=hub)
    with pytest.raises(StoreProblem):
        store(tmp_path, hub).fetch_all()


@pytest.mark.parametrize("url", ["ext::sh -c 'touch {0}/ran'", "{0}/missing.git", "--upload-pack=touch {0}/ran"])
def test_a_remote_that_cannot_be_used_is_one_sentence(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreProblem, match="git ls-remote"):
        store(tmp_path, url.format(tmp_path)).fetch_all()
    assert not (tmp_path / "ran").exists()


def test_a_push_that_the_remote_refuses_tells_why(tmp_path: Path, hub: Path) -> None:
    (hub / "hooks").mkdir(exist_ok=True)
    (hub / "hooks" / "pre-receive").write_text("#!/bin/sh\necho this ref is protected >&2\nexit 1\n")
    (hub / "hooks" / "pre-receive").chmod(0o755)
    ann = store(tmp_path, hub)
    with pytest.raises(StoreProblem, match="this ref is protected") as caught:
        ann.put({"a.md": "1"}, ann.fetch_hashes().checksum)
    assert not isinstance(caught.value, Moved)


def test_a_remote_that_does_not_answer_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\ncase \"$*\" in *ls-remote*) exec sleep 60;; esac\nexec {shutil.which('git')} \"$@\"\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    started = time.monotonic()
    with pytest.raises(StoreProblem, match="took longer than 1 s"):
        git_program.run(["ls-remote", "x"], folder=str(tmp_path), seconds=0.7)
    assert time.monotonic() - started < 30


def test_the_remote_is_asked_to_be_the_one_that_was_agreed_to(tmp_path: Path, hub: Path) -> None:
    git("clone", "-q", str(hub), "clone", cwd=tmp_path)
    other = bare(tmp_path / "other.git")
    git("remote", "set-url", "origin", str(other), cwd=tmp_path / "clone")
    chosen = Choice(GIT, remote="origin", place=opening.fingerprint(str(hub)))
    with pytest.raises(StoreProblem, match="leads elsewhere"):
        opening.opened(chosen, str(tmp_path / "clone"), str(tmp_path / "state"), os.environ)
    with pytest.raises(StoreProblem, match="no git remote 'upstream'"):
        opening.remote_url(str(tmp_path / "clone"), "upstream")


@pytest.fixture
def daemon(tmp_path: Path, hub: Path) -> Iterator[str]:
    """`git daemon` over the hub's folder, on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["git", "daemon", "--reuseaddr", "--export-all", "--enable=receive-pack", "--listen=127.0.0.1",
         f"--port={port}", f"--base-path={tmp_path}", str(tmp_path)],
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    for _ in range(200):
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    yield f"git://127.0.0.1:{port}/{hub.name}"
    os.killpg(process.pid, 15)
    process.wait(10)


@pytest.mark.skipif(sys.platform == "win32", reason="git daemon is not there")
def test_it_works_over_the_network(tmp_path: Path, daemon: str) -> None:
    ann, bob = store(tmp_path, daemon), store(tmp_path, daemon, "bob")
    seen = ann.fetch_hashes().checksum
    assert bob.fetch_hashes().checksum == seen
    ann.put({"a.md": "1"}, seen)
    with pytest.raises(Moved):
        bob.put({"b.md": "2"}, seen)
    found = bob.fetch_all()
    assert found and dict(found.entries) == {"a.md": "1"}


def test_what_git_says_holds_no_password(tmp_path: Path) -> None:
    told = git_program._told("fatal: unable to access 'https://ann:s3cret@example.com/x.git/': x\nremote: no\n")
    assert told == "remote: no fatal: unable to access 'https://example.com/x.git/': x"
    assert opening.shown_url("https://ann:s3cret@example.com/x.git") == "https://example.com/x.git"
