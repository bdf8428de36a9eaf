"""Schedules to test with: short makers, and a strategy of expressions."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from app.core.state.schedule import Schedule, ScheduleKind

NOW = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)  # a Friday


def cron(expression: str, zone: str = "UTC") -> Schedule:
    return Schedule(kind=ScheduleKind.CRON, zone=zone, cron=expression)


def once(run_at: str, zone: str = "UTC") -> Schedule:
    return Schedule(kind=ScheduleKind.SCHEDULED, zone=zone, run_at=run_at)


IMMEDIATE = Schedule(kind=ScheduleKind.IMMEDIATE, zone="Europe/Berlin")


STARS = 3  # of ten fields, so that expressions are mostly alike those that people write


def _field(low: int, high: int, names: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    one = number.map(str)
    span = st.tuples(number, number).map(sorted).map(lambda ends: f"{ends[0]}-{ends[1]}")
    stepped = st.tuples(st.one_of(st.just("*"), one, span), st.integers(1, high)).map(lambda it: f"{it[0]}/{it[1]}")
    kinds = [one, span, stepped, *([st.sampled_from(names)] if names else [])]
    listed = st.lists(st.one_of(kinds), min_size=1, max_size=3).map(",".join)
    return st.one_of(*[st.just("*")] * STARS, *[listed] * (10 - STARS))


MINUTE = _field(0, 59)
HOUR = _field(0, 23)
DATE = _field(1, 31, ("L", "LW"))
MONTH = _field(1, 12, ("jan", "FEB", "Dec"))
WEEKDAY = _field(0, 7, ("sun", "FRI", "MON-FRI", "1#1", "5L", "0#5", "WEDL"))
CRONTAB = st.tuples(MINUTE, HOUR, DATE, MONTH, WEEKDAY).map(" ".join)
"""Each field is well formed by itself; together they may still ask for 30 February."""
