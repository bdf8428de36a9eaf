"""The thread of a decision that lives: its hub, what its steps tell it and what it tells them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from app.core.conversation.card import HubCard
from app.core.conversation.conversation import Conversation
from app.core.conversation.effect import OpenStep, SendNotice, UpdateStepHead
from app.core.conversation.news import NextStepMove, StepEvent, StepMove
from app.core.events.acts import DecisionClosed, OwnershipTransferred, StepRequested
from app.core.events.heard import DecisionStarted
from app.core.state.decision import ComponentStatus, Decision, DecisionStep
from app.core.thread import ThreadKey
from tests.unit.core.interviews import news
from tests.unit.core.live import Live
from tests.unit.core.threads import OWNER, THREAD

STEPS = (
    DecisionStep(key="frame", title="Frame", concerns=("objectives", "quality", "elsewhere")),
    DecisionStep(key="objectives", title="Objectives", after="frame", concerns=("quality",)),
    DecisionStep(key="quality", title="Decision quality", after="objectives", closes=True),
    DecisionStep(key="notes", title="Notes", after="frame"),
)


class HubThread(Live):
    """The thread of a decision, begun unless it is told not to."""

    def __init__(self, *, begins: bool = True, slow: bool = False, **how: Any) -> None:
        super().__init__(Conversation(id="d1", thread=THREAD, owner=OWNER), slow=slow)
        if begins:
            event = begun(self, **how)
            self.apply(event, event.receipt)

    @property
    def decision(self) -> Decision:
        assert self.now.decision
        return self.now.decision

    @property
    def hub(self) -> HubCard:
        """The card as it is kept: it shows what is so."""
        card = self.rows[1].card
        assert isinstance(card, HubCard)
        assert card == HubCard(decision=self.decision, owner=self.now.owner)
        return card

    @property
    def tells(self) -> list[tuple[ThreadKey, Any]]:
        """What the newest event tells the steps, but for where the next step is."""
        return [each for each in self._all_told if not isinstance(each[1], NextStepMove)]

    @property
    def leads(self) -> list[tuple[ThreadKey, Any]]:
        """Which steps the newest event tells where the next one is."""
        return [(thread, told.thread) for thread, told in self._all_told if isinstance(told, NextStepMove)]

    @property
    def _all_told(self) -> list[tuple[ThreadKey, Any]]:
        return [(tell.thread, tell.news) for tell in self.new(SendNotice)]

    @property
    def renamed(self) -> list[str]:
        """The steps whose first message the newest event brings up to date."""
        return [effect.component for effect in self.new(UpdateStepHead)]

    @property
    def opens(self) -> list[str]:
        """The steps that the newest event lets begin."""
        return [effect.component for effect in self.new(OpenStep)]

    def step(self, key: str) -> DecisionStep:
        step = self.decision.step(key)
        assert step
        return step

    def stands(self, key: str) -> ComponentStatus:
        return self.step(key).status

    def requesting(self, component: str) -> StepRequested:
        return self.event(StepRequested, component=component)

    def requests(self, component: str) -> Self:
        return self.does(StepRequested, component=component)

    def hears(self, key: str, on: StepEvent, **told: Any) -> Self:
        event = news(self, move(key, on, **told))
        self.apply(event, event.receipt)
        return self

    def approved(self, key: str, version: int, **based_on: int) -> Self:
        """A step was approved, made with these versions of those before it."""
        return self.hears(key, StepEvent.APPROVED, version=version, based_on=based_on, gist=f"{key} {version}")

    def gives(self, to: str) -> Self:
        return self.does(OwnershipTransferred, to=to)

    def closing(self) -> DecisionClosed:
        return self.event(DecisionClosed)

    def closes(self, *, reopened: bool = False) -> Self:
        return self.does(DecisionClosed, reopened=reopened)


def begun(live: Live, **how: Any) -> DecisionStarted:
    """The hub of a decision was posted."""
    moment = live.event(OwnershipTransferred, to=OWNER)
    event = DecisionStarted(
        receipt=moment.receipt, thread=THREAD, at=live.ts, user=OWNER, question="How do we cover it?", steps=STEPS
    )
    return replace(event, **how)


def place(key: str) -> ThreadKey:
    """Where a step is led."""
    number = [step.key for step in STEPS].index(key)
    return replace(THREAD, root=f"1770000001.{number:06d}")


def move(key: str, on: StepEvent, **told: Any) -> StepMove:
    """What a step tells."""
    return replace(StepMove(component=key, thread=place(key), on=on), **told)


def under_way(*keys: str) -> HubThread:
    """A decision whose first steps have begun."""
    hub = HubThread()
    for key in keys or ("frame", "objectives"):
        hub.hears(key, StepEvent.STARTED)
    return hub


def all_approved() -> HubThread:
    """A decision whose steps are all approved, each with the first versions."""
    hub = under_way("frame", "objectives", "quality", "notes")
    hub.approved("frame", 1).approved("objectives", 1, frame=1).approved("quality", 1, frame=1, objectives=1)
    return hub.approved("notes", 1, frame=1)
