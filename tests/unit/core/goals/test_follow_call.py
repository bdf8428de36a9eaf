"""Calls of a reply that broke off."""

from __future__ import annotations

from app.core.conversation.conversation import Conversation
from app.core.goals.goals import follow_call
from app.core.state.goal import GoalDropped
from app.core.state.status import Kind
from tests.unit.core.threads import THREAD


def test_in_a_step_of_a_decision_no_call_changes_a_goal() -> None:
    step = Conversation(id="c1", thread=THREAD, owner="U1", kind=Kind.COMPONENT)
    assert follow_call(step, GoalDropped(), "1.0", "cause").conversation == step
