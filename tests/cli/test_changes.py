"""What a person changes goes through the checks, is one entry of the history, and loses nobody's text."""
from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lib.memory import files, history, lock
from tests.cli.conftest import Desk

SECRET = "ghp_" + "a1B2" * 9


def editor(tmp_path: Path, script: str) -> str:
    """An editor that does what `script` says to the file "$1"."""
    path = tmp_path / "an editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"'{path}'"


def who(desk: Desk) -> list[str]:
    return [entry.note.who for entry in history.of(str(desk.memory), str(desk.state)).entries()]


def aside(desk: Desk) -> list[Path]:
    return sorted((desk.state / "edits").glob("*")) if (desk.state / "edits").is_dir() else []


# remember


@pytest.mark.parametrize(
    ("said", "file", "kind"),
    [
        ("always use pnpm here, npm corrupts the lockfile", "use-pnpm.md", "feedback"),
        ("I prefer short answers", "prefers-short-answers.md", "user"),
        ("the staging server is called otter", "staging-server-called-otter.md", "project"),
        ("Betriebsrat tagt immer dienstags", "", ""),
        ("预发布服务器叫水獭", "", ""),
    ],
)
def test_what_is_dictated_is_kept_in_the_person_s_words(desk: Desk, said: str, file: str, kind: str) -> None:
    shown = desk.run("remember", *said.split(" "))
    assert (shown.returncode, shown.stderr) == (0, "") and shown.stdout.startswith("Saved ")
    (name,) = desk.names()
    assert not file or name == file
    assert f'quote: "{said}"' in desk.text(name) and 'said_by: "user"' in desk.text(name)
    assert not kind or f'type: "{kind}"' in desk.text(name)
    assert f"({name})" in desk.text("MEMORY.md")
    assert who(desk)[0] == "person"
    undo = re.search(r"memory.py undo (\w+)", shown.stdout)
    assert undo and desk.run("undo", undo[1]).returncode == 0 and desk.names() == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("what is the time?", "it is a question"),
        ("hello", "one word states nothing"),
        (f"the token is {SECRET}", "it holds what looks like a secret"),
        ("x " * 1_100, "are more than one fact"),
        ("I fixed the bug in parser.py", "the repository says that itself"),
    ],
)
def test_what_must_not_be_kept_is_refused_with_the_reason(desk: Desk, said: str, why: str) -> None:
    shown = desk.run("remember", said)
    assert (shown.returncode, shown.stdout) == (1, "") and why in shown.stderr and SECRET not in shown.stderr
    assert desk.names() == []


def test_what_claude_md_says_already_is_not_kept(desk: Desk) -> None:
    (desk.project / "CLAUDE.md").write_text("- Always use pnpm in this repository.\n")
    shown = desk.run("remember", "always use pnpm in this repository")
    assert shown.returncode == 1 and "CLAUDE.md says this already" in shown.stdout and desk.names() == []


def test_said_twice_it_is_one_memory_and_said_otherwise_an_update(desk: Desk) -> None:
    desk.run("remember", "always use pnpm here")
    again = desk.run("remember", "always use pnpm here")
    assert again.returncode == 0 and "already said" in again.stdout
    assert desk.run("remember", "always use yarn here").stdout.startswith("Updated ")
    assert len(desk.names()) == 1


def test_a_slash_command_hands_over_whole_texts_only(desk: Desk) -> None:
    def typed(text: str, verb: str = "remember") -> str:
        shown = desk.run(verb, "-", "--until", ".end", stdin=text)
        assert (shown.returncode, shown.stderr) == (0, "")
        return shown.stdout

    awkward = "the server isn't `id` or $(whoami): \"otter\" && rm -rf /"
    assert typed(f"{awkward}\n.end\n").startswith("Saved ")
    assert awkward.replace('"', '\\"') in desk.text(desk.names()[0])
    assert "was cut on its way" in typed("always run ") and "was cut" in typed("a\n.end")
    assert "it is a question" in typed("what is it?\n.end\n")
    assert len(desk.names()) == 1
    assert typed("server\n.end\n", "memories").startswith(("recalled", "left out"))
    assert "1 memories in" in typed("\n.end\n", "memories") and "backend" in typed("  \n.end\n", "memories")


# forget


def test_forgotten_is_gone_and_comes_back(desk: Desk) -> None:
    for name in ("one", "two", "three"):
        desk.put(name, f"Number {name}")
    shown = desk.run("forget", "one", "two.md", "one", "--yes")
    assert shown.returncode == 0 and "Forgotten: one.md, two.md" in shown.stdout
    assert desk.names() == ["three.md"] and "(one.md)" not in desk.text("MEMORY.md")
    assert desk.run("undo").returncode == 0 and desk.names() == ["one.md", "three.md", "two.md"]


def test_forgetting_asks_and_without_a_terminal_it_wants_a_yes(desk: Desk) -> None:
    desk.put("one", "Number one")
    shown = desk.run("forget", "one")
    assert shown.returncode == 1 and "say --yes if you are sure" in shown.stderr
    assert desk.names() == ["one.md"]


@pytest.mark.parametrize(("typed", "left"), [("y\n", []), ("n\n", ["one.md"]), ("\n", ["one.md"]), ("", ["one.md"])])
def test_the_answer_counts(desk: Desk, monkeypatch: pytest.MonkeyPatch, typed: str, left: list[str]) -> None:
    desk.put("one", "Number one")
    lines = iter(typed.splitlines())

    def answer(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    desk.run("forget", "one", columns=80)
    assert desk.names() == left


def test_one_unknown_name_and_nothing_is_forgotten(desk: Desk) -> None:
    desk.put("one", "Number one")
    assert desk.run("forget", "one", "two", "--yes").returncode == 1
    assert desk.names() == ["one.md"]


def test_what_cannot_be_decoded_is_forgotten_and_comes_back_byte_for_byte(desk: Desk) -> None:
    desk.put("one", "Number one")
    raw = b"---\nname: bad\n---\n\xff\xfe caf\xe9\n"
    (desk.memory / "bad.md").write_bytes(raw)
    assert "\ufffd" in desk.run("show", "bad").stdout
    assert desk.run("forget", "bad", "--yes").returncode == 0
    desk.run("undo")
    assert (desk.memory / "bad.md").read_bytes() == raw


def test_a_writer_that_holds_the_directory_is_waited_for_and_then_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.put("one", "Number one")
    monkeypatch.setattr(lock.held.__init__, "__defaults__", (0.05,))
    with lock.held(str(desk.memory)):
        shown = desk.run("forget", "one", "--yes")
    assert shown.returncode == 1 and "another process has been writing" in shown.stderr
    assert desk.names() == ["one.md"]


# edit


def test_an_edit_is_saved_indexed_and_undone(desk: Desk, tmp_path: Path) -> None:
    desk.put("freeze", "Frozen until 2026-12-10")
    before = desk.text("freeze.md")
    shown = desk.run("edit", "freeze", EDITOR=editor(tmp_path, 'sed -i s/12-10/12-17/ "$1"'))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "12-17" in desk.text("freeze.md") and "12-17" in desk.text("MEMORY.md")
    desk.run("undo")
    assert desk.text("freeze.md") == before


def test_visual_goes_before_editor_and_an_unchanged_text_is_no_entry(desk: Desk, tmp_path: Path) -> None:
    desk.put("freeze", "Frozen")
    shown = desk.run("edit", "freeze", VISUAL=editor(tmp_path, "true"), EDITOR="/no/such/editor")
    assert shown.stdout == "freeze.md is unchanged.\n" and who(desk) == []


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("/no/such/editor -w", "the editor '/no/such/editor' is not there; set EDITOR"),
        ("'", "which is no command (No closing quotation)"),
        ("false", "the editor 'false' ended with status 1; nothing was changed"),
    ],
)
def test_an_editor_that_will_not_do_is_one_sentence(desk: Desk, named: str, said: str) -> None:
    desk.put("freeze", "Frozen")
    shown = desk.run("edit", "freeze", EDITOR=named)
    assert (shown.returncode, shown.stdout) == (1, "")
    assert said in shown.stderr and shown.stderr.count("\n") == 1


def test_without_any_editor_it_says_what_to_set(desk: Desk, tmp_path: Path) -> None:
    desk.put("freeze", "Frozen")
    shown = desk.run("edit", "freeze", EDITOR="", VISUAL="", PATH=str(tmp_path))
    said = "there is no editor: set EDITOR to one, such as `EDITOR=nano memory.py edit NAME`"
    assert shown.stderr == f"memory.py: {said}\n"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ('sed -i s/project/stuff/ "$1"', "it must be one of user, feedback, project, reference"),
        ('echo words > "$1"', "no frontmatter"),
        ('sed -i s/freeze/other/ "$1"', "name and file name must be the same slug"),
        (f'echo "token {SECRET}" >> "$1"', "looks like a secret"),
        ('printf "\\377" >> "$1"', "it is no UTF-8 text"),
        (': > "$1"', "no frontmatter"),
    ],
)
def test_a_broken_edit_is_kept_aside_and_the_memory_stays(desk: Desk, tmp_path: Path, script: str, why: str) -> None:
    desk.put("freeze", "Frozen")
    before = desk.text("freeze.md")
    shown = desk.run("edit", "freeze", EDITOR=editor(tmp_path, script))
    assert shown.returncode == 1 and why in shown.stderr and SECRET not in shown.stderr
    (kept,) = aside(desk)
    assert str(kept) in shown.stderr and desk.text("freeze.md") == before and who(desk) == []
    mended = editor(tmp_path, f'cp "{desk.memory}/freeze.md" "$1"')
    again = desk.run("edit", "freeze", "--from", str(kept), EDITOR=mended)
    assert again.stdout == "freeze.md is unchanged.\n"


def test_of_two_edits_at_once_neither_is_lost(desk: Desk, tmp_path: Path) -> None:
    desk.put("freeze", "Frozen until 2026-12-10")
    other = f'sed -i s/12-10/12-31/ "{desk.memory}/freeze.md"; sed -i s/12-10/12-17/ "$1"'
    shown = desk.run("edit", "freeze", EDITOR=editor(tmp_path, other))
    assert shown.returncode == 1 and "freeze.md was changed meanwhile" in shown.stderr
    assert "12-31" in desk.text("freeze.md")
    (kept,) = aside(desk)
    assert "12-17" in kept.read_text()


def test_a_memory_that_was_imperfect_before_may_be_edited(desk: Desk, tmp_path: Path) -> None:
    text = b"---\nname: old\ndescription: d\nmetadata:\n  type: project\n---\nno parts\n"
    files.write(str(desk.memory), "old.md", text)
    shown = desk.run("edit", "old", EDITOR=editor(tmp_path, 'echo more >> "$1"'))
    assert shown.returncode == 0 and desk.text("old.md").endswith("more\n")


def test_what_cannot_be_decoded_can_be_edited_into_what_can(desk: Desk, tmp_path: Path) -> None:
    desk.memory.mkdir(parents=True)
    (desk.memory / "bad.md").write_bytes(b"---\nname: bad\n---\n\xff\n")
    desk.put("good", "A sound one")
    desk.run("edit", "bad", EDITOR=editor(tmp_path, f'sed s/good/bad/ "{desk.memory}/good.md" > "$1"'))
    assert "A sound one" in desk.text("bad.md")


def test_the_name_of_a_draft_is_the_memory_s_own_in_any_script(desk: Desk, tmp_path: Path) -> None:
    for name in ("发布冻结", "שחרור", "rocket-🚀"):
        desk.put(name, "Said")
        checks = editor(tmp_path, f'test "$(basename "$1")" = "{name}.md" && echo x >> "$1"')
        shown = desk.run("edit", name, EDITOR=checks)
        assert shown.returncode == 0, shown.stderr
        assert os.path.exists(desk.memory / f"{name}.md")
