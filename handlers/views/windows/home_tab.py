"""The Home tab: a person's conversations and decisions, by what they wait for. Pure.

Slack's limit is 100 blocks. Each section shows its newest few, and the number of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.state.status import Status
from handlers.slack import action_ids
from handlers.views.kit import blocks, summary_line
from handlers.views.kit.blocks import Block
from handlers.views.windows import decision_row, rules_window, welcome
from handlers.views.windows.decision_row import DecisionRow, Entry, find_group, group_decisions
from handlers.views.windows.forms import View
from handlers.views.windows.rules_window import PermissionOverview

SHOWN = 16
ARCHIVED_SHOWN = 6
"""Blocks of entries in each section; fewer of those that are over. A decision takes two."""


@dataclass(frozen=True, slots=True)
class _Section:
    """A section with the entries of one status; of none for closed decisions."""

    name: str
    status: Status | None
    most: int = SHOWN


SECTIONS = (
    _Section(texts.HOME_WAITING, Status.WAITING_INPUT),
    _Section(texts.HOME_BACKGROUND, Status.BACKGROUND),
    _Section(texts.HOME_ACTIVE, Status.ACTIVE),
    _Section(texts.HOME_CLOSED, None, ARCHIVED_SHOWN),
    _Section(texts.HOME_ARCHIVED, Status.ARCHIVED, ARCHIVED_SHOWN),
)


def render_home(
    mine: Sequence[Conversation], view: summary_line.LinkContext, permitted: PermissionOverview, tokens: int
) -> View:
    """Return a person's Home, the newest conversations first. `tokens` are those that they used today."""
    entries = group_decisions(mine)
    told = [block for section in SECTIONS for block in _render_section(section, entries, view)]
    body = [
        blocks.build_header(texts.HOME_BEGIN),
        blocks.build_actions(*welcome.build_buttons()) | {"block_id": action_ids.START_BLOCK},
        *(told or [blocks.build_section(texts.HOME_EMPTY)]),
        blocks.DIVIDER,
        *rules_window.render_home_section(permitted),
        blocks.build_context(texts.HOME_USAGE.format(tokens=tokens)),
    ]
    return {"type": "home", "blocks": body}


def _render_section(section: _Section, entries: Sequence[Entry], view: summary_line.LinkContext) -> list[Block]:
    found = [_render_entry(each, view) for each in entries if find_group(each) is section.status]
    if not found:
        return []
    total = accumulate(map(len, found))
    shown = [row for row, blocks_so_far in zip(found, total, strict=True) if blocks_so_far <= section.most]
    hidden = len(found) - len(shown)
    more = [blocks.build_context(texts.MORE_AT_HOME.format(count=hidden))] if hidden else []
    return [blocks.build_header(section.name), *chain.from_iterable(shown), *more]


def _render_entry(each: Entry, view: summary_line.LinkContext) -> Sequence[Block]:
    """Return blocks named by their conversation, so that they keep place and focus when Home is updated."""
    if isinstance(each, DecisionRow):
        return decision_row.build_row(each, view)
    is_planned = each.status is Status.BACKGROUND
    line = summary_line.describe_schedule(each, view) if is_planned else summary_line.render_line(each, view)
    action = decision_row.build_archive_button(each)
    return (blocks.build_section(line) | {"block_id": action["value"], "accessory": action},)
