"""Runs of arbitrary expressions around the changes of clocks, held against a clock that is watched minute by minute."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from cronsim import CronSim
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import IllegalEvent
from app.core.pending.recurrence import find_next_run, normalize_schedule
from tests.unit.core.schedules import CRONTAB, NOW, cron

if TYPE_CHECKING:
    from collections.abc import Iterator

MINUTE, HOUR, HALF_DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(hours=12)
MANY = 200  # runs of one schedule that are followed: three hours of one of every minute
CHANGES = [
    ("Europe/Berlin", "2027-03-28T01:00Z"),
    ("Europe/Berlin", "2027-10-31T01:00Z"),
    ("America/New_York", "2027-03-14T07:00Z"),
    ("America/New_York", "2027-11-07T06:00Z"),
    ("Australia/Lord_Howe", "2027-04-03T15:00Z"),
    ("Australia/Lord_Howe", "2027-10-02T15:30Z"),
    ("America/Santiago", "2027-04-04T03:00Z"),
    ("America/Santiago", "2027-09-05T04:00Z"),
    ("America/Havana", "2027-03-14T05:00Z"),
    ("America/Havana", "2027-11-07T05:00Z"),
    ("America/Nuuk", "2027-03-28T01:00Z"),
    ("America/Nuuk", "2027-10-31T01:00Z"),
    ("Antarctica/Troll", "2027-03-28T01:00Z"),
    ("Antarctica/Troll", "2027-10-31T01:00Z"),
    ("UTC", "2027-02-28T23:30Z"),
]
"""Zones, and when their offset changes: gaps and overlaps of half an hour to two hours, before and after midnight."""


@dataclass(frozen=True)
class Fields:
    """The values that an expression allows; None allows all."""

    minutes: frozenset[int] | None
    hours: frozenset[int] | None
    dates: frozenset[int] | None
    weekdays: frozenset[int] | None

    def __str__(self) -> str:
        day = [",".join(map(str, values)) if values else "*" for values in (self.dates, self.weekdays)]
        time = [",".join(map(str, values)) if values else "*" for values in (self.minutes, self.hours)]
        return " ".join((*time, day[0], "*", day[1]))

    def allow(self, wall: datetime) -> bool:
        return self._allow_day(wall) and all(
            allowed is None or value in allowed
            for allowed, value in ((self.minutes, wall.minute), (self.hours, wall.hour))
        )

    def _allow_day(self, wall: datetime) -> bool:
        pairs = ((self.dates, wall.day), (self.weekdays, wall.isoweekday() % 7))
        restricted = [value in allowed for allowed, value in pairs if allowed is not None]
        return any(restricted) or not restricted


def _some(values: st.SearchStrategy[int], most: int) -> st.SearchStrategy[frozenset[int] | None]:
    return st.one_of(st.none(), st.frozensets(values, min_size=1, max_size=most))


FIELDS = st.builds(
    Fields,
    minutes=_some(st.sampled_from([0, 1, 15, 29, 30, 45, 59]), 3),
    hours=_some(st.one_of(st.integers(0, 3), st.integers(20, 23), st.integers(0, 23)), 6),
    dates=_some(st.one_of(st.integers(1, 7), st.integers(26, 31)), 5),
    weekdays=_some(st.integers(0, 6), 3),
)
STARTS = st.one_of(
    st.timedeltas(timedelta(), 2 * HALF_DAY - MINUTE), st.timedeltas(HALF_DAY - HOUR, HALF_DAY + 2 * HOUR)
)
"""How long after the first minute that is watched; half of them near the change."""


@cache
def clock(zone: str, change: str) -> list[tuple[datetime, datetime]]:
    """Each minute from half a day before the change to half a day after it, and what clocks show then."""
    start = datetime.fromisoformat(change) - HALF_DAY
    moments = [start + MINUTE * minute for minute in range(24 * 60)]
    return [(moment, moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)) for moment in moments]


def expected_runs(fields: Fields, minutes: list[tuple[datetime, datetime]]) -> Iterator[datetime]:
    """Of every hour: when clocks show it. Otherwise: when clocks have for the first time come to it or gone past it."""
    reached = minutes[0][1]
    for moment, wall in minutes[1:]:
        new = int((wall - reached) / MINUTE)
        if fields.hours is None or len(fields.hours) == 24:
            due = fields.allow(wall)
        else:
            due = any(fields.allow(reached + MINUTE * (passed + 1)) for passed in range(new))
        if due:
            yield moment
        reached = max(reached, wall)


@given(FIELDS, st.sampled_from(CHANGES), STARTS)
def test_runs_come_when_a_watched_clock_says_however_the_clocks_change(
    fields: Fields, change: tuple[str, str], start: timedelta
) -> None:
    minutes = clock(*change)
    schedule = normalize_schedule(cron(str(fields), change[0]), NOW)
    moment = minutes[0][0] + start
    later = [run for run in expected_runs(fields, minutes) if run > moment][:MANY]
    for expected in later:
        assert find_next_run(schedule, moment) == expected
        moment = expected
    if len(later) < MANY:
        following = find_next_run(schedule, moment)
        assert following is None or following > minutes[-1][0]


@given(CRONTAB)
def test_the_stored_form_of_an_expression_means_the_same(expression: str) -> None:
    try:
        stored = normalize_schedule(cron(expression), NOW).cron
    except IllegalEvent:
        return
    assert [run for run, _ in zip(CronSim(stored, NOW), range(4), strict=False)] == [
        run for run, _ in zip(CronSim(expression, NOW), range(4), strict=False)
    ]
    assert normalize_schedule(cron(stored), NOW).cron == stored
