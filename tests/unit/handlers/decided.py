"""The worked example as a decision in a store: its hub, and what was approved of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.state.decision import ComponentStatus, Decision, DecisionStep
from app.core.state.status import Kind
from app.decision.playbook.playbook import load_proact
from app.ports.store import Store
from tests.unit.decision.report.dossiers import version_of
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk

QUESTION = "How do we cover no-heat calls?"
ALL = tuple(step.key for step in load_proact().steps())


def step(key: str, approved: tuple[str, ...]) -> DecisionStep:
    """A step, complete if it is one of these."""
    begun = next(each for each in load_proact().steps() if each.key == key)
    if key not in approved:
        return begun
    return replace(begun, status=ComponentStatus.COMPLETE, version=1, based_on={})


def hub(number: int = 1, *approved: str, **more: Any) -> Conversation:
    """The thread of a decision of Maya's, in which these steps are approved."""
    question = more.pop("question", QUESTION)
    decision = Decision(question=question, steps=tuple(step(key, approved) for key in ALL), deadline="2026-12-18")
    return talk(number, question, kind=Kind.DECISION, decision=decision, **more)


def changed(now: Conversation, key: str, **state: Any) -> Conversation:
    """The same hub, with another state of one step."""
    assert now.decision is not None
    step = now.decision.step(key)
    assert step is not None
    return replace(now, decision=now.decision.replace_step(replace(step, **state)))


async def keep(store: Store, now: Conversation, *keys: str, number: int = 1, by: str = MAYA, **based_on: int) -> None:
    """Keep the example's results of these steps, made with these versions, in a decision that is in the store."""
    for key in keys:
        led = talk(60 + ALL.index(key))
        led = await store.conversations.find(led.thread) or await placed(store, led)
        version = replace(version_of(key, number), decision=now.thread, approved_by=by, based_on=based_on)
        await store.versions.keep(led, version)
