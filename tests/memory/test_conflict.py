"""An unfinished merge is seen, a text about merges is not taken for one."""
from __future__ import annotations

import pytest

from lib.memory import conflict


@pytest.mark.parametrize(
    "text",
    ["<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n", "x\r\n<<<<<<< ours\r\n", ">>>>>>> 1234567", "a\n<<<<<<<\nb"],
)
def test_conflict_markers_are_seen(text: str) -> None:
    assert conflict.marked(text)


@pytest.mark.parametrize(
    "text", ["", "Title\n=======\n", "use <<<<<<< as a mark", "<<<<<<<<< wide", "```\n >>>>>>> x\n```"]
)
def test_what_is_no_marker_is_left_alone(text: str) -> None:
    assert not conflict.marked(text)
