"""A folder of memories for recall tests."""

from __future__ import annotations

import os
from pathlib import Path


def memory(name: str, description: str, body: str = "", *, kind: str = "project", extra: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n{extra}---\n{body}\n"


def write(folder: Path, texts: dict[str, str]) -> Path:
    """One file for each name, without `.md`; the folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


HARBOUR = {
    "berth-allocation": memory("berth-allocation", "Berth allocation uses a constraint solver with a two-minute limit"),
    "outbox": memory("nats-outbox", "Events leave through an outbox table, published to NATS by the relay"),
    "season": memory("season-calendar", "High season runs from 15 June to 20 August", "Set in season.yaml."),
    "tickets": memory("pdf-tickets-typst", "PDF tickets are typeset with Typst, not with headless Chrome"),
    "pnpm": memory(
        "pnpm-only",
        "Always use pnpm here, npm corrupts the lockfile",
        kind="feedback",
        extra="applies: [dependencies]\n",
    ),
    "vault": memory("vault-secrets", "Secrets are in Vault, never in .env files", extra="aliases: [secret store]\n"),
}


def age(path: Path, seconds: float) -> None:
    """Move a file's times into the past."""
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))
