"""A second opinion that nobody waits for: a model is asked in the worker, and what it finds is told when it is there.

The prompt's hook notes in the journal that one is wanted, the worker notes the answer there and lays a mark beside it.
Whoever takes the mark away tells the answer: at the next tool that acts, or with the next prompt while it is fresh.
The mark can be taken once, so parallel hooks tell nothing twice. Req: C1.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lib.host.call import Call
    from lib.journal import Journal
    from lib.recall.lexical import Selection
    from lib.recall.showing import Showing

FRESH = 300.0  # seconds after the question in which its answer still belongs to the next prompt
SKEW = 5.0  # seconds by which a moment may seem to lie ahead: the journal rounds, clocks are set
PROMPT = 1_500  # characters of a prompt that a model is shown
UNCOUNTED = ("quiet_prompt", "folded")  # prompts that go on with what was asked before
_LOGINS = (
    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
)  # fmt: skip


class Ask:
    """A question that waits: for which prompt, after which tools, when (seconds since the epoch)."""

    __slots__ = ("at", "key", "launch", "prompt", "tools")

    def __init__(self, event: Mapping[str, object]) -> None:
        self.key = _text(event, "key")
        self.prompt = _text(event, "prompt")
        self.launch = _text(event, "launch")
        tools = event.get("tools")
        self.tools = [tool for tool in tools if isinstance(tool, str)] if isinstance(tools, list) else []
        self.at = _number(event, "t")


class Offer:
    """An answer that was not told yet: `files` best first; `newer`: how many prompts began something else since."""

    __slots__ = ("asked", "files", "key", "newer")

    def __init__(self, ask: Mapping[str, object], files: list[str], newer: int) -> None:
        self.key = _text(ask, "key")
        self.asked = _number(ask, "t")
        self.files = files
        self.newer = newer


def waiting(events: Sequence[Mapping[str, object]]) -> Ask | None:
    """The newest question, unless somebody took it up or another prompt came after it."""
    for event in reversed(events):
        if event.get("e") == "ask":
            return Ask(event)
        if event.get("e") in ("asking", "selected") or _counts(event):
            return None
    return None


def pending(events: Sequence[Mapping[str, object]]) -> Offer | None:
    """The newest answer that names files and was told to nobody."""
    files: list[str] = []
    key, newer = "", 0
    for event in reversed(events):
        if not key and event.get("e") == "selected":
            named = event.get("files")
            files = [file for file in named if isinstance(file, str)] if isinstance(named, list) else []
            key = _text(event, "key")
            if not files or not key:
                return None
        elif event.get("e") == "recall" and not key and event.get("offer"):
            return None  # the newest one was settled
        elif event.get("e") == "ask" and key and event.get("key") == key:
            return Offer(event, files, newer)
        newer += _counts(event)
    return None


def _counts(event: Mapping[str, object]) -> bool:
    """Whether the event is a prompt that began something new."""
    return event.get("e") == "recall" and "by" not in event and event.get("reason") not in UNCOUNTED


def refusal(call: Call, selection: Selection, events: Sequence[Mapping[str, object]]) -> str:
    """Why no model is asked in addition, "" when one is. Pure but for the look whether anybody could be asked.

    `auto` asks the API when the offline selector was not certain; `model` asks the client too where that is the
    backend, and also when it was certain that there is nothing.
    """
    mode = call.settings.option("recall.selector")
    if mode in ("offline", "off"):
        return "offline"
    if not call.main_agent:
        return "not_main_agent"
    if selection.certain and (mode != "model" or selection.hits):
        return "certain"
    if not somebody(call):
        return "no_model"
    if mode != "model" and str(call.settings.option("backend")).strip().lower() == "claude":
        return "client_not_asked"
    last = next((event for event in reversed(events) if event.get("e") == "selected"), {})
    # A time that lies ahead was noted by a wrong clock: it must not hold for as long as that was wrong.
    return "paused" if -SKEW <= call.now - _number(last, "t") < _number(last, "pause") else ""


def somebody(call: Call) -> bool:
    """Whether a model could be asked, by what costs a look; the worker finds out, and says so for a while if not."""
    wanted = str(call.settings.option("backend")).strip().lower()
    if wanted not in ("auto", "anthropic", "claude"):
        return False
    if any(call.env.get(name) for name in (_LOGINS[:2] if wanted == "anthropic" else _LOGINS)):
        return True
    stored = os.path.isfile(os.path.join(call.config, ".credentials.json")) or call.settings.get("apiKeyHelper")
    return wanted == "claude" or (wanted == "auto" and bool(stored))


def ask(call: Call, journal: Journal, tools: Sequence[str]) -> None:
    """Note the question; the caller starts the worker."""
    from lib.memory import noting  # what is noted stays on the disk, and a model is sent it

    prompt = noting.beginning(call.payload.text("prompt"), PROMPT)
    journal.append(
        "ask", key=f"{int(call.now * 1e6):x}", launch=call.launch, prompt=prompt, tools=list(tools)[:8],
    )  # fmt: skip


def mark(state: str, session: str) -> str:
    """The file that lies there while an answer waits to be told."""
    return os.path.join(state, "journal", f"{session}.offer")


def lay(state: str, session: str) -> None:
    """Say that an answer waits; OSError passes through."""
    os.close(os.open(mark(state, session), os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))


def take(state: str, session: str) -> bool:
    """Whether an answer waited and nobody else has taken it: then it is the caller's to tell."""
    try:
        os.unlink(mark(state, session))
    except OSError:
        return False
    return True


def fitting(call: Call, events: Sequence[Mapping[str, object]], *, prompt: bool) -> Offer | None:
    """The answer that waits and belongs here: at a tool to the same turn, at a prompt to the one just before it."""
    found = pending(events)
    if found is None or found.newer:
        return None
    return found if not prompt or -SKEW <= call.now - found.asked < FRESH else None


def at_tool(call: Call, journal: Journal) -> str:
    """What a model found for this turn, told after a tool of the main agent; "" when there is nothing."""
    if not call.main_agent or not os.path.exists(mark(call.state, call.session)) or call.off():
        return ""
    if call.settings.option("recall.selector") in ("offline", "off") or not take(call.state, call.session):
        return ""
    from lib.journal import fold
    from lib.recall import showing

    events = journal.events()
    found = fitting(call, events, prompt=False)
    if found is None:
        return ""
    made = showing.show(call, fold(events), [(file, 0.0) for file in found.files])
    journal.append("recall", by="model", **told(made, found))
    return made.text


def told(made: Showing, found: Offer) -> dict[str, object]:
    """The journal's fields about an answer that was told."""
    why = dict.fromkeys(made.shown, "chosen by the model")
    reason = "shown" if made.shown else "already_known"
    return {"reason": reason, "offer": found.key, "shown": made.shown, "why": why, "left": made.dropped, **made.row}


def _text(event: Mapping[str, object], key: str) -> str:
    value = event.get(key)
    return value if isinstance(value, str) else ""


def _number(event: Mapping[str, object], key: str) -> float:
    value = event.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0
