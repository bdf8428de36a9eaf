"""What a remark is about: by its rule and the values, whatever its words, so that it can be known again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import accepted, example

LATE = "2027-01-09"


def late_actions() -> Draft:
    """The example's notes, with a step that the decision needs and one that carries it out, both after it."""
    draft = example("notes_next_steps")
    draft["planned_actions"][0]["due_date"] = draft["planned_actions"][2]["due_date"] = LATE
    return draft


def late(draft: Draft) -> list[tuple[str, tuple[str, ...]]]:
    judged = accepted("notes_next_steps", draft)
    return [(each.text, each.topics) for each in judged.remarks if "after the decision" in each.text]


@pytest.mark.req("FA-15")
def test_other_words_do_not_make_another_question_of_it_and_another_day_does() -> None:
    ((text, topics),) = late(late_actions())
    assert len(topics) == 1
    reworded = late_actions()
    reworded["planned_actions"][0]["action"] = "Replay 400 tickets of last winter with the triage vendor"
    ((other, same),) = late(reworded)
    assert other != text
    assert same == topics
    reworded["planned_actions"][0]["due_date"] = "2027-02-01"
    assert late(reworded)[0][1] != topics


@pytest.mark.req("FA-22")
def test_a_step_that_carries_the_decision_out_may_come_after_it_and_what_it_needs_is_asked_about() -> None:
    draft = late_actions()
    action = draft["planned_actions"][0]["action"]
    when = "and is due 9 January 2027, after the decision on 18 December 2026. Is that meant?"
    assert [text for text, _ in late(draft)] == [f"“{action}” works on “Reliable Consequence Information” {when}"]
    draft["planned_actions"][0]["addresses"] = "Share of simple cases the AI triage can close"
    assert [text for text, _ in late(draft)] == [
        f"“{action}” works on “Share of simple cases the AI triage can close” {when}"
    ]
    draft["planned_actions"][0]["status"] = "completed"
    assert late(draft) == []


def test_a_question_about_two_things_is_known_by_both() -> None:
    draft = example("objectives")
    for each in draft["fundamental_objectives"][:2]:
        del each["performance_measure"]
    (asked,) = (each for each in accepted("objectives", draft).remarks if each.text.startswith("Without a measure"))
    draft["fundamental_objectives"][0] = example("objectives")["fundamental_objectives"][0]
    (left,) = (each for each in accepted("objectives", draft).remarks if each.text.startswith("Without a measure"))
    assert len(asked.topics) == 2
    assert set(left.topics) < set(asked.topics)


def test_a_contradiction_that_blocks_and_what_the_server_did_are_said_each_time() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["deadline"] = "2026-11-01"
    (over,) = (each for each in accepted("problem_frame", draft).remarks if each.blocking)
    assert over.topics == ()
    assert replace(over, blocking=False).topics != ()
    assert replace(over, blocking=False, rule="").topics == ()
