"""Many sessions of one project at once, with prompts, edits, deletions, consolidations, verbs and killed workers.

usage: python tests/faults/soak.py [--minutes 10 | --seconds N] [--sessions 8] [--pace SECONDS] [--seed N]
                                   [--keep FOLDER]    where everything is left to be looked at after a fault

At the end: nothing that was said is lost (it is found, unless its file was deleted by hand or its turn was given up
after three killed workers), no index line twice, no process, descriptor or temporary file too many, no journal beyond
its cap. Exit status: 0 = so it was, 1 = not, each fault told in a line.
"""
from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lib.journal import SIZE_LIMIT, Journal
from tests.faults import invariants, targets
from tests.faults.targets import Machine, hooked, say
from tests.support.registered import ROOT

SAYINGS = (
    "Remember: the staging server of {0} is called {1}", "Remember: reports about {0} go to the channel {1}",
    "From now on, name branches for {0} after {1}", "Remember: always run {1} before you touch {0}",
    "Remember: the passwordless account for {0} demos is {1}", "Never deploy {0} without asking {1} first",
    "Remember: the design of {0} is kept in the wiki page {1}", "I prefer {1} over anything else for {0}",
)  # fmt: skip
CHATTER = (
    "why does the build fail?", "please rename this function", "thanks", "continue", "what does line 20 do?",
    "run the tests again", "show me the staging server", "add a dependency for dates",
)  # fmt: skip
VERBS = (("list",), ("status",), ("why", "--last", "20"), ("search", "staging server"), ("history",), ("dream",),
         ("dream", "--dry-run"), ("doctor",))  # fmt: skip
SLACK = 2.0  # a journal is compacted after its next job: how far beyond its limit it may be until then
LETTERS = ("bdfgklmnprstv", "aeiou")


@dataclass
class Tally:
    """What happened and the most that was seen at one moment."""

    events: Counter[str] = field(default_factory=Counter)
    processes: list[int] = field(default_factory=lambda: [0, 0])  # workers, in the first half and in the second
    descriptors: int = 0  # of one worker
    said: dict[str, str] = field(default_factory=dict)  # token -> the session that said it
    deleted: set[str] = field(default_factory=set)  # tokens of files deleted by hand
    faults: list[str] = field(default_factory=list)


class Soak:
    """One machine on which it all happens; every random choice comes from the seed, the timing does not."""

    def __init__(self, folder: Path, sessions: int, seed: int, pace: float) -> None:
        self.stage = Machine(folder / "home", folder / "project")
        self.sessions = [f"{number:08d}-5555-4555-8555-555555555555" for number in range(sessions)]
        self.seed, self.pace = seed, pace
        self.tally = Tally()
        self.guard = threading.Lock()  # of the tally, and of edits by hand: one person has one pair of hands
        self.number = 0
        self.given_up: dict[str, set[tuple[int, int]]] = {}  # session -> bytes of its transcript that were let go

    def run(self, seconds: float) -> Tally:
        """All of it for so long, then the judgement."""
        targets.furnished(self.stage)
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self._session, args=(name, end)) for name in self.sessions]
        threads += [threading.Thread(target=act, args=(end,)) for act in (self._person, self._watch)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._judge()
        return self.tally

    def _session(self, session: str, end: float) -> None:
        draw = random.Random(f"{self.seed} {session}")
        self._hook("SessionStart", session, arguments=("1",))
        while time.monotonic() < end:
            text = self._saying(draw, session) if draw.random() < 0.4 else draw.choice(CHATTER)
            self._hook("UserPromptSubmit", session, prompt=text)
            with self.guard:
                self.number += 1
                number = self.number
            say(self.stage, number, text, session)
            if draw.random() < 0.2:
                self._hook("PostToolUse", session, tool_name="Bash")
            if draw.random() < 0.9:  # else the person pressed Esc
                self._hook("Stop", session)
            if draw.random() < 0.05:
                self._hook("PreCompact", session)
                self._hook("SessionStart", session, source="compact")
            time.sleep(self.pace * draw.random() * 2)

    def _saying(self, draw: random.Random, session: str) -> str:
        words = ["".join(draw.choice(LETTERS[at % 2]) for at in range(draw.choice((7, 8, 9)))) for _ in range(2)]
        with self.guard:
            self.tally.said[words[1]] = session
        return draw.choice(SAYINGS).format(*words)

    def _person(self, end: float) -> None:
        """Edits, deletions, verbs and kills, one after another."""
        draw = random.Random(f"{self.seed} person")
        acts: tuple[tuple[float, Callable[[random.Random], None]], ...] = (
            (0.35, self._edit), (0.15, self._delete), (0.25, self._verb), (0.25, self._kill),
        )  # fmt: skip
        while time.monotonic() < end:
            act = draw.choices([act for _, act in acts], [weight for weight, _ in acts])[0]
            act(draw)
            time.sleep(self.pace * draw.random() * 2)

    def topics(self) -> list[Path]:
        return [path for path in sorted(self.stage.memory.glob("*.md")) if path.name != "MEMORY.md"]

    def _edit(self, draw: random.Random) -> None:
        found = self.topics()
        path = draw.choice(found) if found else self.stage.memory / "own.md"
        try:
            text = path.read_text() + "\nA line by hand.\n"
            if path.exists():
                path.write_text(text)
                self.tally.events["edit"] += 1
        except OSError:
            return  # it was merged into another one meanwhile

    def _delete(self, draw: random.Random) -> None:
        found = [path for path in self.topics() if path.name != "package-manager.md"]
        if len(found) < 10:
            return
        path = draw.choice(found)
        try:
            text = path.read_text()
            path.unlink()
        except OSError:
            return
        self.tally.deleted |= {token for token in list(self.tally.said) if token in text}
        self.tally.events["delete"] += 1

    def _verb(self, draw: random.Random) -> None:
        verb = draw.choice(VERBS)
        command = [sys.executable, str(ROOT / "memory.py"), *verb]
        done = subprocess.run(command, env=self.stage.environment(), cwd=self.stage.project, capture_output=True)
        self.tally.events[f"memory.py {verb[0]}"] += 1
        if b"Traceback" in done.stderr:
            self._fault(f"memory.py {' '.join(verb)}: {done.stderr[-300:]!r}")

    def _kill(self, draw: random.Random) -> None:
        time.sleep(draw.random() * 0.3)
        for pid in self._workers():
            try:
                os.kill(pid, signal.SIGKILL)
                self.tally.events["kill"] += 1
            except ProcessLookupError:
                continue

    def _workers(self) -> list[int]:
        return [pid for pid in self.stage.processes() if b"worker.py" in _proc(pid, "cmdline")]

    def _watch(self, end: float) -> None:
        middle, looks = (time.monotonic() + end) / 2, 0
        while time.monotonic() < end:
            looks += 1
            if looks % 30 == 0:
                self._see_given_up()
            workers, half = self._workers(), int(time.monotonic() > middle)
            self.tally.processes[half] = max(self.tally.processes[half], len(workers))
            for pid in workers:
                try:
                    self.tally.descriptors = max(self.tally.descriptors, len(os.listdir(f"/proc/{pid}/fd")))
                except OSError:
                    continue
            time.sleep(0.3)

    def _hook(self, event: str, session: str, **fields: Any) -> None:
        try:
            hooked(self.stage, event, session, **fields)
        except AssertionError as problem:
            if "systemMessage" in str(problem):  # three workers were killed in a row: the person is told, once
                self.tally.events["told"] += 1
            else:
                self._fault(str(problem))
        with self.guard:
            self.tally.events[event] += 1

    def _fault(self, what: str) -> None:
        with self.guard:
            self.tally.faults.append(what)

    def _judge(self) -> None:
        """Let everything that is due come to its end undisturbed, and look."""
        for number, session in enumerate(self.sessions):
            say(self.stage, 900_000 + number, "hello again, what comes next?", session)
            self._hook("Stop", session)
        self.stage.settle(120.0)
        then = time.time() - 3_600
        for path in [*self.stage.home.rglob("*.tmp"), *self.stage.home.rglob("tmp_*")]:
            os.utime(path, (then, then))
        targets.run_worker(self.stage)
        found = [f"lost: {token!r}" for token in self._lost()]
        found += invariants.indexed(self.stage, mended=True) + invariants.unlocked(self.stage)
        found += invariants.remembered(self.stage)
        found += [f"{path.name} was left behind" for path in self.stage.home.rglob("*.tmp")]
        found += [f"{path.name} has {size} bytes" for path, size in self.journals() if size > SLACK * SIZE_LIMIT]
        early, late = self.tally.processes
        # Turns that end in one moment may start a worker each: all but one see the lock taken, and go.
        if late > max(early, 3 * len(self.sessions)):
            found.append(f"{late} workers at once, {early} in the first half")
        if self.tally.descriptors > 32:
            found.append(f"a worker had {self.tally.descriptors} descriptors open")
        self.tally.faults += found

    def journals(self) -> list[tuple[Path, int]]:
        return [(path, path.stat().st_size) for path in self.stage.own.rglob("journal/*.jsonl")]

    def _lost(self) -> list[str]:
        text = "\n".join(path.read_text(errors="replace") for path in self.topics())
        self._see_given_up()
        self.tally.events["given up"] = len(self.given_up)
        return [token for token, session in self.tally.said.items()
                if token not in text and token not in self.tally.deleted
                and not any(start <= self._place(token, session) < end
                            for start, end in self.given_up.get(session, ()))]  # fmt: skip

    def _place(self, token: str, session: str) -> int:
        """Where in the session's transcript it was said."""
        return self.stage.transcript.with_name(f"{session}.jsonl").read_bytes().find(token.encode())

    def _see_given_up(self) -> None:
        """From where to where turns of a session were let go, after as many killed workers as the product bears.

        Looked at again and again: a journal forgets its old events.
        """
        for session in self.sessions:
            start = 0
            for row in Journal(targets.state(self.stage), session).events():
                cursor = row.get("cursor")
                if not isinstance(cursor, int):
                    continue
                if str(row.get("reason", "")).startswith("given up"):
                    self.given_up.setdefault(session, set()).add((start, cursor))
                start = cursor


def _proc(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Many sessions of one project at once, for minutes.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=0.0, help="instead of minutes")
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--pace", type=float, default=0.5, help="mean seconds between two acts of one session")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a new folder that gets everything when there was a fault")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        soak = Soak(Path(folder), chosen.sessions, chosen.seed, chosen.pace)
        tally = soak.run(chosen.seconds or chosen.minutes * 60)
        print(", ".join(f"{what} {count}" for what, count in sorted(tally.events.items())))
        print(f"said {len(tally.said)}, deleted by hand {len(tally.deleted)}, memories at the end {len(soak.topics())}")
        early, late = tally.processes
        print(f"at most {early} workers at once in the first half, {late} later; {tally.descriptors} descriptors")
        if tally.faults and chosen.keep:
            shutil.copytree(folder, chosen.keep, symlinks=True)
        print("journals: " + ", ".join(str(size) for _, size in sorted(soak.journals())) + f" bytes (cap {SIZE_LIMIT})")
    for fault in tally.faults:
        print(f"    {fault}")
    print(f"{len(tally.faults)} faults" if tally.faults else "nothing was lost, nothing was left behind")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
