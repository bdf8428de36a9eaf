"""Input of one turn: its tools, its prompt, and the limits of a run that no one waits for."""

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
    """Save nothing: a turn without external tools has no progress to keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundLimits:
    """Limits of a scheduled run, for which no one waits: it shows nothing before its end and must be short."""

    seconds: float
    gives_way: Callable[[], bool]
    """Returns True if the owner has written a message that must be answered first."""


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """Input of a turn: the conversation with its transcript, the permitted tools, and the system prompt."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Toolset[Any]
    system: str = SYSTEM
    outside: ToolRunner = NO_TOOLS
    """The external tools."""
    report: Report = _keep_nothing
    """Saves the row with the text so far, the uses of its round, and the number of requests."""
    unattended: BackgroundLimits | None = None
    notice: str = ""
    """What people are told before the model's words, such as which file could not be read."""
