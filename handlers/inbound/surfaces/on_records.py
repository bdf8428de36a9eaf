"""The actions on a decision's hub beside its steps: view the record, export it, hand it over.

Only the owner can use them. Closing and reopening are events that the gate accepts; here they are only acknowledged.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Any

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record
from app.decision.report.files import FORMATS
from handlers.inbound.listener_context import (
    Ack,
    AnswerFailed,
    Body,
    ListenerContext,
    act_on_click,
    await_in_time,
    await_sentence,
    change_view,
)
from handlers.inbound.reading.slack_actions import Click, read_click
from handlers.inbound.surfaces import on_export, on_handover
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_mapping, read_text, read_user, read_value
from handlers.views.kit.blocks import parse_address
from handlers.views.windows import record_window
from handlers.views.windows.forms import build_notice, read_address, read_page

EXPORT = "export"
"""Prefix of a menu value before the colon; the word for a format follows it."""


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.RECORD)(partial(act_on_click, context, _open_window))
    app.action(action_ids.HUB_MENU)(partial(_on_menu_choice, context))
    app.action(re.compile(f"^{action_ids.RECORD_PAGE_PREFIX}"))(partial(change_view, context, _turn_page))
    app.action(re.compile(f"^{action_ids.RECORD_EXPORT_PREFIX}"))(partial(_on_export, context))


async def _open_window(context: ListenerContext, click: Click, trigger: str) -> str:
    """Open the window, or return the reason against it."""
    thread = parse_address(click.value, context.us.team)
    if thread is None:
        return ""
    now = await context.find_decision(thread, click.user)
    if isinstance(now, str):
        return now
    await context.open_window(trigger, record_window.build_record_window(await context.report_of(now), thread))
    return ""


async def _on_menu_choice(context: ListenerContext, ack: Ack, body: Body) -> None:
    await ack()
    click = read_click(body)
    if click is None:
        return
    order, _, word = click.value.partition(":")
    if order == EXPORT and word in FORMATS:
        await _export(context, click, word)
    elif order == action_ids.HAND_OVER_WINDOW:
        trigger = read_text(body.get("trigger_id"))
        await context.answer_alone(click, on_handover.ask(context, trigger, click.thread, click.user))


async def _export(context: ListenerContext, click: Click, word: str) -> None:
    now = await await_sentence(context.find_decision(click.thread, click.user))
    is_refused = isinstance(now, str)
    await context.answer_click(click, now if is_refused else on_export.describe_file(context, click.thread, word))
    if not is_refused:
        await on_export.post_report(context, now, click.user, word)


async def _turn_page(context: ListenerContext, body: Body) -> None:
    now, page = await _find_decision(context, body), read_value(body)
    if now and page.isdecimal():
        view = record_window.build_record_window(await context.report_of(now), now.thread, int(page))
        await context.update_window(read_mapping(body.get("view")), view)


async def _on_export(context: ListenerContext, ack: Ack, body: Body) -> None:
    """Export from the window, which stays and says where the file will be, then that it is there."""
    await ack()
    word = read_value(body)
    with suppress(AnswerFailed):
        now = await await_in_time(_find_decision(context, body))
        if now is None or word not in FORMATS:
            return
        notice = on_export.describe_file(context, now.thread, word)
        shown = await await_in_time(_redraw(context, now, read_mapping(body.get("view")), notice))
        is_posted = await on_export.post_report(context, now, read_user(body), word)
        result = on_export.describe_file(context, now.thread, word, is_posted=True) if is_posted else ""
        # A window that was closed or turned over meanwhile stays as it is.
        await await_in_time(_redraw(context, now, shown, result))


async def _redraw(context: ListenerContext, now: Conversation, shown: Payload, notice: str) -> Payload:
    """Show the same page of the record below another notice. Return the window as it is now."""
    page, report = read_page(shown), await context.report_of(now)
    return await context.update_window(shown, record_window.build_record_window(report, now.thread, page, notice))


async def _find_decision(context: ListenerContext, body: Body) -> Conversation | None:
    """Return the window's decision; None if the window now shows why there is none."""
    view, user = read_mapping(body.get("view")), read_user(body)
    now = await context.find_decision(read_address(view, context.us.team), user)
    if isinstance(now, str):
        await context.update_window(view, build_notice(decision_record.RECORD_TITLE, now))
        return None
    return now
