"""What a tool is: a name, what the model is told of it, the shape of its input, and the call that an input means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from app.core.calls import Call


class Input(BaseModel):
    """The input of a tool: what it does not name is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Input):
    """Input of a tool that needs none."""


I = TypeVar("I", bound=Input)  # noqa: E741


@cache
def schema_of(shape: type[Input]) -> dict[str, Any]:
    """The shape of an input as the API wants it: not to be changed, for it is made once, and sent with each request.

    Pydantic takes half a millisecond to make one, and all other threads would wait for it.
    """
    return shape.model_json_schema()


@dataclass(frozen=True, slots=True)
class Tool(Generic[I]):
    """One tool. `call` makes the call of a valid input; it may raise `IllegalEvent` with words for the model."""

    name: str
    description: str
    input: type[I]
    call: Callable[[I], Call]

    def spec(self) -> dict[str, Any]:
        """The tool as the API wants it."""
        return {"name": self.name, "description": self.description, "input_schema": schema_of(self.input)}
