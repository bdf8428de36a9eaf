"""The docs show the machine that runs; and what is true of every table of it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from app.core.state.table import Refused
from tests.machine_docs import MACHINES, PAGE, PLACE, Machine, drawn, picture

CODES = {
    "ARCHIVED", "READ_ONLY", "BUSY", "NO_QUESTION", "QUESTION_CLOSED", "BAD_ANSWER", "BAD_SCHEDULE", "NO_SCHEDULE",
    "NOT_ARCHIVED", "NOT_COMPLETE", "CANNOT_REVISE", "NO_EXTRACTION", "NOT_CONFIRMED", "CRITERIA", "PREREQUISITE",
    "NO_STREAM", "STALE_RUN", "ILLEGAL", "NOT_COMPONENT", "NOT_DECISION",
}  # fmt: skip
"""What a table may refuse an event with (requirements part 6)."""


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each dimension in turn."""
    return MACHINES[request.param]()


def test_what_the_docs_show_is_drawn_from_the_tables() -> None:
    shown = PAGE.read_text("utf-8")
    assert shown == drawn(shown), "run python -m tests.machine_docs"


def test_every_table_has_its_place_on_the_page_of_tables() -> None:
    places = [place[2] for place in PLACE.finditer(PAGE.read_text("utf-8"))]
    assert sorted(places) == sorted(MACHINES)


def test_no_label_holds_what_a_diagram_takes_for_its_own(machine: Machine) -> None:
    moves = re.findall(r"^  \S+ --> \S+(?:: (.+))?$", picture(machine), re.MULTILINE)
    assert len(moves) > 1
    assert not [label for label in moves if re.search(r"[:;{}\[\]<>\"#]", label)]


def test_a_table_says_something_of_every_event_in_every_state(machine: Machine) -> None:
    assert not [event for event, row in machine.table.items() if set(row) != set(machine.states)]


def test_no_state_is_out_of_reach(machine: Machine) -> None:
    steps = set(machine.settles)
    for event in machine.table:
        for state in machine.states:
            for path in machine.paths(event, state):
                steps |= set(pairwise(path))
    reached = {machine.initial}
    while found := {after for before, after in steps if before in reached} - reached:
        reached |= found
    assert reached == set(machine.states)


def test_what_is_refused_is_refused_with_a_code_that_people_are_told_about(machine: Machine) -> None:
    codes = {cell.code for row in machine.table.values() for cell in row.values() if isinstance(cell, Refused)}
    assert codes <= CODES
