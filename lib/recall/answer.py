"""The answer to one prompt: choose, leave out what the model has already, show, and note it. Req: C1, C3."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import Journal
    from lib.memory.store import Memory

INDEX_FILE = "recall.sqlite"


def for_prompt(call: Call, journal: Journal) -> str:
    """The reminder block for this prompt, or "" when nothing is surely useful; why stands in the journal."""
    if reason := _silent(call):
        journal.append("recall", reason=reason)
        return ""
    # Imported for prompts that are looked up at all: small talk is answered before anything is read.
    from lib.host import paths
    from lib.memory import store, written
    from lib.recall import clean, delivery, lexical, render

    index = os.path.join(call.state, INDEX_FILE)
    limit = call.settings.option("recall.max")
    hits = lexical.select(call.memory, call.payload.text("prompt"), limit=limit, index=index)
    names = [os.path.basename(hit.path) for hit in hits]
    found = {name: memory for name in names if (memory := store.load(call.memory, name))}
    state = journal.state()
    rows = [
        (file, version(memory), memory.fields.get("metadata.originSessionId", "")) for file, memory in found.items()
    ]
    fresh = delivery.news(rows, state.shown, "" if state.compacted else call.session)[: render.MOST]
    shown = {file: known for file, known, _ in rows if file in fresh}
    outside = written.foreign(paths.directory_state(call.memory, call.state), call.memory, fresh) if fresh else []
    told = [clean.hidden(found[file], call.state) for file in fresh]
    text = render.memories(told, folder=call.memory, now=call.now, outside=outside)
    reason = "shown" if fresh else "already_known" if hits else "none_sure"
    journal.append(
        "recall",
        reason=reason,
        shown=shown,
        why=dict(zip(names, (hit.why[:120] for hit in hits), strict=True)),
        **({"outside": outside} if outside else {}),
    )
    return text


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


def version(memory: Memory) -> str:
    """What tells whether the model has seen this text; a touched file is not a changed one."""
    import binascii

    text = f"{memory.description}\n{memory.body}"
    return f"{binascii.crc32(text.encode('utf-8', 'replace')):08x}"
