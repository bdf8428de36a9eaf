"""The machine: what an event makes of a conversation. Pure; it knows no Slack, no model, no clock.

Two rules. Which events a state allows, and from whom, is in the tables of `app.core.run` and nowhere else. What follows
from a state alone, however it was reached, is in `_settle` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from app.core import guards, texts, trail
from app.core.effects import Effect, Erase, FinishReply, OfferErase, React, RunTurn, TellPrivately, Unreact
from app.core.errors import FailureKind, IllegalEvent
from app.core.events import (
    ContinuePressed,
    EpochStarted,
    EraseConfirmed,
    EraseRequested,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    RetryPressed,
    StopRequested,
    TurnEnded,
    WorkParked,
)
from app.core.model import Conversation, Message, MessageStatus, Role, Run, Step, Turn
from app.core.run import NEXT

RETRIABLE_STATES = frozenset({MessageStatus.FAILED, MessageStatus.INTERRUPTED})

TELLING: Mapping[str, str] = MappingProxyType(
    {
        "BUSY": texts.BUSY,
        "ERASING": texts.ERASING,
        "NOT_OWNER": texts.NOT_OWNER,
        "NO_STREAM": texts.NO_STREAM,
        "QUESTION_CLOSED": texts.ALREADY_DONE,
        "RATE_LIMITED": texts.RATE_LIMITED,
    }
)
"""What a person is told when their act is refused; of other codes people hear nothing."""

LOCKED, QUEUED, TOO_FAST = "lock", "hourglass_flowing_sand", "snail"
"""Slack's names of 🔒 (not yours), ⏳ (waits for its turn) and 🐌 (over the limit): marks that last, as words told
privately do not."""

MARKS: Mapping[str, str] = MappingProxyType({"NOT_OWNER": LOCKED, "RATE_LIMITED": TOO_FAST})

UNQUOTED = "{count} earlier messages"
"""What a summary becomes when a message that it may quote is deleted."""

FRESH_STARTS = 3
"""How many processes may die over a turn that has shown nothing before it is closed instead of run once more."""


def step(before: Conversation, event: Event, cause: str) -> Step:
    """Apply one event. `cause` is the receipt it came under: effects get the ids `cause:index`.

    Raises `IllegalEvent`, changing nothing, if it cannot happen now.
    """
    if code := guards.refusal(before, event):
        raise IllegalEvent(code)
    run = NEXT[before.run][type(event)]
    made = _settle(_react(replace(before, run=run), event, cause), cause)
    return replace(made, audit=(*trail.of_step(before, event, run, made), *made.audit))


def refuse(before: Conversation, event: Event, code: str, cause: str) -> Step:
    """What an illegal event leaves behind: a line in the trail and, if it was a person's act, words and a mark."""
    after = before
    user = str(getattr(event, "user", ""))
    if user and code in TELLING:
        wait = texts.wait(event.wait) if isinstance(event, MessagePosted) else ""
        text = TELLING[code].format(owner=f"<@{before.owner}>", wait=wait)
        after = _with(after, TellPrivately(id=_id(after, cause), user=user, text=text))
    if code in MARKS and _is_written(event):
        after = _with(after, React(id=_id(after, cause), ts=str(getattr(event, "ts", "")), name=MARKS[code]))
    return Step(conversation=after, audit=(trail.refusal(before, event, code, cause),))


def closed_after_death(now: Conversation, reply: Message) -> Message | None:
    """The reply of a turn whose process died, closed as far as it came; None if the turn can simply be run again.

    That is so while nothing of it has been shown: a text is kept before it is sent to Slack.
    """
    assert now.turn is not None, "only a turn under way can be taken over"
    if reply.status is not MessageStatus.STREAMING:
        return reply
    if not reply.text and not reply.parts and now.fence - now.turn.fence < FRESH_STARTS:
        return None
    return replace(reply, status=MessageStatus.INTERRUPTED)


def _is_written(event: Event) -> bool:
    return isinstance(event, (MessagePosted, EraseRequested)) or (isinstance(event, StopRequested) and event.written)


def _react(now: Conversation, event: Event, cause: str) -> Step:
    match event:
        case MessagePosted():
            return _posted(now, event, cause)
        case MessageEdited():
            return _edited(now, event)
        case MessageDeleted():
            return _deleted(now, event, cause)
        case TurnEnded():
            return _ended(now, event, cause)
        case EpochStarted():
            return Step(conversation=replace(now, since=event.since, summary=event.summary, plain=now.head))
        case WorkParked():
            return _parked(now, event, cause)
        case _:
            return _acted(now, event, cause)


def _acted(
    now: Conversation,
    event: RetryPressed | ContinuePressed | StopRequested | EraseRequested | EraseConfirmed,
    cause: str,
) -> Step:
    match event:
        case RetryPressed():
            return _retried(now, event, cause)
        case ContinuePressed():
            return _continued(now, event, cause)
        case StopRequested():
            return _closed(now, event.partial, cause)
        case EraseRequested():
            return Step(conversation=_with(now, OfferErase(id=_id(now, cause), user=event.user)))
        case EraseConfirmed():
            return _erased(now, event, cause)
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
        late=event.ts < now.heard,
    )
    after = replace(now, head=row.seq, newest=max(now.newest, event.ts))
    if event.user == now.owner:
        return Step(conversation=_asked(after, event, cause) if event.addressed else after, messages=(row,))
    if not event.opens:
        return Step(conversation=after, messages=(row,))
    text = texts.OTHERS_ARE_HEARD.format(owner=f"<@{now.owner}>")
    after = _with(after, TellPrivately(id=_id(after, cause), user=event.user, text=text))
    after = _with(after, React(id=_id(after, cause), ts=event.ts, name=LOCKED))
    return Step(conversation=after, messages=(row,), audit=(trail.refusal(now, event, "NOT_OWNER", cause),))


def _asked(now: Conversation, event: MessagePosted, cause: str) -> Conversation:
    """The row at the head wants an answer; while another one is given it is marked as waiting."""
    after = replace(now, asked=(*now.asked, now.head), asked_by=cause)
    if now.run is Run.IDLE:
        return after
    marked = replace(after, queued=(*after.queued, event.ts))
    return _with(marked, React(id=_id(marked, cause), ts=event.ts, name=QUEUED))


def _edited(now: Conversation, event: MessageEdited) -> Step:
    said = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    if not said:
        return Step(conversation=now)
    newest = said[-1]
    if newest.seq > now.answered:  # no turn has read it: the person simply said something else
        return Step(conversation=now, messages=(replace(newest, text=event.text),))
    note = replace(newest, seq=now.head + 1, role=Role.NOTE, text=event.text)
    return Step(conversation=replace(now, head=note.seq), messages=(note,))


def _deleted(now: Conversation, event: MessageDeleted, cause: str) -> Step:
    """Erase the words, also from corrections and summary; replies that had read them are sent as text from now on."""
    if not event.targets:
        return Step(conversation=now)
    # Rows that are gone already count as well: the save that erased them may not have come to the state.
    first = event.targets[0].seq
    held = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    gone = tuple(replace(row, text="", status=MessageStatus.DELETED) for row in held)
    after = replace(
        _unmarked(now, cause, event.ts),
        asked=tuple(seq for seq in now.asked if seq != first),
        plain=now.head if first <= now.answered else now.plain,
        summary=UNQUOTED.format(count=now.since) if first <= now.since else now.summary,
    )
    return Step(conversation=after, messages=gone)


def _retried(now: Conversation, event: RetryPressed, cause: str) -> Step:
    """Answer again in the same Slack messages, in a row of its own: what was written since the failure is read too."""
    failed = event.target
    if failed is None or not _can_be_retried(failed) or failed.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    # Who pressed saw the last message of it, even if whoever posted that died before it was written down.
    parts = failed.parts if event.ts in failed.parts else (*failed.parts, event.ts)
    again = _reply_row(now, parts=parts)
    # What was still to be shown of the failure is overtaken.
    shown = tuple(e for e in now.effects if not (isinstance(e, FinishReply) and e.reply == failed.seq))
    begun = _begin(replace(now, head=again.seq, effects=shown), again.seq, cause, event.at)
    return Step(conversation=begun, messages=(again,))


def _can_be_retried(reply: Message) -> bool:
    """True for what went wrong, and for what was stopped before its first word: that may have been a mistake."""
    stopped_early = reply.status is MessageStatus.CANCELLED and not reply.text.strip()
    return reply.status in RETRIABLE_STATES or stopped_early


def _continued(now: Conversation, event: ContinuePressed, cause: str) -> Step:
    """Ask for the rest in the owner's name; the reply that was cut off is whole with what follows, and shows so."""
    cut = event.target
    # It is COMPLETE already if the save that made it so did not come to the state.
    if cut is None or cut.status not in (MessageStatus.TRUNCATED, MessageStatus.COMPLETE) or cut.seq < now.answered:
        raise IllegalEvent("QUESTION_CLOSED")
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=texts.GO_ON, author=event.user)
    newest = max(now.newest, event.at)
    after = replace(now, head=wish.seq, newest=newest, asked=(*now.asked, wish.seq), asked_by=cause)
    after = _with(after, FinishReply(id=_id(after, cause), reply=cut.seq))
    return Step(conversation=after, messages=(replace(cut, status=MessageStatus.COMPLETE), wish))


def _ended(now: Conversation, event: TurnEnded, cause: str) -> Step:
    if now.turn is None or now.turn.id != event.turn:
        raise IllegalEvent("STALE_RUN")
    return _closed(now, event.reply, cause)


def _closed(now: Conversation, reply: Message | None, cause: str) -> Step:
    assert reply is not None, "who ends a turn brings its reply, closed"
    after = replace(now, turn=None, effects=tuple(e for e in now.effects if not isinstance(e, RunTurn)))
    after = _with(after, FinishReply(id=_id(after, cause), reply=reply.seq))
    return Step(conversation=after, messages=(reply,), audit=(trail.of_run(now, reply),))


def _erased(now: Conversation, event: EraseConfirmed, cause: str) -> Step:
    """What was asked is not answered any more; an answer under way ends where it is."""
    made = _closed(now, event.partial, cause) if now.turn else Step(conversation=now)
    after = _unmarked(replace(made.conversation, asked=()), cause, *now.queued)
    return replace(made, conversation=_with(after, Erase(id=_id(after, cause), user=event.user)))


def _parked(now: Conversation, event: WorkParked, cause: str) -> Step:
    """Drop what cannot be done, and say so in the reply it was for, or in one of its own."""
    reply = event.reply or Message(seq=now.head + 1, role=Role.ASSISTANT, text="")
    failed = replace(reply, status=MessageStatus.FAILED, failure=FailureKind.INTERNAL.value, reference=event.reference)
    kept = tuple(e for e in now.effects if e.id != event.effect and not isinstance(e, RunTurn))
    seq = failed.seq
    after = replace(now, effects=kept, turn=None, head=max(now.head, seq), answered=max(now.answered, seq))
    return Step(conversation=_with(after, FinishReply(id=_id(after, cause), reply=seq)), messages=(failed,))


def _settle(made: Step, cause: str) -> Step:
    """At rest with something unanswered: start a turn. Its reply gets its row before the model is asked."""
    now = made.conversation
    if now.run is not Run.IDLE or not now.unanswered:
        return made
    reply = _reply_row(now)
    after = replace(now, head=reply.seq, run=Run.STREAMING)
    return replace(made, conversation=_begin(after, reply.seq, cause), messages=(*made.messages, reply))


def _reply_row(now: Conversation, parts: tuple[str, ...] = ()) -> Message:
    return Message(seq=now.head + 1, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING, parts=parts)


def _begin(now: Conversation, reply: int, cause: str, at: str = "") -> Conversation:
    asked_by, since = now.asked_by if now.asked else cause, max(now.newest, at)
    turn = Turn(id=f"{reply}.{now.version + 1}", reply=reply, fence=now.fence, cause=asked_by, since=since)
    begun = replace(now, run=Run.STREAMING, turn=turn, asked=(), answered=reply, heard=now.newest)
    after = _unmarked(begun, cause, *now.queued)
    return _with(after, RunTurn(id=_id(after, cause), turn=turn.id))


def _unmarked(now: Conversation, cause: str, *gone: str) -> Conversation:
    """Those messages do not wait any more for the turn under way to end."""
    after = replace(now, queued=tuple(ts for ts in now.queued if ts not in gone))
    for ts in now.queued:
        if ts in gone:
            after = _with(after, Unreact(id=_id(after, cause), ts=ts, name=QUEUED))
    return after


def _with(now: Conversation, effect: Effect) -> Conversation:
    return replace(now, effects=(*now.effects, effect))


def _id(now: Conversation, cause: str) -> str:
    """`cause:index`, counted over what this cause has already asked for."""
    return f"{cause}:{sum(1 for e in now.effects if e.id.rpartition(':')[0] == cause)}"
