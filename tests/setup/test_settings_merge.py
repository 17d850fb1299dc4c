from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import registration
from lib.setup import settings_merge
from lib.setup.ownership import Ownership
from lib.setup.settings_merge import Refusal

HOOKS = registration.entries("/opt/v/bin/python", "/opt/checkout", "linux")
OURS = [found.command for found in settings_merge.wanted(HOOKS)]
OWNS = Ownership(OURS).owns
FOREIGN = {
    "matcher": "Bash",
    "hooks": [{"type": "command", "command": "mine.sh", "timeout": 3}],
    "extra": {"kept": [1]},
}


def through(text: str, before: bool = True) -> str:
    """Installed and taken out again, with the install record or without it."""
    merge = settings_merge.added(text, HOOKS)
    assert settings_merge.matches(merge.text, HOOKS, OWNS)
    return settings_merge.removed(merge.text, OWNS, merge.before if before else None)


# what a settings file may hold under "hooks", odd shapes included
GROUP: st.SearchStrategy[Any] = st.sampled_from(
    [
        FOREIGN,
        {"hooks": []},
        {"hooks": None},
        {"matcher": ""},
        {},
        None,
        7,
        "x",
        [],
        {"hooks": [None, {"type": "command"}, {"command": 5}, {"type": "prompt", "prompt": "x"}]},
    ]
)
EVENTS = st.sampled_from(["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreToolUse", 'ü "odd" event'])
HOOKS_VALUE: st.SearchStrategy[Any] = st.sampled_from([None, [], {}]) | st.dictionaries(
    EVENTS, st.lists(GROUP, max_size=3) | st.sampled_from([None, {}, []]), max_size=4
)
OTHER = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@st.composite
def settings_text(draw: st.DrawFn) -> str:
    """A settings file in one of the layouts people have."""
    value = draw(st.dictionaries(st.sampled_from(["permissions", "env", "model", "ü", "hooks "]), OTHER, max_size=3))
    if draw(st.booleans()):
        value["hooks"] = draw(HOOKS_VALUE)
        keys = draw(st.permutations(list(value)))
        value = {key: value[key] for key in keys}
    layout = draw(
        st.sampled_from(
            [
                (None, (",", ":")),
                (None, (", ", ": ")),
                (2, (",", ": ")),
                ("\t", (",", ":")),
                (4, (" ,", " : ")),
                (0, (",", ": ")),
            ]
        )
    )
    text = json.dumps(value, indent=layout[0], separators=layout[1], ensure_ascii=draw(st.booleans()))
    text = draw(st.sampled_from(["", "\n", "  "])) + text + draw(st.sampled_from(["", "\n", "\n\n", " \n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    if draw(st.booleans()):
        text = text.replace("{}", "{ }").replace("[]", "[\n]")
    return text


@given(settings_text())
def test_install_and_uninstall_give_the_same_text(text: str) -> None:
    assert through(text) == text


@given(settings_text())
def test_without_the_record_the_rest_is_still_what_it_was(text: str) -> None:
    def rest(raw: str) -> Any:
        value = json.loads(raw)
        hooks = value.pop("hooks", None) or {}
        return value, {event: groups for event, groups in hooks.items() if groups}

    assert rest(through(text, before=False)) == rest(text)


@given(settings_text())
def test_everything_foreign_stays_in_its_order(text: str) -> None:
    merged = json.loads(settings_merge.added(text, HOOKS).text)
    original = json.loads(text)
    assert [key for key in merged if key in original] == list(original)
    assert {key: value for key, value in merged.items() if key != "hooks"} == {
        key: value for key, value in original.items() if key != "hooks"
    }
    hooks = original.get("hooks") or {}
    for event in {*hooks, *HOOKS}:
        ours = HOOKS.get(event)
        assert merged["hooks"][event] == ([*(hooks.get(event) or []), *ours] if ours else hooks[event])


@given(settings_text(), st.sampled_from(["before", "after"]))
def test_only_our_entries_go_when_the_person_edited_the_file_since(text: str, where: str) -> None:
    merge = settings_merge.added(text, HOOKS)
    edited = json.loads(merge.text)
    if where == "before":
        edited["hooks"]["Stop"].insert(0, FOREIGN)
    else:
        edited["hooks"]["Stop"].append(FOREIGN)
        edited["hooks"]["PreCompact"] = [FOREIGN]
    edited["new"] = True
    left = json.loads(settings_merge.removed(json.dumps(edited, indent=3), OWNS, merge.before))
    expected = json.loads(text)
    stops = list((expected.get("hooks") or {}).get("Stop") or [])
    hooks = dict(expected.get("hooks") or {})
    hooks["Stop"] = [FOREIGN, *stops] if where == "before" else [*stops, FOREIGN]
    if where == "after":
        hooks["PreCompact"] = [FOREIGN]
    assert left == {**expected, "hooks": hooks, "new": True}


def test_a_foreign_command_in_our_group_stays() -> None:
    merged = json.loads(settings_merge.added("{}", HOOKS).text)
    merged["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "mine"})
    left = json.loads(settings_merge.removed(json.dumps(merged), OWNS, None))
    assert left == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}


def test_a_doubled_key_is_edited_where_it_counts_and_cleaned_everywhere() -> None:
    text = '{"hooks": {"Stop": [7]}, "a": 1, "hooks": {"Stop": [null]}}'
    merge = settings_merge.added(text, HOOKS)
    assert merge.text.startswith('{"hooks": {"Stop": [7]}, "a": 1, "hooks": {"Stop": [null, {"hooks"')
    assert settings_merge.removed(merge.text, OWNS, merge.before) == text


def test_our_entries_in_a_dropped_doubled_key_do_not_count_as_installed() -> None:
    text = settings_merge.added("{}", HOOKS).text.rstrip()[:-1] + ', "hooks": {}}'
    assert not settings_merge.matches(text, HOOKS, OWNS)
    assert json.loads(settings_merge.removed(text, OWNS, None)) == {"hooks": {}}


def test_added_entries_look_like_the_standard_writer_s() -> None:
    expected = json.dumps({"model": "x", "hooks": HOOKS}, indent=2) + "\n"
    assert settings_merge.added('{\n  "model": "x"\n}\n', HOOKS).text == expected


@pytest.mark.parametrize("change", ["missing", "twice", "timeout", "matcher", "event", "python"])
def test_any_difference_from_the_table_is_seen(change: str) -> None:
    value: dict[str, Any] = json.loads(json.dumps({"hooks": HOOKS}))
    hooks = value["hooks"]
    if change == "missing":
        hooks["SessionStart"].pop()
    elif change == "twice":
        hooks["Stop"].append(hooks["Stop"][0])
    elif change == "timeout":
        hooks["Stop"][0]["hooks"][0]["timeout"] = 600
    elif change == "matcher":
        del hooks["PostToolUse"][0]["matcher"]
    elif change == "event":
        hooks["SubagentStop"] = hooks.pop("Stop")
    else:
        hooks["Stop"][0]["hooks"][0]["command"] = registration.command(
            registration.HOOKS[-1], "/gone/python", "/gone/checkout"
        )
    assert settings_merge.matches(json.dumps({"hooks": HOOKS}), HOOKS, OWNS)
    assert not settings_merge.matches(json.dumps(value), HOOKS, OWNS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "line 1, column 1: the file holds an array where an object of settings should be"),
        ("", "line 1, column 1: the end of the file where a value should be"),
        ('{\n "hooks": [1]\n}', 'line 2, column 11: "hooks" holds an array where an object should be'),
        ('{"hooks": "x"}', 'line 1, column 11: "hooks" holds a string where an object should be'),
        ('{"hooks": {"Stop": {"a": 1}}}', 'line 1, column 20: "hooks.Stop" holds an object where an array should be'),
        ('{"hooks": {"Stop": false}}', 'line 1, column 20: "hooks.Stop" holds false where an array should be'),
        (
            '{"permissions":{"deny":["Read(./.env)"]},"hooks":{},}',
            'line 1, column 52: a comma before "}", which JSON does not allow',
        ),
    ],
)
def test_where_nothing_can_be_added_safely_it_says_so(text: str, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        settings_merge.added(text, HOOKS)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "hooks",
    [
        "null",
        "[]",
        "{}",
        '{"Stop": {}}',
        '{"Stop": null}',
        '{"Stop": [null]}',
        '{"Stop": [{}]}',
        '{"Stop": [{"hooks": null}]}',
    ],
)
def test_odd_shapes_are_filled_and_come_back(hooks: str) -> None:
    text = f'{{ "a": 1, "hooks": {hooks}, "b": 2 }}'
    assert through(text) == text
