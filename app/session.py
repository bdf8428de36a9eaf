"""One session with a held conversation: take in what has come, perform what follows, until nothing is left to do.

Steps 5 to 8 of a message's way (docs/architecture.md). New events are stepped while a turn runs: they do not queue
behind it. A step is saved before anything it asks for is done: a crash at any point repeats nothing and loses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import structlog

from app.agent.turn import TurnSettings, new_reference, take_turn
from app.core import machine
from app.core.context import new_epoch
from app.core.effects import Effect, FinishReply, React, RunTurn, TellPrivately
from app.core.errors import IllegalEvent, LostConversation, Retryable, SlackRefused, SlackUnavailable
from app.core.events import Event, MessageDeleted, MessageEdited, MessagePosted, RetryPressed, TurnEnded, WorkParked
from app.core.model import Message, MessageStatus, Step
from app.lease import Hold
from app.ports import Conversations, Draft, Inbox, InboxRow, Model, Outlet

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What a session works with."""

    inbox: Inbox
    conversations: Conversations
    outlet: Outlet
    model: Model
    turn: TurnSettings


@dataclass(frozen=True, slots=True)
class ReplyKeeper:
    """Implements `app.ports.Keeper` for one reply of a held conversation."""

    hold: Hold
    conversations: Conversations
    reply: int

    def check(self) -> None:
        """See `Hold.check`."""
        self.hold.check()

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        """See `Conversations.record_draft`."""
        await self.conversations.record_draft(self.hold.conversation, self.reply, text, parts)


class Session:
    """Works on one conversation while it is held. `news` is set when its inbox may have new rows."""

    def __init__(self, hold: Hold, services: Services, news: asyncio.Event) -> None:
        self._hold, self._services, self._news = hold, services, news
        news.set()  # it was claimed because there is something
        self._turn: asyncio.Task[Message] | None = None
        self._drafts: dict[int, Draft] = {}
        self._arrived = False
        self._receipts: tuple[str, ...] = ()

    async def run(self) -> None:
        """Work until the conversation rests, then close its inbox rows. Outages are waited for; the rest is raised."""
        try:
            while await self._outlast(self._advance):
                pass
            await self._services.inbox.done(self._receipts)
        finally:
            await self._drop_turn()

    async def park(self, receipt: str) -> None:
        """Give up on what failed too often, with a notice, so that the thread goes on."""
        now = self._hold.conversation
        reply = await self._services.conversations.row(now, now.turn.reply) if now.turn else None
        reference = new_reference()
        log.error("work_parked", reference=reference)
        await self._step(WorkParked(receipt=receipt, reference=reference, reply=reply), receipt)
        while await self._outlast(self._perform_next):
            pass

    async def _outlast(self, act: Callable[[], Awaitable[bool]]) -> bool:
        """Do something, waiting as long as Slack or MongoDB are away: that is nobody's failed attempt."""
        while True:
            try:
                return await act()
            except Retryable as error:
                log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
                await self._hold.pause(error.after)

    async def _advance(self) -> bool:
        """Do the next thing. False when the conversation rests."""
        if not self._arrived:
            await self._take_over()
            self._arrived = True
        if self._news.is_set():
            self._news.clear()
            await self._take_in()
        return await self._perform_next() or await self._wait_for_turn()

    async def _take_over(self) -> None:
        """Close what somebody left open who held this conversation before and died."""
        now = self._hold.conversation
        if now.effects:
            await self._hold.let_others_finish()
        if now.turn is None:
            return
        reply = await self._services.conversations.row(now, now.turn.reply)
        assert reply is not None, "a turn's reply has its row before the turn begins"
        if reply.status is MessageStatus.STREAMING:
            reply = replace(reply, status=MessageStatus.INTERRUPTED)
        log.warning("turn_taken_over", status=reply.status.value)
        await self._step(TurnEnded(turn=now.turn.id, reply=reply), now.turn.id)

    async def _take_in(self) -> None:
        """Step every open row that the state does not contain yet, in order of Slack's ts."""
        rows = await self._services.inbox.open_rows(self._hold.conversation.thread)
        self._receipts = tuple(row.receipt for row in rows)
        self._hold.conversation = self._hold.conversation.keeping_applied(self._receipts)
        for row in rows:
            if row.receipt not in self._hold.conversation.applied:
                await self._apply(row)

    async def _apply(self, row: InboxRow) -> None:
        event = await self._completed(row.event)
        now = self._hold.conversation
        marked = replace(now, applied=(*now.applied, row.receipt))
        try:
            made = machine.step(marked, event, row.receipt)
        except IllegalEvent as refusal:
            log.info("event_refused", code=refusal.code, event_kind=event.kind)
            made = Step(conversation=machine.tell_refusal(marked, event, refusal.code, row.receipt))
        self._hold.conversation = await self._services.conversations.save(made)

    async def _completed(self, event: Event) -> Event:
        """Add what the machine must know and Slack's payload does not say."""
        now, store = self._hold.conversation, self._services.conversations
        match event:
            case MessagePosted() if event.user != now.owner:
                name = await self._services.outlet.name_of(event.thread.team, event.user)
                return replace(event, user_name=name)
            case MessageEdited() | MessageDeleted():
                return replace(event, targets=await store.rows_of(now, event.ts))
            case RetryPressed():
                return replace(event, target=await store.row(now, event.reply))
            case _:
                return event

    async def _step(self, event: Event, cause: str) -> None:
        made = machine.step(self._hold.conversation, event, cause)
        self._hold.conversation = await self._services.conversations.save(made)

    async def _perform_next(self) -> bool:
        """Do one pending effect. False if there is none that is not under way."""
        effect = next((e for e in self._hold.conversation.effects if not self._is_under_way(e)), None)
        if effect is None:
            return False
        if isinstance(effect, RunTurn):
            await self._begin_turn()
            return True
        self._hold.check()
        try:
            await self._perform(effect)
        except SlackRefused as refusal:
            log.warning("effect_given_up", effect=effect.kind, method=refusal.method, code=refusal.code)
        except SlackUnavailable as error:
            if not (isinstance(effect, TellPrivately) and error.ambiguous):  # at most once
                raise
        done = self._hold.conversation.without_effect(effect.id)
        self._hold.conversation = await self._services.conversations.save(Step(conversation=done))
        return True

    def _is_under_way(self, effect: Effect) -> bool:
        return isinstance(effect, RunTurn) and self._turn is not None

    async def _perform(self, effect: FinishReply | TellPrivately | React) -> None:
        now, outlet = self._hold.conversation, self._services.outlet
        match effect:
            case FinishReply():
                reply = await self._services.conversations.row(now, effect.reply)
                assert reply is not None, "a reply is written before it is delivered"
                draft = self._drafts.get(reply.seq)
                await outlet.finish(now, reply, self._keeper(reply.seq), draft)
                self._drafts.pop(reply.seq, None)
            case TellPrivately():
                await outlet.tell(now.thread, effect.user, effect.text)
            case React():
                await outlet.react(now.thread, effect.ts, effect.name)

    def _keeper(self, reply: int) -> ReplyKeeper:
        return ReplyKeeper(self._hold, self._services.conversations, reply)

    async def _begin_turn(self) -> None:
        now, services = self._hold.conversation, self._services
        assert now.turn is not None, "a turn is saved before it is run"
        rows = await services.conversations.transcript(now, now.since)
        epoch = new_epoch(now, rows, services.turn.context_tokens)
        if epoch:
            await self._step(epoch, now.turn.id)
        now = self._hold.conversation
        reply = next(row for row in rows if now.turn and row.seq == now.turn.reply)
        draft = services.outlet.draft(now, reply, self._keeper(reply.seq))
        self._drafts[reply.seq] = draft
        self._turn = asyncio.ensure_future(take_turn(services.model, services.turn, now, rows, draft))

    async def _wait_for_turn(self) -> bool:
        """Wait for the turn or for news. False if no turn is under way."""
        if self._turn is None:
            return False
        if not self._turn.done():
            waits = [asyncio.ensure_future(event.wait()) for event in (self._news, self._hold.lost)]
            try:
                await asyncio.wait((*waits, self._turn), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
        if self._hold.lost.is_set():
            raise LostConversation
        if self._turn.done():
            await self._end_turn(self._turn)
        return True

    async def _end_turn(self, turn: asyncio.Task[Message]) -> None:
        running = self._hold.conversation.turn
        assert running is not None, "a turn that runs here is in the state"
        reply = turn.result()
        self._turn = None
        await self._step(TurnEnded(turn=running.id, reply=reply), running.id)

    async def _drop_turn(self) -> None:
        if self._turn is not None:
            self._turn.cancel()
            await asyncio.gather(self._turn, return_exceptions=True)
