"""Who thinks, and with which model."""

from __future__ import annotations

import pytest

from lib.host.settings import Settings
from lib.model.catalog import DEFAULTS, model
from lib.model.choice import Choice, choose

KEY = {"ANTHROPIC_API_KEY": "sk-1"}


def settings(**options: object) -> Settings:
    return Settings({}, dict(options), [])


@pytest.mark.parametrize(
    ("backend", "env", "chosen", "said"),
    [
        ("auto", KEY, "rules", "offline"),
        ("auto", {}, "rules", "offline"),
        ("rules", KEY, "rules", "nothing leaves"),
        ("anthropic", KEY, "anthropic", "a key is in the environment"),
        ("Anthropic ", {"ANTHROPIC_AUTH_TOKEN": "t"}, "anthropic", "a key is in the environment"),
        ("anthropic", {}, "rules", "ANTHROPIC_API_KEY is not in the environment"),
        ("anthropic", {"ANTHROPIC_API_KEY": ""}, "rules", "not in the environment"),
        ("gpt", KEY, "rules", "'gpt' is no backend"),
        ("", KEY, "rules", "offline"),
    ],
)
def test_a_backend_that_cannot_work_falls_to_rules_and_the_reason_is_said(
    backend: str, env: dict[str, str], chosen: str, said: str
) -> None:
    choice = choose(settings(backend=backend), env)
    assert choice.backend == chosen
    assert said in choice.reason


def test_a_key_never_stands_in_the_reason() -> None:
    choice = choose(settings(backend="anthropic"), {"ANTHROPIC_API_KEY": "sk-secret"})
    assert choice == Choice("anthropic", "the settings ask for anthropic and a key is in the environment")


def test_each_job_has_a_default_model_that_the_person_may_change() -> None:
    assert model("extract") == DEFAULTS["extract"]
    assert model("extract", settings()) == DEFAULTS["extract"]
    assert model("extract", settings(**{"models.extract": " claude-other "})) == "claude-other"
    assert model("unheard-of", settings()) == DEFAULTS["select"]
