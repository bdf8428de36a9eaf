"""Runs of a schedule: started, completed, continued, failed, and questions about them.

A run is a turn that answers the schedule's instruction; while it waits for an answer it is not over. Retries are
limited: after three failures, or after 25 runs that each ask for another, the owner is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from app.core.conversation.call import AskPerson, Call, CompleteRun, ContinueRun, SetSchedule, WorkCall, YieldRun
from app.core.conversation.card import ScheduleState
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.conversation.transition import Trigger, combine, parse_ts
from app.core.copy import texts
from app.core.errors import FailureKind, IllegalEvent
from app.core.events.acts import SchedulePaused
from app.core.events.heard import RunDue
from app.core.pending import asking, recurrence, scheduling
from app.core.state import status
from app.core.state.question import Answered, Origin, QuestionEvent, QuestionKind
from app.core.state.schedule import FIRST_STEP, ScheduleKind, ScheduleProgress
from app.core.state.status import Status, StatusEvent, TurnState

ATTEMPTS = 3
"""Failed runs in a row after which the owner is asked."""

FIRST_DELAY = timedelta(minutes=1)
"""Delay after the first failed run. It doubles with each further one."""

MOST_DOUBLINGS = 6
"""Limit of the doubling, so that the end of a long outage is noticed within about an hour."""

SHORT_DELAY = timedelta(seconds=5)
"""Delay before a continuing run without a cron expression: one poll of the calendar."""

MOST_CONTINUES = 25
"""Runs in a row that each ask for another, after which the owner is asked."""

OUR_LIMITS = frozenset({FailureKind.PACED, FailureKind.SPENT_TODAY})
"""Failures by a limit of the app, which says when it ends."""

OUTAGES = OUR_LIMITS | {FailureKind.BUSY, FailureKind.LIMITED, FailureKind.CUT}
"""Failures that pass without help. They do not count as failed attempts."""

LOCKED_OUT = frozenset({FailureKind.MISCONFIGURED, FailureKind.SPENT})
"""Failures of credentials or credit. A retry would be in vain."""

OF_RUNS = frozenset({Origin.FAILURE, Origin.AUTH})
"""Origins of questions that the app answers and not the model: continue, or stop."""

AGAIN_PLACE, STOP_PLACE = 0, 1
"""Indexes of the two options."""

ONLY_IN_RUN = "Only a run of the schedule ends so. Just answer."


def on_run_due(now: Conversation, event: RunDue, trigger: Trigger) -> Transition:
    """Mark the run as due. It starts as soon as no message is unanswered."""
    return Transition(conversation=_set_due(now, trigger.cause))


def on_schedule_paused(now: Conversation, event: SchedulePaused, trigger: Trigger) -> Transition:
    """Pause the schedule, or resume it at its next time. A run under way goes on to its end."""
    if event.resumed:
        return (
            asking.resume_schedule(replace(now, paused=False), trigger) if now.paused else Transition(conversation=now)
        )
    after = replace(now, paused=True, work=replace(now.work, due_by=""))
    return scheduling.queue_schedule_update(after, trigger)


def is_due(now: Conversation) -> bool:
    """Return True if the next turn is a run: one is due, no message is unanswered, and no question is open."""
    return bool(now.work.due_by) and not now.unanswered and now.question is None


def begin(now: Conversation, at: str) -> Transition:
    """Start the due run by asking for the schedule's instruction in the owner's name."""
    assert now.schedule is not None, "with a schedule goes what is due of it"
    goes_on = now.work.gave_way
    text = texts.RUN_GOES_ON if goes_on else now.schedule.instruction
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=text, author=now.owner)
    # If this process' clock is slow, the run is not due by it yet. Another process has found that it is.
    began = now.work.began if goes_on else max(parse_ts(at), datetime.fromisoformat(now.next_run)).isoformat()
    after = replace(
        now,
        head=wish.seq,
        asked=(wish.seq,),
        asked_by=now.work.due_by,
        planned=wish.seq,
        work=replace(now.work, began=began, due_by="", failed=0),
    )
    return Transition(conversation=after, messages=(wish,))


def retry(now: Conversation, reply: int, trigger: Trigger) -> Transition:
    """Start a failed run again after *Retry* under its reply, in place of the planned retry.

    If the owner is being asked whether to continue, this is the answer.
    """
    if now.work.failed != reply:
        return Transition(conversation=now)
    if is_asked(now):
        made = decide(now, Answered(texts.RUN_AGAIN, AGAIN_PLACE), trigger, QuestionEvent.CLICK)
    else:
        made = scheduling.queue_schedule_update(replace(now, next_run=parse_ts(trigger.at).isoformat()), trigger)
    return combine(made, begin(_set_due(made.conversation, trigger.cause), trigger.at))


def _set_due(now: Conversation, cause: str) -> Conversation:
    return replace(now, work=replace(now.work, due_by=cause))


def holds_turn(now: Conversation) -> bool:
    """Return True if the active turn carries out a run, also while the turn waits for a permission."""
    return scheduling.is_running(now) or (scheduling.is_waiting(now) and now.run is TurnState.AWAITING)


def set_schedule(now: Conversation, call: SetSchedule, trigger: Trigger) -> Transition:
    """Set a schedule. Inside a run, this counts as continuing it. Raises `IllegalEvent`."""
    made = _withdraw_question(scheduling.plan(now, call, trigger), trigger)
    if made.conversation.work.continues > MOST_CONTINUES:
        return combine(made, _ask_after_continues(made.conversation, trigger.after(made)))
    return made


def cancel_schedule(now: Conversation, trigger: Trigger) -> Transition:
    """Cancel the schedule, and the question about it or of its run. Raises `IllegalEvent` if there is no schedule.

    What a run asks in the reply that cancels its schedule stays open: it is about what comes after.
    """
    made = scheduling.cancel(now, trigger)
    if now.question and scheduling.is_waiting(now) and now.question.asked_at != trigger.at:
        return combine(made, asking.withdraw(made.conversation, trigger.after(made)))
    return _withdraw_question(made, trigger)


def check(now: Conversation, call: WorkCall) -> Transition:
    """Apply the progress that the end of a run leaves to the next one.

    Raises `IllegalEvent` if the call is not allowed now.
    """
    if isinstance(call, YieldRun) or not scheduling.is_running(now):
        raise IllegalEvent("ILLEGAL", ONLY_IN_RUN)
    return Transition(conversation=replace(now, work=_merge_progress(now.work, call)))


def end(now: Conversation, calls: Sequence[Call], trigger: Trigger) -> Transition:
    """End a run with the model's calls. If the model called for no end, the run is complete."""
    match next((call for call in calls if isinstance(call, WorkCall)), CompleteRun()):
        case YieldRun():
            work = replace(now.work, gave_way=True)
            return _run_again(replace(now, work=work), StatusEvent.WORKER_CONTINUED, parse_ts(trigger.at), trigger)
        case ContinueRun() as call:
            return _continue(now, call, trigger)
        case call:
            return _complete(now, call, trigger)


def break_off(now: Conversation, trigger: Trigger) -> Transition:
    """End a run that was stopped or refused: its task is not done, and only a recurring one comes again."""
    return _complete(now, CompleteRun(), trigger, ScheduleState.CANCELLED)


def fail(now: Conversation, reply: Message, trigger: Trigger) -> Transition:
    """Retry a failed run, with growing delays. After `ATTEMPTS`, or if a retry is in vain, ask the owner.

    If the owner may own no conversation any more, pause the schedule.

    Failures that pass without help postpone the run and do not count. If the run has shown nothing, no message is sent:
    the schedule's card shows the next time.
    """
    is_silence = reply.failure == FailureKind.TIMEOUT and not reply.model  # no response from Claude at all
    if is_silence or reply.failure in OUTAGES:
        return _postpone(now, reply, trigger)
    if reply.failure == FailureKind.NOT_THEIRS:  # each further run would end so, and who is asked can change nothing
        return _run_again(replace(now, paused=True), StatusEvent.WORKER_ERROR_AGAIN, parse_ts(trigger.at), trigger)
    work = replace(now.work, tries=now.work.tries + 1, gave_way=False, failed=reply.seq)
    after = replace(now, work=work, failures=now.failures + 1)
    if reply.failure in LOCKED_OUT:
        return _ask(after, texts.RECONNECT, StatusEvent.WORKER_AUTH_ERROR, trigger)
    if after.failures >= ATTEMPTS:
        return _ask(after, texts.FAILED_OFTEN, StatusEvent.WORKER_ERROR_LAST, trigger)
    return _run_again(
        after, StatusEvent.WORKER_ERROR_AGAIN, parse_ts(trigger.at) + _compute_delay(work.tries, reply.wait), trigger
    )


def _postpone(now: Conversation, reply: Message, trigger: Trigger) -> Transition:
    """Retry the run when the obstacle has passed. A run that has shown nothing leaves no messages.

    A limit of the app says how long to wait. Claude is not asked meanwhile, so the delay need not grow.
    """
    tries = now.work.tries + (reply.failure not in OUR_LIMITS)
    # After an answer or Retry the run has a Slack message or an earlier turn, so its owner is told of the failure.
    is_bare = reply.seq == now.planned + 1 and not reply.parts and not reply.text.strip()
    work = replace(now.work, tries=tries, gave_way=now.work.gave_way and is_bare, failed=reply.seq)
    wait = _compute_delay(tries if reply.failure not in OUR_LIMITS else 1, reply.wait)
    made = _run_again(replace(now, work=work), StatusEvent.WORKER_ERROR_AGAIN, parse_ts(trigger.at) + wait, trigger)
    if not is_bare:
        return made
    wish = Message(seq=now.planned, role=Role.PERSON, text="", status=MessageStatus.DELETED, author=now.owner)
    return replace(made, messages=(wish, replace(reply, status=MessageStatus.DELETED), *made.messages))


def _compute_delay(tries: int, wait: int) -> timedelta:
    """Compute the delay after so many failed runs. `wait` is the shortest one that helps, in seconds."""
    return max(FIRST_DELAY * 2 ** min(tries - 1, MOST_DOUBLINGS), timedelta(seconds=wait))


def pause_unheard(now: Conversation, trigger: Trigger) -> Transition:
    """Ask the owner before the next run, because nobody can read its result now.

    An active run may end first.
    """
    if now.status is not Status.BACKGROUND or scheduling.is_running(now):
        return Transition(conversation=now)
    return _ask(now, texts.SHALL_I_GO_ON, StatusEvent.WORKER_ERROR_LAST, trigger, texts.RUN_ON)


def is_asked(now: Conversation) -> bool:
    """Return True while the owner is asked whether the schedule should continue."""
    return now.question is not None and now.question.origin in OF_RUNS


def decide(now: Conversation, given: Answered, trigger: Trigger, by: QuestionEvent) -> Transition:
    """Apply the owner's answer: run again now with all counts reset, or cancel the schedule."""
    made = asking.answer(now, given, trigger, by)
    after, trigger = made.conversation, trigger.after(made)
    if given.option == STOP_PLACE:
        return combine(made, scheduling.cancel(after, trigger))
    work = replace(after.work, tries=0, continues=0)
    after = replace(after, failures=0, paused=False, work=work, next_run=parse_ts(trigger.at).isoformat())
    return combine(made, scheduling.queue_schedule_update(after, trigger))


def stop(now: Conversation, trigger: Trigger) -> Transition:
    """Cancel the schedule about which the owner is asked, as *Stop* does."""
    return decide(now, Answered(texts.RUN_NO_MORE, STOP_PLACE), trigger, QuestionEvent.TYPED_ANSWER)


def _complete(
    now: Conversation, call: CompleteRun, trigger: Trigger, outcome: ScheduleState = ScheduleState.DONE
) -> Transition:
    assert now.schedule is not None, "with its schedule goes what it asks"
    again = now.schedule.kind is ScheduleKind.CRON
    if not again:
        moved = status.move(now.status, StatusEvent.WORKER_COMPLETE_ONCE)
        return scheduling.end(replace(now, status=moved, planned=0), outcome, trigger)
    work = replace(_reset_tries(_merge_progress(now.work, call)), step=FIRST_STEP, continues=0)
    following = recurrence.find_next_run(now.schedule, _find_run_start(now, trigger))
    assert following is not None, "an expression that had a next time has another one"
    return _run_again(replace(now, failures=0, work=work), StatusEvent.WORKER_COMPLETE_CRON, following, trigger)


def _continue(now: Conversation, call: ContinueRun, trigger: Trigger) -> Transition:
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
    return _run_again(after, StatusEvent.WORKER_CONTINUED, following, trigger)


def _find_run_start(now: Conversation, trigger: Trigger) -> datetime:
    """Return the time after which the next run is due.

    A slow clock may show a time before this run was due. The run must not repeat then.
    """
    return max(parse_ts(trigger.at), datetime.fromisoformat(now.work.began))


def _merge_progress(work: ScheduleProgress, call: ContinueRun | CompleteRun) -> ScheduleProgress:
    """Merge the progress that a run leaves. Raises `IllegalEvent` if it is too large."""
    step = call.step if isinstance(call, ContinueRun) else ""
    return replace(work, data=scheduling.merge_progress(work.data, call.update), step=step or work.step)


def _reset_tries(work: ScheduleProgress) -> ScheduleProgress:
    return replace(work, tries=0, gave_way=False, last_run=work.began)


def _run_again(now: Conversation, moving: StatusEvent, next_run: datetime, trigger: Trigger) -> Transition:
    """End the run, and set the time of the next one."""
    after = replace(now, status=status.move(now.status, moving), planned=0, next_run=next_run.isoformat())
    return scheduling.queue_schedule_update(after, trigger)


def _ask_after_continues(now: Conversation, trigger: Trigger) -> Transition:
    text = texts.CONTINUED_OFTEN.format(count=MOST_CONTINUES)
    return _ask(now, text, StatusEvent.WORKER_CONTINUED_TOO_OFTEN, trigger, texts.RUN_ON)


def _ask(
    now: Conversation, prompt: str, moving: StatusEvent, trigger: Trigger, again: str = texts.RUN_AGAIN
) -> Transition:
    """Ask the owner whether to continue, by a button that says `again`. No run starts before the answer."""
    origin = Origin.AUTH if moving is StatusEvent.WORKER_AUTH_ERROR else Origin.FAILURE
    question = AskPerson(type=QuestionKind.CHOICE, prompt=prompt, options=(again, texts.RUN_NO_MORE))
    return asking.ask(replace(now, planned=0), question, trigger, origin, moving)


def _withdraw_question(made: Transition, trigger: Trigger) -> Transition:
    """Withdraw the question about a schedule that was replaced or cancelled."""
    return (
        combine(made, asking.withdraw(made.conversation, trigger.after(made))) if is_asked(made.conversation) else made
    )
