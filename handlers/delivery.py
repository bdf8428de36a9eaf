"""One reply in Slack: which message shows which page of it, and what each shows now.

Knows how a post is made once and only once: it carries its key in the message's metadata, and after a failure that may
have been a success the thread is read back before anything is posted again (design D7, reconcilable effects).
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.errors import SlackRefused, SlackUnavailable
from app.core.model import ThreadKey
from app.ports import Clock, Keeper
from handlers.blocks import Rendered
from handlers.pacer import Pacer
from handlers.web import Answer, SlackWeb

METADATA = "threadwise_reply"
"""The `event_type` of our messages' metadata; its payload holds the key of the part."""

ATTEMPTS = 6
"""How often a call that must be made is tried before the work is put off; Retry-After waits are not counted."""


@dataclass(frozen=True, slots=True)
class Line:
    """The way to one workspace: its client, its budget, and the time."""

    web: SlackWeb
    pacer: Pacer
    clock: Clock


class Delivery:
    """The Slack messages of one reply."""

    def __init__(self, line: Line, keeper: Keeper, thread: ThreadKey, key: str) -> None:
        self._web, self._pacer, self._clock = line.web, line.pacer, line.clock
        self._keeper, self._thread, self._key = keeper, thread, key
        self.parts: list[str] = []
        self._shown: dict[int, Rendered] = {}
        self.begun = False
        """True from the moment our first post is on its way."""
        self.unsure = False
        """True if a post may have been carried out whose ts we do not know."""

    def adopt(self, parts: tuple[str, ...], *, unsure: bool) -> None:
        """Go on with messages that another writer posted."""
        self.parts, self.unsure = list(parts), unsure

    def shows(self, index: int, rendered: Rendered) -> bool:
        """True if that part is known to look like this already."""
        return self._shown.get(index) == rendered

    def method(self, index: int) -> str:
        """Which call would show a part: an edit of the message it has, or a post."""
        return "chat.update" if index < len(self.parts) else "chat.postMessage"

    async def put_once(self, index: int, rendered: Rendered, *, preview: bool) -> None:
        """Show a part, trying once. Raises `SlackRefused`, and `SlackUnavailable` also if its turn has not come."""
        if index >= len(self.parts) and self.unsure:
            await self._find()
        self._keeper.check()
        method = self.method(index)
        if wait := self._pacer.take(method, self._thread.channel, preview=preview):
            raise SlackUnavailable(method, after=wait)
        try:
            await (self._update(index, rendered) if index < len(self.parts) else self._post(index, rendered))
        except SlackUnavailable as error:
            self._shown.pop(index, None)
            self.unsure = self.unsure or (error.ambiguous and method == "chat.postMessage")
            if not error.ambiguous:
                self._pacer.refused(method, self._thread.channel, error.after)
            raise
        self._shown[index] = rendered

    async def put(self, index: int, rendered: Rendered) -> None:
        """Show a part, however long Slack asks us to wait. Raises `SlackUnavailable` after several outages."""
        failures = 0
        while not self.shows(index, rendered):
            while (delay := self._pacer.delay(self.method(index), self._thread.channel, preview=False)) > 0:
                await self._clock.sleep(delay)
            try:
                await self.put_once(index, rendered, preview=False)
            except SlackUnavailable as error:
                failures += error.ambiguous
                if failures >= ATTEMPTS:
                    raise
                await self._clock.sleep(min(error.after * 2**failures / 2, 8) if error.ambiguous else 0)

    async def drop_after(self, count: int) -> None:
        """Remove messages that a shorter text no longer needs."""
        while len(self.parts) > count:
            self._keeper.check()
            channel, ts = self._thread.channel, self.parts[-1]
            try:
                await self._web.call("chat.delete", channel=channel, ts=ts)
            except SlackRefused as error:
                if error.code != "message_not_found":
                    raise
            self._shown.pop(len(self.parts) - 1, None)
            self.parts.pop()

    async def _update(self, index: int, rendered: Rendered) -> None:
        channel, ts = self._thread.channel, self.parts[index]
        blocks = list(rendered.blocks)
        await self._web.call("chat.update", channel=channel, ts=ts, text=rendered.text, blocks=blocks)

    async def _post(self, index: int, rendered: Rendered) -> None:
        self.begun = True
        answer = await self._web.call(
            "chat.postMessage",
            channel=self._thread.channel,
            thread_ts=self._thread.root,
            text=rendered.text,
            blocks=list(rendered.blocks),
            metadata={"event_type": METADATA, "event_payload": {"key": f"{self._key}:{index}"}},
            unfurl_links=False,
            unfurl_media=False,
        )
        self.parts.append(str(answer["ts"]))

    async def _find(self) -> None:
        """Read the thread back: a post that failed may have arrived all the same."""
        answer = await self._web.call(
            "conversations.replies",
            channel=self._thread.channel,
            ts=self._thread.root,
            oldest=self.parts[-1] if self.parts else self._thread.root,
            include_all_metadata="true",
            limit=200,
        )
        messages: list[Answer] = answer.get("messages", [])
        found = {_key(message): str(message["ts"]) for message in messages}
        while ts := found.get(f"{self._key}:{len(self.parts)}"):
            self.parts.append(ts)
        self.unsure = False


def _key(message: Answer) -> str:
    metadata: Answer = message.get("metadata") or {}
    payload: Answer = metadata.get("event_payload") or {}
    return str(payload.get("key", "")) if metadata.get("event_type") == METADATA else ""
