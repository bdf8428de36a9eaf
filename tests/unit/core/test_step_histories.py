"""What holds of the threads of a step and of its decision after any history at all, in any order and told twice."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule
from pydantic import TypeAdapter

from app.core.conversation.audit import AuditType
from app.core.conversation.card import FiledCard, HubCard, NextCard, QuestionCard, ReviewCard, StepCard, StepState
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.conversation.effect import Erase, OpenStep, RunTurn, SaveVersion, SendNotice
from app.core.conversation.news import StepEvent, StepMove, UpstreamChange
from app.core.events.acts import ArchiveRequested, DecisionClosed, EraseConfirmed, OwnershipTransferred, ReopenRequested
from app.core.events.heard import Event
from app.core.state.decision import ComponentStatus, DecisionStep
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle, can_generate_response
from app.core.state.status import Status, TurnState
from tests.unit.core.hubs import STEPS, HubThread, move
from tests.unit.core.interviews import news
from tests.unit.core.living import LivingThread
from tests.unit.core.step_histories import StepHistory
from tests.unit.core.threads import OTHER, OWNER

OBJECTIVES = DecisionStep(key="objectives", title="Objectives")
STATES, ROWS = TypeAdapter(Conversation), TypeAdapter(tuple[Message, ...])


class WatchedStep(StepHistory):
    def __init__(self) -> None:
        super().__init__()
        self.hub = HubThread(steps=(OBJECTIVES,))
        self.heard: set[str] = set()

    def teardown(self) -> None:
        """What is kept is read back as it was."""
        assert STATES.validate_json(STATES.dump_json(self.now)) == self.now
        rows = tuple(self.live.rows.values())
        assert ROWS.validate_json(ROWS.dump_json(rows)) == rows

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        happened = super().happens(event, cause, **found)
        for tell in self.now.effects:
            if isinstance(tell, SendNotice) and isinstance(tell.news, StepMove) and tell.id not in self.heard:
                self.heard.add(tell.id)
                self.hub.apply(news(self.hub, tell.news), tell.id)
        if not happened:
            assert self.made.messages == ()
        return happened

    @invariant()
    def somebody_is_answered_or_nobody_waits(self) -> None:
        busy = self.now.run is TurnState.STREAMING
        assert busy or not (self.now.asked or self.now.queued)
        assert busy or self.now.phase is not Phase.EXTRACT or self.now.lifecycle is Lifecycle.COMPLETE

    @invariant()
    def what_is_finished_or_archived_wants_no_answer(self) -> None:
        if self.now.status is Status.ARCHIVED or self.now.lifecycle is Lifecycle.COMPLETE:
            assert (self.now.asked, self.now.queued) == ((), ())
        if self.now.turn and self.now.turn != self.before.turn:
            assert can_generate_response(self.now.lifecycle)

    @invariant()
    def there_is_one_turn_while_streaming_and_none_at_rest(self) -> None:
        turns = [effect.turn for effect in self.now.effects if isinstance(effect, RunTurn)]
        assert turns == ([self.now.turn.id] if self.now.turn else [])
        assert (self.now.turn is not None) == (self.now.run is TurnState.STREAMING)
        streaming = [row.seq for row in self.live.rows.values() if row.status is MessageStatus.STREAMING]
        assert streaming == ([self.now.turn.reply] if self.now.turn else [])

    @invariant()
    def an_extraction_is_what_runs_in_extract(self) -> None:
        if self.now.turn and self.now.interview:
            is_extraction = self.live.reply.stage is not Stage.NONE
            assert is_extraction == (self.now.phase is Phase.EXTRACT)

    @invariant()
    def the_open_cards_are_those_of_what_is_open(self) -> None:
        opened = [row.seq for row in self.live.rows.values() if row.status is MessageStatus.OPEN]
        assert sorted(self.now.cards) == sorted(opened)
        cards = [self.live.rows[seq].card for seq in self.now.cards]
        standing = [each for each in cards if isinstance(each, StepCard) and each.state is StepState.APPROVED]
        assert [each.version for each in standing] in ([], [self.now.approved]), "until a later version replaces it"
        kinds = [type(each) for each in cards if each not in standing]
        assert kinds.count(QuestionCard) + kinds.count(StepCard) == int(self.now.question is not None)
        assert kinds.count(FiledCard) == int(self.now.status is Status.ARCHIVED and not self.erasing)
        assert kinds.count(ReviewCard) <= int(self.now.lifecycle is Lifecycle.COMPLETE)
        assert kinds.count(NextCard) <= int(self.now.approved > 0)
        assert set(kinds) <= {QuestionCard, StepCard, FiledCard, ReviewCard, NextCard}

    @invariant()
    def the_card_that_waits_shows_the_draft_that_is_approved(self) -> None:
        asked = self.now.question
        card = self.live.rows[asked.card].card if asked else None
        if isinstance(card, StepCard):
            lead = self.live.lead
            assert lead.drafted
            shown = (card.question, card.owner, card.edition, card.sheet, card.missing)
            assert shown == (asked, self.now.owner, lead.edition, lead.drafted.sheet, lead.drafted.missing)
            assert lead.draft == lead.drafted.draft
        waits = self.now.lifecycle is Lifecycle.CONFIRMED and self.now.status is not Status.ARCHIVED
        assert isinstance(card, StepCard) == (waits and not self.erasing)

    @invariant()
    def a_version_is_kept_of_each_approval_and_of_nothing_else(self) -> None:
        kept = [effect for effect in self.now.effects if isinstance(effect, SaveVersion)]
        new = [effect for effect in kept if effect not in self.before.effects]
        assert [effect.version for effect in new] == list(range(self.before.approved + 1, self.now.approved + 1))
        for effect in new:
            assert json.loads(self.live.rows[effect.row].data) == self.live.lead.draft
            assert self.live.lead.drafted
            assert self.live.lead.drafted.missing == ()

    @invariant()
    def no_draft_is_ever_lost(self) -> None:
        if self.before.interview and self.now.interview:
            assert self.now.interview.draft or not self.before.interview.draft
            assert self.now.interview.edition >= self.before.interview.edition
            changed = self.now.interview.draft != self.before.interview.draft
            assert not changed or self.now.interview.edition > self.before.interview.edition

    @invariant()
    def the_decision_knows_how_its_step_stands(self) -> None:
        if not self.now.interview or self.erasing:
            return
        step = self.hub.step("objectives")
        is_asked = self.now.question is not None and isinstance(self.live.rows[self.now.question.card].card, StepCard)
        assert step.waits == is_asked
        assert step.version == self.now.approved
        assert (step.status is ComponentStatus.COMPLETE) == (self.now.lifecycle is Lifecycle.COMPLETE)

    @invariant()
    def each_hop_is_in_the_trail_and_nothing_that_anybody_wrote(self) -> None:
        after = self.made.conversation
        state = self.before.phase.value if self.before.phase else ""
        for hop in (event for event in self.made.audit if event.type is AuditType.PHASE_TRANSITION):
            assert hop.before == state
            state = hop.after
        assert state == (after.phase.value if after.phase else "")
        told = repr(self.made.audit)
        assert "word-" not in told.replace("correlation='word-", "")
        assert "Faster response" not in told

    @property
    def erasing(self) -> bool:
        return any(isinstance(effect, Erase) for effect in self.now.effects)


class TestStepHistory(WatchedStep.TestCase):
    settings = settings(stateful_step_count=40)


KEYS = st.sampled_from([step.key for step in STEPS])


class DecisionHistory(LivingThread[HubThread]):
    def __init__(self) -> None:
        super().__init__(HubThread(slow=True))

    def teardown(self) -> None:
        """What is kept is read back as it was."""
        assert STATES.validate_json(STATES.dump_json(self.now)) == self.now

    @rule(key=KEYS)
    def open(self, key: str) -> None:
        """The thread of a step begins, if it may."""
        self.happens(self.live.requesting(key))
        if any(isinstance(effect, OpenStep) and effect.component == key for effect in self.now.effects):
            self.happens(news(self.live, move(key, StepEvent.STARTED)))

    @rule(key=KEYS, on=st.sampled_from(StepEvent), version=st.integers(1, 4), ground=st.integers(0, 4))
    def hear(self, key: str, on: StepEvent, version: int, ground: int) -> None:
        based_on = {step.key: ground for step in STEPS if key in step.concerns}
        self.happens(news(self.live, move(key, on, version=version, based_on=based_on)))

    @rule(kind=st.sampled_from([DecisionClosed, ArchiveRequested, ReopenRequested]), reopened=st.booleans())
    def act(self, kind: type[Event], reopened: bool) -> None:
        more = {"reopened": reopened} if kind is DecisionClosed else {}
        self.happens(self.live.event(kind, self.now.owner, **more))

    @rule(to=st.sampled_from([OWNER, OTHER]), user=st.sampled_from([OWNER, OTHER]))
    def hand_over(self, to: str, user: str) -> None:
        self.happens(self.live.event(OwnershipTransferred, user, to=to))

    @rule(user=st.sampled_from([OWNER, OTHER]), opens=st.booleans())
    def write(self, user: str, opens: bool) -> None:
        self.happens(self.live.message("Well", user, opens=opens))

    @rule(really=st.integers(0, 20))
    def forget(self, really: int) -> None:
        if not really:
            self.happens(self.live.event(EraseConfirmed, self.now.owner))

    @invariant()
    def nobody_is_interviewed(self) -> None:
        assert (self.now.run, self.now.turn, self.now.asked) == (TurnState.IDLE, None, ())
        assert not [effect for effect in self.now.effects if isinstance(effect, RunTurn)]

    @invariant()
    def the_hub_shows_what_is_so(self) -> None:
        assert self.live.hub == HubCard(decision=self.live.decision, owner=self.now.owner)
        opened = [row.seq for row in self.live.rows.values() if row.status is MessageStatus.OPEN]
        assert sorted(self.now.cards) == sorted(opened)

    @invariant()
    def a_step_has_a_thread_exactly_when_it_has_begun(self) -> None:
        for step in self.live.decision.steps:
            assert (step.thread is None) == (step.status is ComponentStatus.NOT_STARTED)

    @invariant()
    def no_finished_step_stands_on_an_old_version(self) -> None:
        for ground in self.live.decision.steps:
            for step in self.live.decision.steps:
                builds = step.key in ground.concerns and step.status is ComponentStatus.COMPLETE
                assert not builds or step.based_on.get(ground.key, 0) >= ground.version

    @invariant()
    def whoever_is_told_of_a_change_has_begun(self) -> None:
        begun = {step.thread for step in self.live.decision.steps if step.thread}
        told = [
            effect
            for effect in self.now.effects
            if isinstance(effect, SendNotice) and effect not in self.before.effects
        ]
        assert {effect.thread for effect in told if isinstance(effect.news, UpstreamChange)} <= begun

    @invariant()
    def each_change_of_a_step_is_in_the_trail(self) -> None:
        after = self.live.made.conversation.decision
        assert self.before.decision
        assert after
        for was, is_ in zip(self.before.decision.steps, after.steps, strict=True):
            state = was.status
            for hop in self.live.made.audit:
                if hop.type is AuditType.COMPONENT_TRANSITION and hop.reason == was.key:
                    assert hop.before == state
                    state = ComponentStatus(hop.after)
            assert state is is_.status


class TestDecisionHistory(DecisionHistory.TestCase):
    settings = settings(stateful_step_count=30)
