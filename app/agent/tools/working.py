"""Tools that end a run of the schedule: its work is done, or another run goes on with it.

Every free thread offers them, because the tools of a conversation never change. Outside of a run they are refused.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from app.agent.tools.output import ToolResult
from app.agent.tools.sitting import Trial
from app.agent.tools.tool import Input, PureTool
from app.core.calls import CompleteWork, ContinueWork, WorkCall

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
        trial, ContinueWork(update=given.state_update, step=given.next_step, message=given.message)
    ),
)

COMPLETE = PureTool[Trial, Completed](
    name="complete_work",
    description="End this run of the schedule; its work is done. Only in a run, as its last call and by itself.",
    input=Completed,
    run=lambda trial, given: _end(
        trial, CompleteWork(update=given.state_update, message=given.message, silent=given.silent)
    ),
)

ENDING: Final = frozenset({CONTINUE.name, COMPLETE.name})
"""Names of the tools that end a run."""
