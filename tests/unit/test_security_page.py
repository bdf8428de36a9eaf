"""SECURITY.md says how to report a hole, what is promised against whom, and where each promise ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "SECURITY.md").read_text("utf-8")
AGAINST = (
    "Strangers at the HTTP port",
    "Somebody else in the workspace",
    "Poisoned text in what the model reads",
    "Whoever reads the database, its log and its backups",
    "Whoever writes to the database, without keys",
    "Others on the machine",
    "Money and time",
    "Between Threadwise and the model",
)
ATTACKS = (
    "forged clicks, swapped and restored documents, replays, floods, poisoned channels, hidden text, hostile answers "
    "and hostile inputs of tools"
)


def read_part(title: str, level: str) -> str:
    """The words below a heading, up to the next one of this level."""
    return PAGE.partition(f"\n{level} {title}\n")[2].partition(f"\n{level} ")[0]


@pytest.mark.req("SE-19")
def test_who_finds_a_hole_reads_where_to_report_it_and_when_they_hear_of_it() -> None:
    told = " ".join(read_part("Report a hole", "##").split())
    assert "do not open a public issue" in told
    assert "*Security* → *Report a vulnerability*" in told
    assert re.search(r"an answer within \w+ working days", told)


@pytest.mark.req("SE-19")
@pytest.mark.parametrize("title", AGAINST)
def test_each_part_of_the_threat_model_promises_something_and_says_what_is_not_promised(title: str) -> None:
    promised, stop, limits = read_part(title, "###").partition("Not promised")
    assert stop
    assert len(promised.split()) >= 10
    assert len(limits.split()) >= 5


@pytest.mark.req("SE-19")
def test_the_page_names_the_attacks_that_are_tests() -> None:
    assert ATTACKS in " ".join(PAGE.split())
