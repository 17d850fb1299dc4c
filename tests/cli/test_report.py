"""The report tells what is there, each from its own source, and writes one file that is nobody else's to read."""
from __future__ import annotations

import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from lib.cli import report as verb
from lib.cli.place import Place, Trouble, here
from lib.cli.report import activity, cards, gathering, markup, memories, page
from lib.cli.report.records import DAYS, Link, Report
from lib.cli.why import REASONS
from lib.journal import Journal
from lib.memory import held, history, index, store
from lib.memory.archive import Note
from lib.model import ledger
from tests.cli.conftest import Desk


@pytest.fixture
def place(desk: Desk) -> Place:
    return here(str(desk.project), os.environ)


def gathered(place: Place) -> Report:
    return gathering.gathered(place, os.environ, time.time())


def test_nothing_makes_a_page_that_says_how_to_begin(place: Place) -> None:
    report = gathered(place)
    assert (report.total, report.cards, report.decisions, report.costs) == (0, (), (), ())
    assert len(report.days) == len(report.spent) == DAYS
    text = page.html(report)
    assert "Nothing is remembered here yet." in text
    assert 'id="filter"' not in text.partition("<script>")[0]
    assert 'id="attention"' not in text


def test_a_card_says_what_how_old_and_from_whom(desk: Desk, place: Place) -> None:
    desk.put("use-pnpm", "Dependencies are added with pnpm", "feedback")
    path = desk.memory / "use-pnpm.md"
    path.write_text(path.read_text().replace('type: "feedback"', 'type: "feedback"\n  said_by: "user"\n'
                                             '  originSessionId: "3f0c4b1e-9d43"'))  # fmt: skip
    os.utime(path, (time.time() - 47 * 86_400,) * 2)
    (card,) = gathered(place).cards
    assert (card.kind, card.statement, card.source) == (
        "feedback", "Dependencies are added with pnpm", "your own words",
    )  # fmt: skip
    text = page.html(gathered(place))
    assert ">47 days ago</time> · your own words · session" in text
    assert '<span class="id">3f0c4b1e</span>' in text


def test_what_the_project_no_longer_has_needs_a_look(desk: Desk, place: Place) -> None:
    desk.put("auth", "Sessions are checked in `src/auth.ts` before every handler")
    (desk.project / "src").mkdir()
    (desk.project / "src" / "cart.ts").write_text("")
    desk.put("cart", "The cart rounds in `src/cart.ts` once per line")
    report = gathered(place)
    assert [card.file for card in report.doubtful] == ["auth.md"]
    assert "src/auth.ts no longer exists." in cards.attention(report)


def test_a_file_without_frontmatter_is_a_card_that_says_so(desk: Desk, place: Place) -> None:
    desk.memory.mkdir(parents=True)
    (desk.memory / "odd.md").write_bytes(b"\xff\xfe just text")
    (card,) = gathered(place).cards
    assert (card.kind, card.problem) == ("untyped", "no frontmatter")
    assert "Without a type" in page.html(gathered(place))


def test_links_are_met_by_file_or_name_and_the_others_are_dangling(desk: Desk, place: Place) -> None:
    desk.put("use-pnpm", "Use pnpm", body="See [[Release_Steps]], [[gone#part]], [[use-pnpm|itself]], [[gone]].")
    desk.put("release-steps", "Release on Tuesday")
    found = {card.file: card.links for card in gathered(place).cards}
    assert found["use-pnpm.md"] == (
        Link("Release_Steps", "release-steps.md"), Link("gone", ""), Link("use-pnpm", "use-pnpm.md"),
    )  # fmt: skip
    assert found["release-steps.md"] == ()
    assert "<h3>Linked, but not written</h3><p>gone</p>" in cards.attention(gathered(place))


def test_what_a_team_shares_is_there_under_its_author_s_name(desk: Desk, place: Place) -> None:
    desk.put("use-pnpm", "Use pnpm", body="See [[release-steps]] and [[both]].")
    desk.put("both", "Mine")
    shared = desk.memory / store.TEAM
    shared.mkdir()
    for name, author in (("release-steps", "team:\n  author: Alice\n"), ("both", "")):
        (shared / f"{name}.md").write_text(
            f"---\nname: {name}\ndescription: Shared {name}\nmetadata:\n  type: project\n{author}---\nText.\n"
        )
    report = gathered(place)
    found = {card.file: card for card in report.cards}
    assert (report.total, sorted(found)) == (4, ["both.md", "team/both.md", "team/release-steps.md", "use-pnpm.md"])
    assert found["team/release-steps.md"].source == "shared in the team by Alice"
    assert found["team/both.md"].source == "shared in the team"
    assert [link.file for link in found["use-pnpm.md"].links] == ["team/release-steps.md", "both.md"]


def test_recalls_decisions_and_their_words_come_from_the_journals(desk: Desk, place: Place) -> None:
    desk.put("use-pnpm", "Use pnpm")
    journal = Journal(place.state, "3f0c4b1e")
    for shown, reason in (({"use-pnpm.md": "1"}, "shown"), ({"use-pnpm.md": "1"}, "shown"), ({}, "none_sure")):
        journal.append("recall", shown=shown, reason=reason)
    journal.append("recall", shown={"use-pnpm.md": "1"}, reason="folded")  # what compaction left, no prompt
    journal.append("stop", reason="memory_tool")
    report = gathered(place)
    assert (report.cards[0].recalled, report.days[-1].prompts, report.days[-1].recalled) == (2, 2, {"use-pnpm.md": 2})
    told = [(one.gate, one.reason, one.count) for one in report.decisions]
    assert told == [("prompt", "shown", 2), ("prompt", "none_sure", 1), ("turn", "memory_tool", 1)]
    assert f"<td>{REASONS['memory_tool']}</td><td>1</td>" in page.html(report)


def test_what_was_written_by_whom_comes_from_the_history(desk: Desk, place: Place) -> None:
    desk.put("here-before", "It was here before")
    kept = history.of(place.memory, place.state)
    os.makedirs(place.state, exist_ok=True)
    kept.catch_up()
    for who, name in (("extract", "use-pnpm"), ("dream", "here-before")):
        with kept.step(Note(who, "3f0c4b1e", "a word"), [f"{name}.md"]):
            desk.put(name, f"{name} by {who}")
    day = gathered(place).days[-1]
    assert [(step.who, step.created, step.changed) for step in day.steps] == [
        ("dream", (), ("here-before.md",)), ("extract", ("use-pnpm.md",), ()),
    ]  # fmt: skip
    assert (day.learned, day.consolidated) == (1, 1)
    text = page.html(gathered(place))
    assert "<b class=\"learned\">learned</b> new <a href=" in text
    assert "<b class=\"consolidated\">consolidated</b> changed <a href=" in text


def test_cost_is_this_project_s_by_day_and_work_and_the_rest_is_one_sum(place: Place) -> None:
    now = time.time()
    below = os.path.join(place.root, "src")
    os.mkdir(below)
    os.mkdir(os.path.join(place.root, ".git"))  # a repository: what was started below its root is its own
    for at, where, usd in ((now, place.root, 0.5), (now - 86_400, below, 0.25), (now, "/elsewhere", 0.125),
                           (now - 40 * 86_400, place.root, 9.0)):  # fmt: skip
        call = ledger.Entry(at, where, "extract", "claude", "some-model", usd=usd, input=10, output=2)
        ledger.add(place.config, call)
    report = gathered(place)
    assert (report.spent[-2:], sum(report.spent), report.elsewhere) == ((0.25, 0.5), 0.75, 0.125)
    assert [(one.name, one.calls, one.tokens_in) for one in report.costs] == [("extract, claude, some-model", 2, 20)]
    assert "$0.75 here; the dearest day $0.50. Other projects: $0.12." in page.html(report)


def test_what_waits_for_review_is_named(desk: Desk, place: Place) -> None:
    desk.put("use-pnpm", "Use pnpm")
    held.hold(place.state, "obey.md", "---\n---\n", reason="it rests on no words of yours", session="s")
    assert "<li>obey.md: it rests on no words of yours (" in cards.attention(gathered(place))


def test_the_days_are_calendar_days_across_a_changed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        for now in (1_774_742_400.0 + hour * 1_800 for hour in range(96)):  # the last days of March 2026
            found = activity.dates(now)
            assert len(set(found)) == DAYS and found[-1] == activity.date_of(now) and found == sorted(found)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_page_has_a_bound_and_what_is_left_out_is_counted(
    desk: Desk, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "MOST", 60)
    monkeypatch.setattr(cards, "BODIES", 50 * markup.BODY)
    desk.memory.mkdir(parents=True)
    body = "word " * 600
    for number in range(memories.MOST + 3):
        text = store.text_of(f"m-{number}", store.TYPES[number % 4], f"Fact {number}", body, {})
        (desk.memory / f"m-{number}.md").write_text(text)
    index.mend(str(desk.memory))
    report = gathered(place)
    assert (len(report.cards), report.total) == (memories.MOST, memories.MOST + 3)
    text = page.html(report)
    assert "3 older memories left out of this page" in text
    assert text.count("<article") == memories.MOST
    assert text.count("word word") and len(text) < cards.BODIES + memories.MOST * 1_000 + 25_000
    assert "The last cards show their statement only" in text
    assert page.html(replace(report, now=report.now)) == text


def test_the_verb_writes_one_private_file_and_says_where(
    desk: Desk, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.put("use-pnpm", "Use pnpm")
    path = Path(place.state, "report.html")
    assert verb.run(["--open=no"], place) == 0
    assert capsys.readouterr().out == f"{path} ({len(path.read_bytes()) / 1000:.0f} KB, 1 memories)\n"
    assert path.stat().st_mode & 0o777 == 0o600
    out = desk.project / "new folder" / "r.html"
    assert verb.run(["--out", str(out), "--json"], place) == 0
    assert json.loads(capsys.readouterr().out) == {
        "file": str(out), "bytes": out.stat().st_size, "memories": 1, "shown": 1,
    }  # fmt: skip
    assert [item.name for item in out.parent.iterdir()] == ["r.html"]


def test_a_place_that_cannot_be_written_is_said_in_one_sentence(desk: Desk, place: Place) -> None:
    with pytest.raises(Trouble, match="is a folder: name a file in it"):
        verb.run(["--out", str(desk.project)], place)
    (desk.project / "file").write_text("")
    with pytest.raises(Trouble, match=r"cannot be written to .*/r\.html: File exists \(.*/file\)"):
        verb.run(["--out", str(desk.project / "file" / "r.html")], place)
    with pytest.raises(Trouble, match="--open takes yes or no, but was given 'maybe'"):
        verb.run(["--open=maybe"], place)


def test_the_command_runs_from_a_shell(desk: Desk) -> None:
    shown = desk.run("report", "--open=no")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert re.fullmatch(r"/.*/report\.html \(\d+ KB, 0 memories\)\n", shown.stdout)
