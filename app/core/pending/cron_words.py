"""A cron expression in plain English: "every Monday at 09:00".

Common expressions get idiomatic words; the rest get cronsim's, which are correct but wooden. Takes an expression in the
form of `app.core.pending.recurrence.normalize_schedule`: five fields, with `*` for each that allows everything.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from cronsim import CronSim

from app.core.text.labels import join_words

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
"""Cron's order."""

_WORKDAYS = [1, 2, 3, 4, 5]
_NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", CronSim.LAST: "last"}
_LAST_DAYS = {CronSim.LAST: "last day", CronSim.LAST_WEEKDAY: "last weekday"}
_FEW = 4  # times, minutes or dates that are listed one by one
_HOUR, _DAY = 60, 24 * 60  # minutes


def describe_cron(cron: str) -> str:
    """Return the times as a phrase without a full stop and without the zone."""
    fields = CronSim(cron, datetime.min.replace(tzinfo=UTC))
    times = _describe_times(sorted(fields.minutes), sorted(fields.hours))
    days = _describe_days(cron, fields)
    if not times or not days:
        return _describe_by_cronsim(fields)
    return f"{days.at} {times}" if times.startswith("at ") else f"{times} {days.on}".rstrip()


class _Days(NamedTuple):
    """Names of days before a time ("weekdays" at 09:00) and after an interval (every hour "on weekdays")."""

    at: str
    on: str


def _describe_times(minutes: list[int], hours: list[int]) -> str:
    """Return times of day ("at 09:00 and 18:00") or an interval ("every 5 minutes"); empty if no short name fits."""
    if len(hours) * len(minutes) <= _FEW:
        return f"at {join_words([f'{hour:02}:{minute:02}' for hour in hours for minute in minutes])}"
    step = _find_interval(minutes, hours)
    first, last = hours[0] * _HOUR + minutes[0], hours[-1] * _HOUR + minutes[-1]
    if step and first == 0 and last + step == _DAY:
        return f"every {_describe_length(step)}"
    if len(hours) == 24 and len(minutes) <= _FEW:
        return f"every hour at {join_words([str(minute) for minute in minutes])} minute{'s' * (minutes != [1])} past"
    return f"every {_describe_length(step)} from {_format_clock(first)} to {_format_clock(last)}" if step else ""


def _find_interval(minutes: list[int], hours: list[int]) -> int:
    """Return the minutes between the runs of a day if they are always the same; else 0."""
    runs = [hour * _HOUR + minute for hour in hours for minute in minutes]
    steps = {later - earlier for earlier, later in pairwise(runs)}
    return steps.pop() if len(steps) == 1 else 0


def _describe_length(minutes: int) -> str:
    count, unit = (minutes // _HOUR, "hour") if minutes % _HOUR == 0 else (minutes, "minute")
    return unit if count == 1 else f"{count} {unit}s"


def _format_clock(minutes: int) -> str:
    return f"{minutes // _HOUR:02}:{minutes % _HOUR:02}"


def _describe_days(cron: str, fields: CronSim) -> _Days | None:
    """Return the names of the days; None if they have no short name, as with both a date and a weekday."""
    _, _, day, month, weekday = cron.split()
    months = "" if month == "*" else join_words([MONTHS[number - 1] for number in sorted(fields.months)])
    if day == weekday == "*":
        return _Days(f"every day in {months}", f"in {months}") if months else _Days("every day", "")
    if day == "*":
        return _describe_weekdays(fields, months)
    return _describe_dates(fields, months) if weekday == "*" else None


def _describe_weekdays(fields: CronSim, months: str) -> _Days | None:
    nth = sorted(item for item in fields.weekdays if isinstance(item, tuple))
    week = {item % 7 for item in fields.weekdays if isinstance(item, int)}
    if nth and week:
        return None
    if nth:
        days = join_words([f"the {_NTH[number]} {WEEKDAYS[weekday % 7]}" for weekday, number in nth])
        return _Days(*[f"on {days} of {months or 'every month'}"] * 2)
    within = f" in {months}" if months else ""
    if sorted(week) == _WORKDAYS:
        return _Days(f"weekdays{within}", f"on weekdays{within}")
    names = [WEEKDAYS[number] for number in (*_WORKDAYS, 6, 0) if number in week]
    return _Days(f"every {join_words(names)}{within}", f"on {join_words([f'{name}s' for name in names])}{within}")


def _describe_dates(fields: CronSim, months: str) -> _Days | None:
    dates = sorted(fields.days, key=abs)  # cronsim's numbers of the last days are far below zero
    if len(dates) > _FEW:
        return None
    if len(dates) == len(fields.months) == 1 and dates[0] > 0:
        return _Days(f"every year on {dates[0]} {months}", f"on {dates[0]} {months}")
    days = join_words([_LAST_DAYS.get(date) or _format_ordinal(date) for date in dates])
    on = f"on the {days} of {months or 'every month'}"
    return _Days(f"every year {on}" if months else on, on)


def _describe_by_cronsim(fields: CronSim) -> str:
    words = re.sub(r"(\d+)th", lambda found: _format_ordinal(int(found[1])), fields.explain())  # cronsim says "21th"
    return words[0].lower() + words[1:]


def _format_ordinal(number: int) -> str:
    teens = 10 < number % 100 < 14
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
