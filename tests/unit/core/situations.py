"""Conversations in every state they can be in, and all that may happen to each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.news import StepEvent
from app.core.events.acts import ReopenRequested
from app.core.events.heard import Event, MessageDeleted, MessageEdited, build_file_deleted
from app.core.events.internal import (
    ChannelLost,
    EpochStarted,
    EventParked,
    StageReached,
    ThreadSummarized,
    ToolUsesReported,
    TurnEnded,
    TurnTakenUp,
)
from app.core.state.interview import InterviewCommand, Phase, Stage
from app.core.state.tool_use import UseState
from tests.unit.core.hubs import HubThread, all_approved, move, under_way
from tests.unit.core.interviews import (
    DRAFTED,
    FLAGGED,
    IN_PHASE,
    LACKING,
    MATERIAL,
    NO,
    OTHER_DRAFT,
    READY,
    YES,
    StepThread,
    clarifying,
    complete,
    confirming,
    extracting,
    gathering,
    news,
    ready,
    reopened,
)
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, ONCE, Live
from tests.unit.core.lives import archived, in_background, permitting, use, waiting
from tests.unit.core.occurrences import from_the_decision, one_of_each
from tests.unit.core.threads import OTHER, THREAD


def answering_on(step: StepThread) -> StepThread:
    """The answer of a step has noted something in its first round, and its second one is under way."""
    step.says("The name is not right.")
    use_: dict[str, Any] = {"type": "tool_use", "id": "n1", "name": "change_item", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "n1", "content": "{}"}
    said: list[dict[str, Any]] = [{"role": "assistant", "content": [use_]}, {"role": "user", "content": [result]}]
    calls = (step.notes(OTHER_DRAFT),)
    step.reports(content=json.dumps(said), calls=calls, finished_calls=len(calls), rounds=1, text="")
    return step


UNENDED = {MessageStatus.STREAMING, MessageStatus.OPEN, MessageStatus.DELETED, MessageStatus.HELD}

STATES: Mapping[str, Callable[[], Live]] = {
    "new": Live,
    "at rest": lambda: Live().talks(),
    "after a failure": lambda: Live().says("Hi").replies("", status=MessageStatus.FAILED),
    "cut off at its longest": lambda: Live().says("Hi").replies("half", status=MessageStatus.TRUNCATED),
    "answering": lambda: Live().says("Hi"),
    "answering, more waits": lambda: Live().says("Hi").says("And?"),
    "waiting": waiting,
    "waiting, planned": lambda: waiting(CHOICE, DAILY),
    "waiting, answering": lambda: waiting(CHOICE, ONCE).says("What?"),
    "in the background": in_background,
    "in the background, once": lambda: in_background(ONCE),
    "in the background, answering": lambda: in_background(AT_ONCE).says("Hi"),
    "running by schedule": lambda: in_background().is_due(),
    "due while answering": lambda: in_background().says("Hi").is_due(),
    "archived": archived,
    "waiting for a permission": permitting,
    "waiting for a permission, planned": lambda: permitting(DAILY),
    "waiting for a permission, more waits": lambda: (
        Live().says("Hi").says("And?").reports(use(state=UseState.ASKED)).posts_cards()
    ),
    "running by schedule, waiting for a permission": lambda: (
        in_background().is_due().reports(use(state=UseState.ASKED)).posts_cards()
    ),
    "allowed": lambda: permitting().clicks("0"),
    "told to wait": lambda: permitting().clicks("2"),
    "doing something outside": lambda: Live().says("Hi").reports(use(state=UseState.STARTED)),
    "being erased": lambda: waiting(CHOICE, DAILY).erases(),
    "a step, ready": ready,
    "a step, answering its first message": lambda: StepThread().says("Hi"),
    "a step in intro": IN_PHASE[Phase.INTRO],
    "a step in gather": gathering,
    "a step in gather, answering": lambda: gathering().says("And?"),
    "a step in gather, a summary wanted": lambda: gathering().says("And?").signals(),
    "a step in gather, waiting": lambda: gathering().answers("Which?", CHOICE).posts_cards(),
    "a step in clarify": clarifying,
    "a step in extract": extracting,
    "a step in extract, serialising": lambda: extracting().reaches(Stage.SERIALIZE),
    "a step whose extraction failed": lambda: extracting().fails(),
    "a step that waits for an OK": confirming,
    "a step that lacks something": lambda: confirming(LACKING),
    "a step that waits for an OK, answering": lambda: confirming().says("Why?"),
    "a step that waits for an OK, answering in a second round": lambda: answering_on(confirming()),
    "a step that waits for an OK, archived": lambda: confirming().archives(confirmed=True),
    "a step that is complete": complete,
    "a step that is complete, still answering": lambda: confirming().says("Why?").clicks("0"),
    "a step that is complete, archived": lambda: complete().archives(),
    "a step that is reopened": reopened,
    "a decision": HubThread,
    "a decision whose steps have begun": under_way,
    "a decision whose steps are approved": all_approved,
    "a decision that is closed": lambda: all_approved().closes(),
}


def happenings(live: Live) -> Iterator[Event]:
    """Every kind of event, and more than one of those that depend on what they come with."""
    yield from one_of_each(live)
    person = next((row for row in live.transcript if row.role is Role.PERSON), None)
    rows = (person,) if person else ()
    edited = MessageEdited(receipt="e", thread=THREAD, ts="1.1", at=live.ts, user=OTHER, text="x")
    yield live.finds(edited, targets=rows)
    yield live.finds(MessageDeleted(receipt="d", thread=THREAD, ts="1.1", at=live.ts), targets=rows)
    yield build_file_deleted(THREAD, "F1", live.ts)
    yield live.message("Hello", OTHER, opens=True)
    yield live.message("<@UANN> hello", addressed=False)
    yield live.message("Show me what you've captured", signal=InterviewCommand.SHOW)
    yield live.event(ReopenRequested, message="9.9", updated_draft=DRAFTED, left_message=MATERIAL[0])
    yield live.message("bye", was_idle=True)
    yield live.message("never mind")
    yield live.message("Hello", retry_after=3)
    yield EpochStarted(since=live.now.since, summary="s")
    yield ThreadSummarized(summary="s", due=live.now.summary_due)
    yield StageReached(stage=Stage.SERIALIZE)
    yield from from_the_decision(live)
    for on in StepEvent:
        yield news(live, move("frame", on, version=2))
    yield EventParked(reference="tw-1", at=live.ts, reply=live.reply if live.now.turn else None)
    yield ChannelLost(effect="r1:0", at=live.ts)
    yield TurnEnded(turn="0.0", reply=Live().says("Hi").reply, at=live.ts)
    yield ToolUsesReported(turn="0.0", reply=Live().says("Hi").reply, uses=(use(),), rounds=1, at=live.ts)
    yield TurnTakenUp(turn="0.0", reply=Live().says("Hi").reply)
    if live.now.turn:
        yield TurnTakenUp(turn=live.now.turn.id, reply=live.reply)
        for state in UseState:
            yield live.reported(use(state=state), use("t9"))
        for status in {*MessageStatus} - UNENDED:
            closed = replace(live.reply, text="x", status=status, calls=(DAILY, CHOICE, FLAGGED, READY, YES, NO))
            yield TurnEnded(turn=live.now.turn.id, reply=closed, at=live.ts)
