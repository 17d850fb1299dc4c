"""The slash commands: written for this checkout, a person's own of that name left alone, taken out again."""
from __future__ import annotations

from pathlib import Path

import pytest

from lib.host.registration import CHECKOUT_MARK
from lib.setup import check, record, slash_commands

ROOT = str(Path(__file__).resolve().parent.parent.parent)


def test_a_command_names_this_checkout_and_is_written_once(tmp_path: Path) -> None:
    assert slash_commands.install(str(tmp_path), "/py/bin/python", ROOT) == []
    path = tmp_path / "commands" / "dream.md"
    text = path.read_text()
    assert f"\n!`/py/bin/python {ROOT}/memory.py dream`\n" in text
    assert f"\nallowed-tools: Bash(/py/bin/python {ROOT}/memory.py dream)\n" in text
    assert text.startswith(f"---\n# {CHECKOUT_MARK}\n") and "{" not in text
    before = path.stat().st_mtime_ns
    slash_commands.install(str(tmp_path), "/py/bin/python", ROOT)
    assert path.stat().st_mtime_ns == before
    slash_commands.install(str(tmp_path), "/other py", ROOT)
    assert "'/other py' " in path.read_text()


def test_install_and_uninstall_leave_what_was_there(tmp_path: Path) -> None:
    slash_commands.install(str(tmp_path), "/py", ROOT)
    slash_commands.uninstall(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "mine.md").write_text("x")
    slash_commands.install(str(tmp_path), "/py", ROOT)
    slash_commands.uninstall(str(tmp_path))
    assert [path.name for path in (tmp_path / "commands").iterdir()] == ["mine.md"]
    slash_commands.uninstall(str(tmp_path))


@pytest.mark.parametrize("theirs", ["", "my own dream", f"a text that mentions {CHECKOUT_MARK}"])
def test_a_persons_own_command_is_left_and_named(tmp_path: Path, theirs: str) -> None:
    path = tmp_path / "commands" / "dream.md"
    path.parent.mkdir()
    path.write_text(theirs)
    (told,) = slash_commands.install(str(tmp_path), "/py", ROOT)
    assert str(path) in told and "/dream" in told
    slash_commands.uninstall(str(tmp_path))
    assert path.read_text() == theirs


def test_each_template_allows_exactly_the_command_that_it_runs(tmp_path: Path) -> None:
    """A rule that ends in a wildcard is not matched by the client when a path needs quotes of both kinds."""
    root = tmp_path / "it's \"a\" $HOME"
    root.mkdir()
    (root / "commands").symlink_to(f"{ROOT}/commands")
    for name in slash_commands.NAMES:
        lines = slash_commands.text(name, "/py", str(root)).split("\n")
        (rule,) = [line[len("allowed-tools: Bash(") : -1] for line in lines if line.startswith("allowed-tools:")]
        ran = [line for line in lines if line.startswith((f"!`{rule}`", f"{rule} <<'", rule)) and "allowed" not in line]
        assert len(ran) == 1, name
        assert not name.startswith("memory.")


def test_the_check_tells_of_each_command(tmp_path: Path) -> None:
    config = str(tmp_path)
    assert check.commands(config, ROOT) == []
    record.save(config, record.Record(["x"]))
    assert [bool(row.problem) for row in check.commands(config, ROOT)] == [True] * len(slash_commands.NAMES)
    slash_commands.install(config, "/py", ROOT)
    assert [row.problem for row in check.commands(config, ROOT)] == [""] * len(slash_commands.NAMES)
    (tmp_path / "commands" / "remember.md").write_text("mine")
    assert "/remember is a command of your own" in [row.note for row in check.commands(config, ROOT)]
    (tmp_path / "commands" / "dream.md").unlink()
    other = tmp_path / "another"
    other.mkdir()
    (other / "commands").symlink_to(f"{ROOT}/commands")
    slash_commands.install(config, "/py", str(other))
    assert "/dream runs another checkout" in [row.problem for row in check.commands(config, ROOT)]
