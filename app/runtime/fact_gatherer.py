"""Gatherer of the facts that a reaction needs and Slack's payload does not contain.

It only reads, with two exceptions: it counts a person's message, and it cuts the active turn off for an event that ends
that turn.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.conversation.facts import NO_FACTS, Author, Fact, Facts, MessageUse, Preceding
from app.core.conversation.news import UpstreamChange
from app.core.decisions import interview_turns
from app.core.errors import OutOfReach, Retryable, SlackRefused
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
    SummaryRequested,
)
from app.core.events.heard import (
    ComponentStarted,
    Event,
    FileDeleted,
    MessageChange,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    NoticeReceived,
    OwnerAct,
)
from app.core.events.internal import TurnEnded
from app.core.goals import moves
from app.core.machine import apply
from app.core.machine.registry import find_row
from app.core.owners import can_own
from app.core.state.interview import InterviewCommand, JudgedDraft, Phase, PreparedStep, SourceMessage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Kind, TurnState
from app.core.text.labels import list_mentioned, name_mentioned
from app.core.text.marks import clean_name
from app.core.turns.unfinished import is_taken_back
from app.ports import Heard, MessagePage
from app.runtime.lease import HeldConversation
from app.runtime.turn_runner import Resources, TurnRunner

WHOLE_THREAD: Final = 10_000
"""Messages of a thread in which a refused one is looked for. Slack lists a thread from its start anyway."""


MENTIONED: Final = 20
"""People whose names are looked up for one message."""

PRECEDING: Final = 200
"""Messages that are read above the one that called the app into a thread, the newest ones."""

ERASE: Final = re.compile(r"(?:(?:<@\w+>|@\w+)\s+)?erase\W*", re.IGNORECASE)
"""The command to erase a conversation, as it stands in its thread."""

PRECEDING_SECONDS: Final = 10.0
"""Time for reading them, since somebody waits for the answer."""


class FactGatherer:
    """Gatherer of facts for one held conversation."""

    def __init__(self, hold: HeldConversation, resources: Resources, answering: TurnRunner) -> None:
        self._hold, self._resources, self._answering = hold, resources, answering
        self.lookups: Mapping[Fact, Callable[[Any], Awaitable[Any]]] = {
            Fact.COMPONENT_MISSING: self._look_for_component,
            Fact.DECISION_CLOSED: self._look_at_decision,
            Fact.RETRY_AFTER: self._count_message,
            Fact.AUTHOR: self._look_up_author,
            Fact.MENTIONED: self._look_up_mentioned,
            Fact.PRECEDING: self._read_preceding,
            Fact.WAS_IDLE: self._look_back,
            Fact.SIGNAL: self._read_signal,
            Fact.NOTES: self._lay_out_notes,
            Fact.QUOTING: self._find_quotes,
            Fact.TARGETS: self._find_rows,
            Fact.USES: self._look_for_uses,
            Fact.PRESSED_REPLY: self._find_reply,
            Fact.TAKEN_BACK: self._look_for_asked,
            Fact.PRESSED_CARD: self._find_card,
            Fact.HELD_REPLY: self._find_held,
            Fact.BANS: self._find_bans,
            Fact.PREPARED: self._prepare,
            Fact.EXAMPLE_DRAFT: self._find_example,
            Fact.EDITED_DRAFT: self._judge_edit,
            Fact.CURRENT_DRAFT: self._judge_draft,
            Fact.UPDATED_DRAFT: self._bring_up_to_date,
            Fact.LEFT_MESSAGE: self._read_left_message,
            Fact.ERASED_AT: self._find_end,
            Fact.OPEN_CARDS: self._find_cards,
            Fact.MOST_QUESTIONS: self._look_up_most_questions,
            Fact.DRAFT_READY: self._check_draft,
        }
        """The lookup of each fact, for the events whose rows ask for it. Two others depend on what is known so far."""

    async def gather(self, event: Event) -> Facts:
        """Return the facts that the event's row asks for, looked up in the order of `Fact`."""
        facts, wanted = NO_FACTS, find_row(event).facts
        for fact in Fact:
            if fact in wanted:
                match fact:
                    case Fact.CLOSED_REPLY:
                        found = await self._close_reply(event, facts)
                    case Fact.CORRECTED_DRAFT:
                        found = await self._judge_correction(event, facts)
                    case _:
                        found = await self.lookups[fact](event)
                facts = replace(facts, **{fact.value: found})
        return facts

    async def _look_for_component(self, event: MessagePosted | OwnerAct) -> bool:
        lead = self._hold.conversation.interview
        key = event.component if isinstance(event, StepRequested) else lead.component if lead else ""
        return bool(key) and not self._resources.casebook.knows(key)

    async def _look_at_decision(self, event: Event) -> bool:
        now = self._hold.conversation
        matters = isinstance(event, ReopenRequested) or now.lifecycle is Lifecycle.COMPLETE
        lead = now.interview if matters else None
        hub = await self._resources.conversations.find(lead.decision) if lead else None
        return hub is not None and hub.decision is not None and hub.decision.closed

    async def _count_message(self, event: MessagePosted) -> int:
        return await self._resources.limits.message(event.thread.team, event.user, float(event.ts))

    async def _look_up_author(self, event: MessagePosted) -> Author:
        now, is_owner = self._hold.conversation, event.user == self._hold.conversation.owner
        is_named = not is_owner or now.interview is not None  # an extraction tells who said what
        if not is_named and now.zone:
            return Author()
        profile = await self._resources.outlet.profile_of(event.thread.team, event.user)
        if is_owner:
            return Author(name=profile.name, zone=profile.zone)
        may_begin = profile.standing is None or can_own(self._resources.owners, profile.standing)
        return Author(name=profile.name, may_begin=may_begin)

    async def _look_up_mentioned(self, event: MessagePosted | MessageEdited) -> Mapping[str, str]:
        people = list_mentioned(event.text)[:MENTIONED]
        profiles = [await self._resources.outlet.profile_of(event.thread.team, each) for each in people]
        return {each: clean_name(profile.name) for each, profile in zip(people, profiles, strict=True)}

    async def _read_preceding(self, event: MessagePosted) -> Preceding | None:
        """Read what stands above the message that begins a conversation, as far as its author can read it.

        If an edit has added the mention, what was written between counts as above it.
        """
        now, thread, until = self._hold.conversation, event.thread, event.edited_at or event.ts
        if now.head or now.kind is not Kind.FREE or event.user != now.owner or until == thread.root:
            return None
        reach, page = self._resources.outside.reach, MessagePage(limit=PRECEDING + 2, until=until)
        try:
            async with asyncio.timeout(PRECEDING_SECONDS):
                await reach.channel(thread.team, event.user, thread.channel)
                heard = await reach.thread(thread, page)
        except (OutOfReach, SlackRefused, Retryable, TimeoutError):
            return Preceding(is_unread=True)
        left = _leave_out_erased([each for each in heard if each.ts != event.ts])
        said = tuple(_take(each) for each in left[-PRECEDING:] if each.text)
        return Preceding(messages=said, is_cut=len(left) > PRECEDING)

    async def _look_back(self, event: MessagePosted) -> bool:
        quiet_since = float(self._hold.conversation.silent_from or event.ts)
        return moves.is_idle(quiet_since, float(event.ts), self._resources.idle_minutes)

    async def _read_signal(self, event: MessagePosted) -> InterviewCommand | None:
        now = self._hold.conversation
        return self._resources.casebook.signal(now, event.text) if now.interview else None

    async def _lay_out_notes(self, event: MessagePosted | SummaryRequested) -> JudgedDraft | None:
        is_press = isinstance(event, SummaryRequested)
        command = event.signal if is_press else await self._read_signal(event)
        now = self._hold.conversation
        if command is not InterviewCommand.SHOW or now.interview is None:
            return None
        row = await self._resources.conversations.row(now, now.turn.reply) if now.turn else None
        return await self._resources.casebook.noted(interview_turns.take_in_notes(now, row) if row else now)

    async def _find_quotes(self, event: MessageChange | FileDeleted) -> tuple[Message, ...]:
        rows = await self._resources.conversations.transcript(self._hold.conversation, 0)
        return tuple(row for row in rows if row.data or row.content or row.calls or isinstance(row.card, QuestionCard))

    async def _find_rows(self, event: MessagePosted | MessageEdited | MessageDeleted) -> tuple[Message, ...]:
        if isinstance(event, MessagePosted) and event.ts >= self._hold.conversation.heard:
            return ()
        return await self._resources.conversations.rows_of(self._hold.conversation, event.ts)

    async def _look_for_uses(self, event: MessageEdited | MessageDeleted) -> tuple[MessageUse, ...]:
        now, becomes = self._hold.conversation, None
        if isinstance(event, MessageEdited):
            becomes = name_mentioned(event.text, await self._look_up_mentioned(event))
        return await self._resources.casebook.find_uses(now, event.ts, becomes) if now.interview else ()

    async def _find_reply(self, event: RetryPressed | ContinuePressed) -> Message | None:
        return await self._resources.conversations.row(self._hold.conversation, event.reply)

    async def _look_for_asked(self, event: RetryPressed) -> bool:
        now, reply = self._hold.conversation, await self._find_reply(event)
        rows = await self._resources.conversations.transcript(now, 0) if reply else ()
        return reply is not None and is_taken_back(rows, reply, now.owner)

    async def _find_card(self, event: QuestionAnswered) -> Message | None:
        return await self._resources.conversations.row(self._hold.conversation, event.card)

    async def _find_held(self, event: MessagePosted | QuestionAnswered) -> Message | None:
        now = self._hold.conversation
        if now.turn is None or now.run is not TurnState.AWAITING:
            return None
        return await self._resources.conversations.row(now, now.turn.reply)

    async def _find_bans(self, event: QuestionAnswered) -> Mapping[str, frozenset[str]]:
        return await self._resources.outside.find_bans(self._hold.conversation)

    async def _prepare(self, event: ComponentStarted) -> PreparedStep:
        return await self._resources.casebook.prepare(event.decision, event.component, event.question)

    async def _find_example(self, event: ComponentStarted) -> JudgedDraft | None:
        return await self._resources.casebook.read_example(event.decision, event.component) if event.example else None

    async def _judge_edit(self, event: DraftEdited) -> JudgedDraft | None:
        now = self._hold.conversation
        return await self._resources.casebook.judge_edit(now, event.draft) if now.interview else None

    async def _judge_draft(self, event: RestartRequested) -> JudgedDraft | None:
        now, lead = self._hold.conversation, self._hold.conversation.interview
        return await self._resources.casebook.judge(now, lead.draft) if lead else None

    async def _bring_up_to_date(self, event: ReopenRequested | NoticeReceived) -> JudgedDraft | None:
        """Return the updated draft of a finished step that is reopened, or after a change in an earlier step."""
        now = self._hold.conversation
        is_finished = isinstance(event, ReopenRequested) and now.lifecycle is Lifecycle.COMPLETE
        is_wanted = is_finished or (isinstance(event, NoticeReceived) and isinstance(event.news, UpstreamChange))
        is_step = now.interview is not None
        return await self._resources.casebook.bring_up_to_date(now) if is_wanted and is_step else None

    async def _read_left_message(self, event: ReopenRequested) -> SourceMessage | None:
        """Return the message that the owner wants to go on with: Slack alone has it, because it was refused."""
        now = self._hold.conversation
        if not event.message or await self._resources.conversations.rows_of(now, event.message):
            return None
        try:
            said = await self._resources.outside.reach.thread(now.thread, MessagePage(limit=WHOLE_THREAD))
        except OutOfReach:
            return None
        found = next((each for each in said if (each.ts, each.user) == (event.message, event.user)), None)
        return _take(found) if found else None

    async def _close_reply(self, event: Event, facts: Facts) -> Message | None:
        # No await in between: another turn could then be the one that the event ends.
        if not apply.ends_turn(self._hold.conversation, event, facts):
            return None
        return await self._answering.cut(MessageStatus.CANCELLED)

    async def _find_end(self, event: ArchiveRequested | ArchiveConfirmed) -> str:
        days, now = self._resources.erase_after_days, self._resources.clock.now()
        return (now + timedelta(days=days)).isoformat() if days else ""

    async def _find_cards(self, event: Event) -> tuple[Message, ...]:
        now = self._hold.conversation
        rows = [await self._resources.conversations.row(now, seq) for seq in now.cards]
        return tuple(row for row in rows if row)

    async def _look_up_most_questions(self, event: TurnEnded) -> int:
        return self._resources.most_questions

    async def _check_draft(self, event: TurnEnded) -> bool:
        now = self._hold.conversation
        return bool(await self._resources.casebook.is_ready(now, event.reply)) if _is_discussed(now) else False

    async def _judge_correction(self, event: Event, facts: Facts) -> JudgedDraft | None:
        now, reply = self._hold.conversation, event.reply if isinstance(event, TurnEnded) else facts.closed_reply
        if reply is None or not _is_discussed(now):
            return None
        return await self._resources.casebook.judge_correction(now, reply)


def _take(said: Heard) -> SourceMessage:
    return SourceMessage(ts=said.ts, author=said.user, name=said.name, text=said.text, files=said.files)


def _leave_out_erased(heard: Sequence[Heard]) -> Sequence[Heard]:
    """Return what was written since a conversation in this thread was erased.

    That goes on from the command until it is confirmed: it ends with the last message of ours. Where there is none of
    ours, no conversation was erased, and somebody only writes the word.
    """
    ours = {each.name for each in heard if each.is_ours}
    if not ours:
        return heard
    asked = [place for place, each in enumerate(heard) if _is_erase(each.text, ours)]
    ends = [place for place, each in enumerate(heard) if each.is_ours and place > asked[0]] if asked else []
    return heard[max((*asked, *ends), default=-1) + 1 :]


def _is_erase(text: str, names: Collection[str]) -> bool:
    """Return True for the command, with or without a mention of the app by one of these names."""
    return any(ERASE.fullmatch(each.strip()) for each in (text, *(text.removeprefix(f"@{name}") for name in names)))


def _is_discussed(now: Conversation) -> bool:
    return now.interview is not None and now.phase is not Phase.EXTRACT
