"""What a tool is that reaches outside of its thread: it reads, or it writes and is asked about (requirements T8).

One file for each tool, in `app/agent/tools/outer`; adding one is adding a file.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, cast

from app.agent.tools.tool import I, schema_of
from app.core.limits import Creation
from app.core.model import Conversation
from app.core.permissions import Target
from app.core.thread import ThreadKey
from app.ports import Conversations, Reach, Spot

Results = Callable[[ThreadKey], Awaitable[Mapping[str, Mapping[str, Any]]]]
"""The newest approved result of each step of a decision, by the step's key; the decision is named by its thread."""


CHANNEL: Final = "channel:[CDG][A-Z0-9]{7,}"
"""Pattern of the scopes of tools that are about a channel (`Spot.scope`)."""


class Effect(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    """Nothing: it may run beside others, and again."""
    WRITE = "write"
    """Something that people see or that stays: allowed by a rule, or asked about."""


async def _unlimited(_made: Creation) -> int:
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What a tool has to work with. `key` names this call for good: what is done twice under it is done once."""

    conversation: Conversation
    reach: Reach
    conversations: Conversations
    results: Results
    now: datetime
    """With the owner's zone."""
    key: str
    since: str
    """Slack's ts of the moment before the call was first attempted."""
    spots: dict[str, Spot] = field(default_factory=dict[str, Spot])
    """The channels that this call has looked up, by what they were called."""
    may_make: Callable[[Creation], Awaitable[int]] = _unlimited
    """Counts something that the owner has made; gives the seconds to wait where that is too much."""

    @property
    def thread(self) -> ThreadKey:
        """The thread of the conversation."""
        return self.conversation.thread

    @property
    def owner(self) -> str:
        """In whose name the tool acts."""
        return self.conversation.owner

    async def channel(self, name: str) -> Spot:
        """A channel that the owner can see, as `Reach.channel` gives it: looked up once for a call. Raises the same."""
        if name not in self.spots:
            self.spots[name] = await self.reach.channel(self.thread.team, self.owner, name)
        return self.spots[name]


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
    makes: str = ""
    """What comes of it, by the name under which people will look for it; empty if nothing is left of it."""
    target: Target | None = None
    """The channel whose readers read what the call writes. Without one it counts as read by anybody."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: for the model, and from which places. A tool that gives plain words tells of no place; its
    result then counts as readable by nobody else.
    """

    words: str
    sources: tuple[str, ...] = ()
    """Slack's ids of the channels, or labels of other conversations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OuterTool(Generic[I]):
    """One tool. `run` and `purpose` raise `OutOfReach` with words for the model.

    `run` gives what the model is told, as JSON, and the places it came from; an `address` in it is where people find
    what was made.
    """

    name: str
    description: str
    input: type[I]
    effect: Effect
    run: Callable[[Field, I], Awaitable[Result | str]]
    purpose: Callable[[Field, I], Awaitable[Purpose]] | None = None
    """Of a tool that writes. One that reads has it where a policy may forbid a scope of it."""
    scopes: str = ""
    """Pattern of the scopes that its purposes have; empty without a purpose."""

    def spec(self) -> dict[str, Any]:
        """The tool as the API wants it."""
        return {"name": self.name, "description": self.description, "input_schema": schema_of(self.input)}


def address_of(told: str) -> str:
    """Where what a tool has made stands, as it told; empty if it did not."""
    try:
        came = json.loads(told)
    except (ValueError, RecursionError):
        return ""
    address = cast("dict[str, Any]", came).get("address") if isinstance(came, dict) else None
    return address if isinstance(address, str) else ""
