"""Tools to ask the person with buttons, to understand a typed answer, and to offer a guided decision."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, PureTool
from app.agent.tools.trial import Trial
from app.core.conversation.call import AskPerson, OfferDecision, ResolveQuestion
from app.core.pending.answer_reading import read_back, read_resolution
from app.core.state.question import QuestionKind

OFFERED: Final = "A button for it stands below your reply. In your text, say in one sentence that it is there."
ASKED: Final = "The question is shown to the owner. Your turn ends here; the answer comes with their next message."


class Ask(Input):
    """Input of `ask_user`."""

    type: QuestionKind
    prompt: str = Field(min_length=1, max_length=2_900, description="The question, in the person's language.")
    options: list[str] = Field(
        default=[], max_length=10, description="For a choice: 2 to 10 short answers, at most 75 characters each."
    )
    allow_something_else: bool = Field(default=False, description="For a choice: other answers are welcome too.")


class Resolve(Input):
    """Input of `resolve_question`."""

    value: str = Field(min_length=1, max_length=10_000, description="One of the offered answers, or the text given.")


class Offered(Input):
    """Input of `offer_decision`."""

    question: str = Field(
        min_length=1, max_length=500, description="What is to be decided, in their words: How should we …?"
    )


def ask(trial: Trial, given: Ask) -> ToolResult:
    """Ask the owner, which ends the turn."""
    options, other = tuple(given.options), given.allow_something_else
    trial.apply(AskPerson(type=given.type, prompt=given.prompt, options=options, other=other))
    return ToolResult(ASKED)


def resolve(trial: Trial, given: Resolve) -> ToolResult:
    """Answer the open question, and return the answer as it was understood."""
    question = trial.conversation.question
    trial.apply(ResolveQuestion(value=given.value))
    assert question is not None, "an answer was found for it"
    return ToolResult(read_back(question, read_resolution(question, given.value)))


def offer(trial: Trial, given: Offered) -> ToolResult:
    """Offer to begin a guided decision; whether and where is up to whoever presses the button."""
    trial.apply(OfferDecision(question=" ".join(given.question.split())))
    return ToolResult(OFFERED)


ASK = PureTool(
    name="ask_user",
    description="Ask the owner of the thread one question and wait for the answer. confirmation: yes or no. choice: "
    "one of the options, shown as buttons. input: free text. Your turn ends with it; "
    "ask everything else in your text.",
    input=Ask,
    run=ask,
)

RESOLVE = PureTool(
    name="resolve_question",
    description="Your open question has been answered by what the owner wrote. Say in your text how you understood it.",
    input=Resolve,
    run=resolve,
)

OFFER = PureTool(
    name="offer_decision",
    description="Show a button that begins a guided decision with this question: nine short steps, each in a thread of "
    "its own and with a result that a person approves, and a report at the end. Once, and if it is worth an hour.",
    input=Offered,
    run=offer,
)
