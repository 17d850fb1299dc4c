"""What docs/team-server.md and its files show is what the server does."""
from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lib.team import wire
from lib.team.server import __main__ as command
from lib.team.server import serving
from lib.team.server.limits import Limits
from tests.support.team_server import ROOT

pytestmark = pytest.mark.heavy

GUIDE = (ROOT / "docs" / "team-server.md").read_text(encoding="utf-8")
UNIT = (ROOT / "docs" / "team-server" / "memory-team.service").read_text(encoding="utf-8")
IMAGE = (ROOT / "docs" / "team-server" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", GUIDE, re.M | re.S)


def test_the_commands_that_are_shown_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    making, serving_it = blocks("sh")
    folder = tmp_path_factory.mktemp("trial")
    found = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-e", "-c", making], cwd=folder, env=found, capture_output=True, text=True)
    token, listed = done.stdout.splitlines()
    assert done.returncode == 0 and re.fullmatch(r"mht_[0-9a-f]{16}_.{43}", token)
    assert listed.split()[2:] == ["acme/app", "alice"] and (folder / "team.sqlite").is_file()
    started = served(serving_it)
    assert (started.verb, started.host, started.port, started.workers) == ("serve", "127.0.0.1", 8765, 2)


def test_every_block_is_run_here_or_marked_as_an_example() -> None:
    parts = re.split(r"^```", GUIDE, flags=re.M)
    before = {parts[at + 1].partition("\n")[0]: parts[at] for at in range(0, len(parts) - 1, 2)}
    assert set(before) == {"console", "sh", "nginx", "json", "text"}
    for at in range(0, len(parts) - 1, 2):
        if parts[at + 1].startswith(("console", "nginx")):
            assert re.search(r"\b[Ee]xample\b[^.\n]*:\s*$", parts[at]), parts[at][-80:]


def test_the_guide_tells_the_limits_that_hold() -> None:
    limits = Limits()
    told = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", GUIDE.split("## Limits")[1], re.M))
    assert told["one memory"].startswith(f"{wire.ENTRY_BYTES // 1024} KB")
    assert told["body of a request, as sent"].startswith(f"{wire.BODY_BYTES // 1024} KB")
    assert told["memories of a repository"].startswith(f"{limits.entries:,} ")
    assert told["all memories of a repository"] == f"{limits.total_bytes >> 20} MB"
    assert told["requests of a token"].startswith(f"{limits.rate:g} a second after the first {limits.burst},")
    assert told["arrival of a body"] == f"{limits.body_seconds:g} s"
    assert told["connections"] == f"{serving.CONNECTIONS} a process"


def test_the_unit_starts_the_server_from_its_folder() -> None:
    values = dict(re.findall(r"^(\w+)=(.*)$", UNIT, re.M))
    started = served(values["ExecStart"])
    assert (started.verb, started.host, started.port, started.workers) == ("serve", "127.0.0.1", 8765, 2)
    state = f"/var/lib/{values['StateDirectory']}/"
    assert values["Environment"].startswith(f"MEMORY_TEAM_DATABASE={state}")
    assert int(values["TimeoutStopSec"]) > serving.ENDING_SECONDS
    assert values["ExecStart"].startswith(values["WorkingDirectory"])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_understands_the_unit(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("unit") / "memory-team.service"
    path.write_text(UNIT.replace("/opt/memory-hooks/.venv-server/bin/python", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(path)], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if "memory-team" in line] == []


def test_what_the_image_copies_is_enough_to_serve(tmp_path_factory: pytest.TempPathFactory) -> None:
    srv = tmp_path_factory.mktemp("srv")
    for line in re.findall(r"^COPY (.+)$", IMAGE, re.M):
        copied(shlex.split(line), srv)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    start, check = (json.loads(line) for line in re.findall(r"^(?:HEALTHCHECK .*|)CMD (\[.*\])$", IMAGE, re.M)[::-1])
    asked = command.arguments(start[3:])
    assert start[:3] == ["python", "-m", "lib.team.server"] and (asked.host, asked.port) == ("0.0.0.0", 8765)
    changed = {"0.0.0.0": "127.0.0.1", "8765": port, "python": sys.executable, "2": "1"}
    found = {**os.environ, "MEMORY_TEAM_DATABASE": str(srv / "team.sqlite"), "PYTHONDONTWRITEBYTECODE": "1"}
    server = subprocess.Popen([changed.get(word, word) for word in start], cwd=srv, env=found, stderr=subprocess.PIPE)
    try:
        asks = [sys.executable, *check[1:2], check[2].replace("8765", port)]
        for _ in range(100):
            healthy = subprocess.run(asks, capture_output=True).returncode == 0
            if healthy or server.poll() is not None:
                break
            time.sleep(0.2)
        assert healthy
    finally:
        server.terminate()
        said = server.communicate(timeout=30)[1].decode()
    assert server.returncode == 0 and "Traceback" not in said
    assert "TLS is the task of a proxy" in said


def copied(words: list[str], to: Path) -> None:
    *given, target = words
    for name in given:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (to / target).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / target)


def served(line: str) -> argparse.Namespace:
    """What the server understands of a command line that starts it."""
    words = shlex.split(line)
    assert words[1:3] == ["-m", "lib.team.server"]
    return command.arguments(words[3:])
