"""The answer to one prompt: choose, leave out what the model has already, show, and note it. Req: C1, C3, J2."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.host.call import Call
    from lib.journal import Journal
    from lib.recall.lexical import Hit

NEAR = 4  # memories left out that the journal tells of


def respond(call: Call, journal: Journal) -> tuple[str, bool]:
    """(the block, whether the worker has something to do that nobody waits for)."""
    if reason := _silent(call):
        journal.append("recall", reason=reason, **_resting(call))
        return "", False
    # Imported for prompts that are looked up at all: small talk is answered before anything is read.
    from lib.host import paths
    from lib.journal import fold
    from lib.recall import delivery, lexical, offer, recent, showing

    tools, files = recent.used(call.payload.text("transcript_path"))
    project = paths.checkout(call.launch)
    limit = call.settings.option("recall.max")
    found = lexical.consider(
        call.memory, call.payload.text("prompt"), limit=limit, index=os.path.join(call.state, delivery.INDEX_FILE),
        recent_tools=tools, recent_files=[file.removeprefix(project + os.sep) for file in files], project=project,
    )  # fmt: skip
    events = journal.events()
    waited = offer.fitting(call, events, prompt=True) if offer.take(call.state, call.session) else None
    ranked = [(os.path.basename(hit.path), hit.score) for hit in found.hits]
    offered = [file for file in (waited.files if waited else []) if file not in dict(ranked)][: limit - len(ranked)]
    room = limit - len(ranked) - len(offered)
    shared = _shared(call, room, tools, files, project)
    made = showing.show(call, fold(events), ranked + [(file, 0.0) for file in (*offered, *shared)])
    not_asked = offer.refusal(call, found, events)
    if not not_asked and not _any(call.memory):
        not_asked = "no_memories"
    journal.append(
        "recall",
        reason="shown" if made.shown else "already_known" if found.hits or shared else "none_sure",
        shown=made.shown,
        why={**_told(found.hits), **dict.fromkeys(offered, "chosen by the model for the prompt before"), **shared},
        left={**made.dropped, **_told(found.left[:NEAR])},
        model=not_asked or "asked",
        ms=max(0, round((time.time() - call.now) * 1000)),
        **({"offer": waited.key} if waited else {}),
        **made.row,
        **_resting(call),
    )
    if not not_asked:
        offer.ask(call, journal, tools)
    return made.text, not not_asked or (found.behind and _noted(call))


def _resting(call: Call) -> dict[str, str]:
    """Said with the prompt: should its turn never come to an end, nobody looks at it later either."""
    return {"resting": call.resting} if call.resting else {}


def _shared(call: Call, room: int, tools: Sequence[str], files: Sequence[str], project: str) -> dict[str, str]:
    """name -> why for what the team shares and this prompt surely needs, in the places that the person's own leave."""
    if room <= 0 or not os.path.isdir(os.path.join(call.memory, "team")):
        return {}
    from lib.recall import shared

    files = [file.removeprefix(project + os.sep) for file in files]
    prompt = call.payload.text("prompt")
    found = shared.hits(call.memory, prompt, call.state, room=room, tools=tools, files=files, project=project)
    return {shared.name(call.memory, hit.path): hit.why[:120] for hit in found}


def _noted(call: Call) -> bool:
    from lib.recall import backlog

    return backlog.note(call.state, call.launch)


def _told(hits: Sequence[Hit]) -> dict[str, str]:
    return {os.path.basename(hit.path): hit.why[:120] for hit in hits}


def _any(memory: str) -> bool:
    """Whether there is a memory at all; the first one ends the look."""
    try:
        with os.scandir(memory) as listing:
            return any(item.name.endswith(".md") and item.name != "MEMORY.md" for item in listing)
    except OSError:
        return False


def _silent(call: Call) -> str:
    """The reason why this prompt is not even looked up, or ""."""
    if off := call.off():
        return off
    if call.settings.option("recall.selector") == "off":
        return "switched_off"
    from lib.recall.prompt import quiet

    if quiet(call.payload.text("prompt")):
        return "quiet_prompt"
    return "" if call.memory else "no_memory_directory"
