"""The consolidation without a model: duplicates merged with all their words kept, dates and index mended, no more."""
from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.dream import ageing, likeness, merging, rules, shelf, tidying, trust
from lib.dream.shelf import Shelf
from lib.memory import frontmatter, index
from lib.memory.store import Memory
from tests.support import messy

TODAY = datetime.date(2026, 11, 30)
BODY = "{0}.\n\n**Why:** it was said.\n**How to apply:** always.\n"


def text(said: str, kind: str = "project", body: str = "", **metadata: str) -> str:
    fields = {"name": "x", "description": said, "metadata": {"type": kind, "noted": "2026-11-02", **metadata}}
    return frontmatter.dump(fields, "\n" + (body or BODY.format(said)))


def on_shelf(**texts: str) -> Shelf:
    made = Shelf()
    for number, (name, whole) in enumerate(texts.items()):
        file = f"{name.replace('_', '-')}.md"
        made.before[file] = made.now[file] = whole
        made.times[file] = 10**18 + number
    return made


def left(made: Shelf) -> list[str]:
    return made.there()


SAME = [
    ("Use pnpm, not npm, for installs here", "Always use pnpm not npm for installs here, please"),
    ("The team in Porto owns and reviews the seat plan", "The team in Porto owns and reviews the seat plan often"),
    ("Prefers tabs over spaces in Go", "The user prefers tabs over spaces in Go."),
    ("認証方式は公開鍵に変えた", "認証方式は公開鍵に変えた。"),
]
DIFFERENT = [
    ("Deploys to the staging cluster in Graz need a review", "Deploys to the production cluster in Graz need a review"),
    ("Merges are frozen until 2026-12-04 for the release", "Merges are frozen until 2026-12-11 for the release"),
    ("Always squash commits before the merge", "Never squash commits before the merge"),
    ("Migrate reports from MySQL to Postgres this year", "Migrate reports from Postgres to MySQL this year"),
    ("Anna reviews the changes of Ben", "Ben reviews the changes of Anna"),
    ("Prefers short answers", "Prefers short answers with sources and links"),
    ("The limit is 20 ms for the map", "The limit is 30 ms for the map"),
    ("Ask before `rm` in shared folders", "Ask before `mv` in shared folders"),
    ("Use it", "Use it too"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_said_twice_becomes_one_file(one: str, other: str) -> None:
    made = on_shelf(a=text(one), b=text(other))
    merging.merge_duplicates(made)
    assert len(left(made)) == 1
    whole = likeness.plain(made.now[left(made)[0]] or "")
    assert likeness.plain(one) in whole and likeness.plain(other) in whole


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_in_one_word_stays_two_files(one: str, other: str) -> None:
    made = on_shelf(a=text(one), b=text(other))
    merging.merge_duplicates(made)
    assert left(made) == ["a.md", "b.md"] and made.changes() == []


def test_types_that_differ_are_not_merged_but_wishes_are() -> None:
    said = "Prefers tabs over spaces in Go"
    for kinds, count in ((("project", "reference"), 2), (("user", "feedback"), 1)):
        made = on_shelf(a=text(said, kinds[0], "one body"), b=text(said, kinds[1], "another body"))
        merging.merge_duplicates(made)
        assert len(left(made)) == count


def test_the_union_is_kept_and_who_said_it() -> None:
    said = "The seat plan is owned by the team in Porto"
    one = text(said, body=BODY.format(said) + "Ask Ines first.\n", quote="Porto owns the seat plan")
    other = text(said, body=BODY.format(said) + "\nTheir channel is #seats.\n", quote="it is Porto's")
    made = on_shelf(seats=one, seats_2=other)
    made.now["other.md"] = made.before["other.md"] = text("It says where to look for it", body="See [[seats]].")
    merging.merge_duplicates(made)
    assert left(made) == ["other.md", "seats.md"]
    whole = made.now["seats.md"] or ""
    for line in ("Ask Ines first.", "Their channel is #seats.", "it is Porto's", "Porto owns the seat plan"):
        assert line in whole
    assert "Also noted as seats-2:" in whole and whole.count("**Why:** it was said.") == 1
    change = {change.file: change for change in made.changes()}
    assert change["seats-2.md"].text is None and change["seats-2.md"].needs == ("seats.md",)
    assert trust.judge(made.before, made.now, 0, most=0).dropped == ()


def test_an_exact_copy_goes_only_while_the_original_stands() -> None:
    made = on_shelf(a=text("One and the same fact about it"), a_copy=text("One and the same fact about it"))
    merging.merge_duplicates(made)
    assert [(change.file, change.text == made.before["a.md"], change.needs) for change in made.changes()] == [
        ("a.md", True, ()), ("a-copy.md", False, ("a.md",)),
    ]  # fmt: skip


def test_links_follow_a_merged_memory_and_the_linked_one_keeps_its_name() -> None:
    said = "The seat plan is owned by the team in Porto"
    linking = text("See the plan, all of it", body="[[first]], [[second|x]]")
    made = on_shelf(first=text(said), second=text(said), third=linking)
    made.now["fourth.md"] = made.before["fourth.md"] = text("Another one about nothing", body="[[second]] and [[gone]]")
    made.times["fourth.md"] = 10**18
    merging.merge_duplicates(made)
    assert left(made) == ["fourth.md", "second.md", "third.md"]
    assert "[[second]], [[second|x]]" in (made.now["third.md"] or "")
    assert tidying.dangling(made) == ["gone (in fourth.md)"]


def test_what_cannot_be_rewritten_without_loss_is_not_merged() -> None:
    broken = "---\nname: [x\ndescription: The seat plan is owned by Porto\n---\nmore of it\n"
    made = on_shelf(a=broken, b=broken.replace("more", "less"))
    merging.merge_duplicates(made)
    assert left(made) == ["a.md", "b.md"]
    long = "\n".join(f"line {n} " + "x" * 100 for n in range(140))
    said = "The seat plan is owned by the team in Porto"
    made = on_shelf(a=text(said, body=long), b=text(said, body=long.replace("line", "row")))
    merging.merge_duplicates(made)
    assert len(left(made)) == 2


WORDS = st.sampled_from("seat plan owner porto team review deploy night cluster map ticket ferry".split())


@given(st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=7), st.lists(WORDS, max_size=4)), max_size=9))
def test_no_word_is_ever_lost_by_the_rules(drawn: list[tuple[list[str], list[str]]]) -> None:
    texts = (text(" ".join(said), body=" ".join(body) + "\n") for said, body in drawn)
    made = on_shelf(**{f"f{n}": whole for n, whole in enumerate(texts)})
    rules.consolidate(made, [], TODAY)
    assert trust.judge(made.before, made.now, 0, most=0).dropped == ()


# ---- time


@pytest.mark.parametrize(
    ("said", "absolute"),
    [
        ("The demo is tomorrow", "The demo is 2026-11-03"),
        ("Agreed yesterday with Ines", "Agreed 2026-11-01 with Ines"),
        ("The freeze ends in 3 days", "The freeze ends on 2026-11-05"),
        ("Released on December 5", "Released on 2026-12-05"),
        ("No deploys on Friday", "No deploys on Friday"),
        ("Always look at today's list first", "Always look at today's list first"),
        ('The button says "today"', 'The button says "today"'),
        ("Run `today --all` for it", "Run `today --all` for it"),
        ("Shown on 2026-11-20", "Shown on 2026-11-20"),
    ],
)
def test_relative_dates_are_counted_from_the_files_own_day(said: str, absolute: str) -> None:
    made = on_shelf(a=text(said))
    ageing.make_dates_absolute(made)
    now = Memory("a.md", made.now["a.md"] or "", 0.0)
    assert now.description == absolute and f"{absolute}." in now.body
    again = len(made.rows)
    ageing.make_dates_absolute(made)
    assert len(made.rows) == again == (said != absolute)


def test_the_files_time_counts_when_nothing_says_when_it_was_written(tmp_path: Path) -> None:
    made = on_shelf(a=text("The demo is tomorrow").replace('noted: "2026-11-02"', 'noted: "soon"'))
    made.times["a.md"] = int(datetime.datetime(2026, 5, 8, 12).timestamp() * 1e9)
    ageing.make_dates_absolute(made)
    assert "The demo is 2026-05-09" in (made.now["a.md"] or "")


def test_code_and_history_lines_keep_their_words() -> None:
    body = "```\nsince yesterday\n```\nEarlier, until 2026-10-01: due tomorrow.\nDone yesterday.\n"
    made = on_shelf(a=text("It was done in time for all", body=body))
    ageing.make_dates_absolute(made)
    assert (made.now["a.md"] or "").endswith(body.replace("Done yesterday", "Done 2026-11-01"))


@pytest.mark.parametrize(
    ("said", "kind", "over"),
    [
        ("Merges are frozen until 2026-11-04", "project", "2026-11-04"),
        ("The deadline is 2026-11-29 for all", "project", "2026-11-29"),
        ("Merges are frozen until 2026-11-30", "project", ""),
        ("Merges are frozen until 2026-11-04, again from 2026-12-20", "project", ""),
        ("Founded by Ines in 2026-11-04 as a test", "reference", ""),
        ("Always use UTC, decided 2026-01-02", "project", ""),
    ],
)
def test_a_dated_fact_that_is_over_is_marked_once(said: str, kind: str, over: str) -> None:
    made = on_shelf(a=text(said, kind))
    ageing.mark_expired(made, TODAY)
    now = Memory("a.md", made.now["a.md"] or "", 0.0)
    assert now.fields.get("metadata.expired", "") == over
    assert now.description == (f"(over since {over}) {said}" if over else said)
    ageing.mark_expired(made, TODAY)
    assert len(made.rows) == bool(over)


def test_a_changed_wording_keeps_its_age_and_still_looks_changed() -> None:
    made = on_shelf(a=text("The demo is tomorrow"))
    ageing.make_dates_absolute(made)
    assert [change.mtime_ns for change in made.changes()] == [10**18 + 1000]


# ---- the index


def entry(n: int, hook: str) -> str:
    return f"- [Title {n}](file-{n}.md) — {hook}"


def test_over_long_lines_are_cut_at_a_word_and_others_are_not_touched() -> None:
    long = entry(1, "word " * 60)
    rows = ["# Memory Index", "", entry(0, "short"), long + "\r", "prose " * 60, ""]
    cut = tidying.shortened("\n".join(rows)).split("\n")
    assert [cut[n] for n in (0, 1, 2, 4, 5)] == [rows[n] for n in (0, 1, 2, 4, 5)]
    assert len(cut[3]) <= index.LINE_LIMIT and cut[3].endswith("word…\r") and index.target(cut[3]) == "file-1.md"


def test_an_index_of_few_lines_fits_into_what_is_loaded() -> None:
    rows = [entry(n, "ü" * 30 + " wörter über das ganze " * 5) for n in range(180)]
    text = "\n".join(["# Memory Index", "", *rows, ""])
    tidy = tidying.shortened(text)
    assert len(text.encode()) > index.LOAD_BYTES >= len(tidy.encode())
    assert [index.target(row) for row in tidy.split("\n")] == [index.target(row) for row in text.split("\n")]
    assert tidying.over_limits(tidy) == "" and tidying.over_limits(text).startswith("WARNING: MEMORY.md")
    assert tidying.shortened(tidy) == tidy


@pytest.mark.heavy
@given(st.lists(st.text(max_size=300), max_size=6))
def test_shortening_never_changes_which_files_are_listed(hooks: list[str]) -> None:
    text = "\n".join(entry(n, hook.replace("\n", " ")) for n, hook in enumerate(hooks))
    before, after = (list(index.hooks(given)) for given in (text, tidying.shortened(text)))
    assert before == after


# ---- a directory as a whole


def test_sixty_messy_memories_are_tidied_and_nothing_is_lost(tmp_path: Path) -> None:
    messy.fill(tmp_path / "m")
    made = shelf.read(str(tmp_path / "m"))
    assert len(made.now) == 60
    rules.consolidate(made, [], TODAY)
    verdict = trust.judge(made.before, made.now, 20)
    assert (verdict.dropped, verdict.refusal) == ((), "")
    assert len(left(made)) == 48
    assert sum(action == "UPDATE" for action, _, _ in made.rows) >= 10


def test_links_fifos_and_binary_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(text("One fact that stands here"))
    (tmp_path / "b.md").write_bytes(b"\xff\xfe\x00binary")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    os.mkfifo(tmp_path / "fifo.md")
    made = shelf.read(str(tmp_path))
    assert left(made) == ["a.md", "b.md"]
    rules.consolidate(made, [], TODAY)
    assert made.changes() == []
