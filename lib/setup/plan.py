"""What installing or uninstalling would make of the person's settings file, and doing just that. Req: I2, J7."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from lib.host import paths, registration
from lib.setup import backend_option, settings_merge, user_file
from lib.setup import place as places
from lib.setup import record as records
from lib.setup.ownership import Ownership
from lib.setup.place import Place
from lib.setup.problems import FileProblem, SetupProblem
from lib.setup.record import Record
from lib.setup.settings_merge import Refusal
from lib.setup.user_file import BOM, UserFile

_COMMANDS_KEPT = 100  # of former installs; six a move of the checkout


@dataclass(frozen=True)
class Plan:
    """`data` is what the file shall hold (None: no file), `base` the same without us; `record` None means forget it."""

    config: str
    was: UserFile
    base: bytes | None
    data: bytes | None
    record: Record | None
    kept_as: str = records.NAME  # the record's file

    @property
    def changes(self) -> bool:
        return self.data != self.was.data

    @property
    def diff(self) -> str:
        """A unified diff of the settings file, "" when nothing changes."""
        if not self.changes:
            return ""
        old, new = (_lines(data) for data in (self.was.data, self.data))
        here, there = (self.was.path if data is not None else "/dev/null" for data in (self.was.data, self.data))
        rows = difflib.unified_diff(old, new, here, there)
        return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def config_folder(env: Mapping[str, str], chosen: str = "") -> str:
    """The configuration folder to install into: `chosen`, else the client's own; raises SetupProblem for none."""
    if chosen:
        return os.path.abspath(chosen)
    named = env.get("CLAUDE_CONFIG_DIR", "")
    if named and not os.path.isabs(named):
        raise SetupProblem(f"CLAUDE_CONFIG_DIR is {named!r}, a relative path; set it to an absolute one, or unset it")
    config = paths.config_dir(env)
    if not config:
        raise SetupProblem(
            "HOME is empty or no absolute path, so there is no place for the settings; "
            "set HOME or CLAUDE_CONFIG_DIR, or name a folder with --config-dir"
        )
    return config


def settings_path(config: str) -> str:
    return places.claude(config).path


def install(config: str, python: str, root: str, backend: str = "", place: Place | None = None) -> Plan:
    """The plan that ends with exactly the table's entries, ours from elsewhere replaced; raises SetupProblem.

    `backend` is written as memoryHooks.backend; without one, what an earlier install was asked for stays.
    `place` is another host's; without one it is Claude Code's own.
    """
    at = place or places.claude(config)
    for path in (python, root):
        if not _encodes(path):
            raise SetupProblem(f"the path {ascii(path)} cannot stand in a settings file; move the checkout elsewhere")
    hooks = registration.entries(python, root, hooks=at.hooks)
    known = records.load(config, at.record)
    owns = Ownership(known.commands).owns
    was = user_file.read(at.path)
    with _named(was):
        named = "" if _blank(was) else backend_option.chosen(was.text)
        if not _blank(was) and backend in ("", named) and settings_merge.matches(was.text, hooks, owns):
            return Plan(config, was, was.data, was.data, known, at.record)
        base = _without_us(config, was, known)
        text = UserFile(was.path, was.target, base).text
        merge = settings_merge.added(text if text.strip() else "{}\n", hooks)
        asked = backend or (known.backend if known.backend == named else "")  # what the person chose since stays
        wanted = backend_option.chosen_instead(merge.text, asked, merge.before) if asked else merge.text
    data = wanted.encode()
    ours = [found.command for found in settings_merge.wanted(hooks)]
    return Plan(config, was, base, data, Record(
        list(dict.fromkeys([*ours, *known.commands]))[:_COMMANDS_KEPT],
        merge.before,
        written=records.digest(data),
        restores=records.digest(base),
        bom=bool(base and base.startswith(BOM)),
        created=base is None,
        backend=asked if wanted != merge.text else "",
    ), at.record)  # fmt: skip


def uninstall(config: str, place: Place | None = None) -> Plan:
    """The plan that gives back the file as it was before us, with the person's later edits; raises SetupProblem."""
    at = place or places.claude(config)
    known = records.load(config, at.record)
    was = user_file.read(at.path)
    with _named(was):
        base = _without_us(config, was, known)
    return Plan(config, was, base, base, None, at.record)


def apply(plan: Plan) -> None:
    """Carry the plan out: the former file kept, the record written first, then the file; raises SetupProblem."""
    former = records.load(plan.config, plan.kept_as)
    if plan.changes:
        records.keep(plan.config, plan.was.data)
        records.keep(plan.config, plan.base)
        if plan.record:
            records.save(plan.config, plan.record, plan.kept_as)
        try:
            user_file.write(plan.was, plan.data)
        except FileProblem:
            if plan.record:
                records.save(plan.config, former, plan.kept_as)
            raise
    if plan.record is None:
        records.forget(plan.config, plan.kept_as)


def _without_us(config: str, was: UserFile, known: Record) -> bytes | None:
    """The file as it was before us when nobody touched it since, else what is left without our entries."""
    if was.data is None or _blank(was):
        return was.data
    if known.written and records.digest(was.data) == known.written:
        former = None if known.created else records.kept(config, known.restores)
        if former is not None or known.created:
            return former
    text = backend_option.taken_back(was.text, known.backend, known.before or {})
    text = settings_merge.removed(text, Ownership(known.commands).owns, known.before)
    if text == was.text:
        return was.data
    if known.created and settings_merge.parsed(text).empty:
        return None
    return (BOM if known.bom or was.bom else b"") + text.encode()


@contextmanager
def _named(was: UserFile) -> Iterator[None]:
    """Turns what the inner layers refuse into one sentence that names the file and says that it is untouched."""
    try:
        yield
    except Refusal as problem:
        raise SetupProblem(f"{was.path}, {problem}; the file is unchanged, mend it and run this again") from None
    except FileProblem as problem:
        raise SetupProblem(f"{problem}; the file is unchanged") from None


def _blank(was: UserFile) -> bool:
    return was.data is None or not was.data.removeprefix(BOM).strip()


def _encodes(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines(data: bytes | None) -> list[str]:
    # not splitlines(): that also splits at characters such as U+2028, which are no line ends in JSON
    rows = (data or b"").decode("utf-8", "replace").split("\n")
    return [row + "\n" for row in rows[:-1]] + [row for row in rows[-1:] if row]
