"""What a thread does later: a schedule set, cancelled, due and done (the rows of T1 that belong to it)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from app.core import schedule as schedules
from app.core import status
from app.core.calls import SetSchedule
from app.core.cards import ScheduleCard, ScheduleState
from app.core.model import Conversation, Message, MessageStatus, Role, Step
from app.core.schedule import Schedule, ScheduleKind
from app.core.status import StatusOn
from app.core.steps import Occasion, changing, closing, joined, moment, posting

ATTEMPTS = 3
"""Requirements part 5: so often is tried what shall be done once."""

FIRST_DELAY = timedelta(minutes=1)
"""After the first failure; it doubles with each."""

DEFAULT_ZONE = "UTC"
"""Where nobody's clock is known."""


def plan(now: Conversation, call: SetSchedule, on: Occasion) -> Step:
    """Do something later; another schedule that is set gives way. Raises `IllegalEvent` with what is wrong with it."""
    wanted = Schedule(
        kind=call.kind,
        zone=call.zone or now.zone or DEFAULT_ZONE,
        cron=call.cron,
        run_at=call.run_at,
        instruction=call.instruction,
    )
    asked_at = moment(call.at or on.at)
    wanted = schedules.checked(wanted, asked_at)
    next_run = schedules.next_run(wanted, asked_at)
    assert next_run is not None, "a schedule that was checked has a next run"
    made = _ended(replace(now, status=status.moved(now.status, StatusOn.SCHEDULE_SET)), ScheduleState.REPLACED, on)
    after = replace(
        made.conversation,
        schedule=wanted,
        failures=0,
        next_run=next_run.isoformat(),
    )
    card = ScheduleCard(schedule=wanted, next_run=after.next_run, at=on.at, paused=after.question is not None)
    return joined(made, posting(after, on, card))


def cancel(now: Conversation, on: Occasion) -> Step:
    """Do it no more. Raises `IllegalEvent` if nothing is planned."""
    wished = StatusOn.SCHEDULE_CANCELLED if now.schedule else StatusOn.SCHEDULE_CANCELLED_WITHOUT_ONE
    after = replace(now, status=status.moved(now.status, wished))
    return _ended(after, ScheduleState.CANCELLED, on)


def ran(now: Conversation, on: Occasion) -> Step:
    """A run that was due has been made: the next one, or none any more."""
    assert now.schedule is not None, "with its schedule goes what it asks"
    again = now.schedule.kind is ScheduleKind.CRON
    done = StatusOn.WORKER_COMPLETE_CRON if again else StatusOn.WORKER_COMPLETE_ONCE
    after = replace(now, status=status.moved(now.status, done), planned=0, failures=0)
    if not again:
        return _ended(after, ScheduleState.DONE, on)
    next_run = schedules.next_run(now.schedule, moment(on.at))
    return shown_again(replace(after, next_run=next_run.isoformat() if next_run else ""), on)


def failed(now: Conversation, on: Occasion) -> Step:
    """A run that was due has failed. What comes again has its next time; what is for once is tried again, ever later.

    After `ATTEMPTS` it is given up, which its card says.
    """
    assert now.schedule is not None, "with its schedule goes what it asks"
    failures = now.failures + 1
    if now.schedule.kind is ScheduleKind.CRON:
        return ran(now, on)
    if failures >= ATTEMPTS:
        given_up = replace(now, status=status.moved(now.status, StatusOn.WORKER_COMPLETE_ONCE), planned=0, failures=0)
        return _ended(given_up, ScheduleState.FAILED, on)
    later = moment(on.at) + FIRST_DELAY * 2 ** (failures - 1)
    again = status.moved(now.status, StatusOn.WORKER_ERROR_AGAIN)
    return shown_again(replace(now, status=again, planned=0, failures=failures, next_run=later.isoformat()), on)


def is_running(now: Conversation) -> bool:
    """True while the turn under way does what was planned."""
    return now.turn is not None and now.question is None and 0 < now.planned < now.turn.reply


def put_off(now: Conversation) -> Step:
    """What a run asks and no turn has read is not asked any more: its row tells nothing."""
    if now.planned <= now.answered:
        return Step(conversation=now)
    wish = Message(seq=now.planned, role=Role.PERSON, text="", status=MessageStatus.DELETED, author=now.owner)
    after = replace(now, asked=tuple(seq for seq in now.asked if seq != wish.seq), planned=0)
    return Step(conversation=after, messages=(wish,))


def shown_again(now: Conversation, on: Occasion) -> Step:
    """Bring the schedule's card up to date, if there is one."""
    seq = _card(now, on)
    if now.schedule is None or seq is None:
        return Step(conversation=now)
    card = ScheduleCard(schedule=now.schedule, next_run=now.next_run, at=on.at, paused=now.question is not None)
    return changing(now, on, seq, card)


def _ended(now: Conversation, state: ScheduleState, on: Occasion) -> Step:
    """With a schedule goes what it asks; a run of it that is under way is a turn like any other from now on."""
    seq, schedule, made = _card(now, on), now.schedule, put_off(now)
    after = replace(made.conversation, schedule=None, next_run="", planned=0)
    if schedule is None or seq is None:
        return replace(made, conversation=after)
    return joined(made, closing(after, on, seq, ScheduleCard(schedule=schedule, next_run="", at=on.at, state=state)))


def _card(now: Conversation, on: Occasion) -> int | None:
    mine = (row.seq for row in on.cards if isinstance(row.card, ScheduleCard) and row.seq in now.cards)
    return next(mine, None)


def told(now: Conversation, at: str) -> str:
    """What is planned and when it is done next, in one line."""
    assert now.schedule is not None, "what is not planned cannot be told"
    what = schedules.describe(now.schedule)
    if not now.next_run:
        return what
    next_run = schedules.when(datetime.fromisoformat(now.next_run), now.schedule.zone, moment(at))
    return f"{what} · next {next_run}"
