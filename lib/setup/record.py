"""What an installation remembers (`<config>/memory-hooks/install.json`), to be taken back exactly. Req: J7."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from lib.host import paths
from lib.setup import user_file
from lib.setup.settings_merge import Before

NAME = "install.json"
BACKUPS = "backup"


@dataclass(frozen=True)
class Record:
    """`written` and `restores` are SHA-256 of the settings file after and before us; "" = there was no file."""

    commands: list[str] = field(default_factory=list)
    before: Before | None = None
    written: str = ""
    restores: str = ""
    bom: bool = False
    created: bool = False
    backend: str = ""  # what install.py was asked to write as memoryHooks.backend


def digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def load(config: str, name: str = NAME) -> Record:
    """The record of this configuration; an empty one when it is missing, torn or of another shape."""
    try:
        raw = json.loads(Path(paths.own_dir(config), name).read_bytes())
    except (OSError, ValueError, RecursionError):
        return Record()
    if not isinstance(raw, dict):
        return Record()
    commands, before = raw.get("commands"), raw.get("before")
    return Record(
        [command for command in commands if isinstance(command, str)] if isinstance(commands, list) else [],
        {k: v for k, v in before.items() if v is None or isinstance(v, str)} if isinstance(before, dict) else None,
        written=_text(raw.get("written")),
        restores=_text(raw.get("restores")),
        bom=raw.get("bom") is True,
        created=raw.get("created") is True,
        backend=_text(raw.get("backend")),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def save(config: str, record: Record, name: str = NAME) -> None:
    """Write the record; raises FileProblem."""
    data = json.dumps(vars(record), indent=1, ensure_ascii=False) + "\n"
    was = user_file.read(os.path.join(paths.own_dir(config), name))
    if was.data != data.encode():
        user_file.write(was, data.encode())


def forget(config: str, name: str = NAME) -> None:
    """Take the record away; backups stay."""
    was = user_file.read(os.path.join(paths.own_dir(config), name))
    if was.data is not None:
        user_file.write(was, None)


def keep(config: str, data: bytes | None) -> str:
    """Keep a copy of a settings file under its digest, readable by its owner only; returns the digest."""
    name = digest(data)
    if data is not None:
        was = user_file.read(_backup(config, name))
        if was.data != data:
            user_file.write(was, data)
    return name


def kept(config: str, name: str) -> bytes | None:
    """The copy with that digest, or None when it is gone or damaged."""
    try:
        data = Path(_backup(config, name)).read_bytes()
    except OSError:
        return None
    return data if digest(data) == name else None


def _backup(config: str, name: str) -> str:
    return os.path.join(paths.own_dir(config), BACKUPS, f"settings-{name[:16]}.json")
