"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Two rules. Which events a state allows is in `NEXT` and nowhere else. What follows from a state alone, however it was
reached, is in `_settle` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from app.core import texts
from app.core.effects import Effect, FinishReply, React, RunTurn, TellPrivately
from app.core.errors import FailureKind, IllegalEvent
from app.core.events import (
    EpochStarted,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    RetryPressed,
    TurnEnded,
    WorkParked,
)
from app.core.model import Conversation, Message, MessageStatus, Role, Run, Step, Turn

NEXT: Mapping[Run, Mapping[type[Event], Run]] = MappingProxyType(
    {
        Run.IDLE: {
            MessagePosted: Run.IDLE,
            MessageEdited: Run.IDLE,
            MessageDeleted: Run.IDLE,
            RetryPressed: Run.STREAMING,
            WorkParked: Run.IDLE,
        },
        Run.STREAMING: {
            MessagePosted: Run.STREAMING,
            MessageEdited: Run.STREAMING,
            MessageDeleted: Run.STREAMING,
            EpochStarted: Run.STREAMING,
            TurnEnded: Run.IDLE,
            WorkParked: Run.IDLE,
        },
    }
)
"""`{run: {event: run}}`. A pair that is not here is refused: by name for people's acts, silently for late results."""

REFUSALS: Mapping[tuple[Run, type[Event]], str] = MappingProxyType(
    {(Run.STREAMING, RetryPressed): "BUSY", (Run.IDLE, TurnEnded): "STALE_RUN", (Run.IDLE, EpochStarted): "STALE_RUN"}
)
"""The code of each pair that `NEXT` leaves out (requirements part 6)."""

RETRIABLE_STATES = frozenset({MessageStatus.FAILED, MessageStatus.INTERRUPTED})

UNQUOTED = "{count} earlier messages"
"""What a summary becomes when a message that it may quote is deleted."""

LOCKED = "lock"
"""Slack's name of 🔒, the lasting mark on what was refused because it is not the owner's."""


def step(before: Conversation, event: Event, cause: str) -> Step:
    """Apply one event. `cause` is the receipt it came under: effects get the ids `cause:index`.

    Raises `IllegalEvent`, changing nothing, if it cannot happen now.
    """
    run = NEXT[before.run].get(type(event))
    if run is None:
        raise IllegalEvent(REFUSALS[before.run, type(event)])
    step_made = _react(replace(before, run=run), event, cause)
    return _settle(step_made, cause)


def tell_refusal(before: Conversation, event: Event, code: str, cause: str) -> Conversation:
    """The conversation with what the person is told about an illegal act of theirs, if anything."""
    if not isinstance(event, RetryPressed):
        return before
    text = {"BUSY": texts.BUSY, "NOT_OWNER": texts.NOT_OWNER}.get(code, texts.ALREADY_DONE)
    return _with(before, TellPrivately(id=_id(before, cause), user=event.user, text=_named(text, before)))


def _react(now: Conversation, event: Event, cause: str) -> Step:
    match event:
        case MessagePosted():
            return _posted(now, event, cause)
        case MessageEdited():
            return _edited(now, event)
        case MessageDeleted():
            return _deleted(now, event)
        case RetryPressed():
            return _retried(now, event, cause)
        case TurnEnded():
            return _ended(now, event, cause)
        case EpochStarted():
            return Step(conversation=replace(now, since=event.since, summary=event.summary, plain=now.head))
        case WorkParked():
            return _parked(now, event, cause)
        case _:
            assert_never(event)


def _posted(now: Conversation, event: MessagePosted, cause: str) -> Step:
    row = Message(
        seq=now.head + 1,
        role=Role.PERSON,
        text=event.text,
        ts=event.ts,
        author=event.user,
        author_name=event.user_name,
    )
    after = replace(now, head=row.seq)
    if event.user == now.owner:
        after = replace(after, asked=(*now.asked, row.seq) if event.addressed else now.asked)
    elif event.opens:
        text = _named(texts.OTHERS_ARE_HEARD, after)
        after = _with(after, TellPrivately(id=_id(after, cause), user=event.user, text=text))
        after = _with(after, React(id=_id(after, cause), ts=event.ts, name=LOCKED))
    return Step(conversation=after, messages=(row,))


def _edited(now: Conversation, event: MessageEdited) -> Step:
    said = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    if not said:
        return Step(conversation=now)
    newest = said[-1]
    if newest.seq > now.answered:  # no turn has read it: the person simply said something else
        return Step(conversation=now, messages=(replace(newest, text=event.text),))
    note = replace(newest, seq=now.head + 1, role=Role.NOTE, text=event.text)
    return Step(conversation=replace(now, head=note.seq), messages=(note,))


def _deleted(now: Conversation, event: MessageDeleted) -> Step:
    """Erase the words, also from corrections and summary; replies that had read them are sent as text from now on."""
    held = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    gone = tuple(replace(row, text="", status=MessageStatus.DELETED) for row in held)
    if not gone:
        return Step(conversation=now)
    first = gone[0].seq
    after = replace(
        now,
        asked=tuple(seq for seq in now.asked if seq != first),
        plain=now.head if first <= now.answered else now.plain,
        summary=UNQUOTED.format(count=now.since) if first <= now.since else now.summary,
    )
    return Step(conversation=after, messages=gone)


def _retried(now: Conversation, event: RetryPressed, cause: str) -> Step:
    failed = event.target
    if event.user != now.owner:
        raise IllegalEvent("NOT_OWNER")
    if failed is None or failed.status not in RETRIABLE_STATES or failed.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    again = replace(failed, text="", status=MessageStatus.STREAMING, failure="", reference="", content="")
    # What was still to be shown of the failure is overtaken.
    shown = tuple(e for e in now.effects if not (isinstance(e, FinishReply) and e.reply == again.seq))
    return Step(conversation=_begin(replace(now, effects=shown), again.seq, cause), messages=(again,))


def _ended(now: Conversation, event: TurnEnded, cause: str) -> Step:
    if now.turn is None or now.turn.id != event.turn:
        raise IllegalEvent("STALE_RUN")
    after = replace(now, turn=None, effects=tuple(e for e in now.effects if not isinstance(e, RunTurn)))
    after = _with(after, FinishReply(id=_id(after, cause), reply=event.reply.seq))
    return Step(conversation=after, messages=(event.reply,))


def _parked(now: Conversation, event: WorkParked, cause: str) -> Step:
    """Drop what cannot be done, and say so in the reply it was for, or in one of its own."""
    reply = event.reply or Message(seq=now.head + 1, role=Role.ASSISTANT, text="")
    failed = replace(reply, status=MessageStatus.FAILED, failure=FailureKind.INTERNAL.value, reference=event.reference)
    seq = failed.seq
    after = replace(now, effects=(), turn=None, head=max(now.head, seq), asked=(), answered=max(now.answered, seq))
    return Step(conversation=_with(after, FinishReply(id=_id(after, cause), reply=seq)), messages=(failed,))


def _settle(made: Step, cause: str) -> Step:
    """At rest with something unanswered: start a turn. Its reply gets its row before the model is asked."""
    now = made.conversation
    if now.run is not Run.IDLE or not now.unanswered:
        return made
    reply = Message(seq=now.head + 1, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING)
    after = replace(now, head=reply.seq, run=Run.STREAMING)
    return Step(conversation=_begin(after, reply.seq, cause), messages=(*made.messages, reply))


def _begin(now: Conversation, reply: int, cause: str) -> Conversation:
    turn = Turn(id=f"{reply}.{now.version + 1}", reply=reply)
    after = replace(now, run=Run.STREAMING, turn=turn, asked=(), answered=reply)
    return _with(after, RunTurn(id=_id(after, cause), turn=turn.id))


def _with(now: Conversation, effect: Effect) -> Conversation:
    return replace(now, effects=(*now.effects, effect))


def _id(now: Conversation, cause: str) -> str:
    """`cause:index`, counted over what this cause has already asked for."""
    return f"{cause}:{sum(1 for e in now.effects if e.id.rpartition(':')[0] == cause)}"


def _named(text: str, conversation: Conversation) -> str:
    return text.format(owner=f"<@{conversation.owner}>")
