"""The outlet: everything that we write to Slack. Implements `app.ports.Outlet`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import structlog

from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.conversation.effect import PostEphemeral, SendDirectMessage
from app.core.copy import decision_steps, texts
from app.core.decisions.drafting_files import list_draft_files
from app.core.errors import PlaceGone, SlackRefused
from app.core.thread import ThreadKey
from app.decision.layout.parts.result import RATED
from app.ports import LiveReply, Profile, WriteGuard
from app.threaded import run_in_thread
from handlers.outbound.delivery import Delivery, begin_thread
from handlers.outbound.live_reply import SlackLiveReply
from handlers.outbound.pacer import Priority
from handlers.outbound.people import People
from handlers.outbound.thread_status import Activity, Statuses
from handlers.outbound.web import SlackCaller, address_ephemeral
from handlers.slack import permalinks
from handlers.views.cards import hub_card, thread_cards
from handlers.views.kit import blocks, mrkdwn, summary_line
from handlers.views.kit.blocks import Block, CardPlace, RenderedMessage
from handlers.views.kit.summary_line import LinkContext

UNRENDERABLE = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"})

CUT_OFF = frozenset(
    {
        MessageStatus.CANCELLED,
        MessageStatus.FAILED,
        MessageStatus.INTERRUPTED,
        MessageStatus.REFUSED,
        MessageStatus.TRUNCATED,
    }
)
"""Replies whose text may end anywhere."""

Home = Callable[[str, str], Awaitable[None]]
"""Updates a person's Home: team and user."""

log = structlog.get_logger(__name__)


class SlackOutlet:
    """Writer to one workspace over its connection, which it closes at the end.

    `workspace_url` is the address of the workspace's messages; it ends with a slash.
    """

    def __init__(self, line: SlackCaller, workspace_url: str, home: Home | None = None) -> None:
        self._line, self._workspace_url, self._home = line, workspace_url, home
        self._statuses, self._people = Statuses(line), People(line)

    def draft(self, conversation: Conversation, reply: Message, keeper: WriteGuard) -> LiveReply:
        """Start a live reply. Until its first text, Slack shows that we are thinking."""
        # Another process has begun this turn, and may have posted more than is stored: also if the turn runs again.
        is_left = conversation.turn is not None and conversation.turn.fence != conversation.fence
        delivery = self._delivery(conversation, reply, keeper, unsure=is_left)
        activity = Activity(self._line.clock)
        self._statuses.begin(conversation.thread, delivery, activity)
        return SlackLiveReply(delivery, self._line, keeper, reply, activity)

    async def finish(
        self, conversation: Conversation, reply: Message, keeper: WriteGuard, draft: LiveReply | None
    ) -> None:
        """Write the final form of every page of the reply, in order. Unchanged pages are skipped."""
        ours = draft.delivery if isinstance(draft, SlackLiveReply) else None
        # Without a draft of this process, another one may have posted pages that are not stored.
        delivery = ours or self._delivery(conversation, reply, keeper, unsure=True)
        try:
            small_print = self._small_print(conversation, reply)
            await self._finish(delivery, reply, small_print, keeper, is_first=ours is not None)
            if not delivery.parts and reply.seq >= conversation.answered:
                self._statuses.unsay(conversation.thread)
        finally:
            # Finishing an earlier reply must not end the status of the present turn.
            if conversation.turn is None or conversation.turn.reply == reply.seq:
                self._statuses.end(conversation.thread)

    async def show_card(self, conversation: Conversation, card: Message, keeper: WriteGuard, *, unsure: bool) -> None:
        """Post a card, or edit its messages. Edits do not notify, so a card that waits for a person is a new post."""
        assert card.card is not None, "only a row with a card is shown as one"
        delivery = self._delivery(conversation, card, keeper, unsure=unsure)
        hub = conversation.interview.decision if conversation.interview else None
        place = CardPlace(thread=conversation.thread, workspace_url=self._workspace_url, hub=hub)
        priority = Priority.QUESTION if thread_cards.is_waiting(card.card) else Priority.FINAL
        try:
            await _show(card, delivery, thread_cards.render_card(card.card, card.seq, place), priority, keeper)
        except SlackRefused as error:  # otherwise the card would wait for an answer and not be visible
            if error.code not in UNRENDERABLE:
                raise
            log.warning("card_shown_without_blocks", code=error.code)
            await _show(card, delivery, thread_cards.render_plain_text(card.card, card.seq, place), priority, keeper)

    async def begin_step(self, decision: Conversation, component: str, *, unsure: bool) -> ThreadKey:
        """Post the first message of a step's thread. If `unsure`, the channel's history is searched for it first."""
        assert decision.decision is not None, "only a decision has steps"
        step = decision.decision.step(component)
        # A message posted before the step was erased belongs to another thread.
        thread, key = decision.thread, f"{decision.id}:step:{component}:{step.erased if step else 0}"
        place = CardPlace(thread=thread, workspace_url=self._workspace_url)
        shown = hub_card.render_first_message(decision.decision, component, decision.owner, place)
        ts = await begin_thread(self._line, thread.channel, key, shown, thread.root if unsure else "")
        return replace(thread, root=ts)

    async def update_step_head(self, decision: Conversation, component: str) -> None:
        """Edit the first message of a step's thread, which names the decision and its owner."""
        step = decision.decision.step(component) if decision.decision else None
        if decision.decision is None or step is None or step.thread is None:
            return  # the step was erased meanwhile
        place = CardPlace(thread=decision.thread, workspace_url=self._workspace_url)
        shown = hub_card.render_first_message(decision.decision, component, decision.owner, place)
        await self._line.say(
            "chat.update",
            Priority.FINAL,
            channel=step.thread.channel,
            ts=step.thread.root,
            text=shown.fallback,
            blocks=list(shown.blocks),
        )

    async def tell(self, conversation: Conversation, told: PostEphemeral) -> None:
        """Post an ephemeral message, which Slack removes when the person reloads.

        Where nothing can be posted any more, the words go to their direct messages, without buttons.
        """
        thread, is_hub = conversation.thread, conversation.decision is not None
        content: dict[str, object] = {"text": told.text}
        if told.offer is not None:
            place = CardPlace(thread=thread, workspace_url=self._workspace_url)
            content["blocks"] = list(blocks.render_offer(told.text, told.offer, place, told.about).blocks)
        target = replace(thread, channel=told.channel or thread.channel, root=told.place or thread.root)
        address = address_ephemeral(
            target,
            told.user,
            beside=not told.place and (is_hub or bool(told.channel)),
            is_answered=conversation.interview is not None and not told.channel,  # a step opens with a reply
        )
        try:
            await self._line.say("chat.postEphemeral", Priority.QUESTION, **address, **content)
        except PlaceGone:
            if target.direct:
                raise
            words = texts.ABOUT_PLACE.format(channel=f"<#{target.channel}>", words=told.text)
            channel = await self._line.open_direct(told.user)
            await self._line.say("chat.postMessage", Priority.QUESTION, channel=channel, text=words)

    async def tell_directly(self, conversation: Conversation, told: SendDirectMessage, *, unsure: bool) -> None:
        """Post a direct message. If `unsure`, its channel is searched for it first."""
        channel = await self._line.open_direct(told.user)
        view = LinkContext(workspace_url=self._workspace_url, now=self._line.clock.now())
        shown = blocks.render_sentence(f"{told.text}\n{summary_line.link_title(conversation, view)}")
        key, since = f"{conversation.id}:direct:{told.id}", told.since if unsure else ""
        await begin_thread(self._line, channel, key, shown, since)

    async def publish_home(self, team: str, user: str) -> None:
        """Update a person's Home, if the app has one."""
        if self._home:
            await self._home(team, user)

    async def react(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Add an emoji. `already_reacted` counts as success."""
        await self._mark("reactions.add", thread, ts, name)

    async def unreact(self, thread: ThreadKey, ts: str, name: str) -> None:
        """Remove our emoji. `no_reaction` counts as success."""
        await self._mark("reactions.remove", thread, ts, name)

    async def profile_of(self, team: str, user: str) -> Profile:
        """Return a person's name and time zone."""
        return await self._people.profile(team, user)

    async def close(self) -> None:
        """Cancel open work and close the connections."""
        await self._statuses.close()
        await self._line.pacer.close()
        await self._line.web.close()

    def _delivery(self, conversation: Conversation, reply: Message, keeper: WriteGuard, *, unsure: bool) -> Delivery:
        delivery = Delivery(self._line, keeper, conversation.thread, f"{conversation.id}:{reply.seq}")
        # Messages that a turn has read are older than its reply. A later turn may have read newer ones.
        since = conversation.heard if reply.seq >= conversation.answered else ""
        delivery.adopt(reply.parts, since, unsure=unsure)
        return delivery

    def _small_print(self, conversation: Conversation, reply: Message) -> tuple[Block, ...]:
        """Return the blocks below the last page."""
        ending = blocks.render_ending(reply, overtaken=reply.seq < conversation.answered)
        below = (*blocks.render_unsaid(reply), *blocks.render_activity(reply), *ending)
        if reply.made:
            below = (*below, blocks.render_outputs(reply.made))
        if reply.turns_left:
            below = (*below, blocks.render_turns_left(reply.turns_left))
        if reply.still_open:  # last of the words: it is what waits for an answer
            address = permalinks.link_reply(self._workspace_url, conversation.thread, reply.still_open)
            below = (*below, blocks.render_open_question(address))
        if (reply.offers or reply.turns_left) and conversation.interview:
            rated, root = conversation.interview.component == RATED, conversation.thread.root
            details = str(reply.seq) if decision_steps.SHOW_DETAILS in reply.text else ""
            controls = blocks.build_interview_actions(
                root, opens=reply.is_opening, rated=rated, ends_soon=reply.turns_left > 0, details=details
            )
            below = (*below, controls)
        below = (*below, *blocks.render_start(reply))
        if files := list_draft_files(conversation, reply):
            below = (*below, blocks.build_draft_actions(files))
        return below

    async def _finish(
        self,
        delivery: Delivery,
        reply: Message,
        small_print: tuple[Block, ...],
        keeper: WriteGuard,
        *,
        is_first: bool,
    ) -> None:
        """Write all pages. If this is the first time, a page that grew and can no longer be edited is posted anew."""
        # A turn without text is shown nowhere.
        split = mrkdwn.split_cut_off if reply.status in CUT_OFF else mrkdwn.split_pages
        pages = await run_in_thread(partial(split, breaks=reply.breaks), reply.text) or (("",) if small_print else ())
        for index, page in enumerate(pages):
            closing = small_print if index == len(pages) - 1 else ()
            async with _keep_position(delivery, keeper, reply.text):
                await self._put(delivery, index, page, closing)
                if is_first and delivery.is_frozen(index):  # it shows less than was said
                    await delivery.drop_after(index)
                    await self._put(delivery, index, page, closing)
        async with _keep_position(delivery, keeper, reply.text):
            await delivery.drop_after(len(pages))

    async def _put(self, delivery: Delivery, index: int, page: str, closing: tuple[Block, ...]) -> None:
        try:
            await delivery.put(index, blocks.render_page(page, closing))
        except SlackRefused as error:
            if error.code not in UNRENDERABLE:
                raise
            log.warning("page_shown_without_markup", code=error.code)
            await delivery.put(index, blocks.render_unformatted(page, closing))

    async def _mark(self, method: str, thread: ThreadKey, ts: str, name: str) -> None:
        try:
            await self._line.say(method, Priority.STATUS, channel=thread.channel, timestamp=ts, name=name)
        except SlackRefused as error:
            if error.code not in ("already_reacted", "no_reaction", "message_not_found"):
                raise


async def _show(
    row: Message, delivery: Delivery, pages: Sequence[RenderedMessage], priority: Priority, keeper: WriteGuard
) -> None:
    """Update all messages of a card, and delete those that it no longer needs."""
    for index, page in enumerate(pages):
        async with _keep_position(delivery, keeper, row.text):
            await delivery.put(index, page, priority)
    async with _keep_position(delivery, keeper, row.text):
        await delivery.drop_after(len(pages))


@asynccontextmanager
async def _keep_position(delivery: Delivery, keeper: WriteGuard, text: str) -> AsyncGenerator[None]:
    """Store the pages of a reply or card if the block added, deleted or replaced one."""
    known = tuple(delivery.parts)
    yield
    if tuple(delivery.parts) != known:
        await keeper.record(text, tuple(delivery.parts))
