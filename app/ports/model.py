"""Whoever answers: one request, its stream and its end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.model import MessageStatus, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to the model. `messages` are the API's own shape."""

    model: str
    system: str
    messages: Sequence[dict[str, Any]]
    max_tokens: int
    tools: Sequence[dict[str, Any]] = ()
    forced: str = ""
    """The one tool that has to be called (S4-045). Such a request is made as exact as the model allows: no thinking,
    and temperature 0 where that is still accepted (S0-218, C-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What the request has cost so far and what it is called, for a turn that ends before its reply does."""

    usage: Usage
    model: str
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool that the model wants to use. `input` is what it wrote, unchecked."""

    id: str
    name: str
    input: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """The end of an answer. `content` is the API's content array, verbatim JSON."""

    uses: tuple[ToolUse, ...] = ()
    """Only if the answer ended to use them: those of an answer that was cut off or refused are never carried out."""
    text: str
    content: str
    status: MessageStatus
    usage: Usage
    model: str
    reference: str
    stop_reason: str = "end_turn"
    """As the API gave it; empty if it gave none."""


class Model(Protocol):
    """Claude, or whoever answers."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Counted | ModelReply, None]:
        """Yield deltas and, last, one `ModelReply`. Raises `ModelFailed`. Closing it ends the request at once."""
        ...
