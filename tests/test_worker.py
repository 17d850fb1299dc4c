"""The worker does what is due once, alone, within bounds, and goes; what it could not do is not forgotten."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lib import detach, journal, worker
from lib.extract import run
from lib.host import paths
from lib.journal import Journal
from lib.memory import lock
from tests.support.messages_api import Body, MessagesAPI, text

ROOT = Path(__file__).resolve().parent.parent
SESSION = "3f0c4b1e-9d43-4c57-9e3f-0d7f0b9c2a11"
PNPM = "Remember: always use pnpm here, npm corrupts the lockfile"
MEMORY = """\
---
name: mine
description: The staging server is called otter
metadata:
  type: reference
---

Otter.
"""


@dataclass
class Shop:
    """One project with its journals; hooks are played by `ended`."""

    project: Path
    count: int = 0
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def config(self) -> Path:
        return Path(os.environ["CLAUDE_CONFIG_DIR"])

    @property
    def state(self) -> str:
        folder = paths.state_dir(str(self.config), str(self.project))
        os.makedirs(folder, exist_ok=True)
        return folder

    @property
    def memory(self) -> Path:
        return Path(paths.memory_path(str(self.project), dict(os.environ), {}))

    def book(self, session: str = SESSION) -> Journal:
        return Journal(self.state, session)

    def say(self, words: str, session: str = SESSION) -> Path:
        self.count += 1
        path = self.project / f"{session}.jsonl"
        entry = {
            "type": "user", "uuid": f"{self.count:08d}-aaaa-4000-8000-000000000000", "sessionId": session,
            "timestamp": "2026-11-30T12:00:00.000Z", "message": {"role": "user", "content": words},
        }  # fmt: skip
        with path.open("ab") as file:
            file.write(json.dumps(entry).encode() + b"\n")
        return path

    def ended(self, words: str, session: str = SESSION) -> None:
        """A turn ended, as the Stop hook notes it."""
        path = self.say(words, session)
        fields = {"transcript": str(path), "launch": str(self.project), "reason": "run"}
        self.book(session).append("stop", due=path.stat().st_size, **fields)

    def wrote(self, file: str = "mine.md") -> None:
        """The main agent wrote a memory, as the PostToolUse hook notes it."""
        self.memory.mkdir(parents=True, exist_ok=True)
        (self.memory / file).write_text(MEMORY.replace("mine", file[:-3]))
        self.book().append("memory_write", file=file)
        self.book().append("stop", launch=str(self.project), reason="frequency")

    def events(self, kind: str, session: str = SESSION) -> list[dict[str, Any]]:
        return [event for event in self.book(session).events() if event["e"] == kind]

    def files(self) -> list[str]:
        return sorted(path.name for path in self.memory.glob("*.md")) if self.memory.is_dir() else []

    def index(self) -> str:
        return (self.memory / "MEMORY.md").read_text()

    def log(self) -> list[str]:
        path = self.config / "memory-hooks" / "log.jsonl"
        return [json.loads(line)["what"] for line in path.read_bytes().splitlines()] if path.exists() else []

    def start(self, **env: str) -> subprocess.Popen[bytes]:
        """A worker as a process of its own."""
        command = [sys.executable, "-I", str(ROOT / "lib" / "worker.py"), self.state]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.started.append(subprocess.Popen(command, env={**os.environ, **env}, **streams))  # type: ignore[call-overload]
        return self.started[-1]


@pytest.fixture
def shop(own_home: Path, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    for process in made.started:
        process.kill()
        process.communicate()


def free(shop: Shop) -> bool:
    held = lock.acquire(os.path.join(shop.state, detach.WORKER_LOCK))
    if held is not None:
        os.close(held)
    return held is not None


def until(fact: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(fact())


def test_twenty_ends_of_turns_are_one_run(shop: Shop) -> None:
    for n in range(20):
        shop.ended(PNPM if n == 7 else f"turn {n}")
    worker.work(shop.state)
    assert [event["turns"] for event in shop.events("extract")] == [20]
    assert (len(shop.events("job")), shop.files()) == (1, ["MEMORY.md", "use-pnpm.md"])
    assert "(use-pnpm.md)" in shop.index()
    worker.work(shop.state)
    assert len(shop.events("job")) == 1


def test_the_run_is_told_in_the_journal(shop: Shop) -> None:
    shop.ended(PNPM)
    worker.work(shop.state)
    told = shop.events("extract")[0]
    assert (told["backend"], told["turns"], told["changes"][0][:2]) == ("rules", 1, ["CREATE", "use-pnpm.md"])
    assert told["cursor"] == told["handled"] == (shop.project / f"{SESSION}.jsonl").stat().st_size
    assert told["ms"] >= 0 and told["fingerprint"]
    assert shop.book().state().marks == ["00000001-aaaa"]
    assert not shop.book().state().pending
    assert free(shop)


def test_every_session_of_the_project_gets_its_turn(shop: Shop) -> None:
    said = [PNPM, "Remember: the staging server is called otter", "Remember: we deploy on Tuesdays only"]
    for n, words in enumerate(said):
        shop.ended(words, session=f"s-{n}")
    worker.work(shop.state)
    assert [len(shop.events("extract", f"s-{n}")) for n in range(3)] == [1, 1, 1]
    assert len(shop.files()) == 1 + 3


def test_a_turn_that_ends_during_the_run_is_done_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    real = run.extract

    def extract(*arguments: Any) -> Any:
        if shop.count == 1:
            shop.ended(PNPM)
        return real(*arguments)

    monkeypatch.setattr(run, "extract", extract)
    shop.ended("hello")
    worker.work(shop.state)
    assert [event["turns"] for event in shop.events("extract")] == [1, 1]
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"]


def test_a_turn_that_ends_after_the_last_look_is_done_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its hook found the lock taken and started nobody.
    real = worker._due

    def due(*arguments: Any) -> Any:
        found = real(*arguments)
        if found is None and shop.count == 1:
            shop.ended(PNPM)
        return found

    monkeypatch.setattr(worker, "_due", due)
    shop.ended("hello")
    worker.work(shop.state)
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"]


def test_a_second_worker_goes_at_once(shop: Shop) -> None:
    shop.ended(PNPM)
    held = lock.acquire(os.path.join(shop.state, detach.WORKER_LOCK))
    assert held is not None
    try:
        second = shop.start()
        assert second.communicate(timeout=20) == (b"", b"")
        assert second.returncode == 0
        assert detach.start(shop.state) is False
        assert shop.events("job") == []
    finally:
        os.close(held)
    worker.work(shop.state)
    assert len(shop.events("extract")) == 1


def test_workers_started_at_once_are_one_run(shop: Shop) -> None:
    for n in range(5):
        shop.ended(PNPM if n == 0 else f"turn {n}")
    workers = [shop.start() for _ in range(5)]
    assert [process.communicate(timeout=30) for process in workers] == [(b"", b"")] * 5
    assert [process.returncode for process in workers] == [0] * 5
    assert (len(shop.events("job")), len(shop.events("extract"))) == (1, 1)


def test_a_directory_that_fails_is_tried_again_and_nothing_is_lost_meanwhile(shop: Shop) -> None:
    shop.memory.parent.mkdir(parents=True)
    shop.memory.write_text("a file where the folder should be")
    for attempt in range(1, worker.ATTEMPTS + 3):
        shop.ended(PNPM if attempt == 1 else "hello")
        worker.work(shop.state)
        assert len(shop.events("job")) == len(shop.events("failed")) == len(shop.log()) == attempt
        assert shop.book().state().pending and free(shop)
    assert shop.memory.read_text() == "a file where the folder should be"
    shop.memory.unlink()
    shop.ended("hello again")
    worker.work(shop.state)
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"]
    assert shop.book().state().failures == 0


def test_a_directory_that_goes_on_failing_is_let_go(shop: Shop) -> None:
    shop.memory.parent.mkdir(parents=True)
    shop.memory.write_text("a file where the folder should be")
    shop.ended(PNPM)
    for _ in range(worker.FAULTS + 5):
        worker.work(shop.state)
    assert len(shop.events("job")) == worker.FAULTS
    assert shop.events("extract")[0]["reason"] == f"given up after {worker.FAULTS} attempts"
    assert not shop.book().state().pending
    # and the next turn begins anew
    shop.memory.unlink()
    shop.ended(PNPM)
    worker.work(shop.state)
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"]


def test_one_session_that_fails_does_not_hold_up_the_others(shop: Shop) -> None:
    shop.ended("Remember: the staging server is called otter", session="s-1")
    shop.ended(PNPM, session="s-2")
    (shop.project / "s-2.jsonl").unlink()
    worker.work(shop.state)
    assert len(shop.events("failed", "s-2")) == 1
    assert len(shop.events("extract", "s-1")) == 1 and len(shop.files()) == 2


def test_a_fault_of_ours_is_bounded_too_and_frees_the_lock(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def extract(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(run, "extract", extract)
    shop.ended(PNPM)
    for _ in range(worker.ATTEMPTS):
        with pytest.raises(ValueError):
            worker.work(shop.state)
        assert free(shop)
    worker.work(shop.state)
    assert len(shop.events("job")) == worker.ATTEMPTS
    assert not shop.book().state().pending


def test_a_fault_of_ours_stands_in_the_log_with_its_place(shop: Shop) -> None:
    shop.ended(PNPM)
    code = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import worker\n"
        f"worker.run.extract = lambda *_: 1 / 0\nworker.main([{shop.state!r}])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert len(shop.log()) == 1
    assert shop.log()[0].startswith("ZeroDivisionError: (<string>:4 in <lambda>)")


def test_the_index_is_mended_after_the_main_agents_own_write(shop: Shop) -> None:
    shop.wrote("mine.md")
    worker.work(shop.state)
    assert "- [Mine](mine.md) — The staging server is called otter" in shop.index()
    assert (shop.events("mended")[0]["changed"], shop.events("extract")) == (True, [])
    assert not shop.book().state().pending


def test_mending_again_and_again_is_no_failure(shop: Shop) -> None:
    for n in range(worker.ATTEMPTS + 3):
        shop.wrote(f"m{n}.md")
        worker.work(shop.state)
        assert f"(m{n}.md)" in shop.index()
    assert shop.events("extract") == []


def test_giving_up_on_an_index_does_not_reopen_old_turns(shop: Shop) -> None:
    shop.book().append("session", at=500, launch=str(shop.project))
    shop.wrote()
    (shop.memory / "MEMORY.md").mkdir()
    for _ in range(worker.FAULTS + 2):
        worker.work(shop.state)
    assert len(shop.events("job")) == worker.FAULTS
    assert (shop.book().state().pending, shop.book().state().cursor) == (False, 500)


def test_a_job_that_never_tells_an_end_is_let_go_soon(shop: Shop) -> None:
    shop.ended(PNPM)
    for _ in range(worker.ATTEMPTS):
        shop.book().append("job")  # each began and was killed
    worker.work(shop.state)
    assert shop.files() == []
    assert shop.events("extract")[0]["reason"] == f"given up after {worker.ATTEMPTS} attempts"


def test_a_journal_that_has_grown_is_compacted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SIZE_LIMIT", 5_000)
    monkeypatch.setattr(journal, "KEPT", 10)
    for n in range(100):
        shop.book().append("recall", shown={f"m{n % 7}.md": "0badcafe"})
    shop.ended(PNPM)
    worker.work(shop.state)
    assert os.path.getsize(shop.book().path) < 5_000
    assert set(shop.book().state().shown) == {f"m{n}.md" for n in range(7)}


def asks_a_model(shop: Shop) -> None:
    (shop.config / "settings.json").write_text('{"memoryHooks": {"backend": "anthropic"}}')


def test_after_kill_9_in_the_middle_the_next_run_does_it(shop: Shop) -> None:
    asks_a_model(shop)
    shop.ended(PNPM)
    asked, release = threading.Event(), threading.Event()

    def model(body: Body) -> list[dict[str, Any]]:
        asked.set()
        release.wait(30)
        return [text("nothing")]

    with MessagesAPI(model) as api:
        killed = shop.start(ANTHROPIC_API_KEY="sk-not-a-key", ANTHROPIC_BASE_URL=api.url)
        assert asked.wait(30)
        assert not free(shop)
        killed.kill()
        killed.wait(20)
        release.set()
    assert free(shop)
    assert (len(shop.events("job")), shop.events("extract"), shop.files()) == (1, [], [])
    second = shop.start()  # without a key it is the rules' turn
    assert second.wait(30) == 0, shop.log()
    assert (len(shop.events("job")), len(shop.events("extract"))) == (2, 1)
    assert shop.files() == ["MEMORY.md", "use-pnpm.md"]
    assert [name for name in os.listdir(shop.memory) if name.endswith(".tmp")] == []


def test_a_worker_that_hangs_is_ended_by_the_kernel(shop: Shop) -> None:
    shop.ended(PNPM)
    code = (
        f"import sys, time\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import worker\nworker.DEADLINE = 1\n"
        f"worker.run.extract = lambda *_: time.sleep(60)\nworker.main([{shop.state!r}])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGALRM, b"", b"")
    assert free(shop) and shop.book().state().pending


def test_what_the_worker_starts_carries_the_child_mark(shop: Shop) -> None:
    shop.ended("hello")
    code = (
        f"import sys, os\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import worker\n"
        f"worker.main([{shop.state!r}])\nprint(os.environ['MEMORY_HOOKS_CHILD'])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, timeout=30)
    assert (done.stdout, done.stderr) == (b"1\n", b"")


@pytest.mark.parametrize("arguments", [[], ["/no/such/folder"], ["/", "/"]])
def test_a_wrong_call_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert worker.main(arguments) == 2
    assert capsys.readouterr().err == "usage: python -I lib/worker.py STATE_DIR (a folder that exists) [LOCK]\n"


# ---- how it is started

PROBE = """\
import json, os, sys
facts = {
    "arguments": sys.argv[1:], "cwd": os.getcwd(), "leader": os.getsid(0) != int(os.environ["STARTER_SESSION"]),
    "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd")),
    "streams": [os.readlink(f"/proc/self/fd/{n}") for n in (0, 1, 2)],
}
with open(sys.argv[1] + "/probe.tmp", "w") as file:
    json.dump(facts, file)
os.rename(sys.argv[1] + "/probe.tmp", sys.argv[1] + "/probe.json")
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the descriptors of a process are looked up in /proc")
def test_a_started_worker_holds_nothing_of_the_hosts(shop: Shop) -> None:
    probe = shop.project / "probe.py"
    probe.write_text(PROBE)
    code = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import detach\n"
        f"detach._SCRIPT = {str(probe)!r}\nprint(detach.start({shop.state!r}))"
    )
    reading, writing = os.pipe()
    high = 777
    os.dup2(writing, high, inheritable=True)
    try:
        env = {**os.environ, "STARTER_SESSION": str(os.getsid(0))}
        command = [sys.executable, "-I", "-S", "-c", code]
        done = subprocess.run(command, capture_output=True, timeout=30, pass_fds=(writing, high), env=env)
    finally:
        os.close(writing)
        os.close(high)
    assert (done.stdout, done.stderr) == (b"True\n", b"")
    assert os.read(reading, 1) == b""  # nobody holds the host's descriptors any more
    os.close(reading)
    found = Path(shop.state) / "probe.json"
    assert until(found.exists)
    facts = json.loads(found.read_text())
    assert facts["arguments"] == [shop.state, str(detach.HANDED)]
    assert facts["streams"] == ["/dev/null"] * 3
    assert [n for n in facts["descriptors"] if n > detach.HANDED + 1] == []  # the one after the lock is the listing
    assert (facts["cwd"], facts["leader"]) == (str(shop.project), True)


def test_of_many_turns_that_end_at_once_one_starts_a_worker(shop: Shop) -> None:
    probe = shop.project / "waits.py"
    probe.write_text("import time, sys\nopen(sys.argv[1] + '/began', 'a').write('x')\ntime.sleep(1)\n")
    code = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom lib import detach\n"
        f"detach._SCRIPT = {str(probe)!r}\nsys.stdin.read()\nprint(detach.start({shop.state!r}))"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    hooks = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(8)]
    for hook in hooks:
        assert hook.stdin
        hook.stdin.close()
    said = [hook.stdout.read() for hook in hooks if hook.stdout]
    for hook in hooks:
        assert hook.wait(30) == 0
        assert hook.stdout
        hook.stdout.close()
    assert said.count(b"True\n") == 1
    assert until((Path(shop.state) / "began").exists)
    assert (Path(shop.state) / "began").read_text() == "x"


def test_a_descriptor_that_is_not_the_lock_is_not_taken_for_it(shop: Shop) -> None:
    other = os.open(shop.project, os.O_RDONLY)
    try:
        assert not detach.handed(shop.state, other)
        assert not detach.handed(shop.state, 9_999)
        assert not detach.handed(shop.state, -1)
    finally:
        os.close(other)
