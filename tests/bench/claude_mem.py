"""The most used peer, claude-mem, as its own package registers it: fetched by name, in a home of its own, offline.

Nothing of the machine's own reaches it: no key, no login, no telemetry; its worker listens on the loopback alone.
"""
from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGES = ("claude-mem", "bun", "zod")  # it, the program its hooks ask for, and what its plugin's scripts load
SHELL_EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd")
# Its search by meaning would download a model and start one more service: the peer is measured at its lightest.
QUIET = {
    "DO_NOT_TRACK": "1", "CLAUDE_MEM_TELEMETRY": "0", "CLAUDE_MEM_CHROMA_ENABLED": "false",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CLAUDE_MEM_ONLINE_OPTIN": "false",
}  # fmt: skip


class Missing(Exception):
    """The peer cannot be had here; the message says why."""


@dataclass(frozen=True)
class Command:
    """One registered command: `waited` is False when the client does not wait for it."""

    event: str
    line: str
    waited: bool

    @property
    def title(self) -> str:
        return f"{self.event}, {self.line.split()[-1]}"


@dataclass(frozen=True)
class Peer:
    """An installed package; `folder` also holds the home that it runs in."""

    folder: Path

    @property
    def plugin(self) -> Path:
        return self.folder / "node_modules" / "claude-mem" / "plugin"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def config(self) -> Path:
        return self.home / ".claude"

    @property
    def version(self) -> str:
        return f"claude-mem {_version(self.plugin.parent)}, bun {_version(self.folder / 'node_modules' / 'bun')}"

    @property
    def mark(self) -> str:
        """The line in the environment of whatever it starts."""
        return f"HOME={self.home}"

    def environment(self, project: Path) -> dict[str, str]:
        place = {"CLAUDE_PLUGIN_ROOT": str(self.plugin), "CLAUDE_PROJECT_DIR": str(project)}
        own = {"HOME": str(self.home), "CLAUDE_CONFIG_DIR": str(self.config), "CLAUDECODE": "1"}
        return {"PATH": os.environ["PATH"], **QUIET, **own, **place}

    def commands(self) -> list[Command]:
        """What its hooks.json registers, in the order of a session."""
        return registered(json.loads((self.plugin / "hooks" / "hooks.json").read_text()), SHELL_EVENTS)


def registered(hooks: Mapping[str, Any], events: tuple[str, ...]) -> list[Command]:
    """The commands of a hooks.json for these events; raises KeyError or TypeError on another shape."""
    return [
        Command(event, hook["command"], hook.get("async") is not True)
        for event in events
        for group in hooks["hooks"].get(event, [])
        for hook in group["hooks"]
    ]


def fetch(folder: Path, seconds: int = 240) -> Peer:
    """Install the current version into `folder` by name; raises Missing. The only step that needs a network."""
    if not (npm := shutil.which("npm")) or not shutil.which("node"):
        raise Missing("there is no npm and node")
    home = folder / "home"
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    cache = folder / "npm-cache"
    flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", "--omit=dev", f"--cache={cache}"]
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    try:
        ran = subprocess.run(
            [npm, "install", *flags, *PACKAGES], cwd=folder, env={**kept, "HOME": str(home)}, text=True,
            capture_output=True, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Missing(f"npm install took over {seconds} s") from None
    if ran.returncode:
        raise Missing(f"npm install failed: {(ran.stderr.strip().splitlines() or ['no word'])[-1][:200]}")
    return ready(folder)


def ready(folder: Path) -> Peer:
    """The peer in a folder where it was installed, with Bun where its commands look for it; raises Missing."""
    peer = Peer(folder)
    if not (peer.plugin / "hooks" / "hooks.json").is_file():
        raise Missing(f"no plugin in {peer.plugin}: the package has another shape than before")
    machine = "aarch64" if platform.machine().lower() in ("aarch64", "arm64") else "x64"
    found = sorted((folder / "node_modules" / "@oven").glob(f"bun-*-{machine}/bin/bun"))
    if not found:
        raise Missing("Bun has no build for this machine")
    place = peer.home / ".local" / "bin"
    place.mkdir(parents=True, exist_ok=True)
    peer.config.mkdir(parents=True, exist_ok=True)
    if not (place / "bun").exists():
        (place / "bun").symlink_to(found[0])
    return peer


def _version(package: Path) -> str:
    return str(json.loads((package / "package.json").read_text())["version"])
