"""How the phase of an interview and the lifecycle of its conversation go together (I5, I6, C-02)."""

from __future__ import annotations

from app.core.errors import IllegalEvent
from app.core.state import interview, lifecycle
from app.core.state.interview import Phase, PhaseOn
from app.core.state.lifecycle import Lifecycle, LifecycleOn

TOGETHER = {
    **dict.fromkeys(PhaseOn, LifecycleOn.MESSAGE_POSTED),
    PhaseOn.VALIDATED: LifecycleOn.VALIDATED,
    PhaseOn.ATTEMPTS_EXHAUSTED: LifecycleOn.EXTRACTION_FAILED,
    PhaseOn.CHANGE_REQUESTED: LifecycleOn.CHANGE_REQUESTED,
    PhaseOn.EDITED_WITH_DRAFT: LifecycleOn.EDITED_WITH_DRAFT,
    PhaseOn.EDITED_WITHOUT_DRAFT: LifecycleOn.EDITED_WITHOUT_DRAFT,
    PhaseOn.RESTARTED_FROM_INTRO: LifecycleOn.RESTARTED,
    PhaseOn.RESTARTED_FROM_GATHER: LifecycleOn.RESTARTED,
    PhaseOn.RESTARTED_FROM_CLARIFY: LifecycleOn.RESTARTED,
    PhaseOn.RESTARTED_FROM_EXTRACT_WITH_CONTENT: LifecycleOn.RESTARTED,
    PhaseOn.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT: LifecycleOn.RESTARTED,
    PhaseOn.RESTARTED_CONFIRM_WITH_DRAFT: LifecycleOn.RESTARTED_CONFIRM_WITH_DRAFT,
    PhaseOn.RESTARTED_CONFIRM_WITHOUT_DRAFT: LifecycleOn.RESTARTED_CONFIRM_WITHOUT_DRAFT,
    PhaseOn.APPROVED: LifecycleOn.APPROVED,
    PhaseOn.REOPENED: LifecycleOn.REOPENED,
}
"""What happens to the lifecycle when this happens to the phase."""


def together(far: Lifecycle, where: Phase, event: PhaseOn) -> tuple[Lifecycle, Phase] | None:
    """Both dimensions after one event; None if either of them refuses it."""
    try:
        return lifecycle.move(far, TOGETHER[event]), interview.move(where, event)
    except IllegalEvent:
        return None


def test_in_every_history_confirm_is_where_the_lifecycle_is_confirmed_and_nowhere_else() -> None:
    reached = {(Lifecycle.READY, interview.INITIAL)}
    while found := {after for now in reached for event in PhaseOn if (after := together(*now, event))} - reached:
        reached |= found
    assert {where for far, where in reached if far is Lifecycle.READY} == {Phase.INTRO}
    assert {where for far, where in reached if far is Lifecycle.IN_PROGRESS} == set(Phase) - {Phase.CONFIRM}
    assert {where for far, where in reached if far is Lifecycle.CONFIRMED} == {Phase.CONFIRM}
    assert {where for far, where in reached if far is Lifecycle.COMPLETE} == {Phase.CONFIRM}
