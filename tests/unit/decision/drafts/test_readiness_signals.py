"""What a message says to the interview outright: only as a whole, whatever its case, its marks and its quotes."""

from __future__ import annotations

import pytest

from app.core.state.interview import InterviewCommand
from app.decision.drafts.readiness import DONE, read_command
from tests.unit.decision.components.worked import KEYS, PLAYBOOK

ISSUES = PLAYBOOK["issue_raising"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("said", sorted(DONE))
def test_every_step_can_be_ended_with_the_same_words(key: str, said: str) -> None:
    assert read_command(PLAYBOOK[key], said) is InterviewCommand.DONE


@pytest.mark.parametrize("said", ["Done!", " DONE. ", "That’s all.", "that's   it …", "I'm done", "ｄｏｎｅ"])
def test_case_marks_and_spaces_do_not_count(said: str) -> None:
    assert read_command(ISSUES, said) is InterviewCommand.DONE


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("issue_raising", "That's everything"),
        ("problem_frame", "Yes, that's right."),
        ("objectives", "no more"),
        ("notes_next_steps", "Ready to finish!"),
    ],
)
def test_a_component_knows_words_of_its_own(key: str, said: str) -> None:
    assert read_command(PLAYBOOK[key], said) is InterviewCommand.DONE
    assert read_command(PLAYBOOK["decision_quality"], said) is (InterviewCommand.DONE if said == "no more" else None)


@pytest.mark.req("S4-004")
@pytest.mark.parametrize(
    "said",
    [
        "I'm not done",
        "already",
        "done, but one more",
        "Done with the first point: the second is cost",
        "ready-made options",
        "that's all we have left of the budget",
        "well done everybody",
        "undone",
        "",
        "…",
    ],
)
def test_what_only_sounds_like_an_end_is_a_message_like_any_other(said: str) -> None:
    assert [read_command(component, said) for component in PLAYBOOK.components] == [None] * len(KEYS)


@pytest.mark.req("S0-216")
@pytest.mark.parametrize(
    "said",
    [
        "Show me what you've captured.",
        "show me what you’ve captured",
        "Show what you have captured so far",
        "please show me what you've got",
        "What have you captured so far?",
        "What did you note?",
        "Let me see the draft please",
        "show me the draft",
    ],
)
def test_whoever_wants_to_see_what_was_captured_is_shown_it(said: str) -> None:
    assert read_command(ISSUES, said) is InterviewCommand.SHOW


@pytest.mark.parametrize(
    "said",
    [
        "Show me what you've captured and then add the night shift",
        "They want to show me what you've captured",
        "Show me the numbers",
        "What have you captured about the night shift?",
        "show me",
    ],
)
def test_a_wish_to_see_something_else_is_answered_in_the_talk(said: str) -> None:
    assert read_command(ISSUES, said) is None


def test_whoever_asks_whether_this_was_all_has_not_said_so() -> None:
    assert read_command(PLAYBOOK["issue_raising"], "That's all?") is None
    assert read_command(PLAYBOOK["issue_raising"], "Done?") is None


@pytest.mark.parametrize("asked", ["done?", "done？", "Done ?"])
def test_who_asks_whether_all_is_done_commands_nothing(asked: str) -> None:
    assert read_command(PLAYBOOK["objectives"], asked) is None
