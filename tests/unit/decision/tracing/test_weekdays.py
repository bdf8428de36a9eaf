"""A date that was named with a weekday on which it does not fall is asked about, until somebody says what holds."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from app.decision.tracing.said import Statement
from app.decision.tracing.weekdays import find_wrong_weekdays

SAID_ON = date(2026, 11, 28)
DRAFT: dict[str, Any] = {"focal_decision": {"deadline": "2026-12-11"}}
ASKED = "11 December 2026 is a Friday, and Thursday was said. Which of the two holds?"


def asked(*said: str, draft: dict[str, Any] = DRAFT, day: date | None = SAID_ON) -> list[str]:
    return [each.text for each in find_wrong_weekdays(draft, [Statement(each, day) for each in said])]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "said",
    [
        "We need the answer by Thursday 11 December.",
        "by Thursday, the 11 December",
        "by Thursday, 11 December 2026",
        "by 11 December (Thursday)",
        "Thursday 2026-12-11",
    ],
)
def test_a_weekday_that_is_not_that_of_the_date_beside_it_is_asked_about(said: str) -> None:
    assert asked(said) == [ASKED]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "said",
    [
        "by Friday 11 December",
        "by 11 December, we met on Thursday",
        "Thursday or 11 December",
        "So, 11 December it is",
        "closed on Thursdays, 11 December and 24 December",
        "not before Thursday 10 December",
        "Thursday 12/11",  # 12 November is a Thursday
        "on Thursday 11 people come",
        "by Thursday 11 December 2025",
    ],
)
def test_what_may_be_right_and_what_names_another_day_is_not(said: str) -> None:
    assert asked(said) == []


@pytest.mark.req("FA-14")
def test_nothing_is_asked_about_a_date_that_the_draft_does_not_have_or_that_was_corrected() -> None:
    wrong = "by Thursday 11 December"
    assert asked(wrong, draft={"focal_decision": {"deadline": "2026-12-10"}}) == []
    assert asked(wrong, draft={"notes": ["Decide by 11 December 2026"]}) == [ASKED]
    assert asked(wrong, "Friday, sorry") == []
    assert asked(wrong, "Thursday I said") == [ASKED]
    assert asked("Friday it is", wrong) == [ASKED], "what was said before corrects nothing"


@pytest.mark.req("FA-14")
def test_without_a_year_the_next_such_day_is_meant_and_without_a_day_of_the_message_none() -> None:
    draft = {"focal_decision": {"deadline": "2027-01-29"}}
    assert asked("by Thursday 29 January", draft=draft) == [
        "29 January 2027 is a Friday, and Thursday was said. Which of the two holds?"
    ]
    assert asked("by Thursday 11 December", day=None) == []
    assert asked("by Thursday 11 December 2026", day=None) == [ASKED]
    assert asked("by Monday 29 February", draft=draft) == [], "there is none"


def test_it_is_asked_once_by_its_rule_and_the_day() -> None:
    (remark,) = find_wrong_weekdays(DRAFT, [Statement("Thursday 11 December", SAID_ON)])
    assert remark.topics
    assert not remark.blocking
