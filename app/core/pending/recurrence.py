"""Times of a schedule: its valid forms, its next run, and both in plain English."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, assert_never
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from app.core.errors import IllegalEvent
from app.core.pending.cron_words import MONTHS, WEEKDAYS, describe_cron
from app.core.state.schedule import Schedule, ScheduleKind

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(StrEnum):
    """Reason for refusing a schedule."""

    SYNTAX = "syntax"
    TOO_OFTEN = "too_often"
    ZONE = "zone"
    TIME = "time"
    PAST = "past"
    TOO_FAR = "too_far"
    NEVER = "never"


REASONS: dict[Fault, str] = {
    Fault.SYNTAX: "{given} is no cron expression I understand",
    Fault.TOO_OFTEN: "it would run more often than once a minute",
    Fault.ZONE: "I do not know the time zone {given}",
    Fault.TIME: "{given} is no time I understand",
    Fault.PAST: "that is in the past",
    Fault.TOO_FAR: "that is more than 50 years away",
    Fault.NEVER: "it would never run",
}
"""End of the sentence "I could not use that schedule: {reason}." for each reason."""

SHOWN = 60  # characters of the given text that a reason repeats
LONGEST = 200  # characters of an expression; one that lists every minute of an hour has 177
HORIZON = timedelta(days=50 * 365)  # the range of cronsim's search

MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
LARGEST_STEPS = (59, 23, 31, 12, 7)
"""Largest step of each field. Cron accepts `*/90` minutes and runs hourly, which no one intends."""


def is_zone(name: str) -> bool:
    """Return True for the IANA name of a zone that is known here."""
    return name in _load_zones()


def describe_fault(fault: Fault, given: str = "") -> str:
    """Return the reason as the end of a sentence, with at most 60 characters of `given` and without Slack markup."""
    plain = re.sub(r"[^\w\s*/,#@+:.-]", "", given[:SHOWN])
    return REASONS[fault].format(given=f"`{' '.join(plain.split()) or '(nothing)'}`")


def normalize_schedule(schedule: Schedule, now: datetime) -> Schedule:
    """Return the schedule in its stored form: macros and wildcards written out, `run_at` in UTC.

    A `run_at` without an offset is a time of the schedule's zone. Raises `IllegalEvent("BAD_SCHEDULE")`, whose `detail`
    is the reason for people.
    """
    if not is_zone(schedule.zone):
        raise _build_refusal(Fault.ZONE, schedule.zone)
    match schedule.kind:
        case ScheduleKind.CRON:
            normal = replace(schedule, cron=_normalize_fields(schedule.cron), run_at="")
            if find_next_run(normal, now) is None:
                raise _build_refusal(Fault.NEVER)
            return normal
        case ScheduleKind.SCHEDULED:
            moment = _parse_moment(schedule.run_at, ZoneInfo(schedule.zone))
            if moment <= now:
                raise _build_refusal(Fault.PAST)
            if moment > now + HORIZON:
                raise _build_refusal(Fault.TOO_FAR)
            return replace(schedule, cron="", run_at=moment.isoformat())
        case ScheduleKind.IMMEDIATE:
            return replace(schedule, cron="", run_at="")
        case _:
            assert_never(schedule.kind)


def find_next_run(schedule: Schedule, after: datetime) -> datetime | None:
    """Return the first moment in UTC strictly after `after`, or None. An immediate schedule is due at `after` itself.

    A time that a clock change skips runs at the first minute after the gap; a repeated time runs only the first time.
    An hourly expression has no such times: it runs whenever clocks show its minute. So `*/5` neither pauses for an hour
    nor catches up.
    """
    match schedule.kind:
        case ScheduleKind.CRON:
            return _find_next_of_cron(schedule.cron, ZoneInfo(schedule.zone), after)
        case ScheduleKind.SCHEDULED:
            moment = datetime.fromisoformat(schedule.run_at)
            return moment if moment > after else None
        case ScheduleKind.IMMEDIATE:
            return after.astimezone(UTC)
        case _:
            assert_never(schedule.kind)


def find_resumed_run(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the next run of a schedule after an answer.

    A one-time schedule that came due during the question runs now.
    """
    following = find_next_run(schedule, now)
    return following if schedule.kind is ScheduleKind.CRON else following or now


def describe(schedule: Schedule, *, zone: bool = False) -> str:
    """Describe the times as the end of a sentence: "every Monday at 09:00"; on request "… (Berlin)"."""
    match schedule.kind:
        case ScheduleKind.CRON:
            words = describe_cron(schedule.cron)
        case ScheduleKind.SCHEDULED:
            at = datetime.fromisoformat(schedule.run_at).astimezone(ZoneInfo(schedule.zone))
            words = f"on {at.day} {MONTHS[at.month - 1][:3]} {at.year} at {at:%H:%M}"
        case ScheduleKind.IMMEDIATE:
            return "as soon as possible"
        case _:
            assert_never(schedule.kind)
    return f"{words} ({name_zone(schedule.zone)})" if zone else words


def name_zone(zone: str) -> str:
    """Return what people call a time zone: "New York"."""
    return zone.rpartition("/")[2].replace("_", " ")


def format_moment_with_zone(moment: datetime, zone: str, now: datetime) -> str:
    """Return a moment in short with the name of its zone: "Mon 09:00 (Berlin)"."""
    return f"{format_moment(moment, zone, now)} ({name_zone(zone)})"


def format_moment(moment: datetime, zone: str, now: datetime) -> str:
    """Return a moment in that zone in short: "today 09:00", "Mon 09:00" within six days, "12 Mar 09:00"."""
    at, today = moment.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    days = (at.date() - today).days
    if days in (0, 1):
        day = ("today", "tomorrow")[days]
    elif 1 < days <= 6:
        day = WEEKDAYS[at.isoweekday() % 7][:3]
    else:
        year = f" {at.year}" if at.year != today.year else ""
        day = f"{at.day} {MONTHS[at.month - 1][:3]}{year}"
    return f"{day} {at:%H:%M}"


def _build_refusal(fault: Fault, given: str = "") -> IllegalEvent:
    return IllegalEvent("BAD_SCHEDULE", describe_fault(fault, given))


@cache
def _load_zones() -> frozenset[str]:
    """Return names that mean the same everywhere, so not this host's own `localtime`."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


def _parse_moment(text: str, zone: ZoneInfo) -> datetime:
    try:
        given = datetime.fromisoformat(text).replace(microsecond=0)
        return (given if given.tzinfo else _find_first_pass(given, zone)).astimezone(UTC)
    except (ValueError, OverflowError):  # Overflow: the year 1 or 9999, in UTC
        raise _build_refusal(Fault.TIME, text) from None


def _find_next_of_cron(cron: str, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Search the calendar alone, then find the moments of its results: cronsim's own search loses runs in overlaps."""
    local = after.astimezone(zone)
    wall = local.replace(tzinfo=None)
    if cron.split()[1] != "*":
        return _find_first_after(after, (_find_first_pass(found, zone) for found in CronSim(cron, wall)))
    # First passes follow each other in time, and so do last ones, but the two together do not. In an overlap, the
    # last passes of earlier calendar times are still to come.
    overlap = local.replace(fold=1).astimezone(UTC) - local.replace(fold=0).astimezone(UTC)
    firsts = (passes[0] for found in CronSim(cron, wall) if (passes := _list_passes(found, zone)))
    lasts = (passes[-1] for found in CronSim(cron, wall - overlap) if (passes := _list_passes(found, zone)))
    return min(filter(None, (_find_first_after(after, firsts), _find_first_after(after, lasts))), default=None)


def _find_first_after(after: datetime, moments: Iterable[datetime]) -> datetime | None:
    return next((moment for moment in moments if moment > after), None)


def _list_passes(wall: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the moments in UTC when clocks in the zone show this time: one, none in a gap, two in an overlap."""
    moments = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(moment for moment in moments if moment.astimezone(zone).replace(tzinfo=None) == wall)


def _find_first_pass(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment when clocks in the zone first show this time or, if they skip it, the minute after the gap."""
    while not (passes := _list_passes(wall, zone)):
        wall = wall.replace(second=0) + timedelta(minutes=1)
    return passes[0]


def _normalize_fields(given: str) -> str:
    """Return five fields in capitals, with `*` for each that allows everything."""
    fields = MACROS.get(given.strip().lower(), given.upper()).split() if len(given) <= LONGEST else []
    if len(fields) == 6 and _read_cron(fields):
        raise _build_refusal(Fault.TOO_OFTEN)
    alone = [["*"] * at + [field] + ["*"] * (4 - at) for at, field in enumerate(fields)]
    if len(fields) != 5 or _has_long_step(fields) or not all(map(_read_cron, alone)):
        raise _build_refusal(Fault.SYNTAX, given)
    cron = _read_cron(fields)
    if cron is None:  # each field can be met, but not all at once, as on 30 February
        raise _build_refusal(Fault.NEVER)
    return _write_wildcards(fields, cron)


def _read_cron(fields: list[str]) -> CronSim | None:
    try:
        return CronSim(" ".join(fields), datetime.min.replace(tzinfo=UTC))
    except CronSimError:
        return None


def _has_long_step(fields: list[str]) -> bool:
    pairs = zip(fields, LARGEST_STEPS, strict=True)
    return any(int(step) > largest for field, largest in pairs for step in re.findall("/([0-9]+)", field))


def _write_wildcards(fields: list[str], cron: CronSim) -> str:
    """Replace equivalent ranges by `*`: cron takes "1-31" for a restriction, so with a weekday it means every day."""
    minute, hour, day, month, weekday = fields
    every_date = len(cron.days & set(range(1, 32))) == 31
    every_weekday = len({item % 7 for item in cron.weekdays if isinstance(item, int)}) == 7
    every_day = (every_date or every_weekday) and not cron.day_and
    return " ".join(
        (
            "*" if len(cron.minutes) == 60 else minute,
            "*" if len(cron.hours) == 24 else hour,
            "*" if every_date or every_day else day,
            "*" if len(cron.months) == 12 else month,
            "*" if every_weekday or every_day else weekday,
        )
    )
