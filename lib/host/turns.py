"""A transcript's turns one after the other, tool uses joined with their results; never the whole file. Req: E1."""

from __future__ import annotations

from lib.host import speaker
from lib.host.transcript import Tool, Turn, lines, mark_of, objects, speaks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WAITING = 1_000  # results that are kept until their tool use comes


def turns(
    path: str, since: int = 0, *, stop: int | None = None, session: str = "", known: frozenset[str] = frozenset()
) -> Iterator[Turn]:
    """Each turn from byte `since` on as soon as the next one begins. Entries of another session are left out, entries
    whose mark is `known` too, and so is whatever host, hook, tool, compaction or API error said.

    Never raises on content; OSError of the file itself passes through.
    """
    seen: set[str] = set()
    joiner = Joiner()
    turn: Turn | None = None
    at = since
    for end, line in lines(path, since, stop):
        before, at = at, end
        if speaks(line) or b'_call_output"' in line:
            for entry in objects(line) or ():
                uuid = speaker.text_of(entry, "uuid")
                other = session and speaker.text_of(entry, "sessionId") not in ("", session)
                if other or (uuid and (uuid in seen or mark_of(uuid) in known)):
                    continue
                seen.add(uuid)
                said, prompt_id = speaker.human_text(entry), speaker.text_of(entry, "promptId")
                if said and (turn is None or not prompt_id or prompt_id != turn.prompt_id):
                    if turn:
                        yield turn
                    turn = Turn(before, prompt_id, speaker.text_of(entry, "timestamp"))
                turn = _placed(turn or Turn(since), entry, uuid, said, joiner) or turn
        if turn:
            turn.end = end
    if turn:
        yield turn


def _placed(turn: Turn, entry: dict[str, object], uuid: str, said: str, joiner: Joiner) -> Turn | None:
    """The turn with what the entry says; None when it says nothing. A new turn is the rest of one begun before."""
    if said:
        turn.human.append((uuid, said))
        return turn
    if entry.get("type") == "user":
        joiner.results(entry)
        return None
    texts, tools = joiner.reply(entry)
    turn.assistant.extend(texts)
    turn.tools.extend(tools)
    return turn if texts or tools else None


class Joiner:
    """Brings each tool use and its result together, whichever comes first."""

    def __init__(self) -> None:
        self._open: dict[str, Tool] = {}
        self._early: dict[str, tuple[str, bool]] = {}

    def reply(self, entry: dict[str, object]) -> tuple[list[str], list[Tool]]:
        """What the model said in an entry, and the tools it used."""
        tools: list[Tool] = []
        texts, uses = speaker.reply(entry)
        for id, name, target, given in uses:
            tool = Tool(name, target, id, given)
            tools.append(tool)
            if id in self._early:
                tool.result, tool.failed = self._early.pop(id)
            elif id:
                self._open[id] = tool
        return texts, tools

    def results(self, entry: dict[str, object]) -> None:
        for id, text, failed in speaker.tool_results(entry):
            if tool := self._open.pop(id, None):
                tool.result, tool.failed = text, failed
            elif id and len(self._early) < WAITING:
                self._early[id] = text, failed
