"""One session with a held conversation: take in what has come, perform what follows, until nothing is left to do.

Steps 5 to 8 of a message's way (docs/architecture.md). New events are stepped while a turn runs: they do not queue
behind it. A step is saved before anything it asks for is done: a crash at any point repeats nothing and loses nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from structlog.contextvars import bound_contextvars

from app.agent.turn import new_reference
from app.answering import Answering, Voices
from app.clock import ts_of
from app.core import goal_moves, machine
from app.core.effects import FinishReply, RunTurn, ShowCard
from app.core.errors import IllegalEvent, Retryable
from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    QuestionAnswered,
    ReopenRequested,
    RetryPressed,
    ScheduleCancelled,
    StopRequested,
    TurnEnded,
    WorkParked,
)
from app.core.model import Message, MessageStatus, Turn
from app.lease import Hold
from app.performer import AT_MOST_ONCE, Performer
from app.ports import Inbox, InboxRow

log = structlog.get_logger(__name__)

ClosesTurn = StopRequested | EraseConfirmed | ArchiveRequested | ArchiveConfirmed | ScheduleCancelled
"""What ends the answer under way, if it may be."""


@dataclass(slots=True)
class Ending:
    """How the program ends: first no turn is begun any more, then those that run are broken off."""

    begins_nothing: bool = False
    break_off: asyncio.Event = field(default_factory=asyncio.Event)


class Session:
    """Works on one conversation while it is held. `news` is set when its inbox may have new rows."""

    def __init__(self, hold: Hold, inbox: Inbox, voices: Voices, news: asyncio.Event, ending: Ending) -> None:
        self._hold, self._inbox, self._voices, self._news, self._ending = hold, inbox, voices, news, ending
        news.set()  # it was claimed because there is something
        self._answering = Answering(hold, voices)
        self._performer = Performer(hold, voices.outlet, voices.conversations, self._answering.drafts)
        self._taken_over = False
        self._receipts: tuple[str, ...] = ()
        self._parked: set[str] = set()
        self._at = ""
        """The receipt or the effect's id that is being worked on: what is to blame for a failure."""

    async def run(self) -> None:
        """Work until the conversation rests, then close its inbox rows. Outages are waited for; the rest is raised."""
        try:
            while await self.outlast(self._advance):
                pass
            if not self._hold.conversation.effects and not self._hold.lost.is_set():
                await self.outlast(self._close)
        finally:
            await self._performer.drop()
            await self._answering.drop()

    async def give_up(self) -> bool:
        """Give up what failed too often, with a notice, and go on with the rest."""
        now, blamed = self._hold.conversation, self._at
        reply = await self._voices.conversations.row(now, now.turn.reply) if now.turn else None
        reference, is_event = new_reference(), blamed in self._receipts
        log.error("work_parked", reference=reference)
        if reply:
            await self._answering.settle(reply)
        if is_event:
            # Saved as applied together with the notice; its row stays open, for whoever has to go on with this.
            self._hold.conversation = replace(now, applied=(*now.applied, blamed))
            self._parked.add(blamed)
        at, cards = ts_of(self._voices.clock.now()), await self._cards()
        effect = "" if is_event else blamed
        await self._hold.step(WorkParked(reference=reference, at=at, effect=effect, reply=reply, cards=cards), blamed)
        self._answering.forget()
        await self.run()
        return True

    async def outlast(self, act: Callable[[], Awaitable[bool]]) -> bool:
        """Do something, waiting as long as MongoDB is away: that is nobody's failed attempt."""
        while True:
            try:
                return await act()
            except Retryable as error:
                log.warning("work_put_off", error=type(error).__name__, seconds=error.after)
                await self._hold.pause(error.after)

    async def _close(self) -> bool:
        if self._parked:
            await self._inbox.park(self._parked)
        await self._inbox.done(self._receipts)
        return True

    async def _advance(self) -> bool:
        """Do the next thing. False when the conversation rests, or is no longer ours."""
        if self._hold.lost.is_set():
            return False
        if not self._taken_over:
            await self._take_over()
            self._taken_over = True
        if self._news.is_set():
            await self._take_in()
        await self._save_what_was_performed()
        if self._answering.is_over or (self._answering.is_under_way and self._ending.break_off.is_set()):
            await self._end_turn()
        await self._begin_what_is_asked_for()
        return await self._wait()

    async def _take_over(self) -> None:
        """Close what somebody left open who held this conversation before and died."""
        now = self._hold.conversation
        row = await self._voices.conversations.row(now, now.turn.reply) if now.turn else None
        reply = machine.closed_after_death(now, row) if row else None
        if reply or any(isinstance(effect, (FinishReply, ShowCard)) for effect in now.effects):
            await self._hold.let_others_finish()
        if now.turn and row:
            log.warning("turn_taken_over", status=reply.status.value if reply else "run_again")
        if now.turn and reply:
            await self._answering.settle(reply)
            await self._save_end(now.turn, reply)

    async def _take_in(self) -> None:
        """Step every open row that the state does not contain yet, in order of Slack's ts."""
        self._news.clear()
        try:
            rows = await self._inbox.open_rows(self._hold.conversation.thread)
            self._receipts = tuple(row.receipt for row in rows)
            self._hold.conversation = self._hold.conversation.keeping_applied(self._receipts)
            for row in rows:
                if row.receipt not in self._hold.conversation.applied:
                    self._at = row.receipt
                    with bound_contextvars(correlation=row.receipt):
                        await self._apply(row)
        except BaseException:
            self._news.set()  # they are looked for again
            raise

    async def _apply(self, row: InboxRow) -> None:
        event = await self._completed(row.event)
        now = self._hold.conversation
        marked = replace(now, applied=(*now.applied, row.receipt))
        try:
            made = machine.step(marked, event, row.receipt)
        except IllegalEvent as refusal:
            log.info("event_refused", code=refusal.code, event_kind=event.kind)
            made = machine.refuse(marked, event, refusal.code, row.receipt)
        await self._hold.save(made)
        if now.turn and made.conversation.turn != now.turn:
            self._answering.forget()

    async def _completed(self, event: Event) -> Event:
        """Add what the machine must know and Slack's payload does not say."""
        now, voices = self._hold.conversation, self._voices
        match event:
            case MessagePosted():
                return await self._introduced(event)
            case MessageEdited() | MessageDeleted():
                return replace(event, targets=await voices.conversations.rows_of(now, event.ts))
            case RetryPressed() | ContinuePressed():
                return replace(event, target=await voices.conversations.row(now, event.reply))
            case QuestionAnswered():
                target = await voices.conversations.row(now, event.card)
                return replace(event, target=target, cards=await self._cards())
            case ReopenRequested():
                return replace(event, cards=await self._cards())
            case StopRequested() | EraseConfirmed() | ArchiveRequested() | ArchiveConfirmed() | ScheduleCancelled():
                return await self._ending_turn(event)
            case _:
                return event

    async def _introduced(self, event: MessagePosted) -> MessagePosted:
        """Who wrote, whether they may now, and how long it was quiet before."""
        now, voices, team = self._hold.conversation, self._voices, event.thread.team
        wait = await voices.limits.message(team, event.user, float(event.ts))
        is_stranger = event.user != now.owner or not now.zone
        profile = await voices.outlet.profile_of(team, event.user) if is_stranger else None
        quiet_since = float(now.newest or event.ts)
        return replace(
            event,
            user_name=profile.name if profile and event.user != now.owner else "",
            zone=profile.zone if profile and event.user == now.owner else "",
            wait=wait,
            idle=goal_moves.is_idle(quiet_since, float(event.ts), voices.idle_minutes),
            cards=await self._cards(),
        )

    async def _ending_turn(self, event: ClosesTurn) -> Event:
        if machine.ends_turn(self._hold.conversation, event):
            event = replace(event, partial=await self._answering.cut(MessageStatus.CANCELLED))
        return replace(event, cards=await self._cards())

    async def _cards(self) -> tuple[Message, ...]:
        """The rows of the cards that still change."""
        now = self._hold.conversation
        rows = [await self._voices.conversations.row(now, seq) for seq in now.cards]
        return tuple(row for row in rows if row)

    async def _save_what_was_performed(self) -> None:
        for effect, task in self._performer.ended():
            self._at = effect.id
            task.result()
            if not isinstance(effect, AT_MOST_ONCE) and not self._hold.lost.is_set():  # by erasing it
                await self._hold.performed(effect)
            self._performer.forget(effect)

    async def _begin_what_is_asked_for(self) -> None:
        pending = self._hold.conversation.effects
        for effect in self._performer.next_of(effect for effect in pending if not isinstance(effect, RunTurn)):
            if isinstance(effect, AT_MOST_ONCE):
                await self._hold.performed(effect)
            self._performer.begin(effect)
        turn = next((effect for effect in pending if isinstance(effect, RunTurn)), None)
        busy = self._answering.is_under_way or self._performer.is_speaking
        if turn and not busy and not self._ending.begins_nothing:
            self._at = turn.id
            await self._answering.begin()

    async def _wait(self) -> bool:
        """Wait until something is over or there is news. False if nothing is under way."""
        events = [self._news, self._hold.lost]
        mine: list[asyncio.Future[Any]] = []
        if self._answering.is_under_way:
            events.append(self._ending.break_off)
            mine.append(asyncio.ensure_future(self._answering.over()))
        if not mine and not self._performer.tasks:
            return False
        mine += [asyncio.ensure_future(event.wait()) for event in events]
        try:
            await asyncio.wait((*mine, *self._performer.tasks), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in mine:
                wait.cancel()
        return True

    async def _end_turn(self) -> None:
        """Save how the turn ended. It is forgotten only then: an outage meanwhile must not begin it once more."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn that runs here is in the state"
        self._at = next((e.id for e in self._hold.conversation.effects if isinstance(e, RunTurn)), "")
        broken_off = self._ending.break_off.is_set()
        reply = await (self._answering.cut(MessageStatus.INTERRUPTED) if broken_off else self._answering.end())
        await self._save_end(turn, reply)
        self._answering.forget()

    async def _save_end(self, turn: Turn, reply: Message) -> None:
        at, cards = ts_of(self._voices.clock.now()), await self._cards()
        await self._hold.step(TurnEnded(turn=turn.id, reply=reply, at=at, cards=cards), turn.id)
