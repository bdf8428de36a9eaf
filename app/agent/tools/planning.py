"""Tools to do something later, and not to do it after all."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from app.agent.tools.output import ToolResult
from app.agent.tools.sitting import Trial
from app.agent.tools.tool import Input, Nothing, PureTool
from app.core import texts
from app.core.calls import CancelSchedule, SetSchedule
from app.core.errors import IllegalEvent
from app.core.planning import told
from app.core.schedule import ScheduleKind

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
        raise IllegalEvent("ILLEGAL", PLANNED_OFTEN.format(wait=texts.wait(trial.schedule_wait)))
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
    trial.apply(call, at)
    return ToolResult(told(trial.conversation, at))


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
