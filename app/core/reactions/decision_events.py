"""Reactions to events of decisions and of their steps' threads."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from app.core.conversation.call import AskPerson
from app.core.conversation.card import GroundCard
from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.news import (
    DecisionErased,
    NameChange,
    NextStepMove,
    OwnerChange,
    StepEvent,
    StepMove,
    UpstreamChange,
)
from app.core.conversation.transition import Trigger, combine, queue_card
from app.core.decisions import approval, hub, interview_turns, interviewing, phases, revision
from app.core.events.acts import RestartRequested, StepClosed
from app.core.events.heard import ComponentStarted, NoticeReceived
from app.core.pending import asking
from app.core.reactions import archive
from app.core.state import lifecycle
from app.core.state.goal import GoalState
from app.core.state.interview import Interview, JudgedDraft, Mode, PhaseEvent
from app.core.state.lifecycle import LifecycleEvent
from app.core.state.question import QuestionKind
from app.core.state.status import Kind
from app.core.turns import turns


def on_restart_requested(before: Conversation, event: RestartRequested, trigger: Trigger) -> Transition:
    """Continue from another phase, after the active turn has ended. Raises `IllegalEvent`."""
    if not phases.restarts(before, event, trigger.facts):
        return Transition(conversation=before)
    made = _stop_turn(before, trigger)
    return combine(made, revision.restart(made.conversation, event, trigger))


def on_step_closed(before: Conversation, event: StepClosed, trigger: Trigger) -> Transition:
    """Close the step with its approved version, after the active turn has ended. Raises `IllegalEvent`."""
    made = _stop_turn(before, trigger)
    return combine(made, revision.close(made.conversation, trigger))


def _stop_turn(now: Conversation, trigger: Trigger) -> Transition:
    """End the active turn and break off its extraction."""
    made = turns.close_turn(now, trigger.facts.closed_reply, trigger) if now.turn else Transition(conversation=now)
    return interview_turns.break_off(made, trigger)


def on_component_started(before: Conversation, event: ComponentStarted, trigger: Trigger) -> Transition:
    """Set up the thread of a step. In direct mode, start an extraction from the material at once."""
    prepared = trigger.facts.prepared
    assert prepared is not None, "the row asks for the component's definition"
    lead = Interview(
        decision=event.decision,
        component=event.component,
        prepared=prepared,
        question=event.question,
        mode=event.mode,
        example=event.example,
        handles=event.handles,
    )
    begun = replace(
        before,
        kind=Kind.COMPONENT,
        goals=GoalState(),
        lifecycle=lifecycle.INITIAL,
        title=approval.build_title(lead, event.name or event.question),
        newest=max(before.newest, event.at),
    )
    made = interviewing.set_up(begun, lead, trigger.cause)
    made = approval.tell_decision(made, trigger.cause, StepEvent.STARTED)
    # The process that posted the first Slack message died, and a person has written meanwhile.
    if before.head:
        made = combine(made, Transition(conversation=_mark_content(made.conversation)))
    if trigger.facts.example_draft:
        return combine(made, _finish_example(made.conversation, trigger.facts.example_draft, trigger))
    if event.material:
        return combine(made, _draft_from_material(made.conversation, event, trigger))
    if prepared.lacks and lead.mode is not Mode.DIRECT:
        ground = GroundCard(step=prepared.lacks, decision=lead.decision)
        made = combine(made, queue_card(made.conversation, trigger, ground, changes=False))
    return combine(made, _ask_first(made.conversation, lead, trigger))


def _ask_first(now: Conversation, lead: Interview, trigger: Trigger) -> Transition:
    """Ask the question of the opening with buttons, if the component defines choices."""
    brought = lead.prepared
    if not brought.choices or lead.mode is Mode.DIRECT:
        return Transition(conversation=now)
    asks = AskPerson(type=QuestionKind.CHOICE, prompt=brought.question, options=brought.choices, other=True)
    return asking.ask(now, asks, trigger)


def _finish_example(now: Conversation, drafted: JudgedDraft, trigger: Trigger) -> Transition:
    """Approve the ready result of a step of the worked example, on the same path as any other."""
    made = interviewing.enter_extraction(_mark_content(now), PhaseEvent.DONE_WITH_CONTENT, trigger.cause)
    made = combine(made, interview_turns.present_draft(made.conversation, drafted, trigger))
    return combine(made, approval.approve(made.conversation, trigger.after(made)))


def _draft_from_material(now: Conversation, event: ComponentStarted, trigger: Trigger) -> Transition:
    """Add the discussion from elsewhere to the transcript, and start the extraction."""
    rows = interviewing.build_material_rows(event.material, now.head + 1)
    after = replace(_mark_content(now), head=now.head + len(rows))
    made = Transition(conversation=after, messages=rows)
    return combine(made, interviewing.request_extraction(after, PhaseEvent.DONE_WITH_CONTENT, trigger.cause))


def _mark_content(now: Conversation) -> Conversation:
    """Mark the interview as having content that a result can be made from."""
    lived = lifecycle.move(now.lifecycle, LifecycleEvent.MESSAGE_POSTED)
    return replace(now, lifecycle=lived, interview=replace(approval.require_interview(now), has_content=True))


def on_notice_received(before: Conversation, event: NoticeReceived, trigger: Trigger) -> Transition:
    """Apply a notice from another conversation. Raises `IllegalEvent`."""
    news = event.news
    match news:
        case StepMove():
            return hub.on_step_move(before, news, trigger)
        case UpstreamChange():
            return revision.on_upstream_change(before, news, trigger.facts.updated_draft, trigger)
        case NextStepMove():
            return revision.follow_next_step(before, news, trigger)
        case OwnerChange():
            return revision.change_owner(before, news.owner, trigger)
        case NameChange():
            return Transition(conversation=approval.name_step(before, news.name))
        case DecisionErased():
            return archive.on_decision_erased(before, event, trigger)
        case _:
            assert_never(news)
