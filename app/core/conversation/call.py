"""What the model asks of the conversation itself by calling a tool: to put a question, to note a goal, to plan a run.

These calls touch nothing outside. They are tried on a copy while the turn runs, so that the model hears at once what
came of them, and count when the turn's end is saved. The reply's row keeps them, so that no crash loses one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.state.goal import Call as GoalCall
from app.core.state.interview import Drafted, Inconsistency
from app.core.state.question import QuestionKind
from app.core.state.schedule import ScheduleKind


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
    context: str = ""
    step: str = ""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the first run is to know (S2-050)."""
    at: str = ""
    """When it was called for, as Slack's ts: a time that passes before the turn has ended is due then, not too late."""
    call: Literal["set_schedule"] = "set_schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelSchedule:
    """Do it no more."""

    call: Literal["cancel_schedule"] = "cancel_schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueWork:
    """This run of the schedule ends, and another one goes on with what it leaves (T1 `worker_continue`)."""

    update: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Merged into the data of the work; what is None is dropped from it."""
    step: str = ""
    """What comes next; empty: the same step."""
    message: str = ""
    """The last words of the run."""
    call: Literal["continue_work"] = "continue_work"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteWork:
    """This run of the schedule has done what it was for (T1 `worker_complete`)."""

    update: Mapping[str, Any] = field(default_factory=dict[str, Any])
    message: str = ""
    silent: bool = False
    """True if nothing of it is to be read."""
    call: Literal["complete_work"] = "complete_work"


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveWay:
    """This run of the schedule makes room for what the owner has written, and goes on after that (C-32).

    Not the model's: the turn calls for it between two rounds.
    """

    call: Literal["give_way"] = "give_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftNoted:
    """The draft of the step is now this one. `edition` is that of the draft which was changed (A3, O2)."""

    draft: Mapping[str, Any]
    edition: int
    call: Literal["draft_noted"] = "draft_noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class InconsistencyFlagged:
    """Two things that were said do not fit."""

    found: Inconsistency
    call: Literal["inconsistency_flagged"] = "inconsistency_flagged"


@dataclass(frozen=True, slots=True, kw_only=True)
class InconsistencySettled:
    """What was flagged under this is settled."""

    about: str
    call: Literal["inconsistency_settled"] = "inconsistency_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReady:
    """The model has all that the step needs (S4-040)."""

    call: Literal["summary_ready"] = "summary_ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationResolved:
    """What the owner wrote about the draft that waits means that it is approved, or that they want changes."""

    approved: bool
    call: Literal["confirmation_resolved"] = "confirmation_resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftExtracted:
    """What an extraction came to: data that people can be shown. `attempts` counts the submissions it took."""

    drafted: Drafted
    attempts: int
    call: Literal["draft_extracted"] = "draft_extracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionExhausted:
    """No attempt of an extraction was valid; `issues` tell what is wrong, in words for the model (C-07)."""

    issues: tuple[str, ...]
    attempts: int
    call: Literal["extraction_exhausted"] = "extraction_exhausted"


StepCall = (
    DraftNoted
    | InconsistencyFlagged
    | InconsistencySettled
    | SummaryReady
    | ConfirmationResolved
    | DraftExtracted
    | ExtractionExhausted
)
"""What the model asks of the interview of a step. The last two come of an extraction run, not of a tool."""

WorkCall = ContinueWork | CompleteWork | GiveWay
"""How a run of the schedule ends (S2)."""

Call = AskPerson | ResolveQuestion | SetSchedule | CancelSchedule | WorkCall | StepCall | GoalCall

KeptCall = Annotated[Call, Field(discriminator="call")]
"""As a reply's row keeps it: without a name, a call with nothing in it could be read back as another one."""
