"""The person's settings hold in full; a checked-out project can only switch things off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import settings


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    for folder in ("config", "project/.claude", "managed"):
        (tmp_path / folder).mkdir(parents=True)
    return {
        "user": tmp_path / "config" / "settings.json",
        "project": tmp_path / "project" / ".claude" / "settings.json",
        "local": tmp_path / "project" / ".claude" / "settings.local.json",
        "managed": tmp_path / "managed" / "managed-settings.json",
    }


def load(places: dict[str, Path], **contents: object) -> settings.Settings:
    for name, content in contents.items():
        places[name].write_text(json.dumps(content), encoding="utf-8")
    env = {"CLAUDE_CONFIG_DIR": str(places["user"].parent)}
    return settings.load(env, str(places["project"].parent.parent), managed=str(places["managed"]))


def test_nothing_set_gives_the_defaults(places: dict[str, Path]) -> None:
    chosen = load(places)
    assert {name: chosen.option(name) for name in settings.OPTIONS} == {n: d for n, (d, _) in settings.OPTIONS.items()}
    assert chosen.problems == []


def test_user_settings_hold_and_managed_ones_win(places: dict[str, Path]) -> None:
    own = {"memoryHooks": {"backend": "anthropic", "recall": {"max": 3}}, "autoMemoryDirectory": "/u"}
    chosen = load(places, user=own, managed={"memoryHooks": {"backend": "rules"}, "autoMemoryDirectory": "/m"})
    assert (chosen.option("backend"), chosen.option("recall.max"), chosen.get("autoMemoryDirectory")) == (
        "rules",
        3,
        "/m",
    )


@pytest.mark.parametrize("name", ["project", "local"])
def test_a_project_moves_no_directory_starts_no_backend_and_raises_nothing(places: dict[str, Path], name: str) -> None:
    greedy = {
        "autoMemoryDirectory": "/evil", "autoMemoryEnabled": True,
        "memoryHooks": {
            "backend": "anthropic", "enabled": True,
            "recall": {"max": 50}, "extract": {"everyTurns": 0, "maxTurns": 99},
        },
    }  # fmt: skip
    chosen = load(places, user={"autoMemoryEnabled": False, "memoryHooks": {"enabled": False}}, **{name: greedy})
    assert chosen.get("autoMemoryDirectory") is None
    assert chosen.get("autoMemoryEnabled") is False
    assert chosen.option("enabled") is False
    assert chosen.option("backend") == "auto"
    assert (chosen.option("recall.max"), chosen.option("extract.everyTurns"), chosen.option("extract.maxTurns")) == (
        5,
        1,
        5,
    )


def test_a_project_may_switch_off_and_tune_down(places: dict[str, Path]) -> None:
    modest = {
        "autoMemoryEnabled": False,
        "memoryHooks": {"backend": "rules", "recall": {"max": 2, "selector": "off"}, "extract": {"everyTurns": 4}},
    }
    chosen = load(
        places, user={"memoryHooks": {"backend": "anthropic"}}, project=modest, local={"autoDreamEnabled": False}
    )
    assert chosen.get("autoMemoryEnabled") is False
    assert chosen.get("autoDreamEnabled") is False
    assert chosen.option("backend") == "rules"
    assert (chosen.option("recall.max"), chosen.option("recall.selector"), chosen.option("extract.everyTurns")) == (
        2,
        "off",
        4,
    )


def test_a_project_cannot_switch_recall_back_on(places: dict[str, Path]) -> None:
    chosen = load(
        places,
        user={"memoryHooks": {"recall": {"selector": "off"}}},
        project={"memoryHooks": {"recall": {"selector": "offline"}}},
    )
    assert chosen.option("recall.selector") == "off"


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"null", b"{", b'{"memoryHooks": [1]}', b"\xff\xfe", b"[" * 100_000, b'{"a": 1,}']
)
def test_an_unreadable_file_counts_as_absent_and_is_named(places: dict[str, Path], raw: bytes) -> None:
    places["user"].write_bytes(raw)
    chosen = load(places, project={"autoMemoryEnabled": False})
    assert chosen.get("autoMemoryEnabled") is False
    assert chosen.option("backend") == "auto"
    readable = raw.startswith(b'{"memoryHooks"')
    assert [str(places["user"]) in problem for problem in chosen.problems] == ([] if readable else [True])


def test_a_byte_order_mark_is_no_fault(places: dict[str, Path]) -> None:
    places["user"].write_bytes(b"\xef\xbb\xbf" + b'{"memoryHooks": {"backend": "rules"}}')
    assert load(places).option("backend") == "rules"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda s: st.lists(s) | st.dictionaries(st.text(), s),
)


@pytest.mark.heavy
@given(
    st.dictionaries(
        st.sampled_from(["enabled", "backend", "extract", "recall", "index", "models"]),
        JSON | st.dictionaries(st.sampled_from(["max", "selector", "everyTurns", "enabled"]), JSON),
    )
)
def test_an_option_always_has_its_defaults_type(own: dict[str, object]) -> None:
    found = settings._own({"memoryHooks": own})
    for name, value in found.items():
        assert type(value) is type(settings.OPTIONS[name][0])
