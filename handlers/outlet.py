"""The outlet: everything we say to Slack. Implements `app.ports.Outlet`."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import structlog

from app.core.errors import Retryable, SlackRefused
from app.core.model import Conversation, Message, ThreadKey
from app.ports import Clock, Draft, Keeper, Ledger
from handlers import blocks, mrkdwn
from handlers.delivery import Delivery
from handlers.draft import SlackDraft
from handlers.line import Line, Web
from handlers.pacer import Pacer, Priority
from handlers.status import Statuses
from handlers.web import Answer

NAMES = 5_000
"""People whose names are remembered."""

NAME_SECONDS = 1.0
"""The longest that somebody waits for a name: meanwhile their session hears nothing, not even Stop."""

NAMES_PAUSE = 10.0
"""Seconds for which nobody is asked for after Slack took longer than that, so that many names do not add up."""

UNRENDERABLE = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"})

log = structlog.get_logger(__name__)


class SlackOutlet:
    """Speaks to one workspace, at the pace that all processes share through the ledger."""

    def __init__(self, web: Web, clock: Clock, team: str, ledger: Ledger) -> None:
        self._line = Line(web, Pacer(clock, team, ledger), clock)
        self._statuses = Statuses(self._line)
        self._names: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._asks_from = 0.0

    def draft(self, conversation: Conversation, reply: Message, keeper: Keeper) -> Draft:
        """Begin to show a reply; until its first words Slack shows that we are thinking."""
        delivery = self._delivery(conversation, reply, keeper, unsure=False)
        self._statuses.begin(conversation.thread, delivery)
        return SlackDraft(delivery, self._line, keeper, reply.seq)

    async def finish(self, conversation: Conversation, reply: Message, keeper: Keeper, draft: Draft | None) -> None:
        """Make every message of the reply final, in order; only those that differ are written."""
        ours = draft.delivery if isinstance(draft, SlackDraft) else None
        # Without a draft of our own somebody else may have posted what we know nothing of.
        delivery = ours or self._delivery(conversation, reply, keeper, unsure=True)
        try:
            await self._finish(delivery, reply, keeper)
        finally:
            self._statuses.end(conversation.thread)

    async def tell(self, thread: ThreadKey, user: str, text: str) -> None:
        """Post an ephemeral message. Slack forgets it when the person reloads."""
        await self._whisper(thread, user, text=text)

    async def offer_erase(self, thread: ThreadKey, user: str) -> None:
        """Post an ephemeral message with a button that erases."""
        offer = blocks.erase_offer(thread.root)
        await self._whisper(thread, user, text=offer.text, blocks=list(offer.blocks))

    async def react(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Add an emoji; `already_reacted` is what we wanted."""
        await self._mark("reactions.add", thread, ts, name)

    async def unreact(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Remove our emoji; `no_reaction` is what we wanted."""
        await self._mark("reactions.remove", thread, ts, name)

    async def name_of(self, team: str, user: str) -> str:
        """Ask Slack once for each person; their id where it does not tell, or not within `NAME_SECONDS`."""
        if (team, user) not in self._names and self._line.clock.monotonic() >= self._asks_from:
            try:
                async with asyncio.timeout(NAME_SECONDS):
                    answer = await self._line.say("users.info", Priority.QUESTION, user=user)
            except TimeoutError:
                self._asks_from = self._line.clock.monotonic() + NAMES_PAUSE
                return user
            except (Retryable, SlackRefused):
                return user
            self._names[team, user] = _name(answer["user"]) or user
            if len(self._names) > NAMES:
                self._names.popitem(last=False)
        return self._names.get((team, user), user)

    async def close(self) -> None:
        """Let go of what is under way and of the connections."""
        await self._statuses.close()
        await self._line.pacer.close()
        await self._line.web.close()

    def _delivery(self, conversation: Conversation, reply: Message, keeper: Keeper, *, unsure: bool) -> Delivery:
        delivery = Delivery(self._line, keeper, conversation.thread, f"{conversation.id}:{reply.seq}")
        # What a turn has read is older than its reply; a later turn may have read what is newer.
        since = conversation.heard if reply.seq == conversation.answered else ""
        delivery.adopt(reply.parts, since, unsure=unsure)
        return delivery

    async def _finish(self, delivery: Delivery, reply: Message, keeper: Keeper) -> None:
        pages = mrkdwn.pages(reply.text) or ("",)
        for index, page in enumerate(pages):
            closing = blocks.closing(reply) if index == len(pages) - 1 else ()
            known = len(delivery.parts)
            await self._put(delivery, index, page, closing)
            if len(delivery.parts) > known:
                await keeper.record(reply.text, tuple(delivery.parts))
        if len(delivery.parts) > len(pages):
            await delivery.drop_after(len(pages))
            await keeper.record(reply.text, tuple(delivery.parts))

    async def _put(self, delivery: Delivery, index: int, page: str, closing: tuple[blocks.Block, ...]) -> None:
        try:
            await delivery.put(index, blocks.page(page, closing))
        except SlackRefused as error:
            if error.code not in UNRENDERABLE:
                raise
            log.warning("page_shown_without_markup", code=error.code)
            await delivery.put(index, blocks.unrendered(page, closing))

    async def _whisper(self, thread: ThreadKey, user: str, **content: object) -> None:
        place = {} if thread.direct else {"thread_ts": thread.root}
        to = {"channel": thread.channel, "user": user, **place}
        await self._line.say("chat.postEphemeral", Priority.QUESTION, **to, **content)

    async def _mark(self, method: str, thread: ThreadKey, ts: str, name: str) -> None:
        try:
            await self._line.say(method, Priority.STATUS, channel=thread.channel, timestamp=ts, name=name)
        except SlackRefused as error:
            if error.code not in ("already_reacted", "no_reaction", "message_not_found"):
                raise


def _name(user: Answer) -> str:
    profile: Answer = user.get("profile", {})
    return str(profile.get("display_name") or user.get("real_name") or user.get("name") or "")
