"""How old a memory is, in words: models reason about "47 days ago", not about timestamps. Req: C2."""

from __future__ import annotations

DAY = 86_400  # seconds


def days(then: float, now: float) -> int:
    """Whole days since `then` (both in seconds since the epoch); a time in the future counts as today."""
    return max(0, int((now - then) // DAY))


def words(then: float, now: float) -> str:
    age = days(then, now)
    return ("today", "yesterday")[age] if age < 2 else f"{age} days ago"


def caveat(then: float, now: float) -> str:
    """What to keep in mind about a memory older than a day; "" for a younger one."""
    age = days(then, now)
    if age <= 1:
        return ""
    return f"Noted {age} days ago and true then: check it against the code as it is now before relying on it."
