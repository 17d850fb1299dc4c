"""Writes land inside the memory directory or nowhere, whole or not at all, whatever the name, whoever swaps folders."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.memory import files

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "paths.json"


@pytest.fixture
def strewn(tmp_path: Path) -> Path:
    """A memory directory in which somebody left links, a FIFO, a hard link and a folder; their targets are outside."""
    memory, outside = tmp_path / "memory", tmp_path / "outside"
    (memory / "team").mkdir(parents=True)
    outside.mkdir()
    (outside / "victim.md").write_text("victim")
    (memory / "a.md").write_text("old")
    (memory / "link.md").symlink_to(outside / "victim.md")
    (memory / "dangling.md").symlink_to(outside / "none.md")
    (memory / "inlink.md").symlink_to("a.md")
    (memory / "linkdir").symlink_to(outside)
    os.link(outside / "victim.md", memory / "hard.md")
    os.mkfifo(memory / "fifo.md")
    (memory / "dir.md").mkdir()
    return memory


def picture(folder: Path) -> dict[str, str]:
    """Every path below a folder with what it is; no link is followed."""
    found = {}
    for top, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(top, name)
            mode = os.lstat(path).st_mode
            found[os.path.relpath(path, folder)] = (
                os.readlink(path) if stat.S_ISLNK(mode) else Path(path).read_text() if stat.S_ISREG(mode) else oct(mode)
            )
    return found


@pytest.mark.parametrize(
    "name", [
        "a.md", "new.md", "MEMORY.md", "team/x.md", "logs/2026/11/2026-11-30.md", "größe.md", "日本.md", "a b.md",
        "a.b.md", "a∕b.md", "$HOME/x.md", "x" * 125 + ".md",
    ]
)  # fmt: skip
def test_a_plain_name_is_written_and_read_back(strewn: Path, name: str) -> None:
    assert files.unsafe_name(name) == ""
    files.write(str(strewn), name, b"one\r\n\xff")
    assert (strewn / name).read_bytes() == b"one\r\n\xff"
    assert files.read(str(strewn), name) == b"one\r\n\xff"


UNSAFE: list[object] = [
    "", ".", "..", "/", "/etc/x.md", "../x.md", "a/../../x.md", "a/../x.md", "./a.md", "a//b.md", "team/", "a.md/",
    "team", "a", "a.txt", "a.MD", "a.md.txt", ".md", ".hidden.md", ".git/config.md", ".consolidate-lock",
    ".memory.lock", "MEMORY", "-rf.md", "~/x.md", "~root/x.md", " a.md", "a.md ", "a .md/b.md", "a./b.md", "a /b.md",
    "C:x.md", "C:/x.md", "C:\\x.md", "a\\..\\x.md", "\\\\?\\x.md", "//server/x.md", "a.md:ads", "a.md::$DATA",
    "con.md", "NUL.md", "com1.md", "LPT9.x.md", "aux.md", "con/x.md", "com¹.md", "a.md/b.md", "a*.md", "a?.md",
    'a".md', "a<b>.md", "a|b.md", "a%2fb.md", "..%2fx.md", "a\0b.md", "a\n.md", "a\x1b[2J.md", "a\x7f.md", "a\x85.md",
    "a\u200b.md", "a\u202e.md", "a\u2028.md", "a\ufeff.md", "\ud800.md", "\udcff.md", "a\ue000.md", "a／b.md",
    "．．/x.md", "‥/x.md", "a：b.md", "a％2fb.md", "a/b/c/d/e.md", "a/" * 200 + "x.md", "x" * 126 + ".md",
    *(f"a{c}b.md" for c in "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\uffa0\ufe00\ufe0f\U000e0100"),
    *(f"a{c}b.md" for c in "\xa0\u1680\u2003\u202f\u205f\u3000"), "\u3164.md", "❤\ufe0f.md",
    "é" * 63 + ".md", "x" * 5_000 + ".md", None, 5, 1.5, True, b"a.md", ["a.md"], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("name", UNSAFE, ids=range(len(UNSAFE)))
def test_any_other_name_is_refused_in_a_sentence_before_anything_is_made(strewn: Path, name: object) -> None:
    before = picture(strewn.parent)
    why = files.unsafe_name(name)
    assert why and why[0].islower() or why[0].isdigit()
    with pytest.raises(ValueError, match=".: "):
        files.write(str(strewn), name, b"x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=".: "):
        files.delete(str(strewn), name)  # type: ignore[arg-type]
    assert picture(strewn.parent) == before


@pytest.mark.parametrize(
    "name", ["link.md", "dangling.md", "inlink.md", "linkdir/x.md", "linkdir/victim.md", "hard.md", "fifo.md", "dir.md"]
)
def test_what_is_not_plainly_ours_is_neither_written_nor_removed(strewn: Path, name: str) -> None:
    before = picture(strewn.parent)
    with pytest.raises(OSError):
        files.write(str(strewn), name, b"x")
    with pytest.raises(OSError):
        files.delete(str(strewn), name)
    assert picture(strewn.parent) == before


@pytest.mark.parametrize(
    "name", ["link.md", "dangling.md", "linkdir/victim.md", "fifo.md", "dir.md", "none.md", "a.md/x.md"]
)
def test_what_is_no_plain_file_inside_is_not_read_and_nothing_hangs(strewn: Path, name: str) -> None:
    with pytest.raises(OSError):
        files.read(str(strewn), name)


@pytest.mark.parametrize(
    "name", ["../outside/victim.md", "team/../../outside/victim.md", "{}", "a\0b.md", "\ud800.md", "", ".", "/"]
)
def test_no_name_reads_outside_or_raises_anything_but_an_os_error(strewn: Path, name: str) -> None:
    with pytest.raises(OSError):
        files.read(str(strewn), name.format(strewn.parent / "outside" / "victim.md"))


def test_removing_what_is_not_there_makes_nothing(strewn: Path) -> None:
    before = picture(strewn)
    for name in ("none.md", "newfolder/none.md"):
        with pytest.raises(FileNotFoundError):
            files.delete(str(strewn), name)
        with pytest.raises(FileNotFoundError):
            files.read(str(strewn), name)
    assert picture(strewn) == before


def test_a_file_is_removed(strewn: Path) -> None:
    files.write(str(strewn), "team/x.md", b"x")
    files.delete(str(strewn), "team/x.md")
    assert not (strewn / "team" / "x.md").exists()


@pytest.mark.parametrize("limit", [0, 1, 4, 5, 6, 1 << 21])
def test_at_most_the_limit_is_read(strewn: Path, limit: int) -> None:
    files.write(str(strewn), "a.md", b"12345")
    assert files.read(str(strewn), "a.md", limit) == b"12345"[:limit]


def test_a_memory_directory_that_is_a_link_is_the_persons_choice(strewn: Path) -> None:
    chosen = strewn.parent / "chosen"
    chosen.symlink_to(strewn)
    files.write(str(chosen), "new.md", b"x")
    assert (strewn / "new.md").read_bytes() == b"x" == files.read(str(chosen), "new.md")
    assert chosen.is_symlink()


def test_a_new_directory_and_a_new_file_are_for_their_owner_alone(tmp_path: Path) -> None:
    files.write(str(tmp_path / "m"), "logs/a.md", b"x")
    for path, mode in [("m", 0o700), ("m/logs", 0o700), ("m/logs/a.md", 0o600)]:
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == mode


def test_an_existing_files_mode_is_kept(strewn: Path) -> None:
    (strewn / "a.md").chmod(0o644)
    files.write(str(strewn), "a.md", b"new")
    assert stat.S_IMODE((strewn / "a.md").stat().st_mode) == 0o644


def test_a_folder_above_that_may_only_be_passed_through_is_no_obstacle() -> None:
    """A shared machine's home of homes often has mode 711: nobody may list it, everybody passes."""
    base = Path(tempfile.mkdtemp(prefix="passage-", dir="/tmp"))
    try:
        home = base / "home" / "memory"
        home.mkdir(parents=True)
        user = 65_534 if os.geteuid() == 0 else None  # root may list everything, so somebody else tries
        if user is not None:
            os.chown(home, user, user)
        (base / "home").chmod(0o711 if user else 0o300)
        base.chmod(0o711)
        code = (
            f"import sys, os, unicodedata; sys.path.insert(0, {str(ROOT)!r}); from lib.memory import files; "
            f"{f'os.setgid({user}); os.setuid({user}); ' if user else ''}files.write({str(home)!r}, 'a.md', b'x')"
        )
        done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=30)
        assert done.stderr == ""
        (base / "home").chmod(0o700)
        assert (home / "a.md").read_bytes() == b"x"
    finally:
        shutil.rmtree(base)


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    strewn: Path, monkeypatch: pytest.MonkeyPatch, step: str, fault: int
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(fault, os.strerror(fault))

    before = picture(strewn)
    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        for name in ("a.md", "new.md", "team/new.md"):
            with pytest.raises(OSError, match=os.strerror(fault)):
                files.write(str(strewn), name, b"new")
    assert picture(strewn) == before


def test_a_disk_that_takes_one_byte_at_a_time_gets_them_all(strewn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:1])))
        files.write(str(strewn), "a.md", b"twelve bytes")
    assert (strewn / "a.md").read_bytes() == b"twelve bytes"


def test_a_reader_sees_the_old_file_or_the_new_one_and_never_a_part(strewn: Path) -> None:
    versions = {bytes([65 + n]) * 50_000 for n in range(8)}
    files.write(str(strewn), "a.md", min(versions))
    done = threading.Event()

    def write() -> None:
        for _ in range(10):
            for version in versions:
                files.write(str(strewn), "a.md", version)
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    seen = set()
    while not done.is_set():
        seen.add(files.read(str(strewn), "a.md"))
    thread.join()
    assert seen and seen <= versions


def test_a_killed_writers_leftovers_are_swept_and_nobody_elses_file(strewn: Path) -> None:
    ours = ".a.md.123.0123456789ab.tmp"
    others = [
        ".a.md.tmp",
        ".notes.v1.2.tmp",
        "x.md.123.0123456789ab.tmp",
        ".a.md.123.0123456789ab.md",
        ".a.md.12x.0123456789ab.tmp",
    ]
    for name in [ours, *others]:
        (strewn / name).write_text("x")
    files.sweep(str(strewn))
    assert not (strewn / ours).exists()
    assert [name for name in others if (strewn / name).exists()] == others


def test_the_sweep_knows_what_a_write_leaves_when_it_is_killed(strewn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(files._Folder, "rename", lambda *_: os._exit(9))
        if (child := os.fork()) == 0:
            files.write(str(strewn), "größe und mehr.md", b"x")
    os.waitpid(child, 0)
    left = [name for name in os.listdir(strewn) if name.endswith(".tmp")]
    files.sweep(str(strewn))
    assert len(left) == 1 and not (strewn / left[0]).exists()


@given(
    st.text(st.sampled_from("ab./\\~-:*%\0\n \u200b\u2025\uff0f\ud800émd"), max_size=24)
    | st.text(st.characters(codec=None))
)
def test_a_name_that_passes_stays_inside_and_means_one_file(name: str) -> None:
    if files.unsafe_name(name) == "":
        assert os.path.normpath(os.path.join("/m", name)) == f"/m/{name}"
        assert name.encode().decode() == name and name.endswith(".md") and name.isprintable()


def naive_write(directory: str, name: str, data: bytes) -> None:
    """What everybody writes first, and what the swap defeats: look where the path leads, then open it."""
    path = os.path.join(directory, name)
    real = os.path.realpath(path)
    if not real.startswith(os.path.realpath(directory) + os.sep):
        raise PermissionError(path)
    with open(path, "wb") as file:
        file.write(data)


def swapped(base: Path, write: Callable[[str, str, bytes], None], rounds: int) -> tuple[int, int]:
    """(files that landed outside, writes that went through) while a thread swaps `team` for a link to `outside`."""
    memory, outside = base / "memory", base / "outside"
    (memory / "team").mkdir(parents=True)
    outside.mkdir()
    (base / "link").symlink_to(outside)
    stop = threading.Event()

    def put(source: Path) -> None:
        """Move something to `team`; a folder that a write made there meanwhile goes out of the way."""
        while True:
            try:
                return os.rename(source, memory / "team")
            except OSError:
                os.rename(memory / "team", base / f"made-{len(os.listdir(base))}")

    def swap() -> None:
        while not stop.is_set():
            os.rename(memory / "team", base / "aside")
            put(base / "link")
            os.rename(memory / "team", base / "link")
            put(base / "aside")

    thread = threading.Thread(target=swap)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    written = 0
    try:
        for number in range(rounds):
            try:
                write(str(memory), f"team/{number}.md", b"x")
                written += 1
            except OSError:
                pass  # refused, or the folder was away: both are right
            if number % 50 == 49 and os.listdir(outside) and written:
                break
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    return len(os.listdir(outside)), written


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is raced here is names, not the disk: more rounds fit without waiting for it."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


def test_a_folder_swapped_for_a_link_during_writes_lets_nothing_out(tmp_path: Path, quick_disk: None) -> None:
    landed, written = swapped(tmp_path, files.write, 3_000)
    assert landed == 0
    assert written > 0


def test_the_same_swap_gets_the_naive_write_out(tmp_path: Path) -> None:
    landed, _ = swapped(tmp_path, naive_write, 60_000)
    assert landed > 0


@pytest.mark.skipif(not CASES.is_file(), reason=f"the collected path cases are not at {CASES}")
def test_every_collected_path_gets_its_verdict(strewn: Path) -> None:
    base = str(strewn.parent)
    wrong = []
    for case in json.loads(CASES.read_text()):
        path = case["path"]
        if isinstance(path, str):
            inside = case["verdict"] == "allow" and path.startswith("$B/memory/")
            path = path.removeprefix("$B/memory/") if inside else path.replace("$B", base)
        elif isinstance(path, dict):
            path = b"a.md"
        try:
            files.write(str(strewn), path, b"new")
            verdict = "allow"
        except (OSError, ValueError):
            verdict = "deny"
        if verdict != case["verdict"]:
            wrong.append(case)
    assert wrong == []
    assert picture(strewn.parent / "outside") == {"victim.md": "victim"}
