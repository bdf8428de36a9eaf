"""Gatherer of the facts that a reaction needs and Slack's payload does not contain.

It only reads, with two exceptions: it counts a person's message, and it cuts the active turn off for an event that ends
that turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeAlias

from app.core.conversation.conversation import Message, MessageStatus
from app.core.conversation.news import UpstreamChange
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    ContinuePressed,
    DraftEdited,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    StepRequested,
)
from app.core.events.facts import Fact
from app.core.events.heard import (
    ComponentStarted,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NoticeReceived,
    OwnersAct,
)
from app.core.goals import moves
from app.core.machine import apply
from app.core.machine.registry import find_row
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import TurnState
from app.runtime.lease import HeldConversation
from app.runtime.turn_runner import Resources, TurnRunner

Found: TypeAlias = Mapping[str, Any]
"""Fields of an event, with the values found for them."""


class FactGatherer:
    """Gatherer of facts for one held conversation."""

    def __init__(self, hold: HeldConversation, voices: Resources, answering: TurnRunner) -> None:
        self._hold, self._voices, self._answering = hold, voices, answering
        self.gather: Mapping[Fact, Callable[[Any], Awaitable[Found]]] = {
            Fact.COMPONENT_MISSING: self._look_for_component,
            Fact.RETRY_AFTER: self._count_message,
            Fact.AUTHOR: self._look_up_author,
            Fact.WAS_IDLE: self._look_back,
            Fact.SIGNAL: self._read_signal,
            Fact.QUOTING: self._find_quotes,
            Fact.TARGETS: self._find_rows,
            Fact.PRESSED_REPLY: self._find_reply,
            Fact.PRESSED_CARD: self._find_card,
            Fact.HELD_REPLY: self._find_held,
            Fact.PREPARED: self._prepare,
            Fact.EDITED_DRAFT: self._judge_edit,
            Fact.CURRENT_DRAFT: self._judge_draft,
            Fact.UPDATED_DRAFT: self._bring_up_to_date,
            Fact.CLOSED_REPLY: self._close_reply,
            Fact.ERASED_AT: self._find_end,
            Fact.OPEN_CARDS: self._find_cards,
        }
        """The lookup of each fact, for the events whose rows ask for it."""

    async def completed(self, event: Event) -> Event:
        """Return the event with the facts that its row asks for, looked up in the order of `Fact`."""
        wanted = find_row(event).facts
        for fact in Fact:
            if fact in wanted:
                event = replace(event, **await self.gather[fact](event))
        return event

    async def cards(self) -> tuple[Message, ...]:
        """Return the messages of the cards that still change."""
        now = self._hold.conversation
        rows = [await self._voices.conversations.row(now, seq) for seq in now.cards]
        return tuple(row for row in rows if row)

    async def _look_for_component(self, event: MessagePosted | OwnersAct) -> Found:
        lead = self._hold.conversation.interview
        key = event.component if isinstance(event, StepRequested) else lead.component if lead else ""
        return {"retired": bool(key) and not self._voices.casebook.knows(key)}

    async def _count_message(self, event: MessagePosted) -> Found:
        return {"wait": await self._voices.limits.message(event.thread.team, event.user, float(event.ts))}

    async def _look_up_author(self, event: MessagePosted) -> Found:
        now, is_owner = self._hold.conversation, event.user == self._hold.conversation.owner
        is_named = not is_owner or now.interview is not None  # an extraction tells who said what
        if not is_named and now.zone:
            return {}
        profile = await self._voices.outlet.profile_of(event.thread.team, event.user)
        return {"user_name": profile.name if is_named else "", "zone": profile.zone if is_owner else ""}

    async def _look_back(self, event: MessagePosted) -> Found:
        quiet_since = float(self._hold.conversation.newest or event.ts)
        return {"idle": moves.is_idle(quiet_since, float(event.ts), self._voices.idle_minutes)}

    async def _read_signal(self, event: MessagePosted) -> Found:
        now = self._hold.conversation
        return {"signal": self._voices.casebook.signal(now, event.text) if now.interview else None}

    async def _find_quotes(self, event: MessageDeleted) -> Found:
        now = self._hold.conversation
        rows = await self._voices.conversations.transcript(now, 0) if now.interview else ()
        return {"quoting": tuple(row for row in rows if row.data or row.content or row.calls)}

    async def _find_rows(self, event: MessageEdited | MessageDeleted) -> Found:
        return {"targets": await self._voices.conversations.rows_of(self._hold.conversation, event.ts)}

    async def _find_reply(self, event: RetryPressed | ContinuePressed) -> Found:
        return {"target": await self._voices.conversations.row(self._hold.conversation, event.reply)}

    async def _find_card(self, event: QuestionAnswered) -> Found:
        return {"target": await self._voices.conversations.row(self._hold.conversation, event.card)}

    async def _find_held(self, event: MessagePosted | QuestionAnswered) -> Found:
        now = self._hold.conversation
        if now.turn is None or now.run is not TurnState.AWAITING:
            return {}
        return {"held": await self._voices.conversations.row(now, now.turn.reply)}

    async def _prepare(self, event: ComponentStarted) -> Found:
        casebook = self._voices.casebook
        prepared = await casebook.prepared(event.decision, event.component, event.question)
        drafted = await casebook.worked(event.decision, event.component) if event.example else None
        return {"prepared": prepared, "drafted": drafted}

    async def _judge_edit(self, event: DraftEdited) -> Found:
        now = self._hold.conversation
        return {"drafted": await self._voices.casebook.edited(now, event.draft) if now.interview else None}

    async def _judge_draft(self, event: RestartRequested) -> Found:
        now, lead = self._hold.conversation, self._hold.conversation.interview
        return {"drafted": await self._voices.casebook.judged(now, lead.draft) if lead else None}

    async def _bring_up_to_date(self, event: ReopenRequested | NoticeReceived) -> Found:
        """Return the updated draft of a finished step that is reopened, or after a change in an earlier step."""
        now = self._hold.conversation
        is_finished = isinstance(event, ReopenRequested) and now.lifecycle is Lifecycle.COMPLETE
        is_wanted = is_finished or (isinstance(event, NoticeReceived) and isinstance(event.news, UpstreamChange))
        is_step = now.interview is not None
        return {"drafted": await self._voices.casebook.brought_up_to_date(now) if is_wanted and is_step else None}

    async def _close_reply(self, event: Event) -> Found:
        # No await in between: another turn could then be the one that the event ends.
        if not apply.ends_turn(self._hold.conversation, event):
            return {}
        return {"partial": await self._answering.cut(MessageStatus.CANCELLED)}

    async def _find_end(self, event: ArchiveRequested | ArchiveConfirmed) -> Found:
        days, now = self._voices.erase_after_days, self._voices.clock.now()
        return {"ends": (now + timedelta(days=days)).isoformat() if days else ""}

    async def _find_cards(self, event: Event) -> Found:
        return {"cards": await self.cards()}
