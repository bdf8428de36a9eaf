"""What holds of a decision's thread after any history at all, whatever its steps tell it, in any order and twice."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule
from pydantic import TypeAdapter

from app.core.conversation.audit import AuditType
from app.core.conversation.card import HubCard
from app.core.conversation.conversation import Conversation, MessageStatus
from app.core.conversation.effect import OpenStep, RunTurn, SendNotice
from app.core.conversation.news import StepEvent, UpstreamChange
from app.core.events.acts import ArchiveRequested, DecisionClosed, EraseConfirmed, OwnershipTransferred, ReopenRequested
from app.core.events.heard import Event
from app.core.state.decision import ComponentStatus
from app.core.state.status import TurnState
from tests.unit.core.hubs import STEPS, HubThread, move
from tests.unit.core.interviews import news
from tests.unit.core.living import LivingThread
from tests.unit.core.threads import OTHER, OWNER

KEYS = st.sampled_from([step.key for step in STEPS])
STATES = TypeAdapter(Conversation)


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
