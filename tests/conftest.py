"""Every test has a home, a client configuration and an environment of its own, and writes nowhere else."""
from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import configuration, settings

from tests.support import write_guard
from tests.support.write_guard import writes_stay_inside

__all__ = ["no_deadline_left", "own_home", "writes_stay_inside"]

ROOT = Path(__file__).resolve().parent.parent
# What a test may inherit. Everything else goes: a machine may hold CLAUDE_*, ANTHROPIC_* or GIT_* of its own.
INHERITED = {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "CI", "MEMORY_HOOKS_TEST_CLIENT"}

# A slow machine is no failing test, and a found example belongs into the test, not into a local database.
settings.register_profile("house", deadline=None, database=None)
settings.load_profile("house")
configuration.set_hypothesis_home_dir(ROOT / ".hypothesis")


def pytest_configure(config: pytest.Config) -> None:
    write_guard.pytest_configure(config)


@pytest.fixture(autouse=True)
def own_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A fresh HOME holding an empty `.claude`; the working directory is the test's `tmp_path`, which stays empty."""
    home = tmp_path_factory.mktemp("home")
    (home / ".claude").mkdir()
    for name in list(os.environ):
        if name not in INHERITED and not name.startswith(("PYTEST_", "COVERAGE_", "COV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # A relative path that is written by mistake lands where nobody is harmed.
    monkeypatch.chdir(tmp_path)
    yield home


@pytest.fixture(autouse=True)
def no_deadline_left() -> Iterator[None]:
    """The worker's jobs have the kernel end their process when they hang: here that process runs all the tests."""
    yield
    if hasattr(signal, "alarm"):
        signal.alarm(0)
