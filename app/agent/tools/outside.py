"""What a tool is that reaches outside of its thread: it reads, or it writes and is asked about (requirements T8).

One file for each tool, in `app/agent/tools/outer`; adding one is adding a file.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic

from app.agent.tools.tool import I
from app.core.model import Conversation
from app.core.thread import ThreadKey
from app.ports import Conversations, Reach


class Effect(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    """Nothing: it may run beside others, and again."""
    WRITE = "write"
    """Something that people see or that stays: allowed by a rule, or asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What a tool has to work with. `key` names this call for good: what is done twice under it is done once."""

    conversation: Conversation
    reach: Reach
    conversations: Conversations
    now: datetime
    """With the owner's zone."""
    key: str
    since: str
    """Slack's ts of the moment before the call was first attempted."""

    @property
    def thread(self) -> ThreadKey:
        """The thread of the conversation."""
        return self.conversation.thread

    @property
    def owner(self) -> str:
        """In whose name the tool acts."""
        return self.conversation.owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What a call would do, for the person who is asked: all in plain words."""

    title: str
    """As a question without its mark: *post to #ops*."""
    shown: str
    """The arguments that matter, such as the text that would be posted."""
    scope: str
    """What *Always allow* would cover, normalised: it is compared as it is. Such as `channel:C123`."""
    covers: str
    """The scope in words: *posting to #ops*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OuterTool(Generic[I]):
    """One tool. `run` and `purpose` raise `OutOfReach` with words for the model; `run` gives what the model is told."""

    name: str
    description: str
    input: type[I]
    effect: Effect
    run: Callable[[Field, I], Awaitable[str]]
    purpose: Callable[[Field, I], Awaitable[Purpose]] | None = None
    """Of a tool that writes."""

    def spec(self) -> dict[str, Any]:
        """The tool as the API wants it."""
        return {"name": self.name, "description": self.description, "input_schema": self.input.model_json_schema()}
