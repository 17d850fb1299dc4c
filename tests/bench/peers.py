"""Our hooks and those of the most used peer, side by side: same payloads, same minute, no network.

usage: python tests/bench/peers.py [--quick] [--installed FOLDER]      exit status 0 = every number held, 1 = not

The peer is installed by name with npm into a temporary folder (or is found in FOLDER, where `npm install claude-mem
bun zod` was run); everything is measured in a network namespace that has a loopback and nothing else. What the peer
leaves running is ended, by its number. Without the peer our own column is printed.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lib.host.registration import FLAGS, HOOKS, command
from tests.bench import claude_mem, processes
from tests.bench.claude_mem import Command, Missing, Peer
from tests.bench.runs import Row, interleave
from tests.bench.stages import entry, kept, memories, stage, transcript, turn
from tests.support.netns import Network
from tests.support.registered import ROOT, Stage

FASTER = 10.0  # times, for each event
EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop")
STATEMENT = "Remember: never restart the queue workers on a Friday, the weekend crew has no access."
LONG, SHORT = (8, 60), (4, 10)  # rounds, seconds after the session's end


class Pair:
    """One event: our commands and the peer's; the client starts the commands of one event together."""

    def __init__(self, event: str, ours: list[Row], theirs: list[Row], waited: bool) -> None:
        self.event = event
        self.ours = ours
        self.theirs = theirs
        self.waited = waited

    @property
    def times(self) -> float:
        return max(row.median for row in self.theirs) / max(row.median for row in self.ours)


def our_rows(made: Stage) -> dict[str, list[Row]]:
    """Every command that we register for these events, as the client hands it to the shell."""
    environment = {**made.environment(), "DISABLE_AUTO_COMPACT": "1"}
    found: dict[str, list[Row]] = {event: [] for event in EVENTS}
    for hook in HOOKS:
        if hook.event in found:
            argv = [shutil.which("sh") or "/bin/sh", "-c", command(hook, sys.executable, str(ROOT))]
            stdin = json.dumps(made.payload(hook.event)).encode()
            speaks = hook.event == "UserPromptSubmit"
            found[hook.event].append(Row(f"ours: {hook.title}", argv, stdin, environment, kept(made), speaks=speaks))
    return found


def their_row(peer: Peer, made: Stage, one: Command) -> Row:
    extra = {"reason": "other", "hook_event_name": one.event}
    fields = made.payload("Stop", **extra) if one.event == "SessionEnd" else made.payload(one.event)
    argv = [shutil.which("bash") or "/bin/bash", "-c", one.line]
    return Row(f"peer: {one.title}", argv, json.dumps(fields).encode(), peer.environment(made.project), lambda: None)


def prepared(base: Path) -> Stage:
    """A person with 200 memories whose session has begun and had a turn; nothing is due."""
    made = stage(base, "ours")
    (made.config / "settings.json").write_text('{"memoryHooks": {"backend": "rules"}}')
    memories(made, 200)
    transcript(made, 100_000)
    our_rows(made)["SessionStart"][0].run()  # the one that notes in the journal where the session began
    turn(made)
    return made


def warm(rows: list[Row]) -> dict[str, int | None]:
    """Let everything build what it keeps and start what it leaves running; then the processes that one run starts."""
    for row in rows:
        row.run()
    return {row.name: processes.started(row.argv, row.stdin, row.env) for row in rows}


def table(rows: list[Row], counted: dict[str, int | None]) -> None:
    print(f"\n{'':40} {'median ms':>9} {'p95 ms':>8} {'x bare':>7} {'CPU ms':>8} {'processes':>9}")
    for row in rows:
        number = counted.get(row.name)
        told = f"{row.median * 1000:9.1f} {row.p95 * 1000:8.1f} {row.median / rows[0].median:7.2f}"
        print(f"{row.name:40} {told} {median(row.cpu) * 1000:8.1f} {'' if number is None else number:>9}")


def compared(pairs: list[Pair]) -> bool:
    held = True
    if pairs:
        print("\nwhat the client waits for at each event: the slowest of its commands")
    for pair in pairs:
        good = pair.times >= FASTER
        held &= good
        note = "" if pair.waited else " (theirs is not waited for, the machine still pays)"
        verdict = "HELD" if good else "NOT HELD"
        print(f"{pair.event:18} {pair.times:5.1f} times faster, at least {FASTER:.0f}: {verdict}{note}")
    return held


def work(made: Stage) -> None:
    """One more turn with something to learn, so that our worker has run before we look what is left."""
    (stop,) = our_rows(made)["Stop"]
    stop.before = lambda: None
    stop.run()  # settles the turn before
    known = set(made.memory.iterdir())
    with made.transcript.open("ab") as file:
        file.write(entry(9101, STATEMENT))
        file.write(entry(9102, [{"type": "text", "text": "I will."}], role="assistant"))
    stop.run()
    until = time.monotonic() + 20
    while not (learned := set(made.memory.glob("[!.]*.md")) - known) and time.monotonic() < until:
        time.sleep(0.05)
    print(f"\nour worker wrote {', '.join(path.name for path in sorted(learned)) or 'nothing'} after the last turn")


def left(who: str, mark: str, seconds: int) -> list[processes.Process]:
    found = processes.living(mark)
    told = "nothing is running"
    if found:
        names = ", ".join(f"{one.name} ({one.megabytes:.0f} MB, {one.cpu:.1f} s of CPU so far)" for one in found)
        told = f"{len(found)} running: {names}"
    print(f"{who}, {seconds} s after the session's end: {told}")
    return found


def measure(base: Path, peer: Peer | None, rounds: int, seconds: int) -> int:
    made = prepared(base)
    ours = our_rows(made)
    bare = Row("python -I -S -c pass", [sys.executable, *FLAGS, "-c", "pass"], b"", made.environment(), lambda: None)
    commands = peer.commands() if peer else []
    theirs = [(one, their_row(peer, made, one)) for one in commands] if peer else []
    rows = [bare, *(row for event in EVENTS for row in ours[event]), *(row for _, row in theirs)]
    own_mark = f"CLAUDE_CONFIG_DIR={made.config}"
    try:
        counted = warm(rows)
        for row in rows:
            row.seconds.clear()
            row.cpu.clear()
        interleave(rows, rounds)
        table(rows, counted)
        pairs = [
            Pair(event, ours[event], [row for one, row in theirs if one.event == event],
                 any(one.waited for one, _ in theirs if one.event == event))
            for event in EVENTS if any(one.event == event for one, _ in theirs)
        ]  # fmt: skip
        held = compared(pairs)
        work(made)
        time.sleep(seconds)
        clean = not left("ours", own_mark, seconds)
        if peer:
            left(peer.version, peer.mark, seconds)
        print(f"no process of ours is left: {'HELD' if clean else 'NOT HELD'}")
        return 0 if held and clean else 1
    finally:
        processes.end(own_mark)
        if peer:
            print(f"ended of the peer: {len(processes.end(peer.mark))}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and a look 10 s after the end")
    parser.add_argument("--installed", type=Path, metavar="FOLDER", help="a folder that holds the peer already")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)  # this process stands in the namespace
    given = parser.parse_args(arguments)
    rounds, seconds = SHORT if given.quick else LONG
    if given.measure:
        return measure(given.measure, Peer(given.installed) if given.installed else None, rounds, seconds)
    base = Path(tempfile.mkdtemp(prefix="memory-hooks-peers-"))
    peer: Peer | None = None
    try:
        peer = claude_mem.ready(given.installed) if given.installed else claude_mem.fetch(base / "peer")
        print(peer.version, flush=True)
    except Missing as why:
        print(f"the peer is not measured: {why}", flush=True)
    try:
        with Network() as network:
            where = "in a network namespace of its own" if network.isolated else "no namespace here: on this loopback"
            print(where, flush=True)
            chosen = [f"--installed={peer.folder}"] if peer else []
            again = [sys.executable, __file__, f"--measure={base}", *chosen, *(["--quick"] if given.quick else [])]
            environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
            return subprocess.run(network.command(again), env=environment).returncode
    finally:
        if peer:
            processes.end(peer.mark)
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
