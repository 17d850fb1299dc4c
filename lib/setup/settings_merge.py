"""Our entries in the text of a settings file: found, added, taken out again; pure text to text. Req: I2, J7."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lib.setup import json_edit
from lib.setup.json_spans import Node, NotJson, parse

Owns = Callable[[str, str], bool]
Groups = Sequence[Mapping[str, object]]
Hooks = Mapping[str, Groups]
# What stood where we had to make a container: "hooks", "hooks/Stop" or "" (the whole object) -> the literal text
# before, None for nothing. Taking our entries out consults it, so that `"Stop": []` comes back as it was.
Before = dict[str, str | None]


class Refusal(ValueError):
    """The file is such that we cannot add to it without losing something; the message says where and why."""


@dataclass(frozen=True)
class Found:
    """One command in the file: the `group` is an element of the event's array, `matcher` its own."""

    event: str
    matcher: str
    command: str
    timeout: object
    kind: str
    current: bool  # False in a doubled key that a JSON reader drops


@dataclass(frozen=True)
class Merge:
    """The new text, and what stood where containers were made."""

    text: str
    before: Before


def parsed(text: str) -> Node:
    """The root object; raises Refusal when the text is not strict JSON or not an object."""
    try:
        root = parse(text)
    except NotJson as problem:
        raise Refusal(str(problem)) from None
    if root.kind != "object":
        raise _refused(text, root, f"the file holds {_a(root)} where an object of settings should be")
    return root


def commands(text: str) -> list[Found]:
    """Every command hook in the file, whoever wrote it; shapes that are no hooks are passed over."""
    root = parsed(text)
    effective = root.get("hooks")
    found = []
    for member in root.members:
        if member.key != "hooks" or member.value.kind != "object":
            continue
        for event in member.value.members:
            current = member.value is effective and event.value is member.value.get(event.key)
            for group in event.value.items:
                for _, run in _runs(group):
                    timeout = run.get("timeout")
                    found.append(
                        Found(
                            event.key,
                            group.text("matcher"),
                            run.text("command"),
                            timeout.scalar if timeout else None,
                            run.text("type"),
                            current,
                        )
                    )
    return found


def wanted(hooks: Hooks) -> list[Found]:
    """The entries of the table in the form in which `commands` finds them."""
    text = json_edit.rendered({"hooks": hooks}, json_edit.Style())
    return commands(text)


def matches(text: str, hooks: Hooks, owns: Owns) -> bool:
    """True when exactly the table's entries are ours in the file: none missing, none twice, none of another place."""
    ours = [found for found in commands(text) if owns(found.event, found.command)]
    return sorted(map(repr, ours)) == sorted(map(repr, wanted(hooks)))


def added(text: str, hooks: Hooks) -> Merge:
    """The text with the table's entries after those that are there; raises Refusal where nothing can be added."""
    before: Before = {}
    root = parsed(text)
    if root.empty:
        before[""] = text[root.start : root.end]
        return Merge(json_edit.replaced(text, root, {"hooks": hooks}), before)
    there = root.get("hooks")
    if there is None:
        before["hooks"] = None
        return Merge(json_edit.appended(text, root, "hooks", hooks), before)
    if there.empty:
        before["hooks"] = text[there.start : there.end]
        return Merge(json_edit.replaced(text, there, hooks), before)
    if there.kind != "object":
        raise _refused(text, there, f'"hooks" holds {_a(there)} where an object should be')
    for event, groups in hooks.items():
        text = _with_event(text, event, groups, before)
    return Merge(text, before)


def _with_event(text: str, event: str, groups: Groups, before: Before) -> str:
    hooks = parsed(text).get("hooks")
    assert hooks is not None
    there = hooks.get(event)
    if there is None:
        before[f"hooks/{event}"] = None
        return json_edit.appended(text, hooks, event, groups)
    if there.empty:
        before[f"hooks/{event}"] = text[there.start : there.end]
        return json_edit.replaced(text, there, groups)
    if there.kind != "array":
        raise _refused(text, there, f'"hooks.{event}" holds {_a(there)} where an array should be')
    for group in groups:
        there = _at(text, event)
        text = json_edit.appended(text, there, "", group)
    return text


def _at(text: str, event: str) -> Node:
    hooks = parsed(text).get("hooks")
    there = hooks.get(event) if hooks is not None else None
    assert there is not None
    return there


def removed(text: str, owns: Owns, before: Before | None) -> str:
    """The text without our entries and without what they alone kept there.

    `before` is what `added` gave; with None (the record is lost) containers that our entries leave empty go too.
    """
    while (shorter := _one_less(text, owns, before)) is not None:
        text = shorter
    return text


def _one_less(text: str, owns: Owns, before: Before | None) -> str | None:
    root = parsed(text)
    for at, member in enumerate(root.members):
        hooks = member.value
        if member.key != "hooks" or hooks.kind != "object":
            continue
        for event_at, event in enumerate(hooks.members):
            groups = event.value
            for group_at, group in enumerate(groups.items):
                for run_at, run in _runs(group):
                    if not owns(event.key, run.text("command")):
                        continue
                    runs = group.get("hooks")
                    if runs is not None and len(runs.items) > 1:
                        return json_edit.without(text, runs, run_at)
                    trail = [(groups, group_at, f"hooks/{event.key}"), (hooks, event_at, "hooks"), (root, at, "")]
                    return _cut(text, trail, before)
    return None


def _cut(text: str, trail: list[tuple[Node, int, str]], before: Before | None) -> str:
    """Take a group out that was ours alone, and each container around it that only we needed."""
    for container, at, place in trail:
        if len(container.items) + len(container.members) > 1 or not _made_by_us(place, before):
            return json_edit.without(text, container, at)
        literal = before.get(place) if before is not None else None
        if literal is not None:
            return json_edit.restored(text, container, literal)
    root, at, _ = trail[-1]
    return json_edit.without(text, root, at)


def _made_by_us(place: str, before: Before | None) -> bool:
    if before is None or place in before:
        return True
    return any(place.startswith(f"{outer}/") or not outer for outer in before)


def _runs(group: Node) -> list[tuple[int, Node]]:
    runs = group.get("hooks") if group.kind == "object" else None
    return [(at, run) for at, run in enumerate(runs.items) if run.kind == "object"] if runs is not None else []


def _a(node: Node) -> str:
    named = {"object": "an object", "array": "an array", "string": "a string", "number": "a number"}
    return named.get(node.kind, node.kind)


def _refused(text: str, node: Node, reason: str) -> Refusal:
    return Refusal(str(NotJson(reason, text, node.start)))
