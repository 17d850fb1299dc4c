"""What a person typed themselves: prose sentences, with everything pasted taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lib.extract.pasted import own_lines

# A prompt longer than this is mostly paste: only its two ends can be the person's own words.
LONG_TEXT = 40_000
END_PART = 8_000
LONGEST_SENTENCE = 600
MOST_SENTENCES = 400

_SPEAKER = re.compile(r"\s{0,4}([A-Z][\w.'’-]{0,24}(?: [A-Z][\w.'’-]{0,24})?): ")
_BULLET = re.compile(r"\s{0,12}(?:[-*•+]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S|\s{0,3}\*\*[^*]{2,80}\*\*:?\s*$|[A-Z][A-Z /&-]{5,60}:?\s*$")
_END = re.compile(r"[.!?…]+[\"'”’)\]]{0,2}(?=\s|$)|[。!?！？]+[」』”]?|;(?=\s)")
# A line this long was probably wrapped by an editor; a shorter one ends because its thought ends.
WRAPPED = 60
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|z\.B|d\.h|bzw|approx|incl|no|st|dr|mr|mrs|ms)|\b[A-Z])\.$", re.I
)


@dataclass(frozen=True)
class Sentence:
    """One sentence of a person, an exact part of the text it came from; `bullet` when in a list, `block` counts
    paragraphs."""

    text: str
    bullet: bool = False
    block: int = 0


@dataclass(frozen=True)
class Prose:
    """A text reduced to the person's own sentences, with counts that tell its shape."""

    sentences: tuple[Sentence, ...]
    characters: int
    bullets: int
    headings: int
    dialogue: bool
    pasted: int


def _is_dialogue(lines: list[str]) -> bool:
    turns: dict[str, int] = {}
    for line in lines:
        found = _SPEAKER.match(line)
        if found:
            turns[found.group(1)] = turns.get(found.group(1), 0) + 1
    return sum(turns.values()) >= 3 and len(turns) >= 2 and max(turns.values()) >= 2


def _cuts(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for found in _END.finditer(text):
        piece = text[start : found.end()]
        if _ABBREVIATION.search(piece[-8:]) and found.end() < len(text):
            continue
        pieces.append(piece)
        start = found.end()
    pieces.append(text[start:])
    return [part for piece in pieces for part in _lines_of_one_thought(piece)]


def _lines_of_one_thought(piece: str) -> list[str]:
    """A piece cut at its line ends, except where a line looks wrapped: long, and the next one goes on in lower case."""
    parts: list[str] = []
    last = ""
    for line in piece.split("\n"):
        goes_on = (
            bool(parts) and len(last) >= WRAPPED and line[:1].islower() and not last.rstrip().endswith((".", ":", ";"))
        )
        if goes_on:
            parts[-1] = f"{parts[-1]}\n{line}"
        else:
            parts.append(line)
        last = line
    return [part.strip() for part in parts if part.strip()]


def _flow(lines: list[str], own: list[bool]) -> list[tuple[str, bool, int]]:
    """Paragraph texts (wrapped lines joined by their own newline) with a bullet mark and a block number."""
    blocks: list[tuple[str, bool, int]] = []
    open_text = ""
    block = 0
    for line, mine in zip(lines, own, strict=True):
        bullet = _BULLET.match(line) if mine else None
        if not mine or bullet or len(open_text) > 4_000:
            if open_text:
                blocks.append((open_text, False, block))
            open_text = ""
            block += 0 if bullet else 1
        if bullet:
            blocks.append((line[bullet.end() :], True, block))
        elif mine:
            open_text = f"{open_text}\n{line}" if open_text else line
    if open_text:
        blocks.append((open_text, False, block))
    return blocks


def prose(text: str) -> Prose:
    """The person's own sentences of `text`; each `Sentence.text` is an exact substring of it. Never raises; linear
    time. Req: J9, B9."""
    if len(text) > LONG_TEXT:
        text = text[:END_PART] + "\n\n" + text[-END_PART:]
    lines = text.split("\n")
    own = own_lines(lines)
    dialogue = _is_dialogue([line for line, mine in zip(lines, own, strict=True) if mine])
    headings = sum(1 for line, mine in zip(lines, own, strict=True) if mine and _HEADING.match(line))
    sentences: list[Sentence] = []
    bullets = 0
    characters = 0
    for flow, bullet, block in _flow(lines, own):
        bullets += bullet
        characters += len(flow)
        for part in flow.split("\n") if dialogue else [flow]:
            speaker = _SPEAKER.match(part) if dialogue else None
            for piece in _cuts(part[speaker.end() :] if speaker else part):
                if len(piece) <= LONGEST_SENTENCE and len(sentences) < MOST_SENTENCES:
                    sentences.append(Sentence(piece, bullet, block))
    pasted = sum(1 for line, mine in zip(lines, own, strict=True) if line.strip() and not mine)
    return Prose(tuple(sentences), characters, bullets, headings, dialogue, pasted)
