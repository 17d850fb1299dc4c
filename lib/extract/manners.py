"""How to go about a kind of work: the form of commits and pull requests, the way to answer."""

from __future__ import annotations

import re

from lib.extract import cues
from lib.extract.statement import FIRM, WEAK, Statement

# What is about the way of working even when nothing says how long it holds.
_PAPERWORK = re.compile(
    r"^(?:all |every |each |our |your )*(?:commits?|commit messages?|commit titles|prs?|pull requests?|pr (?:titles?"
    r"|descriptions?)|branch names?|changelog entries)"
    r" (?:should|must|have to|need to|has to|needs to) (?:always |never |only )?(?:be|use|start|have|carry|follow"
    r"|include|contain|mention|reference|stay)\b"
)
_WHENEVER = re.compile(
    r"^(?:when(?:ever)?|every time|each time) you (?:writ|nam|commit|answer|explain|review|refactor|push|finish)"
    r"\w*\b(?P<when>[^,]{0,60}), "
    r"(?:please |always |never |you should |don't )?(?P<verb>[a-z-]{2,20})\b(?P<rest>.*)$",
    re.S,
)
_POINTED = re.compile(r"\b(?:this|that|these|those|it|them)\b")
_MANNER = re.compile(
    r"^(?:keep|make) (?:your |the |all |all your )?(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)"
    r"|commit messages?|commits|prs|pull requests) "
    r"(?:\w+ ){0,3}?(?:short|brief|concise|terse|small|crisp|to the point|focused|in english|atomic)\b"
    r"|^(?:answer|respond|reply|speak|talk)(?: to me)?(?: only)? in (?:english|german|french|spanish|chinese|japanese"
    r"|korean|italian|portuguese|russian|dutch"
    r"|polish|turkish|hindi|plain english|simple english)[.!]*$"
)


def procedure(core: str, low: str) -> Statement | None:
    """"when you write commit messages, use …", "commit messages should be …"."""
    if _PAPERWORK.match(low) and not re.search(r"\b(?:this|that|these|the) ", low):
        return Statement("feedback", "paperwork", core, WEAK)
    found = _WHENEVER.match(low)
    if (
        not found
        or found["verb"] not in cues.HABITS
        or _POINTED.search(found["rest"])
        or cues.THIS_ONE.search(found["when"])
    ):
        return None
    return Statement("feedback", "procedure", core, WEAK) if not cues.PRODUCT_ACTOR.search(low) else None


def manner(core: str, low: str) -> Statement | None:
    """How to answer: "keep your answers concise", "answer in German"."""
    return (
        Statement("feedback", "manner", core, FIRM if low.startswith(("keep", "make")) else WEAK)
        if _MANNER.match(low)
        else None
    )
