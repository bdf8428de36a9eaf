"""What becomes of the runs of a schedule: begun, done, gone on with, failed, and asked about (T1, S2).

A run is a turn that answers what was planned; while it waits for an answer it is not over. Nothing is tried for ever:
after three failures, and after 25 runs of which none was the last, the owner is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from app.core.conversation.call import AskPerson, Call, CompleteWork, ContinueWork, GiveWay, SetSchedule, WorkCall
from app.core.conversation.card import ScheduleState
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Step
from app.core.conversation.transition import Trigger, combine, parse_ts
from app.core.copy import texts
from app.core.errors import FailureKind, IllegalEvent
from app.core.events.heard import WorkDue
from app.core.pending import asking, recurrence, scheduling
from app.core.state import status
from app.core.state.question import Answered, Origin, QuestionKind, QuestionOn
from app.core.state.schedule import FIRST_STEP, ScheduleKind, Work
from app.core.state.status import Status, StatusOn

ATTEMPTS = 3
"""Failed runs in a row after which the owner is asked (requirements part 5)."""

FIRST_DELAY = timedelta(minutes=1)
"""After the first run that came to nothing; it doubles with each."""

MOST_DOUBLINGS = 6
"""So that an outage of a day is found over within the hour."""

SHORT_DELAY = timedelta(seconds=5)
"""From a run to the one that goes on with it, where no cron expression tells (T1): one look at the calendar."""

MOST_CONTINUES = 25
"""Runs in a row of which none was the last (requirements T1)."""

OUR_LIMITS = frozenset({FailureKind.PACED, FailureKind.SPENT_TODAY})
"""What tells itself when it is over."""

OUTAGES = OUR_LIMITS | {FailureKind.BUSY, FailureKind.LIMITED, FailureKind.CUT}
"""What passes by itself and is nobody's failed attempt (design §3)."""

LOCKED_OUT = frozenset({FailureKind.MISCONFIGURED, FailureKind.SPENT})
"""What the API's status says of credentials and credit: trying again is in vain (S2-036; domain §6, row 28)."""

OF_RUNS = frozenset({Origin.FAILURE, Origin.AUTH})
"""Questions whose answer is for us and not for the model: go on, or stop."""

AGAIN_PLACE, STOP_PLACE = 0, 1
"""Of the two options."""

ONLY_IN_RUN = "Only a run of the schedule ends so. Just answer."


def on_run_due(now: Conversation, event: WorkDue, trigger: Trigger) -> Step:
    """A schedule has come round: its run begins as soon as nobody waits for an answer."""
    return Step(conversation=_set_due(now, trigger.cause))


def is_due(now: Conversation) -> bool:
    """True if the next turn is a run: one is due, everybody has been answered, and nothing is asked."""
    return bool(now.work.due_by) and not now.unanswered and now.question is None


def begin(now: Conversation, at: str) -> Step:
    """The run that is due begins: what was planned is asked, in the owner's name."""
    assert now.schedule is not None, "with a schedule goes what is due of it"
    goes_on = now.work.gave_way
    text = texts.RUN_GOES_ON if goes_on else now.schedule.instruction
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=text, author=now.owner)
    # By a clock that is behind it may not be due yet: what was found by another one has come.
    began = now.work.began if goes_on else max(parse_ts(at), datetime.fromisoformat(now.next_run)).isoformat()
    after = replace(
        now,
        head=wish.seq,
        asked=(wish.seq,),
        asked_by=now.work.due_by,
        planned=wish.seq,
        work=replace(now.work, began=began, due_by="", failed=0),
    )
    return Step(conversation=after, messages=(wish,))


def retry(now: Conversation, reply: int, trigger: Trigger) -> Step:
    """*Retry* was pressed under this reply. If it is of a run that is to be made again, that is made now and not twice.

    Where the owner is asked whether to go on, that is the answer.
    """
    if now.work.failed != reply:
        return Step(conversation=now)
    if is_asked(now):
        made = decide(now, Answered(texts.RUN_AGAIN, AGAIN_PLACE), trigger, QuestionOn.CLICK)
    else:
        made = scheduling.queue_schedule_update(replace(now, next_run=parse_ts(trigger.at).isoformat()), trigger)
    return combine(made, begin(_set_due(made.conversation, trigger.cause), trigger.at))


def _set_due(now: Conversation, cause: str) -> Conversation:
    return replace(now, work=replace(now.work, due_by=cause))


def set_schedule(now: Conversation, call: SetSchedule, trigger: Trigger) -> Step:
    """Do something later. What a run plans for itself counts as going on. Raises `IllegalEvent`."""
    made = _withdraw_question(scheduling.plan(now, call, trigger), trigger)
    if made.conversation.work.continues > MOST_CONTINUES:
        return combine(made, _ask_after_continues(made.conversation, trigger.after(made)))
    return made


def cancel_schedule(now: Conversation, trigger: Trigger) -> Step:
    """Do it no more, and ask nothing about it. Raises `IllegalEvent` if nothing is planned."""
    return _withdraw_question(scheduling.cancel(now, trigger), trigger)


def check(now: Conversation, call: WorkCall) -> Step:
    """What the end of a run would leave to the next one. Raises `IllegalEvent` if it cannot be called for now."""
    if isinstance(call, GiveWay) or not scheduling.is_running(now):
        raise IllegalEvent("ILLEGAL", ONLY_IN_RUN)
    return Step(conversation=replace(now, work=_merge_progress(now.work, call)))


def end(now: Conversation, calls: Sequence[Call], trigger: Trigger) -> Step:
    """A run has come to its end, with what the model called for; if it called for no end, it is done (domain §6)."""
    match next((call for call in calls if isinstance(call, WorkCall)), CompleteWork()):
        case GiveWay():
            work = replace(now.work, gave_way=True)
            return _run_again(replace(now, work=work), StatusOn.WORKER_CONTINUED, parse_ts(trigger.at), trigger)
        case ContinueWork() as call:
            return _continue(now, call, trigger)
        case call:
            return _complete(now, call, trigger)


def fail(now: Conversation, reply: Message, trigger: Trigger) -> Step:
    """A run has failed: it is made again, ever later. After `ATTEMPTS`, or where that is in vain, the owner is asked.

    What passes by itself puts a run off as well, and is no failed attempt. If nothing was shown of the run, nobody is
    told: the card of the plan tells when it is made.
    """
    is_silence = reply.failure == FailureKind.TIMEOUT and not reply.model  # nothing has come of Claude at all
    if is_silence or reply.failure in OUTAGES:
        return _postpone(now, reply, trigger)
    work = replace(now.work, tries=now.work.tries + 1, gave_way=False, failed=reply.seq)
    after = replace(now, work=work, failures=now.failures + 1)
    if reply.failure in LOCKED_OUT:
        return _ask(after, texts.RECONNECT, StatusOn.WORKER_AUTH_ERROR, trigger)
    if after.failures >= ATTEMPTS:
        return _ask(after, texts.FAILED_OFTEN, StatusOn.WORKER_ERROR_LAST, trigger)
    return _run_again(
        after, StatusOn.WORKER_ERROR_AGAIN, parse_ts(trigger.at) + _compute_delay(work.tries, reply.wait), trigger
    )


def _postpone(now: Conversation, reply: Message, trigger: Trigger) -> Step:
    """Make the run again when what is in its way has passed. Of one that has come to nothing at all, nothing is kept.

    A limit of ours says how long to wait; meanwhile Claude is not asked, so that no wait has to grow.
    """
    tries = now.work.tries + (reply.failure not in OUR_LIMITS)
    # Whoever has just answered or pressed Retry is told: their run has a message already, or a turn of its own.
    is_bare = reply.seq == now.planned + 1 and not reply.parts and not reply.text.strip()
    work = replace(now.work, tries=tries, gave_way=now.work.gave_way and is_bare, failed=reply.seq)
    wait = _compute_delay(tries if reply.failure not in OUR_LIMITS else 1, reply.wait)
    made = _run_again(replace(now, work=work), StatusOn.WORKER_ERROR_AGAIN, parse_ts(trigger.at) + wait, trigger)
    if not is_bare:
        return made
    wish = Message(seq=now.planned, role=Role.PERSON, text="", status=MessageStatus.DELETED, author=now.owner)
    dropped = replace(reply, status=MessageStatus.DELETED)
    return replace(made, messages=(wish, dropped, *made.messages))


def _compute_delay(tries: int, wait: int) -> timedelta:
    """How long after so many runs that came to nothing the next one is made: never sooner than would help (seconds)."""
    return max(FIRST_DELAY * 2 ** min(tries - 1, MOST_DOUBLINGS), timedelta(seconds=wait))


def pause_unheard(now: Conversation, trigger: Trigger) -> Step:
    """Nobody can read what a run says: none is made until its owner has said that it shall go on.

    One that is under way may come to its end first.
    """
    if now.status is not Status.BACKGROUND or scheduling.is_running(now):
        return Step(conversation=now)
    return _ask(now, texts.SHALL_I_GO_ON, StatusOn.WORKER_ERROR_LAST, trigger)


def is_asked(now: Conversation) -> bool:
    """True while the owner is asked whether the schedule shall go on."""
    return now.question is not None and now.question.origin in OF_RUNS


def decide(now: Conversation, given: Answered, trigger: Trigger, by: QuestionOn) -> Step:
    """The owner has said whether it shall go on: at once and with a clean slate, or never again."""
    made = asking.answer(now, given, trigger, by)
    after, trigger = made.conversation, trigger.after(made)
    if given.option == STOP_PLACE:
        return combine(made, scheduling.cancel(after, trigger))
    work = replace(after.work, tries=0, continues=0)
    after = replace(after, failures=0, work=work, next_run=parse_ts(trigger.at).isoformat())
    return combine(made, scheduling.queue_schedule_update(after, trigger))


def _complete(now: Conversation, call: CompleteWork, trigger: Trigger) -> Step:
    assert now.schedule is not None, "with its schedule goes what it asks"
    again = now.schedule.kind is ScheduleKind.CRON
    if not again:
        moved = status.move(now.status, StatusOn.WORKER_COMPLETE_ONCE)
        return scheduling.end(replace(now, status=moved, planned=0), ScheduleState.DONE, trigger)
    work = replace(_reset_tries(_merge_progress(now.work, call)), step=FIRST_STEP, continues=0)
    following = recurrence.find_next_run(now.schedule, _find_run_start(now, trigger))
    assert following is not None, "an expression that had a next time has another one"
    return _run_again(replace(now, failures=0, work=work), StatusOn.WORKER_COMPLETE_CRON, following, trigger)


def _continue(now: Conversation, call: ContinueWork, trigger: Trigger) -> Step:
    assert now.schedule is not None, "with its schedule goes what it asks"
    left = _reset_tries(_merge_progress(now.work, call))
    work = replace(left, continues=left.continues + 1)
    after = replace(now, failures=0, work=work)
    if work.continues > MOST_CONTINUES:
        return _ask_after_continues(after, trigger)
    is_cron = now.schedule.kind is ScheduleKind.CRON
    following = (
        recurrence.find_next_run(now.schedule, _find_run_start(now, trigger))
        if is_cron
        else parse_ts(trigger.at) + SHORT_DELAY
    )
    assert following is not None, "an expression that had a next time has another one"
    return _run_again(after, StatusOn.WORKER_CONTINUED, following, trigger)


def _find_run_start(now: Conversation, trigger: Trigger) -> datetime:
    """After when the next run is: this one is not made once more, even by a clock that says it has not come yet."""
    return max(parse_ts(trigger.at), datetime.fromisoformat(now.work.began))


def _merge_progress(work: Work, call: ContinueWork | CompleteWork) -> Work:
    """The work with what a run leaves behind. Raises `IllegalEvent` if that is too much."""
    step = call.step if isinstance(call, ContinueWork) else ""
    return replace(work, data=scheduling.merge_progress(work.data, call.update), step=step or work.step)


def _reset_tries(work: Work) -> Work:
    """The work after a run that came to its end."""
    return replace(work, tries=0, gave_way=False, last_run=work.began)


def _run_again(now: Conversation, moving: StatusOn, next_run: datetime, trigger: Trigger) -> Step:
    """The run is over, and there is another one."""
    after = replace(now, status=status.move(now.status, moving), planned=0, next_run=next_run.isoformat())
    return scheduling.queue_schedule_update(after, trigger)


def _ask_after_continues(now: Conversation, trigger: Trigger) -> Step:
    text = texts.CONTINUED_OFTEN.format(count=MOST_CONTINUES)
    return _ask(now, text, StatusOn.WORKER_CONTINUED_TOO_OFTEN, trigger)


def _ask(now: Conversation, prompt: str, moving: StatusOn, trigger: Trigger) -> Step:
    """Ask the owner whether to go on; until then nothing runs."""
    origin = Origin.AUTH if moving is StatusOn.WORKER_AUTH_ERROR else Origin.FAILURE
    question = AskPerson(type=QuestionKind.CHOICE, prompt=prompt, options=(texts.RUN_AGAIN, texts.RUN_NO_MORE))
    return asking.ask(replace(now, planned=0), question, trigger, origin, moving)


def _withdraw_question(made: Step, trigger: Trigger) -> Step:
    """What was asked about a schedule that is gone needs no answer."""
    return (
        combine(made, asking.withdraw(made.conversation, trigger.after(made))) if is_asked(made.conversation) else made
    )
