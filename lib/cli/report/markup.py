"""Stored text as HTML in which nothing of it can be markup: made visible, escaped, then given its few forms."""

from __future__ import annotations

import hashlib
import html
import re
import time
from collections.abc import Callable

from lib.memory import freshness
from lib.recall.escaping import visible

BODY = 1_500  # characters of a memory that are shown
# On escaped text: what they match can hold no bracket and no quotation mark of the memory's own.
_CODE = re.compile(r"`([^`\n]{1,300})`")
_STRONG = re.compile(r"\*\*([^*\n]{1,300})\*\*")
_LINK = re.compile(r"\[\[([^\[\]\n|#]{1,200})((?:[|#][^\[\]\n]{0,200})?)\]\]")

Target = Callable[[str], str]


def safe(text: str) -> str:
    """The text for an element or a quoted attribute; what moves or hides text is gone."""
    return html.escape(visible(text), quote=True)


def line(text: str, limit: int = 300) -> str:
    """Stored text on one line, at most `limit` characters of it."""
    words = " ".join(text.split())
    return safe(words if len(words) <= limit else words[: limit - 1].rstrip() + "…")


def anchor(file: str) -> str:
    """The id of a memory's card."""
    return "m-" + hashlib.sha256(file.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def body(text: str, file_of: Target, limit: int = BODY) -> str:
    """A memory's body as paragraphs; `file_of` gives the file a link means, "" for none."""
    shown = text if len(text) <= limit else text[:limit].rsplit("\n", 1)[0]
    paragraphs = [part.strip("\n") for part in re.split(r"\n[ \t]*\n", visible(shown)) if part.strip()]
    made = "".join(f'<p dir="auto">{_formed(html.escape(part, quote=True), file_of)}</p>' for part in paragraphs)
    left = len(text) - len(shown)
    return made + (f'<p class="note">{left:,} more characters are in the file.</p>' if left else "")


def _formed(escaped: str, file_of: Target) -> str:
    pieces = _CODE.split(escaped)  # every second piece is code, in which nothing else has a form
    formed = [f"<code>{piece}</code>" if at % 2 else _plain(piece, file_of) for at, piece in enumerate(pieces)]
    return "".join(formed).replace("\n", "<br>\n")


def _plain(piece: str, file_of: Target) -> str:
    def link(match: re.Match[str]) -> str:
        file = file_of(html.unescape(match[1]).strip())
        told = match[2][1:] if match[2].startswith("|") and match[2][1:].strip() else match[1]
        return f'<a href="#{anchor(file)}">{told}</a>' if file else f'<span class="missing">{told}</span>'

    return _STRONG.sub(r"<strong>\1</strong>", _LINK.sub(link, piece))


def age(then: float, now: float) -> str:
    """A time as people say it, the exact one beside it."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(then))
    return f'<time datetime="{stamp}" title="{stamp.replace("T", " ")}">{freshness.words(then, now)}</time>'


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def dollars(usd: float) -> str:
    return f"${usd:.2f}" if usd >= 0.1 or not usd else f"${usd:.4f}"
