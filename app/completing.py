"""Adds to an event what the machine must know and the payload does not say: rows, names, limits, how a draft is judged.

Reads, and changes nothing, but for one thing: where an event ends the turn under way, the turn is cut off here.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.answering import Answering, Voices
from app.core import goal_moves, machine
from app.core.events import (
    ArchiveConfirmed,
    ArchiveRequested,
    ComponentStarted,
    ContinuePressed,
    DecisionClosed,
    DraftEdited,
    EraseConfirmed,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NewsHeard,
    OwnersAct,
    OwnershipGiven,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    StepClosed,
    StepRequested,
    StopRequested,
    SummaryAsked,
)
from app.core.model import Message, MessageStatus
from app.core.news import UpstreamChange
from app.core.states import Lifecycle, Run
from app.lease import Hold

ClosesTurn = (
    StopRequested
    | EraseConfirmed
    | ArchiveRequested
    | ArchiveConfirmed
    | ScheduleCancelled
    | RestartRequested
    | StepClosed
    | NewsHeard
)
"""What ends the answer under way, if it may be."""


class Completing:
    """For one held conversation."""

    def __init__(self, hold: Hold, voices: Voices, answering: Answering) -> None:
        self._hold, self._voices, self._answering = hold, voices, answering

    async def completed(self, event: Event) -> Event:
        """The event with what the machine must know."""
        now, voices = self._hold.conversation, self._voices
        event = self._led(event)
        match event:
            case MessagePosted():
                return await self._introduced(event)
            case MessageEdited():
                return replace(event, targets=await voices.conversations.rows_of(now, event.ts))
            case MessageDeleted():
                return await self._taken_back(event)
            case RetryPressed() | ContinuePressed():
                return await self._pressed(event)
            case QuestionAnswered():
                target = await voices.conversations.row(now, event.card)
                return replace(event, target=target, held=await self._held(), cards=await self.cards())
            case ComponentStarted():
                return await self._prepared(event)
            case SummaryAsked() | StepRequested() | OwnershipGiven() | DecisionClosed():
                return replace(event, cards=await self.cards())
            case _:
                return await self._judged(event)

    def _led(self, event: Event) -> Event:
        """Said to be about a step that nobody leads any more, if it is."""
        if not isinstance(event, MessagePosted | OwnersAct):
            return event
        lead = self._hold.conversation.interview
        key = event.component if isinstance(event, StepRequested) else lead.component if lead else ""
        return replace(event, retired=True) if key and not self._voices.casebook.knows(key) else event

    async def _pressed(self, event: RetryPressed | ContinuePressed) -> Event:
        """With the reply that the button stands under; a run that is made again changes the card of its plan."""
        pressed = replace(event, target=await self._voices.conversations.row(self._hold.conversation, event.reply))
        return replace(pressed, cards=await self.cards()) if isinstance(pressed, RetryPressed) else pressed

    async def _taken_back(self, event: MessageDeleted) -> MessageDeleted:
        """With what it said and, of a step, with all that may repeat it."""
        now, rows = self._hold.conversation, self._voices.conversations
        quoting = await rows.transcript(now, 0) if now.interview else ()
        held = tuple(row for row in quoting if row.data or row.content or row.calls)
        return replace(event, targets=await rows.rows_of(now, event.ts), quoting=held)

    async def _held(self) -> Message | None:
        """The reply of a turn that waits for a permission, if one does."""
        now = self._hold.conversation
        if now.turn is None or now.run is not Run.AWAITING:
            return None
        return await self._voices.conversations.row(now, now.turn.reply)

    async def _prepared(self, event: ComponentStarted) -> ComponentStarted:
        """With what its component brings, and in the worked example its result."""
        casebook = self._voices.casebook
        prepared = await casebook.prepared(event.decision, event.component)
        drafted = await casebook.worked(event.decision, event.component) if event.example else None
        return replace(event, prepared=prepared, drafted=drafted)

    async def cards(self) -> tuple[Message, ...]:
        """The rows of the cards that still change."""
        now = self._hold.conversation
        rows = [await self._voices.conversations.row(now, seq) for seq in now.cards]
        return tuple(row for row in rows if row)

    async def _judged(self, event: Event) -> Event:
        """With how a draft is judged now, where the event is about one."""
        now, casebook = self._hold.conversation, self._voices.casebook
        match event:
            case DraftEdited():
                drafted = await casebook.edited(now, event.draft) if now.interview else None
                return replace(event, drafted=drafted, cards=await self.cards())
            case ReopenRequested():
                is_finished = now.interview and now.lifecycle is Lifecycle.COMPLETE
                drafted = await casebook.brought_up_to_date(now) if is_finished else None
                return replace(event, drafted=drafted, cards=await self.cards())
            case RestartRequested():
                drafted = await casebook.judged(now, now.interview.draft) if now.interview else None
                return await self._ending_turn(replace(event, drafted=drafted))
            case NewsHeard(news=UpstreamChange()):
                drafted = await casebook.brought_up_to_date(now) if now.interview else None
                return await self._ending_turn(replace(event, drafted=drafted))
            case StopRequested() | EraseConfirmed() | ArchiveRequested() | ArchiveConfirmed() | ScheduleCancelled():
                return await self._ending_turn(event)
            case StepClosed() | NewsHeard():
                return await self._ending_turn(event)
            case _:
                return event

    async def _introduced(self, event: MessagePosted) -> MessagePosted:
        """Who wrote, whether they may now, how long it was quiet before, and what it says to an interview."""
        now, voices, team = self._hold.conversation, self._voices, event.thread.team
        wait = await voices.limits.message(team, event.user, float(event.ts))
        is_stranger = event.user != now.owner or not now.zone
        is_named = event.user != now.owner or now.interview is not None  # what is extracted tells who said what
        profile = await voices.outlet.profile_of(team, event.user) if is_stranger or is_named else None
        quiet_since = float(now.newest or event.ts)
        return replace(
            event,
            user_name=profile.name if profile and is_named else "",
            zone=profile.zone if profile and event.user == now.owner else "",
            wait=wait,
            idle=goal_moves.is_idle(quiet_since, float(event.ts), voices.idle_minutes),
            cards=await self.cards(),
            signal=voices.casebook.signal(now, event.text) if now.interview else None,
            held=await self._held(),
        )

    async def _ending_turn(self, event: ClosesTurn) -> Event:
        if machine.ends_turn(self._hold.conversation, event):
            event = replace(event, partial=await self._answering.cut(MessageStatus.CANCELLED))
        if isinstance(event, ArchiveRequested | ArchiveConfirmed):
            event = replace(event, ends=self._ends())
        return replace(event, cards=await self.cards())

    def _ends(self) -> str:
        """When what is archived now is erased; empty for never."""
        days, now = self._voices.erase_after_days, self._voices.clock.now()
        return (now + timedelta(days=days)).isoformat() if days else ""
