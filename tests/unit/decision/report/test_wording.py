"""The words that the formats of a report share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.state.decision import ComponentStatus
from app.core.state.sheet import Mark, Rating
from app.decision.report import wording
from app.decision.schema.days import format_day
from tests.unit.decision.report.dossiers import report_of, step_of


def test_every_mark_status_and_rating_has_words() -> None:
    assert set(wording.MARKS) == set(Mark)
    assert "Threadwise" in wording.MARKS[Mark.SUGGESTED], "people know it by no other name"
    assert set(wording.STATUSES) == set(ComponentStatus)
    assert set(wording.DIFFERENCES) == set(range(-2, 3))


@pytest.mark.parametrize(
    ("rating", "short", "words"),
    [
        (Rating(value=2), "+2", "+2, much better"),
        (Rating(value=-1, doubtful=True), "−1?", "−1, worse, in doubt"),
        (Rating(value=0), "0", "0, about the same"),
        (Rating(value=None), "·", "not rated"),
        (Rating(value=None, doubtful=True), "·?", "not rated, in doubt"),
        (Rating(value=None, doubtful=True, unknown=True), "not known", "not known"),
    ],
)
def test_an_unknown_rating_is_never_0_and_doubt_is_always_said(rating: Rating, short: str, words: str) -> None:
    assert (wording.format_rating(rating), wording.describe_rating(rating)) == (short, words)


@pytest.mark.parametrize("iso", ["2026-03-02T14:02:00Z", "2026-03-02T14:02:59.123+00:00"])
def test_times_are_written_for_people(iso: str) -> None:
    assert wording.format_moment(iso, "") == "2 March 2026, 14:02 UTC"
    assert wording.format_moment(iso, "New York") == "2 March 2026, 14:02 (New York)"
    assert format_day(iso) == format_day("2026-03-02") == "2 March 2026"


def test_what_is_no_date_stands_as_it_is() -> None:
    assert format_day("2026-02-31") == "2026-02-31"


def test_a_step_says_only_what_is_known_of_its_result() -> None:
    step = step_of()
    assert wording.describe_version(step) == "Version 1 · approved by Maya Okafor on 3 December 2026"
    assert wording.describe_version(replace(step, approved_by="")) == "Version 1 · approved on 3 December 2026"
    assert wording.describe_version(replace(step, version=0)) == ""


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x1f", "\ud800", "\ufffe"])
def test_what_xml_has_no_character_for_is_shown_as_replaced(character: str) -> None:
    assert wording.clean_text(f"a{character}b\n\t👩‍🚀") == "a\ufffdb\n\t👩‍🚀"


def test_a_decision_of_which_every_step_is_approved_is_open_until_somebody_closes_it() -> None:
    step = replace(step_of(), status=ComponentStatus.COMPLETE)
    whole = replace(report_of(), steps=(replace(step, version=1), replace(step, version=2)))
    told = "Open: every step is in the record, and nobody has closed the decision"
    assert dict(wording.list_cover(whole))["State"] == told
    assert dict(wording.list_cover(replace(whole, closed=True)))["State"] == "Closed"
    assert (
        dict(wording.list_cover(replace(whole, example=True)))["State"] == "An example to look at and to try things on"
    )
    some = replace(whole, steps=(*whole.steps, replace(step, version=0)))
    assert dict(wording.list_cover(some))["State"] == "Open"
