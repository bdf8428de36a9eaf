"""What no schedule may be, and how people are told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import IllegalEvent
from app.core.pending.recurrence import HORIZON, Fault, describe, describe_fault, find_next_run, normalize_schedule
from app.core.state.schedule import Schedule, ScheduleKind
from tests.unit.core.schedules import IMMEDIATE, NOW, cron, once

SOON = timedelta(seconds=1)


def reason(schedule: Schedule) -> str:
    with pytest.raises(IllegalEvent) as refusal:
        normalize_schedule(schedule, NOW)
    assert refusal.value.code == "BAD_SCHEDULE"
    return refusal.value.detail


@pytest.mark.parametrize(
    "expression",
    ["", "9", "0 9 * *", "60 * * * *", "0 24 * * *", "0 9 0 * *", "0 9 * 13 *", "0 9 * * 8", "0 9 * * FRI-MON",
     "every day at nine please ok", "@reboot", "*/0 * * * *", "*/90 * * * *", "0 */24 * * *", "0 9 * * 1 2 3"],
)  # fmt: skip
def test_what_is_no_expression_of_five_fields_is_refused(expression: str) -> None:
    assert reason(cron(expression)) == describe_fault(Fault.SYNTAX, expression)


def test_an_expression_may_list_every_minute_but_not_go_on_for_ever() -> None:
    every_minute = ",".join(str(minute) for minute in range(60))
    assert normalize_schedule(cron(f"{every_minute} * * * *"), NOW).cron == "* * * * *"
    assert "no cron expression" in reason(cron(f"{'0' * 5000}5 * * * *"))


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("*/10 * * * * *", "it would run more often than once a minute"),
        *((each, "it would never run") for each in ("0 0 30 2 *", "0 0 31 4,6 *", "0 0 */31 * 1#5")),
    ],
)
def test_what_runs_every_few_seconds_or_never_comes_is_refused(expression: str, why: str) -> None:
    assert reason(cron(expression)) == why


@pytest.mark.parametrize("expression", ["0 0 29 2 *", "0 0 29 2 */7", "0 0 30 2 1"])
def test_what_comes_rarely_is_taken(expression: str) -> None:
    schedule = normalize_schedule(cron(expression), NOW)
    assert find_next_run(schedule, NOW)


@pytest.mark.parametrize(
    "zone",
    ["", "Berlin", "europe/berlin", "Europe", "localtime", "Factory", "../UTC", "/etc/passwd", "a\0b", "x" * 5000],
)
@pytest.mark.parametrize("schedule", [cron("0 9 * * *"), once("2027-12-31T10:00Z"), IMMEDIATE])
def test_a_zone_that_is_not_ianas_is_refused(schedule: Schedule, zone: str) -> None:
    strange = Schedule(kind=schedule.kind, zone=zone, cron=schedule.cron, run_at=schedule.run_at)
    assert reason(strange) == describe_fault(Fault.ZONE, zone)


@pytest.mark.parametrize("run_at", ["", "tomorrow", "2027-02-30", "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"])
def test_what_is_no_time_is_refused(run_at: str) -> None:
    assert reason(once(run_at)) == describe_fault(Fault.TIME, run_at)


def test_a_time_must_lie_ahead_and_within_fifty_years() -> None:
    assert reason(once(NOW.isoformat())) == "that is in the past"
    assert normalize_schedule(once((NOW + SOON).isoformat()), NOW)
    assert normalize_schedule(once((NOW + HORIZON).isoformat()), NOW)
    assert reason(once((NOW + HORIZON + SOON).isoformat())) == "that is more than 50 years away"


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_has_words_that_end_the_sentence(fault: Fault) -> None:
    words = describe_fault(fault, "`<!here>`\n\u202e<@U1>")
    assert words == words.strip()
    assert not set("<>\n\u202e{") & set(words)
    assert words.count("`") in (0, 2)
    assert words[-1] != "."


def test_a_reason_repeats_sixty_characters_at_most() -> None:
    assert describe_fault(Fault.SYNTAX, "a" * 61) == f"`{'a' * 60}` is no cron expression I understand"
    assert describe_fault(Fault.ZONE, "`<>`") == "I do not know the time zone `(nothing)`"


@given(st.builds(Schedule, kind=st.sampled_from(ScheduleKind), zone=st.text(), cron=st.text(), run_at=st.text()))
def test_whatever_is_given_is_refused_or_can_be_told(given: Schedule) -> None:
    for zone in (given.zone, "Europe/Berlin"):
        schedule = Schedule(kind=given.kind, zone=zone, cron=given.cron, run_at=given.run_at)
        try:
            assert describe(normalize_schedule(schedule, NOW))
        except IllegalEvent as refusal:
            assert refusal.code == "BAD_SCHEDULE"  # noqa: PT017 (it may also be taken)
