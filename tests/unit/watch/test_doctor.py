"""What the doctor's table shows, and that every kind of trouble has its words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from app.cli.doctor import ADVICE, SHOWN, Finding, group_cases, show
from store.admin.diagnosis import Case, Trouble

OPERATIONS = Path(__file__).parents[3] / "docs" / "operations.md"
AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def case(trouble: Trouble, number: int, *, since: bool = True, count: int = 0) -> Case:
    return Case(trouble=trouble, id=f"r{number}", since=AT + timedelta(days=number) if since else None, count=count)


def shown(*findings: Finding) -> str:
    page = StringIO()
    show(findings, Console(file=page, width=100))
    return page.getvalue()


@pytest.mark.parametrize("trouble", Trouble)
def test_every_trouble_says_in_sentences_what_it_means_and_what_helps(trouble: Trouble) -> None:
    advice = ADVICE[trouble]
    assert advice.name
    assert all(words.endswith((".", "?")) for words in (advice.means, advice.helps))
    assert " ".join(shown(Finding(trouble, (case(trouble, 1),))).split()).count(advice.name) == 1


def test_cases_of_one_kind_are_one_finding_the_oldest_first_and_those_without_a_time_last() -> None:
    parked = [case(Trouble.PARKED, number, since=number != 2) for number in (3, 2, 1)]
    key = case(Trouble.KEY_UNREADABLE, 9, since=False)
    findings = group_cases([key, *parked])
    assert [finding.trouble for finding in findings] == [Trouble.PARKED, Trouble.KEY_UNREADABLE]
    assert [each.id for each in findings[0].cases] == ["r1", "r3", "r2"]


def test_a_finding_names_the_oldest_with_their_counts_and_how_many_more_there_are() -> None:
    cases = tuple(case(Trouble.PARKED, number, count=3) for number in range(SHOWN + 2))
    page = shown(Finding(Trouble.PARKED, cases))
    assert f"parked events: {len(cases)}" in page
    assert "since 2026-03-01 09:30 UTC" in page
    assert f"r{SHOWN - 1} (3)" in page
    assert f"r{SHOWN} " not in page
    assert "… and 2 more" in page


def test_as_many_as_can_be_named_are_and_no_time_is_made_up() -> None:
    cases = tuple(case(Trouble.KEY_UNREADABLE, number, since=False) for number in range(SHOWN))
    page = shown(Finding(Trouble.KEY_UNREADABLE, cases))
    assert f"r{SHOWN - 1}" in page
    assert "more" not in page
    assert "since" not in page


@pytest.mark.parametrize("width", [20, 80])
def test_in_a_narrow_terminal_an_id_stays_whole_and_what_helps_is_there(width: int) -> None:
    long = Case(trouble=Trouble.PARKED, id="action:T0FXZYC7766:C0UZNBJ40ZN:1795856225.343117:1795856259.257667:U0MWU")
    page = StringIO()
    show([Finding(Trouble.PARKED, (long,))], Console(file=page, width=width))
    assert f"    {long.id}\n" in page.getvalue()
    assert ADVICE[Trouble.PARKED].helps in " ".join(page.getvalue().split())


def test_an_id_is_shown_to_the_letter() -> None:
    odd = Case(trouble=Trouble.PARKED, id="[red]T1:C1:1.2[/]")
    assert odd.id in shown(Finding(Trouble.PARKED, (odd,)))


def test_where_nothing_is_stuck_it_says_so() -> None:
    assert shown() == "Nothing is stuck.\n"


@pytest.mark.parametrize("trouble", [trouble for trouble in Trouble if ADVICE[trouble].offer])
def test_what_can_be_done_stands_in_the_manual(trouble: Trouble) -> None:
    assert f"| {ADVICE[trouble].name} |" in OPERATIONS.read_text("utf-8")
