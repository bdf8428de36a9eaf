"""Tools to do something later, not to do it after all, and to end a run."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, Nothing, PureTool
from app.agent.tools.trial import Trial
from app.core.conversation.call import CancelSchedule, CompleteRun, ContinueRun, SetSchedule, WorkCall
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.pending.scheduling import describe_schedule
from app.core.state.schedule import ScheduleKind

RUNS_AGAIN: Final = "The owner had paused the former plan, and this one runs: say so."
CANCELLED: Final = "It will not be done any more."
PLANNED_OFTEN: Final = (
    "Not planned: the owner has planned a lot in the last hour. It can be planned in {wait}; tell them."
)


class Planned(Input):
    """Input of `schedule_work`."""

    kind: ScheduleKind
    instruction: str = Field(min_length=1, max_length=2_000, description="What to do then, as an order to yourself.")
    cron: str = Field(default="", max_length=200, description="For cron: five fields, in the zone below.")
    run_at: str = Field(default="", max_length=40, description="For scheduled: ISO 8601, such as 2027-01-31T09:00.")
    zone: str = Field(default="", max_length=60, description="IANA time zone; leave it out for the owner's.")
    context: str = Field(default="", max_length=1_000, description="What every run must know: the task's parameters.")
    step: str = Field(default="", max_length=200, description="What the first run begins with.")
    data: dict[str, Any] = Field(default={}, description="What the first run shall know already; runs add to it.")


def _schedule(trial: Trial, given: Planned) -> ToolResult:
    if trial.schedule_wait:
        raise IllegalEvent("ILLEGAL", PLANNED_OFTEN.format(wait=texts.format_wait(trial.schedule_wait)))
    at = trial.at()
    call = SetSchedule(
        kind=given.kind,
        instruction=given.instruction,
        cron=given.cron,
        run_at=given.run_at,
        zone=given.zone,
        context=given.context,
        step=given.step,
        data=given.data,
        at=at,
    )
    was_paused = trial.conversation.paused
    trial.apply(call, at)
    told = describe_schedule(trial.conversation, at)
    return ToolResult(f"{told}. {RUNS_AGAIN}" if was_paused and not trial.conversation.paused else told)


def _cancel(trial: Trial, _: Nothing) -> ToolResult:
    trial.apply(CancelSchedule())
    return ToolResult(CANCELLED)


SCHEDULE = PureTool(
    name="schedule_work",
    description="Do something later in this thread: cron again and again, scheduled once at a time, immediate at once "
    "in the background. A thread has one schedule; a new one replaces it. The owner sees a card with the next time.",
    input=Planned,
    run=_schedule,
)

CANCEL = PureTool(name="cancel_schedule", description="End the schedule of this thread.", input=Nothing, run=_cancel)

RUN_ENDED: Final = "The run ends here."
MESSAGE: Final = "What the owner is to read, if you have not said it already."
UPDATE: Final = "What later runs need, merged into the data of the work; null drops a key."


class Continued(Input):
    """Input of `continue_work`."""

    message: str = Field(default="", max_length=10_000, description=MESSAGE)
    state_update: dict[str, Any] = Field(default={}, description=UPDATE)
    next_step: str = Field(default="", max_length=200, description="What the next run begins with.")


class Completed(Input):
    """Input of `complete_work`."""

    message: str = Field(default="", max_length=10_000, description=MESSAGE)
    state_update: dict[str, Any] = Field(default={}, description=UPDATE)
    silent: bool = Field(default=False, description="There is nothing to tell: nothing of this run is shown.")


def _end(trial: Trial, call: WorkCall) -> ToolResult:
    trial.apply(call)
    return ToolResult(RUN_ENDED)


CONTINUE = PureTool[Trial, Continued](
    name="continue_work",
    description="End this run of the schedule; the work is not done, and another run goes on with it. Only in a run, "
    "as its last call and by itself.",
    input=Continued,
    run=lambda trial, given: _end(
        trial, ContinueRun(update=given.state_update, step=given.next_step, message=given.message)
    ),
)

COMPLETE = PureTool[Trial, Completed](
    name="complete_work",
    description="End this run of the schedule; its work is done. Only in a run, as its last call and by itself.",
    input=Completed,
    run=lambda trial, given: _end(
        trial, CompleteRun(update=given.state_update, message=given.message, silent=given.silent)
    ),
)

ENDING: Final = frozenset({CONTINUE.name, COMPLETE.name})
"""Names of the tools that end a run."""
