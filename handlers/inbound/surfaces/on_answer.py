"""The button below a question that opens a form for a written answer. The gate accepts what the form submits."""

from __future__ import annotations

from functools import partial
from typing import Any

from app.core.copy import decision_steps, texts
from handlers.inbound.desk import Ack, Body, ListenerContext
from handlers.inbound.reading.slack_actions import Click, read_click
from handlers.slack import action_ids
from handlers.slack.payload import read_mapping, read_text
from handlers.views.windows.forms import build_answer_form, read_answer


def listen(app: Any, desk: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.ANSWER_FORM)(partial(_on_click, desk))
    app.view(action_ids.ANSWER_WINDOW)(_on_submit)


async def _on_click(desk: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    if click := read_click(body):
        await desk.answer_alone(click, _open_form(desk, click, read_text(body.get("trigger_id"))))


async def _open_form(desk: ListenerContext, click: Click, trigger: str) -> str:
    """Open the form, or return the reason against it."""
    now = await desk.conversations.find(click.thread)
    if now is None:
        return texts.ALREADY_DONE
    if now.owner != click.user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    if now.question is None or now.question.card != click.number:
        return texts.ALREADY_DONE
    if desk.is_retired(now):
        return decision_steps.RETIRED
    await desk.open_window(trigger, build_answer_form(click.thread, click.number, now.question.prompt))
    return ""


async def _on_submit(ack: Ack, body: Body) -> None:
    """Close the form. A blank answer is refused, and the gate has not accepted it."""
    if read_answer(read_mapping(body.get("view"))):
        await ack()
    else:
        await ack(response_action="errors", errors={action_ids.ANSWER_WINDOW: texts.ANSWER_EMPTY})
