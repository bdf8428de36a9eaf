"""Tools that end a run of the schedule: it is done, or another run goes on with it (S2, T1).

They are offered in every free thread, for what is offered never changes; outside of a run they are refused.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from app.agent.tools.tool import Input, Tool
from app.core.calls import CompleteWork, ContinueWork

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


CONTINUE = Tool(
    "continue_work",
    "End this run of the schedule; the work is not done, and another run goes on with it. Only in a run, as its last "
    "call and by itself.",
    Continued,
    lambda given: ContinueWork(update=given.state_update, step=given.next_step, message=given.message),
)

COMPLETE = Tool(
    "complete_work",
    "End this run of the schedule; its work is done. Only in a run, as its last call and by itself.",
    Completed,
    lambda given: CompleteWork(update=given.state_update, message=given.message, silent=given.silent),
)

ENDING: Final = frozenset({CONTINUE.name, COMPLETE.name})
"""What ends a run."""
