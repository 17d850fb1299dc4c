"""Who thinks, and with which model."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lib.host.settings import Settings
from lib.model import login, outage
from lib.model.catalog import DEFAULTS, model
from lib.model.choice import Choice, choose

KEY = {"ANTHROPIC_API_KEY": "sk-1"}
NOW = 1_800_000_000.0


def settings(**options: object) -> Settings:
    return Settings({}, dict(options), [])


class Machine:
    """A person's configuration, and a client that exists when it is put there."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.config = home / ".claude"
        self.env = {"HOME": str(home), "PATH": "/nonexistent"}

    def put_client(self, version: str = "2.1.332") -> Path:
        program = self.home / "somewhere" / "claude"
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        own = self.config / "memory-hooks"
        own.mkdir(exist_ok=True)
        (own / "host.json").write_text(json.dumps({"claude": {"path": str(program), "version": version}}))
        return program

    def log_in(self) -> None:
        (self.config / login.CREDENTIALS).write_text("nobody reads this")

    def choose(self, backend: str = "auto", **env: str) -> Choice:
        return choose(settings(backend=backend), {**self.env, **env}, now=NOW)


@pytest.fixture
def machine(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr("lib.host.program.candidates.__defaults__", ((),))  # whatever this machine has installed
    return Machine(own_home)


@pytest.mark.parametrize(
    ("backend", "env", "chosen", "said"),
    [
        ("auto", KEY, "anthropic", "no client was found"),
        ("auto", {}, "rules", "ANTHROPIC_API_KEY is not in the environment"),
        ("", KEY, "anthropic", "a key is in the environment"),
        ("rules", KEY, "rules", "nothing leaves"),
        ("anthropic", KEY, "anthropic", "a key is in the environment"),
        ("Anthropic ", {"ANTHROPIC_AUTH_TOKEN": "t"}, "anthropic", "a key is in the environment"),
        ("anthropic", {}, "rules", "ANTHROPIC_API_KEY is not in the environment"),
        ("anthropic", {"ANTHROPIC_API_KEY": ""}, "rules", "not in the environment"),
        ("claude", KEY, "rules", "no client was found"),
        ("gpt", KEY, "rules", "'gpt' is no backend"),
    ],
)
def test_a_backend_that_cannot_work_falls_back_and_the_reason_is_said(
    machine: Machine, backend: str, env: dict[str, str], chosen: str, said: str
) -> None:
    choice = machine.choose(backend, **env)
    assert choice.backend == chosen
    assert said in choice.reason


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK"])
def test_auto_takes_the_client_that_is_logged_in_by_a_variable(machine: Machine, name: str) -> None:
    program = machine.put_client()
    choice = machine.choose(**{name: "made-up"})
    assert (choice.backend, choice.program and choice.program.path) == ("claude", str(program))
    assert name in choice.reason and "made-up" not in choice.reason


def test_auto_takes_the_client_whose_login_is_stored_without_reading_it(machine: Machine) -> None:
    machine.put_client()
    machine.log_in()
    (machine.config / login.CREDENTIALS).chmod(0)
    assert machine.choose().backend == "claude"


def test_auto_does_without_a_client_that_nobody_is_logged_in_to(machine: Machine) -> None:
    machine.put_client()
    choice = machine.choose()
    assert choice.backend == "rules" and "the client is not logged in" in choice.reason


def test_in_a_keychain_nobody_looks_but_a_client_that_was_used_counts(tmp_path: Path) -> None:
    config = tmp_path / ".claude"
    config.mkdir()
    assert login.evidence(str(config), {}, {}, "darwin") == ""
    (tmp_path / ".claude.json").write_text("{}")
    assert login.evidence(str(config), {}, {}, "darwin") != ""
    assert login.evidence(str(config), {}, {}, "linux") == ""
    assert login.evidence(str(config), {}, {"apiKeyHelper": "x"}, "linux") != ""


def test_an_old_client_is_not_used_and_its_version_is_said(machine: Machine) -> None:
    machine.put_client("1.0.88")
    choice = machine.choose(**KEY)
    assert choice.backend == "anthropic" and "1.0.88 is too old" in choice.reason


def test_a_client_that_is_gone_is_not_used(machine: Machine) -> None:
    machine.put_client().unlink()
    assert "no client was found" in machine.choose("claude").reason


def test_a_fault_is_remembered_for_a_day_and_a_new_login_ends_it(machine: Machine) -> None:
    machine.put_client()
    machine.log_in()
    stored = machine.config / login.CREDENTIALS
    os.utime(stored, (NOW - 100, NOW - 100))
    outage.failed(str(machine.config), "claude", "auth", "Not logged in", NOW - 50)
    choice = machine.choose()
    assert choice.backend == "rules" and "Not logged in" in choice.reason and "until" in choice.reason
    assert machine.choose(**KEY).backend == "anthropic"
    assert choose(settings(backend="auto"), machine.env, now=NOW + 86_400).backend == "claude"
    os.utime(stored, (NOW - 10, NOW - 10))
    assert machine.choose().backend == "claude"


def test_a_key_never_stands_in_the_reason(machine: Machine) -> None:
    for backend in ("auto", "anthropic"):
        assert "sk-secret" not in machine.choose(backend, ANTHROPIC_API_KEY="sk-secret").reason


def test_each_job_has_a_default_model_that_the_person_may_change() -> None:
    assert model("extract") == DEFAULTS["extract"]
    assert model("extract", settings()) == DEFAULTS["extract"]
    assert model("extract", settings(**{"models.extract": " claude-other "})) == "claude-other"
    assert model("unheard-of", settings()) == DEFAULTS["select"]


def test_an_interpreter_without_packages_thinks_by_rules_and_one_that_has_them_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda package: None)
    env = {**KEY, "HOME": str(tmp_path)}
    bare = choose(settings(), env, now=NOW)
    assert bare.backend == "rules" and "not installed here" in bare.reason
    assert choose(settings(), env, now=NOW, equipped=True).backend == "anthropic"
