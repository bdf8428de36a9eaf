"""Acts that only the owner of a thread may do, by buttons, forms and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.core.state.interview import InterviewCommand, Phase, SourceMessage
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Base of every act: its receipt, its thread, its time and the person who did it."""

    receipt: str
    thread: ThreadKey
    ts: str
    """The Slack message that contains the act or that it refers to; empty if there is none."""
    at: str
    """When it happened, as Slack's ts."""
    user: str

    @property
    def is_written(self) -> bool:
        """Return True if `ts` is a message of that person, to which an emoji can be added."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAct(Act):
    """Base of an act that is done by a button, or by a message that commands it."""

    written: bool = False
    """True if `ts` is a message of that person."""

    @property
    def is_written(self) -> bool:
        """Return True if `ts` is a message of that person, to which an emoji can be added."""
        return self.written


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPressed(Act):
    """Press of *Retry* under a reply that failed."""

    reply: int
    kind: Literal["retry_pressed"] = "retry_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuePressed(Act):
    """Press of *Continue* under a reply that reached the length limit."""

    reply: int
    kind: Literal["continue_pressed"] = "continue_pressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested(CommandAct):
    """Request to stop the active turn: by the button, by Slack's own Stop, or by the message *stop*."""

    reply: int = 0
    """The reply that the button stands under; 0 if the request names none."""
    kind: Literal["stop_requested"] = "stop_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseRequested(Act):
    """Request to erase this conversation. The app asks for confirmation first."""

    kind: Literal["erase_requested"] = "erase_requested"

    @property
    def is_written(self) -> bool:
        """Return True if `ts` is a message of that person, to which an emoji can be added."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseConfirmed(Act):
    """Confirmed request to erase the conversation: by a button, or by the end of its time in the archive."""

    ends: str = ""
    """Set if the time in the archive has ended: the `Conversation.ends` that was reached.

    If that has changed, this is stale.
    """
    kind: Literal["erase_confirmed"] = "erase_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswered(Act):
    """Answer to a question by button, select or form. `card` is the message with the card."""

    card: int
    value: str
    """The option's index from 0, `yes` or `no`, or free text."""
    question: str = ""
    """The question that the card showed. One card can show several in turn, and nobody may approve an unseen one."""
    kind: Literal["question_answered"] = "question_answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresConfirmed(Act):
    """Confirmation of the numbers and dates on a draft's card that nobody had said. `card` is its message."""

    card: int
    question: str = ""
    """The question that the card showed, as in `QuestionAnswered`."""
    approves: bool = False
    """True if the button says that it approves the draft as well."""
    kind: Literal["figures_confirmed"] = "figures_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRequested(CommandAct):
    """Request to archive the conversation. If work would stop, the owner is warned first."""

    kind: Literal["archive_requested"] = "archive_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveConfirmed(Act):
    """Confirmed request to archive the conversation: by its owner after the warning, or by a long silence."""

    silent: str = ""
    """Set if silence caused it: Slack's ts of the newest message. If there is a newer one, this is stale."""
    kind: Literal["archive_confirmed"] = "archive_confirmed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenRequested(CommandAct):
    """Request to continue an archived conversation or a finished step, perhaps with a message written there."""

    message: str = ""
    """Slack's ts of a refused message to go on with; empty if there is none."""
    ends: str = ""
    """Set if the time in the archive has ended while a step was in use, as in `EraseConfirmed`."""
    kind: Literal["reopen_requested"] = "reopen_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleCancelled(Act):
    """Request to cancel the schedule."""

    card: int = 0
    """The message with the card on which it was pressed; 0 if the card does not name it."""
    kind: Literal["schedule_cancelled"] = "schedule_cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulePaused(Act):
    """Request to pause the schedule, or to resume it."""

    card: int
    """The message with the card on which it was pressed."""
    resumed: bool = False
    kind: Literal["schedule_paused"] = "schedule_paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpRequested(Act):
    """Request in the thread for its status or for help."""

    word: Literal["status", "help"]
    kind: Literal["word_asked"] = "word_asked"

    @property
    def is_written(self) -> bool:
        """Return True if `ts` is a message of that person, to which an emoji can be added."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequested(Act):
    """Request about the summary of a step, or about its notes, its draft or the length of its discussion."""

    signal: InterviewCommand
    material: tuple[SourceMessage, ...] = ()
    """Of a draft: what the owner brings for it."""
    files: tuple[str, ...] = ()
    """Of a draft: Slack's ids of the files that it is made from; none if it is made from all that there is."""
    kind: Literal["summary_asked"] = "summary_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftEdited(Act):
    """Change of a step's draft by hand, in a window. `edition` is that of the draft in the window."""

    draft: Mapping[str, Any]
    edition: int
    said: str = ""
    """The form input in words, with which the interview continues. Empty if the result itself was edited."""
    kind: Literal["draft_edited"] = "draft_edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartRequested(Act):
    """Request to continue the interview from another phase."""

    phase: Phase
    kind: Literal["restart_requested"] = "restart_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepClosed(Act):
    """Request to close a step with its approved version. Slack has already asked for confirmation."""

    kind: Literal["step_closed"] = "step_closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRequested(Act):
    """Request to start a step of the decision."""

    component: str
    pressed_in: str = ""
    """Root of another thread in which it was pressed, and is answered; empty beside the hub and at Home."""
    kind: Literal["step_requested"] = "step_requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipTransferred(Act):
    """Transfer of the decision to another owner."""

    to: str
    by_operator: bool = False
    """Whoever runs the app asked for it in place of `user`, who still owned the decision then."""
    kind: Literal["ownership_given"] = "ownership_given"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionClosed(Act):
    """Declaration of the owner that the decision is made; `reopened` takes it back."""

    reopened: bool = False
    kind: Literal["decision_closed"] = "decision_closed"
