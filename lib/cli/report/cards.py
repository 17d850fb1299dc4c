"""The memories as HTML: one card each, by type, and the list of those that need a look."""

from __future__ import annotations

from collections.abc import Sequence

from lib.cli.report import markup
from lib.cli.report.markup import age, count, line, safe
from lib.cli.report.records import Card, Held, Report

BODIES = 1_200_000  # characters of all bodies together; what comes after has its statement only
LISTED = 40  # memories that need a look
KINDS = {
    "user": "About you", "feedback": "How to work", "project": "What is going on",
    "reference": "Where things are", "untyped": "Without a type",
}  # fmt: skip


def section(report: Report) -> str:
    """Every card under the heading of its type, and what was left out."""
    if not report.cards:
        return (
            '<p class="empty">Nothing is remembered here yet. Say <q>Remember: …</q> in a session, '
            "or state a preference; what outlasts the session becomes a card here.</p>"
        )
    known = {card.file for card in report.cards}
    room, made = BODIES, []
    for kind, title in KINDS.items():
        cards = [card for card in report.cards if card.kind == kind]
        if not cards:
            continue
        drawn = []
        for card in cards:
            room -= min(len(card.body), markup.BODY)
            drawn.append(_card(card, report.now, known, room > 0))
        made.append(
            f'<section class="kind" aria-labelledby="kind-{kind}"><h3 id="kind-{kind}" class="{kind}">{title}'
            f' <span class="count">{len(cards):,}</span></h3><div class="cards">{"".join(drawn)}</div></section>'
        )
    if report.total > len(report.cards):
        left = report.total - len(report.cards)
        made.append(f'<p class="note">{count(left, "older memory", "older memories")} left out of this page: '
                    "<code>memory.py list</code> names all of them.</p>")  # fmt: skip
    if room <= 0:
        made.append('<p class="note">The last cards show their statement only, to keep this page small.</p>')
    return "".join(made)


def _card(card: Card, now: float, known: set[str], whole: bool) -> str:
    targets = {link.name: link.file for link in card.links if link.file in known}
    facts = [age(card.noted, now), safe(card.source)]
    if card.session:
        facts.append(f'session <span class="id">{line(card.session[:8])}</span>')
    if card.recalled:
        facts.append(f"recalled {count(card.recalled, 'time')}, last {age(card.last_recalled, now)}")
    notes = "".join(f'<p class="doubt">{safe(said.replace("`", ""))}</p>' for said in doubts(card))
    if card.stale:
        notes += '<p class="note">Nothing of what it names is left, so it gives way to memories that still hold.</p>'
    quote = f'<p class="quote"><q>{line(card.quote)}</q></p>' if card.quote and card.quote not in card.body else ""
    body = markup.body(card.body, lambda name: targets.get(name.removesuffix(".md"), "")) if whole else ""
    inside = f"<details><summary>Whole text</summary>{body}{quote}</details>" if body or quote else ""
    return (
        f'<article class="card {card.kind}" id="{markup.anchor(card.file)}" data-kind="{card.kind}"'
        f'{" data-doubt" if notes else ""}><h4 dir="auto">{line(card.statement)}</h4>'
        f'<p class="file"><bdi>{line(card.file)}</bdi></p>'
        f'{notes}<p class="facts">{" · ".join(facts)}</p>{inside}</article>'
    )


def doubts(card: Card) -> list[str]:
    """Why the card needs a look, as sentences."""
    return [*card.gone, *([f"The file: {card.problem}."] if card.problem else [])]


def attention(report: Report) -> str:
    """What a person should look at, "" when there is nothing."""
    rows = [f"<li>{_named(card)}: {safe(doubts(card)[0].replace('`', ''))}</li>" for card in report.doubtful[:LISTED]]
    more = len(report.doubtful) - LISTED
    if more > 0:
        rows.append(f"<li>and {more:,} more; their cards say why</li>")
    waiting = _waiting(report.held, report.now)
    dangling = sorted({link.name for card in report.cards for link in card.links if not link.file})
    made = [f"<h3>No longer quite true</h3><ul>{''.join(rows)}</ul>"] if rows else []
    if waiting:
        made.append(f"<h3>Held back for you</h3><ul>{waiting}</ul><p class=\"note\">Decide with "
                    "<code>memory.py review</code>.</p>")  # fmt: skip
    if dangling:
        names = ", ".join(line(name, 60) for name in dangling[:LISTED])
        more = len(dangling) - LISTED
        made.append(f"<h3>Linked, but not written</h3><p>{names}{f' and {more:,} more' if more > 0 else ''}</p>")
    if report.missing:
        made.append(f"<h3>Could not be read</h3><ul>{''.join(f'<li>{line(one)}</li>' for one in report.missing)}</ul>")
    return "".join(f"<div>{part}</div>" for part in made)


def _named(card: Card) -> str:
    return f'<a href="#{markup.anchor(card.file)}"><bdi>{line(card.statement, 90)}</bdi></a>'


def _waiting(held: Sequence[Held], now: float) -> str:
    rows = [f"<li>{line(one.file, 80)}: {line(one.reason)} ({age(one.at, now)})</li>" for one in held[:LISTED]]
    return "".join(rows) + (f"<li>and {len(held) - LISTED:,} more</li>" if len(held) > LISTED else "")
