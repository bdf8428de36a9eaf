"""Next steps: what is asked about them, and what each of them works on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from app.decision.layout.sheets import build_sheet
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import (
    KEYS,
    PLAYBOOK,
    accepted,
    before,
    example,
    minimal,
    rated,
    refused,
    remarks,
)
from tests.unit.decision.sheets.walls import titled


def test_nothing_to_note_is_fine_but_for_where_the_decision_stands() -> None:
    judged = accepted("notes_next_steps", {}, before("notes_next_steps", {key: minimal(key) for key in KEYS}))
    assert judged.missing == ()
    assert [each.text for each in judged.remarks] == ["Where does the decision stand: decided, leaning or deferred?"]


def test_a_step_without_an_owner_or_a_day_is_asked_about() -> None:
    draft = example("notes_next_steps")
    del draft["planned_actions"][0]["owner"], draft["planned_actions"][0]["due_date"]
    del draft["planned_actions"][1]["due_date"]
    told = remarks("notes_next_steps", draft)
    assert (
        "Who does it and by when: “Replay 400 urgent tickets of last winter with the triage vendor”? "
        "By when: “Call two more partner reference customers”?"
    ) in told.splitlines()


def test_heavy_uncertainties_that_no_step_works_on_are_one_question_and_some_are_named() -> None:
    open_points = [{"description": f"Whether {each}", "impact": "high"} for each in ("rain falls", "Oslo pays")]
    recommendation = {**minimal("recommendation"), "remaining_uncertainties": open_points}
    so_far = before("notes_next_steps", recommendation=recommendation)
    asked = [each for each in remarks("notes_next_steps", {}, so_far).splitlines() if "worth one" in each]
    assert asked == ["No step works on “Whether rain falls” and “Whether Oslo pays”. Are they worth one?"]
    actions = [{"handle": f"N{number}", "action": f"Do task {number}"} for number in range(1, 6)]
    told = remarks("notes_next_steps", {"planned_actions": actions}, so_far)
    assert "Who does it and by when: “Do task 1”, “Do task 2”, “Do task 3” and 2 more?" in told.splitlines()


def test_a_new_step_is_not_due_before_today_and_an_old_one_may_be() -> None:
    draft = example("notes_next_steps")
    draft["planned_actions"][1]["due_date"] = "2026-11-20"
    assert refused("notes_next_steps", draft) == {"planned_actions.1.due_date": "lies in the past"}
    so_far = before("notes_next_steps")
    assert accepted(
        "notes_next_steps", draft, DecisionRecord(so_far.results, so_far.today, before=example("notes_next_steps"))
    )
    draft["planned_actions"][1]["status"] = "completed"
    assert accepted("notes_next_steps", draft)
    tomorrow = DecisionRecord(so_far.results, date(2026, 12, 5))
    assert refused("notes_next_steps", example("notes_next_steps"), tomorrow) == {
        "planned_actions.1.due_date": "lies in the past"
    }


def test_the_choice_names_an_option_that_exists() -> None:
    draft = example("notes_next_steps")
    draft["decision"]["alternative_id"] = "A9"
    assert refused("notes_next_steps", draft) == {"decision.alternative_id": "names nothing that exists"}


def works_on(action: Draft, so_far: DecisionRecord | None = None) -> str:
    """What the sheet says that this action works on."""
    draft = accepted("notes_next_steps", {"planned_actions": [{"handle": "N1", **action}]}, so_far).draft
    sheet = build_sheet(PLAYBOOK["notes_next_steps"], draft, so_far or before("notes_next_steps"))
    (row,) = titled(sheet, "Next steps").splitlines()[1:]
    return "".join(row.split(" | ")[4:])


@pytest.mark.req("FA-03", "FA-22")
@pytest.mark.parametrize(
    ("action", "aim"),
    [
        ("Replay the old tickets with the vendor", "Share of simple cases the AI triage can close"),
        ("Replay 400 old tickets and call partner references", "Reliable consequence information"),
        ("Publish the posts for part-time agents and ask the agency", "Can three part-time agents be hired by March?"),
        ("Ask Jonas for a two-year commitment", "Commitment to follow through"),
        ("Have lunch", None),
        ("Tell the vendor on 11 December that we moved", None),
        ("Talk with Priya on the tradeoffs and with Jonas on the commitment", None),
    ],
)
def test_an_action_is_linked_to_what_its_words_name_and_nobody_is_said_to_have_said_it(
    action: str, aim: str | None
) -> None:
    given = {"handle": "N1", "action": action}
    assert accepted("notes_next_steps", {"planned_actions": [given]}).draft["planned_actions"] == [given]
    assert works_on(given) == (f"{aim} (read off its words)" if aim else "")


@pytest.mark.req("FA-22")
def test_what_people_say_an_action_works_on_is_never_replaced_and_no_notice_denies_a_link() -> None:
    action = {"handle": "N1", "action": "Publish the posts and ask the agency"}
    own = {**action, "addresses": "Our peace of mind"}
    assert accepted("notes_next_steps", {"planned_actions": [own]}).draft["planned_actions"] == [own]
    assert "“Can three part-time agents be hired by March?”" in remarks("notes_next_steps", {})
    assert "hired by March" not in remarks("notes_next_steps", {"planned_actions": [action]})


@pytest.mark.req("FA-22")
def test_an_action_is_linked_to_what_would_reopen_the_decision() -> None:
    watched = {"handle": "N1", "action": "Watch the monthly overtime figures"}
    draft: Draft = {"planned_actions": [watched], "revisit_triggers": ["Monthly overtime doubles"]}
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps")
    sheet = build_sheet(PLAYBOOK["notes_next_steps"], accepted("notes_next_steps", draft, so_far).draft, so_far)
    assert "Monthly overtime doubles (read off its words)" in titled(sheet, "Next steps")


@pytest.mark.req("FA-22")
def test_an_open_point_without_a_telling_word_has_its_step_once_people_say_so() -> None:
    recommendation = {
        **minimal("recommendation"),
        "remaining_uncertainties": [{"description": "Who pays?", "impact": "high"}],
    }
    so_far = before("notes_next_steps", recommendation=recommendation)
    action = {"handle": "N1", "action": "Ask Jo"}
    denied = "No step works on “Who pays?”"
    assert denied in remarks("notes_next_steps", {"planned_actions": [action]}, so_far)
    named = {"planned_actions": [{**action, "addresses": "Who pays?"}]}
    assert denied not in remarks("notes_next_steps", named, so_far)


@pytest.mark.req("FA-22")
def test_while_nothing_is_open_nobody_is_asked_what_a_step_is_for() -> None:
    lunch = {"planned_actions": [{"handle": "N1", "action": "Have lunch"}]}
    so_far = before("notes_next_steps", {key: minimal(key) for key in KEYS})
    assert "Which open point" not in remarks("notes_next_steps", lunch, so_far)
    assert "Which open point" in remarks("notes_next_steps", lunch)


@pytest.mark.req("FA-22")
@pytest.mark.parametrize(
    ("action", "aim"),
    [
        ({"action": "Look into U1"}, "U1 {U1} (read off its words)"),
        ({"action": "Find out A2 on O1"}, "{A2} on {O1} (read off its words)"),
        ({"action": "Call them", "addresses": "A2/O1"}, "{A2} on {O1}"),
        ({"action": "Look into U1 and A2 on O1", "addresses": "A2, O1"}, "{A2} on {O1}"),
        ({"action": "Look into U9"}, ""),
        (
            {"action": "Keep within the yearly travel budget of the team"},
            "The yearly travel budget must not grow (read off its words)",
        ),
    ],
)
def test_an_action_is_linked_to_the_doubt_uncertainty_or_limit_that_it_names(action: dict[str, str], aim: str) -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps", A2_O1="high")
    raised = {"uncertainties": [{"handle": "U1", "description": "Will it rain?", "impact": "high"}]}
    limits = {"focal_decision": {"constraints": ["The yearly travel budget must not grow", "No flights"]}}
    so_far = replace(so_far, results={**so_far.results, "issue_raising": raised, "problem_frame": limits})
    named = {"U1": "Will it rain?", "A2": so_far.label("A2"), "O1": so_far.label("O1")}
    assert works_on({"handle": "N1", **action}, so_far) == aim.format_map(named)


@pytest.mark.req("FA-22")
def test_two_doubts_that_an_action_names_alike_are_asked_about_and_no_longer_once_it_is_said() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps", A2_O1="high", A2_O2="high")
    action = {"handle": "N1", "action": "Look at A2 on O1 and at A2 on O2"}
    lunch = {"handle": "N2", "action": "Have lunch"}
    done = {"handle": "N3", "action": "Rest", "status": "completed"}
    asked = "Which open point is this for: “Look at A2 on O1 and at A2 on O2” and “Have lunch”? Or for something else?"
    quality = {"elements": [{"name": "Clear Objectives", "score": 40}], "weakest": ["Clear Objectives"]}
    so_far = replace(so_far, results={**so_far.results, "decision_quality": {**quality, "overall_score": 40}})
    assert asked in remarks("notes_next_steps", {"planned_actions": [action, lunch, done]}, so_far)
    said = [each | {"addresses": "what we owe the weakest, Clear Objectives"} for each in (action, lunch)]
    told = remarks("notes_next_steps", {"planned_actions": [*said, done]}, so_far)
    assert ("open point" in told, "weakest element" in told) == (False, False)


@pytest.mark.req("FA-22")
@pytest.mark.parametrize("at", ["A2 on O1", "a2 / o1"])
def test_no_notice_denies_the_step_on_what_is_to_be_found_out_first(at: str) -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "notes_next_steps", A2_O1="high")
    assert "has no step yet" in remarks("notes_next_steps", {}, so_far)
    action = {"handle": "N1", "action": f"Look up {at}"}
    assert "has no step yet" not in remarks("notes_next_steps", {"planned_actions": [action]}, so_far)
