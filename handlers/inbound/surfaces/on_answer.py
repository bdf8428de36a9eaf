"""The buttons that open a form for words: below a question, and below the opening of a step for its draft.

The gate accepts what the form of an answer submits. The form of a draft is accepted here, with its author's name.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, texts
from app.core.decisions.approval import is_asked
from app.core.events.acts import SummaryRequested
from app.core.state.interview import InterviewCommand, SourceMessage
from handlers.inbound.listener_context import (
    Ack,
    Body,
    ListenerContext,
    act_on_click,
    answer_form,
    await_sentence,
)
from handlers.inbound.reading.slack_actions import Click
from handlers.inbound.surfaces.on_edit import explain_closed
from handlers.slack import action_ids
from handlers.slack.payload import name_submission, read_mapping, read_user
from handlers.views.windows.forms import build_answer_form, read_answer
from handlers.views.windows.new_decision import build_draft_form, read_draft


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.ANSWER_FORM)(partial(act_on_click, context, _open_form))
    app.view(action_ids.ANSWER_WINDOW)(_on_submit)
    app.action(action_ids.DRAFT_IT)(partial(act_on_click, context, _open_draft_form))
    app.view(action_ids.DRAFT_WINDOW)(partial(_on_submit_draft, context))


async def _open_form(context: ListenerContext, click: Click, trigger: str) -> str:
    """Open the form, or return the reason against it."""
    now = await context.conversations.find(click.thread)
    if now is None:
        return texts.ALREADY_DONE
    if now.owner != click.user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    if now.question is None or now.question.card != click.number:
        return texts.ALREADY_DONE
    if context.is_retired(now):
        return decision_steps.RETIRED
    if refused := await context.find_obstacle(click.user, click.thread.channel):
        return refused
    await context.open_window(trigger, build_answer_form(click.thread, click.number, now.question.prompt))
    return ""


async def _on_submit(ack: Ack, body: Body) -> None:
    """Close the form. A blank answer is refused, and the gate has not accepted it."""
    is_answered = read_answer(read_mapping(body.get("view"))) is not None
    await answer_form(ack, action_ids.ANSWER_WINDOW, "" if is_answered else texts.ANSWER_EMPTY)


async def _open_draft_form(context: ListenerContext, click: Click, trigger: str) -> str:
    """Open the form of a draft, or return the reason against it. The value of its button is the thread's root."""
    thread = replace(click.thread, root=click.value)
    now = await context.conversations.find(thread)
    if refused := await _explain_refusal(context, now, click.user):
        return refused
    title = now.interview.prepared.title if now and now.interview else ""
    await context.open_window(trigger, build_draft_form(thread, title))
    return ""


async def _explain_refusal(context: ListenerContext, now: Conversation | None, user: str) -> str:
    """Return why this person cannot have the step drafted now; empty if they can."""
    if refused := explain_closed(context, now, user):
        return refused
    if now is None or now.interview is None:
        return texts.NOTHING_HERE
    return decision_steps.DRAFT_WAITS if is_asked(now) else await context.find_obstacle(user, now.thread.channel)


async def _on_submit_draft(context: ListenerContext, ack: Ack, body: Body) -> None:
    refused = await await_sentence(_accept_draft(context, body))
    await answer_form(ack, action_ids.DECIDE_MATERIAL_FIELDS[0], refused)


async def _accept_draft(context: ListenerContext, body: Body) -> str:
    """Accept the wish for a draft with its material, or return the reason against it."""
    view, user = read_mapping(body.get("view")), read_user(body)
    thread, material = read_draft(view)
    if thread is None:
        return texts.NOTHING_HERE
    if refused := await _explain_refusal(context, await context.conversations.find(thread), user):
        return refused
    name = (await context.profile_of(context.us.team, user)).name if material else ""
    wanted = SummaryRequested(
        receipt=name_submission(view, context.us.team),
        thread=thread,
        ts="",
        at=context.at,
        user=user,
        signal=InterviewCommand.DRAFT,
        material=(SourceMessage(ts="", author=user, name=name, text=material),) if material else (),
    )
    await context.intake.accept(wanted)
    return ""
