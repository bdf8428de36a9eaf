"""The windows for editing a step's result and rating a column: opened, clicked in, submitted.

Each change is judged on a snapshot and then accepted as one `DraftEdited`; the state machine judges it again. A window
shows the change at once, and a click in it waits until the change is saved.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, draft_editing, texts
from app.core.events.acts import DraftEdited
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status
from app.decision.playbook.playbook import load_proact
from handlers.inbound.listener_context import Ack, AnswerFailed, Body, ListenerContext, act_on_click, await_in_time
from handlers.inbound.reading.slack_actions import Click
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids
from handlers.slack.payload import (
    Payload,
    name_submission,
    read_control,
    read_mapping,
    read_text,
    read_user,
    read_value,
)
from handlers.views.editing import edits, form, list_window, rating, window, window_state
from handlers.views.editing.edits import Edit
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import WindowCommand, WindowState
from handlers.views.kit import mrkdwn
from handlers.views.windows.forms import View

LOOKS: Final = 10
"""Number of times that a click checks whether the change before it is saved."""
PAUSE: Final = 0.15
"""Seconds between these checks: 1.5 s in all, which leaves time to answer."""
PATIENCE: Final = 20.0
"""Seconds after which a change counts as refused. The owner has been told why, and the window shows the stored
draft."""
REDRAW_SECONDS: Final = 0.5
"""Seconds for which a form stays open while the list below it is updated."""

BELOW: Mapping[str, str] = {
    action_ids.EDIT_FORM_WINDOW: action_ids.EDIT_LIST_WINDOW,
    action_ids.EDIT_MOVE_WINDOW: action_ids.EDIT_LIST_WINDOW,
    action_ids.RATE_FORM_WINDOW: action_ids.RATE_LIST_WINDOW,
}
"""The window below each form."""


@dataclass(frozen=True, slots=True)
class _EditContext:
    """A person's window, and the draft as it is stored."""

    context: ListenerContext
    subject: Subject
    now: Conversation
    user: str

    async def draw(self, callback: str, notice: str = "") -> View:
        """Return the list or the columns for this draft, drawn in an OS thread: a large table takes long."""
        return await asyncio.to_thread(self._draw, callback, notice)

    def _draw(self, callback: str, notice: str) -> View:
        build = rating.build_picker if callback == action_ids.RATE_LIST_WINDOW else window.build_list
        return build(self.subject, notice)

    def after(self, edit: Edit) -> _EditContext:
        """Return the scene as it will be once the edit is saved."""
        about = replace(self.subject.about, edition=self.subject.about.edition + 1, since=self.context.at)
        return replace(self, subject=replace(self.subject, draft=edit.draft, about=about))

    async def save(self, edit: Edit, receipt: str) -> None:
        """Accept the edit as an event."""
        event = DraftEdited(
            receipt=receipt,
            thread=self.now.thread,
            ts="",
            at=self.context.at,
            user=self.user,
            draft=edit.draft,
            edition=self.subject.about.edition,
            said=edit.said,
        )
        await self.context.intake.accept(event)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.EDIT)(partial(act_on_click, context, partial(_open_window, action_ids.EDIT_LIST_WINDOW)))
    app.action(action_ids.RATE)(partial(act_on_click, context, partial(_open_window, action_ids.RATE_LIST_WINDOW)))
    app.action(re.compile(f"^{action_ids.EDITING_PREFIX}"))(partial(_on_click, context))
    for callback in BELOW:
        app.view(callback)(partial(_on_submit, context, callback))


def explain_closed(context: ListenerContext, now: Conversation | None, user: str) -> str:
    """Return why this person cannot work on the step now; empty if they can."""
    if now is None:
        return texts.NOTHING_HERE
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    if now.status is Status.ARCHIVED:
        return texts.ARCHIVED
    if context.is_retired(now):
        return decision_steps.RETIRED
    if now.lifecycle is Lifecycle.COMPLETE:
        return decision_steps.CANNOT_REVISE
    if now.phase is Phase.EXTRACT:  # a change sent now would be refused when it is applied, and be lost
        return decision_steps.ALREADY_WORKING
    return ""


async def _explain_refusal(context: ListenerContext, now: Conversation | None, user: str, *, rates: bool) -> str:
    """Return why this person cannot edit the draft now; empty if they can. Ratings can be the first words of a step."""
    closed = explain_closed(context, now, user)
    if now is None or closed:
        return closed
    is_open = now.lifecycle in (Lifecycle.IN_PROGRESS, Lifecycle.CONFIRMED, *([Lifecycle.READY] if rates else []))
    has_draft = now.interview is not None and (rates or bool(now.interview.draft))
    if not (is_open and has_draft):
        return decision_steps.NO_EXTRACTION
    return await context.find_obstacle(user, now.thread.channel)


async def _open_window(callback: str, context: ListenerContext, click: Click, trigger: str) -> str:
    """Open the window, or return the reason against it. The value of its button is the thread's root."""
    now = await context.conversations.find(replace(click.thread, root=click.value))
    rates = callback == action_ids.RATE_LIST_WINDOW
    if refused := await _explain_refusal(context, now, click.user, rates=rates):
        return refused
    scene = await _load_scene(context, now, click.user)
    if rates and not rating.can_rate(scene.subject.so_far):
        return draft_editing.NOTHING_TO_RATE
    await context.open_window(trigger, await scene.draw(callback))
    return ""


async def _load_scene(
    context: ListenerContext, now: Conversation | None, user: str, about: WindowState | None = None
) -> _EditContext:
    """Return the stored draft for an open window, or for one that is opened now."""
    assert now is not None, "what is not there is refused"
    assert now.interview is not None, "what has no draft is refused"
    draft = dict(now.interview.draft)
    here = about or WindowState(thread=now.thread, edition=0, digest="")
    here = replace(here, edition=now.interview.edition, digest=window_state.compute_digest(draft), since="")
    component, so_far = load_proact()[now.interview.component], await context.steps.so_far(now)
    return _EditContext(context, Subject(component=component, draft=draft, so_far=so_far, about=here), now, user)


async def _await_saved(context: ListenerContext, about: WindowState) -> Conversation | None:
    """Return the conversation once it contains the change that the window shows, or after a while as it is."""
    now = await context.conversations.find(about.thread)
    for _ in range(LOOKS):
        if not _is_awaited(context, now, about):
            break
        await context.clock.sleep(PAUSE)
        now = await context.conversations.find(about.thread)
    return now


def _is_older(now: Conversation | None, about: WindowState) -> bool:
    return now is not None and now.interview is not None and now.interview.edition < about.edition


def _is_awaited(context: ListenerContext, now: Conversation | None, about: WindowState) -> bool:
    """Return True if the change that the window shows may still be saved."""
    return _is_older(now, about) and float(context.at) - float(about.since or 0) < PATIENCE


# Clicks in a window


async def _on_click(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    about = window_state.read_state(read_mapping(body.get("view")))
    order = window_state.read_window_command(read_value(body))
    if about is None or order is None:
        return
    try:
        await await_in_time(_carry_out(context, body, about, order))
    except AnswerFailed:
        await context.whisper_in(about.thread, read_user(body), texts.NOT_NOW)


async def _carry_out(
    context: ListenerContext, body: Body, about: WindowState, order: tuple[WindowCommand, str]
) -> None:
    """Carry out a click, or show in the window why it failed."""
    view = read_mapping(body.get("view"))
    callback = read_text(view.get("callback_id"))
    now = await _await_saved(context, about)
    if refused := await _explain_refusal(context, now, read_user(body), rates=callback == action_ids.RATE_LIST_WINDOW):
        await context.update_window(view, list_window.build_notice_window(refused))
    elif _is_awaited(context, now, about):
        await context.update_window(view, list_window.replace_notice(view, draft_editing.SAVING))
    else:
        scene = await _load_scene(context, now, read_user(body), about)
        is_changed = order[0] not in edits.CHANGES_NOTHING and scene.subject.about != replace(about, since="")
        notice = draft_editing.NOT_TAKEN_IN if _is_older(now, about) else draft_editing.CHANGED_MEANWHILE
        shown = await scene.draw(callback, notice) if is_changed else await _render_answer(scene, body, order)
        if shown:
            await context.update_window(view, shown)


async def _render_answer(scene: _EditContext, body: Body, order: tuple[WindowCommand, str]) -> View | None:
    """Return the next view of the window; None if it stays, with a form on top."""
    view, (what, about) = read_mapping(body.get("view")), order
    callback = read_text(view.get("callback_id"))
    if what is WindowCommand.PAGE:
        page = replace(scene.subject.about, page=int(about) if about.isdecimal() else 0)
        return await replace(scene, subject=replace(scene.subject, about=page)).draw(callback)
    if asked := await asyncio.to_thread(edits.build_item_form, scene.subject, what, about):
        arguments: dict[str, Any] = {"trigger_id": read_text(body.get("trigger_id")), "view": asked}
        await scene.context.line.say("views.push", Priority.QUESTION, **arguments)
        return None
    if what in edits.FILLED_IN:
        return await scene.draw(callback, draft_editing.NOTHING_TO_FILL_IN)
    edit = await asyncio.to_thread(edits.apply_click, scene.subject, what, about)
    if edit.problem or not edit.is_change:
        return await scene.draw(callback, edit.problem)
    mark = f"{read_text(view.get('id'))}:{read_text(read_control(body).get('action_ts'))}:{scene.user}"
    await scene.save(edit, f"action:{scene.context.us.team}:{mark}")
    return await scene.after(edit).draw(callback, edit.notice)


# Forms that are sent


async def _on_submit(context: ListenerContext, callback: str, ack: Ack, body: Body) -> None:
    view, below = read_mapping(body.get("view")), None
    try:
        told, below = await await_in_time(_apply_submission(context, callback, body))
    except AnswerFailed:
        told = _build_error(view, texts.NOT_NOW)
    redrawn = asyncio.ensure_future(await_in_time(_redraw(context, view, below))) if below else None
    if redrawn:  # A click in the list as it was before would find that it has changed.
        await asyncio.wait((redrawn,), timeout=REDRAW_SECONDS)
    await (ack(response_action="errors", errors=told) if told else ack())
    if redrawn:
        with suppress(AnswerFailed):
            await redrawn


async def _redraw(context: ListenerContext, view: Payload, below: View) -> None:
    """Update the list below, which is visible once the form is closed."""
    at = read_text(view.get("previous_view_id"))
    await context.line.say("views.update", Priority.QUESTION, view_id=at, view=below)


async def _apply_submission(
    context: ListenerContext, callback: str, body: Body
) -> tuple[Mapping[str, str], View | None]:
    """Return the errors by input, or the next view of the window below."""
    view = read_mapping(body.get("view"))
    about = window_state.read_state(view)
    if about is None:
        return {}, None
    now = await _await_saved(context, about)
    if refused := await _explain_refusal(context, now, read_user(body), rates=callback == action_ids.RATE_FORM_WINDOW):
        return _build_error(view, refused), None
    if _is_awaited(context, now, about):
        return _build_error(view, draft_editing.SAVING), None
    scene = await _load_scene(context, now, read_user(body), about)
    if edits.is_outdated(callback, scene.subject, about, view):
        return _build_error(view, draft_editing.CHANGED_BELOW), None
    edit = await asyncio.to_thread(edits.SENT[callback], scene.subject, view)
    if edit.errors or not edit.is_change:
        return edit.errors, None
    await scene.save(edit, name_submission(view, context.us.team))
    return {}, await scene.after(edit).draw(BELOW[callback], edit.notice)


def _build_error(view: Payload, sentence: str) -> Mapping[str, str]:
    """Return the sentence as an error of the first field.

    A submitted window can show it nowhere else, and keeps its input.
    """
    return {form.list_input_names(view)[0]: mrkdwn.resolve_markup(sentence)}
