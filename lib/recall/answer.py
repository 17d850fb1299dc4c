"""The answer to one prompt: choose, leave out what the model has already, show, and note it. Req: C1, C3."""

from __future__ import annotations

import os

from lib.memory import store
from lib.recall import delivery, lexical, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import Journal

INDEX_FILE = "recall.sqlite"


def for_prompt(call: Call, journal: Journal) -> str:
    """The reminder block for this prompt, or "" when nothing is surely useful; why stands in the journal."""
    prompt = call.payload.text("prompt")
    selector = call.settings.option("recall.selector")
    reason = call.off() or ("switched_off" if selector == "off" else "quiet_prompt" if lexical.quiet(prompt) else "")
    if reason or not call.memory:
        journal.append("recall", reason=reason or "no_memory_directory")
        return ""
    index = os.path.join(call.state, INDEX_FILE)
    hits = lexical.select(call.memory, prompt, limit=call.settings.option("recall.max"), index=index)
    found = {
        os.path.basename(hit.path): memory
        for hit in hits
        if (memory := store.load(call.memory, os.path.basename(hit.path)))
    }
    state = journal.state()
    rows = [
        (file, version(memory), memory.fields.get("metadata.originSessionId", "")) for file, memory in found.items()
    ]
    fresh = delivery.news(rows, state.shown, "" if state.compacted else call.session)[: render.MOST]
    text = render.memories([found[file] for file in fresh], folder=call.memory, now=call.now)
    why = {os.path.basename(hit.path): hit.why[:120] for hit in hits}
    shown = {file: known for file, known, _ in rows if file in fresh}
    journal.append(
        "recall", reason="shown" if fresh else "already_known" if hits else "none_sure", shown=shown, why=why
    )
    return text


def version(memory: store.Memory) -> str:
    """What tells whether the model has seen this text; a touched file is not a changed one."""
    import binascii

    text = f"{memory.description}\n{memory.body}"
    return f"{binascii.crc32(text.encode('utf-8', 'replace')):08x}"
