"""A step of Maya's decision, and its windows as somebody presses through them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation, Transition
from app.core.state.interview import Interview, PreparedStep
from app.core.state.sheet import Sheet
from app.core.state.status import Kind
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.paths import Draft
from handlers.inbound.gate import build_app
from handlers.inbound.listener_context import StepReader
from handlers.inbound.surfaces import on_edit
from handlers.slack import action_ids
from handlers.views.editing.window_state import WindowCommand, write_window_command
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example
from tests.unit.decision.sheets.walls import laid
from tests.unit.handlers.editing.windows import state, taken
from tests.unit.handlers.front import Front, Json, interaction, pressed_below, pressed_in
from tests.unit.handlers.payloads import MAYA, TEAM
from tests.unit.handlers.talks import talk

BELOW = "V0BELOW01"


class FixedSteps:
    """Implements `handlers.inbound.listener_context.StepReader`: the example's results."""

    def __init__(self) -> None:
        self.installed = set(KEYS)

    def knows(self, key: str) -> bool:
        return key in self.installed

    async def so_far(self, now: Conversation) -> DecisionRecord:
        assert now.interview is not None
        return before(now.interview.component)

    async def lay_out(self, now: Conversation) -> Sheet | None:
        assert now.interview is not None
        return laid(now.interview.component, {})


def step(key: str = "objectives", draft: Draft | None = None, **more: Any) -> Conversation:
    """A step of Maya's decision, with the example's draft or another one."""
    component: Component = PLAYBOOK[key]
    prepared = PreparedStep(
        title=component.title,
        opening=component.opening,
        confirm_question=component.confirm_question,
        approve="Approve",
        prompt_version="1",
        schema_version="1.0",
        max_turns=10,
    )
    hub = replace(talk(9).thread, root="1770000001.000100")
    held = example(key) if draft is None else draft
    interview = Interview(decision=hub, component=key, prepared=prepared, draft=held, edition=4)
    return talk(1, kind=Kind.COMPONENT, interview=more.pop("interview", interview), **more)


async def front_of(now: Conversation) -> Front:
    return await front_with(FixedSteps(), now)


async def front_with(steps: StepReader, now: Conversation) -> Front:
    front = Front()
    front.context = replace(front.context, steps=steps)
    front.app = build_app(front.context, "secret")
    on_edit.listen(front.app, front.context)
    await front.has(now)
    return front


def pressed(now: Conversation, action: str = action_ids.EDIT, user: str = MAYA) -> Json:
    """*Edit…* or *Rate…* below the card."""
    body = pressed_below(now.thread.channel, action, user, now.thread.root)
    body["message"]["thread_ts"] = now.thread.root
    return body


async def opened(front: Front, now: Conversation, action: str = action_ids.EDIT) -> Json:
    await front.sends(pressed(now, action))
    return taken(front.window)


def click(view: Json, order: WindowCommand, path: str, user: str = MAYA) -> Json:
    return pressed_in(view, action_ids.EDITING_BUTTON, user, write_window_command(order, path))


async def form(front: Front, view: Json, order: WindowCommand, path: str) -> Json:
    await front.sends(click(view, order, path))
    return taken(front.made("views.push")[-1]["view"])


def filled(view: Json, user: str = MAYA, **changed: Json) -> Json:
    """A form that somebody sends."""
    held = {"id": "V0FORM001", "hash": "1.abc", "previous_view_id": BELOW, **state(view, **changed)}
    return interaction("view_submission", user, view=held)


def shown(front: Front) -> Json:
    """What the window was made last."""
    return taken(front.made("views.update")[-1]["view"])


async def saved(front: Front, now: Conversation, draft: Draft, edition: int) -> None:
    """Let what was taken in become what is stored."""
    assert now.interview is not None
    [claimed] = await front.store.conversations.claim_some(TEAM, "maker", 60, (), 1)
    stub = claimed.conversation
    held = replace(now, id=stub.id, fence=stub.fence, version=stub.version)
    held = replace(held, interview=replace(now.interview, draft=draft, edition=edition))
    await front.store.conversations.release(await front.store.conversations.save(Transition(conversation=held)))
