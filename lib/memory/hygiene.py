"""What code holds every memory of an agent to: no secrets, nothing the repository says, no relative dates. Req: A6."""
from __future__ import annotations

import datetime

from lib.memory import dates, derivable, frontmatter, secrets


def objection(text: str, statement: str, project: str) -> str:
    """Why this may not be kept, or "": a secret anywhere in `text`, or a `statement` that the project holds already."""
    found = secrets.scan(text)
    if found:
        return f"it holds what looks like a secret ({found[0].rule})"
    return derivable.derivable(statement, project)


def dated(text: str, today: datetime.date) -> str:
    """A memory's text with relative dates in its description and body made absolute, counted from `today`."""
    block, body = frontmatter.split(text)
    if block is None:
        return dates.absolute(text, today)
    document = frontmatter.parse(text)
    description = document.fields.get("description")
    absolute = dates.absolute(body, today)
    if not isinstance(description, str) or document.problem:
        return text[: len(text) - len(body)] + absolute
    fields = {**document.fields, "description": dates.absolute(description, today)}
    return frontmatter.dump(fields, absolute, document.newline)
