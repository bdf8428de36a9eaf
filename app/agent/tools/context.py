"""The context of a tool call that reaches outside of its thread, and what its owner is asked before it does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Flag, StrEnum, auto
from typing import Any, Final, Protocol, cast

from app.agent.claude.web_answer import NO_WEB, WebSettings
from app.agent.tools.output import ToolResult
from app.agent.tools.trial import Trial
from app.core.conversation.conversation import Conversation
from app.core.conversation.shared_file import SharedFile
from app.core.file_content import FileText
from app.core.state.permission import Target
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.ports import (
    Conversations,
    ListedChannel,
    Listing,
    ModelReply,
    ModelRequest,
    Person,
    SlackAccess,
    Spot,
)

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


OpenFile = Callable[[SharedFile], Awaitable[FileText]]
"""Fetches and reads a file of the thread. Raises `OutOfReach` with words for the model."""


Ask = Callable[[ModelRequest], Awaitable[ModelReply]]
"""Asks the model for a tool. The answer under way pays for it, within its budgets; people see none of its words."""


async def _ask_nobody(_request: ModelRequest) -> ModelReply:
    raise AssertionError("a tool that asks the model is used in a turn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What a sub-task has to find out in one place, and what it reads first."""

    place: str
    task: str
    tool: str
    """The tool that it begins with."""
    given: Mapping[str, Any]
    """The input of that."""
    tools: frozenset[str]
    """Names of the tools that it may use, that one included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of a sub-task."""

    text: str = ""
    """Its report, clean and bounded."""
    reason: str = ""
    """Why there is none; empty if there is one."""
    read: tuple[str, ...] = ()
    """Names of the places that were really read."""
    sources: tuple[str, ...] = ()
    """Labels of what was read, as of a `ToolResult`."""


class Subtasks(Protocol):
    """Sub-tasks of a tool use: requests of their own to the model, with tools that read, on the account of the turn."""

    async def look(self, number: int, lookup: Lookup) -> Finding:
        """Carry out one of them. What goes wrong in it is a finding, too."""
        ...

    def report(self, done: int, total: int, so_far: ToolResult) -> None:
        """Tell how many have ended, and what the use has brought if it ends here."""
        ...


@dataclass(slots=True)
class Directory:
    """The lists of channels and people that the calls of a turn have looked up."""

    channels: Listing[ListedChannel] | None = None
    people: dict[str, Listing[Person]] = field(default_factory=dict[str, Listing[Person]])
    """By the channel that bounds them."""


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
    directory: Directory = field(default_factory=Directory)
    subtasks: Subtasks | None = None
    """For a tool that delegates."""
    may_make: Callable[[Creation], Awaitable[int]]
    """Counts what the owner makes. Returns the seconds to wait if that is too much, otherwise 0."""
    open_file: OpenFile
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
        """Return a channel that the owner can see, as `SlackAccess.channel` does, with its errors; look it up once."""
        if name not in self.spots:
            self.spots[name] = await self.reach.channel(self.thread.team, self.owner, name)
        return self.spots[name]

    async def channels(self) -> Listing[ListedChannel]:
        """Return the channels that the owner can see. Looks them up once."""
        if self.directory.channels is None:
            self.directory.channels = await self.reach.channels(self.thread.team, self.owner)
        return self.directory.channels

    async def people(self, within: str = "") -> Listing[Person]:
        """Return the people whom the owner can see, perhaps only the members of a channel. Looks them up once."""
        if within not in self.directory.people:
            self.directory.people[within] = await self.reach.people(self.thread.team, self.owner, within)
        return self.directory.people[within]


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
    said_of: str = ""
    """That in words, as people read it on the card."""
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
