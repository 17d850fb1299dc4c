"""Daily logs distilled into topic files: each unread bullet once, and the log itself never touched. Req: G5."""

from __future__ import annotations

from collections.abc import Mapping

from lib.dream import likeness, merging
from lib.dream.shelf import Shelf
from lib.memory import checks, daily, store, transaction
from lib.memory.daily import Bullet

_PARTS = {"**Why:**": "not stated.", "**How to apply:**": "whenever the work touches it."}


def unread(directory: str, marks: Mapping[str, int], last: float | None) -> tuple[list[Bullet], dict[str, int]]:
    """The bullets behind the marks, oldest first, and the marks that reading them makes.

    Without a mark (our state can be deleted) a log counts as read up to the last consolidation.
    """
    found: list[Bullet] = []
    ends: dict[str, int] = {}
    for name in daily.names(directory):
        try:
            bullets = daily.read(directory, name, marks.get(name, 0))
        except (OSError, ValueError):
            continue
        if name not in marks and last is not None:
            bullets = [bullet for bullet in bullets if bullet.at.timestamp() > last]
        found += bullets
        if bullets:
            ends[name] = bullets[-1].end
    return found, ends


def distil(shelf: Shelf, bullets: list[Bullet]) -> None:
    """Stage a topic file for each bullet, or an update of the one that it names; duplicates are merged afterwards."""
    for bullet in bullets:
        name = _slug(bullet.name)
        folded = store.fold(f"{name}.md")
        known = next((file for file in shelf.there() if store.fold(file) == folded), None)
        if known in shelf.fixed:
            continue
        if known is None:
            text = _text(name, bullet)
            if not checks.check(f"{name}.md", text):
                shelf.times[f"{name}.md"] = int(bullet.at.timestamp() * 1e9)
                shelf.stage(f"{name}.md", text, f"from the log of {bullet.at:%Y-%m-%d}", "CREATE")
        else:
            _update(shelf, known, bullet)


def _update(shelf: Shelf, file: str, bullet: Bullet) -> None:
    """The newer statement becomes the fact. What only the older text says stays below it, unless the bullet was made
    from just that text and has judged it."""
    before = shelf.now[file] or ""
    memory = shelf.memory(file)
    if likeness.plain(bullet.statement) == likeness.plain(memory.statement) or not shelf.sound(file):
        return
    body = _whole(bullet)
    if bullet.about.get("updates") != transaction.digest(before):
        lines = merging.missing_lines(f"{bullet.statement}\n{body}", memory)
        body = "\n".join([body.rstrip("\n"), "", *lines]) if lines else body
    text = store.rewritten(before, description=_statement(bullet), body=body, metadata=_provenance(bullet))
    if not checks.check(file, text):
        shelf.stage(file, text, f"from the log of {bullet.at:%Y-%m-%d}")


def _text(name: str, bullet: Bullet) -> str:
    kind = bullet.type if bullet.type in store.TYPES else "project"
    applies = bullet.about.get("applies")
    words = [str(word) for word in applies] if isinstance(applies, list) else []
    return store.text_of(name, kind, _statement(bullet), _whole(bullet), _provenance(bullet), applies=words)


def _statement(bullet: Bullet) -> str:
    return bullet.statement[: checks.DESCRIPTION_LIMIT]


def _whole(bullet: Bullet) -> str:
    """The body, with the parts that a memory of its type carries; a bullet written by hand may lack them."""
    body = bullet.body or f"{bullet.statement.rstrip('.')}."
    if bullet.type in ("user", "reference"):
        return body
    missing = [f"{part} {words}" for part, words in _PARTS.items() if part.lower() not in body.lower()]
    return "\n\n".join([body, "\n".join(missing)]) if missing else body


def _provenance(bullet: Bullet) -> dict[str, str]:
    """What extraction set; a bullet that carries nothing of it (somebody wrote it by hand) claims no speaker."""
    told = {str(k): v for k, v in bullet.about.items() if isinstance(v, str) and k not in ("type", "updates")}
    return {"noted": bullet.at.date().isoformat(), **told}


def _slug(name: str) -> str:
    return "-".join(likeness.plain(name).split())[:80] or "note"

