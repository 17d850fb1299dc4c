"""How a statement is written down: its slug, its one line, its body, and the words it applies to."""

from __future__ import annotations

import datetime
import hashlib
import re
import unicodedata

from lib.extract import cues, tools
from lib.extract.statement import Statement
from lib.memory import dates

DESCRIPTION_LIMIT = 149
SLUG_LIMIT = 48
_FILLER = frozenset(
    "a an the always please here in on at of to for this that our my your we i you it is are be repo repository "
    "project codebase from now going forward and or "
    "with as by any all every should must will do does remember user's users user user they them their s re ll ve d "
    "m have "
    "has been just only very really code base "
    "when whenever because since so make sure".split()
)
_FIRST_PERSON = (
    (re.compile(r"^(?:i'm|i am|im)\b ?", re.I), "User is "),
    (re.compile(r"^i've\b ?", re.I), "User has "),
    (re.compile(r"^i have\b ?", re.I), "User has "),
    (re.compile(r"^i don't\b ?", re.I), "User doesn't "),
    (re.compile(r"^i do not\b ?", re.I), "User does not "),
    (re.compile(r"^i can't stand\b ?", re.I), "User can't stand "),
    (
        re.compile(
            r"^i (?P<adverb>(?:(?:really|strongly|generally|usually|always|mostly|mainly|only|never|also|absolutely"
            r"|much) )*)(?P<verb>[a-z]+)\b ?",
            re.I,
        ),
        "",
    ),
    (re.compile(r"^my\b ?", re.I), "User's "),
)
_STANDING_CUE = re.compile(
    r"^(?:from now on|going forward|moving forward|henceforth|in (?:the )?future)[ ,:–—-]*", re.I
)
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u0400-\u04ff'-]+[,.:;]?")
_STANDING_END = re.compile(r"[ ,;]{1,3}(?:from now on|going forward|moving forward)[ .!]*$", re.I)
_SCOPE_PARTS = re.compile(
    r"\b(?:when|whenever|before|after|every time|each time|for (?:all|every|any)|in (?:all|every|any|the|our"
    r"|this))\b[^,.;]{3,60}",
    re.I,
)
_WHOLE_PROJECT = re.compile(r"in (?:this|our|the) (?:\w+ )?(?:repo|repository|codebase|project|monorepo)\b", re.I)


def _third_person(text: str) -> str:
    for pattern, subject in _FIRST_PERSON:
        found = pattern.match(text)
        if found is None:
            continue
        if subject:
            return subject + text[found.end() :]
        verb = found["verb"]
        ending = "es" if verb.endswith(("s", "sh", "ch", "x")) else "s"
        return f"User {found['adverb']}{verb}{ending} {text[found.end() :]}".rstrip()
    return text


def _one_line(text: str) -> str:
    clean = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    return " ".join(clean.split())


def _short(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a word and marked."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head[limit // 2 :] else head).rstrip(" ,;:-") + "…"


def fact(statement: Statement, today: datetime.date) -> str:
    """The statement as one line of fact: absolute dates, third person for what the person says of themselves,
    first letter large."""
    text = _one_line(statement.core)
    text = _STANDING_END.sub("", _STANDING_CUE.sub("", text)) or text
    text = dates.absolute(text, today).rstrip(" .!。！,;:")
    if statement.type == "user":
        text = _third_person(text)
    first = text.split(" ", 1)[0]
    # The name of a tool or a piece of code keeps its own spelling.
    return text if first in tools.JOB_OF or not _WORD.fullmatch(first) else text[:1].upper() + text[1:]


def description(line: str) -> str:
    """`line` in under 150 characters."""
    return _short(line, DESCRIPTION_LIMIT)


def _main_clause(low: str) -> str:
    head = re.split(
        r"[,;:—–]\s| - |\s(?:because|since|otherwise|so that|so|instead of|rather than|not|over|weil|parce que"
        r"|porque)\s|\. ",
        low,
        maxsplit=1,
    )[0]
    return head if len(head.split()) >= 2 else low


def name(statement: Statement, line: str) -> str:
    """A stable kebab-case ASCII slug that states the topic; letters outside ASCII leave a short hash of the text
    instead. Req: A2."""
    low = _STANDING_CUE.sub("", line.lower().replace("'", "").replace("’", ""))
    clause = re.sub(
        r"https?://\S+|\b(?:from|until|till|on|by|since|before|after|in|the week of)? ?\b20\d\d-\d\d(?:-\d\d)?\b",
        " ",
        _main_clause(low),
    )
    ascii_text = unicodedata.normalize("NFKD", clause).encode("ascii", "ignore").decode("ascii")
    words = [w.strip("-") for w in re.findall(r"[a-z0-9][a-z0-9_-]*", ascii_text)]
    kept = [w.replace("_", "-") for w in words if w not in _FILLER and w.strip("_-")][:6]
    if not kept:
        kept = [w for w in words if len(w) > 1][:4]
    slug = "-".join(kept)
    while len(slug) > SLUG_LIMIT and "-" in slug:
        slug = slug.rsplit("-", 1)[0]
    slug = re.sub(r"-{2,}", "-", slug[:SLUG_LIMIT]).strip("-")
    foreign = sum(1 for c in clause if ord(c) > 0x2FF)
    if len(slug) < 3 or foreign > len(clause) // 3:
        digest = hashlib.sha256(unicodedata.normalize("NFKC", low).encode("utf-8", "replace")).hexdigest()[:8]
        return f"{slug or statement.type}-{digest}"
    return slug


def applies(text: str) -> tuple[str, ...]:
    """Words that recall can match when this statement matters: tools, languages, kinds of work, paths; each once,
    at most 16."""
    low = re.sub(r"https?://\S+", " ", text.lower())
    found: list[str] = list(tools.named(low))
    for tool in tuple(found):
        found += tools.JOB_WORDS.get(tools.JOB_OF[tool], ())
    words = set(re.findall(r"[a-z0-9+#][a-z0-9+#-]*", low))
    found += sorted(
        w
        for w in words
        if w in tools.LANGUAGES and (w not in ("go", "r", "c", "swift", "lua") or f"{w} " in text[1:].lower())
    )
    for task, stems in tools.TASKS.items():
        if any((s in words) if " " not in s else (s in low) for s in stems):
            found.append(task)
    found += re.findall(r"(?<![\w/])(?:\*{1,2}/)?\*?\.[a-z]{1,5}\b|\b[\w-]+(?:/[\w.*-]+)+/?", low)[:6]
    unique: list[str] = []
    for word in found:
        if word not in unique:
            unique.append(word)
    return tuple(unique[:16])


def how(line: str, reason: str, words: tuple[str, ...]) -> str:
    """When to apply a statement, from its own words outside the reason it gives."""
    clause = line.split(reason, 1)[0] if reason else line
    scope = next((s for s in _SCOPE_PARTS.findall(clause) if not _WHOLE_PROJECT.match(s)), "").strip()
    if scope:
        return f"{scope[:1].upper()}{scope[1:]}."
    if words:
        return "Whenever the work touches " + ", ".join(words[:6]) + "."
    return "Whenever it comes up in this project."


def body(statement: Statement, line: str, reason: str, words: tuple[str, ...]) -> str:
    """The Markdown body; feedback and project carry Why (the person's words or "not stated") and How to apply.
    Req: A1."""
    text = line if line.endswith((".", "!", "。")) else line + "."
    if statement.type not in ("feedback", "project"):
        return text + "\n"
    stated = f"{reason}." if reason else "not stated."
    return f"{text}\n\n**Why:** {stated}\n**How to apply:** {how(line, reason, words)}\n"


def advice(statement: Statement, line: str) -> str:
    """Where a statement belongs better: "CLAUDE.md" for a standing rule for everybody, "skill" for a procedure,
    else "". Req: A6."""
    low = line.lower()
    if re.search(
        r"\bfirst\b.{3,200}\b(?:then|and then|after that|next)\b|\bsteps?:|\b1[.)].{3,200}\b2[.)]|->.{2,80}->", low
    ):
        return "skill"
    if statement.type != "feedback":
        return ""
    everybody = re.search(
        r"\b(?:everyone|everybody|nobody|no one|all contributors|all developers|the (?:whole )?team|whole team"
        r"|we (?:all|always|never|use|don't)|our (?:convention|policy|standard|rule))\b",
        low,
    )
    repo = re.search(
        r"\b(?:in|for|across) (?:this|our|the) (?:\w+ )?(?:repo|repository|codebase|project|monorepo)\b", low
    ) or cues.HERE.search(low)
    return "CLAUDE.md" if everybody or (repo and re.search(r"\b(?:always|never|must|only)\b", low)) else ""
