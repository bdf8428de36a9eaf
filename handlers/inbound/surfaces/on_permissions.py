"""A person's permission rules: shown in a window and at Home, and revoked from either at once."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

from app.core.copy import texts
from app.core.state.permission import ANY, Rule
from handlers.inbound.listener_context import Ack, AnswerFailed, Body, ListenerContext, await_in_time, change_view
from handlers.outbound.pacer import Priority
from handlers.slack import action_ids
from handlers.slack.payload import read_mapping, read_text, read_user, read_value
from handlers.views.windows import rules_window
from handlers.views.windows.forms import read_page
from handlers.views.windows.rules_window import PermissionOverview

log = structlog.get_logger(__name__)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the listeners with Bolt."""
    app.action(action_ids.REVOKE)(partial(_on_change, context, _revoke))
    app.action(action_ids.FORBID_TOOL)(partial(_on_change, context, _forbid))
    app.action(re.compile(f"^{action_ids.PERMISSIONS_PAGE_PREFIX}"))(partial(change_view, context, _turn_page))


async def ask(context: ListenerContext, trigger: str, user: str) -> str:
    """Open a window with the person's rules, where they can also forbid a tool. Raise as `ListenerContext`."""
    await context.open_window(trigger, rules_window.build_window(await _load_permissions(context, user)))
    return ""


async def _on_change(
    context: ListenerContext, act: Callable[[ListenerContext, Body], Awaitable[None]], ack: Ack, body: Body
) -> None:
    """Change the rules and show them, or show that this failed, so that no one mistakes it for done."""
    await ack()
    try:
        await await_in_time(act(context, body))
    except AnswerFailed:
        notice, trigger = rules_window.build_notice(texts.NOT_NOW), read_text(body.get("trigger_id"))
        await context.excuse(trigger, notice, above=not _is_home(body))
        return
    with suppress(AnswerFailed):  # the window can be opened again
        await await_in_time(_show_page(context, body, read_page(read_mapping(body.get("view")))))


async def _revoke(context: ListenerContext, body: Body) -> None:
    """Revoke the rule of the pressed button, if it still exists."""
    user, meant = read_user(body), read_value(body)
    for rule in await context.permissions.list(context.us.team, user):
        if rules_window.identify_rule(rule) == meant:
            await context.permissions.revoke(rule.team, user, rule.tool, rule.scope)
            log.info("permission_revoked", tool=rule.tool, allows=rule.allows)


async def _forbid(context: ListenerContext, body: Body) -> None:
    """Keep a rule that forbids the chosen tool in every scope."""
    tool, user = read_value(body), read_user(body)
    if tool not in (await _load_permissions(context, user)).forbiddable:
        return
    rule = Rule(
        team=context.us.team,
        user=user,
        tool=tool,
        scope=ANY,
        allows=False,
        at=context.clock.now().isoformat(),
        label=rules_window.label_tool(tool),
    )
    await context.permissions.keep(rule)
    log.info("tool_forbidden", tool=tool)


async def _turn_page(context: ListenerContext, body: Body) -> None:
    page = read_value(body)
    await _show_page(context, body, int(page) if page.isdecimal() else 0)


async def _show_page(context: ListenerContext, body: Body, page: int) -> None:
    """Redraw the window or Home. This ignores the view's hash, because the rules read last are the valid ones."""
    user, view = read_user(body), read_mapping(body.get("view"))
    if _is_home(body):
        await context.open_home(context.us.team, user)
        return
    shown = rules_window.build_window(await _load_permissions(context, user), page)
    await context.line.say("views.update", Priority.QUESTION, view_id=read_text(view.get("id")), view=shown)


async def _load_permissions(context: ListenerContext, user: str) -> PermissionOverview:
    rules = await context.permissions.list(context.us.team, user)
    return PermissionOverview(
        rules=rules,
        policy=context.rules.policy,
        spans=await context.spans_of(rules),
        now=context.clock.now(),
        tools=context.tools,
        servers=context.servers(),
    )


def _is_home(body: Body) -> bool:
    return read_mapping(body.get("view")).get("type") == "home"
