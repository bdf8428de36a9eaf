"""The outlet: everything we say to Slack. Implements `app.ports.Outlet`."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import structlog

from app.core import stream, texts
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.model import Conversation, Message, ThreadKey
from app.ports import Clock, Draft, Keeper
from handlers import blocks, mrkdwn
from handlers.delivery import Delivery, Line
from handlers.draft import SlackDraft
from handlers.pacer import Pacer
from handlers.web import SlackWeb

NAMES = 5_000
"""People whose names are remembered."""

UNRENDERABLE = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"})

log = structlog.get_logger(__name__)


class SlackOutlet:
    """Speaks to one workspace through one pacer."""

    def __init__(self, web: SlackWeb, clock: Clock) -> None:
        self._web, self._clock, self._pacer = web, clock, Pacer(clock)
        self._names: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._statuses: set[asyncio.Task[None]] = set()

    def draft(self, conversation: Conversation, reply: Message, keeper: Keeper) -> Draft:
        """Begin to show a reply; until its first words Slack shows that we are thinking."""
        delivery = self._delivery(conversation, reply, keeper, unsure=False)
        status = asyncio.ensure_future(self._think(conversation.thread, delivery))
        self._statuses.add(status)
        status.add_done_callback(self._statuses.discard)
        return SlackDraft(delivery, self._pacer, self._clock, conversation.thread.channel, keeper)

    async def finish(self, conversation: Conversation, reply: Message, keeper: Keeper, draft: Draft | None) -> None:
        """Make every message of the reply final, in order; only those that differ are written."""
        ours = draft.delivery if isinstance(draft, SlackDraft) else None
        # Without a draft of our own somebody else may have posted what we know nothing of.
        delivery = ours or self._delivery(conversation, reply, keeper, unsure=True)
        pages = stream.pages(mrkdwn.harmless(reply.text)) or ("",)
        for index, page in enumerate(pages):
            closing = blocks.closing(reply) if index == len(pages) - 1 else ()
            known = len(delivery.parts)
            await self._put(delivery, index, page, closing)
            if len(delivery.parts) > known:
                await keeper.record(reply.text, tuple(delivery.parts))
        if len(delivery.parts) > len(pages):
            await delivery.drop_after(len(pages))
            await keeper.record(reply.text, tuple(delivery.parts))

    async def tell(self, thread: ThreadKey, user: str, text: str) -> None:
        """Post an ephemeral message. Slack forgets it when the person reloads."""
        place = {} if thread.direct else {"thread_ts": thread.root}
        await self._web.call("chat.postEphemeral", channel=thread.channel, user=user, text=text, **place)

    async def react(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Add an emoji; `already_reacted` is what we wanted."""
        try:
            await self._web.call("reactions.add", channel=thread.channel, timestamp=ts, name=name)
        except SlackRefused as error:
            if error.code not in ("already_reacted", "message_not_found"):
                raise

    async def name_of(self, team: str, user: str) -> str:
        """Ask Slack once for each person; their id where it does not tell."""
        if (team, user) not in self._names:
            try:
                answer = await self._web.call("users.info", user=user)
            except (SlackUnavailable, SlackRefused):
                return user
            profile = answer["user"].get("profile", {})
            name = profile.get("display_name") or answer["user"].get("real_name") or answer["user"].get("name") or user
            self._names[team, user] = str(name)
            if len(self._names) > NAMES:
                self._names.popitem(last=False)
        return self._names[team, user]

    async def close(self) -> None:
        """Let go of what is under way and of the connections."""
        for status in tuple(self._statuses):
            status.cancel()
        await asyncio.gather(*self._statuses, return_exceptions=True)
        await self._web.close()

    def _delivery(self, conversation: Conversation, reply: Message, keeper: Keeper, *, unsure: bool) -> Delivery:
        key = f"{conversation.id}:{reply.seq}"
        delivery = Delivery(Line(self._web, self._pacer, self._clock), keeper, conversation.thread, key)
        delivery.adopt(reply.parts, unsure=unsure)
        return delivery

    async def _put(self, delivery: Delivery, index: int, page: str, closing: tuple[blocks.Block, ...]) -> None:
        try:
            await delivery.put(index, blocks.page(page, closing))
        except SlackRefused as error:
            if error.code not in UNRENDERABLE:
                raise
            log.warning("page_shown_without_markup", code=error.code)
            await delivery.put(index, blocks.unrendered(page, closing))

    async def _think(self, thread: ThreadKey, delivery: Delivery) -> None:
        """Show a status until the first words.

        Slack clears it with our first post; a status that arrives after that post would stay, so it is taken back.
        """
        if delivery.begun:
            return
        await self._set_status(thread, texts.THINKING)
        if delivery.begun:
            await self._set_status(thread, "")

    async def _set_status(self, thread: ThreadKey, status: str) -> None:
        place = {"channel_id": thread.channel, "thread_ts": thread.root}
        try:
            await self._web.call("assistant.threads.setStatus", **place, status=status)
        except (SlackUnavailable, SlackRefused) as error:
            log.info("status_not_shown", error=type(error).__name__)
