"""Relative dates made absolute, so that a memory still says the same when it is read months later."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi lunes",
            "tuesday tue tues dienstag mardi martes",
            "wednesday wed mittwoch mercredi miércoles",
            "thursday thu thurs donnerstag jeudi jueves",
            "friday fri freitag vendredi viernes",
            "saturday sat samstag samedi sábado",
            "sunday sun sonntag dimanche domingo",
        )
    )
    for name in names.split()
}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février febrero",
            "march mar märz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août agosto",
            "september sep sept septembre septiembre",
            "october oct oktober octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_SIMPLE = {
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
    "heute": 0,
    "übermorgen": 2,
    "gestern": -1,
    "aujourd'hui": 0,
    "demain": 1,
    "hier": -1,
    "hoy": 0,
    "mañana": 1,
    "ayer": -1,
    "今天": 0,
    "明天": 1,
    "后天": 2,
    "昨天": -1,
    "今日": 0,
    "明日": 1,
    "明後日": 2,
    "昨日": -1,
    "eod": 0,
    "end of day": 0,
}
_MONTH_WORD = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_WORD = "|".join(sorted((d for d in _DAYS if len(d) > 4), key=len, reverse=True))
_WHEN = re.compile(
    r"(?P<simple>\b(?:the )?(?:day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday|heute"
    r"|übermorgen|gestern|aujourd'hui|demain|hoy|mañana|ayer|end of day|EOD)\b(?:'s\b)?"
    r"|今天|明天|后天|昨天|今日|明日|明後日|昨日)"
    rf"|\b(?P<which>this|next|last|coming|nächsten?|kommenden?|este|próximo)\s+(?P<wday>{_DAY_WORD})\b"
    rf"|\b(?P<wday2>{_DAY_WORD})(?P<after>\s+(?:prochain|que viene))?\b(?!s\b)"
    r"|\b(?P<rel>this|next|last|nächste|nächsten|kommende)\s+(?P<unit>week|month|quarter|year|Woche|Monat|Jahr)\b"
    r"|\b(?:the )?end of (?:the|this|next) (?P<endnext>week|month|year)\b"
    r"|\b(?:in|within)\s+(?P<n>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<nunit>day|week"
    r"|month)s?\b|\b(?P<agon>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<agounit>day|week"
    r"|month)s?\s+ago\b"
    rf"|\b(?P<md_month>{_MONTH_WORD})\.?\s+(?P<md_day>[0-3]?\d)(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<md_year>20\d\d))?"
    rf"|\b(?P<dm_day>[0-3]?\d)(?:st|nd|rd|th|\.)?\s+(?:of\s+"
    rf"|de\s+)?(?P<dm_month>{_MONTH_WORD})\b(?:\s+(?:de\s+)?(?P<dm_year>20\d\d))?",
    re.I,
)
# Days as habits ("on Fridays", "every Friday", "Friday deploys") are no single date.
_HABIT_BEFORE = re.compile(r"(?:\b(?:every|each|on any|jeden|chaque|cada|other|any|a|per)\s+|['\"`])$", re.I)


def _shift_month(day: datetime.date, months: int) -> datetime.date:
    index = day.year * 12 + day.month - 1 + months
    return datetime.date(index // 12, index % 12 + 1, 1)


def _month_day(today: datetime.date, month: str, day: str, year: str | None) -> str | None:
    """ISO date of a named day; without a year the nearest one that is not long past."""
    try:
        found = datetime.date(int(year) if year else today.year, _MONTHS[month.lower()], int(day))
        if not year and (today - found).days > 60:
            found = found.replace(year=today.year + 1)
    except ValueError:
        return None
    return found.isoformat()


def _weekday(today: datetime.date, name: str, which: str) -> str:
    ahead = (_DAYS[name.lower()] - today.weekday()) % 7
    if which.lower() == "last":
        return (today - datetime.timedelta((today.weekday() - _DAYS[name.lower()]) % 7 or 7)).isoformat()
    if which.lower() in ("next", "nächsten", "nächste") and _DAYS[name.lower()] > today.weekday():
        ahead += 7
    return (today + datetime.timedelta(ahead or 7)).isoformat()


def _unit(today: datetime.date, which: str, unit: str) -> str:
    step = {"this": 0, "last": -1}.get(which.lower(), 1)
    unit = unit.lower()
    if unit in ("week", "woche"):
        monday = today - datetime.timedelta(today.weekday()) + datetime.timedelta(7 * step)
        return f"the week of {monday.isoformat()}"
    if unit in ("month", "monat"):
        return _shift_month(today, step).strftime("%Y-%m")
    if unit == "quarter":
        quarter = _shift_month(today, 3 * step)
        return f"Q{(quarter.month - 1) // 3 + 1} {quarter.year}"
    return str(today.year + step)


def _end(today: datetime.date, unit: str, following: bool) -> str:
    if unit == "week":
        return (today + datetime.timedelta(6 - today.weekday() + (7 if following else 0))).isoformat()
    if unit == "month":
        return (_shift_month(today, 2 if following else 1) - datetime.timedelta(1)).isoformat()
    return f"{today.year + (1 if following else 0)}-12-31"


def _count(today: datetime.date, number: str, unit: str, sign: int) -> str:
    n = sign * (int(number) if number.isdigit() else _NUMBERS[number.lower()])
    if unit.lower() == "month":
        return _shift_month(today, n).strftime("%Y-%m")
    return (today + datetime.timedelta(n * (7 if unit.lower() == "week" else 1))).isoformat()


def _resolver(today: datetime.date, text: str, weekdays: bool) -> Callable[[re.Match[str]], str]:
    def resolve(found: re.Match[str]) -> str:
        group = found.groupdict()
        whole = found.group(0)
        if group["simple"]:
            word = whole.lower().removesuffix("'s").removeprefix("the ")
            return (today + datetime.timedelta(_SIMPLE[word])).isoformat()
        day = group["wday"] or group["wday2"]
        if day:
            if (group["wday2"] and not weekdays) or _HABIT_BEFORE.search(text[: found.start()][-20:]):
                return whole
            return _weekday(today, day, group["which"] or ("next" if group["after"] else "this"))
        if group["rel"]:
            return _unit(today, group["rel"], group["unit"])
        if group["endnext"]:
            return _end(today, group["endnext"].lower(), " next " in whole.lower())
        if group["n"]:
            ahead = _count(today, group["n"], group["nunit"], 1)
            return f"in {ahead}" if len(ahead) == 7 else f"on {ahead}"
        if group["agon"]:
            return _count(today, group["agon"], group["agounit"], -1)
        absolute = _month_day(
            today,
            group["md_month"] or group["dm_month"],
            group["md_day"] or group["dm_day"],
            group["md_year"] or group["dm_year"],
        )
        return absolute or whole

    return resolve


def absolute(text: str, today: datetime.date, *, weekdays: bool = True) -> str:
    """`text` with relative and year-less dates replaced by ISO dates counted from `today`; habits like "every
    Friday" stay, and without `weekdays` so does each day that is named alone. Req: A6."""
    try:
        return _WHEN.sub(_resolver(today, text, weekdays), text)
    except (OverflowError, ValueError):  # a date past the calendar's ends stays as the person wrote it
        return text


def dated(text: str) -> bool:
    """True when `text` names a day, a week or a month."""
    return bool(
        _WHEN.search(text)
        or re.search(r"\b20\d\d-\d\d|\bQ[1-4]\b|\b\d{1,2}[/.]\d{1,2}\b|\bend of (?:q[1-4]|sprint)\b", text, re.I)
    )
