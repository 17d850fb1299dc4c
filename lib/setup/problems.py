"""What ends an installation early, told as one sentence."""

from __future__ import annotations


class SetupProblem(ValueError):
    """The message is for the person: what is wrong, with which value, what to do."""


class FileProblem(SetupProblem):
    """A file cannot be read or replaced; the message names it."""
