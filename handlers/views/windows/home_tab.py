"""The Home tab: a person's conversations, by what they wait for. Pure.

Slack's limit is 100 blocks. Each section shows its newest few, and the number of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.state.status import Status
from handlers.slack import action_ids
from handlers.views.kit import blocks, summary_line
from handlers.views.kit.blocks import Block
from handlers.views.windows import rules_window, welcome
from handlers.views.windows.forms import View
from handlers.views.windows.rules_window import PermissionOverview

SHOWN = 12
ARCHIVED_SHOWN = 5
"""Conversations that each section shows; of the archived ones, only the last."""


def render_home(
    mine: Sequence[Conversation], view: summary_line.LinkContext, permitted: PermissionOverview, tokens: int
) -> View:
    """Return a person's Home, the newest conversations first. `tokens` are those that they used today."""
    told = [
        *_render_waiting(mine, view),
        *_render_background(mine, view),
        *_render_active(mine, view),
        *_render_archived(mine, view),
    ]
    body = [
        _build_header(texts.HOME_BEGIN),
        blocks.build_actions(*welcome.build_buttons()) | {"block_id": action_ids.START_BLOCK},
        *(told or [blocks.build_section(texts.HOME_EMPTY)]),
        {"type": "divider"},
        *rules_window.render_home_section(permitted),
        blocks.build_context(texts.HOME_USAGE.format(tokens=tokens)),
    ]
    return {"type": "home", "blocks": body}


def _render_waiting(mine: Sequence[Conversation], view: summary_line.LinkContext) -> list[Block]:
    waiting = _filter_status(mine, Status.WAITING_INPUT)
    return _render_section(
        texts.HOME_WAITING, [_render_archivable(each, summary_line.render_line(each, view)) for each in waiting]
    )


def _render_background(mine: Sequence[Conversation], view: summary_line.LinkContext) -> list[Block]:
    planned = _filter_status(mine, Status.BACKGROUND)
    return _render_section(
        texts.HOME_BACKGROUND,
        [_render_archivable(each, summary_line.describe_schedule(each, view)) for each in planned],
    )


def _render_active(mine: Sequence[Conversation], view: summary_line.LinkContext) -> list[Block]:
    active = _filter_status(mine, Status.ACTIVE)
    return _render_section(
        texts.HOME_ACTIVE, [_render_archivable(each, summary_line.render_line(each, view)) for each in active]
    )


def _render_archived(mine: Sequence[Conversation], view: summary_line.LinkContext) -> list[Block]:
    put_away = _filter_status(mine, Status.ARCHIVED)
    return _render_section(texts.HOME_ARCHIVED, [_render_reopenable(each, view) for each in put_away], ARCHIVED_SHOWN)


def _render_archivable(now: Conversation, line: str) -> Block:
    return _build_row(
        line,
        blocks.build_button(action_ids.HOME_ARCHIVE, texts.ARCHIVE_HERE, blocks.format_address(now.thread)),
    )


def _render_reopenable(now: Conversation, view: summary_line.LinkContext) -> Block:
    return _build_row(
        summary_line.render_line(now, view),
        blocks.build_button(action_ids.HOME_REOPEN, texts.REOPEN, blocks.format_address(now.thread)),
    )


def _build_row(line: str, action: Block) -> Block:
    """Return a row named by its conversation, so that it keeps its place and focus when Home is updated."""
    return blocks.build_section(line) | {"block_id": action["value"], "accessory": action}


def _filter_status(mine: Sequence[Conversation], status: Status) -> list[Conversation]:
    return [each for each in mine if each.status is status]


def _render_section(name: str, lines: list[Block], most: int = SHOWN) -> list[Block]:
    if not lines:
        return []
    hidden = len(lines) - most
    more = [blocks.build_context(texts.MORE_AT_HOME.format(count=hidden))] if hidden > 0 else []
    return [_build_header(name), *lines[:most], *more]


def _build_header(words: str) -> Block:
    return {"type": "header", "text": blocks.build_plain_text(words)}
