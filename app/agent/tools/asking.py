"""Tools to ask the person with buttons, and to understand a typed answer."""

from __future__ import annotations

from pydantic import Field

from app.agent.tools.tool import Input, Tool
from app.core.calls import AskPerson, ResolveQuestion
from app.core.question import QuestionKind


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


ASK = Tool(
    "ask_user",
    "Ask the owner of the thread one question and wait for the answer. confirmation: yes or no. choice: one of the "
    "options, shown as buttons. input: free text. Your turn ends with it. For questions whose answer decides what "
    "happens next; ask everything else in your text.",
    Ask,
    lambda given: AskPerson(
        type=given.type, prompt=given.prompt, options=tuple(given.options), other=given.allow_something_else
    ),
)

RESOLVE = Tool(
    "resolve_question",
    "Your open question has been answered by what the owner wrote. Say in your text how you understood it.",
    Resolve,
    lambda given: ResolveQuestion(value=given.value),
)
