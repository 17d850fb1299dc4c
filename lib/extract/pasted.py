"""Which lines of a prompt the person typed, and which they pasted, quoted or were handed."""

from __future__ import annotations

import re
from bisect import bisect_left

_FENCE = re.compile(r"\s{0,8}(`{3,}|~{3,})")
_OPEN_TAG = re.compile(r"\s{0,8}<([A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,200})?>")
_CLOSE_TAG = re.compile(r"</([A-Za-z][\w:-]{0,40})>")
_KEY = re.compile(r"[\w-]{1,40}:(?: |$)")
_LOG = re.compile(
    r"\s{0,20}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|\[\d{1,2}:\d\d|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG"
    r"|TRACE|FATAL)\b[\]: ]"
    r"|Traceback \(|File \"[^\"]{1,200}\", line|at \S{1,120}\(|npm ERR!|error\[E\d|[\w.]{0,80}(?:Error|Exception"
    r"|Warning): "
    r"|\$ \S|[❯⎿⏺●✗✓│├└]|PASS |FAIL |(?:diff --git|@@ |\+\+\+ |--- [ab]/|index [0-9a-f]{7})|[+-]{1}\s{2,}\S)"
)
_MAIL = re.compile(
    r"\s{0,4}(?:-{3,} ?(?:Original|Forwarded|Ursprüngliche)|(?:From|Von|De|Subject|Betreff|Sent|Gesendet): \S"
    r"|On .{4,120} wrote:"
    r"|Am .{4,120} schrieb )"
)
# "Here is what the reviewer wrote:" hands the rest of the text to somebody else.
_HANDOVER = re.compile(
    r"\b(?:says?|said|wrote|writes|writing|tells?|told|asked|replied|commented?|comments?|feedback|review(?:er)?"
    r"|issue|ticket|story|spec(?:ification)?|docs?"
    r"|readme|prompts?|instructions?|e-?mail|message|slack|thread|following|below|output|logs?|error|trace|paste[ds]?"
    r"|quote[ds]?"
    r"|snippet|contents?|text|file|plan|requirements?|guidelines?|policy|example|changelog|template|transcript"
    r"|conversation)\b",
    re.I,
)
_OWN_CUE = re.compile(
    r"\b(?:remember|memori[sz]e|keep in mind|from now on|going forward|preferences?|my rules|house rules)\b", re.I
)
# "Dana Ito  10:32 AM" above what she wrote in a chat.
_CHAT_HEAD = re.compile(
    r"\s{0,4}[A-Z][\w.' -]{1,40}[\s,\[(]{1,4}(?:(?:today|yesterday)(?: at)? )?\d{1,2}:\d\d(?: ?[AaPp][Mm])?[\])]?:?\s*$"
)
_ATTACHED = re.compile(
    r"\b(?:this|these|the following|attached) (?:\w+ )?(?:article|guide|text|document|spec|post|e-?mail|thread|notes"
    r"|transcript|rules|message|conversation|ticket|report|log)s?\b",
    re.I,
)
_BULLET = re.compile(r"\s{0,12}(?:[-*•+]|\d{1,2}[.)])\s+")
_CODE_MARKS = frozenset("{}();=<>[]|\\$&^%@")


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """For each tag the lines that close it, in order: looked up once, so that a text of nothing but tags stays
    cheap."""
    found: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        for tag in _CLOSE_TAG.findall(line):
            found.setdefault(tag, []).append(index)
    return found


def _tag_end(closings: dict[str, list[int]], at: int, tag: str) -> int:
    rows = closings.get(tag, [])
    place = bisect_left(rows, at)
    return rows[place] if place < len(rows) else -1


def _dense(line: str) -> bool:
    """True when a line reads as code: marks no prose has so many of."""
    letters = line.strip()
    if len(letters) < 4:
        return not any(c.isalnum() for c in letters)
    marks = sum(1 for c in letters if c in _CODE_MARKS)
    return marks * 6 > len(letters) or letters.endswith(("{", "};", ");", "</", "=>"))


def own_lines(lines: list[str]) -> list[bool]:
    """For each line whether the person typed it; pasted blocks, quotes, logs, diffs and what follows a hand-over
    are not."""
    own = [False] * len(lines)
    if lines[0].strip() == "---" and any(_KEY.match(line) for line in lines[1:3]):
        return own  # a file with frontmatter, pasted whole
    closings = _closings(lines)
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            mark = fence.group(1)
            at += 1
            while at < len(lines) and not lines[at].lstrip().startswith(mark):
                at += 1
            at += 1
            continue
        tag = _OPEN_TAG.match(line)
        if tag:
            end = _tag_end(closings, at, tag.group(1))
            at = at + 1 if end < 0 else end + 1
            continue
        if _MAIL.match(line):
            break
        if _CHAT_HEAD.match(line):
            at += 1
            while at < len(lines) and lines[at].strip():
                at += 1
            continue
        stripped = line.strip()
        quoted = stripped.startswith(">") or line.startswith(("\t", "    ")) and not _BULLET.match(line)
        own[at] = (
            bool(stripped) and not quoted and not _LOG.match(line) and not _dense(line) and not stripped.startswith("|")
        )
        if (
            own[at]
            and stripped.endswith((":", "："))
            and _HANDOVER.search(stripped[-200:])
            and not _OWN_CUE.search(stripped)
        ):
            break
        if own[at] and at + 1 < len(lines) and not lines[at + 1].strip() and _ATTACHED.search(stripped[-300:]):
            break
        at += 1
    return own
