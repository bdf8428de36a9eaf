"""The port to the model: one request, its stream and its end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.conversation.conversation import MessageStatus
from app.core.conversation.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to the model. `messages` are the API's own shape."""

    model: str
    system: str
    messages: Sequence[dict[str, Any]]
    max_tokens: int
    tools: Sequence[dict[str, Any]] = ()
    forced: str = ""
    """The one tool that must be called. Such a request is as deterministic as the model allows: it asks for no
    thinking. The API takes no temperature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """A piece of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Model, id and cost so far of a request, for a turn that ends before the request is complete."""

    usage: Usage
    model: str
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool call by the model. `input` is the model's, unchecked."""

    id: str
    name: str
    input: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """The end of a model request. `content` is the API's content array as verbatim JSON."""

    uses: tuple[ToolUse, ...] = ()
    """The tool calls, if the request ended in order to run them. Those of a truncated or refused request are never
    run."""
    text: str
    content: str
    status: MessageStatus
    usage: Usage
    model: str
    reference: str
    stop_reason: str = "end_turn"
    """The API's stop reason; empty if it gave none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBegun:
    """The model has begun to write a call of this tool, which people do not see grow."""

    tool: str


ModelEvent = TextDelta | Counted | CallBegun | ModelReply
"""What a request yields, the `ModelReply` last."""


class Model(Protocol):
    """Model that replies to requests."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield events and, last, one `ModelReply`. Raise `ModelFailed`.

        Closing the generator ends the request at once.
        """
        ...
