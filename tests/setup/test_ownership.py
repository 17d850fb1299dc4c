from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import registration
from lib.setup.ownership import Ownership, carries_mark, script_of, shell_words

ROOT = Path(__file__).resolve().parents[2]
STOP = next(hook for hook in registration.HOOKS if hook.event == "Stop")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that carries the mark and a Stop script."""
    root = tmp_path / "check out"
    (root / "hooks").mkdir(parents=True)
    (root / "hooks" / "stop.py").write_text("")
    (root / "lib" / "host").mkdir(parents=True)
    shutil.copy(ROOT / registration.MARK_FILE, root / registration.MARK_FILE)
    return root


def test_this_repository_carries_the_mark() -> None:
    assert carries_mark(str(ROOT))


def test_a_folder_without_the_mark_is_no_checkout(tmp_path: Path) -> None:
    assert not carries_mark(str(tmp_path))
    (tmp_path / "lib/host").mkdir(parents=True)
    (tmp_path / registration.MARK_FILE).write_text("# memory-hooks checkout\n")
    assert not carries_mark(str(tmp_path))


def test_our_own_command_is_ours(checkout: Path) -> None:
    assert Ownership().owns("Stop", registration.command(STOP, "/usr/bin/python3", str(checkout)))


def test_another_spelling_of_the_same_script_is_ours(checkout: Path) -> None:
    link = checkout.parent / "link"
    link.symlink_to(checkout)
    for command in (
        f"python3 {shlex.quote(str(checkout))}/hooks/stop.py",
        f"'/usr/bin/python3' -X utf8 -I '{link}/hooks/stop.py'",
        f'python3.12 "{checkout}/lib/../hooks/stop.py"',
    ):
        assert Ownership().owns("Stop", command), command


def test_a_hook_under_a_folder_named_like_ours_is_the_person_s(tmp_path: Path) -> None:
    for name in ("memory-hooks", "my memory-hooks notes"):
        script = tmp_path / name / "hooks" / "stop.py"
        script.parent.mkdir(parents=True)
        script.write_text("")
        assert not Ownership().owns("Stop", f'"/usr/bin/python3" -I -S "{script}"')


def test_a_link_to_our_script_from_elsewhere_is_the_person_s(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "mine" / "hooks").mkdir(parents=True)
    (tmp_path / "mine/hooks/stop.py").symlink_to(checkout / "hooks/stop.py")
    assert not Ownership().owns("Stop", f"python3 {tmp_path}/mine/hooks/stop.py")


def test_a_leftover_of_a_deleted_checkout_is_ours_only_letter_by_letter(tmp_path: Path) -> None:
    gone = registration.command(STOP, "/old/bin/python", str(tmp_path / "gone"))
    assert Ownership().owns("Stop", gone)
    assert not Ownership().owns("SubagentStop", gone)
    assert not Ownership().owns("Stop", gone + " --mine")
    assert not Ownership().owns("Stop", gone.replace("-I -S", "-I"))
    assert not Ownership().owns("Stop", gone.replace('"', "'"))


def test_what_the_record_names_is_ours_whatever_it_looks_like() -> None:
    assert Ownership(["old form"]).owns("Stop", "old form")
    assert not Ownership(["old form"]).owns("Stop", "old form ")


@pytest.mark.parametrize(
    "tail", ["| tee log", "&& true", "; true", "> log", "2>&1", "$(id)", "# memory-hooks", "`id`", "&"]
)
def test_a_call_that_the_person_built_into_more_is_theirs(checkout: Path, tail: str) -> None:
    assert not Ownership().owns("Stop", f"{registration.command(STOP, '/usr/bin/python3', str(checkout))} {tail}")


@pytest.mark.parametrize(
    "command",
    [
        "",
        " ",
        '"',
        "'",
        "\\",
        "node /x/hooks/stop.py",
        "python3",
        "python3 -c x",
        "python3 -m hooks.stop",
        "python3 hooks/stop.py",
        "python3 -X",
        "cat /x/hooks/stop.py",
        '"$HOME/p" -I',
    ],
)
def test_other_commands_are_not_ours(command: str) -> None:
    assert not Ownership().owns("Stop", command)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=4
    )
)
def test_words_come_back_from_our_quoting_and_from_the_standard_one(words: list[str]) -> None:
    call = ["python3", *words]
    assert shell_words(" ".join(registration.quote(word, "linux") for word in call)) == call
    assert shell_words(" ".join(shlex.quote(word) for word in call)) == call


def test_an_assignment_before_the_call_makes_it_more_than_a_call() -> None:
    assert shell_words("A=1 python3 /x/hooks/stop.py") == []


@given(st.text(max_size=40))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    assert Ownership().owns("Stop", text) is False
    assert isinstance(shell_words(text), list)


@pytest.mark.parametrize(
    ("words", "script"),
    [
        (["/v/bin/python", "-I", "-S", "/r/hooks/stop.py", "1"], "/r/hooks/stop.py"),
        (["python3", "-W", "error", "-X", "dev", "/s.py"], "/s.py"),
        (["python3", "s.py"], ""),
        (["bash", "/s.py"], ""),
        (["/opt/interpreter", "-I", "-S", "/s.py"], "/s.py"),
        ([], ""),
    ],
)
def test_the_script_is_the_first_word_after_the_options(words: list[str], script: str) -> None:
    assert script_of(words) == script
