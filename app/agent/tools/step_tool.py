"""What a tool of an interview is: its input, what it does in a sitting, and when it may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.agent.tools.sitting import Answer, Moment, Sitting
from app.agent.tools.tool import Input, schema_of
from app.decision.component import Component

I = TypeVar("I", bound=Input)  # noqa: E741


def _nothing(_: Component) -> dict[str, Any]:
    return {}


def _always(_: Component) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTool(Generic[I]):
    """One tool. `use` raises `IllegalEvent` with words for the model if it cannot be, and has changed nothing then."""

    name: str
    description: str
    input: type[I]
    use: Callable[[Sitting, I], Answer]
    moments: tuple[Moment, ...]
    told_by: Callable[[Component], dict[str, Any]] = _nothing
    """Properties of the input that each component tells in its own way."""
    suits: Callable[[Component], bool] = _always
    """Whether a component has any use for it."""

    def spec(self, component: Component) -> dict[str, Any]:
        """The tool as the API wants it; the same for the whole of a conversation."""
        schema = schema_of(self.input)
        told = {**schema, "properties": {**schema["properties"], **self.told_by(component)}}
        return {"name": self.name, "description": self.description, "input_schema": told}
