"""A thread that lives, as tests write it: who says, clicks and ends what, and what becomes of it.

It saves as the store does: rows first, then the state with the next version. Each thing happens a second after the one
before, unless somebody waits.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, Literal, Self, TypeVar

import pytest

from app.core.conversation.call import AskPerson, Call, SetSchedule
from app.core.conversation.card import Card, QuestionCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Transition
from app.core.conversation.effect import Effect, RunTurn
from app.core.conversation.facts import Fact, Facts
from app.core.errors import FailureKind, IllegalEvent
from app.core.events.acts import (
    ArchiveConfirmed,
    ArchiveRequested,
    EraseConfirmed,
    HelpRequested,
    QuestionAnswered,
    ReopenRequested,
    ScheduleCancelled,
    StopRequested,
)
from app.core.events.heard import Event, GoalIdled, InboxEvent, MessagePosted, RunDue
from app.core.events.internal import EventParked, ToolUsesReported, TurnEnded
from app.core.machine import apply
from app.core.machine.registry import find_row
from app.core.state.interview import JudgedDraft
from app.core.state.question import QuestionKind
from app.core.state.schedule import ScheduleKind
from app.core.state.status import TurnState
from app.core.state.tool_use import Use, UseState
from app.core.turns import takeover
from app.core.turns.unfinished import is_taken_back
from tests.unit.core.threads import OWNER, THREAD, conversation

C = TypeVar("C", bound=Card)
Heard = TypeVar("Heard", bound=InboxEvent)

BEGINNING = 1_770_000_000  # 2026-02-02 02:40 UTC, a Monday

CHOICE = AskPerson(type=QuestionKind.CHOICE, prompt="Which one?", options=("D1 Evening cover", "D2 Hiring"))
CONFIRMATION = AskPerson(type=QuestionKind.CONFIRMATION, prompt="Shall I?")
INPUT = AskPerson(type=QuestionKind.INPUT, prompt="What else?")

DAILY = SetSchedule(kind=ScheduleKind.CRON, cron="0 9 * * *", instruction="Send the digest.", zone="UTC")
ONCE = SetSchedule(kind=ScheduleKind.SCHEDULED, run_at="2026-02-02T12:00", instruction="Remind me.", zone="UTC")
AT_ONCE = SetSchedule(kind=ScheduleKind.IMMEDIATE, instruction="Look it up.", zone="UTC")


class Live:
    """`made` is what the newest event made of it. Unless it is `slow`, all that is asked for is done at once."""

    def __init__(self, now: Conversation | None = None, *, slow: bool = False) -> None:
        self.now = now or conversation()
        self._slow = slow
        self.rows: dict[int, Message] = {}
        self.made = Transition(conversation=self.now)
        self.found: dict[str, dict[str, Any]] = {}
        """By receipt: what the worker finds for an event that does not follow from the thread itself."""
        self.seconds = 0
        self._count = 0

    # What there is

    @property
    def ts(self) -> str:
        """The present moment, as Slack's ts."""
        return f"{BEGINNING + self.seconds}.{self._count % 1_000_000:06d}"

    @property
    def cards(self) -> tuple[Message, ...]:
        """The rows of the cards that still change, as the session reads them."""
        return tuple(self.rows[seq] for seq in self.now.cards)

    @property
    def held(self) -> Message | None:
        """The reply that waits for a permission, as the session brings it along."""
        return self.reply if self.now.run is TurnState.AWAITING else None

    @property
    def transcript(self) -> list[Message]:
        return [self.rows[seq] for seq in sorted(self.rows) if seq <= self.now.head]

    @property
    def reply(self) -> Message:
        """The row of the turn under way."""
        assert self.now.turn, "no turn is under way"
        return self.rows[self.now.turn.reply]

    def card(self, kind: type[C]) -> C:
        """The newest card of a kind."""
        return [row.card for row in self.transcript if isinstance(row.card, kind)][-1]

    def shown(self, kind: type[C]) -> Message:
        """The row of the newest card of a kind."""
        return [row for row in self.transcript if isinstance(row.card, kind)][-1]

    def new(self, kind: type[Effect] | tuple[type[Effect], ...]) -> list[Any]:
        """The effects of a kind that the newest event asked for."""
        return [effect for effect in self.made.conversation.effects if isinstance(effect, kind)]

    def path(self, type_: str) -> list[tuple[str, str]]:
        """What the newest event left in the trail of a type: before and after."""
        return [(event.before, event.after) for event in self.made.audit if event.type == type_]

    # What happens

    def apply(self, event: Event, cause: str, **found: Any) -> Transition:
        """Step and save. What was asked for before has been done by then, but for a turn."""
        undone = tuple(effect for effect in self.now.effects if self._slow or isinstance(effect, RunTurn))
        now = replace(self.now, effects=undone)
        return self.save(apply.apply(now, event, cause, self.facts(event, **found)))

    def facts(self, event: Event, **found: Any) -> Facts:
        """What the worker looks up for an event: what its row asks for, and nothing else."""
        receipt, ts, asked = getattr(event, "receipt", ""), getattr(event, "ts", ""), find_row(event).facts
        said = self.transcript
        pressed = self.rows.get(getattr(event, "reply", 0)) if Fact.PRESSED_REPLY in asked else None
        known: dict[str, Any] = {
            Fact.OPEN_CARDS: self.cards,
            Fact.HELD_REPLY: self.held,
            Fact.PRESSED_REPLY: pressed,
            Fact.TAKEN_BACK: pressed is not None and is_taken_back(said, pressed, self.now.owner),
            Fact.PRESSED_CARD: self.rows.get(getattr(event, "card", 0)),
            Fact.QUOTING: tuple(row for row in said if self._may_quote(row)),
            Fact.TARGETS: tuple(row for row in said if row.ts == ts),
            Fact.CLOSED_REPLY: self.cut(),
            **self.found.get(receipt, {}),
            **found,
        }
        facts = Facts(**{fact.value: known[fact] for fact in asked if fact in known})
        return facts if apply.ends_turn(self.now, event, facts) else replace(facts, closed_reply=None)

    def _may_quote(self, row: Message) -> bool:
        is_of_step = self.now.interview is not None and bool(row.data or row.content or row.calls)
        return is_of_step or isinstance(row.card, QuestionCard)

    def finds(self, event: Heard, **found: Any) -> Heard:
        """Say what the worker will find for an event."""
        assert {*found} <= {*Fact}, found
        self.found[event.receipt] = {**self.found.get(event.receipt, {}), **found}
        return event

    def save(self, made: Transition) -> Transition:
        self.made = made
        self.rows |= {row.seq: row for row in made.messages}
        self.now = replace(made.conversation, version=self.now.version + 1)
        return made

    def refuses(self, event: Event) -> str:
        """Give the code with which an event is refused, and leave behind what that does."""
        before = self.now
        with pytest.raises(IllegalEvent) as refusal:
            self.apply(event, "refused")
        assert self.now is before
        self.made = apply.refuse(self.now, event, refusal.value.code, "refused", self.facts(event))
        assert self.made.messages == ()
        return refusal.value.code

    def wait(self, minutes: float) -> Self:
        self.seconds += round(minutes * 60)
        return self

    def event(self, kind: type[Any], user: str = OWNER, **values: Any) -> Any:
        """Something that happens now, with what the worker will find for it."""
        self._count += 1
        self.seconds += 1
        common: dict[str, Any] = {"receipt": f"r{self._count}", "thread": THREAD, "user": user, "ts": self.ts}
        at: dict[str, Any] = {} if kind is MessagePosted else {"at": self.ts}
        mine = {field.name for field in fields(kind)}
        found = {name: value for name, value in values.items() if name not in mine}
        return self.finds(kind(**(common | at | {name: values[name] for name in values if name in mine})), **found)

    def does(self, kind: type[Any], user: str = OWNER, **values: Any) -> Self:
        event = self.event(kind, user, **values)
        self.apply(event, event.receipt)
        return self

    def message(self, text: str, user: str = OWNER, **values: Any) -> MessagePosted:
        said: dict[str, Any] = {"text": text, "opens": False, "addressed": True}
        return self.event(MessagePosted, user, **{**said, **values})

    def says(self, text: str, user: str = OWNER, **values: Any) -> Self:
        event = self.message(text, user, **values)
        self.apply(event, event.receipt)
        return self

    def replies(
        self,
        text: str = "I see.",
        *calls: Call,
        status: MessageStatus = MessageStatus.COMPLETE,
        ready: bool = False,
        drafted: JudgedDraft | None = None,
        **values: Any,
    ) -> Self:
        """End the turn under way."""
        turn = self.now.turn
        assert turn, "no turn is under way"
        failure = FailureKind.BUSY.value if status is MessageStatus.FAILED else ""
        ended: dict[str, Any] = {"text": text, "status": status, "calls": calls, "failure": failure}
        closed = replace(self.reply, **{**ended, "acted": bool(calls), **values})
        self._count += 1
        self.seconds += 1
        self.apply(
            TurnEnded(turn=turn.id, reply=closed, at=self.ts), turn.id, draft_ready=ready, corrected_draft=drafted
        )
        return self

    def reported(self, *uses: Use, **values: Any) -> ToolUsesReported:
        """The turn under way tells how far the uses of its round are; with one that is asked about it waits."""
        turn = self.now.turn
        assert turn, "no turn is under way"
        waits = any(use.state is UseState.ASKED for use in uses)
        status = MessageStatus.HELD if waits else MessageStatus.STREAMING
        wishes = [{"type": "tool_use", "id": use.id, "name": use.tool, "input": json.loads(use.input)} for use in uses]
        said = [{"role": "assistant", "content": [{"type": "text", "text": "Let me."}, *wishes]}]
        told: dict[str, Any] = {"text": "Let me.", "content": json.dumps(said), "status": status, "acted": True}
        told |= values
        rounds = sum(message["role"] == "assistant" for message in json.loads(told["content"] or "[]"))
        reply = replace(self.reply, **({"rounds": rounds} | told))
        self._count += 1
        self.seconds += 1
        return ToolUsesReported(turn=turn.id, reply=reply, uses=uses, rounds=rounds, at=self.ts)

    def reports(self, *uses: Use, **values: Any) -> Self:
        event = self.reported(*uses, **values)
        self.apply(event, event.turn)
        return self

    def dies(self) -> Self:
        """The process dies, and another one takes over."""
        self.now = replace(self.now, fence=self.now.fence + 1)
        if self.now.turn and self.now.run is TurnState.STREAMING:
            closed = takeover.close_after_crash(self.now, self.reply)
            if closed:
                turn = self.now.turn.id
                self.apply(TurnEnded(turn=turn, reply=closed, at=self.ts), turn)
        return self

    def talks(self, text: str = "Hi", *calls: Call) -> Self:
        """One turn: a word, and an answer that calls for this."""
        return self.says(text).replies("I see.", *calls)

    def posts_cards(self) -> Self:
        """Slack has shown every card: it has its place."""
        self.rows |= {row.seq: replace(row, parts=(f"9.{row.seq}",)) for row in self.transcript if row.card}
        return self

    def click(self, value: str, user: str = OWNER, card: int = 0, question: str = "") -> QuestionAnswered:
        card = card or (self.now.question.card if self.now.question else 0)
        return self.event(QuestionAnswered, user, value=value, card=card, question=question)

    def clicks(self, value: str) -> Self:
        event = self.click(value)
        self.apply(event, event.receipt)
        return self

    def cut(self) -> Message | None:
        """The reply of the turn under way as the session closes it."""
        turn, cut = self.now.turn, MessageStatus.CANCELLED
        if turn and turn.rounds:
            return takeover.close_reply(turn, replace(self.reply, status=cut))
        return replace(self.reply, text="half", status=cut) if turn else None

    def stops(self) -> Self:
        return self.does(StopRequested)

    def archives(self, *, confirmed: bool = False) -> Self:
        return self.does(ArchiveConfirmed if confirmed else ArchiveRequested)

    def reopens(self) -> Self:
        return self.does(ReopenRequested)

    def cancels(self) -> Self:
        return self.does(ScheduleCancelled)

    def asks(self, word: Literal["status", "help"]) -> Self:
        return self.does(HelpRequested, word=word)

    def erases(self) -> Self:
        return self.does(EraseConfirmed)

    def due(self, next_run: str | None = None) -> RunDue:
        self.seconds += 1
        due = self.now.next_run if next_run is None else next_run
        return RunDue(receipt=f"due:{due}", thread=THREAD, at=self.ts, due=due)

    def is_due(self) -> Self:
        event = self.due()
        self.apply(event, event.receipt)
        return self

    def quiet(self, newest: str | None = None) -> GoalIdled:
        since = self.now.silent_from if newest is None else newest
        return GoalIdled(receipt=f"idle:{since}", thread=THREAD, at=self.ts, newest=since)

    def is_quiet(self) -> Self:
        event = self.quiet()
        self.apply(event, event.receipt)
        return self

    def parks(self) -> Self:
        """The work on it is given up."""
        reply = self.reply if self.now.turn else None
        self.apply(EventParked(reference="tw-1", at=self.ts, reply=reply), "blamed")
        return self
