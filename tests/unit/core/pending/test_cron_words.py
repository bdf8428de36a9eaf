"""What people read instead of a cron expression."""

from __future__ import annotations

import pytest
from hypothesis import given

from app.core.errors import IllegalEvent
from app.core.pending.cron_words import describe_cron
from app.core.pending.recurrence import normalize_schedule
from tests.unit.core.schedules import CRONTAB, NOW, cron

PACES = {
    "* * * * *": "every minute",
    "*/5 * * * *": "every 5 minutes",
    "0 * * * *": "every hour",
    "15 * * * *": "every hour at 15 minutes past",
    "1 * * * *": "every hour at 1 minute past",
    "5,20,50 * * * *": "every hour at 5, 20 and 50 minutes past",
    "0 */2 * * *": "every 2 hours",
    "30 */2 * * *": "every 2 hours from 00:30 to 22:30",
    "0 */5 * * *": "every 5 hours from 00:00 to 20:00",
    "0 0-11 * * *": "every hour from 00:00 to 11:00",
    "0 14-23 * * *": "every hour from 14:00 to 23:00",
    "*/10 9 * * *": "every 10 minutes from 09:00 to 09:50",
    "0 9-17 * * 1-5": "every hour from 09:00 to 17:00 on weekdays",
    "*/15 9-17 * * 1,3": "every 15 minutes from 09:00 to 17:45 on Mondays and Wednesdays",
    "0,30 9-17 * 6 *": "every 30 minutes from 09:00 to 17:30 in June",
    "*/20 * 1 3 *": "every 20 minutes on 1 March",
    "0 * * * 5#1": "every hour on the first Friday of every month",
}
TIMES = {
    "0 9 * * *": "every day at 09:00",
    "0 8,18 * * *": "every day at 08:00 and 18:00",
    "0 */6 * * *": "every day at 00:00, 06:00, 12:00 and 18:00",
    "0 9 * 6-8 *": "every day in June, July and August at 09:00",
    "0 9 * * 1": "every Monday at 09:00",
    "0 9 * * 1-5": "weekdays at 09:00",
    "0 9 * 12 MON-FRI": "weekdays in December at 09:00",
    "0 9 * * 7,3": "every Wednesday and Sunday at 09:00",
    "0 9 * 7 0,6": "every Saturday and Sunday in July at 09:00",
    "0 9 * * 1#1": "on the first Monday of every month at 09:00",
    "0 9 * 6 5L,2#2": "on the second Tuesday and the last Friday of June at 09:00",
    "0 9 * * 0#5,7L": "on the fifth Sunday and the last Sunday of every month at 09:00",
}
DATES = {
    "30 14 1 * *": "on the 1st of every month at 14:30",
    "0 9 11,22,3 * *": "on the 3rd, 11th and 22nd of every month at 09:00",
    "0 9 L * *": "on the last day of every month at 09:00",
    "0 9 1,L 6 *": "every year on the 1st and last day of June at 09:00",
    "0 9 LW 1,4 *": "every year on the last weekday of January and April at 09:00",
    "0 9 1 1 *": "every year on 1 January at 09:00",
    "0 9 L 2 *": "every year on the last day of February at 09:00",
    "0 9 31 1,12 *": "every year on the 31st of January and December at 09:00",
}
WOODEN = {
    "*/7 * * * *": "every seventh minute of every hour",
    "0 9 */2 * *": "at 09:00 on every second day of month",
    "0 9 1,15 * 5": "at 09:00 on the first and the 15th day of month and on Friday",
    "0 9 23 * 5": "at 09:00 on the 23rd day of month and on Friday",
    "0 22 * * 5,1#2": "at 22:00 on Friday and the second Monday of the month",
    "1,2,4,6,9 9 * * *": "at minutes 1, 2, 4, 6, and 9 past hour 9",
}


@pytest.mark.req("S2-055")
@pytest.mark.parametrize(("expression", "words"), [*PACES.items(), *TIMES.items(), *DATES.items()])
def test_a_common_expression_is_told_as_a_person_would_tell_it(expression: str, words: str) -> None:
    assert describe_cron(expression) == words


@pytest.mark.parametrize(("expression", "words"), WOODEN.items())
def test_an_uncommon_expression_is_told_rightly_if_not_nicely(expression: str, words: str) -> None:
    assert describe_cron(expression) == words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("0 9 1-31 * *", "every day at 09:00"),
        ("0 9 1-31 * 1", "every day at 09:00"),
        ("0 9 15 * 0-6", "every day at 09:00"),
        ("0 9 15 * */1", "on the 15th of every month at 09:00"),
        ("*/7 9 1-31 * 1", "every 7 minutes from 09:00 to 09:56"),
        ("0-59 0-23 */1 1-12 1-7", "every minute"),
    ],
)
def test_a_field_that_allows_everything_is_not_told_as_a_restriction(expression: str, words: str) -> None:
    schedule = normalize_schedule(cron(expression), NOW)
    assert describe_cron(schedule.cron) == words


@pytest.mark.req("S2-055")
@given(CRONTAB)
def test_every_expression_has_words_and_they_show_no_fields(expression: str) -> None:
    try:
        schedule = normalize_schedule(cron(expression), NOW)
    except IllegalEvent:
        return
    words = describe_cron(schedule.cron)
    assert words == words.strip()
    assert words[0].islower()
    assert not set("*/#") & set(words)
    assert "  " not in words
