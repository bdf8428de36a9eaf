"""The schedule of a thread: set, replaced, cancelled and shown.

The results of its runs are handled in `scheduled_run`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.core.conversation.call import SetSchedule
from app.core.conversation.card import ScheduleCard, ScheduleState
from app.core.conversation.conversation import Conversation, Transition
from app.core.conversation.transition import Trigger, combine, parse_ts, queue_card, queue_card_close, queue_card_update
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.pending import recurrence
from app.core.state import status
from app.core.state.schedule import FIRST_STEP, Schedule, ScheduleKind, ScheduleProgress
from app.core.state.status import StatusEvent

DEFAULT_ZONE = "UTC"
"""Zone of a schedule if the owner's is unknown."""

MOST_DATA = 4_000
"""Characters of the data that one run leaves to the next, as JSON: the model is sent it with every run."""

TOO_MUCH = (
    "The data of the work has at most {most:,} characters as JSON. Keep what the next run needs; null drops a key."
)


def plan(now: Conversation, call: SetSchedule, trigger: Trigger) -> Transition:
    """Set a schedule in place of any other. Raises `IllegalEvent` with the fault.

    A single run that a run schedules keeps the count of consecutive runs, so that no chain is endless. One recurring
    schedule after another knows when the last run was; the same task at other times keeps its data as well. What the
    owner has paused during a run stays paused: a run does not lift that by planning the next one.
    """
    wanted = Schedule(
        kind=call.kind,
        zone=call.zone or now.zone or DEFAULT_ZONE,
        cron=call.cron,
        run_at=call.run_at,
        instruction=call.instruction,
    )
    asked_at = parse_ts(call.at or trigger.at)
    wanted = recurrence.normalize_schedule(wanted, asked_at)
    next_run = recurrence.find_next_run(wanted, asked_at)
    assert next_run is not None, "a schedule that was checked has a next run"
    goes_on = is_running(now) and wanted.kind is not ScheduleKind.CRON
    is_repeated = now.schedule is not None and now.schedule.kind is wanted.kind is ScheduleKind.CRON
    is_same = is_repeated and now.schedule is not None and now.schedule.instruction == wanted.instruction
    work = ScheduleProgress(
        context=call.context or (now.work.context if is_same else ""),
        step=call.step or FIRST_STEP,
        data=merge_progress(now.work.data if is_same else {}, call.data),
        continues=now.work.continues + 1 if goes_on else 0,
        last_run=now.work.last_run if is_repeated else "",
    )
    moved = status.move(now.status, StatusEvent.SCHEDULE_SET)
    made = end(replace(now, status=moved), ScheduleState.REPLACED, trigger)
    held = now.paused and is_running(now)
    after = replace(made.conversation, schedule=wanted, next_run=next_run.isoformat(), paused=held, work=work)
    return combine(made, queue_card(after, trigger, _build_card(after, wanted, trigger)))


def cancel(now: Conversation, trigger: Trigger) -> Transition:
    """Cancel the schedule. Raises `IllegalEvent` if there is none."""
    wished = StatusEvent.SCHEDULE_CANCELLED if now.schedule else StatusEvent.SCHEDULE_CANCELLED_WITHOUT_ONE
    return end(replace(now, status=status.move(now.status, wished)), ScheduleState.CANCELLED, trigger)


def is_running(now: Conversation) -> bool:
    """Return True while the current turn carries out a run and waits for no answer."""
    return now.question is None and now.planned > 0


def is_waiting(now: Conversation) -> bool:
    """Return True while a run waits for the answer to a question, or for a permission."""
    return now.question is not None and now.planned > 0


def merge_progress(data: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Return the run's data after an update. Raises `IllegalEvent` with words for the model if it is too large."""
    whole = {name: value for name, value in {**data, **update}.items() if value is not None}
    if len(json.dumps(whole, ensure_ascii=False)) > MOST_DATA:
        raise IllegalEvent("ILLEGAL", TOO_MUCH.format(most=MOST_DATA))
    return whole


def queue_schedule_update(now: Conversation, trigger: Trigger) -> Transition:
    """Queue an update of the schedule's card, if there is one."""
    seq = _find_card(now, trigger)
    if now.schedule is None or seq is None:
        return Transition(conversation=now)
    return queue_card_update(now, trigger, seq, _build_card(now, now.schedule, trigger))


def _build_card(now: Conversation, schedule: Schedule, trigger: Trigger) -> ScheduleCard:
    asks, next_run = now.question is not None, now.next_run
    return ScheduleCard(schedule=schedule, next_run=next_run, at=trigger.at, paused=asks, held=now.paused)


def end(now: Conversation, state: ScheduleState, trigger: Trigger) -> Transition:
    """End the schedule and its due runs. A run in progress becomes a turn like any other."""
    seq, schedule = _find_card(now, trigger), now.schedule
    after = replace(now, schedule=None, next_run="", paused=False, planned=0, failures=0, work=ScheduleProgress())
    if schedule is None or seq is None:
        return Transition(conversation=after)
    return queue_card_close(
        after, trigger, seq, ScheduleCard(schedule=schedule, next_run="", at=trigger.at, state=state)
    )


def _find_card(now: Conversation, trigger: Trigger) -> int | None:
    mine = (row.seq for row in trigger.facts.open_cards if isinstance(row.card, ScheduleCard) and row.seq in now.cards)
    return next(mine, None)


def describe_schedule(now: Conversation, at: str) -> str:
    """Return the schedule and the time of its next run, or that it is paused, in one line."""
    assert now.schedule is not None, "what is not planned cannot be told"
    what = recurrence.describe(now.schedule, zone=True)
    if now.question or now.paused:
        return f"{what} · {texts.RUN_PAUSED if now.question else texts.RUN_HELD}"
    if not now.next_run:
        return what
    next_run = recurrence.format_moment(datetime.fromisoformat(now.next_run), now.schedule.zone, parse_ts(at))
    return f"{what} · next {next_run}"
