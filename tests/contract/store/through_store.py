"""A thread that lives in a store: whatever is said, clicked and called for goes through the inbox and the real machine.

Whoever holds it may die at any moment; whoever takes it over has nothing but the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.core.conversation.audit import AuditEvent
from app.core.conversation.call import Call
from app.core.conversation.conversation import MessageStatus, Role, Transition
from app.core.conversation.transition import parse_ts
from app.core.errors import LostConversation
from app.core.events.acts import HelpRequested, ReopenRequested, RetryPressed, ScheduleCancelled, StopRequested
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.machine.invariants import find_broken
from app.core.state.status import Status, TurnState
from app.ports import Acceptance
from app.ports.store import Store
from tests.contract.store.held_thread import CUTS, HeldThread
from tests.unit.core.drawn import CALLS, ENDINGS, PEOPLE, SAYINGS
from tests.unit.core.threads import OWNER, THREAD

CLICKED = st.sampled_from(["0", "1", "yes", "no", "eleven"])
DISTURBING = (*CUTS, StopRequested, ScheduleCancelled, ReopenRequested, RetryPressed, RetryPressed, HelpRequested)


class ThroughStore(HeldThread, RuleBasedStateMachine):
    """`opened` gives an empty store, `trail` what has arrived in its audit trail."""

    def __init__(
        self, opened: Callable[[], Awaitable[Store]], trail: Callable[[Store], Mapping[str, AuditEvent]]
    ) -> None:
        RuleBasedStateMachine.__init__(self)
        runner = asyncio.Runner()
        HeldThread.__init__(self, runner.run(_awaited(opened)), runner)
        self._read_trail = trail
        self.take_in(self.live.message("Hello", opens=True))

    def teardown(self) -> None:
        self.come_to_rest()
        assert set(self.applied.values()) <= {1}, "an event was applied twice, or never"
        assert self.lost() == []
        assert self._read_trail(self.store) == self.trail
        self.store.close()
        self._runner.close()

    # What happens outside

    @rule(user=PEOPLE, saying=st.one_of(st.none(), SAYINGS), addressed=st.booleans())
    def somebody_writes(self, user: str, saying: str | None, addressed: bool) -> None:
        self.take_in(self.live.message(saying or "Well", user, addressed=addressed))

    @precondition(lambda self: self.live.now.question)
    @rule(user=PEOPLE, value=CLICKED)
    def somebody_answers(self, user: str, value: str) -> None:
        self.take_in(self.live.click(value, user))

    @rule(user=PEOPLE, kind=st.sampled_from(DISTURBING))
    def somebody_presses(self, user: str, kind: type[Any]) -> None:
        replies = [row for row in self.live.transcript if row.role is Role.ASSISTANT]
        if kind is HelpRequested:
            self.take_in(self.live.event(kind, user, word="status"))
        elif kind is not RetryPressed:
            self.take_in(self.live.event(kind, user))
        elif replies:
            self.take_in(self.live.event(kind, user, reply=replies[-1].seq))

    @precondition(lambda self: self.live.now.status is Status.ARCHIVED)
    @rule(user=PEOPLE)
    def somebody_reopens(self, user: str) -> None:
        self.take_in(self.live.event(ReopenRequested, user))

    @precondition(lambda self: any(row.ts for row in self.live.transcript))
    @rule(data=st.data(), gone=st.booleans())
    def somebody_takes_it_back(self, data: st.DataObject, gone: bool) -> None:
        row = data.draw(st.sampled_from([row for row in self.live.transcript if row.ts]))
        made = self.live.event(MessageEdited, row.author, text="Better")
        deleted = MessageDeleted(receipt=made.receipt, thread=THREAD, ts=row.ts, at=made.at)
        self.take_in(deleted if gone else replace(made, ts=row.ts))

    @rule(minutes=st.sampled_from([1, 11, 24 * 60]))
    def time_passes(self, minutes: int) -> None:
        self.live.wait(minutes)
        ports, now = self.store.conversations, parse_ts(self.live.ts)
        for found in self.do(ports.due("T1", now)):
            assert found.status is Status.BACKGROUND, "only what is in the background is due"
            self.take_in(self.live.due(found.next_run))
        for found in self.do(ports.quiet_since("T1", now)):
            self.take_in(self.live.quiet(found.newest))

    @rule()
    def slack_delivers_again(self) -> None:
        for receipt in [*self.applied][-1:]:
            again = replace(self.live.message("Hello", opens=True), receipt=receipt)
            assert self.do(self.store.inbox.take_in(again)) is Acceptance.DUPLICATE

    # What the process does that holds it

    @rule()
    def an_event_is_stepped(self) -> None:
        if self.holds():
            self.step_next()

    @rule(calls=CALLS)
    def a_turn_goes_well(self, calls: tuple[Call, ...]) -> None:
        self.somebody_writes(OWNER, None, addressed=True)
        while self.holds() and self.step_next():
            pass
        if self.held and self.held.turn:
            self.end_turn(replace(self.live.reply, text="I see.", status=MessageStatus.COMPLETE, calls=calls))

    @precondition(lambda self: self.held and self.held.turn)
    @rule(status=ENDINGS, calls=CALLS)
    def the_turn_ends(self, status: MessageStatus, calls: tuple[Call, ...]) -> None:
        reply = replace(self.live.reply, text="I see.", status=status, calls=calls, acted=bool(calls))
        self.end_turn(reply)

    @precondition(lambda self: self.held and self.held.turn)
    @rule()
    def a_draft_is_shown(self) -> None:
        assert self.held
        self.do(self.store.conversations.record_draft(self.held, replace(self.live.reply, text="I", parts=("9.1",))))

    @precondition(lambda self: self.next_effect())
    @rule(dies=st.booleans())
    def a_wish_is_done(self, dies: bool) -> None:
        self.perform(dies=dies)

    @precondition(lambda self: self.held)
    @rule()
    def the_process_dies(self) -> None:
        self.die()

    @precondition(lambda self: self.ghosts and self.held)
    @rule()
    def a_dead_process_comes_back(self) -> None:
        ghost = self.ghosts.pop()
        before = self.do(self.store.conversations.find(THREAD))
        with pytest.raises(LostConversation):
            self.do(self.store.conversations.save(Transition(conversation=replace(ghost, title="by a ghost"))))
        assert self.do(self.store.conversations.find(THREAD)) == before

    @rule()
    def all_is_done(self) -> None:
        self.come_to_rest()

    # What holds after every step

    @invariant()
    def the_state_is_one_that_may_be(self) -> None:
        now = self.do(self.store.conversations.find(THREAD))
        assert now
        assert find_broken(now) == ()
        assert (now.turn is not None) is (now.run is TurnState.STREAMING)
        assert self.held is None or self.held == now

    @invariant()
    def the_transcript_has_no_gap_and_its_open_cards_are_known(self) -> None:
        now = self.live.now
        assert [row.seq for row in self.live.transcript] == list(range(1, now.head + 1))
        assert {row.seq for row in self.live.transcript if row.status is MessageStatus.OPEN} == set(now.cards)

    @invariant()
    def no_wish_is_lost(self) -> None:
        assert self.lost() == []


async def _awaited(opened: Callable[[], Awaitable[Store]]) -> Store:
    return await opened()
