"""*Show all* and *Show details*: a window with the whole of what a message says in short. It changes nothing.

The whole action on a permission card, and what was read and done for a reply, is for the owner alone; the whole result
on a step's card, and what is known below its opening, for all who can see the thread.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from app.core.conversation.card import NotesCard, ReviewCard, StepCard
from app.core.conversation.conversation import Conversation, Message
from app.core.copy import permission_cards, texts
from app.core.state.sheet import Sheet
from app.core.thread import ThreadKey
from app.core.turns import sources
from handlers.inbound.listener_context import Body, ListenerContext, act_on_click, change_view
from handlers.inbound.reading.slack_actions import Click
from handlers.slack import action_ids
from handlers.slack.payload import read_mapping, read_user, read_value
from handlers.views.windows import show_all_window
from handlers.views.windows.forms import View, build_notice


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.SHOW_ALL)(partial(act_on_click, context, _open_window))
    app.action(re.compile(f"^{action_ids.SHOW_ALL_PAGE_PREFIX}"))(partial(change_view, context, _turn_page))


async def _open_window(context: ListenerContext, click: Click, trigger: str) -> str:
    """Open the window, or return the reason against it."""
    shown = await _find_window(context, click.thread, click.user, click.number)
    if isinstance(shown, str):
        return shown
    await context.open_window(trigger, shown)
    return ""


async def _find_window(context: ListenerContext, thread: ThreadKey, user: str, card: int, page: int = 0) -> View | str:
    """Return a page of the window for a card, or why this person may not see it."""
    now = await context.conversations.find(thread)
    row = await context.conversations.row(now, card) if now else None
    if now and row and isinstance(row.card, StepCard | ReviewCard | NotesCard):
        return await context.find_obstacle(user, thread.channel) or show_all_window.build_details_window(
            row.card, thread, card, page
        )
    if now and now.interview and row and row.is_opening:
        sheet = await context.steps.lay_out(now)
        known = NotesCard(title=now.interview.prepared.title, sheet=sheet or Sheet(sections=()))
        return await context.find_obstacle(user, thread.channel) or show_all_window.build_details_window(
            known, thread, card, page
        )
    if now and row and row.activity:
        return await _find_details(context, now, row, user, page)
    refused = show_all_window.explain_refusal(now, user, card) or await context.find_obstacle(user, thread.channel)
    if refused:
        return refused
    assert now is not None, "what is not there is refused"
    return show_all_window.build_window(now, page)


async def _find_details(
    context: ListenerContext, now: Conversation, reply: Message, user: str, page: int
) -> View | str:
    """Return a page of what was read and done for a reply: for the owner alone, who has to see all of its places."""
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    places = [label for label in reply.sources or () if sources.is_place(label)]
    for place in dict.fromkeys((now.thread.channel, *places)):
        if refused := await context.find_obstacle(user, place):
            return refused
    return show_all_window.build_activity_window(reply, context.tools, now.thread, page)


async def _turn_page(context: ListenerContext, body: Body) -> None:
    view, page = read_mapping(body.get("view")), read_value(body)
    meant = show_all_window.find_card(view, context.us.team)
    if meant is None or not page.isdecimal():
        return
    thread, card = meant
    shown = await _find_window(context, thread, read_user(body), card, int(page))
    is_refused = isinstance(shown, str)
    await context.update_window(view, build_notice(permission_cards.SHOWN_TITLE, shown) if is_refused else shown)
