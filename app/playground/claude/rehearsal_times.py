"""When the rehearsal model is told to do something: every Monday at nine, in five minutes, now in the background. Pure.

It reads orders alone: "every Monday the phones ring" orders nothing.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

_ORDER = re.compile(
    r"\b(?:remind|tell|ask|say|check|look|write|post|send|ping|give|show|list|summari[sz]e|count|collect|draft|think"
    r"|search|read(?= #))\b",
    re.IGNORECASE,
)
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_EVERY: Mapping[str, str] = {
    **{day: str(number) for number, day in enumerate(_DAYS)},
    **dict.fromkeys(("day", "morning", "evening"), "*"),
    "weekday": "1-5",
}
_HOURS: Mapping[str, int] = {"morning": 8, "evening": 18}
_AT_NINE = 9
_REGULARLY = re.compile(
    rf"\bevery (?P<day>{'|'.join(_EVERY)})\b(?: (?:morning )?at (?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?"
    r"(?: ?(?P<half>am|pm)| o'clock)?\b)?",
    re.IGNORECASE,
)
_NUMBERS: Mapping[str, int] = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
_UNITS: Mapping[str, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_LATER = re.compile(rf"\bin (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>{'|'.join(_UNITS)})s?\b", re.IGNORECASE)
_AT_ONCE = re.compile(r"\b(?:(?:right )?now,? )?in the background\b", re.IGNORECASE)
_AROUND = re.compile(r"^(?:please|and|then|can you|could you|[\s,.:;–-])+|(?:please|[\s,.:;–-])+$", re.IGNORECASE)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>20\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?{_MONTH}(?:,? (?P<year>20\d\d))?\b",
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>20\d\d))?",
    )
)


def day_in(words: str, today: date | None) -> date | None:
    """The day that a sentence names; one without a year is the next such day. None if it names none that there is."""
    found = next((found for pattern in _DATES if (found := pattern.search(words))), None)
    if found is None or (found["year"] is None and today is None):
        return None
    named = found.groupdict()
    month = int(named["number"]) if "number" in named else _MONTHS.index(named["month"].lower()) + 1
    try:
        if named["year"]:
            return date(int(named["year"]), month, int(named["day"]))
        assert today is not None
        day = date(today.year, month, int(named["day"]))
        return day if day >= today else day.replace(year=day.year + 1)
    except ValueError:
        return None


def order_in(words: str, clock: datetime | None) -> Mapping[str, Any] | None:
    """What a sentence orders for later, as `schedule_work` takes it; None if it orders nothing.

    `clock` is the person's own, to the minute.
    """
    for pattern, time in ((_REGULARLY, _regularly), (_LATER, _later), (_AT_ONCE, _at_once)):
        found = pattern.search(words)
        when = time(found, clock) if found else None
        if found and when:
            what = _AROUND.sub("", f"{words[: found.start()].rstrip()} {words[found.end() :].lstrip()}")
            if _ORDER.search(what):
                return {**when, "instruction": f"{what[:1].upper()}{what[1:]}"}
    return None


def a_minute_later(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same order, a minute later: a clock that shows no seconds may have shown a minute that was almost over."""
    return {**given, "run_at": (datetime.fromisoformat(given["run_at"]) + _UNITS["minute"]).isoformat()}


def _regularly(found: re.Match[str], _clock: datetime | None) -> Mapping[str, str] | None:
    day, half = found["day"].lower(), (found["half"] or "").lower()
    hour = int(found["hour"]) if found["hour"] else _HOURS.get(day, _AT_NINE)
    hour = hour % 12 + 12 * (half == "pm") if half else hour
    return {"kind": "cron", "cron": f"{int(found['minute'] or 0)} {hour} * * {_EVERY[day]}"}


def _later(found: re.Match[str], clock: datetime | None) -> Mapping[str, str] | None:
    if clock is None:
        return None
    count = found["count"].lower()
    after = _UNITS[found["unit"].lower()] * (_NUMBERS.get(count) or int(count))
    return {"kind": "scheduled", "run_at": (clock + after).isoformat()}


def _at_once(_found: re.Match[str], _clock: datetime | None) -> Mapping[str, str] | None:
    return {"kind": "immediate"}
