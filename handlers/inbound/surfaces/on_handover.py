"""The handover of a decision: its owner picks a person in a window, and the submission becomes an event."""

from __future__ import annotations

from contextlib import aclosing
from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.events.acts import OwnershipGiven
from app.core.owners import may_own
from app.core.state.status import Status
from app.core.thread import ThreadKey
from handlers.inbound.desk import Ack, Body, Desk, NotNow, promptly
from handlers.outbound.pacer import Priority
from handlers.outbound.people import standing_of
from handlers.slack import action_ids
from handlers.slack.payload import items, mapping, text
from handlers.views.kit import mrkdwn
from handlers.views.windows import handover_window, record_window

CHANNELS, PAGE = "public_channel,private_channel", 999
"""The types of channels to search for that of a decision, and Slack's largest page of them."""


def listen(app: Any, desk: Desk) -> None:
    """Register the listeners with Bolt."""
    app.view(action_ids.HAND_OVER_WINDOW)(partial(_sent, desk))


async def ask(desk: Desk, trigger: str, thread: ThreadKey, user: str) -> str:
    """Open a window for the decision's next owner, or return the reason against it. Raise as `Desk`."""
    now = await desk.conversations.find(thread)
    if refused := await _bound(desk, now, user):
        return refused
    await desk.open_window(trigger, handover_window.form(thread))
    return ""


async def _sent(desk: Desk, ack: Ack, body: Body) -> None:
    try:
        refused = await promptly(_handed_over(desk, body))
    except NotNow:
        refused = texts.NOT_NOW
    if refused:
        await ack(response_action="errors", errors={action_ids.HAND_OVER_FIELD: mrkdwn.plain(refused)})
    else:
        await ack()


async def _handed_over(desk: Desk, body: Body) -> str:
    """Accept the request, or return the reason against it."""
    view, user = mapping(body.get("view")), text(mapping(body.get("user")).get("id"))
    thread, to = record_window.about(view, desk.us.team), handover_window.picked(view)
    now = await desk.conversations.find(thread) if thread else None
    if refused := await _bound(desk, now, user):
        return refused
    assert now is not None, "what is not there is refused"
    if refused := await _unfit(desk, user, to) or await _absent(desk, now.thread.channel, to):
        return refused
    receipt = f"view:{desk.us.team}:{text(view.get('id'))}:{text(view.get('hash'))}"
    await desk.intake.accept(OwnershipGiven(receipt=receipt, thread=now.thread, ts="", at=desk.at, user=user, to=to))
    return ""


async def _bound(desk: Desk, now: Conversation | None, user: str) -> str:
    """Return why this person cannot hand over this decision at all; empty if they can."""
    if refused := await desk.refusal(now, user):
        return refused
    assert now is not None, "what is not there is refused"
    return texts.ARCHIVED if now.status is Status.ARCHIVED else handover_window.bound(now.thread)


async def _unfit(desk: Desk, user: str, to: str) -> str:
    """Return why this person cannot become the owner; empty if they can."""
    if not to:
        return decision_record.PICK_SOMEBODY
    if to == user:
        return decision_record.YOURS_ALREADY
    answer = await desk.line.say("users.info", Priority.QUESTION, user=to)
    person = mapping(answer.get("user"))
    is_barred = not may_own(desk.rules.owners, standing_of(person, desk.us.team))
    return handover_window.refusal(person) or (decision_record.NOT_FOR_THEM if is_barred else "")


async def _absent(desk: Desk, channel: str, to: str) -> str:
    """Return an error if they are not in the channel: Slack would notify them of nothing in it."""
    # By the person's channels, not the channel's members: a person is in few channels, a channel has thousands of
    # people.
    listed = desk.line.pages("users.conversations", Priority.QUESTION, user=to, types=CHANNELS, limit=PAGE)
    async with aclosing(listed) as pages:
        async for page in pages:
            if any(mapping(each).get("id") == channel for each in items(page.get("channels"))):
                return ""
    return decision_record.NOT_IN_CHANNEL.format(person=(await desk.profile_of(desk.us.team, to)).name)
