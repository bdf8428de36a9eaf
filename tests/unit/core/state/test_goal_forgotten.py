"""What a goal has taken over from a message goes with the message."""

from __future__ import annotations

from app.core.events.heard import MessageDeleted
from app.core.state import goal
from app.core.state.goal import Goal, GoalPhase, GoalState, GoalType, InfoStatus, RequiredInfo
from app.core.turns.history import build_api_messages
from tests.unit.core.live import Live

SECRET = "build a tool for the Falcon merger"


def goal_of(description: str, value: str = "") -> Goal:
    info = (RequiredInfo(name="target", label="Target", status=InfoStatus.PROVIDED, value=value),)
    return Goal(id="G1", type=GoalType.ARTIFACT_CREATION, description=description, info=info)


def test_what_was_taken_over_from_the_words_is_gone_from_every_goal_and_nothing_else_is() -> None:
    kept = goal_of("something else", "Friday")
    state = GoalState(phase=GoalPhase.UNDERSTANDING, goal=goal_of(SECRET, "Falcon"), completed=(kept, goal_of(SECRET)))
    after = goal.forget_message(state, f"I want to {SECRET}")
    assert after.goal
    assert (after.goal.description, after.goal.info[0].value) == (goal.TAKEN_BACK, goal.TAKEN_BACK)
    assert after.completed == (kept, goal_of(goal.TAKEN_BACK))


def test_a_message_that_is_deleted_takes_its_goal_s_words_with_it_and_the_model_hears_them_no_more() -> None:
    live = Live().talks(f"I want to {SECRET}")
    assert live.now.goals.goal
    asked = live.transcript[0]
    at = live.wait(1).ts
    live.apply(MessageDeleted(receipt="delete:1", thread=live.now.thread, ts=asked.ts, at=at), "delete:1")
    live.says("Go on")
    assert "Falcon" not in goal.summarize_goals(live.now.goals)
    told = build_api_messages(live.now, live.transcript)
    assert "Falcon" not in str(told)
