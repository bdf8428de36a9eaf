"""What one turn with the model is asked with: its tools, its words, and what holds of it if nobody waits for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

from app.agent.tool_runner import NO_TOOLS, ToolRunner
from app.agent.tools.conversation.thread_toolset import Toolset
from app.core.conversation.conversation import Conversation, Message
from app.core.state.tool_use import Use

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


Report = Callable[[Message, tuple[Use, ...], int], Awaitable[None]]


async def _keep_nothing(_row: Message, _uses: tuple[Use, ...], _rounds: int) -> None:
    """For turns without external tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unattended:
    """What holds of a run of a schedule, for which nobody waits: nothing is shown before its end; it may not last."""

    seconds: float
    gives_way: Callable[[], bool]
    """Whether the owner has written something that goes first (C-32)."""


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """What is asked: the conversation with its transcript, the tools that may be used, and the system prompt."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Toolset[Any]
    system: str = SYSTEM
    outside: ToolRunner = NO_TOOLS
    """The tools that reach outside of the thread."""
    report: Report = _keep_nothing
    """Saves the row with what was said so far, how far the uses of its round are, and after how many requests."""
    unattended: Unattended | None = None
