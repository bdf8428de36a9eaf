"""Tools: one description for all of them, and two ways to run.

A `PureTool` tries a call on the conversation. An `ExternalTool` also reaches outside of it, through ports.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from app.agent.tools.context import Access, PermissionPrompt, TurnContext
from app.agent.tools.output import ToolResult
from app.agent.tools.trial import Trial
from app.core.state.interview import Phase
from app.decision.schema.component import Component


class Input(BaseModel):
    """Input of a tool. A field that it does not name is refused.

    The model reads the schema, with the names and docstrings of inputs and of the enums in them: neither may change.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Input):
    """Input of a tool that needs none."""


I = TypeVar("I", bound=Input)  # noqa: E741
T = TypeVar("T", bound=Trial)


@cache
def build_schema(shape: type[Input]) -> dict[str, Any]:
    """Return the schema of an input. It is made once and sent with each request, so it must not be changed.

    Pydantic takes half a millisecond to make one, and every other conversation would wait for it.
    """
    return shape.model_json_schema()


@dataclass(frozen=True, kw_only=True)
class ToolSpec(Generic[I]):
    """Description of a tool: what the model reads, when it may be called, and what the owner is asked."""

    name: str
    description: str
    input: type[I]
    availability: frozenset[Phase] = frozenset(Phase)
    """Phases in which the toolset of an interview lets it be called. A free thread has no phases."""
    suits: Callable[[Component], bool] = lambda _: True
    """Tells whether the interview of a component offers it."""
    properties: Callable[[Component], Mapping[str, Any]] = lambda _: {}
    """Properties of the input that each component describes in its own way."""
    access: Access
    prompt: Callable[[TurnContext, I], Awaitable[PermissionPrompt]] | None = None
    """What the owner is asked before it writes. A tool that reads has it if a policy may forbid a scope of it."""
    scopes: str = ""
    """Pattern of the scopes of its prompts; empty without a prompt."""

    def describe(self, component: Component | None = None) -> dict[str, Any]:
        """Return the tool as the API wants it; the same for the whole of a conversation."""
        schema = build_schema(self.input)
        if component is not None:
            schema = {**schema, "properties": {**schema["properties"], **self.properties(component)}}
        return {"name": self.name, "description": self.description, "input_schema": schema}


@dataclass(frozen=True, kw_only=True)
class PureTool(ToolSpec[I], Generic[T, I]):
    """A tool that tries a call on the conversation, and sees no port.

    `run` raises `IllegalEvent` with words for the model, and has changed nothing then.
    """

    access: Access = Access.NONE
    run: Callable[[T, I], ToolResult]


@dataclass(frozen=True, kw_only=True)
class ExternalTool(ToolSpec[I]):
    """A tool that reaches outside of its thread.

    `run` and `prompt` raise `OutOfReach` with words for the model. An `address` in the result is where people find
    what was made. Plain text instead of a `ToolResult` names no source: nobody else may read it unasked.
    """

    run: Callable[[TurnContext, I], Awaitable[ToolResult | str]]
