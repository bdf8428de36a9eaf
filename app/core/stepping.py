"""What happens to decisions and to the threads of their steps, led to where it belongs."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from app.core import asking, confirming, deciding, filing, interviewing, lifecycle, options, phases, revising, turns
from app.core.calls import AskPerson
from app.core.events import (
    ComponentStarted,
    DecisionClosed,
    DecisionStarted,
    DraftEdited,
    NewsHeard,
    OwnershipGiven,
    RestartRequested,
    StepClosed,
    StepRequested,
    SummaryAsked,
)
from app.core.goal import GoalState
from app.core.interview import Drafted, Interview, Mode
from app.core.lifecycle import LifecycleOn
from app.core.model import Conversation, Message, Role, Step
from app.core.news import DecisionErased, OwnerChange, StepMove, StepOn, UpstreamChange
from app.core.phase import PhaseOn
from app.core.question import QuestionKind
from app.core.states import Kind
from app.core.steps import Occasion, joined

Acted = SummaryAsked | DraftEdited | RestartRequested | StepClosed | StepRequested | OwnershipGiven | DecisionClosed


def told(now: Conversation, event: DecisionStarted | ComponentStarted | NewsHeard, cause: str) -> Step:
    """A decision or a step begins, or one tells the other something."""
    match event:
        case DecisionStarted():
            return deciding.started(now, event, Occasion(cause=cause, at=event.at))
        case ComponentStarted():
            return _began(now, event, cause)
        case NewsHeard():
            return _heard(now, event, cause)
        case _:
            assert_never(event)


def acted(now: Conversation, event: Acted, cause: str) -> Step:
    """The owner has done something to a step or to the decision. Raises `IllegalEvent`."""
    on = Occasion.of(event, cause)
    match event:
        case SummaryAsked():
            return interviewing.signalled(now, on, event.user)
        case DraftEdited():
            return revising.filled_in(now, event, on) if event.said else revising.edited(now, event, on)
        case RestartRequested() | StepClosed():
            return _turned(now, event, on)
        case StepRequested():
            return deciding.requested(now, event, on)
        case OwnershipGiven():
            return deciding.handed_over(now, event, on)
        case DecisionClosed():
            return deciding.closed(now, event, on)
        case _:
            assert_never(event)


def _turned(now: Conversation, event: RestartRequested | StepClosed, on: Occasion) -> Step:
    """The interview turns elsewhere: what runs ends first, and leads nowhere."""
    if isinstance(event, RestartRequested) and not phases.restarts(now, event):
        return Step(conversation=now)
    made = turns.closed(now, event.partial, on) if now.turn else Step(conversation=now)
    made = interviewing.broken_off(made, on)
    quiet = made.conversation
    then = revising.restarted(quiet, event, on) if isinstance(event, RestartRequested) else revising.closed(quiet, on)
    return joined(made, then)


def _began(now: Conversation, event: ComponentStarted, cause: str) -> Step:
    """A step's thread is set up (S0-049 to S0-051); in direct mode it is drafted at once from what is there."""
    assert event.prepared is not None, "whoever steps it brings along what the component is"
    lead = Interview(
        decision=event.decision,
        component=event.component,
        prepared=event.prepared,
        mode=event.mode,
        example=event.example,
        handles=event.handles,
    )
    begun = replace(
        now,
        kind=Kind.COMPONENT,
        goals=GoalState(),
        lifecycle=lifecycle.INITIAL,
        title=options.shortened(" · ".join(filter(None, (event.prepared.title, event.question)))),
        newest=max(now.newest, event.at),
    )
    made = interviewing.opened(begun, lead, cause)
    made = joined(made, Step(conversation=confirming.telling_decision(made.conversation, cause, StepOn.STARTED)))
    if now.head:  # whoever posted its first message died over it, and somebody has written meanwhile
        made = joined(made, Step(conversation=_spoken_in(made.conversation)))
    if event.drafted:
        return joined(made, _finished(made.conversation, event.drafted, Occasion(cause=cause, at=event.at)))
    if event.material:
        return joined(made, _drafted_from(made.conversation, event, cause))
    return joined(made, _asking_first(made.conversation, lead, Occasion(cause=cause, at=event.at)))


def _asking_first(now: Conversation, lead: Interview, on: Occasion) -> Step:
    """What the opening leads up to is asked with buttons, if there is anything to choose (S0-099)."""
    brought = lead.prepared
    if not brought.choices or lead.mode is Mode.DIRECT:
        return Step(conversation=now)
    asks = AskPerson(type=QuestionKind.CHOICE, prompt=brought.question, options=brought.choices, other=True)
    return asking.ask(now, asks, on)


def _finished(now: Conversation, drafted: Drafted, on: Occasion) -> Step:
    """A step of the worked example: its result is there and approved, by the same way as any other."""
    made = interviewing.extracting(_spoken_in(now), PhaseOn.DONE_WITH_CONTENT, on.cause)
    made = joined(made, interviewing.validated(made.conversation, drafted, on))
    return joined(made, confirming.approve(made.conversation, on.after(made)))


def _drafted_from(now: Conversation, event: ComponentStarted, cause: str) -> Step:
    """What was said elsewhere becomes part of the transcript, and the extraction begins (S4-018)."""
    rows = tuple(
        Message(seq=seq, role=Role.PERSON, text=said.text, ts=said.ts, author=said.author, author_name=said.name)
        for seq, said in enumerate(event.material, now.head + 1)
    )
    after = replace(_spoken_in(now), head=now.head + len(rows))
    made = Step(conversation=after, messages=rows)
    return joined(made, interviewing.summarising(after, PhaseOn.DONE_WITH_CONTENT, cause))


def _spoken_in(now: Conversation) -> Conversation:
    """The same with something said that a result can be made of."""
    lived = lifecycle.moved(now.lifecycle, LifecycleOn.MESSAGE_POSTED)
    return replace(now, lifecycle=lived, interview=replace(confirming.interview_of(now), has_content=True))


def _heard(now: Conversation, event: NewsHeard, cause: str) -> Step:
    on, news = Occasion.of(event, cause), event.news
    match news:
        case StepMove():
            return deciding.heard(now, news, on)
        case UpstreamChange():
            return revising.ground_changed(now, news, event.drafted, on)
        case OwnerChange():
            return revising.owned_by(now, news.owner, on)
        case DecisionErased():
            return filing.erased_with_decision(now, event, cause)
        case _:
            assert_never(news)
