"""What happened, as HTML: activity and timeline, costs, the gates' decisions."""

from __future__ import annotations

import time
from collections.abc import Mapping

from lib.cli.report import figures, linked, markup
from lib.cli.report.markup import age, count, dollars, line, safe
from lib.cli.report.records import Day, Report, Step
from lib.cli.why import REASONS

SHOWN = 12  # entries of one day
FILES = 8  # files of one entry
WHO = {
    "extract": "learned", "dream": "consolidated", "review": "accepted by you", "undo": "taken back",
    "person": "by you", "outside": "written outside", "team": "from the team", "snapshot": "from a snapshot",
}  # fmt: skip


def links(report: Report) -> str:
    found, left = linked.groups(report.cards)
    if not found:
        return '<p class="empty">No memory links to another one yet.</p>'
    more = f'<p class="note">{count(left, "linked name")} left out of the drawing.</p>' if left else ""
    drawn = "".join(f'<div class="group">{figures.arcs(group)}</div>' for group in found)
    return f'{figures.arrow()}<div class="groups">{drawn}</div>{more}'


def timeline(report: Report) -> str:
    rows = (
        ("learned", "memories written or changed", [day.learned for day in report.days]),
        ("recalled", "memories given to prompts", [sum(day.recalled.values()) for day in report.days]),
        ("consolidated", "consolidations that changed something", [day.consolidated for day in report.days]),
    )
    strips = "".join(_strip(title, told, [float(one) for one in values], report.days) for title, told, values in rows)
    known = {card.file for card in report.cards}
    days = "".join(_day(day, known) for day in reversed(report.days) if day.steps or day.prompts)
    if not days:
        return '<p class="empty">Nothing was learned, recalled or consolidated in this time.</p>'
    return f'<div class="strips">{strips}</div><ol class="days">{days}</ol>'


def _strip(title: str, told: str, values: list[float], days: tuple[Day, ...]) -> str:
    titles = [f"{day.date}: {value:.0f} {told}" for day, value in zip(days, values, strict=True)]
    label = f"{told}, by day: {sum(values):.0f} from {days[0].date} to {days[-1].date}"
    return (
        f'<figure><figcaption><b>{title}</b> <span class="count">{sum(values):,.0f}</span></figcaption>'
        f"{figures.bars(values, titles, label, title)}</figure>"
    )


def _day(day: Day, known: set[str]) -> str:
    told = time.strftime("%a %d %b", time.strptime(day.date, "%Y-%m-%d")).replace(" 0", " ")
    rows = [_step(step, known) for step in sorted(day.steps, key=lambda step: -step.at)[:SHOWN]]
    if len(day.steps) > SHOWN:
        rows.append(f'<li class="note">and {len(day.steps) - SHOWN:,} more: <code>memory.py history</code></li>')
    if day.prompts:
        often = sorted(day.recalled.items(), key=lambda pair: (-pair[1], pair[0]))
        files = [_file(file, known) + (f" × {times}" if times > 1 else "") for file, times in often]
        rows.append(f'<li><b class="recalled">recalled</b> in {count(day.prompts, "prompt")}: {_few(files)}</li>')
    return f'<li><h3><time datetime="{day.date}">{told}</time></h3><ul>{"".join(rows)}</ul></li>'


def _step(step: Step, known: set[str]) -> str:
    parts = [
        f"{word} {_few([_file(file, known) for file in files])}"
        for word, files in (("new", step.created), ("changed", step.changed), ("gone", step.removed)) if files
    ]  # fmt: skip
    clock = time.strftime("%H:%M", time.localtime(step.at))
    who = WHO.get(step.who, step.who)
    kind = {"extract": "learned", "dream": "consolidated"}.get(step.who, "other")
    return f'<li><span class="clock">{clock}</span> <b class="{kind}">{line(who, 40)}</b> {"; ".join(parts)}</li>'


def _file(file: str, known: set[str]) -> str:
    name = f"<bdi>{line(file.removesuffix('.md'), 60)}</bdi>"
    return f'<a href="#{markup.anchor(file)}">{name}</a>' if file in known else f'<span class="missing">{name}</span>'


def _few(items: list[str]) -> str:
    more = len(items) - FILES
    return ", ".join(items[:FILES]) + (f" and {more:,} more" if more > 0 else "")


def cost(report: Report) -> str:
    titles = [f"{day.date}: {dollars(usd)}" for day, usd in zip(report.days, report.spent, strict=True)]
    total = sum(report.spent)
    if not report.costs:
        return f'<p class="empty">No model was asked for this project in this time.{_elsewhere(report)}</p>'
    label = f"dollars by day: {dollars(total)} from {report.days[0].date} to {report.days[-1].date}"
    rows = "".join(
        f"<tr><th scope=row>{line(one.name, 120)}</th><td>{dollars(one.usd)}</td><td>{one.calls:,}</td>"
        f"<td>{one.tokens_in:,}</td><td>{one.tokens_out:,}</td></tr>" for one in report.costs
    )  # fmt: skip
    return (
        f"<figure><figcaption>{dollars(total)} here; the dearest day {dollars(max(report.spent))}.{_elsewhere(report)}"
        f"</figcaption>{figures.bars(report.spent, titles, label, 'spent')}</figure>"
        '<div class="scroll" tabindex="0" role="region" aria-label="Cost by kind of work"><table><thead><tr>'
        '<th scope="col">work</th><th scope="col">cost</th><th scope="col">calls</th><th scope="col">tokens in</th>'
        f'<th scope="col">tokens out</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _elsewhere(report: Report) -> str:
    return f" Other projects: {dollars(report.elsewhere)}." if report.elsewhere >= 0.00005 else ""


def decisions(report: Report, reasons: Mapping[str, str] = REASONS) -> str:
    if not report.decisions:
        return '<p class="empty">No hook has decided anything here in this time.</p>'
    most = max(one.count for one in report.decisions)
    rows, before = [], ""
    for one in report.decisions:
        gate = f"<th scope=row>{safe(one.gate)}</th>" if one.gate != before else "<td></td>"
        before = one.gate
        rows.append(
            f"<tr>{gate}<td>{line(reasons.get(one.reason, one.reason), 160)}</td><td>{one.count:,}</td>"
            f'<td><meter min="0" max="{most}" value="{one.count}" aria-hidden="true"></meter></td>'
            f"<td>{age(one.last, report.now)}</td></tr>"
        )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Decisions of the gates"><table><thead><tr>'
        '<th scope="col">about</th><th scope="col">decision</th><th scope="col">times</th><td></td>'
        f'<th scope="col">last</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
