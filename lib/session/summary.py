"""The summary's fixed form: its sections, their limits, and the file that it stands in. Req: D3."""

from __future__ import annotations

from collections.abc import Mapping

from lib.session import condense, tokens
from lib.session.place import MARK

TITLE = "# Session summary"
SECTIONS = (
    "What was asked", "Corrections and preferences", "Decisions", "Files touched", "Commands run", "Open ends",
    "Last state",
)  # fmt: skip
SECTION_TOKENS = 2_000
TOTAL_TOKENS = 12_000

Sections = dict[str, list[str]]


def parse(text: str) -> Sections:
    """The points of each known section, in a file or an answer; text outside of them is nobody's."""
    found: dict[str, list[str]] = {}
    current = ""
    names = {name.casefold(): name for name in SECTIONS}
    for line in text.split("\n"):
        if line.startswith("#"):
            current = names.get(line.lstrip("#").strip().rstrip(":").casefold(), "")
        elif current:
            found.setdefault(current, []).append(line)
    sections = {name: condense.points("\n".join(lines)) for name, lines in found.items()}
    return {name: [point for point in points if point != "(nothing)"] for name, points in sections.items()}


def dump(sections: Mapping[str, list[str]]) -> str:
    """The whole file within the limits of each section and of all; empty sections say so, their order is fixed."""
    cap = SECTION_TOKENS
    while True:
        parts = [f"## {name}\n{_section(sections.get(name, []), cap)}" for name in SECTIONS]
        text = "\n\n".join([f"{MARK}\n{TITLE}", *parts]) + "\n"
        if tokens.of_text(text) <= TOTAL_TOKENS or cap < 100:
            return text
        cap -= 100


def _section(points: list[str], cap: int) -> str:
    # The heading and the line that says what was left out count too.
    return condense.within(points, cap - 30, point=min(200, cap // 2)) or "- (nothing)"


def ours(text: str) -> bool:
    return text.startswith(MARK)


def body(text: str) -> str:
    """The file without our mark and title."""
    return text.removeprefix(MARK).strip().removeprefix(TITLE).strip()
