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
from handlers.views.windows import conversation_picker, rules_window, welcome
from handlers.views.windows.forms import View
from handlers.views.windows.rules_window import Permitted

SHOWN = 12
ARCHIVED_SHOWN = 5
"""Conversations that each section shows; of the archived ones, only the last."""


def home(mine: Sequence[Conversation], view: summary_line.View, permitted: Permitted, tokens: int) -> View:
    """Return a person's Home, the newest conversations first. `tokens` are those that they used today."""
    told = [*_waiting(mine, view), *_background(mine, view), *_active(mine, view), *_archived(mine, view)]
    body = [
        _header(texts.HOME_BEGIN),
        blocks.actions(*welcome.buttons()) | {"block_id": action_ids.START_BLOCK},
        *(told or [blocks.section(texts.HOME_EMPTY)]),
        {"type": "divider"},
        *rules_window.at_home(permitted),
        blocks.context(texts.HOME_USAGE.format(tokens=tokens)),
    ]
    return {"type": "home", "blocks": body}


def _waiting(mine: Sequence[Conversation], view: summary_line.View) -> list[Block]:
    waiting = _of(mine, Status.WAITING_INPUT)
    return _section(texts.HOME_WAITING, [_archivable(each, summary_line.line(each, view)) for each in waiting])


def _background(mine: Sequence[Conversation], view: summary_line.View) -> list[Block]:
    planned = _of(mine, Status.BACKGROUND)
    return _section(texts.HOME_BACKGROUND, [_archivable(each, summary_line.scheduled(each, view)) for each in planned])


def _active(mine: Sequence[Conversation], view: summary_line.View) -> list[Block]:
    active = _of(mine, Status.ACTIVE)
    return _section(texts.HOME_ACTIVE, [_archivable(each, summary_line.line(each, view)) for each in active])


def _archived(mine: Sequence[Conversation], view: summary_line.View) -> list[Block]:
    put_away = _of(mine, Status.ARCHIVED)
    return _section(texts.HOME_ARCHIVED, [_reopenable(each, view) for each in put_away], ARCHIVED_SHOWN)


def _archivable(now: Conversation, line: str) -> Block:
    return _row(
        line, blocks.button(action_ids.HOME_ARCHIVE, texts.ARCHIVE_HERE, conversation_picker.address(now.thread))
    )


def _reopenable(now: Conversation, view: summary_line.View) -> Block:
    return _row(
        summary_line.line(now, view),
        blocks.button(action_ids.HOME_REOPEN, texts.REOPEN, conversation_picker.address(now.thread)),
    )


def _row(line: str, action: Block) -> Block:
    """Return a row named by its conversation, so that it keeps its place and focus when Home is updated."""
    return blocks.section(line) | {"block_id": action["value"], "accessory": action}


def _of(mine: Sequence[Conversation], status: Status) -> list[Conversation]:
    return [each for each in mine if each.status is status]


def _section(name: str, lines: list[Block], most: int = SHOWN) -> list[Block]:
    if not lines:
        return []
    hidden = len(lines) - most
    more = [blocks.context(texts.MORE_AT_HOME.format(count=hidden))] if hidden > 0 else []
    return [_header(name), *lines[:most], *more]


def _header(words: str) -> Block:
    return {"type": "header", "text": blocks.plain(words)}
