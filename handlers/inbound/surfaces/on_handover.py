"""The handover of a decision: its owner picks a person in a window, and the submission becomes an event."""

from __future__ import annotations

from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.events.acts import OwnershipTransferred
from app.core.state.status import Status
from app.core.thread import ThreadKey
from handlers.inbound.listener_context import Ack, Body, ListenerContext, answer_form, await_sentence
from handlers.outbound import successors
from handlers.slack import action_ids
from handlers.slack.payload import name_submission, read_mapping, read_user
from handlers.views.windows import handover_window
from handlers.views.windows.forms import read_address


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.view(action_ids.HAND_OVER_WINDOW)(partial(_on_submit, context))


async def ask(context: ListenerContext, trigger: str, thread: ThreadKey, user: str) -> str:
    """Open a window for the decision's next owner, or return the reason against it. Raise as `ListenerContext`."""
    now = await _find_movable(context, thread, user)
    if isinstance(now, str):
        return now
    await context.open_window(trigger, handover_window.build_form(thread))
    return ""


async def _on_submit(context: ListenerContext, ack: Ack, body: Body) -> None:
    refused = await await_sentence(_hand_over(context, body))
    await answer_form(ack, action_ids.HAND_OVER_FIELD, refused)


async def _hand_over(context: ListenerContext, body: Body) -> str:
    """Accept the request, or return the reason against it."""
    view, user = read_mapping(body.get("view")), read_user(body)
    thread, to = read_address(view, context.us.team), handover_window.read_person(view)
    now = await _find_movable(context, thread, user)
    if isinstance(now, str):
        return now
    if not to or to == user:
        return decision_record.YOURS_ALREADY if to else decision_record.PICK_SOMEBODY
    team, owners = context.us.team, context.rules.owners
    if refused := await successors.explain_unfit(context.line, team, owners, now.thread.channel, to):
        return refused
    receipt = name_submission(view, context.us.team)
    await context.intake.accept(
        OwnershipTransferred(receipt=receipt, thread=now.thread, ts="", at=context.at, user=user, to=to)
    )
    return ""


async def _find_movable(context: ListenerContext, thread: ThreadKey | None, user: str) -> Conversation | str:
    """Return a decision that this person can hand over, or why they cannot."""
    now = await context.find_decision(thread, user)
    if isinstance(now, str):
        return now
    return texts.ARCHIVED if now.status is Status.ARCHIVED else handover_window.explain_bound(now.thread) or now
