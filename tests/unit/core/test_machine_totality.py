"""Every event in every state is carried out or refused with a known code; nothing else is raised, nothing is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import get_args

import pytest

from app.core import machine, texts
from app.core.effects import RunTurn
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import Event, MessageDeleted, MessageEdited
from app.core.findings import EpochStarted, PlaceLost, StageReached, TurnEnded, TurnTakenUp, UsesReported, WorkParked
from app.core.invariants import broken
from app.core.model import MessageStatus, Role, Step
from app.core.news import StepOn
from app.core.refusals import TELLING
from app.core.states import Kind, Phase, Run, Stage, Status
from app.core.uses import UseState
from tests.unit.core.hubs import HubThread, all_approved, move, under_way
from tests.unit.core.interviews import (
    FLAGGED,
    IN_PHASE,
    LACKING,
    NO,
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

CODES = {"", *TELLING, "STALE_RUN", "ILLEGAL", "UNHEARD"}
"""Requirements part 6, as far as a thread without a component knows them."""

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
    yield MessageEdited(receipt="e", thread=THREAD, ts="1.1", at=live.ts, user=OTHER, text="x", targets=rows)
    yield MessageDeleted(receipt="d", thread=THREAD, ts="1.1", at=live.ts, targets=rows)
    yield live.message("Hello", OTHER, opens=True)
    yield live.message("<@UANN> hello", addressed=False)
    yield live.message("bye", idle=True)
    yield live.message("Hello", wait=3)
    yield EpochStarted(since=live.now.since, summary="s")
    yield StageReached(stage=Stage.SERIALIZE)
    yield from from_the_decision(live)
    for on in StepOn:
        yield news(live, move("frame", on, version=2))
    yield WorkParked(reference="tw-1", at=live.ts, reply=live.reply if live.now.turn else None, cards=live.cards)
    yield PlaceLost(effect="r1:0", at=live.ts, cards=live.cards)
    yield TurnEnded(turn="0.0", reply=Live().says("Hi").reply, at=live.ts)
    yield UsesReported(turn="0.0", reply=Live().says("Hi").reply, uses=(use(),), rounds=1, at=live.ts)
    yield TurnTakenUp(turn="0.0", reply=Live().says("Hi").reply)
    if live.now.turn:
        yield TurnTakenUp(turn=live.now.turn.id, reply=live.reply)
        for state in UseState:
            yield live.reported(use(state=state), use("t9"))
        for status in {*MessageStatus} - UNENDED:
            closed = replace(live.reply, text="x", status=status, calls=(DAILY, CHOICE, FLAGGED, READY, YES, NO))
            yield TurnEnded(turn=live.now.turn.id, reply=closed, at=live.ts, cards=live.cards)
            if live.now.kind is Kind.FREE:
                yield TurnEnded(turn=live.now.turn.id, reply=closed, at=live.ts)


def stepped(live: Live, event: Event) -> tuple[Step, str]:
    """What the event makes of it, and the code if it was refused."""
    try:
        return machine.step(live.now, event, "cause"), ""
    except IllegalEvent as refusal:
        return machine.refuse(live.now, event, refusal.code, "cause"), refusal.code


@pytest.mark.parametrize("name", STATES)
def test_every_event_is_carried_out_or_refused_with_a_known_code(name: str) -> None:
    live = STATES[name]()
    events = list(happenings(live))
    assert {type(event) for event in events} == set(get_args(Event))
    for event in events:
        made, code = stepped(live, event)
        now = made.conversation
        assert code in CODES
        assert broken(now) == ()
        assert (now.version, now.fence, now.id, now.thread) == (
            live.now.version,
            live.now.fence,
            live.now.id,
            live.now.thread,
        )
        turns = [effect.turn for effect in now.effects if isinstance(effect, RunTurn)]
        assert turns == ([now.turn.id] if now.turn and now.run is Run.STREAMING else [])
        assert (now.turn is None) is (now.run is Run.IDLE)


def test_a_step_into_a_state_that_cannot_be_is_a_bug_and_is_not_taken() -> None:
    live = waiting()
    live.now = replace(live.now, status=Status.ACTIVE)
    with pytest.raises(BrokenInvariant, match="I1"):
        machine.step(live.now, live.message("Hi"), "cause")


def test_the_states_are_all_there_are() -> None:
    threads = [make().now for make in STATES.values()]
    met = {(now.status, now.run) for now in threads if now.kind is Kind.FREE}
    possible = {(status, run) for status in Status for run in (Run.IDLE, Run.STREAMING)}
    possible -= {(Status.ARCHIVED, Run.STREAMING)}
    assert met == possible | {(Status.WAITING_INPUT, Run.AWAITING)}
    assert {now.phase for now in threads if now.kind is Kind.COMPONENT} == set(Phase)


def test_every_code_with_words_has_its_own_or_shares_them_on_purpose() -> None:
    shared = [code for code, text in TELLING.items() if list(TELLING.values()).count(text) > 1]
    assert shared == ["NO_QUESTION", "QUESTION_CLOSED"]
    assert TELLING["NO_QUESTION"] == texts.ALREADY_DONE
