"""What the model asks of the conversation itself by calling a tool: to put a question, to note a goal, to plan a run.

These calls touch nothing outside. They are tried on a copy while the turn runs, so that the model hears at once what
came of them, and count when the turn's end is saved. The reply's row keeps them, so that no crash loses one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.core.goal import Call as GoalCall
from app.core.question import QuestionKind
from app.core.schedule import ScheduleKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPerson:
    """Put a question to the owner with buttons; the turn ends with it (T1 `needs_input`)."""

    type: QuestionKind
    prompt: str
    options: tuple[str, ...] = ()
    other: bool = False
    call: Literal["ask_person"] = "ask_person"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveQuestion:
    """What the owner wrote answers the open question with this value: a label, yes or no, or text."""

    value: str
    call: Literal["resolve_question"] = "resolve_question"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSchedule:
    """Do something later, once or again and again: `cron` or `run_at` (ISO) as the kind wants. No zone: the owner's."""

    kind: ScheduleKind
    instruction: str
    cron: str = ""
    run_at: str = ""
    zone: str = ""
    at: str = ""
    """When it was called for, as Slack's ts: a time that passes before the turn has ended is due then, not too late."""
    call: Literal["set_schedule"] = "set_schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelSchedule:
    """Do it no more."""

    call: Literal["cancel_schedule"] = "cancel_schedule"


Call = AskPerson | ResolveQuestion | SetSchedule | CancelSchedule | GoalCall

KeptCall = Annotated[Call, Field(discriminator="call")]
"""As a reply's row keeps it: without a name, a call with nothing in it could be read back as another one."""
