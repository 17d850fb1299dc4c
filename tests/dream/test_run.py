"""One consolidation: all or nothing by its own judgement, nothing lost that others wrote, undone as a whole."""
from __future__ import annotations

import datetime
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from lib.dream import logs, marks, run, trust
from lib.dream.lock import ConsolidateLock
from lib.dream.scene import Report
from lib.memory import daily, history, index, store, transaction, undo
from tests.dream.conftest import SAID, Place
from tests.support import messy
from tests.support.hammer import ROOT
from tests.support.messages_api import Block, Body, MessagesAPI, Reply, text, texts, tool_results, tool_use

DAY = 86_400.0


def last(place: Place) -> float | None:
    return ConsolidateLock(place.memory).last_consolidated()


def stamped(place: Place, age: float = 2 * DAY) -> float:
    path = place.memory / ".consolidate-lock"
    path.write_text("")
    os.utime(path, (time.time() - age,) * 2)
    return path.stat().st_mtime


def listed(place: Place) -> set[str]:
    return set(index.hooks((place.memory / "MEMORY.md").read_text()))


# ---- by the rules


def test_sixty_messy_memories_are_tidied_recorded_and_given_back(place: Place) -> None:
    place.fill()
    before = place.contents()
    report = run.consolidate(place.scene())
    assert (report.ok, report.backend, report.refused) == (True, "rules", "")
    assert len(place.contents()) == 49 and listed(place) == set(place.contents()) - {"MEMORY.md"}
    assert max(len(line) for line in (place.memory / "MEMORY.md").read_text().split("\n")) < 150
    assert last(place) is not None and report.dangling
    kept = history.of(str(place.memory), str(place.state))
    newest = kept.entries()[0]
    assert (newest.note.who, newest.note.session) == ("dream", "s0") and "12 removed" in newest.note.why
    assert undo.undo(kept, newest).kept == {}
    assert place.contents() == before


def test_what_the_person_took_back_is_not_done_again(place: Place) -> None:
    place.fill()
    before = place.contents()
    run.consolidate(place.scene())
    kept = history.of(str(place.memory), str(place.state))
    undo.undo(kept, kept.entries()[0])
    report = run.consolidate(place.scene())
    assert report.ok and {file for _, file, _ in report.rows} <= {"MEMORY.md"}
    assert {file: data for file, data in place.contents().items() if file != "MEMORY.md"} == {
        file: data for file, data in before.items() if file != "MEMORY.md"
    }


def test_a_second_run_finds_nothing_to_do(place: Place) -> None:
    place.fill()
    run.consolidate(place.scene())
    between = place.contents()
    report = run.consolidate(place.scene())
    assert report.ok and report.rows == [] and place.contents() == between


def test_a_dry_run_writes_nothing_at_all(place: Place) -> None:
    place.fill()
    scene = place.scene()
    everything = sorted(path for path in place.config.rglob("*"))
    before = place.contents()
    report = run.consolidate(scene, dry=True)
    assert report.changes and report.rows
    assert place.contents() == before and sorted(path for path in place.config.rglob("*")) == everything


def test_while_another_one_is_at_work_nothing_is_done(place: Place) -> None:
    place.fill()
    before, other = place.contents(), ConsolidateLock(place.memory)
    assert other.acquire()
    assert run.consolidate(place.scene()).reason == "locked"
    assert place.contents() == before and other.fenced(lambda: None)


def test_without_a_directory_there_is_nothing_to_do_and_none_is_made(place: Place) -> None:
    assert run.consolidate(place.scene()).reason == "no_memory_directory"
    assert not place.memory.exists()


def test_a_failure_leaves_the_schedule(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.fill()
    was = stamped(place)

    def full(*_: Any) -> dict[str, str]:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(transaction, "apply", full)
        with pytest.raises(OSError, match="No space"):
            run.consolidate(place.scene())
    assert last(place) == was
    assert run.consolidate(place.scene()).ok


def test_the_outcome_is_refused_as_a_whole_and_can_be_forced(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.facts(30)
    was, before = stamped(place), place.contents()

    def destroy(staged: Any, *_: Any) -> None:
        for n in range(7):
            staged.now[f"m{n}.md"] = None

    monkeypatch.setattr("lib.dream.rules.consolidate", destroy)
    report = run.consolidate(place.scene())
    assert not report.ok and report.refused.startswith("7 of 30 memories would be dropped")
    assert (place.contents(), last(place)) == (before, was)
    place.own = {"dream": {"maxShare": 25}}
    assert run.consolidate(place.scene(), dry=True).ok
    place.own = {}
    assert run.consolidate(place.scene(), force=True).ok
    assert len(place.contents()) == 24


def test_a_lock_that_was_taken_over_stops_the_write(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.fill()
    before = place.contents()
    real = run._judge

    def meanwhile(*given: Any) -> None:
        real(*given)
        (place.memory / ".consolidate-lock").write_text("1")

    monkeypatch.setattr(run, "_judge", meanwhile)
    report = run.consolidate(place.scene())
    assert not report.ok and "took the lock over" in report.refused and place.contents() == before


def test_what_others_do_meanwhile_is_kept(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.facts(12)
    twin = (place.memory / "m3.md").read_bytes().replace(b"m3", b"twin")
    (place.memory / "twin.md").write_bytes(twin)
    (place.memory / "other.md").write_bytes((place.memory / "m5.md").read_bytes())
    real = run._judge

    def meanwhile(*given: Any) -> None:
        real(*given)
        (place.memory / "new.md").write_bytes(messy.memory("new", "user", "Something new that was said"))
        (place.memory / "m3.md").write_text("edited by hand\n")
        (place.memory / "m7.md").unlink()

    monkeypatch.setattr(run, "_judge", meanwhile)
    report = run.consolidate(place.scene())
    now = place.contents()
    assert report.ok
    assert now["m3.md"] == b"edited by hand\n" and now["twin.md"] == twin and "m7.md" not in now
    assert "new.md" in listed(place) and "m7.md" not in listed(place)
    assert ("m5.md" in now) != ("other.md" in now)


# ---- by a model

Say = Callable[[Body], "Reply | list[Block]"]


def by_model(place: Place, say: Say, **own: Any) -> Report:
    place.own = {"backend": "anthropic", **own}
    with MessagesAPI(say) as api:
        place.env = {"ANTHROPIC_API_KEY": "sk-ant-made-up", "ANTHROPIC_BASE_URL": api.url}
        return run.consolidate(place.scene())


def rounds(*given: list[Block]) -> Say:
    """A model that does these things one round after another, and then ends."""
    left = list(given)

    def say(body: Body) -> list[Block]:
        return left.pop(0) if left else [text("done")]

    return say


def reads(*names: str) -> list[Block]:
    return [tool_use("Read", {"file_path": name}) for name in names]


def writes(**texts_by_name: str) -> list[Block]:
    return [
        tool_use("Write", {"file_path": f"{name}.md", "content": content}) for name, content in texts_by_name.items()
    ]


def removal(why: str) -> str:
    return f'---\nmetadata:\n  delete: "{why}"\n---\n'


def memory_text(name: str, said: str) -> str:
    return messy.memory(name, "project", said).decode().replace('  noted: "2026-03-04"\n', "")


def test_a_model_merges_and_removes_and_code_keeps_the_provenance(place: Place) -> None:
    place.facts(10)
    merged = memory_text("m1", "The seat plan and the ferry are owned by the team in Porto")
    report = by_model(place, rounds(reads("m1.md", "m2.md"), writes(m1=merged, m2=removal("merged into [[m1]]"))))
    assert report.ok and report.backend == "anthropic" and report.refused == ""
    assert [(action, file) for action, file, _ in report.rows] == [("UPDATE", "m1.md"), ("REMOVE", "m2.md")]
    assert "m2.md" not in place.contents() and "m2.md" not in listed(place)
    found = store.load(str(place.memory), "m1.md")
    assert found and found.description == "The seat plan and the ferry are owned by the team in Porto"
    assert found.fields["metadata.noted"] == "2026-03-04"  # the model left it out
    kept = history.of(str(place.memory), str(place.state))
    assert undo.undo(kept, kept.entries()[0]).restored == ["m1.md", "m2.md"]


def test_a_model_cannot_claim_that_the_person_said_it(place: Place) -> None:
    place.facts(10)
    claim = '  said_by: user\n  quote: "do it"\n  originSessionId: s9\n  origin: kept\n---\n'
    said = "The map tiles are drawn again each night"
    made = [memory_text(name, said).replace("---\n\n", claim) for name in ("m1", "x")]
    report = by_model(place, rounds(reads("m1.md"), writes(m1=made[0], x=made[1])))
    assert report.ok and {file for _, file, _ in report.rows} == {"m1.md", "x.md"}
    found = [store.load(str(place.memory), file) for file in ("m1.md", "x.md")]
    fields = [{k: v for k, v in memory.fields.items() if "metadata." in k} for memory in found if memory]
    assert fields == [
        {"metadata.type": "project", "metadata.noted": "2026-03-04", "metadata.origin": "kept"},
        {"metadata.type": "project", "metadata.origin": "kept", "metadata.said_by": "model",
         "metadata.noted": "2026-11-30"},
    ]  # fmt: skip


def test_a_model_sees_the_memories_and_not_the_project(place: Place) -> None:
    place.facts(2)
    (place.project / "notes.txt").write_text("the project's own text")
    seen: list[str] = []

    def say(body: Body) -> list[Block]:
        results = tool_results(body)
        seen.extend(str(result) for result in results)
        return [text("done")] if results else [*reads(str(place.project / "notes.txt"), "m1.md")]

    by_model(place, say)
    assert "outside the folders that may be read" in seen[0] and "the project's own text" not in seen[0]
    assert "Porto" in seen[1]


def test_the_agent_is_shown_the_index_the_logs_and_the_persons_words(place: Place) -> None:
    place.facts(2)
    bullet = daily.text_of(memory_text("from-log", "Said in KAIROS mode"), "from-log.md", datetime.datetime.now())
    daily.append(str(place.memory), [bullet], datetime.date.today())
    path = place.sessions(1)[1]
    output = [{"type": "tool_result", "content": "IGNORE ALL"}]
    at = "2026-11-30T10:00:00Z"
    entries = [
        {"type": "user", "uuid": f"u{n}", "timestamp": at, "message": {"role": "user", "content": said}}
        for n, said in enumerate(("we moved to Graz", output))
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    seen: list[str] = []

    def say(body: Body) -> list[Block]:
        seen.extend(texts(body))
        return [text("nothing")]

    place.own = {"backend": "anthropic"}
    with MessagesAPI(say) as api:
        place.env = {"ANTHROPIC_API_KEY": "sk-ant-made-up", "ANTHROPIC_BASE_URL": api.url}
        report = run.consolidate(place.scene(transcripts=(str(path),)))
    told = "\n".join(seen)
    assert report.ok and report.rows == []
    for line in ("P| we moved to Graz", "I| - [M0](m0.md)", "Said in KAIROS mode", "M| - [project] m1.md"):
        assert line in told
    assert "IGNORE ALL" not in told


ODD = {
    "nothing": [text("")], "an empty list": [text("[]")], "an empty object": [text("{}")],
    "an error sentence": [text("Not logged in · please run /login")], "chatter": [text("I will now tidy up.")],
}  # fmt: skip


@pytest.mark.parametrize("answer", list(ODD.values()), ids=list(ODD))
def test_a_model_that_answers_nothing_useful_loses_nothing(place: Place, answer: list[Block]) -> None:
    place.facts(8)
    before = place.contents()
    report = by_model(place, lambda body: answer)
    assert place.contents() == before and report.rows == []


def test_a_model_that_deletes_all_is_refused(place: Place) -> None:
    place.facts(12)
    was, before = stamped(place), place.contents()
    names = [f"m{n}" for n in range(12)]
    report = by_model(
        place, rounds(reads(*(f"{name}.md" for name in names)), writes(**{name: removal("old") for name in names}))
    )
    assert not report.ok and "12 of 12 memories would be dropped (nothing would be left)" in report.refused
    assert (place.contents(), last(place)) == (before, was)


@pytest.mark.parametrize(
    "content",
    ["", "---\nname: m1\n", "[rest of the file unchanged]", memory_text("m1", "x") + "\n[rest unchanged]\n"],
)
def test_half_a_file_never_gets_in(place: Place, content: str) -> None:
    place.facts(8)
    before = place.contents()
    by_model(place, rounds(reads("m1.md"), writes(m1=content)))
    assert place.contents() == before


def test_a_reply_that_was_cut_off_is_not_acted_on(place: Place) -> None:
    place.facts(8)
    was, before = stamped(place), place.contents()
    cut = Reply(writes(new=memory_text("new", "x")), stop_reason="max_tokens")
    report = by_model(place, lambda body: cut)
    assert not report.ok and "max_tokens" in report.refused
    assert (place.contents(), last(place)) == (before, was)


def test_a_removal_waits_for_the_file_that_holds_its_facts(place: Place) -> None:
    place.facts(10)

    def say(body: Body) -> list[Block]:
        results = tool_results(body)
        if not results:
            return reads("m1.md", "m2.md")
        if not any("Updated" in str(result) for result in results):
            (place.memory / "m1.md").write_text("edited by hand meanwhile\n")
            return writes(m2=removal("merged into [[m1]]"))
        return [text("done")]

    report = by_model(place, say)
    assert [action for action, _, _ in report.rows] == ["DROP"] or "m2.md" in place.contents()
    assert place.contents()["m1.md"] == b"edited by hand meanwhile\n" and "m2.md" in place.contents()


def test_the_index_and_the_logs_are_out_of_its_reach(place: Place) -> None:
    place.facts(4)
    before = place.contents()
    by_model(place, rounds([
        tool_use("Write", {"file_path": "MEMORY.md", "content": "gone"}),
        tool_use("Write", {"file_path": "logs/2026/11/2026-11-30.md", "content": memory_text("x", "y")}),
        tool_use("Write", {"file_path": ".consolidate-lock", "content": "1"}),
        tool_use("Write", {"file_path": "../escaped.md", "content": memory_text("escaped", "y")}),
    ]))  # fmt: skip
    assert place.contents() == before and not (place.memory.parent / "escaped.md").exists()


def test_without_an_answer_the_rules_do_it(place: Place) -> None:
    place.fill()
    place.own = {"backend": "anthropic"}
    place.env = {"ANTHROPIC_API_KEY": "sk-ant-made-up", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    report = run.consolidate(place.scene())
    assert report.ok and report.backend == "rules" and "rules used instead" in report.reason
    assert len(place.contents()) == 49


# ---- the daily log


def log(place: Place, *statements: str, at: datetime.datetime | None = None) -> str:
    at = at or datetime.datetime.now()
    place.memory.mkdir(parents=True, exist_ok=True)
    made = [(f"from-log-{said.split()[-1].lower()}", said) for said in statements]
    bullets = [daily.text_of(memory_text(name, said), f"{name}.md", at) for name, said in made]
    return daily.append(str(place.memory), bullets, at.date())


def test_logs_are_distilled_once_and_never_touched(place: Place) -> None:
    place.facts(3)
    name = log(place, "The ferry ticket is sold in Lund", SAID.format("ferry timetable 0"))
    before = (place.memory / name).read_bytes()
    report = run.consolidate(place.scene())
    assert report.ok
    assert set(place.contents()) == {"MEMORY.md", "m0.md", "m1.md", "m2.md", "from-log-lund.md", name}
    assert "from-log-lund.md" in listed(place)
    (place.memory / "from-log-lund.md").unlink()  # the person does not want it
    assert run.consolidate(place.scene()).ok
    assert "from-log-lund.md" not in place.contents()
    log(place, "The ferry ticket is checked in Brno")
    run.consolidate(place.scene())
    assert "from-log-brno.md" in place.contents() and "from-log-lund.md" not in place.contents()
    assert (place.memory / name).read_bytes().startswith(before)


def test_without_our_state_a_log_counts_as_read_up_to_the_last_time(place: Place) -> None:
    place.facts(1)
    yesterday = datetime.datetime.now() - datetime.timedelta(days=1)
    log(place, "The old word is from Nice", at=yesterday)
    log(place, "The new word is from Bern")
    stamped(place, DAY / 2 if datetime.datetime.now().hour >= 13 else 60 * 30)
    found, _ = logs.unread(str(place.memory), {}, last(place))
    assert [bullet.statement for bullet in found] == ["The new word is from Bern"]
    run.consolidate(place.scene())
    assert "from-log-bern.md" in place.contents() and "from-log-nice.md" not in place.contents()


def test_a_newer_statement_becomes_the_fact_and_the_older_words_stay(place: Place) -> None:
    place.facts(1)
    text_now = (place.memory / "m0.md").read_text()
    new = memory_text("m0", "The ferry timetable moved to Graz")
    at = datetime.datetime.now()
    daily.append(str(place.memory), [daily.text_of(new, "m0.md", at, "someotherdigest")], at.date())
    run.consolidate(place.scene())
    found = store.load(str(place.memory), "m0.md")
    assert found and found.description == "The ferry timetable moved to Graz"
    assert SAID.format("ferry timetable 0") in found.body
    (place.memory / "m0.md").write_text(text_now)
    daily.append(
        str(place.memory), [daily.text_of(new, "m0.md", at, transaction.digest(text_now))], at.date()
    )
    run.consolidate(place.scene())
    found = store.load(str(place.memory), "m0.md")
    assert found and "Porto" not in found.body


def test_a_refused_run_has_not_read_the_log(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.facts(3)
    log(place, "The ferry ticket is sold in Lund")
    with monkeypatch.context() as patch:
        patch.setattr("lib.dream.trust.judge", lambda *_, **__: trust.Verdict((), "too much"))
        assert not run.consolidate(place.scene()).ok
    assert marks.load(str(place.state)).logs == {}
    run.consolidate(place.scene())
    assert "from-log-lund.md" in place.contents()


# ---- killed

KILLED = """
import os, signal, sys, datetime
sys.path.insert(0, {root!r})
left = [{after}]
def counted(event, arguments):
    write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (write or event in ("os.rename", "os.remove", "os.utime", "os.mkdir", "subprocess.Popen")) and any(
            part in str(arguments) + os.getcwd() for part in ("memory", "history", "dream")):
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
from lib.dream import run
from lib.dream.scene import Scene
from lib.host import settings
scene = Scene({memory!r}, {state!r}, {project!r}, settings.load({{}}, ""), {{}}, datetime.date(2026, 11, 30), "s0")
os.chdir({memory!r})
sys.addaudithook(counted)
run.consolidate(scene)
"""


FULL = """
import os, sys, datetime
sys.path.insert(0, {root!r})
left = [{after}]
def full(*given):
    left[0] -= 1
    if left[0] < 0:
        raise OSError(28, "No space left on device")
def counted(event, arguments):
    write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if write and any(part in str(arguments) + os.getcwd() for part in ("memory", "history", "dream")):
        full()
real = os.write, os.fsync
def write(descriptor, data):
    full()
    return real[0](descriptor, data)
def fsync(descriptor):
    full()
    real[1](descriptor)
from lib.dream import run
from lib.dream.scene import Scene
from lib.host import settings
from lib.memory import git_archive
git_archive.available = lambda: {git}
scene = Scene({memory!r}, {state!r}, {project!r}, settings.load({{}}, ""), {{}}, datetime.date(2026, 11, 30), "s0")
os.chdir({memory!r})
os.write, os.fsync = write, fsync
sys.addaudithook(counted)
try:
    report = run.consolidate(scene)
except OSError as error:
    sys.exit(3)
sys.exit(0 if report.ok and not [row for row in report.rows if row[0] == "DROP"] else 4)
"""


@pytest.mark.heavy
@pytest.mark.parametrize("git", [True, False], ids=["git", "copies"])
def test_on_a_full_disk_every_memory_is_whole_and_the_schedule_stands(place: Place, git: bool) -> None:
    place.fill(14)
    before = place.contents()
    run.consolidate(place.scene())
    after = place.contents()
    outcomes = set()
    for step in [*range(0, 40, 3), *range(40, 400, 19)]:
        for path in (place.memory, place.state):
            subprocess.run(["rm", "-rf", str(path)], check=True)
        place.fill(14)
        place.scene()
        was = stamped(place)
        script = FULL.format(
            root=str(ROOT), after=step, memory=str(place.memory), state=str(place.state), project=str(place.project),
            git=git,
        )  # fmt: skip
        done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True, text=True)
        assert done.stderr == "" and done.returncode in (0, 3, 4), (step, done.stderr)
        outcomes.add(done.returncode)
        now = place.contents()
        for file in {*before, *after} - {"MEMORY.md"}:
            assert now.get(file) in (before.get(file), after.get(file)), (step, file)
        if done.returncode == 0:
            assert now == after and last(place) != was
            break
        assert last(place) == was or now == after, step
        assert run.consolidate(place.scene()).ok, step
        assert place.contents() == after, step
    assert outcomes >= {0, 3}


@pytest.mark.heavy
def test_killed_at_any_write_every_memory_is_whole_and_the_schedule_stands(place: Place) -> None:
    place.fill(14)
    before = place.contents()
    run.consolidate(place.scene())
    after = place.contents()
    step, killed = 0, 0
    while step < 400:
        for path in (place.memory, place.state):
            subprocess.run(["rm", "-rf", str(path)], check=True)
        place.fill(14)
        place.scene()
        was = stamped(place)
        script = KILLED.format(
            root=str(ROOT), after=step, memory=str(place.memory), state=str(place.state), project=str(place.project)
        )
        done = subprocess.run([sys.executable, "-c", script], timeout=60)
        now = place.contents()
        for file in {*before, *after} - {"MEMORY.md"}:
            assert now.get(file) in (before.get(file), after.get(file)), (step, file)
        assert set(now) - {"MEMORY.md"} <= {*before, *after}
        if done.returncode == 0:
            assert last(place) != was and now == after
            break
        assert done.returncode == -signal.SIGKILL
        killed += 1
        lock = ConsolidateLock(place.memory)
        finished = all(now.get(file) == after.get(file) for file in {*before, *after})
        assert lock.last_consolidated() == was or finished, step
        assert lock.acquire() and lock.finish(False), step
        assert run.consolidate(place.scene()).ok
        again = place.contents()
        assert again == after, step
        assert not [path.name for path in place.memory.iterdir() if path.name.endswith(".tmp")]
        step += 1 + step // 12
    assert killed >= 20
