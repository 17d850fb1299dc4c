"""The beginning of a session: open its journal, and the index in pages where the host has not loaded it. Req: C4."""

from __future__ import annotations

import os

from lib.journal import Run, Skip
from lib.recall import delivery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lib.host.call import Call
    from lib.journal import Journal

INDEX_READ = 1_000_000  # bytes of MEMORY.md looked at; 25,000 are loaded


def page_number(arguments: list[str]) -> int:
    """The page a registered command asks for; 1 for any other argument."""
    given = arguments[1] if len(arguments) > 1 else ""
    return int(given) if given in [str(n) for n in range(1, delivery.PAGES + 1)] else 1


def note_session(call: Call, journal: Journal) -> None:
    """Open the journal. What came before is not looked at: the cursor begins at the transcript's present end."""
    source = call.payload.text("source")
    named = call.payload.text("transcript_path")
    at = os.path.getsize(named) if os.path.isfile(named) else 0
    verdict = _verdict(call)
    journal.append(
        "session",
        source=source[:20],
        at=at,
        launch=call.launch,
        transcript=named[:1000],
        index=verdict.reason or "delivered",
        **({"resting": call.resting} if call.resting else {}),
    )


def page(call: Call, number: int, summary: str = "", file: str = "") -> str:
    """What the command of this number says, or "": the session's summary, the index, in KAIROS mode today's log."""
    blocks = index_pages(call)
    if summary:
        from lib.recall import recap

        blocks = [*recap.pages(summary, file=file, most=delivery.PAGES - bool(blocks)), *blocks]
    if call.settings.option("kairos"):
        from lib.recall import today

        # The log stands in no topic file yet: it has a page even when the index fills all of them.
        log = today.block(call)
        blocks = [*blocks[: delivery.PAGES - 1], log] if log else blocks
    return blocks[number - 1] if number <= len(blocks) else ""


def index_pages(call: Call) -> list[str]:
    """All pages of the index, [] when there is none or the model has it already."""
    if isinstance(_verdict(call), Skip) or not call.memory:
        return []
    # Imported when there is something to deliver: two of three pages mostly have nothing.
    from lib.memory import files, index, store
    from lib.recall import clean, render

    try:
        text = files.read(call.memory, store.INDEX, INDEX_READ).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        return []
    return render.index_pages(clean.without_secrets(index.within_limits(text), call.state), folder=call.memory)


def _verdict(call: Call) -> Run | Skip:
    return delivery.index(
        source=call.payload.text("source"),
        mode=call.settings.option("index.deliver"),
        off=call.off(),
        loaded_by_host=delivery.native(call.env, call.client_version),
    )
