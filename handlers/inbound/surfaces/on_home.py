"""The Home tab: published when a person opens it, and again after each change of its content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from app.core.copy import decision_steps
from app.core.events.acts import ReopenRequested
from app.core.state.permission import Policy
from app.ports import ConversationReader, OnceFlags, Permissions
from handlers.inbound.listener_context import Ack, Body, ListenerContext, SpansOf, await_sentence
from handlers.inbound.reading.slack_actions import read_home_start
from handlers.inbound.surfaces.on_archive import find_possible
from handlers.outbound.pacer import Priority
from handlers.outbound.web import SlackCaller
from handlers.slack import action_ids
from handlers.slack.payload import is_ts, read_control, read_mapping, read_text, read_user, read_value
from handlers.views.kit import summary_line
from handlers.views.kit.blocks import parse_address
from handlers.views.windows import decision_row, forms, welcome
from handlers.views.windows.conversation_picker import ArchiveAction, build_notice, build_picked
from handlers.views.windows.forms import View
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import PermissionOverview

Used = Callable[[str, str], Awaitable[int]]
"""Tokens that a person has used today: team and user."""

_Act = Callable[[ListenerContext, Body], Awaitable[str]]
"""Acts on a button, or returns the reason against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeContent:
    """The sources of Home's content."""

    conversations: ConversationReader
    permissions: Permissions
    policy: Policy
    spans_of: SpansOf
    used: Used


class HomePublisher:
    """Publisher of people's Home."""

    def __init__(self, line: SlackCaller, workspace_url: str, places: OnceFlags, shown: HomeContent) -> None:
        self._line, self._workspace_url = line, workspace_url
        self._places, self._shown = places, shown

    async def open(self, team: str, user: str) -> None:
        """Publish Home for a person who opens it, and from now on after each change."""
        await self._places.note_once(team, _build_key(user))
        await self._show(team, user)

    async def publish(self, team: str, user: str) -> None:
        """Update Home for a person who has ever opened it. Raise `SlackUnavailable` or `StoreUnavailable`."""
        if await self._places.is_noted(team, _build_key(user)):
            await self._show(team, user)

    async def _show(self, team: str, user: str) -> None:
        of = self._shown
        mine = await of.conversations.of_owner(team, user)
        view = summary_line.LinkContext(workspace_url=self._workspace_url, now=self._line.clock.now())
        rules = await of.permissions.list(team, user)
        permitted = PermissionOverview(rules=rules, policy=of.policy, spans=await of.spans_of(rules), now=view.now)
        drawn = render_home(mine, view, permitted, await of.used(team, user))
        await self._line.say("views.publish", Priority.STATUS, user_id=user, view=drawn)


def listen(app: Any, context: ListenerContext) -> None:
    """Register the tab's own buttons with Bolt."""
    for action, (act, build) in BUTTONS.items():
        app.action(action)(partial(_on_press, context, act, build))


async def _on_press(context: ListenerContext, act: _Act, build: Callable[[str], View], ack: Ack, body: Body) -> None:
    """Act on a button, or show the reason against it in a window: a reader of Home does not see the thread."""
    if said := await await_sentence(act(context, body)):
        await context.excuse(read_text(body.get("trigger_id")), build(said))
    await ack()


async def _request_start(context: ListenerContext, body: Body) -> str:
    """Start a step, or return the reason against it. Home may be outdated, so the state machine checks again.

    One that was pressed in a message is stored already.
    """
    event = read_home_start(body)
    if event is None:
        return ""
    now = await context.conversations.find(event.thread) if event.thread.team == context.us.team else None
    if refused := decision_row.explain_no_start(now, event.user, event.component, context.view):
        return refused
    if not context.steps.knows(event.component):
        return decision_steps.RETIRED
    await context.intake.accept(event)
    return ""


async def _show_threads(context: ListenerContext, body: Body) -> str:
    """Open the window with the threads of a decision, or return the reason against it."""
    mine = await context.conversations.of_owner(context.us.team, read_user(body))
    row = decision_row.find_row(mine, read_value(body))
    if row is None:
        return decision_steps.THREADS_GONE
    await context.open_window(read_text(body.get("trigger_id")), decision_row.build_threads_window(row, context.view))
    return ""


async def _ask_archive(context: ListenerContext, body: Body) -> str:
    """Open a window that warns of what would stop, and that does the rest; or return the reason against it."""
    thread, user = parse_address(read_value(body), context.us.team), read_user(body)
    now = await find_possible(context, ArchiveAction.ARCHIVE, thread, user)
    if isinstance(now, str):
        return now
    await context.open_window(read_text(body.get("trigger_id")), build_picked(ArchiveAction.ARCHIVE, now, fixed=True))
    return ""


async def _request_reopen(context: ListenerContext, body: Body) -> str:
    """Accept the request, or return the reason against it. Home may be outdated, so the state machine checks again."""
    thread, user = parse_address(read_value(body), context.us.team), read_user(body)
    at = read_text(read_control(body).get("action_ts"))
    if thread is None or not is_ts(at):
        return ""
    now = await find_possible(context, ArchiveAction.REOPEN, thread, user)
    if isinstance(now, str):
        return now
    view_id = read_text(read_mapping(body.get("view")).get("id"))
    receipt = f"action:{context.us.team}:{view_id}:{at}:{user}"
    await context.intake.accept(ReopenRequested(receipt=receipt, thread=thread, ts="", at=at, user=user))
    return ""


BUTTONS: Final[Mapping[str, tuple[_Act, Callable[[str], View]]]] = {
    action_ids.HOME_REOPEN: (_request_reopen, partial(build_notice, ArchiveAction.REOPEN)),
    action_ids.HOME_ARCHIVE: (_ask_archive, partial(build_notice, ArchiveAction.ARCHIVE)),
    action_ids.THREADS: (_show_threads, partial(forms.build_notice, decision_steps.THREADS)),
    action_ids.START_STEP: (_request_start, welcome.build_notice),
}
"""What each of the tab's buttons does, and the window that says why it does not."""


def _build_key(user: str) -> str:
    return f"home:{user}"
