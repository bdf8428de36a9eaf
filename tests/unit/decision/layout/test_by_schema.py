"""A component that is just a folder is shown by its schema: headings are its fields in words, references are names."""

from __future__ import annotations

from app.core.state.sheet import Listing, Mark, Sheet
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, before, example
from tests.unit.decision.sheets.walls import of_type, titled, wall


def shown(key: str, draft: Draft | None = None, unproven: tuple[str, ...] = ()) -> Sheet:
    """The sheet of the example by the schema alone."""
    component = PLAYBOOK[key].model_copy(update={"sheet": "lists"})
    return build_sheet(component, draft or example(key), before(key), unproven)


def in_short(key: str, draft: Draft) -> str:
    """Its gist."""
    return write_gist(PLAYBOOK[key].model_copy(update={"sheet": "lists"}), draft, before(key))


def test_lists_have_their_names_and_counts_and_items_their_other_fields_as_notes() -> None:
    told = titled(shown("issue_raising"), "Uncertainties (3)").splitlines()
    assert told[:3] == [
        "U1 How many off-hours requests next winter will bring",
        "  Driver: Growth of the installed base and the weather",
        "  Resolvable: no",
    ]


def test_short_answers_are_facts_and_references_are_names() -> None:
    told = wall(shown("issue_raising"))
    assert "Focal candidate: D1 How to cover urgent 'no heat' requests on evenings and weekends" in told
    assert "# Focal decision\n" in wall(shown("problem_frame"))
    assert "Deadline: 2026-12-18" in wall(shown("problem_frame"))


def test_an_item_that_stands_alone_is_an_item() -> None:
    assert titled(shown("problem_frame"), "Focal").splitlines()[-1].startswith("H3 How should we cover urgent")


def test_what_is_inside_of_an_item_is_told_in_a_line() -> None:
    told = wall(shown("objectives"))
    assert "  Performance measure: metric Median hours from first message" in told
    assert "  Supports: O1 Solve urgent off-hours problems quickly; O4 Give correct and friendly answers" in told


def test_only_items_that_can_be_quoted_are_to_be_checked() -> None:
    people = shown("problem_frame", unproven=("P1", "H1"))
    assert not [item for each in of_type(people, Listing) for item in each.items if item.marks]
    issues = shown("issue_raising", unproven=("D1",))
    assert [item.handle for each in of_type(issues, Listing) for item in each.items if Mark.CHECK in item.marks] == [
        "D1"
    ]


def test_an_empty_list_says_so() -> None:
    assert titled(shown("notes_next_steps", {"notes": []}), "Notes (0)") == "None named so far."


def test_the_hub_counts_lists_or_quotes_the_first_words() -> None:
    assert in_short("notes_next_steps", {"notes": ["One"], "planned_actions": []}) == "notes: 1 · planned actions: 0"
    assert in_short("tradeoffs", {"user_understanding": "Speed\nor money"}) == "Speed or money"
    assert in_short("notes_next_steps", {}) == ""
