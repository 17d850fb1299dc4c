"""Other real agents, headless, each in the person's home and against a scripted API of its own form.

They lie in ignored folders (`tests/.clients-<host>`) where `python tests` installs them, pinned.
"""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.netns import Network

TESTS = Path(__file__).resolve().parent.parent
KEY = "made-up-for-a-test"
# Unlike the folder for Claude Code these hold scripts for Node, so the versions that were seen are what is run.
PACKAGES = {
    "codex": ("@openai/codex", "0.171.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "qwen": ("@qwen-code/qwen-code", "0.15.10"),
}
_PROGRAMS = {
    "codex": "@openai/codex-*/vendor/*/*/codex",
    "gemini": "@google/gemini-cli/bundle/gemini.js",
    "qwen": "@qwen-code/qwen-code/cli.js",
}
_NODE = (20, 0)
_NAMED = os.environ.get("MEMORY_HOOKS_TEST_HOSTS")  # read before a test's own environment is made


def folder(host: str) -> Path:
    return TESTS / f".clients-{host}"


def wanted() -> list[str]:
    """The agents that the tests are to be run with: MEMORY_HOOKS_TEST_HOSTS names them, else all."""
    return _NAMED.split() if _NAMED is not None else list(PACKAGES)


def installed(host: str) -> bool:
    package, version = PACKAGES[host]
    manifest = folder(host) / "node_modules" / package / "package.json"
    pinned = manifest.exists() and f'"version": "{version}"' in manifest.read_text(encoding="utf-8")
    return pinned and _program(host) is not None


def command(host: str) -> list[str]:
    """How the client is started, [] when it is not here: a native program, or a script under a Node that can run it."""
    found = _program(host) if installed(host) else None
    if found is None:
        return []
    if found.suffix != ".js":
        return [str(found)]
    node = shutil.which("node")
    return [node, str(found)] if node and _node_version(node) >= _NODE else []


def _program(host: str) -> Path | None:
    found = [path for path in sorted((folder(host) / "node_modules").glob(_PROGRAMS[host])) if path.is_file()]
    return found[0] if found else None


def _node_version(node: str) -> tuple[int, ...]:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30).stdout
    return tuple(int(part) for part in told.strip().lstrip("v").split(".")[:2] if part.isdigit())


@dataclass(frozen=True)
class OtherClient:
    """One person's agent `host`; `home` holds its settings, `api` is the base URL of its model."""

    host: str
    home: Path
    api: str
    network: Network

    def settle_in(self) -> None:
        """Write the settings with which it talks to nobody but the scripted API."""
        if self.host == "codex":
            config = self.home / ".codex" / "config.toml"
            config.parent.mkdir(exist_ok=True)
            config.write_text(
                'model = "scripted"\nmodel_provider = "scripted"\ncheck_for_update_on_startup = false\n'
                '[analytics]\nenabled = false\n[model_providers.scripted]\nname = "scripted"\n'
                f'base_url = "{self.api}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n'
            )
            return
        settings = {
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
            "security": {"auth": {"selectedType": "gemini-api-key" if self.host == "gemini" else "openai"}},
        }
        path = self.home / f".{self.host}" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(settings, indent=2))

    def environment(self, config: Path) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {
            "codex": {"SCRIPTED_KEY": KEY},
            "gemini": {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": self.api, "GEMINI_CLI_NO_RELAUNCH": "1",
                       "GEMINI_CLI_TRUST_WORKSPACE": "true"},
            "qwen": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{self.api}/v1", "OPENAI_MODEL": "scripted",
                     "QWEN_CODE_NO_RELAUNCH": "1"},
        }[self.host]  # fmt: skip
        return {**kept, **own, "HOME": str(self.home), "CLAUDE_CONFIG_DIR": str(config), "NO_COLOR": "1"}

    def ask(self, prompt: str, cwd: Path, config: Path, seconds: float = 90.0) -> str:
        """One headless session, which must succeed; what it printed."""
        arguments = {
            # Trust is a person's to give, in a dialogue; these hooks are ours.
            "codex": ["exec", "--dangerously-bypass-hook-trust", "--sandbox", "read-only", prompt],
            "gemini": ["-m", "gemini-2.5-flash", "-p", prompt],
            "qwen": ["--auth-type", "openai", "-p", prompt],
        }[self.host]
        return self._run([*command(self.host), *arguments], cwd, self.environment(config), seconds)

    def _run(self, argv: list[str], cwd: Path, env: Mapping[str, str], seconds: float) -> str:
        process = subprocess.Popen(
            self.network.command(argv), cwd=cwd, env=env, start_new_session=True, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"{self.host} ran over {seconds} s\n{out}\n{err}") from None
        assert process.returncode == 0, f"{self.host} ended with {process.returncode}\n{out}\n{err}"
        return out
