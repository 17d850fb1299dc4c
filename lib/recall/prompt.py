"""A prompt as a query: bounded, prose before pastes, sentence by sentence; and the prompts that need no memory at all.

Req: C1.
"""

from __future__ import annotations

from lib.recall.scripts import fold
from lib.recall.terms import COMMON_WEIGHT, chunk_terms, chunks, is_compound, stems, weight
from lib.recall.words import CHAT, COURTESIES, FACT_WORDS, FOREIGN, HOW_WORDS, ORDERS, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD = 6_000  # characters of a prompt that are looked at from its start …
TAIL = 2_000  # … and from its end: a question stands before or after what is pasted
MAX_TERMS = 64
MAX_PASTED_TERMS = 16
PASTED_WEIGHT = 0.35
WHOLE_WEIGHT, PART_WEIGHT = 0.3, 0.3  # an identifier and its parts are one thing said once
MAX_ORDERS = 12

HOW_TO = (" how do i ", " how do we ", " how do you ", " how do one ")
_FENCES = ("```", "~~~")
_ENDS = (". ", "? ", "! ", "; ", ": ", "。", "？", "！", "；")
_CODE_ENDS = tuple("{ } ; }; ); ({ ): ->".split())
_CODE_STARTS = tuple(
    'at |File "|+ |- - |@@ |$ |>>> |#include|import |def |class |return |const |let |var |public |private |func |fn |}'
    "|//|SELECT |diff --git|#!/".split("|")
)
_LEVELS = ("ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL")


class Query:
    """What a prompt asks for.

    `terms`: term -> weight (1; less for parts of identifiers and for pastes); `wholes`: whole identifiers among them;
    `sentences`: lists of terms; `stems`: every word of the prose in order; `orders`: sentences that tell what to do, as
    stems from the verb on; `open`: the stems of all sentences that do not merely ask for a fact; `foreign`: not (only)
    English; `tools`, `files`: names of the tools used lately, lower case, and of the files they were given; `project`:
    the checkout it is about, "" when that is not known.
    """

    __slots__ = ("files", "foreign", "open", "orders", "project", "sentences", "stems", "terms", "tools", "wholes")

    def __init__(self, tools: Iterable[str], files: Iterable[str] = (), project: str = "") -> None:
        self.project = project
        self.tools = frozenset(tool.casefold() for tool in tools)
        self.files = [file.casefold() for file in files]
        self.terms: dict[str, float] = {}
        self.wholes: set[str] = set()
        self.sentences: list[list[str]] = []
        self.stems: list[str] = []
        self.orders: list[list[str]] = []
        self.open = ""
        self.foreign = False

    def in_project(self, terms: Iterable[str]) -> set[str]:
        """The terms that are part of a file's path in the project; all where that cannot be known without a walk."""
        if not self.project:
            return set()
        from lib.recall.checkout import Checkout

        names = Checkout(self.project, 0.0).tracked().lower()
        return {term for term in terms if not names or term.encode("utf-8", "replace") in names}


def quiet(prompt: str) -> bool:
    """Whether a prompt needs no memory: nothing, small talk, a slash command, or up to three everyday words."""
    if len(prompt) > 400:
        return not prompt.strip()
    text = fold(prompt).strip()
    words = text.casefold().split()
    if not words or (text.startswith("/") and len(words) <= 3 and "/" not in text[1:]):
        return True
    bare = [word for raw in words if (word := raw.strip(".,!?…:;()'\"。、！？~")) and any(map(str.isalnum, word))]
    if all(word in CHAT or word in STOP for word in bare):
        return len(bare) <= 3 or any(word in CHAT for word in bare)
    if len(words) > 3:
        return False
    return all(weight(term) <= COMMON_WEIGHT for chunk in chunks(text) for term in chunk_terms(chunk))


def query(prompt: str, tools: Iterable[str] = (), files: Iterable[str] = (), project: str = "") -> Query:
    """The bounded query of a prompt: at most 64 terms, at most 16 of them from pasted code or logs."""
    if len(prompt) > HEAD + TAIL:
        # Whole lines: what a cut leaves of a log line would pass for prose.
        head, _, broken = prompt[:HEAD].rpartition("\n")
        torn, newline, tail = prompt[-TAIL:].partition("\n")
        prompt = f"{head or broken}\n{tail if newline else torn}"
    prose, pasted = _split(fold(prompt))
    asked = Query(tools, files, project)
    foreign = _foreign(prose)
    for sentence in _sentences(prose):
        words = stems(sentence, MAX_TERMS)
        if len(asked.orders) < MAX_ORDERS and (order := _order(words)):
            asked.orders.append(order)
        if not _asks_a_fact(words):
            asked.open += f" {' '.join(words)} ."
        terms = _add(asked, sentence, 1.0, MAX_TERMS, foreign)
        if terms:
            asked.sentences.append(terms)
    room = min(MAX_TERMS, len(asked.terms) + MAX_PASTED_TERMS)
    _add(asked, pasted, PASTED_WEIGHT if asked.terms else 1.0, room, foreign)
    if not asked.sentences and asked.terms:
        asked.sentences.append(list(asked.terms))
    asked.stems = stems(prose or pasted)
    asked.foreign = foreign or not prose.isascii() and any(map(_beyond_latin, prose))
    return asked


def _order(words: list[str]) -> list[str]:
    """A sentence that tells what to do, from its verb on; empty when it begins with no verb of work."""
    start = next((place for place, word in enumerate(words) if word not in COURTESIES), len(words))
    return words[start:] if start < len(words) and words[start] in ORDERS else []


def _asks_a_fact(words: list[str]) -> bool:
    """Whether knowledge is wanted ("what is", "how long"), and no work in which a preference could matter."""
    start = [word for word in words if word not in COURTESIES][:2]
    if not start or "should" in words or "best" in words:
        return False
    if start[0] == "how":
        ways = f" {' '.join(words)} "
        return len(start) > 1 and start[1] in HOW_WORDS and not any(way in ways for way in HOW_TO)
    return start[0] in FACT_WORDS


def _beyond_latin(letter: str) -> bool:
    return letter > "\u036f" and letter.isalpha() and not "\u1e00" <= letter <= "\u1fff"


def _split(text: str) -> tuple[str, str]:
    """Prose and pasted part: fenced blocks, code lines, log lines and very long lines mention much and ask nothing."""
    prose: list[str] = []
    pasted: list[str] = []
    fence = ""
    for line in text.split("\n"):
        start = line.lstrip()[:3]
        if fence:
            fence = "" if start == fence else fence
            pasted.append(line)
        elif start in _FENCES and line.count(start) == 1:
            fence = start
            pasted.append(line)
        else:
            (pasted if _is_paste(line) else prose).append(line)
    return "\n".join(prose).strip(), "\n".join(pasted)


def _is_paste(line: str) -> bool:
    bare = line.strip()
    if len(bare) > 1_500 or bare.startswith(_CODE_STARTS) or bare.endswith(_CODE_ENDS):
        return True
    start = bare.lstrip("[(")
    if start.startswith(_LEVELS):
        return True
    digits = start[:4].isdecimal() and start[4:5] in ("-", "/") or start[:2].isdecimal() and start[2:3] == ":"
    return digits and ":" in start[:20]


def _sentences(text: str) -> list[str]:
    for end in _ENDS:
        text = text.replace(end, end + "\n")
    return [line for line in text.split("\n") if line.strip()]


def _add(asked: Query, text: str, factor: float, room: int, foreign: bool) -> list[str]:
    seen: dict[str, None] = {}
    for chunk in chunks(text):
        if foreign and chunk.casefold() in FOREIGN:
            continue
        terms = chunk_terms(chunk)
        for place, term in enumerate(terms):
            if len(asked.terms) >= room and term not in asked.terms:
                return list(seen)
            part = 1.0 if len(terms) == 1 or not term.isascii() else PART_WEIGHT if place else WHOLE_WEIGHT
            asked.terms[term] = max(asked.terms.get(term, 0.0), factor * part)
            if is_compound(term):
                asked.wholes.add(term)
            seen[term] = None
    return list(seen)


def _foreign(text: str) -> bool:
    """Whether the prose is in another European language: it has more function words of those than English ones."""
    words = [chunk.casefold() for chunk in chunks(text[:1_000])]
    theirs = sum(word in FOREIGN and word not in STOP for word in words)
    english = sum(word in STOP and word not in FOREIGN for word in words)
    return theirs >= 2 and theirs > english
