"""`memory.py transcript [SESSION|FILE] [--json]`: a session's live conversation; without one, the sessions. Req: E3.

JSON: session, path, title, messages (role, text, uuid, time, tools), files, skipped; without one: sessions (session,
title, age, turns, bytes, path).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from lib.cli import screen
from lib.cli.arguments import given
from lib.cli.place import Place, Trouble
from lib.dream import sessions
from lib.host.chain import Chain, Message, live_chain
from lib.host.transcript import Tool, turns
from lib.memory import freshness
from lib.session import archive

USAGE = "transcript [SESSION|FILE] [--json]"
SHOWN = 20  # sessions of a list
RESULT = 300  # characters of a tool's result that are shown
_SPEAKER = {"human": "You", "assistant": "Assistant", "summary": "Summary of what came before"}


def run(arguments: list[str], place: Place) -> int:
    """The conversation of one session, named by its id, the beginning of it, or its file; else a list of them."""
    asked = given(USAGE, arguments, most=1)
    as_json, names = asked.json, asked.names
    if not names:
        return _list(place, as_json)
    path = _path(place, names[0])
    try:
        chain = live_chain(path)
    except (OSError, EOFError) as error:
        raise Trouble(f"{path} cannot be read: {error}") from error
    if as_json:
        screen.emit(_record(path, chain))
    else:
        _show(path, chain)
    return 0


def _found(place: Place) -> list[str]:
    """This project's transcripts, newest first, those that are only in the archive at their place among them."""
    live = sessions.since(sessions.folders(place.config, place.state, place.root), None, "")
    known = {session_of(path) for path in live}
    kept = [path for path in archive.files(place.state) if session_of(path) not in known]
    return sorted([*live, *kept], key=os.path.getmtime, reverse=True)


def session_of(path: str) -> str:
    return os.path.basename(path).removesuffix(".gz").removesuffix(".jsonl")


def _path(place: Place, name: str) -> str:
    if os.path.isfile(name):
        return name
    found = _found(place)
    matching = [path for path in found if session_of(path).startswith(name)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise Trouble(f"{name!r} is the beginning of {len(matching)} sessions; give more of the id")
    raise Trouble(f"there is no session {name!r} of {place.root}; `memory.py transcript` lists them")


def _list(place: Place, as_json: bool) -> int:
    found = _found(place)
    rows = [_row(path) for path in found[:SHOWN]]
    if as_json:
        screen.emit({"sessions": rows})
        return 0
    if not rows:
        screen.say(f"There is no session of {place.root} yet.")
    for row in rows:
        screen.say(
            f"{row['session']:<36}  {row['age']:<12}  {row['turns']:>4} turns  {_size(int(row['bytes'])):>8}  "
            f"{' '.join(str(row['title']).split())[:60]}"
        )
    if len(found) > SHOWN:
        screen.say(f"and {len(found) - SHOWN} older ones")
    return 0


def _row(path: str) -> dict[str, str | int]:
    status = os.stat(path)
    first, count = "", 0
    try:
        for turn in turns(path):
            count += bool(turn.human)
            first = first or (turn.human[0][1] if turn.human else "")
        title = live_chain(path).title
    except (OSError, EOFError) as error:
        title = f"(cannot be read: {error})"
    age = freshness.words(status.st_mtime, time.time())
    return {"session": session_of(path), "title": title or first, "age": age, "turns": count, "bytes": status.st_size,
            "path": path}  # fmt: skip


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} KB"


def _show(path: str, chain: Chain) -> None:
    screen.say(chain.title or session_of(path))
    speaker = ""
    for message in chain:
        lines = list(_lines(message))
        if lines and message.role != speaker:
            speaker = message.role
            screen.say(f"\n{_SPEAKER[speaker]}{' · ' + message.time if message.time else ''}")
        for line in lines:
            screen.say(line)
    if not len(chain):
        screen.say("Nothing was said in it.")
    if chain.files:
        screen.say("\nFiles it changed, as the last snapshot has them:")
        for name, version in sorted(chain.files.items()):
            screen.say(f"  {name} (version {version.version}{', no file' if not version.backup else ''})")
    if chain.skipped:
        screen.say(f"\n{chain.skipped} lines could not be read and were passed over.")


def _lines(message: Message) -> Iterator[str]:
    if text := message.text.strip():
        yield from (f"  {line}".rstrip() for line in text.split("\n"))
    for tool in message.tools:
        yield f"  [{tool.name}] {_subject(tool)}".rstrip()
        if tool.result:
            text = " ".join(tool.result.split())
            mark = "failed: " if tool.failed else ""
            yield f"    → {mark}{text[:RESULT]}{' …' if len(text) > RESULT else ''}"


def _subject(tool: Tool) -> str:
    """What a tool was used on: a path, a command, or the first text it was given."""
    texts = [value for value in tool.given.values() if isinstance(value, str)]
    command = tool.given.get("command")
    return " ".join((tool.path or (command if isinstance(command, str) else next(iter(texts), ""))).split())[:200]


def _record(path: str, chain: Chain) -> dict[str, object]:
    messages = [
        {"role": m.role, "text": m.text, "uuid": m.uuid, "time": m.time, "tools": [_tool(tool) for tool in m.tools]}
        for m in chain
    ]
    files = {
        name: {"backup": version.backup, "version": version.version, "time": version.time}
        for name, version in chain.files.items()
    }
    return {"session": session_of(path), "path": path, "title": chain.title, "messages": messages, "files": files,
            "skipped": chain.skipped}  # fmt: skip


def _tool(tool: Tool) -> dict[str, object]:
    return {"id": tool.id, "name": tool.name, "input": tool.given, "result": tool.result, "failed": tool.failed}
