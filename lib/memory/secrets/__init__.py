"""Finds secrets in a text, in whole, in pieces, behind invisible characters and under one layer of base64."""

from __future__ import annotations

import re
from bisect import bisect_right

from lib.memory.secrets import entropy
from lib.memory.secrets import text as secret_text
from lib.memory.secrets.matches import found
from lib.memory.secrets.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.memory.secrets.shapes import Rule

    Hit = tuple[int, int, int]  # start and end in the folded text, number of the rule

_NUMBER = {rule.name: number for number, rule in enumerate(RULES)}
_SPLIT = tuple(rule for rule in RULES if rule.split)
_BROKEN = tuple(rule for rule in RULES if rule.split or rule.glued)


class Finding:
    """A secret's kind and place: offsets into the scanned text, its line counted from 1. It never holds the value."""

    __slots__ = ("rule", "start", "end", "line")

    def __init__(self, rule: str, start: int, end: int, line: int) -> None:
        self.rule = rule
        self.start = start
        self.end = end
        self.line = line

    def __repr__(self) -> str:
        return f"Finding(rule={self.rule!r}, start={self.start}, end={self.end}, line={self.line})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash((self.rule, self.start, self.end))


def scan(text: str) -> list[Finding]:
    """Every secret in `text`, in order and without overlap; marks in the text that would allow one change nothing.

    Linear in the length of `text` (characters), whatever it holds; raises nothing on content.
    """
    shape, uneven = secret_text.fold(text)
    hits = [(start, end, _NUMBER[rule.name]) for start, end, rule in found(shape, RULES)]
    hits += _joined(shape, sorted(hits))
    hits += _encoded(secret_text.decoded(shape))
    if not hits:
        return []
    offsets = secret_text.unfold(text, uneven)
    findings, line, seen = [], 1, 0
    for start, end, number in _merged(hits):
        start, end = offsets(start), offsets(end - 1) + 1
        line += text.count("\n", seen, start)
        seen = start
        findings.append(Finding(RULES[number].name, start, end, line))
    return findings


def redact(text: str) -> str:
    """`text` with each secret replaced by `[secret: <rule>]`; text without one comes back as it is."""
    pieces, seen = [], 0
    for finding in scan(text):
        pieces += [text[seen : finding.start], f"[secret: {finding.rule}]"]
        seen = finding.end
    return "".join([*pieces, text[seen:]])


def _joined(shape: str, known: list[Hit]) -> list[Hit]:
    """Tokens that were broken over a line end, by quotes or by colour codes; only those not known already."""
    joined = secret_text.join(shape)
    if len(joined) == len(shape):
        return []
    joints = secret_text.Joints(shape)
    hits: list[Hit] = []
    for start, end, number in _encoded(secret_text.decoded_lines(shape, joined, joints)):
        hits.append((joints.offset(start), joints.offset(end - 1) + 1, number))
    for start, end, rule in found(joined, _BROKEN if secret_text.has_pieces(shape) else _SPLIT, joints.places):
        if rule.split:
            end = _without_next_words(joined, start, end, rule, joints.places())
        elif not joints.glues(start, end):
            continue
        begin, stop = joints.offset(start), joints.offset(end - 1) + 1
        after = bisect_right(known, (stop - 1, len(shape), len(RULES)))
        if all(hit[0] == begin or hit[1] <= begin for hit in known[max(0, after - 3) : after]):
            hits.append((begin, stop, _NUMBER[rule.name]))
    return hits


def _without_next_words(joined: str, start: int, end: int, rule: Rule, joints: list[int]) -> int:
    """The end without the words that began the next line, where the token is whole without them."""
    for _ in range(4):
        index = bisect_right(joints, end - 1) - 1
        if index < 0 or joints[index] <= start:
            break
        cut, piece = joints[index], joined[joints[index] : end]
        if not entropy.wordy(piece) or rule.compiled(re).fullmatch(joined, start, cut) is None:
            break
        end = cut
    return end


def _encoded(decoded: secret_text.Decoded) -> list[Hit]:
    """Secrets under base64; the whole run of base64 is the finding."""
    text, starts, spans = decoded
    # Bytes that are no text hold no assignments; a picture would give some by chance.
    rules = RULES if text.count(secret_text.FOREIGN) * 10 <= len(text) else _SPLIT
    hits: list[Hit] = []
    for start, _, rule in found(text, rules):
        begin, end = spans[bisect_right(starts, start) - 1]
        hits.append((begin, end, _NUMBER[rule.name]))
    return hits


def _merged(hits: list[Hit]) -> list[Hit]:
    """Overlapping hits as one, named after the more particular rule: those stand first in the table."""
    merged: list[Hit] = []
    for start, end, number in sorted(hits):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(end, before[1]), min(number, before[2]))
        else:
            merged.append((start, end, number))
    return merged
