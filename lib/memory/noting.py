"""Words that are noted in a journal first lose their secrets; most have none and cost no search. Req: A6, J2."""

from __future__ import annotations

_CUES = (
    "pass", "pwd", "secret", "token", "key", "auth", "bearer", "basic", "credential", "login", "private", "cookie",
    "webhook", "hooks.", "://", "begin ", "sig=", "sid=", "account", "connection", "bot",
)  # fmt: skip
_EDGE = 600  # characters: longer than nearly every secret
_LONG = 14  # characters of a word; a shorter one without a cue is nobody's token


def clean(text: str) -> str:
    """The text with each secret replaced by its kind. Looking for them costs a hook as much as starting it."""
    if not suspect(text):
        return text
    from lib.memory.secrets import redact

    return redact(text)


def beginning(text: str, limit: int) -> str:
    """The first `limit` characters, clean; read a little beyond them, so that no secret is cut in two and missed."""
    return clean(text[: limit + _EDGE])[:limit]


def suspect(text: str) -> bool:
    """Whether a secret could be in the text at all: a cue of an assignment, or a long word that is not all letters."""
    if not text.isascii():
        import unicodedata

        # What is not seen, and other forms of the same letters, hide nothing.
        text = unicodedata.normalize("NFKC", text).encode("ascii", "ignore").decode("ascii")
    low = text.lower()
    return any(cue in low for cue in _CUES) or any(len(word) >= _LONG and not word.isalpha() for word in text.split())


def opening(noted: str, limit: int) -> str:
    """The beginning by which the noted words are known again in the full text: nothing in it was replaced."""
    return noted[:limit].partition("[secret: ")[0]
