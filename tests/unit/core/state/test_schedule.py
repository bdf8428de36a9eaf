"""What a schedule may be, when it runs next, and how both are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from app.core.pending.recurrence import (
    MACROS,
    describe,
    find_next_run,
    find_resumed_run,
    format_moment,
    normalize_schedule,
)
from app.core.state.schedule import Schedule, ScheduleKind
from tests.unit.core.schedules import IMMEDIATE, NOW, cron, once

if TYPE_CHECKING:
    from collections.abc import Iterator

BERLIN, NEW_YORK, LORD_HOWE, NUUK = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Nuuk"
SOON = timedelta(seconds=1)


def runs(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    moment = find_next_run(schedule, after)
    while moment:
        yield moment
        moment = find_next_run(schedule, moment)


def local_runs(expression: str, zone: str, day: str, count: int) -> list[str]:
    """The first runs from that day's midnight on, as its clocks show them, with the offset to tell equal ones apart."""
    schedule = normalize_schedule(cron(expression, zone), NOW)
    midnight = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
    moments = islice(runs(schedule, midnight - SOON), count)
    return [f"{moment.astimezone(ZoneInfo(zone)):%d %H:%M%z}" for moment in moments]


@pytest.mark.req("S2-043", "S2-044")
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0 9 * * *", ["01-02 09:00", "01-03 09:00", "01-04 09:00"]),
        ("*/5 * * * *", ["01-01 12:05", "01-01 12:10", "01-01 12:15"]),
        ("0 9 * * 1-5", ["01-04 09:00", "01-05 09:00", "01-06 09:00"]),
    ],
)
def test_the_examples_run_when_they_say_and_again_after_that(expression: str, expected: list[str]) -> None:
    moments = islice(runs(normalize_schedule(cron(expression), NOW), NOW), 3)
    assert [f"{moment:%m-%d %H:%M}" for moment in moments] == expected


def test_a_time_is_one_of_the_schedules_zone_in_winter_and_in_summer_and_is_answered_in_utc() -> None:
    schedule = cron("0 9 * * 1-5", BERLIN)
    friday = datetime(2027, 3, 26, 7, 59, tzinfo=UTC)
    assert [*islice(runs(schedule, friday), 2)] == [
        datetime(2027, 3, 26, 8, 0, tzinfo=UTC),
        datetime(2027, 3, 29, 7, 0, tzinfo=UTC),
    ]
    assert find_next_run(schedule, friday.astimezone(ZoneInfo(NEW_YORK))) == datetime(2027, 3, 26, 8, 0, tzinfo=UTC)
    assert all(moment.tzinfo is UTC for moment in islice(runs(schedule, friday), 2))


@pytest.mark.parametrize(
    ("expression", "zone", "day", "expected"),
    [
        ("30 2 * * *", BERLIN, "2027-03-28", ["28 03:00+0200", "29 02:30+0200"]),
        ("*/20 2 * * *", BERLIN, "2027-03-28", ["28 03:00+0200", "29 02:00+0200"]),
        ("0 2,3 * * *", BERLIN, "2027-03-28", ["28 03:00+0200", "29 02:00+0200"]),
        ("15 */2 * * *", BERLIN, "2027-03-28", ["28 00:15+0100", "28 03:00+0200", "28 04:15+0200"]),
        ("30 2 * * *", NEW_YORK, "2027-03-14", ["14 03:00-0400", "15 02:30-0400"]),
        ("15 2 * * *", LORD_HOWE, "2027-10-03", ["03 02:30+1100", "04 02:15+1100"]),
        ("30 23 * * 6", NUUK, "2027-03-27", ["28 00:00-0100", "03 23:30-0100"]),
    ],
)
def test_a_time_that_the_clocks_skip_is_made_up_once_when_the_gap_ends(
    expression: str, zone: str, day: str, expected: list[str]
) -> None:
    assert local_runs(expression, zone, day, len(expected)) == expected


@pytest.mark.parametrize(
    ("expression", "zone", "day", "expected"),
    [
        ("30 2 * * *", BERLIN, "2027-10-31", ["31 02:30+0200", "01 02:30+0100"]),
        ("*/30 2 * * *", BERLIN, "2027-10-31", ["31 02:00+0200", "31 02:30+0200", "01 02:00+0100"]),
        ("0 */2 * * *", BERLIN, "2027-10-31", ["31 00:00+0200", "31 02:00+0200", "31 04:00+0100"]),
        ("30 1 * * *", NEW_YORK, "2027-11-07", ["07 01:30-0400", "08 01:30-0500"]),
        ("45 1 * * *", LORD_HOWE, "2027-04-04", ["04 01:45+1100", "05 01:45+1030"]),
    ],
)
def test_a_time_that_comes_twice_counts_once(expression: str, zone: str, day: str, expected: list[str]) -> None:
    assert local_runs(expression, zone, day, len(expected)) == expected


def test_asked_in_the_second_pass_of_an_hour_the_first_pass_is_over() -> None:
    second_pass = datetime(2027, 10, 31, 1, 10, tzinfo=UTC)
    assert f"{second_pass.astimezone(ZoneInfo(BERLIN)):%H:%M}" == "02:10"
    assert find_next_run(cron("30 2 * * *", BERLIN), second_pass) == datetime(2027, 11, 1, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize("every_hour", ["*", "*/1", "0-23"])
def test_what_runs_every_hour_goes_on_as_time_passes_when_the_clocks_change(every_hour: str) -> None:
    schedule = normalize_schedule(cron(f"30 {every_hour} * * *", BERLIN), NOW)
    for change in (datetime(2027, 3, 28, tzinfo=UTC), datetime(2027, 10, 31, tzinfo=UTC)):
        moments = islice(runs(schedule, change), 4)
        assert [*moments] == [change + timedelta(hours=hour, minutes=30) for hour in range(4)]


def test_what_runs_every_hour_misses_no_pass_of_a_minute_that_comes_twice_within_the_hour() -> None:
    shown = ["04 00:30+1100", "04 01:30+1100", "04 01:30+1030", "04 02:30+1030"]
    assert local_runs("30 * * * *", LORD_HOWE, "2027-04-04", 4) == shown


def test_a_date_and_a_weekday_together_match_either() -> None:
    days = [moment.day for moment in islice(runs(cron("0 9 13 * 5"), NOW), 5)]
    assert days == [8, 13, 15, 22, 29]


def test_a_run_is_strictly_later_even_by_a_fraction_of_a_second() -> None:
    nine = datetime(2027, 1, 2, 9, 0, tzinfo=UTC)
    daily = cron("0 9 * * *")
    assert find_next_run(daily, nine - timedelta(microseconds=1)) == nine
    assert (
        find_next_run(daily, nine) == find_next_run(daily, nine + timedelta(microseconds=1)) == nine + timedelta(days=1)
    )


@pytest.mark.req("S2-045")
def test_a_one_time_schedule_runs_once() -> None:
    schedule = normalize_schedule(once("2027-12-31T10:00:00.000Z"), NOW)
    assert [*runs(schedule, NOW)] == [datetime(2027, 12, 31, 10, 0, tzinfo=UTC)]


def test_an_immediate_schedule_is_due_when_it_is_asked() -> None:
    assert find_next_run(normalize_schedule(IMMEDIATE, NOW), NOW) == NOW


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (cron("0 9 * * *"), datetime(2027, 1, 2, 9, 0, tzinfo=UTC)),
        (once("2027-01-01T11:00:00+00:00"), NOW),
        (once("2027-01-01T12:00:00+00:00"), NOW),
        (once("2027-01-01T13:00:00+00:00"), datetime(2027, 1, 1, 13, 0, tzinfo=UTC)),
        (IMMEDIATE, NOW),
    ],
)
def test_after_an_answer_what_came_due_runs_now_and_the_rest_at_its_time(
    schedule: Schedule, expected: datetime
) -> None:
    assert find_resumed_run(schedule, NOW) == expected


@pytest.mark.parametrize(
    ("run_at", "stored"),
    [
        ("2027-12-31T10:00:00.999Z", "2027-12-31T10:00:00+00:00"),
        ("2027-12-31T10:00:00-05:00", "2027-12-31T15:00:00+00:00"),
        ("2027-12-31T10:00", "2027-12-31T09:00:00+00:00"),
        ("2027-12-31", "2027-12-30T23:00:00+00:00"),
        ("2027-03-28T02:30:15", "2027-03-28T01:00:00+00:00"),
        ("2027-10-31T02:30", "2027-10-31T00:30:00+00:00"),
    ],
)
def test_a_time_is_stored_in_utc_and_without_an_offset_it_is_one_of_the_zone(run_at: str, stored: str) -> None:
    assert normalize_schedule(once(run_at, BERLIN), NOW).run_at == stored


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("  0 9\t*  * mon-fri ", "0 9 * * MON-FRI"),
        ("0-59 */1 1-31 1-12 0-6", "* * * * *"),
        ("0 9 1-31 * 1", "0 9 * * *"),
        ("0 9 1-31 * */2", "0 9 * * */2"),
        ("0 9 */2 * 1-7", "0 9 */2 * *"),
        ("0 9 13 * 5", "0 9 13 * 5"),
    ],
)
def test_an_expression_is_stored_without_what_does_not_restrict_it(given: str, stored: str) -> None:
    assert normalize_schedule(cron(given), NOW).cron == stored


@pytest.mark.parametrize("macro", MACROS)
def test_a_macro_is_written_out(macro: str) -> None:
    assert normalize_schedule(cron(f" {macro.upper()} "), NOW).cron == MACROS[macro]


def test_a_checked_schedule_keeps_its_words_and_drops_what_is_not_of_its_kind() -> None:
    both = Schedule(
        kind=ScheduleKind.CRON, zone=BERLIN, cron="0 9 * * *", run_at="2027-12-31T10:00:00+00:00", instruction="Water"
    )
    kept = Schedule(kind=ScheduleKind.CRON, zone=BERLIN, cron="0 9 * * *", instruction="Water")
    assert normalize_schedule(both, NOW) == kept
    assert normalize_schedule(once("2027-12-31T10:00Z"), NOW).cron == ""
    assert normalize_schedule(kept, NOW) == kept


@pytest.mark.parametrize(
    ("schedule", "words", "with_zone"),
    [
        (cron("0 9 * * 1", BERLIN), "every Monday at 09:00", "every Monday at 09:00 (Berlin)"),
        (cron("*/5 * * * *", "America/Argentina/Buenos_Aires"), "every 5 minutes", "every 5 minutes (Buenos Aires)"),
        (once("2024-12-31T09:00:00+00:00", BERLIN), "on 31 Dec 2024 at 10:00", "on 31 Dec 2024 at 10:00 (Berlin)"),
        (once("2024-12-31T10:00:00+00:00"), "on 31 Dec 2024 at 10:00", "on 31 Dec 2024 at 10:00 (UTC)"),
        (IMMEDIATE, "as soon as possible", "as soon as possible"),
    ],
)
def test_a_schedule_is_told_in_its_zone_which_is_named_on_request(
    schedule: Schedule, words: str, with_zone: str
) -> None:
    assert describe(schedule) == words
    assert describe(schedule, zone=True) == with_zone


@pytest.mark.req("S2-054")
@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("2027-01-01T08:00Z", "today 09:00"),
        ("2027-01-01T22:59Z", "today 23:59"),
        ("2027-01-01T23:00Z", "tomorrow 00:00"),
        ("2027-01-03T08:00Z", "Sun 09:00"),
        ("2027-01-07T22:59Z", "Thu 23:59"),
        ("2027-01-07T23:00Z", "8 Jan 00:00"),
        ("2027-07-12T08:00Z", "12 Jul 10:00"),
        ("2028-03-12T08:00Z", "12 Mar 2028 09:00"),
        ("2026-12-31T08:00Z", "31 Dec 2026 09:00"),
    ],
)
def test_a_moment_is_told_by_the_calendar_of_the_zone(moment: str, told: str) -> None:
    assert format_moment(datetime.fromisoformat(moment), BERLIN, NOW) == told
