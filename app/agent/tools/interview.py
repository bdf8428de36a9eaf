"""Tools to lead the interview of a step: what does not fit, that this was all, what a reply to a draft means."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from pydantic import Field

from app.agent.tools import asking
from app.agent.tools.asking import Ask, Resolve
from app.agent.tools.recording import RECORDING
from app.agent.tools.sitting import Answer, Moment, Sitting
from app.agent.tools.step_tool import StepTool
from app.agent.tools.tool import Input, Nothing
from app.core.calls import ConfirmationResolved, InconsistencyFlagged, InconsistencySettled, SummaryReady
from app.core.errors import IllegalEvent
from app.core.interview import Inconsistency, Mode
from app.core.question import Origin, read_back, resolved
from app.core.states import Phase

TALKING: Final = (Moment.DISCUSS, Moment.CONFIRM)

END_TURN: Final = "End your turn."
NOBODY_HERE: Final = "Nobody is here to answer: work from what there is."
NOT_BEGUN: Final = "Nobody has said anything yet that could be summarized. Ask for it."
NOT_SETTLED: Final = "This does not fit together yet: {about}. Ask the owner, and settle it before you summarize."
NOT_FLAGGED: Final = "Nothing of that name is open. Open: {about}."
NOT_COMPLETE: Final = "It cannot be approved yet. Still needed: {needs}. Ask the owner for it."
NO_QUESTION: Final = "You have no open question."
NOT_YOURS: Final = "The open question is not one of yours: the owner answers it with the buttons."
THE_DRAFT: Final = "The draft waits for the owner's OK: call resolve_confirmation() for what they wrote."


class Flag(Input):
    """Input of `flag_inconsistency`."""

    about: str = Field(min_length=1, max_length=80, description="What it is about, in a few words: its name here.")
    statement_a: str = Field(min_length=1, max_length=500, description="What was said.")
    statement_b: str = Field(min_length=1, max_length=500, description="What was also said and does not fit.")
    blocking: bool = Field(default=True, description="False if the result can be written before it is settled.")


class Settle(Input):
    """Input of `settle_inconsistency`."""

    about: str = Field(min_length=1, max_length=80, description="The name under which it was flagged.")


class Decision(StrEnum):
    """What a reply to a draft means."""

    APPROVE = "approve"
    CHANGE = "change"


class Confirm(Input):
    """Input of `resolve_confirmation`."""

    decision: Decision


def _flag(sitting: Sitting, given: Flag) -> Answer:
    found = Inconsistency(about=given.about, one=given.statement_a, other=given.statement_b, blocking=given.blocking)
    sitting.open[found.about] = found
    sitting.call(InconsistencyFlagged(found=found))
    return Answer({"done": "flagged", "about": found.about}, "Read both back to the owner and ask which one holds.")


def _settle(sitting: Sitting, given: Settle) -> Answer:
    if given.about not in sitting.open:
        raise IllegalEvent("INVALID", NOT_FLAGGED.format(about=", ".join(sitting.open) or "nothing"))
    del sitting.open[given.about]
    sitting.call(InconsistencySettled(about=given.about))
    return Answer({"done": "settled", "about": given.about, "still_open": list(sitting.open)})


def _ready(sitting: Sitting, _: Nothing) -> Answer:
    """Nothing that blocks may be open (C-06); what is still needed is asked for when the draft is shown (C-07)."""
    if sitting.conversation.phase is Phase.INTRO and not sitting.interview.has_content:
        raise IllegalEvent("ILLEGAL", NOT_BEGUN)
    if blocking := [each.about for each in sitting.open.values() if each.blocking]:
        raise IllegalEvent("ILLEGAL", NOT_SETTLED.format(about=", ".join(blocking)))
    sitting.call(SummaryReady())
    return Answer({"done": "the result is written now and shown to the owner"}, END_TURN)


def _ask(sitting: Sitting, given: Ask) -> Answer:
    if sitting.interview.mode is Mode.DIRECT:
        raise IllegalEvent("ILLEGAL", NOBODY_HERE)
    sitting.try_(asking.ASK.call(given))
    return Answer({"done": "the question is shown to the owner; the answer comes with their next message"}, END_TURN)


def _resolve(sitting: Sitting, given: Resolve) -> Answer:
    question = sitting.conversation.question
    if question is None:
        raise IllegalEvent("NO_QUESTION", NO_QUESTION)
    if question.origin is not Origin.MODEL:
        raise IllegalEvent("ILLEGAL", THE_DRAFT if question.origin is Origin.EXTRACTION else NOT_YOURS)
    sitting.try_(asking.RESOLVE.call(given))
    return Answer({"done": "answered", "understood": read_back(question, resolved(question, given.value))})


def _confirm(sitting: Sitting, given: Confirm) -> Answer:
    approved = given.decision is Decision.APPROVE
    if approved and (needs := sitting.missing):
        raise IllegalEvent("CRITERIA", NOT_COMPLETE.format(needs="; ".join(needs)))
    sitting.call(ConfirmationResolved(approved=approved))
    return Answer({"done": "approved" if approved else "back to the discussion"}, END_TURN)


LEADING: Final[tuple[StepTool[Any], ...]] = (
    StepTool(
        name="flag_inconsistency",
        description="Two things that were said contradict each other. A question of the owner is no contradiction.",
        input=Flag,
        use=_flag,
        moments=TALKING,
    ),
    StepTool(
        name="settle_inconsistency",
        description="What you flagged is settled: the owner has said what holds, or wants to leave it as it is.",
        input=Settle,
        use=_settle,
        moments=(Moment.DISCUSS,),
    ),
    StepTool(
        name="ready_to_summarize",
        description="You have what this step needs, and nothing contradicts itself. Your turn ends with it.",
        input=Nothing,
        use=_ready,
        moments=(Moment.DISCUSS,),
    ),
    StepTool(
        name=asking.ASK.name, description=asking.ASK.description, input=asking.ASK.input, use=_ask, moments=TALKING
    ),
    StepTool(
        name=asking.RESOLVE.name,
        description=asking.RESOLVE.description,
        input=asking.RESOLVE.input,
        use=_resolve,
        moments=TALKING,
    ),
    StepTool(
        name="resolve_confirmation",
        description="A draft waits, and the owner has answered in words. approve: they approve it as it is. change: "
        "they want something else, also if they said yes before; call the tools that change it beside this one. A "
        "question about the draft is neither. Your turn ends with it.",
        input=Confirm,
        use=_confirm,
        moments=(Moment.CONFIRM,),
    ),
)

TOOLS: Final[tuple[StepTool[Any], ...]] = (*RECORDING, *LEADING)
"""All that an interview is led with, but for research."""
