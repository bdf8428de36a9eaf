"""Arbitrary histories of one thread: people write, edit, delete, press buttons; turns end, runs are due, time passes.

The tests of the machine and of the context inherit from this and add what must hold after every step.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.core.conversation.call import AskPerson, Call
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.effect import FinishReply, RunTurn, ShowCard
from app.core.conversation.facts import Author
from app.core.errors import FailureKind
from app.core.events.acts import ContinuePressed, EraseConfirmed, HelpRequested, ReopenRequested, RetryPressed
from app.core.events.heard import Event, MessageDeleted, MessageEdited
from app.core.events.internal import ChannelLost, EventParked, TurnEnded, TurnTakenUp
from app.core.machine import apply
from app.core.state.question import Origin
from app.core.state.status import Status, TurnState
from app.core.turns import scheduled_run, takeover
from tests.unit.core.drawn import CALLS, DISTURBING, ENDINGS, FAILURES, MANNERS, PEOPLE, SAYINGS
from tests.unit.core.live import Live
from tests.unit.core.living import LivingThread
from tests.unit.core.threads import OWNER, THREAD


class History(LivingThread[Live]):
    """A free thread."""

    lasting = (RunTurn,)

    def __init__(self) -> None:
        super().__init__(Live(slow=True))
        self.waiting: set[int] = set()
        """Kept here from the events alone: what wants an answer and no turn has taken up."""
        self.erased: set[str] = set()
        self._quoted: set[int] = set()
        """Messages whose words are on a card as the answer to a question."""

    @property
    def rows(self) -> dict[int, Message]:
        return self.live.rows

    def transcript(self) -> list[Message]:
        return self.live.transcript

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        if not super().happens(event, cause, **found):
            return False
        if self.now.planned > self.before.head:
            self.waiting.add(self.now.planned)
        if self.now.status is Status.ARCHIVED:
            self.waiting.clear()
        if self.now.turn and (self.before.turn is None or self.now.turn.id != self.before.turn.id):
            self.turn_began(event)
            self.waiting -= set(range(self.now.turn.reply))
        if self.before.run is TurnState.AWAITING and self.now.run is TurnState.STREAMING and self._is_same_turn():
            self.turn_goes_on()
        return True

    def _is_same_turn(self) -> bool:
        return bool(self.before.turn and self.now.turn and self.now.turn.id == self.before.turn.id)

    def turn_began(self, event: Event) -> None:
        """Called when an event has begun a turn, before its messages count as taken up."""

    def people_wrote(self) -> list[Message]:
        return [row for row in self.transcript() if row.role is Role.PERSON and row.ts]

    def _acts(self, kind: type[Any], user: str, **values: Any) -> bool:
        event = self.live.event(kind, user, **values)
        return self.happens(event)

    def _ends(self, kind: type[Any], user: str) -> None:
        """An act that may end the turn under way, which the session then cuts."""
        event = self.live.event(kind, user)
        if apply.ends_turn(self.now, event, self.live.facts(event)):
            closed = replace(self.live.reply, text=self.words(), status=MessageStatus.CANCELLED)
            self.live.finds(event, closed_reply=closed)
        if self.happens(event) and kind is EraseConfirmed:
            self.waiting.clear()

    @rule(
        user=PEOPLE,
        manner=MANNERS,
        saying=st.one_of(st.none(), st.none(), SAYINGS),
        idle=st.booleans(),
        late=st.sampled_from([0, 0, 0, 90]),
    )
    def post(self, user: str, manner: tuple[bool, bool], saying: str | None, idle: bool, late: int = 0) -> None:
        """Somebody writes; `late` is after how many seconds that reaches us."""
        opens, addressed = manner
        seq, asked = self.now.head + 1, self.now.question
        text, name = saying or self.words(), "" if user == OWNER else "Ann"
        if user == OWNER and addressed:
            self.waiting.add(seq)
        event = self.live.message(text, user, opens=opens, addressed=addressed, author=Author(name=name), was_idle=idle)
        if late:
            event = replace(event, ts=f"{float(event.ts) - late:.6f}")
        if not self.happens(event):
            self.waiting.discard(seq)
        elif asked and asked.origin is Origin.PERMISSION:
            if asked == self.now.question and seq not in self.now.asked:  # a yes is no click, and wants no answer
                self.waiting.discard(seq)
        elif scheduled_run.is_asked(self.before) and self.now.question is None:  # it answers us, and not the model
            self.waiting.discard(seq)
        elif asked != self.now.question:
            self._quoted.add(seq)

    @precondition(lambda self: self.people_wrote())
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.people_wrote()))
        here: dict[str, Any] = {"receipt": self.words(), "thread": THREAD, "ts": row.ts, "at": self.live.ts}
        event = MessageEdited(**here, user=row.author, text=self.words())
        self.happens(event)

    @precondition(lambda self: self.people_wrote())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.people_wrote()))
        versions = tuple(each for each in self.transcript() if each.ts == row.ts)
        self.waiting.discard(row.seq)
        self.erased |= {each.text for each in versions if "word" in each.text and each.seq not in self._quoted}
        here: dict[str, Any] = {"receipt": self.words(), "thread": THREAD, "ts": row.ts, "at": self.live.ts}
        self.happens(MessageDeleted(**here), here["receipt"])

    @precondition(lambda self: self.rows)
    @rule(user=PEOPLE, data=st.data(), kind=st.sampled_from([RetryPressed, ContinuePressed]))
    def press(self, user: str, data: st.DataObject, kind: type[Any]) -> None:
        replies = [row for row in self.transcript() if row.role is Role.ASSISTANT][-3:]
        if replies:
            row = data.draw(st.sampled_from(replies))
            self._acts(kind, user, reply=row.seq)

    @rule(user=PEOPLE, value=st.sampled_from(["0", "1", "2", "3", "yes", "no", "eleven"]), late=st.booleans())
    def click(self, user: str, value: str, late: bool) -> None:
        cards = [row.seq for row in self.transcript() if row.role is Role.CARD]
        event = self.live.click(value, user, card=cards[0] if late and cards else 0)
        seq, is_for_us = self.now.head + 1, self.now.run is TurnState.AWAITING or scheduled_run.is_asked(self.now)
        self.waiting |= set() if is_for_us else {seq}
        if not self.happens(event):
            self.waiting.discard(seq)

    @precondition(lambda self: self.now.status is not Status.ARCHIVED)
    @rule(user=PEOPLE, act=st.sampled_from(DISTURBING))
    def disturb(self, user: str, act: type[Any] | str) -> None:
        """What does not happen in every conversation, all in one rule so that it does not happen all the time."""
        if act == "park":
            self._park()
        elif act == "die":
            self.die()
        elif isinstance(act, str):
            self._acts(HelpRequested, user, word=act)
        else:
            self._ends(act, user)

    @precondition(lambda self: self.now.status is Status.ARCHIVED)
    @rule(user=PEOPLE)
    def reopen(self, user: str) -> None:
        self._ends(ReopenRequested, user)

    @rule(minutes=st.sampled_from([0, 9, 11, 60, 24 * 60]))
    def look_at_the_calendar(self, minutes: int) -> None:
        self.live.wait(minutes)
        quiet = self.live.quiet()
        self.happens(quiet)
        due = self.live.due()
        self.happens(due)

    @precondition(lambda self: self.now.run is TurnState.IDLE)
    @rule(calls=CALLS)
    def talk(self, calls: tuple[Call, ...]) -> None:
        """The owner says something, and all goes well."""
        self.post(OWNER, (True, True), None, idle=False)
        if self.now.turn:
            self.end_turn(MessageStatus.COMPLETE, calls, says=True)

    @precondition(lambda self: self.now.run is TurnState.STREAMING)
    @rule(status=ENDINGS, calls=CALLS, says=st.booleans(), failure=FAILURES)
    def end_turn(
        self, status: MessageStatus, calls: tuple[Call, ...], says: bool, failure: FailureKind = FailureKind.CUT
    ) -> None:
        assert self.now.turn
        signature = self.words()
        text = signature if says or not calls else ""
        ended = replace(
            self.live.reply,
            text=text,
            status=status,
            acted=self.live.reply.acted or bool(calls),
            calls=(*self.live.reply.calls, *calls),
            content=json.dumps([*self.closed_round(), *_content(text, signature, calls)]),
            failure=failure.value if status is MessageStatus.FAILED else "",
        )
        self.live.seconds += 1
        turn = self.now.turn.id
        self.happens(TurnEnded(turn=turn, reply=ended, at=self.live.ts), turn)

    def said(self) -> list[dict[str, Any]]:
        """What the turn under way has said, its open round without results."""
        return json.loads(self.live.reply.content) if self.now.turn and self.now.turn.uses else []

    def closed_round(self) -> list[dict[str, Any]]:
        """What the turn under way has said, with what came of the tools of its open round."""
        uses = self.now.turn.uses if self.now.turn else ()
        results = [replace(each, result="ok").block() for each in uses]
        return [*self.said(), {"role": "user", "content": results}] if results else []

    def die(self) -> None:
        """The process dies, and another one takes over."""
        self.live.now = replace(self.now, fence=self.now.fence + 1)
        if self.now.turn is None or self.now.run is not TurnState.STREAMING:
            return
        turn, closed = self.now.turn, takeover.close_after_crash(self.now, self.live.reply)
        if closed and takeover.can_resume_after_crash(self.now, self.live.reply, self.live.ts, ()):
            self.happens(TurnTakenUp(turn=turn.id, reply=self.live.reply), turn.id)
            self.turn_goes_on()
        elif closed:
            self.happens(TurnEnded(turn=turn.id, reply=closed, at=self.live.ts), turn.id)
        else:
            self.turn_goes_on()

    def turn_goes_on(self) -> None:
        """Called when a turn that was begun before is run again, or goes on after it has waited."""

    def _park(self) -> None:
        reply = self.live.reply if self.now.turn else None
        self.happens(EventParked(reference="tw-1", at=self.live.ts, reply=reply), self.words())

    @precondition(lambda self: any(isinstance(effect, FinishReply | ShowCard) for effect in self.now.effects))
    @rule()
    def lose_place(self) -> None:
        """Slack takes the first thing that is to be said no more, where the thread is."""
        effect = next(effect for effect in self.now.effects if isinstance(effect, FinishReply | ShowCard))
        lost = ChannelLost(effect=effect.id, at=self.live.ts)
        self.happens(lost, self.words())
        speech = [effect for effect in self.now.effects if isinstance(effect, FinishReply | ShowCard)]
        assert not speech
        assert effect.kind in {each.kind for each in self.now.unsaid}


def _content(text: str, signature: str, calls: tuple[Call, ...]) -> list[dict[str, Any]]:
    """What the model made of a turn: a round for each call, and words at its end unless that was a question."""
    said: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": "", "signature": signature}, *said]
    messages: list[dict[str, Any]] = []
    for place, call in enumerate(calls):
        id_ = f"{signature}{place}"
        use: dict[str, Any] = {"type": "tool_use", "id": id_, "name": call.call, "input": {}}
        messages.append({"role": "assistant", "content": [*blocks, use]})
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "ok"}]})
        blocks = [{"type": "text", "text": f"{signature}after"}]
    if not any(isinstance(call, AskPerson) for call in calls):
        messages.append({"role": "assistant", "content": blocks})
    return messages
