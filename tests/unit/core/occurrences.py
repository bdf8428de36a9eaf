"""Every kind of event from outside, as it would be taken in now by a thread that lives."""

from __future__ import annotations

from app.core.conversation.news import DecisionErased, OwnerChange
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    DecisionClosed,
    DraftEdited,
    EraseConfirmed,
    EraseRequested,
    FiguresConfirmed,
    HelpRequested,
    OwnershipTransferred,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryRequested,
)
from app.core.events.heard import Event
from app.core.state.interview import InterviewCommand, Phase
from tests.unit.core.hubs import begun
from tests.unit.core.interviews import CHANGED, DRAFTED, news, started
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER


def one_of_each(live: Live) -> list[Event]:
    """Every act of the owner, every find of the calendar, and what decisions and their steps begin and tell."""
    last = max(live.rows.values(), key=lambda row: row.seq, default=None)
    reply = last.seq if last else 1
    return [
        live.message("Hello"),
        live.event(RetryPressed, reply=reply),
        live.event(ContinuePressed, reply=reply),
        live.event(StopRequested),
        live.event(EraseRequested),
        live.event(EraseConfirmed),
        live.click("0"),
        live.event(ArchiveRequested),
        live.event(ArchiveConfirmed),
        live.event(ReopenRequested, updated_draft=DRAFTED),
        live.event(ScheduleCancelled),
        live.event(SchedulePaused, card=max(live.now.cards, default=0)),
        live.event(HelpRequested, word="status"),
        live.quiet(),
        live.due(),
        *of_steps(live),
        *of_decisions(live),
    ]


def of_steps(live: Live) -> list[Event]:
    """What the thread of a step hears besides."""
    edition = live.now.interview.edition if live.now.interview else 0
    return [
        started(live),
        live.event(SummaryRequested, signal=InterviewCommand.DONE),
        live.event(SummaryRequested, signal=InterviewCommand.SHOW, notes=DRAFTED),
        live.event(DraftEdited, draft={}, edition=edition, edited_draft=DRAFTED),
        live.event(DraftEdited, draft={}, edition=edition, said="The team", edited_draft=DRAFTED),
        *(live.event(RestartRequested, phase=phase, current_draft=DRAFTED) for phase in Phase),
        live.event(FiguresConfirmed, card=live.now.question.card if live.now.question else 1),
        live.event(StepClosed),
        news(live, CHANGED, updated_draft=DRAFTED),
    ]


def of_decisions(live: Live) -> list[Event]:
    """What the thread of a decision hears besides, and what both do."""
    return [
        begun(live),
        live.event(StepRequested, component="frame"),
        live.event(OwnershipTransferred, to=OTHER),
        live.event(DecisionClosed),
    ]


def from_the_decision(live: Live) -> list[Event]:
    """What a decision tells its steps, but for a new version."""
    return [news(live, OwnerChange(owner=OTHER)), news(live, DecisionErased())]
