"""*Show all* on a permission card: a window in which its owner reads the whole action. It changes nothing."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Any

from handlers.inbound.desk import Ack, AnswerFailed, Body, ListenerContext, await_in_time
from handlers.inbound.reading.slack_actions import Click, read_click
from handlers.slack import action_ids
from handlers.slack.payload import read_list, read_mapping, read_text, read_user
from handlers.views.windows import show_all_window


def listen(app: Any, desk: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.SHOW_ALL)(partial(_on_click, desk))
    app.action(re.compile(f"^{action_ids.SHOW_ALL_PAGE_PREFIX}"))(partial(_on_page_turn, desk))


async def _on_click(desk: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    if click := read_click(body):
        await desk.answer_alone(click, _open_window(desk, click, read_text(body.get("trigger_id"))))


async def _open_window(desk: ListenerContext, click: Click, trigger: str) -> str:
    """Open the window, or return the reason against it."""
    now = await desk.conversations.find(click.thread)
    refused = show_all_window.explain_refusal(now, click.user, click.number)
    if refused := refused or await desk.unseen(click.user, click.thread.channel):
        return refused
    assert now is not None, "what is not there is refused"
    await desk.open_window(trigger, show_all_window.build_window(now))
    return ""


async def _on_page_turn(desk: ListenerContext, ack: Ack, body: Body) -> None:
    """Show another page. If this times out, the button can be pressed again."""
    await ack()
    with suppress(AnswerFailed):
        await await_in_time(_turn_page(desk, body))


async def _turn_page(desk: ListenerContext, body: Body) -> None:
    view, user = read_mapping(body.get("view")), read_user(body)
    page = read_text(read_mapping(next(iter(read_list(body.get("actions"))), None)).get("value"))
    meant = show_all_window.find_card(view, desk.us.team)
    if meant is None or not page.isdecimal():
        return
    thread, card = meant
    now = await desk.conversations.find(thread)
    if refused := show_all_window.explain_refusal(now, user, card) or await desk.unseen(user, thread.channel):
        await desk.update_window(view, show_all_window.build_notice(refused))
        return
    assert now is not None, "what is not there is refused"
    await desk.update_window(view, show_all_window.build_window(now, int(page)))
