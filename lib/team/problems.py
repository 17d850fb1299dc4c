"""What can keep a team's store from answering, in words a person can act on."""

from __future__ import annotations


class StoreProblem(Exception):
    """The store did not do what it was asked: one sentence says what and what to do; never a token, never an entry.

    `wait` is how many seconds the store itself asked to be left alone, 0 when it did not say.
    """

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class TooLarge(StoreProblem):
    """The store does not take this much at once."""


class Moved(StoreProblem):
    """Somebody else wrote first: what was sent was made for a state that is no more. Nothing was stored."""
