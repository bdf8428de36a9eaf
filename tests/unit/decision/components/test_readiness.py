"""When an extraction begins by itself: not too early, not against a contradiction, and without a model by the seed."""

from __future__ import annotations

import pytest

from app.decision.drafts.readiness import is_ready, is_ready_by_rule, says_done
from app.decision.schema.component import Component
from tests.unit.decision.components.worked import KEYS, PLAYBOOK

COUNTS = {
    "issue_raising": 3, "problem_frame": 2, "objectives": 2, "alternatives": 2, "consequences": 4, "tradeoffs": 3,
    "recommendation": 3, "decision_quality": 3, "notes_next_steps": 3,
}  # fmt: skip


def said(messages: int) -> list[str]:
    """That many messages that say nothing of it."""
    return ["Let me think about the nights first"] * messages


@pytest.mark.req("S0-230", "S0-232", "S0-233")
@pytest.mark.req("S0-234", "S0-235")
@pytest.mark.parametrize("key", KEYS)
def test_a_draft_that_meets_the_criteria_waits_for_the_earliest_moment(key: str) -> None:
    component, least = PLAYBOOK[key], COUNTS[key]
    assert not is_ready(component, said(least - 1), covered=True, blocked=False)
    assert is_ready(component, said(least), covered=True, blocked=False)


@pytest.mark.parametrize("key", KEYS)
def test_however_much_was_said_a_draft_that_lacks_something_is_not_ready(key: str) -> None:
    assert not is_ready(PLAYBOOK[key], said(50), covered=False, blocked=False)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("covered", [True, None])
def test_while_something_does_not_fit_nothing_begins_by_itself(key: str, covered: bool | None) -> None:
    assert not is_ready(PLAYBOOK[key], [*said(50), "done"], covered=covered, blocked=True)


@pytest.mark.req("S0-230", "S0-232", "S0-233")
@pytest.mark.parametrize("key", ["issue_raising", "objectives", "alternatives"])
def test_without_a_model_the_counts_of_the_seed_decide_early_steps(key: str) -> None:
    assert_count_decides(PLAYBOOK[key], COUNTS[key])


@pytest.mark.req("S0-234", "S0-235")
@pytest.mark.parametrize("key", KEYS[4:])
def test_without_a_model_the_counts_of_the_seed_decide_late_steps(key: str) -> None:
    assert_count_decides(PLAYBOOK[key], COUNTS[key])


def assert_count_decides(component: Component, least: int) -> None:
    assert not is_ready(component, said(least - 1), covered=None, blocked=False)
    assert is_ready(component, said(least), covered=None, blocked=False)
    assert is_ready(component, ["Done."], covered=None, blocked=False)


@pytest.mark.req("S0-231")
def test_without_a_model_the_phrases_of_the_seed_decide_the_frame() -> None:
    frame = PLAYBOOK["problem_frame"]
    assert not is_ready_by_rule(frame, said(50))
    assert not is_ready_by_rule(frame, ["I am the decision maker", "It is a hard choice"])
    assert is_ready_by_rule(frame, ["I am the Decision Maker", "We decide in May", "It is a hard CHOICE"])
    assert is_ready_by_rule(frame, ["Yes, that's the decision."])


@pytest.mark.parametrize("key", [key for key in KEYS if COUNTS[key] > 2])
def test_who_says_done_and_then_goes_on_is_not_done(key: str) -> None:
    assert not is_ready_by_rule(PLAYBOOK[key], ["Done.", "Wait, one more thing about the nights"])


def test_before_anybody_has_spoken_nothing_is_ready() -> None:
    assert not any(is_ready_by_rule(component, []) for component in PLAYBOOK.components)


@pytest.mark.req("S0-230")
@pytest.mark.parametrize(
    ("message", "is_done"),
    [
        ("done", True),
        ("Done!", True),
        ("That’s everything.", True),
        ("ok, that's all", True),
        ("x" * 400 + ". That's all.", True),
        ("Cost matters.\nDone", True),
        ("I'm not done", False),
        ("We have already done the ready-made option", False),
        ("That's all we have left of the budget", False),
        ("Done, but one more thing", False),
        ("That's all? I doubt it", False),
        ("undone", False),
        ("", False),
    ],
)
def test_only_a_clause_that_says_so_ends_it(message: str, is_done: bool) -> None:
    assert says_done(PLAYBOOK["issue_raising"], message) is is_done


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("problem_frame", "Yes, that's right."),
        ("notes_next_steps", "Ready to finish"),
        ("objectives", "nothing else"),
        ("alternatives", "No more."),
        ("tradeoffs", "That's it."),
        ("recommendation", "ready"),
    ],
)
def test_each_component_knows_how_people_end_it(key: str, message: str) -> None:
    assert says_done(PLAYBOOK[key], message)
    assert not says_done(PLAYBOOK["issue_raising"], message)
