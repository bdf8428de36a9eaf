"""One session with a held conversation: accept new events and perform effects until nothing is left to do.

Steps 5 to 8 of docs/architecture.md. New events are applied while a turn runs: they do not queue behind it. A
transition is saved before its effects are performed, so a crash at any point repeats nothing and loses nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from structlog.contextvars import bound_contextvars

from app.agent.reply import create_reference
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Transition, Turn
from app.core.conversation.effect import Effect, FinishReply, RunTurn, ShowCard
from app.core.conversation.facts import Facts
from app.core.errors import IllegalEvent
from app.core.events.internal import ChannelLost, EventParked, StageReached, ToolUsesReported, TurnEnded, TurnTakenUp
from app.core.machine import apply
from app.core.state.status import TurnState
from app.core.turns import takeover
from app.ports import Inbox, InboxRow
from app.runtime.fact_gatherer import FactGatherer
from app.runtime.lease import HeldConversation
from app.runtime.performer import AT_MOST_ONCE, IDEMPOTENT, Outcome, Performer
from app.runtime.turn_runner import Resources, TurnRunner

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Shutdown:
    """Shutdown of the program: first no new turn starts, then the active ones are broken off."""

    begins_nothing: bool = False
    break_off: asyncio.Event = field(default_factory=asyncio.Event)


class Session:
    """Worker on one conversation while it is held. `news` is set when its inbox may have new rows.

    `found` are the rows that its claim has brought; None if they must be read.
    """

    def __init__(  # noqa: PLR0913 - what a session works with
        self,
        hold: HeldConversation,
        inbox: Inbox,
        resources: Resources,
        news: asyncio.Event,
        ending: Shutdown,
        found: tuple[InboxRow, ...] | None,
    ) -> None:
        self._hold, self._inbox, self._resources, self._news, self._ending = hold, inbox, resources, news, ending
        self._found = found
        if found is None:
            news.set()  # it was claimed because of new work
        self._answering = TurnRunner(hold, resources)
        self._gatherer = FactGatherer(hold, resources, self._answering)
        self._performer = Performer(hold, resources.recorder, self._answering.drafts)
        self._taken_over = False
        self._receipts: tuple[str, ...] = ()
        self._parked: set[str] = set()
        self._at = ""
        """The receipt, or the id of the effect, in progress. A failure is counted against it."""

    async def run(self) -> None:
        """Work until the conversation rests, then close its inbox rows.

        Outages are waited for. Other errors are raised.
        """
        try:
            while await self._hold.outlast(self._advance):
                pass
            if not self._hold.lost.is_set():
                await self._rest()
        finally:
            await self._performer.drop()
            await self._answering.drop()

    async def give_up(self) -> bool:
        """Park an event that failed too often, with a notice, and continue with the rest."""
        now, blamed = self._hold.conversation, self._at
        reply = await self._resources.conversations.row(now, now.turn.reply) if now.turn else None
        reference, is_event = create_reference(), blamed in self._receipts
        log.error("work_parked", reference=reference)
        if reply:
            await self._answering.settle(reply)
        if is_event:
            # Saved as applied together with the notice. Its row stays open for the operator who repairs it.
            self._hold.conversation = replace(now, applied=(*now.applied, blamed))
            self._parked.add(blamed)
        effect = "" if is_event else blamed
        await self._step(EventParked(reference=reference, at=self._hold.at, effect=effect, reply=reply), blamed)
        self._answering.forget()
        await self.run()
        return True

    async def _rest(self) -> None:
        """Save what was performed last, and close the inbox rows unless something is left to do.

        Where both are due, the save ends the lease. A row that is open a moment longer leads at most to one more claim,
        which finds it applied: whoever dies before it is closed leaves it to the next one, which need not wait.
        """
        if self._list_pending():
            await self._hold.outlast(self._hold.save_performed)
            return
        if self._hold.performed and not self._parked:
            await self._hold.outlast(self._hold.save_and_release)
        await self._hold.outlast(self._hold.save_performed)
        await self._hold.outlast(self._close)

    async def _close(self) -> bool:
        if self._parked:
            await self._inbox.park(self._parked)
        await self._inbox.close_rows(self._receipts)
        return True

    async def _advance(self) -> bool:
        """Do the next thing. Return False when the conversation rests, or is no longer held here."""
        if self._hold.lost.is_set():
            return False
        if not self._taken_over:
            await self._take_over()
            self._taken_over = True
        if self._news.is_set() or self._found is not None:
            await self._take_in()
        await self._save_what_was_performed()
        for stage in self._answering.stages_reached():
            await self._hold.apply(StageReached(stage=stage), self._answering.cause)
        if self._answering.is_over or (self._answering.is_under_way and self._ending.break_off.is_set()):
            await self._end_turn()
        await self._begin_what_is_asked_for()
        return await self._wait()

    async def _take_over(self) -> None:
        """Close what a former holder left open when it died."""
        now = self._hold.conversation
        ran = now.turn if now.run is TurnState.STREAMING else None  # a turn that waits for a person has lost no process
        row = await self._resources.conversations.row(now, ran.reply) if ran else None
        reply = takeover.close_after_crash(now, row) if row else None
        if reply or any(isinstance(effect, (FinishReply, ShowCard)) for effect in now.effects):
            await self._hold.let_others_finish()
        if ran and row and not reply:
            log.warning("turn_taken_over", status="run_again")
        if ran and row and reply:
            await self._go_on_or_close(ran, row, reply)

    async def _go_on_or_close(self, turn: Turn, row: Message, closed: Message) -> None:
        """Continue or close a turn whose process died. Continuing is saved before the request, so it happens once."""
        now = self._hold.conversation
        waiting = await self._inbox.open_rows(now.thread)
        unheard = [each.event for each in waiting if each.receipt not in now.applied]
        if takeover.can_resume_after_crash(now, row, self._hold.at, unheard):
            log.warning("turn_taken_over", status="goes_on")
            await self._hold.apply(TurnTakenUp(turn=turn.id, reply=row), turn.id)
            return
        log.warning("turn_taken_over", status=closed.status.value)
        await self._answering.settle(closed)
        await self._save_end(turn, closed)

    async def _take_in(self) -> None:
        """Apply every open row that the state does not contain yet, in order of Slack's ts."""
        found, self._found = None if self._news.is_set() else self._found, None
        self._news.clear()
        try:
            rows = await self._inbox.open_rows(self._hold.conversation.thread) if found is None else found
            self._receipts = tuple(row.receipt for row in rows)
            self._hold.conversation = self._hold.conversation.keep_applied(self._receipts)
            for row in rows:
                if self._hold.conversation.has_closed(row.receipt):  # put back by hand in the database
                    log.error("inbox_row_put_back", receipt=row.receipt)
                elif row.receipt not in self._hold.conversation.applied:
                    self._at = row.receipt
                    with bound_contextvars(correlation=row.receipt):
                        await self._apply(row)
        except BaseException:
            self._news.set()  # look for these rows again
            raise

    async def _apply(self, row: InboxRow) -> None:
        facts = await self._gatherer.gather(row.event)
        turn = self._hold.conversation.turn
        made = await self._hold.change(lambda now: _apply_event(now, row, facts))
        if turn and (made.conversation.turn is None or made.conversation.turn.id != turn.id):
            self._answering.forget()

    async def _save_what_was_performed(self) -> None:
        """Save which effects were performed. What may be repeated waits for the next save, the last for the end."""
        for effect, task in self._performer.list_ended():
            self._at = effect.id
            if (outcome := task.result()) is not Outcome.DONE:
                is_closed = outcome is Outcome.CLOSED
                await self._step(ChannelLost(effect=effect.id, at=self._hold.at, is_closed=is_closed), effect.id)
            elif not isinstance(effect, AT_MOST_ONCE) and not self._hold.lost.is_set():  # lost by an erasure
                self._hold.performed.add(effect.id)
            self._performer.forget(effect)
        performed = [each for each in self._hold.conversation.effects if each.id in self._hold.performed]
        if self._list_pending() and not all(isinstance(each, IDEMPOTENT) for each in performed):
            await self._hold.save_performed()

    def _list_pending(self) -> list[Effect]:
        """Return the effects that are still to be performed."""
        return [each for each in self._hold.conversation.effects if each.id not in self._hold.performed]

    async def _begin_what_is_asked_for(self) -> None:
        pending = self._list_pending()
        for effect in self._performer.next_of(effect for effect in pending if not isinstance(effect, RunTurn)):
            if isinstance(effect, AT_MOST_ONCE):
                await self._hold.finish_effect(effect)
            self._performer.begin(effect)
        turn = next((effect for effect in pending if isinstance(effect, RunTurn)), None)
        busy = self._answering.is_under_way or self._performer.is_speaking
        if turn and not busy and not self._ending.begins_nothing:
            self._at = turn.id
            await self._answering.begin()

    async def _wait(self) -> bool:
        """Wait until a task ends or there is news. Return False if no task is in progress."""
        events = [self._news, self._hold.lost]
        mine: list[asyncio.Future[Any]] = []
        is_reading = self._answering.is_reading and not self._ending.break_off.is_set()
        if self._answering.is_under_way or is_reading:
            events += [self._ending.break_off, self._answering.reached]
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
        """Save the end of the turn before forgetting it: an outage meanwhile must not start it again."""
        turn = self._hold.conversation.turn
        assert turn is not None, "a turn that runs here is in the state"
        self._at = next((e.id for e in self._hold.conversation.effects if isinstance(e, RunTurn)), "")
        broken_off = self._ending.break_off.is_set() and not self._answering.is_over
        if broken_off and await self._is_left(turn):
            return
        reply = await (self._answering.cut(MessageStatus.INTERRUPTED) if broken_off else self._answering.end())
        await (self._save_waiting if reply.status is MessageStatus.HELD else self._save_end)(turn, reply)
        self._answering.forget()

    async def _is_left(self, turn: Turn) -> bool:
        """Leave an answer to the next holder of the conversation if it can continue there, as after a crash."""
        now = self._hold.conversation
        row = await self._resources.conversations.row(now, turn.reply)
        assert row is not None, "a turn's reply has its row before the turn begins"
        if takeover.close_after_crash(now, row) and not takeover.can_resume_after_crash(now, row, row.kept_at, ()):
            return False
        log.warning("turn_left", status=row.status.value)
        await self._answering.leave()
        return True

    async def _save_waiting(self, turn: Turn, reply: Message) -> None:
        """Save a turn that has to wait for its owner's answer. No process holds it meanwhile."""
        uses, rounds = self._answering.reported
        waits = ToolUsesReported(turn=turn.id, reply=reply, uses=uses, rounds=rounds, at="")
        await self._step(waits, turn.id)

    async def _save_end(self, turn: Turn, reply: Message) -> None:
        await self._step(TurnEnded(turn=turn.id, reply=reply, at=""), turn.id)

    async def _step(self, event: EventParked | ChannelLost | ToolUsesReported | TurnEnded, cause: str) -> None:
        """Apply and commit an event of our own with its facts. Without a time it happens when those are gathered."""
        facts = await self._gatherer.gather(event)
        await self._hold.apply(replace(event, at=event.at or self._hold.at), cause, facts)


def _apply_event(now: Conversation, row: InboxRow, facts: Facts) -> Transition:
    """Return the transition of an event, or the one after its refusal; either contains its receipt."""
    marked = replace(now, applied=(*now.applied, row.receipt))
    try:
        return apply.apply(marked, row.event, row.receipt, facts)
    except IllegalEvent as refusal:
        log.info("event_refused", code=refusal.code, event_kind=row.event.kind)
        return apply.refuse(marked, row.event, refusal.code, row.receipt, facts)
