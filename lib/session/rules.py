"""A summary without a model: what was asked, done and left open, in the words of the conversation. Req: D1, B9.

Only what the person and the model said is used, and what the model asked its tools to do; never a tool's result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lib.host.transcript import Tool, Turn
from lib.session import condense, tokens
from lib.session.summary import Sections

ASKED = 120  # tokens of one prompt
STATE = 400  # tokens of the last reply
_CHANGES = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace", "edit"))
_CORRECTION = re.compile(
    r"\b(?:no,|not like|don'?t|do not|never|always|instead|rather than|actually|wrong|that'?s not|stop \w+ing|prefer|"
    r"remember|please use|should(?:n'?t| not)|nein|nicht|immer|niemals|statt|lieber)(?!\w)", re.IGNORECASE,
)  # fmt: skip
_DECISION = re.compile(
    r"\b(?:decided|decision|let'?s (?:use|go|keep|take)|we(?:'ll| will) (?:use|go|keep|take)|going with|go with|agreed|"
    r"settled on|chose|instead of|wir nehmen|entschieden)\b", re.IGNORECASE,
)  # fmt: skip
_OPEN = re.compile(
    r"\b(?:todo|next step|next,|remaining|still (?:to|need|open|fail|miss)|not yet|left to|follow[- ]up|fails?\b|"
    r"failing|open question|noch offen|als nächstes)", re.IGNORECASE,
)  # fmt: skip


def update(before: Sections, turns: Sequence[Turn]) -> Sections:
    """The summary with what these turns add; what was open or the last state before is replaced, not kept."""
    human = [text for turn in turns for _, text in turn.human]
    replies = [text for turn in turns for text in turn.assistant]
    tools = [tool for turn in turns for tool in turn.tools]
    last = replies[-1] if replies else ""
    return {
        "What was asked": _joined(before, "What was asked", filter(None, map(_asked, human))),
        "Corrections and preferences": _joined(before, "Corrections and preferences", _saying(human, _CORRECTION)),
        "Decisions": _joined(before, "Decisions", _saying([*human, *replies], _DECISION)),
        "Files touched": _files(before.get("Files touched", []), tools),
        "Commands run": _joined(before, "Commands run", _commands(tools)),
        "Open ends": _open(turns) if turns else before.get("Open ends", []),
        "Last state": [told] if (told := condense.first(last, STATE)) else before.get("Last state", []),
    }


def _flat(text: str) -> str:
    return " ".join(text.split())


def _asked(text: str) -> str:
    """The prompt's beginning; of one that begins with a long paste its first sentence that is not."""
    return condense.first(text, ASKED) or next(
        (found for sentence in condense.sentences(text) if (found := condense.first(sentence, ASKED))), ""
    )


def _saying(texts: Iterable[str], pattern: re.Pattern[str]) -> Iterable[str]:
    for text in texts:
        for sentence in condense.sentences(text):
            if pattern.search(sentence) and condense.first(sentence, ASKED) and not sentence.endswith("?"):
                yield sentence


def _joined(before: Sections, name: str, new: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*before.get(name, []), *new]))


def _files(before: list[str], tools: list[Tool]) -> list[str]:
    """One line a path, the newest last; changed once is changed."""
    known: dict[str, str] = {}
    for point in before:
        path, _, how = point.rpartition(": ")
        known[path] = how
    for tool in tools:
        if tool.path:
            how = "changed" if tool.name in _CHANGES or known.get(tool.path) == "changed" else "looked at"
            known.pop(tool.path, None)
            known[tool.path] = how
    return [f"{_flat(path)}: {how}" for path, how in known.items()]


def _commands(tools: list[Tool]) -> Iterable[str]:
    for tool in tools:
        command = tool.given.get("command")
        if isinstance(command, str) and (lines := command.strip().split("\n")):
            line = _flat(lines[0])
            if tokens.of_text(line) <= ASKED:
                yield f"`{line}`" + (f" and {len(lines) - 1} more lines" if len(lines) > 1 else "")


def _open(turns: Sequence[Turn]) -> list[str]:
    """What the last turn leaves: a prompt without an answer, questions to the person, what is said to be missing."""
    last = turns[-1]
    if last.human and not last.assistant:
        return [f"Not answered yet: {_asked(last.human[-1][1])}"]
    found = []
    for sentence in condense.sentences(last.assistant[-1]) if last.assistant else []:
        asks = sentence.endswith("?") or _OPEN.search(sentence)
        if asks and condense.first(sentence, ASKED):
            found.append(sentence)
    return found
