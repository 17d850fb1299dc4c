"""The backend that install.py was asked for, in the text of a settings file: set, and taken back. Pure. Req: J3, J7."""

from __future__ import annotations

from lib.setup import json_edit
from lib.setup.json_spans import Node
from lib.setup.settings_merge import Before, Refusal, parsed

OWN, NAME = "memoryHooks", "backend"
PLACE = f"{OWN}/{NAME}"
BACKENDS = ("auto", "rules", "claude", "anthropic")


def chosen(text: str) -> str:
    """The backend that the text names, "" when it names none; raises Refusal for what is no settings file."""
    own = parsed(text).get(OWN)
    node = own.get(NAME) if own is not None and own.kind == "object" else None
    return node.scalar if node is not None and isinstance(node.scalar, str) else ""


def chosen_instead(text: str, backend: str, before: Before) -> str:
    """The text with this backend; `before` is told what stood there. The root object has a member already."""
    if chosen(text) == backend:
        return text
    root = parsed(text)
    own = root.get(OWN)
    if own is None:
        before[OWN] = None
        return json_edit.appended(text, root, OWN, {NAME: backend})
    if own.empty:
        before[OWN] = text[own.start : own.end]
        return json_edit.replaced(text, own, {NAME: backend})
    if own.kind != "object":
        raise Refusal(f'"{OWN}" holds no object; make it one')
    there = own.get(NAME)
    if there is None:
        before[PLACE] = None
        return json_edit.appended(text, own, NAME, backend)
    before[PLACE] = text[there.start : there.end]
    return json_edit.replaced(text, there, backend)


def taken_back(text: str, backend: str, before: Before) -> str:
    """The text with what stood there before us; what the person chose since then stays."""
    if not backend or chosen(text) != backend or not {OWN, PLACE} & before.keys():
        return text
    root = parsed(text)
    own = root.get(OWN)
    assert own is not None
    there = own.get(NAME)
    if there is not None and (literal := before.get(PLACE)) is not None:
        return json_edit.restored(text, there, literal)
    if OWN in before and len(own.members) == 1:
        former = before[OWN]
        if former is None:
            return json_edit.without(text, root, _at(root, OWN))
        return json_edit.restored(text, own, former)
    return json_edit.without(text, own, _at(own, NAME))


def _at(node: Node, key: str) -> int:
    # Of a doubled key a JSON reader takes the last one, and so does `get`.
    return max(at for at, member in enumerate(node.members) if member.key == key)
