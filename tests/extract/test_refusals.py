"""What is refused, even when the person says "remember"."""

from __future__ import annotations

import datetime

import pytest

from lib.extract import refusals
from lib.extract.rules import candidates

TODAY = datetime.date(2026, 11, 30)


@pytest.mark.parametrize(
    "fact",
    [
        "the function parse_config is in src/config.py",
        "the class UserService has three methods",
        "the login page lives in app/login/page.tsx",
        "the orders table has a status column",
        "commit 3fa9c1d introduced the regression",
        "we merged the auth branch yesterday",
        "the last commit fixed the login",
        "the bug was caused by a missing await",
        "to fix the build you delete node_modules and reinstall",
        "I'm currently working on the importer",
        "we are halfway through the migration",
        "the next step is the upload form",
        "the tests are currently failing",
        "it is all documented in CLAUDE.md",
    ],
)
@pytest.mark.parametrize("asked", ["Remember that {}", "please remember: {}", "Remember for the future: {}"])
def test_what_the_repository_or_the_task_records_is_refused_even_when_asked(asked: str, fact: str) -> None:
    assert candidates([asked.format(fact)], today=TODAY) == []


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("should we always use pnpm?", "question"),
        ("why is it never used", "question"),
        ("do you remember my name", "question"),
        ("as i remember it, we use pnpm", "memory_talk"),
        ("maybe we should always use pnpm", "supposed"),
        ("if the user never logs in, always show the hint", "supposed"),
        ("in this branch always use the new logger", "this_task"),
        ("for now always return true", "this_task"),
        ("the docs say to always use a lock", "reported"),
        ("it never worked", "past"),
        ("i always forget the flag", "past"),
        ("always use pnpm", ""),
        ("in this repo always use pnpm", ""),
        ("can you please always use pnpm?", ""),
        ("if you add a package, always use pnpm", ""),
    ],
)
def test_refusal_names_its_reason(sentence: str, reason: str) -> None:
    assert refusals.refusal(sentence) == reason


@pytest.mark.parametrize(
    ("sentence", "product"),
    [
        ("the button should always be visible", True),
        ("it must never return null", True),
        ("users can always undo", True),
        ("make the list always sorted", True),
        ("always use pnpm", False),
        ("we never push to main", False),
        ("you should always ask first", False),
    ],
)
def test_behaviour_of_the_product_is_told_from_habits(sentence: str, product: bool) -> None:
    assert refusals.product(sentence) is product


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("token: sk-abc123def456ghi789", True),
        ("the password is hunter2!", True),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x", True),
        ("-----BEGIN RSA PRIVATE KEY-----", True),
        ("https://me:secret99@host/x", True),
        ("never commit secrets or tokens", False),
        ("the token is stored in a cookie", False),
        ("ask Dana for the password", False),
    ],
)
def test_secrets_are_known_by_their_shape(text: str, secret: bool) -> None:
    assert refusals.secret(text) is secret
