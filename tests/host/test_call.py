"""What one run of a hook knows of its place: one session belongs to one project, whatever the payload holds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import call, paths
from lib.host.call import Call
from lib.host.payload import Payload


def make(fields: dict[str, object], env: dict[str, str]) -> Call:
    return Call("Stop", Payload(fields), env, 1_000.0)


def transcript_of(config: Path, folder: Path, session: str = "s1") -> Path:
    place = config / "projects" / paths.slug(str(folder)) / f"{session}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def test_a_whole_payload_names_session_project_memory_and_state(tmp_path: Path) -> None:
    env = {"CLAUDE_CONFIG_DIR": "/c d", "HOME": "/h"}
    found = make({"session_id": "s1", "cwd": str(tmp_path)}, env)
    slug = paths.slug(str(tmp_path))
    assert found.usable and found.main_agent
    assert found.launch == found.root == str(tmp_path)
    assert found.memory == f"/c d/projects/{slug}/memory"
    assert found.state == f"/c d/memory-hooks/projects/{slug}"


@pytest.mark.parametrize("lacking", ["session_id", "cwd", "transcript_path"])
@pytest.mark.parametrize(
    "value", [None, 5, ["x"], {"a": "b"}, True, "", "\0", "relative/path.jsonl", "/\0/x.jsonl", "/\ufffd"]
)
def test_a_missing_or_wrong_field_is_answered_never_raised(tmp_path: Path, lacking: str, value: object) -> None:
    fields: dict[str, object] = {
        "session_id": "s1",
        "cwd": str(tmp_path),
        "transcript_path": str(tmp_path / "p" / "t.jsonl"),
    }
    for wrong in ({**fields, lacking: value}, {k: v for k, v in fields.items() if k != lacking}):
        found = make(wrong, {"CLAUDE_CONFIG_DIR": str(tmp_path / "config")})
        assert found.transcript == ""
        assert isinstance(found.root, str) and isinstance(found.memory, str)
        assert found.usable is (lacking != "session_id" and bool(found.launch))


@pytest.mark.parametrize(
    "env", [{}, {"HOME": ""}, {"HOME": "", "CLAUDE_CONFIG_DIR": ""}, {"CLAUDE_CONFIG_DIR": "relative"}]
)
def test_without_a_home_nothing_is_usable_and_no_path_points_to_the_root(tmp_path: Path, env: dict[str, str]) -> None:
    found = make({"session_id": "s1", "cwd": str(tmp_path)}, env)
    assert not found.usable
    assert (found.config, found.memory) == ("", "")


@pytest.mark.parametrize("fields", [{"agent_id": "x"}, {"agent_id": "x", "agent_type": "reviewer"}])
def test_a_sub_agent_is_not_the_main_agent(tmp_path: Path, fields: dict[str, str]) -> None:
    assert not make({"session_id": "s1", **fields}, {}).main_agent


@pytest.mark.parametrize("fields", [{}, {"agent_id": ""}, {"agent_type": "reviewer"}])
def test_a_main_session_may_run_as_a_named_agent(tmp_path: Path, fields: dict[str, str]) -> None:
    assert make({"session_id": "s1", **fields}, {}).main_agent


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", "a.b", "a b", "a\0", "é", "x" * 101, "", "a\n"])
def test_a_session_id_that_could_be_no_file_name_is_none(name: str) -> None:
    assert call.session_name(name) == ""


def test_a_session_id_as_the_client_makes_them_is_kept() -> None:
    assert call.session_name("0b7c1d2e-aaaa-4bbb-8ccc-0123456789ab") == "0b7c1d2e-aaaa-4bbb-8ccc-0123456789ab"


@given(st.text(max_size=120))
def test_a_session_name_never_leaves_its_folder(text: str) -> None:
    name = call.session_name(text)
    assert os.path.basename(name) == name and name not in (".", "..") and name in ("", text)


def test_the_named_project_wins_over_a_working_directory_that_moved(tmp_path: Path) -> None:
    found = make({"cwd": str(tmp_path / "pkg" / "sub")}, {"CLAUDE_PROJECT_DIR": str(tmp_path)})
    assert found.launch == str(tmp_path)


def test_a_working_directory_that_moved_below_belongs_to_where_the_session_began(tmp_path: Path) -> None:
    start, deep = tmp_path / "r", tmp_path / "r" / "pkg" / "sub"
    deep.mkdir(parents=True)
    transcript = transcript_of(tmp_path / "config", start)
    for cwd in (start, deep, deep / "vanished"):
        assert make({"cwd": str(cwd), "transcript_path": str(transcript)}, {}).launch == str(start)


def test_a_working_directory_that_moved_elsewhere_is_corrected_by_the_transcript(tmp_path: Path) -> None:
    start, elsewhere = tmp_path / "r", tmp_path / "other"
    elsewhere.mkdir()
    transcript = transcript_of(tmp_path / "config", start)
    rows = [
        "[" * 5_000,
        '"cwd"',
        '["cwd"]',
        '{"cwd": null}',
        '{"cwd": "relative"}',
        json.dumps({"cwd": str(start)}),
        '{"cwd": "/late"}',
    ]
    transcript.write_text("\n".join(rows) + "\n")
    assert make({"cwd": str(elsewhere), "transcript_path": str(transcript)}, {}).launch == str(start)


def test_without_any_other_sign_the_working_directory_is_taken(tmp_path: Path) -> None:
    transcript = transcript_of(tmp_path / "config", Path("/somewhere/else"))
    assert make({"cwd": str(tmp_path), "transcript_path": str(transcript)}, {}).launch == str(tmp_path)
    assert make({"cwd": str(tmp_path)}, {}).launch == str(tmp_path)
    assert make({"cwd": "relative"}, {}).launch == ""


def test_a_transcript_that_never_was_is_looked_for_in_the_sibling_folders(tmp_path: Path) -> None:
    real = transcript_of(tmp_path, Path("/r"))
    real.write_text("")
    named = tmp_path / "projects" / "-r-worktree" / "s1.jsonl"
    assert call.find_transcript(str(named)) == str(real)
    assert not named.parent.exists()


def test_a_transcript_that_is_nowhere_is_none_and_the_newest_of_others_is_not_taken(tmp_path: Path) -> None:
    folder = transcript_of(tmp_path, Path("/r")).parent
    (folder / "agent-a1.jsonl").write_text("")
    (folder / "s2.jsonl").write_text("")
    (folder / "s1.jsonl").mkdir()
    assert call.find_transcript(str(folder / "s1.jsonl")) == ""


@pytest.mark.parametrize(
    "named", ["", "s1.jsonl", "/etc/passwd", "/nowhere/x/s1.jsonl", "/\0/x/s1.jsonl", "/" + "x" * 5_000 + "/y/s1.jsonl"]
)
def test_what_can_be_no_transcript_is_none(named: str) -> None:
    assert call.find_transcript(named) == ""


@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_the_kill_switch_says_why(tmp_path: Path, value: str) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path), "CLAUDE_CODE_DISABLE_AUTO_MEMORY": value}
    assert make({"cwd": str(tmp_path)}, env).off() == "disabled"


@pytest.mark.parametrize("value", ["", "0", "false", "no"])
def test_a_kill_switch_that_is_not_pulled_changes_nothing(tmp_path: Path, value: str) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path), "CLAUDE_CODE_DISABLE_AUTO_MEMORY": value}
    assert make({"cwd": str(tmp_path)}, env).off() == ""


@pytest.mark.parametrize("content", [{"autoMemoryEnabled": False}, {"memoryHooks": {"enabled": False}}])
def test_settings_switch_memory_off(tmp_path: Path, content: dict[str, object]) -> None:
    (tmp_path / "settings.json").write_text(json.dumps(content))
    assert make({"cwd": str(tmp_path / "p")}, {"CLAUDE_CONFIG_DIR": str(tmp_path)}).off() == "disabled"


TEXT = st.text(max_size=12) | st.sampled_from(["/", "/\0", "/a/../b", "\ud800", "//", "/x/y.jsonl", "~"])


@given(
    st.dictionaries(
        st.sampled_from(["session_id", "cwd", "transcript_path", "agent_id"]), TEXT | st.none() | st.integers()
    )
)
def test_no_payload_raises(fields: dict[str, object]) -> None:
    found = make(fields, {"CLAUDE_CONFIG_DIR": "/nowhere"})
    assert found.launch == "" or os.path.isabs(found.launch)
    assert found.transcript == "" or os.path.isfile(found.transcript)
    assert isinstance(found.usable, bool) and found.root is not None
