"""One reply or card in Slack, page by page, and files put into threads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from app.core.errors import SlackLockedOut, SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from app.ports import WriteGuard
from handlers.outbound.pacer import NEVER, CallSlot, Priority
from handlers.outbound.web import Answer, SlackCaller
from handlers.views.kit.blocks import RenderedMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file and its comment, in mrkdwn."""

    name: str
    content: bytes
    comment: str


async def share(line: SlackCaller, thread: ThreadKey, file: File) -> str:
    """Upload a file into a thread and return its address; empty if Slack gives none.

    Raise `SlackUnavailable`, `SlackRefused` and `StoreUnavailable`.
    """
    announced = await line.say(
        "files.getUploadURLExternal", Priority.QUESTION, filename=file.name, length=len(file.content)
    )
    await line.web.upload(str(announced["upload_url"]), file.content)
    completed = await line.say(
        "files.completeUploadExternal",
        Priority.QUESTION,
        files=json.dumps([{"id": announced["file_id"], "title": file.name}]),
        channel_id=thread.channel,
        thread_ts=thread.root,
        initial_comment=file.comment,
    )
    shared: list[Answer] = completed.get("files") or [{}]
    return str(shared[0].get("permalink") or "")


METADATA = "threadwise_reply"
"""The `event_type` of our messages' metadata; its payload holds the key of the page."""

ATTEMPTS = 6
"""Attempts at a required call before the work is postponed; Retry-After waits are not counted."""

UNCHANGEABLE = frozenset({"cant_update_message", "edit_window_closed", "message_not_found"})
"""Slack's error codes for a posted message that can no longer be edited, usually because it was deleted."""

FROZEN = UNCHANGEABLE - {"message_not_found"}
"""Those of them whose message still stands, with what it showed last."""

UNDELETABLE = frozenset({"cant_delete_message", "compliance_exports_prevent_deletion", "message_not_found"})
"""Slack's error codes for a posted message that is deleted already, or that the workspace keeps."""

log = structlog.get_logger(__name__)


class Delivery:
    """The Slack messages of one reply or card."""

    def __init__(self, line: SlackCaller, keeper: WriteGuard, thread: ThreadKey, key: str) -> None:
        self._line, self._keeper, self._thread, self._key = line, keeper, thread, key
        self.parts: list[str] = []
        self._since = thread.root
        self._shown: dict[int, RenderedMessage] = {}
        self._let_be: dict[int, str] = {}
        """Slack's error codes by page."""
        self.begun = asyncio.Event()
        """Set once our first post or edit is being sent."""
        self._unsure = False
        self._place: CallSlot | None = None
        """The place that was given and is not used yet."""

    def adopt(self, parts: tuple[str, ...], since: str, *, unsure: bool) -> None:
        """Continue with messages that another writer posted; `unsure` if it may have posted more than is known.

        None of them is older than `since`, another ts of Slack's; empty if only the thread's root is known.
        """
        self.parts, self._since, self._unsure = list(parts), since or self._thread.root, unsure

    def shows(self, index: int, rendered: RenderedMessage) -> bool:
        """Return True if that page is known to have this content already, or can no longer be edited."""
        return index in self._let_be or self._shown.get(index) == rendered

    def is_frozen(self, index: int) -> bool:
        """Return True if the message of that page stands and cannot be edited to show what it should."""
        return self._let_be.get(index) in FROZEN

    def method(self, index: int) -> str:
        """Return the method that shows a page: an edit of its message, or a post."""
        return "chat.update" if index < len(self.parts) else "chat.postMessage"

    async def turn(self, index: int, priority: Priority, served: float = NEVER) -> str:
        """Wait until a page may be written, and return the method. The wait may be cancelled.

        A caller that then does not write must call `let_go`.
        """
        if index >= len(self.parts) and self._unsure:
            await self._find()
        method = self.method(index)
        self._place = await self._line.pacer.turn(method, self._thread.channel, priority, served)
        return method

    def let_go(self) -> None:
        """Give back an unused place, if there is one."""
        place, self._place = self._place, None
        if place:
            self._line.pacer.give_back(place)

    def _use(self) -> CallSlot:
        """Use the place that was given. Raise `LostConversation` without using it."""
        self._keeper.check()
        place, self._place = self._place, None
        assert place is not None, "nothing is written before its turn"
        return place

    async def write(self, index: int, rendered: RenderedMessage) -> None:
        """Write a page whose turn has come, once. Raise `SlackUnavailable` and `SlackRefused`.

        A page whose message was deleted is left alone, without affecting the others.
        """
        place = self._use()
        self.begun.set()
        method = self.method(index)
        try:
            await (self._update if index < len(self.parts) else self._post)(place, index, rendered)
        except SlackUnavailable as error:
            self._shown.pop(index, None)
            self._unsure = self._unsure or (error.ambiguous and method == "chat.postMessage")
            raise
        except SlackRefused as error:
            if method != "chat.update" or error.code not in UNCHANGEABLE:
                raise
            log.info("page_let_be", code=error.code)
            self._let_be[index] = error.code
        self._shown[index] = rendered

    async def put(self, index: int, rendered: RenderedMessage, priority: Priority = Priority.FINAL) -> None:
        """Write a page, however long Slack asks us to wait.

        Raise `SlackUnavailable` after several outages, or at once if Slack does not accept our token.
        """
        failures = 0
        while not self.shows(index, rendered):
            try:
                await self.turn(index, priority)
                await self.write(index, rendered)
            except SlackUnavailable as error:
                failures += error.ambiguous
                if failures >= ATTEMPTS or isinstance(error, SlackLockedOut):
                    raise
                if error.ambiguous:
                    await self._line.clock.sleep(min(error.after * 2**failures / 2, 8))
            finally:
                self.let_go()

    async def drop_after(self, count: int) -> None:
        """Delete messages that a shorter text no longer needs."""
        if self._unsure:
            await self._find()
        while len(self.parts) > count:
            channel, ts = self._thread.channel, self.parts[-1]
            self._place = await self._line.pacer.turn("chat.delete", channel, Priority.FINAL)
            try:
                await self._line.call(self._use(), channel=channel, ts=ts)
            except SlackRefused as error:
                if error.code not in UNDELETABLE:
                    raise
                log.info("page_let_be", code=error.code)
            finally:
                self.let_go()
            self._shown.pop(len(self.parts) - 1, None)
            self._let_be.pop(len(self.parts) - 1, None)
            self.parts.pop()

    async def _update(self, place: CallSlot, index: int, rendered: RenderedMessage) -> None:
        channel, ts = self._thread.channel, self.parts[index]
        await self._line.call(place, channel=channel, ts=ts, text=rendered.fallback, blocks=list(rendered.blocks))

    async def _post(self, place: CallSlot, index: int, rendered: RenderedMessage) -> None:
        channel, root = self._thread.channel, self._thread.root
        content = _build_content(rendered, f"{self._key}:{index}")
        answer = await self._line.call(place, channel=channel, thread_ts=root, **content)
        self.parts.append(str(answer["ts"]))

    async def _find(self) -> None:
        """Read the thread to its end: a failed post may have arrived nevertheless."""
        since = self.parts[-1] if self.parts else self._since
        channel, root = self._thread.channel, self._thread.root
        said = _iterate_since(self._line, "conversations.replies", channel=channel, ts=root, oldest=since)
        found = {_read_key(message): str(message["ts"]) async for message in said}
        while ts := found.get(f"{self._key}:{len(self.parts)}"):
            self.parts.append(ts)
        self._unsure = False


async def begin_thread(line: SlackCaller, channel: str, key: str, rendered: RenderedMessage, since: str) -> str:
    """Post a message that starts a thread, and return its ts. A failure is not retried.

    If it may have been posted before, `since` is the ts of an older message; empty if it cannot have been. Raise
    `SlackUnavailable` and `SlackRefused`.
    """
    if since:
        async with aclosing(_iterate_since(line, "conversations.history", channel=channel, oldest=since)) as said:
            async for message in said:
                if _read_key(message) == key:
                    return str(message["ts"])
    answer = await line.say("chat.postMessage", Priority.FINAL, channel=channel, **_build_content(rendered, key))
    return str(answer["ts"])


def _build_content(rendered: RenderedMessage, key: str) -> dict[str, object]:
    return {
        "text": rendered.fallback,
        "blocks": list(rendered.blocks),
        "metadata": {"event_type": METADATA, "event_payload": {"key": key}},
        "unfurl_links": False,
        "unfurl_media": False,
    }


async def _iterate_since(line: SlackCaller, method: str, **where: str) -> AsyncGenerator[Answer]:
    """Yield the messages since the newest one that is known to be older. Slack returns at most 200 at a time."""
    listed = line.pages(method, Priority.FINAL, include_all_metadata="true", limit=200, **where)
    async with aclosing(listed) as pages:
        async for page in pages:
            for message in page.get("messages", []):
                yield message


def _read_key(message: Answer) -> str:
    metadata: Answer = message.get("metadata") or {}
    payload: Answer = metadata.get("event_payload") or {}
    return str(payload.get("key", "")) if metadata.get("event_type") == METADATA else ""
