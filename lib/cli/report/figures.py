"""The report's drawings as SVG: plain attributes only, since the page allows no style of its own on an element."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lib.cli import screen
from lib.cli.report import markup
from lib.cli.report.linked import Group
from lib.recall.escaping import visible

ROW = 26  # units between two names
LETTERS = 30  # columns of a name
LETTER = 7.4  # units; the widest usual letter of the page's small type
DEEPEST = 92  # units that an arc reaches to the left


def bars(values: Sequence[float], titles: Sequence[str], label: str, kind: str) -> str:
    """One bar a value, the highest as high as the figure; each says its own title."""
    top = max(values, default=0) or 1
    width, height, gap = 20, 48, 5
    made = []
    for at, (value, title) in enumerate(zip(values, titles, strict=True)):
        tall = max(2.0, height * value / top) if value else 1.0
        made.append(
            f'<rect class="{kind if value else "none"}" x="{at * width}" y="{height - tall:.1f}" '
            f'width="{width - gap}" height="{tall:.1f}" rx="1.5"><title>{markup.safe(title)}</title></rect>'
        )
    whole = len(values) * width - gap
    return (
        f'<svg class="bars" role="img" aria-label="{markup.safe(label)}" viewBox="0 0 {whole} {height}" '
        f'preserveAspectRatio="none">{"".join(made)}</svg>'
    )


def arcs(group: Group) -> str:
    """The memories of one group below each other, their links as arcs on the left; an arrow points at the target."""
    left = max(_reach(a, b) for a, b in group.arcs) + 12
    names = [screen.cut(" ".join(visible(node.name).split()), LETTERS) for node in group.nodes]
    right = max(screen.cells(name) for name in names) * LETTER + 16
    width, height = math.ceil(left + right), len(names) * ROW + 4
    lines = "".join(f'<path class="arc" d="{_path(a, b, left)}" marker-end="url(#arrow)"/>' for a, b in group.arcs)
    marks = []
    for at, (node, name) in enumerate(zip(group.nodes, names, strict=True)):
        y = _y(at)
        kind = node.card.kind if node.card else "missing"
        drawn = (
            f'<circle class="dot {kind}" cx="{left:.1f}" cy="{y}" r="4.5"/>'
            f'<text class="{kind}" x="{left + 12:.1f}" y="{y + 4.5}">{markup.safe(name)}</text>'
        )
        title = f"<title>{markup.line(node.card.statement if node.card else 'linked, but not written yet')}</title>"
        marks.append(
            f'<a href="#{markup.anchor(node.card.file)}">{title}{drawn}</a>' if node.card else f"<g>{title}{drawn}</g>"
        )
    told = "; ".join(f"{group.nodes[a].name} links to {group.nodes[b].name}" for a, b in group.arcs)
    return (
        f'<svg class="arcs" role="group" aria-label="{markup.line(told, 2000)}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">{lines}{"".join(marks)}</svg>'
    )


def _y(at: int) -> int:
    return at * ROW + ROW // 2 + 2


def _reach(a: int, b: int) -> float:
    """How far to the left an arc goes: further for a longer way, and never beyond DEEPEST."""
    return DEEPEST * (1 - math.exp(-abs(a - b) / 5)) + 6


def _path(a: int, b: int, x: float) -> str:
    down = b > a
    start, end = (_y(a) + 3, _y(b) - 3) if down else (_y(a) - 3, _y(b) + 3)  # what comes and what goes do not meet
    return f"M{x - 6:.1f} {start} A{_reach(a, b):.1f} {abs(end - start) / 2:.1f} 0 0 {int(not down)} {x - 7:.1f} {end}"


def arrow() -> str:
    """The arrowhead that all arcs share."""
    return (
        '<svg class="defs" aria-hidden="true" width="0" height="0"><defs><marker id="arrow" viewBox="0 0 8 8" refX="6" '
        'refY="4" markerWidth="6" markerHeight="6" orient="0"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>'
        "</svg>"
    )
