"""An outcome that drops too much, empties a file or holds a placeholder is refused as a whole."""
from __future__ import annotations

import pytest

from lib.dream import trust

WORDS = "the quick ferry leaves the harbour at nine and carries forty cars across"


def memories(count: int) -> dict[str, str]:
    return {f"m{n}.md": f"---\nname: m{n}\ndescription: fact {n}\n---\nFact {n}: {WORDS} {n}.\n" for n in range(count)}


def gone(before: dict[str, str], count: int) -> dict[str, str | None]:
    return {file: None if n < count else text for n, (file, text) in enumerate(before.items())}


@pytest.mark.parametrize(
    ("count", "drops", "share", "fine"),
    [
        (30, 0, 20, True), (30, 6, 20, True), (30, 7, 20, False), (30, 30, 20, False), (8, 3, 20, True),
        (8, 4, 20, False), (3, 3, 20, False), (1, 1, 20, False), (2, 1, 0, True), (100, 50, 50, True),
        (100, 4, 0, False),
    ],
)  # fmt: skip
def test_the_share_that_may_be_dropped(count: int, drops: int, share: int, fine: bool) -> None:
    before = memories(count)
    verdict = trust.judge(before, gone(before, drops), share)
    assert len(verdict.dropped) == drops
    assert (verdict.refusal == "") is fine
    assert trust.judge(before, gone(before, drops), share, force=True).refusal == ""


def test_what_stands_elsewhere_is_not_dropped() -> None:
    before = memories(10)
    now: dict[str, str | None] = dict.fromkeys(before)
    now["m0.md"] = "---\nname: m0\n---\n" + "\n".join(f"* fact {n}\n* FACT {n} — {WORDS} {n}" for n in range(10))
    assert trust.judge(before, now, 20) == trust.Verdict((), "")


@pytest.mark.parametrize("body", ["", "\n\n", "---\n", "***"])
def test_a_file_that_would_be_emptied_is_refused(body: str) -> None:
    before = memories(10)
    now: dict[str, str | None] = {**before, "m3.md": f"---\nname: m3\ndescription: fact 3\n---\n{body}"}
    assert trust.judge(before, now, 20).refusal == "m3.md would be emptied"
    assert trust.judge(before, now, 20, force=True).refusal == ""


def test_files_cut_to_less_than_half_count_as_dropped() -> None:
    before = memories(30)
    now: dict[str, str | None] = {
        file: text.replace(WORDS, "the quick ferry") if n < 7 else text for n, (file, text) in enumerate(before.items())
    }
    assert trust.judge(before, now, 20).refusal.startswith("7 of 30 memories would be dropped (at most 6 may")
    assert trust.judge(before, {**now, "m0.md": before["m0.md"]}, 20).refusal == ""


@pytest.mark.parametrize(
    "line", ["[rest of the file unchanged]", "(the rest is unchanged)", "... existing text ...", "Rest as before."]
)
def test_a_placeholder_is_refused_even_with_force(line: str) -> None:
    before = memories(5)
    now: dict[str, str | None] = {**before, "m1.md": before["m1.md"] + line + "\n"}
    for force in (False, True):
        assert trust.judge(before, now, 20, force=force).refusal == "m1.md would hold a placeholder instead of its text"
    before["m2.md"] += line + "\n"  # it is somebody's own words then
    assert trust.judge(before, {**before, "m1.md": before["m1.md"] + line + "\n"}, 20).refusal == ""


def test_nothing_changed_is_nothing_refused() -> None:
    assert trust.judge({}, {}, 20) == trust.Verdict((), "")
    assert trust.judge(memories(2), {}, 20) == trust.Verdict((), "")
    assert trust.judge({}, {"new.md": "a fact"}, 20) == trust.Verdict((), "")
