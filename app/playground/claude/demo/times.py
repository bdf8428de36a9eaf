"""Days and times in people's words, for the scripted demo model: a date, or the schedule that they ask for. Pure."""

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
_HOURS: Mapping[str, int] = {"morning": 8, "evening": 18, "noon": 12}
_AT_NINE = 9
_HOURS_OF_A_DAY, _MINUTES_OF_AN_HOUR = 24, 60
_AT = r"at (?P<hour>\d{1,2}|noon)(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>am|pm)| o'clock)?\b"
_REGULARLY = re.compile(
    rf"\b(?:(?:every|each) (?P<day>{'|'.join(_EVERY)})|on (?P<days>{'|'.join(_EVERY)})s|daily)\b"
    rf"(?: (?:morning )?{_AT})?",
    re.IGNORECASE,
)
_NUMBERS: Mapping[str, int] = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}
_UNITS: Mapping[str, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_LATER = re.compile(rf"\bin (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>{'|'.join(_UNITS)})s?\b", re.IGNORECASE)
_ON_DAY = re.compile(
    rf"\b(?P<day>today|tomorrow)(?: (?:morning|afternoon|evening))? {_AT}|(?<=remind (?:me|us) )tomorrow\b",
    re.IGNORECASE,
)
_DAY_LAST = re.compile(r"\b(at (?:noon|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)) (today|tomorrow)\b", re.IGNORECASE)
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
    """Return the date in a sentence; without a year, the next such date. None if there is no date, or no valid one."""
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


def has_passed(day: date, today: date | None) -> bool:
    """Return whether a day lies before today; an unknown today passes no day."""
    return today is not None and day < today


def order_in(words: str, clock: datetime | None) -> Mapping[str, Any] | None:
    """Return the schedule that a sentence asks for, as input of `schedule_work`; None if it asks for none.

    `clock` is the person's own, to the minute.
    """
    words = _DAY_LAST.sub(r"\2 \1", words)
    for pattern, time in ((_REGULARLY, _regularly), (_LATER, _later), (_ON_DAY, _on_day), (_AT_ONCE, _at_once)):
        found = pattern.search(words)
        when = time(found, clock) if found else None
        if found and when:
            what = _AROUND.sub("", f"{words[: found.start()].rstrip()} {words[found.end() :].lstrip()}")
            if _ORDER.search(what):
                return {**when, "instruction": f"{what[:1].upper()}{what[1:]}"}
    return None


def rhythm_in(words: str) -> Mapping[str, str] | None:
    """Return the regular times that words name, as in the input of `schedule_work`; None if they name none."""
    found = _REGULARLY.search(words)
    return _regularly(found, None) if found else None


def a_minute_later(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schedule a minute later: a clock without seconds may have shown a minute that was almost over."""
    return {**given, "run_at": (datetime.fromisoformat(given["run_at"]) + _UNITS["minute"]).isoformat()}


def _regularly(found: re.Match[str], _clock: datetime | None) -> Mapping[str, str]:
    day = (found["day"] or found["days"] or "day").lower()
    hour = _hour(found, _HOURS.get(day, _AT_NINE))
    return {"kind": "cron", "cron": f"{int(found['minute'] or 0)} {hour} * * {_EVERY[day]}"}


def _hour(found: re.Match[str], unsaid: int) -> int:
    said, half = (found["hour"] or "").lower(), (found["half"] or "").lower()
    hour = int(said) if said.isdecimal() else _HOURS.get(said, unsaid)
    return hour % 12 + 12 * (half == "pm") if half else hour


def _on_day(found: re.Match[str], clock: datetime | None) -> Mapping[str, str] | None:
    """Return the moment of today or tomorrow; of today's hours without am and pm, the one to come."""
    hour, minute = _hour(found, _AT_NINE), int(found["minute"] or 0)
    if clock is None or hour >= _HOURS_OF_A_DAY or minute >= _MINUTES_OF_AN_HOUR:
        return None
    days = timedelta(days=(found["day"] or "tomorrow").lower() == "tomorrow")
    at = clock.replace(hour=hour, minute=minute) + days
    if at <= clock and not found["half"]:
        at += timedelta(hours=12)
    return {"kind": "scheduled", "run_at": at.isoformat()} if clock < at else None


def _later(found: re.Match[str], clock: datetime | None) -> Mapping[str, str] | None:
    if clock is None:
        return None
    count = found["count"].lower()
    after = _UNITS[found["unit"].lower()] * (_NUMBERS.get(count) or int(count))
    return {"kind": "scheduled", "run_at": (clock + after).isoformat()}


def _at_once(_found: re.Match[str], _clock: datetime | None) -> Mapping[str, str] | None:
    return {"kind": "immediate"}
