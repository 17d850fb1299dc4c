"""Entries beside the conversation that change what it tells: file history, attribution, replacements, collapses.

The names are the sources' (`file_history_snapshot`, `attribution_snapshot`, `content_replacement`,
`context_collapse_snapshot`) as well as the client's, which have hyphens. Req: E2.
"""

from __future__ import annotations

from lib.host import speaker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol, TypeVar

    class Said(Protocol):
        offset: int
        uuid: str

    M = TypeVar("M", bound=Said)
    Make = type[M]

_LAST = ("lastArchivedUuid", "boundaryUuid", "leafUuid", "messageId", "lastUuid")
SUMMARY_KEYS = ("summaryContent", "summary", "content")


class FileVersion:
    """One file at a snapshot: the name of the client's copy ("" when there was no file), its number and time."""

    __slots__ = ("backup", "time", "version")

    def __init__(self, backup: str, version: int, time: str) -> None:
        self.backup = backup
        self.version = version
        self.time = time


class Asides:
    """What the entries beside the tree add up to, for the branch that the uuids `live` stand on."""

    def __init__(self, live: set[str]) -> None:
        self.files: dict[str, FileVersion] = {}
        self.attribution: dict[str, object] = {}
        self.replaced: dict[str, str] = {}  # id of a tool use -> what its result was cut down to
        self.title = ""
        self._titled = 0
        self._live = live
        self._collapses: list[tuple[int, str, str]] = []

    def add(self, entry: Mapping[str, object], offset: int) -> None:
        if speaker.text_of(entry, "uuid"):
            return  # it stands in the tree
        kind = speaker.text_of(entry, "type").replace("-", "_")
        if kind == "file_history_snapshot":
            self._snapshot(entry)
        elif kind == "attribution_snapshot":
            states = entry.get("fileStates")
            if isinstance(states, dict):
                self.attribution.update(states)
        elif kind == "content_replacement":
            self._replace(entry)
        elif kind == "context_collapse_snapshot":
            last = next((uuid for key in _LAST if (uuid := speaker.text_of(entry, key))), "")
            text = next((text for key in SUMMARY_KEYS if (text := speaker.text_of(entry, key))), "")
            self._collapses.append((offset, last, text))
        else:
            self._name(kind, entry)

    def _name(self, kind: str, entry: Mapping[str, object]) -> None:
        """The newest title; one that the person gave stands over the model's, and both over a summary's."""
        for rank, (name, key) in enumerate(
            (("summary", "summary"), ("ai_title", "aiTitle"), ("custom_title", "customTitle")), 1
        ):
            if kind == name and rank >= self._titled and (text := speaker.text_of(entry, key)):
                self.title, self._titled = text, rank

    def _snapshot(self, entry: Mapping[str, object]) -> None:
        snapshot = entry.get("snapshot")
        if not isinstance(snapshot, dict):
            return
        message = speaker.text_of(snapshot, "messageId") or speaker.text_of(entry, "messageId")
        backups = snapshot.get("trackedFileBackups")
        if (message and message not in self._live) or not isinstance(backups, dict):
            return
        for path, backup in backups.items():
            if isinstance(backup, dict):
                version = backup.get("version")
                self.files[path] = FileVersion(
                    speaker.text_of(backup, "backupFileName"),
                    version if isinstance(version, int) else 0,
                    speaker.text_of(backup, "backupTime") or speaker.text_of(snapshot, "timestamp"),
                )

    def _replace(self, entry: Mapping[str, object]) -> None:
        rows = entry.get("replacements")
        for row in rows if isinstance(rows, list) else [entry]:
            if isinstance(row, dict) and isinstance(row.get("replacement"), str):
                id = speaker.text_of(row, "toolUseId") or speaker.text_of(row, "tool_use_id")
                self.replaced[id] = speaker.text_of(row, "replacement")

    def collapsed(self, messages: list[M], make: Make[M]) -> list[M]:
        """The messages with those that the last collapse covers replaced by its summary, if it has one.

        One that names an entry covers everything up to it; one that names none, everything written before. A name
        that is nowhere on this branch covers nothing.
        """
        for offset, last, text in self._collapses:
            covered = 0
            for place, message in enumerate(messages, 1):
                if message.uuid == last if last else message.offset < offset:
                    covered = place
            rest = messages[covered:]
            if covered and (rest or text):
                summary = [make("summary", text, "", "", offset)] if text else []  # type: ignore[call-arg]
                messages = summary + rest
        return messages
