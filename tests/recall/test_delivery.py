"""The index is delivered exactly where nobody else has, and a memory where the model does not have it."""
from __future__ import annotations

import pytest

from lib.journal import Run, Skip
from lib.recall import delivery

CLIENT = {"CLAUDECODE": "1"}


@pytest.mark.parametrize(
    ("version", "native"),
    [
        ("2.1.59", True), ("2.1.60", True), ("2.2.0", True), ("3.0.0", True), ("10.0.0", True), ("2.1.197", True),
        ("2.1.58", False), ("2.0.99", False), ("1.9.99", False), ("2.1.9", False),
        # not known: the present client does
        ("", True), ("2.1", True), ("unknown", True), ("2.x.1", True),
    ],
)  # fmt: skip
def test_the_client_loads_the_index_itself_since_a_version(version: str, native: bool) -> None:
    assert delivery.native(CLIENT, version) is native


@pytest.mark.parametrize("env", [{}, {"CLAUDECODE": ""}, {"CLAUDECODE": "0"}])
def test_another_host_loads_no_index(env: dict[str, str]) -> None:
    assert delivery.native(env, "2.1.332") is False


# (source, mode, off, loaded by the host) -> the reason for not delivering, "" for delivering
INDEX = {
    ("startup", "auto", "", False): "", ("clear", "auto", "", False): "", ("compact", "auto", "", False): "",
    ("", "auto", "", False): "", ("something-new", "auto", "", False): "",
    ("startup", "auto", "", True): "native_memory", ("clear", "auto", "", True): "native_memory",
    ("compact", "auto", "", True): "native_memory", ("something-new", "auto", "", True): "native_memory",
    ("startup", "always", "", True): "", ("compact", "always", "", True): "",
    ("resume", "auto", "", False): "in_context", ("fork", "auto", "", False): "in_context",
    ("resume", "always", "", True): "in_context",
    ("startup", "never", "", False): "switched_off", ("resume", "never", "", False): "switched_off",
    ("startup", "always", "disabled", False): "disabled", ("resume", "never", "disabled", True): "disabled",
    ("startup", "some other word", "", True): "native_memory", ("startup", "some other word", "", False): "",
}  # fmt: skip


@pytest.mark.parametrize("row", INDEX)
def test_the_index_is_delivered_to_who_does_not_have_it(row: tuple[str, str, str, bool]) -> None:
    source, mode, off, loaded = row
    verdict = delivery.index(source=source, mode=mode, off=off, loaded_by_host=loaded)
    assert verdict.reason == INDEX[row]
    assert isinstance(verdict, Skip if INDEX[row] else Run)


def test_a_memory_is_news_until_it_was_shown() -> None:
    found = [("a.md", "v1", "other"), ("b.md", "v1", ""), ("c.md", "v2", "other")]
    assert delivery.news(found, {}, "s") == ["a.md", "b.md", "c.md"]
    assert delivery.news(found, {"a.md": "v1", "c.md": "v1"}, "s") == ["b.md", "c.md"]
    assert delivery.news(found, {"a.md": "v1", "b.md": "v1", "c.md": "v2"}, "s") == []


def test_what_was_noted_in_this_session_is_no_news_to_it() -> None:
    found = [("a.md", "v1", "s"), ("b.md", "v1", "other")]
    assert delivery.news(found, {}, "s") == ["b.md"]
    # after compaction nothing counts as said in this session
    assert delivery.news(found, {}, "") == ["a.md", "b.md"]
