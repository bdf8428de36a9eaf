"""The values of the workspace, their ids and their clock. All are immutable."""

import asyncio
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.playground.slack.values.surfaces import Command, Json, Shortcut, View


class Clock:
    """Slack's seconds since an arbitrary start."""

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def now(self) -> float:
        """Return the emulator's time, in Slack's seconds."""
        return time.monotonic() * self._scale

    def real(self, seconds: float) -> float:
        """Convert Slack's seconds into real seconds."""
        return seconds / self._scale

    async def sleep(self, seconds: float) -> None:
        """Wait for so many of Slack's seconds."""
        await asyncio.sleep(self.real(seconds))


_ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class IdFactory:
    """The only source of ids and tokens in an emulator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ahead = 0.0
        """Seconds by which timestamps are ahead of our clock; negative ones, given at the start, make a past day."""
        self._last = 0  # microseconds

    def id(self, prefix: str) -> str:
        """Return an id such as C04TG7Q2MNK; the prefix tells its type."""
        return prefix + "0" + "".join(self.random.choices(_ALPHABET, k=9))

    def digits(self, count: int) -> str:
        """Return that many digits."""
        return "".join(self.random.choices("0123456789", k=count))

    def secret(self, count: int) -> str:
        """Return that many hexadecimal digits."""
        return "".join(self.random.choices("0123456789abcdef", k=count))

    def uuid(self) -> str:
        """Return a random UUID."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def ts(self) -> str:
        """Return a message timestamp, seconds.micros, later than every one before."""
        self._last = max(self._last + 1, time.time_ns() // 1_000 + round(self.ahead * 1_000_000))
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"


ChannelKind = Literal["channel", "group", "im"]
SessionStatus = Literal["active", "processing", "suspended", "closed"]
SESSION_STOPPED = "agent_session_stopped"  # the event of a press on Slack's own Stop


@dataclass(frozen=True, slots=True)
class Member:
    """A person or the bot."""

    id: str
    name: str
    real_name: str
    tz: str
    is_bot: bool = False
    is_guest: bool = False
    """True if they see only the channels that they are in."""
    is_ultra_restricted: bool = False
    """True if they are a guest of one channel alone."""
    team: str = ""
    """The workspace of a member of another company, in a shared channel; empty for members of this one."""
    title: str = ""
    """What they do, as they tell it in their profile."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A conversation: public channel, private group, or the bot's direct messages with one person."""

    id: str
    name: str
    kind: ChannelKind
    members: tuple[str, ...]
    created: int
    is_shared: bool = False
    """True if another company reads it too (Slack Connect)."""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class App:
    """The installed app: its identity and its secrets."""

    id: str
    bot_id: str
    user: Member
    bot_token: str
    app_token: str
    signing_secret: str
    scopes: frozenset[str]
    events: frozenset[str] | None
    is_agent: bool = True
    commands: Mapping[str, Command] | None = None
    """By name, with the slash; None takes any."""
    shortcuts: Mapping[str, Shortcut] = field(default_factory=dict[str, Shortcut])
    """By callback_id."""

    def is_subscribed(self, event: str) -> bool:
        """Return True if the app asked for an event, named as in a manifest; an app without a list gets all."""
        return self.events is None or event in self.events


@dataclass(frozen=True, slots=True)
class Reaction:
    """One emoji under a message, and its authors."""

    name: str
    users: tuple[str, ...]


FileMode = Literal["hosted", "snippet", "external", "tombstone"]


@dataclass(frozen=True, slots=True)
class File:
    """A file that the app or a person has uploaded, or that a person shared from elsewhere."""

    id: str
    name: str
    title: str
    mimetype: str
    content: bytes = field(repr=False)
    user: str
    created: int
    permalink: str
    mode: FileMode = "hosted"
    """`external` if it lies with another service; `tombstone` once it was deleted."""
    external_url: str = ""
    """The address at the other service, of an external file."""
    external_type: str = ""
    """The other service, such as `gdrive`; `remote` for a file that an app added by its address."""
    is_checked: bool = False
    """True if events hold its id alone, as in a channel of several companies: `files.info` tells the rest."""

    @property
    def size(self) -> int:
        return len(self.content)


@dataclass(frozen=True, slots=True)
class Message:
    """One message at one moment; `ts` names it within its channel for ever."""

    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    """The root's ts, on replies only."""
    blocks: list[Json] | None = None
    bot_id: str | None = None
    metadata: Json | None = None
    subtype: str | None = None
    edited_ts: str | None = None
    """Time of its visible "edited" mark; an update with blocks gives none."""
    edit_count: int = 0
    reactions: tuple[Reaction, ...] = ()
    files: tuple[File, ...] = ()
    seen_by: str | None = None
    """The one person who sees it, if it is ephemeral."""
    client_msg_id: str | None = None

    @property
    def is_tombstone(self) -> bool:
        """Return True for the mark of a deleted root with replies."""
        return self.subtype == "tombstone"


@dataclass(frozen=True, slots=True, eq=False)
class Status:
    """A line under a thread; the same words set again are another status."""

    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """An agent session: the state of the app's work in one thread. Only the app changes it."""

    channel: str
    thread_ts: str
    status: SessionStatus
    title: str


@dataclass(frozen=True, slots=True)
class Posted:
    """A message appeared for everyone in the channel."""

    message: Message


@dataclass(frozen=True, slots=True)
class Updated:
    """A message got new content, or became a tombstone."""

    message: Message
    previous: Message


@dataclass(frozen=True, slots=True)
class FileDeleted:
    """A person deleted a file. Its messages were updated before."""

    file: File
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Removed:
    """A message is gone; also an ephemeral one."""

    message: Message


@dataclass(frozen=True, slots=True)
class Whispered:
    """An ephemeral message appeared, or changed, for one person."""

    message: Message


@dataclass(frozen=True, slots=True)
class Reacted:
    """A reaction was added to a message, or taken back."""

    message: Message
    name: str
    user: str
    added: bool


@dataclass(frozen=True, slots=True)
class StatusShown:
    """The line under a thread changed; empty means it is gone."""

    channel: str
    thread_ts: str
    status: str


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session began, or got another status or title."""

    session: Session


@dataclass(frozen=True, slots=True)
class StopPressed:
    """A person pressed Slack's own Stop. This does not change the session."""

    session: Session
    user: str


@dataclass(frozen=True, slots=True)
class Founded:
    """A new channel was created; its creator is its only member."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class Joined:
    """Someone became a member of a channel."""

    channel: Channel
    user: str
    inviter: str | None


@dataclass(frozen=True, slots=True)
class DmOpened:
    """A person looks at their direct messages with the bot."""

    channel: Channel
    user: str


@dataclass(frozen=True, slots=True)
class HomeOpened:
    """A person looks at the app's Home tab; direct messages with the bot exist from then on."""

    channel: Channel
    user: str


@dataclass(frozen=True, slots=True)
class HomeShown:
    """The app published a Home tab for one person."""

    view: View


@dataclass(frozen=True, slots=True)
class ModalsChanged:
    """A person's stack of modals, or one of them, changed; the last is on top."""

    user: str
    stack: tuple[View, ...]


@dataclass(frozen=True, slots=True)
class CallFailed:
    """A call of the app was refused, or the app could not be reached. The page shows it in its error strip."""

    at: float
    method: str
    error: str
    status: int


Change = (
    Posted
    | Updated
    | FileDeleted
    | Removed
    | Whispered
    | Reacted
    | StatusShown
    | SessionChanged
    | StopPressed
    | Founded
    | Joined
    | DmOpened
    | HomeOpened
    | HomeShown
    | ModalsChanged
    | CallFailed
)
