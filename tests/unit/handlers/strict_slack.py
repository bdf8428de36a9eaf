"""Slack as the outlet sees it, in virtual time: it counts strictly, takes its time, keeps messages, and can fail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from app.playground.slack.api.methods import METHODS
from app.playground.slack.api.tiers import Meter
from app.playground.slack.values.model import Clock as SlacksClock
from app.ports import Clock
from handlers.outbound.web import Answer

TOO_EARLY = 429
TEAM = "T1"


@dataclass(frozen=True)
class Call:
    """One call as it arrived. `error` is Slack's code, or 429, or empty."""

    at: float
    method: str
    arguments: dict[str, Any]
    error: str | int = ""


class _Minutes(SlacksClock):
    def __init__(self, clock: Clock) -> None:
        super().__init__(1.0)
        self._clock = clock

    def now(self) -> float:
        return self._clock.monotonic()


@dataclass
class Post:
    """A message of ours."""

    channel: str
    text: str
    blocks: list[dict[str, Any]]
    metadata: dict[str, Any]
    thread: str = ""
    """Ts of the root of the thread in which it stands; empty if it begins one itself."""

    @property
    def actions(self) -> list[str]:
        """The `action_id` of each button below it."""
        return [
            element["action_id"] for block in self.blocks if block["type"] == "actions" for element in block["elements"]
        ]

    @property
    def markdown(self) -> str:
        return "".join(block["text"] for block in self.blocks if block["type"] == "markdown")


@dataclass
class StrictSlack:
    """Implements `handlers.outbound.web.Web`. `tiers` are calls a minute by method, in place of Slack's own."""

    clock: Clock
    tiers: Mapping[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.1
    """How long a call takes: half there, half back."""
    calls: list[Call] = field(default_factory=list[Call])
    posts: dict[str, Post] = field(default_factory=dict[str, Post])
    faults: dict[str, list[Exception | None]] = field(default_factory=dict[str, list[Exception | None]])
    """What the next calls of a method end with, after they were carried out if the error is ambiguous."""
    zone: str = "Europe/Berlin"
    """Where everybody's clock is."""
    people: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """What else is told of somebody, by id."""
    channels: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The channels that somebody is in, by id."""
    is_closed: bool = False
    uploads: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The bytes that came, by the address they came to."""

    def __post_init__(self) -> None:
        self._meter = Meter(_Minutes(self.clock), self.tiers)

    async def call(self, method: str, **arguments: Any) -> Answer:
        await self.clock.sleep(self.seconds / 2)
        channel = str(arguments.get("channel", ""))
        if early := self._meter.wait(method, METHODS[method].tier, channel):
            self.calls.append(Call(self.clock.monotonic(), method, arguments, TOO_EARLY))
            await self.clock.sleep(self.seconds / 2)
            raise SlackUnavailable(method, after=math.ceil(early))
        answer = self._carry_out(method, arguments)
        await self.clock.sleep(self.seconds / 2)
        return answer

    async def upload(self, address: str, content: bytes) -> None:
        self.uploads[address] = content

    async def download(self, address: str, most: int) -> bytes:
        return self.uploads[address][:most]

    async def close(self) -> None:
        self.is_closed = True

    def made(self, *methods: str) -> list[Call]:
        """The calls of these methods that Slack counted, in order."""
        return [call for call in self.calls if call.method in methods and call.error != TOO_EARLY]

    @property
    def too_early(self) -> list[Call]:
        return [call for call in self.calls if call.error == TOO_EARLY]

    def _carry_out(self, method: str, arguments: dict[str, Any]) -> Answer:
        fault = next(iter(faults), None) if (faults := self.faults.get(method, [])) else None
        if faults:
            faults.pop(0)
        code = fault.code if isinstance(fault, SlackRefused) else ""
        self.calls.append(Call(self.clock.monotonic(), method, arguments, code))
        if fault and not (isinstance(fault, SlackUnavailable) and fault.ambiguous):
            raise fault
        answer = self._change(method, arguments)
        if fault:
            raise fault
        return answer

    def _change(self, method: str, arguments: dict[str, Any]) -> Answer:
        match method:
            case "chat.postMessage":
                ts = f"{1_700_000_000 + len(self.calls)}.000100"
                self.posts[ts] = Post(
                    arguments["channel"],
                    arguments["text"],
                    arguments.get("blocks", []),
                    arguments.get("metadata", {}),
                    arguments.get("thread_ts", ""),
                )
                return {"ts": ts}
            case "chat.update":
                post = self._find(method, arguments)
                post.text, post.blocks = arguments["text"], arguments["blocks"]
            case "views.update":
                return {"view": {**arguments["view"], "id": arguments["view_id"], "hash": f"h{len(self.calls)}"}}
            case "chat.delete":
                self._find(method, arguments)
                del self.posts[arguments["ts"]]
            case "conversations.replies":
                root = arguments["ts"]
                replies = [(ts, post) for ts, post in self.posts.items() if root in (ts, post.thread)]
                return self._page(arguments, sorted(replies, key=itemgetter(0)))
            case "conversations.history":
                roots = [(ts, post) for ts, post in self.posts.items() if not post.thread]
                return self._page(arguments, sorted(roots, key=itemgetter(0), reverse=True))
            case _:
                return self._told(method, arguments)
        return {}

    def _find(self, method: str, arguments: dict[str, Any]) -> Post:
        """The message of a channel with this ts."""
        post = self.posts.get(arguments["ts"])
        if post is None or post.channel != arguments["channel"]:
            raise SlackRefused(method, "message_not_found")
        return post

    def _told(self, method: str, arguments: dict[str, Any]) -> Answer:
        """What Slack says of people and channels."""
        match method:
            case "conversations.info":
                return {"channel": {"id": arguments["channel"], "name": f"name-of-{arguments['channel'].lower()}"}}
            case "conversations.create":
                return {"channel": {"id": f"C0MADE{len(self.calls):03}"}}
            case "conversations.open":
                return {"channel": {"id": f"D{arguments['users']}"}}
            case "files.getUploadURLExternal":
                return {"upload_url": f"http://127.0.0.1:1/upload/{len(self.calls)}", "file_id": f"F{len(self.calls)}"}
            case "users.info":
                told = self.people.get(arguments["user"], {})
                named = {"id": arguments["user"], "name": "maya", "profile": {"display_name": "Maya"}}
                return {"user": {**named, "tz": self.zone, **told}}
            case "users.conversations":
                # Slack: fewer than are asked for may come, though there are more. Here it is one at a time.
                mine, at = self.channels.get(arguments["user"], ()), int(arguments.get("cursor", 0))
                more = str(at + 1) if at + 1 < len(mine) else ""
                return {
                    "channels": [{"id": id_} for id_ in mine[at : at + 1]],
                    "response_metadata": {"next_cursor": more},
                }
            case _:
                return {}

    def _page(self, arguments: dict[str, Any], posts: list[tuple[str, Post]]) -> Answer:
        """Those of the messages that came after `oldest`, at most `limit` at a time."""
        start, limit = int(arguments.get("cursor", 0)), arguments["limit"]
        is_whole = arguments.get("include_all_metadata") == "true"
        replies = [
            {"ts": ts, **({"metadata": post.metadata} if is_whole else {})}
            for ts, post in posts
            if post.channel == arguments["channel"] and ts > arguments["oldest"]
        ]
        more = str(start + limit) if len(replies) > start + limit else ""
        return {"messages": replies[start : start + limit], "response_metadata": {"next_cursor": more}}


@dataclass
class Notes:
    """Implements `app.ports.WriteGuard`: remembers what it was told, and may have lost the conversation."""

    texts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list[tuple[str, tuple[str, ...]]])
    trouble: Exception | None = None

    def check(self) -> None:
        if self.trouble:
            raise self.trouble

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        self.check()
        self.texts.append((text, parts))


def conversation(number: int = 1, channel: str = "C1") -> Conversation:
    thread = ThreadKey(team=TEAM, channel=channel, root=f"1600000000.{number:06}")
    return Conversation(id=f"c{number}", thread=thread, owner="U1")


def reply(text: str = "", status: MessageStatus = MessageStatus.STREAMING, parts: tuple[str, ...] = ()) -> Message:
    return Message(seq=7, role=Role.ASSISTANT, text=text, status=status, parts=parts)
