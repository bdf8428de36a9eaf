"""People's actions in the workspace, and their views of it.

People and channels are given by id or by name ("Maya", "#general"). An action that Slack's own client would not allow
raises LookupError or PermissionError with a sentence for that person.
"""

import mimetypes
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from app.playground.slack.people.actions import UserActions
from app.playground.slack.people.interacting import Interacting
from app.playground.slack.values.composer import compose_text
from app.playground.slack.values.model import Channel, File, Member, Message, StopPressed
from app.playground.slack.values.tasks import Condition
from app.playground.slack.workspace.workspace import Workspace

Found = TypeVar("Found")
PATIENCE = 30.0  # real seconds that `waits` waits unless told otherwise


class People(Interacting):
    """Maya, Sam, Priya and all other members except bots."""

    def __init__(self, workspace: Workspace, hands: UserActions, pulse: Condition) -> None:
        super().__init__(workspace, hands)
        self._pulse = pulse

    async def says(
        self, user: str, channel: str, text: str, thread_ts: str | None = None, files: Sequence[File] = ()
    ) -> str:
        """Send a message, in a thread if a root is named; return its ts. "@Threadwise" becomes a mention.

        Files come from `brings`. A message with files needs no text.
        """
        person, place = self._who_where(user, channel)
        if not text.strip() and not files:
            raise ValueError("A message needs some text.")
        if thread_ts and self._workspace.root_of(place.id, thread_ts) != thread_ts:
            raise LookupError(f"No thread starts at {thread_ts} in {place.name or place.id}.")
        mint = self._workspace.mint
        written = self._composed(text)
        message = Message(place.id, mint.ts(), person.id, written, thread_ts or None, client_msg_id=mint.uuid())
        if files:
            message = replace(message, files=tuple(files), subtype="file_share")
        return self._workspace.post(message).ts

    def brings(self, user: str, name: str, content: bytes, **more: Any) -> File:
        """Upload a file, to be shared with `says`; `more` are further fields of `File`."""
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        id_ = self._workspace.mint.id("F")
        link = f"{self._workspace.url}/play/files/{id_}"
        return File(id_, name, name, kind, content, self._who(user).id, int(time.time()), link, **more)

    async def deletes_file(self, user: str, file_id: str) -> None:
        """Delete one's own file, wherever it was shared."""
        file, _ = self._workspace.find_file(file_id)
        if file is None or file.user != self._who(user).id:
            raise PermissionError("Only your own files can be deleted.")
        self._workspace.delete_file(file)

    async def edits(self, user: str, channel: str, ts: str, text: str) -> None:
        """Change one's own message."""
        message = self._own(user, channel, ts)
        self._workspace.update(
            replace(
                message,
                text=self._composed(text),
                edited_ts=self._workspace.mint.ts(),
                edit_count=message.edit_count + 1,
            )
        )

    async def deletes(self, user: str, channel: str, ts: str) -> None:
        """Delete one's own message."""
        self._workspace.remove(self._own(user, channel, ts))

    async def stops(self, user: str, channel: str, thread_ts: str) -> None:
        """Press Slack's own Stop under a thread. Raise LookupError if Slack shows none."""
        person, place = self._who_where(user, channel)
        session = self._workspace.sessions.get((place.id, thread_ts))
        if session is None or not self._workspace.shows_stop(session):
            raise LookupError(f"Slack shows no Stop under {thread_ts} in {place.name or place.id}.")
        self._workspace.tell(StopPressed(session, person.id))

    async def joins(self, user: str, channel: str) -> None:
        """Join a public channel."""
        self._add(self._where(channel), self._who(user), None)

    async def invites(self, user: str, channel: str, who: str) -> None:
        """Add someone, or the bot, to a channel one is in."""
        person, place = self._who_where(user, channel)
        invited = self._workspace.member(who)
        if invited is None:
            raise LookupError(f"There is nobody called {who!r} in {self._workspace.team.name}.")
        self._add(place, invited, person.id)

    def sees(self, user: str, channel: str, thread_ts: str | None = None) -> list[Message]:
        """Return a person's view, oldest first: the channel without its replies, or one thread with its root."""
        person, place = self._who_where(user, channel)
        everything = [*self._workspace.messages(place.id), *self._workspace.ephemerals(place.id, person.id)]
        shown = [
            message
            for message in everything
            if message.thread_ts == thread_ts or (thread_ts is not None and message.ts == thread_ts)
        ]
        return sorted(shown, key=lambda message: message.ts)

    def files(self, user: str, channel: str, thread_ts: str | None = None) -> list[File]:
        """Return the files that a person sees there, oldest first; `content` is the opened file."""
        return [file for message in self.sees(user, channel, thread_ts) for file in message.files]

    async def waits(self, predicate: Callable[[], Found], timeout: float = PATIENCE) -> Found:
        """Return the first truthy value of `predicate`, asked again after every change and every journal entry.

        Raise TimeoutError with a transcript of the workspace after `timeout` real seconds.
        """
        try:
            return await self._pulse.until(predicate, timeout)
        except TimeoutError:
            raise TimeoutError(
                f"It did not happen within {timeout} s. The workspace by then:\n{self.transcript()}"
            ) from None

    def transcript(self) -> str:
        """Return all messages, a line each, for a test's failure; what one person alone sees is marked so."""
        space, lines = self._workspace, list[str]()
        for channel in space.channels.values():
            lines.append(f"#{channel.name or 'dm ' + channel.id}")
            whispered = [each for person in space.members for each in space.ephemerals(channel.id, person)]
            for message in (*space.messages(channel.id), *whispered):
                author, hearer = (space.members.get(each) for each in (message.user, message.seen_by or ""))
                indent = "    ↳ " if message.thread_ts else "  "
                named = f"{author.name if author else message.user}{f' to {hearer.name} alone' if hearer else ''}"
                lines.append(f"{indent}{message.ts} {named}: {message.text}")
        return "\n".join(lines)

    def _composed(self, text: str) -> str:
        return compose_text(text, {member.name: member.id for member in self._workspace.members.values()})

    def _add(self, place: Channel, member: Member, inviter: str | None) -> None:
        if place.kind == "im":
            raise PermissionError("Nobody can be added to direct messages.")
        if place.kind == "group" and inviter is None:
            raise PermissionError(f"{place.name} is private: someone in it has to add you.")
        if member.id in place.members:
            raise PermissionError(f"{member.name} is already in {place.name}.")
        self._workspace.join(place, member.id, inviter)
