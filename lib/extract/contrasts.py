"""This tool and not that one: "we use X, not Y", "no, use X", "this project uses X"."""

from __future__ import annotations

import re

from lib.extract import cues, habits, tools
from lib.extract.statement import FIRM, STRONG, WEAK, Statement

_NOT_BUT = re.compile(
    r"^(?:in general,? )?(?P<who>we |i |you (?:should |must )?)?(?:only |just |rather )?(?P<verb>use|prefer|run"
    r"|go with|stick (?:with|to)|work with|write) (?P<x>[^,;.]{2,60}?)"
    r"(?:,? (?:and )?not |,? instead of |,? rather than |,? over |; not |,? never "
    r"|,? no )(?P<y>[^,;.]{2,60})(?P<rest>.{0,120})$",
    re.S,
)
_PARTICULAR = re.compile(
    r"\b(?:the|this|that|these|those|its|a|an|it|your|option|same|current|new|old|existing|more|less|as)\b"
)
_CORRECTION = re.compile(
    r"^(?:no|nope|wrong)[,.!:;–— -]+(?:please |we |you should |always |just )?(?:use"
    r"|run) (?P<x>[\w./+-]{2,30})(?P<rest>.{0,80})$",
    re.S,
)
_CHANGED = re.compile(
    r"^(?:let's |we(?:'ll| will| now)? )?(?:use|go back to|switch(?:ed)? back to"
    r"|back to) (?P<x>[\w./+-]{2,30}) (?:after all|again(?: from now on)?)[.!]*$"
    r"|^we(?:'ve| have)? (?:now |just )?(?:switched|moved|migrated|changed) (?:over )?(?:from [\w./+-]{2,30} )?to "
    r"(?P<y>[\w./+-]{2,30})"
)
_WRONG = re.compile(r"^(?:no|nope|wrong|that's (?:wrong|not right|incorrect))[,.!:; –—-]+(?=we )")
_OUR_WAY = re.compile(
    r"^(?:our (?:team )?(?:convention|policy|rule|standard|practice|workflow|style) (?:here )?is (?:to |that |always "
    r"|never )\w"
    r"|(?:our|the) team (?:always |never )?(?:follows|prefers|squashes|rebases|practices|uses (?:trunk|conventional"
    r"|semantic|git)))"
)
_OURS = re.compile(
    r"^(?:in this (?:repo|project|codebase),? )?(?:we|this (?:repo|project|codebase)) (?:only |now |always "
    r"|exclusively )?uses? (?P<x>[\w./+-]{2,30})(?: (?P<rest>.{0,80}))?$",
    re.S,
)


def contrast(core: str, low: str) -> Statement | None:
    """"we use X, not Y", "no, use X", "this project uses X"."""
    corrected = _CORRECTION.match(low)
    if corrected:
        known = bool(tools.workshop(corrected["x"])) and not cues.THIS_ONE.search(corrected["rest"].split("because")[0])
        return Statement("feedback", "correction", re.sub(r"^\W*\w+[,.!:;\s–—-]+", "", core), WEAK) if known else None
    if _OUR_WAY.match(low):
        return Statement("feedback", "convention", core, FIRM)
    found = _NOT_BUT.match(low)
    if found:
        x, y = tools.named(found["x"]), tools.named(found["y"])
        same = bool({tools.JOB_OF[t] for t in x} & {tools.JOB_OF[t] for t in y}) and set(x) != set(y)
        who = (found["who"] or "").strip()
        if re.match(
            r"(?:everywhere|always|all|only|here|now|yet|just|both|at|in|on|when|if|because|necessarily|really"
            r"|every)\b",
            found["y"],
        ):
            return None
        general = not _PARTICULAR.search(cues.without_scope(f"{found['x']} {found['y'][:25]}")) and not re.search(
            r"\b(?:for|in) (?:the|this|that)\b", found["rest"]
        )
        if who == "i" and found["verb"] == "prefer":
            return Statement("user", "preference", core, FIRM if same else WEAK) if general or same else None
        if cues.scoped(low) or (who == "we" and same):
            return Statement("feedback", "contrast", core, STRONG)
        known = (same and bool(tools.workshop(low))) or bool(
            cues.STYLE.search(found["x"]) or cues.STYLE.search(found["y"])
        )
        if general and known:
            return Statement("feedback", "contrast", core, FIRM if same or who in ("we", "i") else WEAK)
        return None
    ours = _WRONG.match(low)
    if ours:
        rest = core[ours.end() :]
        return contrast(rest, rest.lower()) or habits.prohibition(rest, rest.lower())
    changed = _CHANGED.match(low)
    if changed and tools.workshop(changed["x"] or changed["y"]):
        return Statement("feedback", "switch", core, FIRM if low.startswith("we") else WEAK)
    found = _OURS.match(low)
    told_more = cues.HERE.sub("", cues.without_scope((found and found["rest"]) or "")).strip(" .!")
    styled = bool(found and cues.STYLE.fullmatch(found["x"]) and not told_more)
    if (
        found
        and (found["x"] in tools.JOB_OF or styled)
        and not re.search(r"\b(?:to|as|but|which|so)\b", found["rest"] or "")
    ):
        scope = cues.scoped(low) or bool(cues.HERE.search(low))
        if scope or styled or tools.workshop(found["x"]):
            return Statement("feedback", "contrast", core, FIRM if scope else WEAK)
    return None
