"""Patterns expanded by us, paths held inside the roots."""

from __future__ import annotations

import pytest

from lib.model.scope import Denied, Scope
from lib.model.shell import parse, resolve
from lib.model.shell.files import MAX_MATCHES, workplace
from tests.model.conftest import Yard


def argv(yard: Yard, line: str) -> list[str] | str:
    pipelines = parse(yard.fill(line))
    assert not isinstance(pipelines, Denied), pipelines.reason
    resolved = resolve(pipelines, yard.scope)
    return resolved.reason if isinstance(resolved, Denied) else list(resolved[0][0])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cat *.md", ["cat", "a file.md", "notes.md"]),
        ("cat sub/*.md", ["cat", "sub/deep.md"]),
        ("cat */deep.*", ["cat", "sub/deep.md"]),
        ("cat ./n*", ["cat", "./names.txt", "./notes.md"]),
        ("ls -d */", ["ls", "-d", "sub/"]),
        ("cat [mn]otes.md", ["cat", "notes.md"]),
        ("cat $ROOT/n*.md", ["cat", "$ROOT/notes.md"]),
        ("cat *.rs", ["cat", "*.rs"]),
        ("cat '*.md'", ["cat", "*.md"]),
        ("cat \\*.md", ["cat", "*.md"]),
        ("grep --include=*.md foo", ["grep", "--include=*.md", "foo"]),
        ("echo l*", ["echo", "link_in", "ls"]),
        ("ls .e*", ["ls", ".e*"]),
    ],
)
def test_a_pattern_becomes_the_files_that_may_be_read(yard: Yard, line: str, words: list[str]) -> None:
    assert argv(yard, line) == [yard.fill(word) for word in words]


@pytest.mark.parametrize("name", ["-la", "--files0-from=x", "-delete", "(", "!", ",x", "=y", "~", "#x"])
def test_a_file_name_never_becomes_a_flag_or_an_operator(yard: Yard, name: str) -> None:
    (yard.root / name).write_text("x")
    for line in ("ls *", "cat *", "sort *", "find *"):
        words = argv(yard, line)
        assert f"./{name}" in words and name not in words


def test_links_out_hidden_files_and_credentials_are_left_out(yard: Yard) -> None:
    words = argv(yard, "ls *")
    assert not {"link_out", "linkdir_out", ".env"} & set(words)
    assert "link_in" in words


@pytest.mark.parametrize(
    "line",
    [
        "cat ../*",
        "ls $PARENT/p*",
        "cat /e*/passwd",
        "cat linkdir_out/*",
        "cat */../../outside.txt",
        "ls sub/../../*",
        "cat ../outside.txt",
        "cat link_out",
        "cat linkdir_out/outside.txt",
        "ls $PARENT/proj-evil",
        "ls /",
        "cat .env",
        "head ./.env",
        "grep x .env",
        "cat sub/../../outside.txt",
        "find .. -name x",
        "find . -newer ../outside.txt",
        "diff notes.md ../outside.txt",
        "diff sub sub",
        "diff notes.md sub",
        "uniq *",
        "test -e /etc/shadow",
        "cat ''",
        "ls '~/x/../../../..'",
    ],
)
def test_what_lies_outside_is_denied_with_a_reason(yard: Yard, line: str) -> None:
    reason = argv(yard, line)
    assert isinstance(reason, str) and reason.endswith(".")


def test_a_pattern_that_matches_too_much_is_denied(yard: Yard) -> None:
    for number in range(MAX_MATCHES + 1):
        (yard.root / f"{number}.log").write_text("")
    assert "more than" in argv(yard, "cat *.log")


def test_commands_run_in_the_first_root_that_is_a_folder_of_its_own(yard: Yard) -> None:
    assert workplace(yard.scope) == str(yard.root)
    assert workplace(Scope(str(yard.base), ("", "/", "relative"))) == str(yard.base)
    assert workplace(Scope("", ("/",))) == ""
    pipelines = parse("ls")
    assert not isinstance(pipelines, Denied)
    assert isinstance(resolve(pipelines, Scope("", ())), Denied)


def test_a_second_root_may_be_read_by_its_full_path(yard: Yard, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "a.md").write_text("x")
    pipelines = parse(f"cat {other}/a.md {other}/*.md")
    assert not isinstance(pipelines, Denied)
    assert resolve(pipelines, Scope(str(other), (str(yard.root),))) == [[["cat", f"{other}/a.md", f"{other}/a.md"]]]


def test_patterns_that_match_too_much_together_are_denied(yard: Yard) -> None:
    for number in range(300):
        (yard.root / f"{number}.log").write_text("")
    assert "together" in argv(yard, "cat *.log *.log *.log *.log")


def test_a_link_to_nothing_inside_is_matched_and_a_link_out_is_not(yard: Yard) -> None:
    (yard.root / "sub/gone").symlink_to("nowhere")
    (yard.root / "sub/away").symlink_to("../../outside.txt")
    (yard.root / "sub/folder").symlink_to("../..")
    assert argv(yard, "ls sub/*") == ["ls", "sub/deep.md", "sub/gone"]
    assert argv(yard, "ls */gone") == ["ls", "sub/gone"]
    assert argv(yard, "ls sub/*/outside.txt") == ["ls", "sub/*/outside.txt"]


def test_many_patterns_are_given_up_early(yard: Yard) -> None:
    for number in range(300):
        (yard.root / f"sub/{number}.txt").write_text("")
    denied = resolve(parse("cat " + "sub/*.txt " * 40), yard.scope)  # type: ignore[arg-type]
    assert isinstance(denied, Denied) and "more than 1000 files together" in denied.reason
