"""One sentence of a remark to the assistant, judged: a lasting statement or nothing."""

from __future__ import annotations

import re

from lib.extract import asking, contrasts, habits, manners, people, plans, refusals
from lib.extract.statement import Statement, asked, plain

_READERS = (
    habits.standing,
    habits.frequency,
    habits.prohibition,
    contrasts.contrast,
    people.role,
    people.preference,
    people.surroundings,
    plans.plan,
    people.duty,
    plans.pointer,
    plans.channel,
    manners.manner,
    manners.procedure,
)
# What the person may wrap in doubt or report when they ask outright to remember it.
_MAY_BE_ASKED = frozenset(("supposed", "reported", "past"))
_OTHERS = re.compile(
    r"\b(?:vendors?|providers?|third[- ]party|external|upstream|customers?|clients?'|partners?|staging|production)\b"
)
# Kinds whose subject is by nature outside the code.
_OUTSIDE = frozenset(("plan", "status", "person", "pointer", "role", "surroundings"))


def read(core: str) -> Statement | None:
    """The statement in a plain sentence by what it says, whether or not it may be kept."""
    low = core.lower()
    for reader in _READERS:
        found = reader(core, low)
        if found:
            return found
    length = asked(low)
    if length and any(
        word in low[length : length + 40].split() for word in ("always", "never", "stop", "not", "don't")
    ):
        return read(core[length:])
    return read(plain(core)) if plain(core) != core else None


def _is_outside(found: Statement) -> bool:
    """True when a statement is about people, dates or systems of others: the repository does not hold those."""
    return found.kind in _OUTSIDE or bool(_OTHERS.search(found.core.lower()))


def judge(core: str) -> Statement | None:
    """The statement in a plain sentence, or None; what the repository holds is refused even when the person says
    "remember". Req: A6, B9."""
    low = core.lower()
    if asking.back_reference(core):
        return None
    kept = asking.explicit(core, read)
    reason = refusals.refusal(low)
    if reason and not (kept and kept.explicit and reason in _MAY_BE_ASKED and not low.endswith("?")):
        return None
    found = kept or read(core)
    if found is None or (found.kind != "switch" and refusals.derivable(found.core.lower(), outside=_is_outside(found))):
        return None
    if not found.explicit and found.kind == "frequency" and refusals.product(found.core.lower()):
        return None
    return found
