"""How the phase of an interview and the lifecycle of its conversation go together (I5, I6, C-02)."""

from __future__ import annotations

from app.core.errors import IllegalEvent
from app.core.state import interview, lifecycle
from app.core.state.interview import Phase, PhaseEvent
from app.core.state.lifecycle import Lifecycle, LifecycleEvent

TOGETHER = {
    **dict.fromkeys(PhaseEvent, LifecycleEvent.MESSAGE_POSTED),
    PhaseEvent.VALIDATED: LifecycleEvent.VALIDATED,
    PhaseEvent.ATTEMPTS_EXHAUSTED: LifecycleEvent.EXTRACTION_FAILED,
    PhaseEvent.CHANGE_REQUESTED: LifecycleEvent.CHANGE_REQUESTED,
    PhaseEvent.EDITED_WITH_DRAFT: LifecycleEvent.EDITED_WITH_DRAFT,
    PhaseEvent.EDITED_WITHOUT_DRAFT: LifecycleEvent.EDITED_WITHOUT_DRAFT,
    PhaseEvent.RESTARTED_FROM_INTRO: LifecycleEvent.RESTARTED,
    PhaseEvent.RESTARTED_FROM_GATHER: LifecycleEvent.RESTARTED,
    PhaseEvent.RESTARTED_FROM_CLARIFY: LifecycleEvent.RESTARTED,
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT: LifecycleEvent.RESTARTED,
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT: LifecycleEvent.RESTARTED,
    PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT: LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT,
    PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT: LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT,
    PhaseEvent.APPROVED: LifecycleEvent.APPROVED,
    PhaseEvent.REOPENED: LifecycleEvent.REOPENED,
}
"""What happens to the lifecycle when this happens to the phase."""


def together(far: Lifecycle, where: Phase, event: PhaseEvent) -> tuple[Lifecycle, Phase] | None:
    """Both dimensions after one event; None if either of them refuses it."""
    try:
        return lifecycle.move(far, TOGETHER[event]), interview.move(where, event)
    except IllegalEvent:
        return None


def test_in_every_history_confirm_is_where_the_lifecycle_is_confirmed_and_nowhere_else() -> None:
    reached = {(Lifecycle.READY, interview.INITIAL)}
    while found := {after for now in reached for event in PhaseEvent if (after := together(*now, event))} - reached:
        reached |= found
    assert {where for far, where in reached if far is Lifecycle.READY} == {Phase.INTRO}
    assert {where for far, where in reached if far is Lifecycle.IN_PROGRESS} == set(Phase) - {Phase.CONFIRM}
    assert {where for far, where in reached if far is Lifecycle.CONFIRMED} == {Phase.CONFIRM}
    assert {where for far, where in reached if far is Lifecycle.COMPLETE} == {Phase.CONFIRM}
