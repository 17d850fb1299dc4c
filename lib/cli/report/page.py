"""The report as one HTML file that asks nobody for anything; its own style and script alone may run."""

from __future__ import annotations

import base64
import hashlib
import os
import time
from pathlib import Path

from lib.cli.report import cards, chronicle, markup
from lib.cli.report.records import DAYS, Report

FOLDER = Path(__file__).resolve().parent
SECTIONS = (
    ("memories", "Memories"), ("links", "Links"), ("timeline", "Timeline"), ("cost", "Cost"),
    ("decisions", "Decisions"),
)  # fmt: skip


def html(report: Report) -> str:
    """The whole file. Its policy allows this style and this script by their hashes, and no address at all."""
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    name = markup.line(os.path.basename(report.project) or report.project, 80)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{name}: what is remembered</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#memories">Skip to the memories</a>\n'
        f"{_header(report, name)}\n<main>\n{_main(report)}\n</main>\n{_footer(report)}\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _header(report: Report, name: str) -> str:
    learned = sum(day.learned for day in report.days)
    recalled = sum(sum(day.recalled.values()) for day in report.days)
    look = len(report.doubtful) + len(report.held)
    facts = (
        (f"{report.total:,}", "memory" if report.total == 1 else "memories", "#memories"),
        (f"{learned:,}", f"learned in {DAYS} days", "#timeline"),
        (f"{recalled:,}", f"recalled in {DAYS} days", "#timeline"),
        (f"{look:,}", "needs a look" if look == 1 else "need a look", "#attention" if look else "#memories"),
        (markup.dollars(sum(report.spent)), f"spent in {DAYS} days", "#cost"),
    )
    told = "".join(f'<a href="{to}"><b>{value}</b> <span>{what}</span></a>' for value, what, to in facts)
    off = f'<p class="off">Memory is switched off here ({markup.safe(report.switched_off)}).</p>'
    return (
        f'<header><p class="over">What is remembered in</p><h1>{name}</h1>'
        f'<p class="place">{markup.safe(report.project)}</p>{off if report.switched_off else ""}'
        f'<div class="figures" role="group" aria-label="In numbers">{told}</div></header>\n'
        f'<nav aria-label="Sections"><div>{_nav(report)}</div></nav>'
    )


def _nav(report: Report) -> str:
    wanted = ([("attention", "Needs a look")] if cards.attention(report) else []) + list(SECTIONS)
    return "".join(f'<a href="#{at}">{title}</a>' for at, title in wanted)


def _main(report: Report) -> str:
    look = cards.attention(report)
    parts = [_section("attention", "Needs a look", f'<div class="look">{look}</div>')] if look else []
    parts.append(_section("memories", "Memories", _filter(report) + cards.section(report)))
    parts.append(_section("links", "Links", chronicle.links(report), "Arrows point at the memory that is linked."))
    parts.append(_section("timeline", "Timeline", chronicle.timeline(report), f"The last {DAYS} days."))
    parts.append(_section("cost", "Cost", chronicle.cost(report), f"What models cost in the last {DAYS} days."))
    parts.append(_section("decisions", "Decisions", chronicle.decisions(report),
                          f"What each gate said in the last {DAYS} days, and how often."))  # fmt: skip
    return "\n".join(parts)


def _section(at: str, title: str, inside: str, told: str = "") -> str:
    lead = f'<p class="lead">{told}</p>' if told else ""
    return f'<section id="{at}" aria-labelledby="{at}-title"><h2 id="{at}-title">{title}</h2>{lead}{inside}</section>'


def _filter(report: Report) -> str:
    """Hidden until the script shows it: without one it would do nothing."""
    if not report.cards:
        return ""
    there = {card.kind for card in report.cards}
    kinds = "".join(
        f'<label class="{kind}"><input type="checkbox" name="kind" value="{kind}" checked> {title}</label>'
        for kind, title in cards.KINDS.items() if kind in there
    )  # fmt: skip
    doubt = '<label><input type="checkbox" id="doubt"> Only what needs a look</label>' if report.doubtful else ""
    return (
        '<form id="filter" role="search" hidden><label for="q">Find in memories</label>'
        '<input id="q" type="search" autocomplete="off" spellcheck="false" placeholder="words, a file, a tool">'
        f'<fieldset><legend>Show</legend>{kinds}{doubt}</fieldset><p id="shown" role="status"></p></form>'
    )


def _footer(report: Report) -> str:
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.now))
    return (
        f"<footer><p>Made {at} from {markup.safe(report.memory)}. This file asks for nothing on any network; make it "
        "anew with <code>memory.py report</code>.</p></footer>"
    )
