"""Coding conventions as one person teaches them to another."""

from __future__ import annotations

from lib.extract.statements import Statement


def judge(core: str) -> Statement | None:
    return None
