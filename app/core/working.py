"""What becomes of the runs of a schedule: begun, done, gone on with, failed, and asked about (T1, S2).

A run is a turn that answers what was planned; while it waits for an answer it is not over. Nothing is tried for ever:
after three failures, and after 25 runs of which none was the last, the owner is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from app.core import asking, planning, status, texts, texts_places
from app.core import schedule as schedules
from app.core.calls import AskPerson, Call, CompleteWork, ContinueWork, GiveWay, SetSchedule, WorkCall
from app.core.cards import ScheduleState
from app.core.errors import FailureKind, IllegalEvent
from app.core.model import FIRST_STEP, Conversation, Message, Role, Step, Work
from app.core.question import Answered, Origin, QuestionKind, QuestionOn
from app.core.schedule import ScheduleKind
from app.core.states import Status
from app.core.status import StatusOn
from app.core.steps import Occasion, joined, moment

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

OUTAGES = frozenset(
    {
        FailureKind.BUSY,
        FailureKind.LIMITED,
        FailureKind.CUT,
        FailureKind.PACED,
        FailureKind.SPENT_TODAY,
    }
)
"""What passes by itself and is nobody's failed attempt (design §3)."""

LOCKED_OUT = frozenset({FailureKind.MISCONFIGURED, FailureKind.SPENT})
"""What the API's status says of credentials and credit: trying again is in vain (S2-036; domain §6, row 28)."""

OF_RUNS = frozenset({Origin.FAILURE, Origin.AUTH})
"""Questions whose answer is for us and not for the model: go on, or stop."""

STOP_PLACE = 1
"""Of the two options."""

ONLY_IN_RUN = "Only a run of the schedule ends so. Just answer."


def due(now: Conversation, at: str, cause: str) -> Step:
    """A schedule has come round: ask what was planned, in the owner's name."""
    assert now.schedule is not None, "the guards have looked whether it is the one that is due"
    goes_on = now.work.gave_way
    text = texts.RUN_GOES_ON if goes_on else now.schedule.instruction
    wish = Message(seq=now.head + 1, role=Role.PERSON, text=text, author=now.owner)
    work = now.work if goes_on else replace(now.work, began=moment(at).isoformat())
    after = replace(now, head=wish.seq, asked=(*now.asked, wish.seq), asked_by=cause, planned=wish.seq, work=work)
    return Step(conversation=after, messages=(wish,))


def planned(now: Conversation, call: SetSchedule, on: Occasion) -> Step:
    """Do something later. What a run plans for itself counts as going on. Raises `IllegalEvent`."""
    made = _answerless(planning.plan(now, call, on), on)
    if made.conversation.work.continues > MOST_CONTINUES:
        return joined(made, _too_often(made.conversation, on.after(made)))
    return made


def cancelled(now: Conversation, on: Occasion) -> Step:
    """Do it no more, and ask nothing about it. Raises `IllegalEvent` if nothing is planned."""
    return _answerless(planning.cancel(now, on), on)


def check(now: Conversation, call: WorkCall) -> Step:
    """What the end of a run would leave to the next one. Raises `IllegalEvent` if it cannot be called for now."""
    if isinstance(call, GiveWay) or not planning.is_running(now):
        raise IllegalEvent("ILLEGAL", ONLY_IN_RUN)
    return Step(conversation=replace(now, work=_left(now.work, call)))


def ended(now: Conversation, calls: Sequence[Call], on: Occasion) -> Step:
    """A run has come to its end, with what the model called for; if it called for no end, it is done (domain §6)."""
    match next((call for call in calls if isinstance(call, WorkCall)), CompleteWork()):
        case GiveWay():
            work = replace(now.work, gave_way=True)
            return _again(replace(now, work=work), StatusOn.WORKER_CONTINUED, moment(on.at), on)
        case ContinueWork() as call:
            return _continued(now, call, on)
        case call:
            return _completed(now, call, on)


def failed(now: Conversation, reply: Message, on: Occasion) -> Step:
    """A run has failed: it is made again, ever later. After `ATTEMPTS`, or where that is in vain, the owner is asked.

    What passes by itself puts a run off as well, and is no failed attempt.
    """
    is_silence = reply.failure == FailureKind.TIMEOUT and not reply.model  # nothing has come of Claude at all
    is_outage = is_silence or reply.failure in OUTAGES
    work = replace(now.work, tries=now.work.tries + 1, gave_way=False)
    after = replace(now, work=work, failures=now.failures if is_outage else now.failures + 1)
    if reply.failure in LOCKED_OUT:
        return _asking(after, texts.RECONNECT, StatusOn.WORKER_AUTH_ERROR, on)
    if after.failures >= ATTEMPTS:
        return _asking(after, texts.FAILED_OFTEN, StatusOn.WORKER_ERROR_LAST, on)
    later = FIRST_DELAY * 2 ** min(work.tries - 1, MOST_DOUBLINGS)
    later = max(later, timedelta(seconds=reply.wait))
    return _again(after, StatusOn.WORKER_ERROR_AGAIN, moment(on.at) + later, on)


def unheard(now: Conversation, on: Occasion) -> Step:
    """Nobody can read what a run says: none is made until its owner has said that it shall go on.

    One that is under way may come to its end first.
    """
    if now.status is not Status.BACKGROUND or planning.is_running(now):
        return Step(conversation=now)
    made = planning.put_off(now)
    return joined(made, _asking(made.conversation, texts_places.GO_ON, StatusOn.WORKER_ERROR_LAST, on))


def is_asked(now: Conversation) -> bool:
    """True while the owner is asked whether the schedule shall go on."""
    return now.question is not None and now.question.origin in OF_RUNS


def decided(now: Conversation, given: Answered, on: Occasion, by: QuestionOn) -> Step:
    """The owner has said whether it shall go on: at once and with a clean slate, or never again."""
    made = asking.answer(now, given, on, by)
    after, on = made.conversation, on.after(made)
    if given.option == STOP_PLACE:
        return joined(made, planning.cancel(after, on))
    work = replace(after.work, tries=0, continues=0)
    after = replace(after, failures=0, work=work, next_run=moment(on.at).isoformat())
    return joined(made, planning.shown_again(after, on))


def _completed(now: Conversation, call: CompleteWork, on: Occasion) -> Step:
    assert now.schedule is not None, "with its schedule goes what it asks"
    again = now.schedule.kind is ScheduleKind.CRON
    if not again:
        moved = status.moved(now.status, StatusOn.WORKER_COMPLETE_ONCE)
        return planning.ended(replace(now, status=moved, planned=0), ScheduleState.DONE, on)
    work = replace(_over(_left(now.work, call)), step=FIRST_STEP, continues=0)
    following = schedules.next_run(now.schedule, moment(on.at))
    assert following is not None, "an expression that had a next time has another one"
    return _again(replace(now, failures=0, work=work), StatusOn.WORKER_COMPLETE_CRON, following, on)


def _continued(now: Conversation, call: ContinueWork, on: Occasion) -> Step:
    assert now.schedule is not None, "with its schedule goes what it asks"
    left = _over(_left(now.work, call))
    work = replace(left, continues=left.continues + 1)
    after = replace(now, failures=0, work=work)
    if work.continues > MOST_CONTINUES:
        return _too_often(after, on)
    at = moment(on.at)
    is_cron = now.schedule.kind is ScheduleKind.CRON
    following = schedules.next_run(now.schedule, at) if is_cron else at + SHORT_DELAY
    assert following is not None, "an expression that had a next time has another one"
    return _again(after, StatusOn.WORKER_CONTINUED, following, on)


def _left(work: Work, call: ContinueWork | CompleteWork) -> Work:
    """The work with what a run leaves behind. Raises `IllegalEvent` if that is too much."""
    step = call.step if isinstance(call, ContinueWork) else ""
    return replace(work, data=planning.merged(work.data, call.update), step=step or work.step)


def _over(work: Work) -> Work:
    """The work after a run that came to its end."""
    return replace(work, tries=0, gave_way=False, last_run=work.began)


def _again(now: Conversation, moving: StatusOn, next_run: datetime, on: Occasion) -> Step:
    """The run is over, and there is another one."""
    after = replace(now, status=status.moved(now.status, moving), planned=0, next_run=next_run.isoformat())
    return planning.shown_again(after, on)


def _too_often(now: Conversation, on: Occasion) -> Step:
    text = texts.CONTINUED_OFTEN.format(count=MOST_CONTINUES)
    return _asking(now, text, StatusOn.WORKER_CONTINUED_TOO_OFTEN, on)


def _asking(now: Conversation, prompt: str, moving: StatusOn, on: Occasion) -> Step:
    """Ask the owner whether to go on; until then nothing runs."""
    origin = Origin.AUTH if moving is StatusOn.WORKER_AUTH_ERROR else Origin.FAILURE
    question = AskPerson(type=QuestionKind.CHOICE, prompt=prompt, options=(texts.RUN_AGAIN, texts.RUN_NO_MORE))
    return asking.ask(replace(now, planned=0), question, on, origin, moving)


def _answerless(made: Step, on: Occasion) -> Step:
    """What was asked about a schedule that is gone needs no answer."""
    return joined(made, asking.withdraw(made.conversation, on.after(made))) if is_asked(made.conversation) else made
