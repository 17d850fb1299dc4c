"""How far a session's summary has come, from the same journal as everything else. Req: D1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNREAD = 20  # bytes for a token in what is not read: lines carry much besides the conversation
MANY = 3  # tool calls that are taken for granted in what is not read
_FIELDS = ("looked", "tokens", "calls", "wanted", "wanted_tokens", "wanted_calls", "noted", "noted_tokens", "failures")


class Progress:
    """Offsets in bytes, -1 when unset; tokens are estimates of the conversation from its beginning.

    `looked`: up to here hooks have counted; `wanted`: up to here a summary was asked for; `noted`: the summary's own
    cursor. `calls` counts tool calls since the last summary.
    """

    __slots__ = _FIELDS

    def __init__(self) -> None:
        self.looked = -1
        self.tokens = 0
        self.calls = 0
        self.wanted = -1
        self.wanted_tokens = 0
        self.wanted_calls = 0
        self.noted = -1
        self.noted_tokens = 0
        self.failures = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Progress) and self.row() == other.row()

    __hash__ = None  # type: ignore[assignment]  # it changes

    @property
    def pending(self) -> bool:
        return self.wanted > self.noted

    def fold(self, event: Mapping[str, object]) -> None:
        kind = event.get("e")
        if event.get("restarted") is True or event.get("recount") is True:
            self.__init__()  # type: ignore[misc]  # the transcript is another file than before
        if kind == "session" and self.looked < 0 and _number(event, "at") > 0:
            # A session that goes on and was never counted: what is there already is guessed, not read by a hook.
            self.looked = _number(event, "at")
            self.tokens, self.calls = self.looked // UNREAD, MANY
        elif kind == "look":
            self._look(event)
        elif kind == "summarizing":
            self.failures += 1
        elif kind == "summary":
            # A hook may have asked for more meanwhile: what counts is what the worker had when it began.
            self.noted, self.noted_tokens = _number(event, "noted"), _number(event, "tokens")
            done = _number(event, "calls")
            self.calls, self.wanted_calls = max(0, self.calls - done), max(0, self.wanted_calls - done)
            self.failures = 0
        elif kind == "progress":
            for name in _FIELDS:
                setattr(self, name, _number(event, name))

    def _look(self, event: Mapping[str, object]) -> None:
        self.looked = max(self.looked, _number(event, "at"))
        self.tokens += _number(event, "tokens")
        self.calls += _number(event, "calls")
        if event.get("reason") == "run":
            self.wanted, self.wanted_tokens, self.wanted_calls = self.looked, self.tokens, self.calls

    def row(self) -> dict[str, object]:
        """The event that folds to this."""
        return {"e": "progress", **{name: getattr(self, name) for name in _FIELDS}}


def _number(event: Mapping[str, object], key: str) -> int:
    value = event.get(key)
    return value if type(value) is int else 0
