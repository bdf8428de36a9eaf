"""Tools to lead the interview of a step: contradictions, questions, its end, and the reply to a draft."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from pydantic import Field

from app.agent.tools.conversation import question_tools
from app.agent.tools.conversation.question_tools import Ask, Resolve
from app.agent.tools.interview.notes import DISCUSSION, RECORDING
from app.agent.tools.output import ToolResult, report
from app.agent.tools.tool import Input, Nothing, PureTool
from app.agent.tools.trial import GO_ON, InterviewTrial
from app.core.conversation.call import ConfirmationResolved, InconsistencyFlagged, InconsistencySettled, SummaryReady
from app.core.errors import IllegalEvent
from app.core.state.interview import Inconsistency, Mode, Phase
from app.core.state.question import Origin
from app.core.text.question_marks import asks
from app.core.text.replies import Verdict, is_question, read_lead

CONFIRMATION: Final = frozenset({Phase.CONFIRM})
TALKING: Final = DISCUSSION | CONFIRMATION

END_TURN: Final = "End your turn."
NOBODY_HERE: Final = "Nobody is here to answer: work from what there is."
NOT_BEGUN: Final = "Nobody has said anything yet that could be summarized. Ask for it."
NOT_SETTLED: Final = "This does not fit together yet: {about}. Ask the owner, and settle it before you summarize."
NOT_FLAGGED: Final = "Nothing of that name is open. Open: {about}."
NOT_COMPLETE: Final = "It cannot be approved yet. Still needed: {needs}. Ask the owner for it."
GAP: Final = (
    "Not yet. Still needed: {needs}. Take out what has to be left out; ask the owner for the rest, one thing at a "
    "time. If they do not know it or leave it open, call this again: the draft then says what is missing."
)
BESIDE_FAILURE: Final = (
    "Not in this turn: {tools} failed, and what it was about would be missing. Correct it, tell the owner what is "
    "noted, and call this in a later turn."
)
BESIDE_FAILURE_IN_DRAFT: Final = (
    "Not needed: the changed draft is shown when your turn ends, if you ask nothing. {tools} failed in this turn: "
    "correct what is still missing in it, then end."
)
ASKED_FIRST: Final = "the owner answers your question first, and the result waits: call this again in a later turn"
CHANGED_FIRST: Final = (
    "Not done: you changed the draft in this turn, and the owner has not seen it so. It is shown again when your turn "
    "ends, and they approve that."
)
NOT_APPROVED: Final = (
    "Not done: the owner's newest message asks something or says no. Answer it; only their own words approve, or the "
    "button."
)
NO_QUESTION: Final = "You have no open question."
NOT_YOURS: Final = "The open question is not one of yours: the owner answers it with the buttons."
THE_DRAFT: Final = "The draft waits for the owner's OK: call resolve_confirmation() for what they wrote."


class Flag(Input):
    """Input of `flag_inconsistency`."""

    about: str = Field(min_length=1, max_length=80, description="Its name: what it is about, in a few words.")
    statement_a: str = Field(min_length=1, max_length=500)
    statement_b: str = Field(min_length=1, max_length=500)
    blocking: bool = Field(default=True, description="False if the result can be written before it is settled.")


class Settle(Input):
    """Input of `settle_inconsistency`."""

    about: str = Field(description="Its name.")


class Decision(StrEnum):
    """What a reply to a draft means."""

    APPROVE = "approve"
    CHANGE = "change"


class Confirm(Input):
    """Input of `resolve_confirmation`."""

    decision: Decision


def _flag(trial: InterviewTrial, given: Flag) -> ToolResult:
    trial.check_words([given.statement_a, given.statement_b])
    found = Inconsistency(about=given.about, one=given.statement_a, other=given.statement_b, blocking=given.blocking)
    trial.open[found.about] = found
    trial.count(InconsistencyFlagged(found=found))
    action = "If your words have not done so, read both back to the owner and ask which one holds."
    return ToolResult(report(action, done="flagged", about=found.about))


def _settle(trial: InterviewTrial, given: Settle) -> ToolResult:
    if given.about not in trial.open:
        raise IllegalEvent("INVALID", NOT_FLAGGED.format(about=", ".join(trial.open) or "nothing"))
    del trial.open[given.about]
    trial.count(InconsistencySettled(about=given.about))
    told = report("", done="settled", about=given.about, still_open=list(trial.open))
    return ToolResult(told, noted=not trial.open)


def _end_discussion(trial: InterviewTrial, _: Nothing) -> ToolResult:
    """End the discussion if nothing is open: no contradiction, failed call or question. A gap is named once."""
    if trial.conversation.phase is Phase.INTRO and not trial.interview.has_content:
        raise IllegalEvent("ILLEGAL", NOT_BEGUN)
    if blocking := [each.about for each in trial.open.values() if each.blocking]:
        raise IllegalEvent("ILLEGAL", NOT_SETTLED.format(about=", ".join(blocking)))
    is_direct = trial.interview.mode is Mode.DIRECT  # nobody is there to be asked
    if trial.failed and not is_direct:
        is_correction = trial.interview.correcting and trial.has_changed
        told = BESIDE_FAILURE_IN_DRAFT if is_correction else BESIDE_FAILURE
        raise IllegalEvent("ILLEGAL", told.format(tools=", ".join(dict.fromkeys(trial.failed))))
    if not is_direct and (needs := trial.missing) and not trial.was_told(needs):
        trial.tell_gap(needs)
        raise IllegalEvent("CRITERIA", GAP.format(needs="; ".join(needs)))
    trial.count(SummaryReady())
    done = ASKED_FIRST if asks(trial.text) else "the result is written now and shown to the owner"
    return ToolResult(report(END_TURN, done=done))


def _ask(trial: InterviewTrial, given: Ask) -> ToolResult:
    if trial.interview.mode is Mode.DIRECT:
        raise IllegalEvent("ILLEGAL", NOBODY_HERE)
    trial.check_words([given.prompt, *given.options])
    question_tools.ask(trial, given)
    return ToolResult(
        report(END_TURN, done="the question is shown to the owner; the answer comes with their next message")
    )


def _resolve(trial: InterviewTrial, given: Resolve) -> ToolResult:
    question = trial.conversation.question
    if question is None:
        raise IllegalEvent("NO_QUESTION", NO_QUESTION)
    if question.origin is not Origin.MODEL:
        raise IllegalEvent("ILLEGAL", THE_DRAFT if question.origin is Origin.EXTRACTION else NOT_YOURS)
    return ToolResult(report(GO_ON, done="answered", understood=question_tools.resolve(trial, given).text))


def _confirm(trial: InterviewTrial, given: Confirm) -> ToolResult:
    approved = given.decision is Decision.APPROVE
    if approved and trial.has_changed:
        raise IllegalEvent("ILLEGAL", CHANGED_FIRST)
    if approved and _is_withheld(trial.newest_words):
        raise IllegalEvent("ILLEGAL", NOT_APPROVED)
    if approved and (needs := trial.missing):
        raise IllegalEvent("CRITERIA", NOT_COMPLETE.format(needs="; ".join(needs)))
    trial.count(ConfirmationResolved(approved=approved))
    return ToolResult(report(END_TURN, done="approved" if approved else "back to the discussion"))


def _is_withheld(said: str) -> bool:
    """Return True for words that surely approve nothing, whatever the model makes of them, or of what others wrote."""
    return is_question(said) or read_lead(said).verdict is Verdict.NO


READY: Final = PureTool(
    name="ready_to_summarize",
    description="End the talk. Not beside a question: its answer comes first.",
    input=Nothing,
    run=_end_discussion,
    availability=DISCUSSION,
)

LEADING: Final[tuple[PureTool[InterviewTrial, Any], ...]] = (
    PureTool(
        name="flag_inconsistency",
        description="Two things that were said contradict each other. A question of the owner is no contradiction.",
        input=Flag,
        run=_flag,
        availability=TALKING,
    ),
    PureTool(
        name="settle_inconsistency",
        description="What you flagged is settled: the owner has said what holds, or wants to leave it as it is.",
        input=Settle,
        run=_settle,
        availability=DISCUSSION,
    ),
    READY,
    PureTool(
        name=question_tools.ASK.name,
        description=question_tools.ASK.description,
        input=question_tools.ASK.input,
        run=_ask,
        availability=TALKING,
    ),
    PureTool(
        name=question_tools.RESOLVE.name,
        description=question_tools.RESOLVE.description,
        input=question_tools.RESOLVE.input,
        run=_resolve,
        availability=TALKING,
    ),
    PureTool(
        name="resolve_confirmation",
        description="The owner has answered a draft that waits: they approve it as it is, or want a change to talk "
        "about, which takes it back. Your turn ends with it.",
        input=Confirm,
        run=_confirm,
        availability=CONFIRMATION,
    ),
)

TOOLS: Final[tuple[PureTool[InterviewTrial, Any], ...]] = (*RECORDING, *LEADING)
"""All tools of an interview except research."""
