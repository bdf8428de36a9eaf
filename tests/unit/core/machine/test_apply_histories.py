"""What holds of the machine after any history at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from app.core.conversation.audit import AuditType
from app.core.conversation.call import Call
from app.core.conversation.card import FiledCard, PermissionCard, QuestionCard, ScheduleCard
from app.core.conversation.conversation import Conversation, MessageStatus
from app.core.conversation.effect import Erase, FinishReply, PostEphemeral, React, RunTurn
from app.core.events.acts import ContinuePressed, RetryPressed
from app.core.events.heard import Event, MessagePosted
from app.core.events.internal import EpochStarted, TurnEnded
from app.core.reactions.messages import LOCKED
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UseState
from tests.unit.core.live import AT_ONCE, DAILY
from tests.unit.core.threads import OWNER
from tests.unit.core.tool_histories import ToolHistory


class MachineHistory(ToolHistory):
    @precondition(lambda self: self.now.run is TurnState.STREAMING)
    @precondition(lambda self: self.now.turn and self.now.turn.reply > self.now.since + 1)
    @rule(data=st.data())
    def summarise(self, data: st.DataObject) -> None:
        """Begin an epoch whose summary quotes every message that it stands for."""
        turn = self.now.turn
        assert turn
        since = data.draw(st.integers(self.now.since + 1, turn.reply - 1))
        quotes = "; ".join(row.text for row in self.people_wrote() if row.seq <= since)
        self.happens(EpochStarted(since=since, summary=quotes), turn.id)
        assert (self.now.since, self.now.summary) == (since, quotes)

    @precondition(lambda self: self.now.run is TurnState.IDLE and self.now.schedule is None)
    @rule(plan=st.sampled_from([DAILY, DAILY, AT_ONCE]))
    def plan(self, plan: Call) -> None:
        """The owner has something done regularly, or soon."""
        self.talk((plan,))

    @precondition(lambda self: self.now.schedule)
    @rule()
    def come_to_the_day_of_a_run(self) -> None:
        self.look_at_the_calendar(24 * 60)

    @precondition(lambda self: self.now.turn)
    @rule(status=st.sampled_from(MessageStatus))
    def end_a_turn_that_is_long_over(self, status: MessageStatus) -> None:
        assert self.now.turn
        reply = self.rows[self.now.turn.reply]
        assert not self.happens(TurnEnded(turn="0.0", reply=reply, at=self.live.ts), "0.0")
        assert self.made.conversation == self.before
        assert [event.reason for event in self.made.audit] == ["STALE_RUN"]

    def turn_began(self, event: Event) -> None:
        assert self.now.planned not in self.waiting or self.waiting == {self.now.planned}, "a run answers nobody"
        retried = isinstance(event, (RetryPressed, ContinuePressed)) and event.user == OWNER
        assert self.waiting or retried, "nobody had asked"
        assert not isinstance(event, MessagePosted) or event.user == OWNER

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        stepped = super().happens(event, cause, **found)
        asked_for = self.now.effects[len(self.before.effects) :]
        if not stepped:
            assert self.made.messages == ()
        elif isinstance(event, TurnEnded):
            finishing = [
                e.reply for e in self.now.effects if isinstance(e, FinishReply) and e not in self.before.effects
            ]
            assert finishing == [event.reply.seq]
            assert self.rows[event.reply.seq].text == event.reply.text
        elif isinstance(event, MessagePosted) and event.user != OWNER:
            assert [type(effect) for effect in asked_for] == ([PostEphemeral, React] if event.opens else [])
            assert all(e.user == event.user for e in asked_for if isinstance(e, PostEphemeral))
            assert all((e.ts, e.name) == (event.ts, LOCKED) for e in asked_for if isinstance(e, React))
        return stepped

    @invariant()
    def no_unanswered_message_is_left_idle(self) -> None:
        assert self.now.run is not TurnState.IDLE or not self.waiting

    @invariant()
    def the_state_knows_who_waits(self) -> None:
        assert set(self.now.asked) == self.waiting

    @invariant()
    def there_is_one_turn_until_it_ends_and_none_at_rest(self) -> None:
        turns = [effect.turn for effect in self.now.effects if isinstance(effect, RunTurn)]
        assert turns == ([self.now.turn.id] if self.now.turn and self.now.run is TurnState.STREAMING else [])
        assert (self.now.turn is None) == (self.now.run is TurnState.IDLE)

    @invariant()
    def the_reply_of_a_turn_has_its_row(self) -> None:
        open_ = (MessageStatus.STREAMING, MessageStatus.HELD)
        streaming = [row.seq for row in self.rows.values() if row.status in open_]
        assert streaming == ([self.now.turn.reply] if self.now.turn else [])

    @invariant()
    def a_run_is_under_way_or_due_only_while_something_is_planned(self) -> None:
        goes_on = self.now.run is TurnState.STREAMING or self.now.question
        assert not self.now.planned or (self.now.schedule and goes_on)
        assert bool(self.now.schedule) == bool(self.now.next_run)

    @invariant()
    def a_run_that_is_due_begins_as_soon_as_nobody_waits_and_is_never_lost(self) -> None:
        was, now = self.before, self.made.conversation
        assert not now.work.due_by or now.run is TurnState.STREAMING or now.question
        if was.work.due_by and not now.work.due_by:
            has_begun = now.planned > was.head
            plans = [seq for seq in now.cards if isinstance(self.rows[seq].card, ScheduleCard)]
            is_replaced = not plans or plans[0] not in was.cards
            is_planned_anew = was.status is Status.WAITING_INPUT and now.next_run != was.next_run
            assert has_begun or is_replaced or is_planned_anew

    @invariant()
    def the_open_cards_are_those_of_what_is_open(self) -> None:
        opened = {row.seq for row in self.rows.values() if row.status is MessageStatus.OPEN}
        assert set(self.now.cards) == opened
        assert len(self.now.cards) == len(opened)
        kinds = [type(self.rows[seq].card) for seq in self.now.cards]
        permits = self.now.run is TurnState.AWAITING
        assert kinds.count(QuestionCard) == int(self.now.question is not None and not permits)
        assert kinds.count(PermissionCard) == int(permits)
        assert kinds.count(ScheduleCard) == int(self.now.schedule is not None)
        is_erased = any(isinstance(each, Erase) for each in self.now.effects)
        assert kinds.count(FiledCard) == int(self.now.status is Status.ARCHIVED and not is_erased)
        assert set(kinds) <= {QuestionCard, PermissionCard, ScheduleCard, FiledCard}

    @invariant()
    def a_card_shows_what_is_so(self) -> None:
        for seq in self.now.cards:
            card = self.rows[seq].card
            if isinstance(card, QuestionCard):
                assert card.question == self.now.question
            if isinstance(card, PermissionCard):
                assert (card.question, card.decision, card.withdrawn) == (self.now.question, None, False)
                assert self.now.turn
                assert [use for use in self.now.turn.uses if use.state is UseState.ASKED] == [card.use]
            if isinstance(card, ScheduleCard):
                shown = (card.schedule, card.next_run, card.paused)
                assert shown == (self.now.schedule, self.now.next_run, self.now.question is not None)

    @invariant()
    def a_message_is_marked_as_waiting_only_while_an_answer_is_given(self) -> None:
        assert not self.now.queued or self.now.run is not TurnState.IDLE

    @invariant()
    def every_tool_use_that_is_kept_has_one_result_in_the_message_after_it(self) -> None:
        kept = (MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED)
        for row in self.rows.values():
            said: list[dict[str, Any]] = json.loads(row.content or "[]") if row.status in kept else []
            nothing: dict[str, Any] = {"content": []}
            for message, then in pairwise([*said, nothing]):
                used = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
                results = [block["tool_use_id"] for block in then["content"] if block["type"] == "tool_result"]
                assert results == used

    @invariant()
    def each_change_of_state_is_in_the_trail_once(self) -> None:
        self._is_told(AuditType.STATE_TRANSITION, [run.value for run in TurnState], lambda now: now.run.value)
        self._is_told(AuditType.STATUS_TRANSITION, list(Status), lambda now: now.status.value)
        self._is_told(AuditType.GOAL_TRANSITION, None, lambda now: now.goals.phase.value)
        told = [event for event in self.made.audit if event.type is AuditType.SCHEDULE_CHANGED]
        assert len(told) == int(self.before.schedule != self.made.conversation.schedule)

    def _is_told(self, type_: AuditType, states: list[str] | None, dimension: Callable[[Conversation], str]) -> None:
        changes = [e for e in self.made.audit if e.type is type_ and (states is None or e.after in states)]
        state = dimension(self.before)
        for change in changes:
            assert change.before == state
            state = change.after
        assert state == dimension(self.made.conversation)

    @invariant()
    def what_a_turn_came_to_and_what_was_decided_is_in_the_trail_once(self) -> None:
        was, now = self.before.turn, self.made.conversation.turn
        told = [event for event in self.made.audit if event.type is AuditType.RUN_FINISHED]
        assert len(told) == int(was is not None and (now is None or now.id != was.id))
        cards = [row.card for row in self.made.messages if isinstance(row.card, PermissionCard)]
        decided = [event.after for event in self.made.audit if event.type is AuditType.PERMISSION_DECISION]
        assert decided == [card.decision for card in cards if card.decision]

    @invariant()
    def counters_only_grow(self) -> None:
        for count in ("head", "answered", "since", "plain"):
            assert getattr(self.now, count) >= getattr(self.before, count)
        assert self.now.goals.turns >= self.before.goals.turns
        ended = self.before.goals.completed  # of one whose words were taken back another description
        kept = self.now.goals.completed[: len(ended)]
        assert [(goal.id, goal.status) for goal in kept] == [(goal.id, goal.status) for goal in ended]

    @invariant()
    def deleted_words_are_nowhere_any_more(self) -> None:
        written = repr((self.now, self.rows))
        assert not [text for text in self.erased if text in written]


class TestMachineHistory(MachineHistory.TestCase):
    settings = settings(stateful_step_count=40)
