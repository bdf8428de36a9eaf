"""Arbitrary histories of one thread: people write, edit, delete, press buttons; turns end, work is parked.

The tests of the machine and of the context inherit from this and add what must hold after every step. It saves as the
store does: rows first, then the state with the next version.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from app.core import machine
from app.core.effects import RunTurn
from app.core.errors import FailureKind, IllegalEvent
from app.core.events import (
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    Event,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    RetryPressed,
    StopRequested,
    TurnEnded,
    WorkParked,
)
from app.core.model import Conversation, Message, MessageStatus, Role, Run, Step
from tests.unit.core.threads import OTHER, OWNER, THREAD, conversation, ts

PEOPLE = st.sampled_from([OWNER, OWNER, OTHER])
MANNERS = st.sampled_from([(True, True), (False, True), (False, False)])
"""`(opens, addressed)`: mentions us, speaks to nobody in particular, speaks to somebody else."""

ENDINGS = st.sampled_from([MessageStatus.COMPLETE, *(status for status in MessageStatus if status != "streaming")])


class History(RuleBasedStateMachine):
    """A thread that lives. `before` is the state before the last event, `made` what the event made of it."""

    def __init__(self) -> None:
        super().__init__()
        self.now: Conversation = conversation()
        self.before: Conversation = self.now
        self.made = Step(conversation=self.now)
        self.rows: dict[int, Message] = {}
        self.waiting: set[int] = set()
        """Kept here from the events alone: the owner's messages that no turn has taken up."""
        self.erased: set[str] = set()
        self._count = 0

    def words(self) -> str:
        """Words that stand in no other message."""
        self._count += 1
        return f"word-{self._count}-"

    def apply(self, event: Event, cause: str) -> bool:
        """Step an event and save. False if it was refused, and its person told."""
        self.before = self.now
        try:
            self.made = machine.step(self.now, event, cause)
        except IllegalEvent as refusal:
            self.made = machine.refuse(self.now, event, refusal.code, cause)
            self._save()
            return False
        self._save()
        if self.now.turn and self.now.turn != self.before.turn:
            self.turn_began(event)
            self.waiting -= set(range(self.now.turn.reply))
        return True

    def turn_began(self, event: Event) -> None:
        """Called when an event has begun a turn, before its messages count as taken up."""

    def transcript(self) -> list[Message]:
        return [self.rows[seq] for seq in sorted(self.rows) if seq <= self.now.head]

    def people_wrote(self) -> list[Message]:
        return [row for row in self.transcript() if row.role is Role.PERSON and row.ts]

    def versions_of(self, row: Message) -> tuple[Message, ...]:
        return tuple(each for each in self.transcript() if each.ts == row.ts)

    def _save(self) -> None:
        self.rows |= {row.seq: row for row in self.made.messages}
        self.now = replace(self.made.conversation, version=self.now.version + 1)

    def _receipt(self) -> str:
        self._count += 1
        return f"receipt:{self._count}"

    @rule(user=PEOPLE, manner=MANNERS)
    def post(self, user: str, manner: tuple[bool, bool]) -> None:
        receipt, text = self._receipt(), self.words()
        opens, addressed = manner
        seq = self.now.head + 1
        if user == OWNER and addressed:
            self.waiting.add(seq)
        taken = self.apply(
            MessagePosted(
                receipt=receipt,
                thread=THREAD,
                ts=ts(self._count),
                user=user,
                text=text,
                opens=opens,
                addressed=addressed,
                user_name="" if user == OWNER else "Ann",
            ),
            receipt,
        )
        if not taken:
            self.waiting.discard(seq)

    @precondition(lambda self: self.people_wrote())
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.people_wrote()))
        receipt = self._receipt()
        self.apply(
            MessageEdited(
                receipt=receipt,
                thread=THREAD,
                ts=row.ts,
                at=row.ts,
                user=row.author,
                text=self.words(),
                targets=self.versions_of(row),
            ),
            receipt,
        )

    @precondition(lambda self: self.people_wrote())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.people_wrote()))
        self.waiting.discard(row.seq)
        self.erased |= {version.text for version in self.versions_of(row)} - {""}
        receipt = self._receipt()
        self.apply(
            MessageDeleted(receipt=receipt, thread=THREAD, ts=row.ts, at=row.ts, targets=self.versions_of(row)), receipt
        )

    @precondition(lambda self: self.rows)
    @rule(user=PEOPLE, data=st.data())
    def press_retry(self, user: str, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.transcript()[-3:]))
        receipt = self._receipt()
        pressed = RetryPressed(receipt=receipt, thread=THREAD, ts=ts(1), at=ts(1), user=user, reply=row.seq, target=row)
        self.apply(pressed, receipt)

    @precondition(lambda self: self.rows)
    @rule(user=PEOPLE, data=st.data())
    def press_continue(self, user: str, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.transcript()[-3:]))
        receipt = self._receipt()
        here: dict[str, Any] = {"receipt": receipt, "thread": THREAD, "ts": ts(1), "at": ts(1)}
        self.apply(ContinuePressed(**here, user=user, reply=row.seq, target=row), receipt)

    @rule(user=PEOPLE, written=st.booleans())
    def stop(self, user: str, written: bool) -> None:
        receipt = self._receipt()
        partial = None
        if self.now.turn:
            partial = replace(self.rows[self.now.turn.reply], text=self.words(), status=MessageStatus.CANCELLED)
        here: dict[str, Any] = {"receipt": receipt, "thread": THREAD, "ts": ts(self._count), "at": ts(self._count)}
        self.apply(StopRequested(**here, user=user, written=written, partial=partial), receipt)

    @rule(user=PEOPLE, confirmed=st.booleans())
    def erase(self, user: str, confirmed: bool) -> None:
        receipt = self._receipt()
        here: dict[str, Any] = {
            "receipt": receipt,
            "thread": THREAD,
            "ts": ts(self._count),
            "at": ts(self._count),
            "user": user,
        }
        if not confirmed:
            self.apply(EraseRequested(**here), receipt)
            return
        partial = None
        if self.now.turn:
            partial = replace(self.rows[self.now.turn.reply], text=self.words(), status=MessageStatus.CANCELLED)
        if self.apply(EraseConfirmed(**here, partial=partial), receipt):
            self.waiting.clear()

    @precondition(lambda self: self.now.run is Run.STREAMING)
    @rule(status=ENDINGS)
    def end_turn(self, status: MessageStatus) -> None:
        assert self.now.turn
        text = self.words()
        content = [{"type": "thinking", "thinking": "", "signature": text}, {"type": "text", "text": text}]
        ended = replace(
            self.rows[self.now.turn.reply],
            text=text,
            status=status,
            content=json.dumps(content),
            failure=FailureKind.CUT.value if status is MessageStatus.FAILED else "",
        )
        self.apply(TurnEnded(turn=self.now.turn.id, reply=ended), self.now.turn.id)

    @rule()
    def park(self) -> None:
        reply = self.rows[self.now.turn.reply] if self.now.turn else None
        receipt = self._receipt()
        self.apply(WorkParked(reference="tw-1", reply=reply), receipt)

    @precondition(lambda self: any(not isinstance(effect, RunTurn) for effect in self.now.effects))
    @rule()
    def perform(self) -> None:
        """Do the first effect that does not take its time."""
        effect = next(effect for effect in self.now.effects if not isinstance(effect, RunTurn))
        self.before, self.made = self.now, Step(conversation=self.now.without_effect(effect.id))
        self._save()
