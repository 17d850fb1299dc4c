"""Statements that become candidates, and exactly how they are written down."""

from __future__ import annotations

import datetime

from lib.extract.rules import Candidate, candidates

TODAY = datetime.date(2026, 11, 30)


def one(text: str) -> Candidate:
    found = candidates([text], today=TODAY)
    assert len(found) == 1, [c.description for c in found]
    return found[0]


def test_explicit_rule_becomes_feedback_with_the_persons_reason() -> None:
    text = "Remember: always use pnpm here, npm corrupts the lockfile"
    found = one(text)
    assert (found.type, found.name) == ("feedback", "use-pnpm")
    assert found.description == "Always use pnpm here, npm corrupts the lockfile"
    assert found.body.startswith(
        "Always use pnpm here, npm corrupts the lockfile.\n\n**Why:** npm corrupts the lockfile.\n**How to apply:** "
    )
    assert found.quote == text
    assert {"pnpm", "dependency", "install"} <= set(found.applies)


def test_reason_that_was_not_given_is_not_invented() -> None:
    assert "**Why:** not stated.\n" in one("don't mock the database").body
