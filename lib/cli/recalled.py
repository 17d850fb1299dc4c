"""How a decision about recall is told to a person: what came, on what evidence, what was left out and why. Req: J2."""

from __future__ import annotations

from collections.abc import Mapping

INDENT = 33  # columns before a detail
_ASKED = {
    "asked": "a model is asked as well",
    "certain": "no model asked: the answer was certain",
    "offline": "no model asked: recall.selector is offline",
    "no_model": "no model asked: there is no key and no login, or the backend is rules",
    "client_not_asked": "no model asked: your client is asked for prompts only with recall.selector model",
    "paused": "no model asked: the last time it did not work",
}
_SELECTED = {
    "none_sure": "none of them is surely useful",
    "nothing_new": "nobody was asked: nothing is new to the session",
    "client_not_asked": "no model asked: your client is asked for prompts only with recall.selector model",
    "too_late": "nobody was asked: the worker had other work, and the prompt was answered by then",
    "found": "",
}


def prompt(event: Mapping[str, object], why: str) -> str:
    """A prompt's recall, or what a model's choice brought later, with one line for each memory looked at."""
    names = ", ".join(_texts(event, "shown")) or "nothing"
    head = f"model    {names}, told after a tool" if event.get("by") == "model" else f"prompt   {names}"
    parts = [why, _ASKED.get(str(event.get("model", "")), ""), f"{event['ms']} ms" if "ms" in event else ""]
    lines = [f"{head} ({'; '.join(part for part in parts if part)})"]
    lines += [f"{file}: {text}" for file, text in _texts(event, "why").items()]
    lines += [f"{file}: left out, {text}" for file, text in _texts(event, "left").items()]
    gone = event.get("gone")
    for file, notes in (gone if isinstance(gone, dict) else {}).items():
        lines += [f"{file}: {note}" for note in (notes if isinstance(notes, list) else [])]
    return f"\n{'':{INDENT}}".join(lines)


def selected(event: Mapping[str, object]) -> str:
    """What a model chose."""
    named = event.get("files")
    files = ", ".join(map(str, named)) if isinstance(named, list) and named else "nothing"
    reason = str(event.get("reason", ""))
    usd = event.get("usd")
    cost = f", ${usd:.4f}" if isinstance(usd, float) and usd else ""
    by = f"{event['backend']}, " if event.get("backend") else ""
    said = _SELECTED.get(reason, reason)
    return f"model    {files} [{by}{event.get('ms', '?')} ms{cost}{'; ' if said else ''}{said}]"


def _texts(event: Mapping[str, object], key: str) -> dict[str, str]:
    value = event.get(key)
    return {str(file): str(text) for file, text in value.items()} if isinstance(value, dict) else {}
