"""What people say, take back and put differently: each word becomes a row, and some of them ask for an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeAlias

from app.core import (
    asking,
    confirming,
    goal,
    goals,
    interviewing,
    lifecycle,
    permitting,
    texts,
    texts_interview,
    trail,
    working,
)
from app.core import question as questions
from app.core import schedule as schedules
from app.core.effects import Unquote
from app.core.events import MessageDeleted, MessageEdited, MessagePosted, QuestionAnswered
from app.core.lifecycle import LifecycleOn
from app.core.model import Conversation, Message, MessageStatus, Role, Step
from app.core.permissions import LABELS
from app.core.question import Answered, Changed, QuestionOn, Unclear, UseButtons
from app.core.quotes import Gone
from app.core.states import Phase
from app.core.steps import QUEUED, Trigger, effect_id, joined, marking, telling, unmarked, with_effect

LOCKED = "lock"
"""Slack's name of 🔒: the mark of a message that may not do what it wants here."""

TITLE_CHARS = 80
"""What a conversation is called: the beginning of its first message."""

Given: TypeAlias = Answered | Changed | Unclear | UseButtons | None
"""What a typed message is to the question that is open, if one is."""

UNQUOTED = "{count} earlier messages"
"""What a summary becomes when a message that it may quote is deleted."""


def posted(now: Conversation, event: MessagePosted, trigger: Trigger) -> Step:
    """Somebody wrote. The owner is answered; what others say is kept for the owner's next turn (C-20)."""
    row = Message(
        seq=now.head + 1,
        role=Role.PERSON,
        text=event.text,
        ts=event.ts,
        author=event.user,
        author_name=event.user_name,
        late=event.ts < now.heard,
    )
    if now.decision:
        return _at_hub(now, event, trigger)
    after = replace(now, head=row.seq, newest=max(now.newest, event.ts))
    if event.user != now.owner:
        return _from_another(now, after, row, event, trigger)
    zone = event.zone if schedules.is_zone(event.zone) else now.zone
    after = replace(_begun(after), title=now.title or _title(event.text), zone=zone)
    made = Step(conversation=after, messages=(row,))
    return joined(made, _from_owner(after, event, trigger)) if event.addressed else made


def _at_hub(now: Conversation, event: MessagePosted, trigger: Trigger) -> Step:
    """Nothing that is said below the hub is kept: nobody is interviewed there. Who speaks to us is shown the way."""
    speaks_to_us = event.opens or (event.user == now.owner and event.addressed)
    after = telling(now, trigger.cause, event.user, texts_interview.HUB_HINT) if speaks_to_us else now
    return Step(conversation=after)


def _from_another(now: Conversation, after: Conversation, row: Message, event: MessagePosted, trigger: Trigger) -> Step:
    if not event.opens:
        return Step(conversation=after, messages=(row,))
    text = texts.OTHERS_ARE_HEARD.format(owner=f"<@{now.owner}>")
    after = marking(telling(after, trigger.cause, event.user, text), trigger.cause, event.ts, LOCKED)
    return Step(conversation=after, messages=(row,), audit=(trail.refusal(now, event, "NOT_OWNER", trigger.cause),))


def _from_owner(now: Conversation, event: MessagePosted, trigger: Trigger) -> Step:
    """An open question gets the first look at what was said (T6); then it is a message like any other."""
    # What was written before a question was put answers something else: nobody says yes to what they have not seen.
    # Nor is anything decided where nobody leads the step any more.
    has_seen = now.question is not None and float(event.ts) >= float(now.question.asked_at or 0)
    is_answer = has_seen and not event.retired
    given = questions.understand(now.question, event.text) if now.question and is_answer else None
    if isinstance(given, UseButtons):
        return Step(conversation=telling(now, trigger.cause, event.user, texts.USE_BUTTONS))
    if permitting.is_asked(now) and isinstance(given, Changed):  # any other words say what to do instead (T6)
        made = goals.heard(now, event.text, trigger)
        made = joined(made, permitting.redirected(made.conversation, event.held, trigger))
        return joined(made, Step(conversation=asked_at(made.conversation, now.head, trigger.cause)))
    if now.interview:
        return _to_interview(now, event, given, trigger)
    if working.is_asked(now) and isinstance(given, Answered):
        return working.decided(now, given, trigger, QuestionOn.TYPED_ANSWER)
    made = goals.heard(asked(now, trigger.cause, event.ts), event.text, trigger, idle=event.idle)
    match given:
        case Answered():
            return joined(made, asking.answer(made.conversation, given, trigger, QuestionOn.TYPED_ANSWER))
        case Changed(text):  # "yes, but …" is no yes: it answers in its own words
            return joined(
                made, asking.answer(made.conversation, Answered(text, None), trigger, QuestionOn.TYPED_CHANGE)
            )
        case _:
            return made


def _to_interview(now: Conversation, event: MessagePosted, given: Given, trigger: Trigger) -> Step:
    """What the owner says outright decides before any answer (C-05): approve, change, done, show."""
    if confirming.is_asked(now):
        match given:
            case Answered() if _is_yes(given):
                return _approved(now, event, trigger)
            case Answered() | Changed():
                made = confirming.change(now, trigger)
                return joined(made, Step(conversation=asked(made.conversation, trigger.cause, event.ts)))
            case _:
                pass
    if event.signal:
        return interviewing.signalled(now, event, trigger)
    known = replace(now, interview=replace(confirming.interview_of(now), has_content=True))
    made = Step(conversation=asked(known, trigger.cause, event.ts))
    match given:
        case Answered():
            return joined(made, asking.answer(made.conversation, given, trigger, QuestionOn.TYPED_ANSWER))
        case Changed(text):
            words = Answered(text, None)
            return joined(made, asking.answer(made.conversation, words, trigger, QuestionOn.TYPED_CHANGE))
        case _ if now.question and now.phase is Phase.INTRO:  # the step's first one: the talk begins without it
            return joined(made, asking.withdraw(made.conversation, trigger))
        case _:
            return made


def _approved(now: Conversation, event: MessagePosted, trigger: Trigger) -> Step:
    """Approve, or say what is still needed: the yes is kept, for it was said (T2)."""
    missing = confirming.missing(now)
    if not missing:
        return confirming.approve(now, trigger)
    words = texts_interview.APPROVE_FIRST.format(list=texts.escape(missing))
    told = telling(now, trigger.cause, event.user, words)
    return Step(conversation=told, audit=(trail.refusal(now, event, "CRITERIA", trigger.cause),))


def _is_yes(given: Answered) -> bool:
    return given.option == 0


def answered(now: Conversation, event: QuestionAnswered, trigger: Trigger) -> Step:
    """A button was pressed, or a form sent: what it says is what the owner said. Raises `IllegalEvent`."""
    question = now.question
    assert question is not None, "the guards have looked whether it is the one that is open"
    given = questions.chosen(question, event.value)
    now = replace(now, newest=max(now.newest, event.at))  # who presses a button is here (C-25)
    if permitting.is_asked(now):
        assert given.option is not None, "only a button answers whether something may be done"
        return permitting.decided(now, LABELS[given.option][0], event.held, trigger)
    if working.is_asked(now):
        return working.decided(now, given, trigger, QuestionOn.CLICK)
    if confirming.is_asked(now) and _is_yes(given):
        return confirming.approve(now, trigger)
    # Of an option the words that were on the button; of free text all of it, and not what fits on the card.
    said = given.value if given.option is None else questions.label(question, given)
    row = Message(seq=now.head + 1, role=Role.PERSON, text=said, author=event.user)
    lead = replace(now.interview, has_content=True) if now.interview else None
    after = replace(_begun(now), head=row.seq, interview=lead)
    if confirming.is_asked(now):
        made = joined(Step(conversation=after, messages=(row,)), confirming.change(after, trigger))
        return joined(
            made, Step(conversation=replace(made.conversation, asked=(*after.asked, row.seq), asked_by=trigger.cause))
        )
    made = joined(
        Step(conversation=after, messages=(row,)), goals.heard(asked(after, trigger.cause, ""), said, trigger)
    )
    return joined(made, asking.answer(made.conversation, given, trigger, QuestionOn.CLICK))


def asked_at(now: Conversation, seq: int, cause: str) -> Conversation:
    """That row wants an answer."""
    return replace(now, asked=(*now.asked, seq), asked_by=cause)


def asked(now: Conversation, cause: str, ts: str) -> Conversation:
    """The row at the head wants an answer; while another one is given its message, if it has one, is marked."""
    after = replace(now, asked=(*now.asked, now.head), asked_by=cause)
    if now.turn is None or not ts:
        return after
    return marking(replace(after, queued=(*after.queued, ts)), cause, ts, QUEUED)


def edited(now: Conversation, event: MessageEdited, trigger: Trigger) -> Step:
    """What was said is said differently; a turn that has read it is told by a note."""
    said = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    if not said:
        return Step(conversation=now)
    newest = said[-1]
    after = replace(now, title=_title(event.text)) if _gives_name(now, said) else now
    if newest.seq > now.answered:  # no turn has read it: the person simply said something else
        return Step(conversation=after, messages=(replace(newest, text=event.text),))
    note = replace(newest, seq=now.head + 1, role=Role.NOTE, text=event.text)
    return Step(conversation=replace(after, head=note.seq), messages=(note,))


def deleted(now: Conversation, event: MessageDeleted, trigger: Trigger) -> Step:
    """Erase the words, from notes, name and summary too; replies that had read them are sent as text from now on."""
    if not event.targets:
        return Step(conversation=now)
    # Rows that are gone already count as well: the save that erased them may not have come to the state.
    first = event.targets[0].seq
    held = [row for row in event.targets if row.status is not MessageStatus.DELETED]
    erased = tuple(replace(row, text="", status=MessageStatus.DELETED) for row in held)
    gone = Gone({event.ts}, tuple(row.text for row in held))
    after = replace(
        _unquoted(unmarked(now, trigger.cause, event.ts), gone, event.ts, trigger.cause),
        title="" if _gives_name(now, event.targets) else now.title,
        asked=tuple(seq for seq in now.asked if seq != first),
        goals=reduce(goal.forgetting, (row.text for row in held if row.text), now.goals),
        plain=now.head if first <= now.answered else now.plain,
        summary=UNQUOTED.format(count=now.since) if first <= now.since else now.summary,
    )
    return Step(conversation=after, messages=(*erased, *_unquoting(now, gone, event.quoting)))


def _unquoted(now: Conversation, gone: Gone, ts: str, cause: str) -> Conversation:
    """Nothing that a step holds, or will ever come to hold, quotes the message."""
    if now.interview is None:
        return now
    lead = gone.from_interview(now.interview)
    after = replace(now, interview=replace(lead, taken_back=(*lead.taken_back, ts)))
    return with_effect(after, Unquote(id=effect_id(after, cause), message=ts)) if now.approved else after


def _unquoting(now: Conversation, gone: Gone, rows: Sequence[Message]) -> Iterator[Message]:
    """The rows that change; the one of the reply under way is written when that ends."""
    under_way = now.turn.reply if now.turn else 0
    for row in rows:
        if row.seq != under_way and (changed := gone.from_row(row)) != row:
            yield changed


def _begun(now: Conversation) -> Conversation:
    """The first message is what sets a free thread up, and begins it at once (T2, C-31); a step's opening did that."""
    ready = lifecycle.moved(now.lifecycle, LifecycleOn.INITIALISED)
    return replace(now, lifecycle=lifecycle.moved(ready, LifecycleOn.MESSAGE_POSTED))


def _gives_name(now: Conversation, versions: Sequence[Message]) -> bool:
    """True if the thread is called by this message. Of its first one a torn save may have changed the words already."""
    is_name = versions[0].seq == 1 or any(_title(row.text) == now.title for row in versions)
    return is_name and versions[0].author == now.owner


def _title(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
