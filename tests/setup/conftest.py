from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Installer = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the product needs to run, under a name that every shell has to be asked nicely for."""
    root = tmp_path / "a b" / "it's $HOME" / "ü `x`"
    root.mkdir(parents=True)
    for name in ("commands", "hooks", "lib"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("install.py", "requirements.txt"):
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config dir"


@pytest.fixture
def installer(checkout: Path, config: Path, tmp_path: Path) -> Installer:
    """Runs the checkout's install.py as a person would; returns when it has ended."""

    def run(
        *arguments: str, root: Path = checkout, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        own = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "CLAUDE_CONFIG_DIR": str(config)}
        return subprocess.run(
            [sys.executable, str(root / "install.py"), *arguments],
            env=own if env is None else {"PATH": os.environ["PATH"], **env},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run
