"""Invariants of every conversation. A state that breaks one is not saved.

Here stand those that one state shows. The missing numbers are kept elsewhere: in the claim of due work, the offer of
tools, the building of requests, the save of a transition, and the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.core.conversation.conversation import Conversation
from app.core.state.goal import WORKING, GoalStatus
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Origin
from app.core.state.status import Kind, Status, TurnState

STAGES: Mapping[Phase | None, frozenset[Stage]] = MappingProxyType(
    {
        None: frozenset({Stage.NONE}),
        Phase.INTRO: frozenset({Stage.DISCUSS}),
        Phase.GATHER: frozenset({Stage.DISCUSS}),
        Phase.CLARIFY: frozenset({Stage.DISCUSS}),
        Phase.EXTRACT: frozenset({Stage.DISCUSS, Stage.SUMMARIZE, Stage.SERIALIZE}),
        Phase.CONFIRM: frozenset({Stage.NONE}),
    }
)
"""The stages that are possible in each phase. An extraction has the stage discuss in direct mode only."""


def _waits_for_one_question(now: Conversation) -> bool:
    return (now.status is Status.WAITING_INPUT) is (now.question is not None)


def _background_work_is_planned(now: Conversation) -> bool:
    if now.status is Status.BACKGROUND:
        return now.schedule is not None and bool(now.next_run)
    return now.status is not Status.ACTIVE or now.schedule is None


def _nothing_goes_on_in_the_archive(now: Conversation) -> bool:
    at_rest = now.schedule is None and now.question is None and now.run is TurnState.IDLE
    return now.status is not Status.ARCHIVED or at_rest


def _what_is_confirmed_waits_for_an_ok(now: Conversation) -> bool:
    """Check the phase of an incomplete step only: an approved interview stays in confirm."""
    confirmed = now.lifecycle is Lifecycle.CONFIRMED
    in_confirm = now.phase is Phase.CONFIRM
    return (now.pending > 0) is confirmed and (in_confirm is confirmed or now.lifecycle is Lifecycle.COMPLETE)


def _an_interview_begins_with_intro(now: Conversation) -> bool:
    is_ready = now.kind is Kind.COMPONENT and now.lifecycle is Lifecycle.READY
    return not is_ready or now.phase is Phase.INTRO


def _what_is_complete_was_approved(now: Conversation) -> bool:
    about_extraction = now.question is not None and now.question.origin is Origin.EXTRACTION
    return now.lifecycle is not Lifecycle.COMPLETE or (now.approved >= 1 and not now.pending and not about_extraction)


def _the_stage_fits_the_phase(now: Conversation) -> bool:
    if now.lifecycle is Lifecycle.INITIALIZING:  # setting up the step sets phase and stage
        return True
    phase = None if now.lifecycle is Lifecycle.COMPLETE else now.phase
    return now.stage in STAGES[phase]


def _what_waits_has_asked(now: Conversation) -> bool:
    asks = now.question is not None and now.question.origin is Origin.PERMISSION
    return (now.run is TurnState.AWAITING) is asks and (not asks or now.turn is not None)


def _work_has_a_goal(now: Conversation) -> bool:
    if now.kind is not Kind.FREE:
        return True
    goal = now.goals.goal
    if now.goals.phase in WORKING:
        return goal is not None and goal.status is GoalStatus.ACTIVE
    return goal is None


INVARIANTS: Mapping[str, Callable[[Conversation], bool]] = MappingProxyType(
    {
        "I1": _waits_for_one_question,
        "I2": _background_work_is_planned,
        "I3": _nothing_goes_on_in_the_archive,
        "I5": _what_is_confirmed_waits_for_an_ok,
        "I6": _an_interview_begins_with_intro,
        "I7": _what_is_complete_was_approved,
        "I8": _the_stage_fits_the_phase,
        "I10": _work_has_a_goal,
        "I11": _what_waits_has_asked,
    }
)


def find_broken(now: Conversation) -> tuple[str, ...]:
    """Return the names of all invariants that this state breaks; none if it may be saved."""
    return tuple(name for name, holds in INVARIANTS.items() if not holds(now))
