"""What one turn with the model is asked with: its tools, its words, and what holds of it if nobody waits for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol

from app.agent.hands import NO_HANDS, Hands
from app.core.calls import Call
from app.core.model import Conversation, Message
from app.core.uses import Use
from app.ports import ToolUse

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


class Tools(Protocol):
    """The tools of one turn."""

    @property
    def specs(self) -> Sequence[dict[str, Any]]:
        """The tools as the API wants them."""
        ...

    @property
    def calls(self) -> tuple[Call, ...]:
        """What counts of what was called, in order."""
        ...

    @property
    def used(self) -> bool:
        """True once anything was called, whatever came of it."""
        ...

    @property
    def verbatim(self) -> bool:
        """False once an input had to be cleaned: then what the model wrote is not kept as it was."""
        ...

    @property
    def waits(self) -> bool:
        """True if the turn ends here."""
        ...

    def use(self, wish: ToolUse) -> dict[str, Any]:
        """Carry out one call, and give the block that tells the model what came of it."""
        ...


Report = Callable[[Message, tuple[Use, ...], int], Awaitable[None]]


async def _kept_nowhere(_row: Message, _uses: tuple[Use, ...], _rounds: int) -> None:
    """For turns without hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unattended:
    """What holds of a run of a schedule, for which nobody waits: nothing is shown before its end; it may not last."""

    seconds: float
    gives_way: Callable[[], bool]
    """Whether the owner has written something that goes first (C-32)."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: the conversation with its transcript, the tools that may be used, and the system prompt."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Tools
    system: str = SYSTEM
    outside: Hands = NO_HANDS
    """The tools that reach outside of the thread."""
    report: Report = _kept_nowhere
    """Saves the row with what was said so far, how far the uses of its round are, and after how many requests."""
    unattended: Unattended | None = None
