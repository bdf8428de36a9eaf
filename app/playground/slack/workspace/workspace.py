"""The state of one Slack workspace, and the only way to change it.

Watchers get every change, in order, before the changing call returns. It checks no permission and knows no wire format:
the Web API and `people` decide who may act.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.playground.slack.values.model import (
    SESSION_STOPPED,
    App,
    Change,
    Channel,
    ChannelKind,
    DmOpened,
    File,
    FileDeleted,
    Founded,
    HomeOpened,
    IdFactory,
    Joined,
    Member,
    Message,
    Posted,
    Reacted,
    Removed,
    Session,
    SessionChanged,
    Status,
    StatusShown,
    Updated,
    Whispered,
)
from app.playground.slack.workspace.views import Views

TIMESTAMP = re.compile(r"^\d{10}\.\d{6}$")


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace itself, as people name it."""

    id: str
    name: str
    domain: str


class Workspace:
    """Team, members, channels, messages, statuses, agent sessions and views."""

    def __init__(self, team: Team, app: App, mint: IdFactory) -> None:
        self.url = ""
        """The server's address, without a slash at the end; set by `start`."""
        self.team = team
        self.app = app
        self.mint = mint
        self.members: dict[str, Member] = {app.user.id: app.user}
        self.channels: dict[str, Channel] = {}
        self.statuses: dict[tuple[str, str], Status] = {}
        self.sessions: dict[tuple[str, str], Session] = {}
        self._messages: dict[str, dict[str, Message]] = {}
        self._ephemerals: dict[str, dict[str, Message]] = {}
        self._replies: dict[tuple[str, str], list[str]] = {}
        self._watchers: list[Callable[[Change], None]] = []
        self.views = Views(mint, self.tell)

    def watch(self, watcher: Callable[[Change], None]) -> Callable[[], None]:
        """Call `watcher` with every change from now on. Return the function that ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def tell(self, change: Change) -> None:
        """Pass a change to every watcher."""
        for watcher in tuple(self._watchers):
            watcher(change)

    # --- reading ---------------------------------------------------------------------------------

    def member(self, who: str) -> Member | None:
        """Return the member with this id, or with this name in any case."""
        wanted = who.removeprefix("@").casefold()
        by_name = (member for member in self.members.values() if member.name.casefold() == wanted)
        return self.members.get(who) or next(by_name, None)

    def channel_named(self, name: str) -> Channel | None:
        """Return the channel with this name, with or without the #. Direct messages have no name."""
        wanted = name.removeprefix("#")
        named = (channel for channel in self.channels.values() if channel.name == wanted)
        return next(named, None) if wanted else None

    def bot_is_in(self, channel: Channel) -> bool:
        """Return True if the bot is a member; otherwise it neither reads nor posts there."""
        return self.app.user.id in channel.members

    def message(self, channel: str, ts: str) -> Message | None:
        """Return a message that everyone in the channel sees."""
        return self._messages[channel].get(ts)

    def ephemeral(self, channel: str, ts: str) -> Message | None:
        """Return a message that only one person sees."""
        return self._ephemerals[channel].get(ts)

    def messages(self, channel: str) -> list[Message]:
        """Return all messages of a channel, replies among them, oldest first."""
        return list(self._messages[channel].values())

    def ephemerals(self, channel: str, user: str) -> list[Message]:
        """Return the messages of the channel that only this person sees."""
        return [message for message in self._ephemerals[channel].values() if message.seen_by == user]

    def replies(self, channel: str, root: str) -> list[Message]:
        """Return the replies of a thread, oldest first, without its root."""
        return [self._messages[channel][ts] for ts in self._replies.get((channel, root), ())]

    def find_file(self, id_: str) -> tuple[File | None, tuple[str, ...]]:
        """Return the file with this id, and the channels in which it was shared."""
        shared = [
            (file, channel)
            for channel, messages in self._messages.items()
            for message in messages.values()
            for file in message.files
            if file.id == id_
        ]
        return (shared[0][0] if shared else None), tuple(dict.fromkeys(channel for _, channel in shared))

    def root_of(self, channel: str, ts: str) -> str | None:
        """Return the ts of the thread that `ts` is in or would start; None if it names no message."""
        message = self.message(channel, ts)
        return (message.thread_ts or message.ts) if message else None

    def shows_stop(self, session: Session) -> bool:
        """Return True if people see Slack's own Stop: the session is processing, and the app would get the event."""
        return session.status == "processing" and self.app.is_subscribed(SESSION_STOPPED)

    # --- changing --------------------------------------------------------------------------------

    def add_channel(self, channel: Channel) -> Channel:
        """Add an empty channel."""
        self.channels[channel.id] = channel
        self._messages[channel.id] = {}
        self._ephemerals[channel.id] = {}
        return channel

    def found(self, name: str, kind: ChannelKind, founder: str) -> Channel:
        """Create a channel with one member, and its first message about that."""
        channel = self.add_channel(Channel(self.mint.id("C"), name, kind, (founder,), int(time.time())))
        self.tell(Founded(channel))
        self._say_joined(channel, founder)
        return channel

    def dm_with(self, user: str) -> Channel:
        """Return the bot's direct messages with a person; they are created on first use."""
        bot = self.app.user.id
        for channel in self.channels.values():
            if channel.kind == "im" and channel.members == (user, bot):
                return channel
        return self.add_channel(Channel(self.mint.id("D"), "", "im", (user, bot), int(time.time())))

    def open_dm(self, user: str) -> Channel:
        """Let a person look at their direct messages with the bot."""
        channel = self.dm_with(user)
        self.tell(DmOpened(channel, user))
        return channel

    def open_home(self, user: str) -> Channel:
        """Let a person look at the app's Home tab."""
        channel = self.dm_with(user)
        self.tell(HomeOpened(channel, user))
        return channel

    def join(self, channel: Channel, user: str, inviter: str | None) -> Channel:
        """Make a person a member, and post the channel's message about that."""
        joined = replace(channel, members=(*channel.members, user))
        self.channels[channel.id] = joined
        self.tell(Joined(joined, user, inviter))
        self._say_joined(joined, user)
        return joined

    def _say_joined(self, channel: Channel, user: str) -> None:
        said = f"<@{user}> has joined the channel"
        self.post(Message(channel.id, self.mint.ts(), user, said, subtype="channel_join"))

    def post(self, message: Message) -> Message:
        """Add a message with a newly made ts. A message of the bot clears the status of its thread."""
        self._messages[message.channel][message.ts] = message
        if message.thread_ts:
            self._replies.setdefault((message.channel, message.thread_ts), []).append(message.ts)
        self.tell(Posted(message))
        if message.user == self.app.user.id:
            self.set_status(message.channel, message.thread_ts or message.ts, "")
        return message

    def update(self, message: Message) -> Message:
        """Replace the message with the same ts."""
        previous = self._messages[message.channel][message.ts]
        self._messages[message.channel][message.ts] = message
        self.tell(Updated(message, previous))
        return message

    def remove(self, message: Message) -> None:
        """Delete a message; a root with replies stays as a tombstone."""
        if self.replies(message.channel, message.ts):
            self.update(
                Message(message.channel, message.ts, "USLACKBOT", "This message was deleted.", subtype="tombstone")
            )
            return
        del self._messages[message.channel][message.ts]
        if message.thread_ts:
            self._replies[message.channel, message.thread_ts].remove(message.ts)
        self.tell(Removed(message))

    def delete_file(self, file: File) -> None:
        """Delete a file; a mark stays in the messages that shared it."""
        _, channels = self.find_file(file.id)
        gone = replace(file, mode="tombstone", name="", title="", content=b"")
        for channel in channels:
            for message in self.messages(channel):
                if any(each.id == file.id for each in message.files):
                    left = tuple(gone if each.id == file.id else each for each in message.files)
                    self.update(replace(message, files=left))
        self.tell(FileDeleted(gone, channels))

    def whisper(self, message: Message) -> Message:
        """Show an ephemeral message to one person, or change one that is shown already."""
        self._ephemerals[message.channel][message.ts] = message
        self.tell(Whispered(message))
        return message

    def hush(self, message: Message) -> None:
        """Take back an ephemeral message."""
        del self._ephemerals[message.channel][message.ts]
        self.tell(Removed(message))

    def react(self, message: Message, change: Reacted) -> None:
        """Replace a message with its copy that has other reactions."""
        self._messages[message.channel][message.ts] = message
        self.tell(change)

    def set_status(self, channel: str, thread_ts: str, text: str) -> Status:
        """Show a status under a thread in place of the previous one; an empty text clears it."""
        before = self.statuses.pop((channel, thread_ts), Status(""))
        status = Status(text)
        if text:
            self.statuses[channel, thread_ts] = status
        if before.text != text:
            self.tell(StatusShown(channel, thread_ts, text))
        return status

    def put_session(self, session: Session) -> None:
        """Begin a session, or replace the status or title of the thread's session."""
        self.sessions[session.channel, session.thread_ts] = session
        self.tell(SessionChanged(session))
