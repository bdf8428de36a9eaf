"""Calls: requests of the model to the conversation itself, such as a question, a goal or a schedule.

Calls touch nothing outside. They are tried on a copy while the turn runs, so that the model gets the result at once.
They are applied when the end of the turn is saved. The reply's row stores them, so that a crash loses none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.state.goal import Call as GoalCall
from app.core.state.interview import Inconsistency, JudgedDraft, VouchedFigure
from app.core.state.question import QuestionKind
from app.core.state.schedule import ScheduleKind


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPerson:
    """Put a question with buttons to the owner. The turn ends with it."""

    type: QuestionKind
    prompt: str
    options: tuple[str, ...] = ()
    other: bool = False
    call: Literal["ask_person"] = "ask_person"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveQuestion:
    """Take the owner's words as this answer to the open question: a label, yes or no, or text."""

    value: str
    call: Literal["resolve_question"] = "resolve_question"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDecision:
    """Show a button below the reply that begins a guided decision with this question."""

    question: str
    call: Literal["offer_decision"] = "offer_decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSchedule:
    """Set a schedule, with `cron` or `run_at` (ISO) as its kind requires. Without a zone, the owner's is used."""

    kind: ScheduleKind
    instruction: str
    cron: str = ""
    run_at: str = ""
    zone: str = ""
    context: str = ""
    step: str = ""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Data for the first run."""
    at: str = ""
    """Time of the call, as Slack's ts. A `run_at` that passes before the end of the turn is then due, not too late."""
    call: Literal["set_schedule"] = "set_schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelSchedule:
    """Cancel the schedule."""

    call: Literal["cancel_schedule"] = "cancel_schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinueRun:
    """End this run of the schedule. Another run continues from what it leaves."""

    update: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Merged into the run's data; a value of None removes its key."""
    step: str = ""
    """The next checkpoint; empty keeps the current one."""
    message: str = ""
    """Last message of the run."""
    call: Literal["continue_work"] = "continue_work"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteRun:
    """End this run of the schedule as complete."""

    update: Mapping[str, Any] = field(default_factory=dict[str, Any])
    message: str = ""
    silent: bool = False
    """True if the run posts no message."""
    call: Literal["complete_work"] = "complete_work"


@dataclass(frozen=True, slots=True, kw_only=True)
class YieldRun:
    """End this run so that the owner's message is answered first. The run continues afterwards.

    The model cannot make this call; the turn makes it between two rounds.
    """

    call: Literal["give_way"] = "give_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftNoted:
    """Replace the draft of the step.

    `edition` is that of the draft that was changed, which detects a concurrent change.
    """

    draft: Mapping[str, Any]
    edition: int
    vouched: tuple[VouchedFigure, ...] = ()
    """Figures of the draft that a person's own words were given for, with who wrote them and when."""
    call: Literal["draft_noted"] = "draft_noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class InconsistencyFlagged:
    """Flag two statements that contradict each other."""

    found: Inconsistency
    call: Literal["inconsistency_flagged"] = "inconsistency_flagged"


@dataclass(frozen=True, slots=True, kw_only=True)
class InconsistencySettled:
    """Settle the inconsistency that was flagged under this name."""

    about: str
    call: Literal["inconsistency_settled"] = "inconsistency_settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReady:
    """Start the extraction: the model has everything that the step needs."""

    call: Literal["summary_ready"] = "summary_ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRefused:
    """Note that the model wanted to end the discussion and was told what is missing. The same gap is accepted next."""

    missing: tuple[str, ...]
    call: Literal["summary_refused"] = "summary_refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationResolved:
    """Take the owner's words as approval of the draft that waits, or as a request for changes."""

    approved: bool
    call: Literal["confirmation_resolved"] = "confirmation_resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftExtracted:
    """Result of an extraction: data that can be shown to people.

    `attempts` counts the submissions. Nothing reads it; versions that run beside this one need it.
    """

    drafted: JudgedDraft
    attempts: int
    problems: tuple[int, ...] = ()
    """How many problems each attempt had that its reply saw refused, in order."""
    call: Literal["draft_extracted"] = "draft_extracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionExhausted:
    """End of an extraction without a valid attempt; `issues` describe the faults for the model.

    `attempts` is as in `DraftExtracted`.
    """

    issues: tuple[str, ...]
    attempts: int
    problems: tuple[int, ...] = ()
    """How many problems each attempt had that its reply saw refused, in order."""
    call: Literal["extraction_exhausted"] = "extraction_exhausted"


StepCall = (
    DraftNoted
    | InconsistencyFlagged
    | InconsistencySettled
    | SummaryReady
    | SummaryRefused
    | ConfirmationResolved
    | DraftExtracted
    | ExtractionExhausted
)
"""Calls to the interview of a step. The last two come from an extraction, not from a tool."""

WorkCall = ContinueRun | CompleteRun | YieldRun
"""Calls that end a run of the schedule."""

Call = AskPerson | ResolveQuestion | OfferDecision | SetSchedule | CancelSchedule | WorkCall | StepCall | GoalCall

KeptCall = Annotated[Call, Field(discriminator="call")]
"""A call as a reply's row stores it. The tag keeps a call without fields from being read as another one."""
