"""Every event in every state is carried out or refused with a known code; nothing else is raised, nothing is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import get_args

import pytest

from app.core import machine, texts
from app.core.effects import RunTurn
from app.core.errors import BrokenInvariant, IllegalEvent
from app.core.events import (
    EpochStarted,
    Event,
    MessageDeleted,
    MessageEdited,
    TurnEnded,
    WorkParked,
)
from app.core.invariants import broken
from app.core.model import MessageStatus, Role, Step
from app.core.refusals import TELLING
from app.core.states import Run, Status
from tests.unit.core.live import AT_ONCE, CHOICE, DAILY, ONCE, Live, archived, in_background, one_of_each, waiting
from tests.unit.core.threads import OTHER, THREAD

CODES = {"", *TELLING, "STALE_RUN", "ILLEGAL", "UNHEARD"}
"""Requirements part 6, as far as a thread without a component knows them."""

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
    "being erased": lambda: waiting(CHOICE, DAILY).erases(),
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
    yield WorkParked(reference="tw-1", at=live.ts, reply=live.reply if live.now.turn else None, cards=live.cards)
    yield TurnEnded(turn="0.0", reply=Live().says("Hi").reply, at=live.ts)
    if live.now.turn:
        for status in {*MessageStatus} - {MessageStatus.STREAMING, MessageStatus.OPEN, MessageStatus.DELETED}:
            closed = replace(live.reply, text="x", status=status, calls=(DAILY, CHOICE))
            yield TurnEnded(turn=live.now.turn.id, reply=closed, at=live.ts, cards=live.cards)
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
        assert turns == ([now.turn.id] if now.turn else [])
        assert (now.turn is None) is (now.run is Run.IDLE)


def test_a_step_into_a_state_that_cannot_be_is_a_bug_and_is_not_taken() -> None:
    live = waiting()
    live.now = replace(live.now, status=Status.ACTIVE)
    with pytest.raises(BrokenInvariant, match="I1"):
        machine.step(live.now, live.message("Hi"), "cause")


def test_the_states_are_all_there_are() -> None:
    met = {(live.now.status, live.now.run) for live in (make() for make in STATES.values())}
    possible = {(status, run) for status in Status for run in Run} - {(Status.ARCHIVED, Run.STREAMING)}
    assert met == possible


def test_every_code_with_words_has_its_own_or_shares_them_on_purpose() -> None:
    shared = [code for code, text in TELLING.items() if list(TELLING.values()).count(text) > 1]
    assert shared == ["NO_QUESTION", "QUESTION_CLOSED"]
    assert TELLING["NO_QUESTION"] == texts.ALREADY_DONE
