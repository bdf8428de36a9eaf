"""The context of a tool call that reaches outside of its thread, and what its owner is asked before it does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Flag, StrEnum, auto
from typing import Any, Final, cast

from app.agent.claude.web_answer import NO_WEB, WebSettings
from app.agent.tools.trial import Trial
from app.core.conversation.conversation import Conversation
from app.core.state.permission import Target
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.ports import Conversations, ModelReply, ModelRequest, SlackAccess, Spot

Results = Callable[[ThreadKey], Awaitable[Mapping[str, Mapping[str, Any]]]]
"""Looks up the newest approved result of each step of a decision, by the step's key. The thread names the decision."""


CHANNEL: Final = "channel:[CDG][A-Z0-9]{7,}"
"""Pattern of the scopes of tools that are about a channel (`Spot.scope`)."""


class Access(StrEnum):
    """Access of a tool to the world outside of its thread."""

    NONE = "none"
    """It sees and changes the conversation alone."""
    READ = "read"
    """It changes nothing: it may run beside others, and again."""
    WRITE = "write"
    """It makes or changes what people see: a rule allows it, or the owner is asked."""


class Offer(Flag):
    """Kinds of threads in which the model is offered a tool."""

    FREE = auto()
    """Free threads."""
    STEPS = auto()
    """Guided steps of decisions, whose turns are never held for a permission: only tools that read."""
    BOTH = FREE | STEPS


async def _allow(_made: Creation) -> int:
    return 0


Ask = Callable[[ModelRequest], Awaitable[ModelReply]]
"""Asks the model for a tool. The answer under way pays for it, within its budgets; people see none of its words."""


async def _ask_nobody(_request: ModelRequest) -> ModelReply:
    raise AssertionError("a tool that asks the model is used in a turn")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """One call's view of its turn, with the ports. Twice under the same `key` means done once."""

    trial: Trial
    """The conversation and its messages, in an interview also the component and the draft."""
    reach: SlackAccess
    conversations: Conversations
    results: Results
    now: datetime
    """With the owner's zone."""
    key: str
    since: str
    """Slack's ts of the moment before the call was first attempted."""
    spots: dict[str, Spot] = field(default_factory=dict[str, Spot])
    """Channels that this call has looked up, by the name it used."""
    may_make: Callable[[Creation], Awaitable[int]] = _allow
    """Counts what the owner makes. Returns the seconds to wait if that is too much, otherwise 0."""
    ask: Ask = _ask_nobody
    web: WebSettings = NO_WEB
    """Bounds of a search of the web."""

    @property
    def conversation(self) -> Conversation:
        """The conversation of the turn, as the calls so far leave it."""
        return self.trial.conversation

    @property
    def thread(self) -> ThreadKey:
        """The thread of the conversation."""
        return self.conversation.thread

    @property
    def owner(self) -> str:
        """The person in whose name the tool acts."""
        return self.conversation.owner

    async def channel(self, name: str) -> Spot:
        """Return a channel that the owner can see, as `Reach.channel` does and with its errors. Looks it up once."""
        if name not in self.spots:
            self.spots[name] = await self.reach.channel(self.thread.team, self.owner, name)
        return self.spots[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionPrompt:
    """What the owner is asked before a call: all in plain words."""

    title: str
    """As a question without its mark: *post to #ops*."""
    shown: str
    """The arguments that matter, such as the text that would be posted."""
    scope: str
    """What *Always allow* would cover, normalised because it is compared as it is. Such as `channel:C123`."""
    covers: str
    """The scope in words: *posting to #ops*."""
    makes: str = ""
    """What the call leaves behind, by the name under which people will look for it; empty if nothing."""
    described: str = ""
    """Digest of what a server says of its tool; empty for our own tools."""
    target: Target | None = None
    """The channel whose members read what the call writes. Without one, anybody counts as a reader."""


def find_address(text: str) -> str:
    """Return the address of what a tool has made, from its result; empty if it has none."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    address = cast("dict[str, Any]", result).get("address") if isinstance(result, dict) else None
    return address if isinstance(address, str) else ""
