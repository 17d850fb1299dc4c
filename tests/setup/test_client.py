from __future__ import annotations

import json
from pathlib import Path

import pytest

from lib.setup import client
from lib.setup.client import Client


def stub(folder: Path, body: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "claude"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_the_one_on_the_path_is_asked_first(tmp_path: Path) -> None:
    path = stub(tmp_path / "bin", 'echo "2.1.332 (Claude Code)"')
    stub(tmp_path / ".local/bin", 'echo "1.0.0"')
    found = client.find({"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}, ())
    assert found == Client(path, "2.1.332")


def test_without_a_path_the_usual_places_are_tried(tmp_path: Path) -> None:
    path = stub(tmp_path / ".claude/local", "echo 2.1.197")
    assert client.find({"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}, ()) == Client(path, "2.1.197")
    shared = stub(tmp_path / "shared", "echo 3.0.0")
    assert client.find({"PATH": "/usr/bin:/bin"}, (str(tmp_path / "shared"),)) == Client(shared, "3.0.0")


@pytest.mark.parametrize("body", ["exit 1", "echo nothing", "echo 2.1.1; exit 3", "exit 0"])
def test_one_that_tells_no_version_is_passed_over(tmp_path: Path, body: str) -> None:
    stub(tmp_path / "bin", body)
    good = stub(tmp_path / ".local/bin", "echo 2.1.2")
    assert client.find({"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}, ()) == Client(good, "2.1.2")


def test_one_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SECONDS", 0.3)
    stub(tmp_path / "bin", "sleep 60")
    assert client.find({"PATH": f"{tmp_path}/bin:/usr/bin:/bin"}, ()) is None


def test_none_is_no_error(tmp_path: Path) -> None:
    assert client.find({"PATH": "", "HOME": ""}, ()) is None
    (tmp_path / "claude").mkdir()
    assert client.find({"PATH": str(tmp_path)}, ()) is None


def test_asking_neither_sees_a_key_nor_touches_the_person_s_configuration(tmp_path: Path) -> None:
    spoil = 'mkdir -p "$CLAUDE_CONFIG_DIR"; touch "$CLAUDE_CONFIG_DIR/x"'
    stub(tmp_path / "bin", f"env > {tmp_path}/seen; {spoil}; echo 2.1.2")
    env = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "made-up"}
    assert client.find(env, ()) is not None
    seen = (tmp_path / "seen").read_text()
    assert "made-up" not in seen
    assert f"HOME={tmp_path}\n" not in seen
    assert not (tmp_path / ".claude").exists()


def test_the_note_follows_the_client_and_keeps_what_others_wrote(tmp_path: Path) -> None:
    path = tmp_path / "memory-hooks" / "host.json"
    assert not client.note(str(tmp_path), None)
    assert not path.exists()
    assert client.note(str(tmp_path), Client("/c", "2.1.2"))
    assert json.loads(path.read_text()) == {"claude": {"path": "/c", "version": "2.1.2"}}
    held = path.stat().st_mtime_ns
    assert not client.note(str(tmp_path), Client("/c", "2.1.2"))
    assert path.stat().st_mtime_ns == held
    path.write_text('{"claude": 1, "codex": {"path": "/x"}}')
    assert client.note(str(tmp_path), None)
    assert json.loads(path.read_text()) == {"codex": {"path": "/x"}}
    client.forget(str(tmp_path))
    client.forget(str(tmp_path))
    assert not path.exists()


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff"])
def test_a_damaged_note_is_written_anew(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "memory-hooks" / "host.json"
    path.parent.mkdir()
    path.write_bytes(raw)
    assert client.note(str(tmp_path), Client("/c", "2.1.2"))
    assert json.loads(path.read_text()) == {"claude": {"path": "/c", "version": "2.1.2"}}
