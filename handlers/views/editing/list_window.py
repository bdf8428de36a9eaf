"""The windows that list what can be edited or rated, with a sentence at their top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final

from app.core.copy import draft_editing
from app.core.text.cutting import cut
from handlers.slack import action_ids
from handlers.slack.payload import Payload, read_list, read_mapping
from handlers.views.editing.form import Subject
from handlers.views.editing.window_state import WindowCommand, compute_digest, write_window_command
from handlers.views.kit import blocks
from handlers.views.windows.forms import MOST_CHARS, View, build_page_buttons, build_read_only_window, mark

SHOWN: Final = ("type", "callback_id", "private_metadata", "title", "close", "blocks")
"""Properties of a view from Slack that can be sent back."""


def build_list_window(callback: str, subject: Subject, body: Sequence[blocks.Block], at: tuple[int, int]) -> View:
    """Return a window with one page of its lines. `at` is the number of that page, and of all pages."""
    number, pages = at
    about = replace(subject.about, page=number, digest=compute_digest(subject.draft))
    labels, write = (draft_editing.PREVIOUS, draft_editing.NEXT), partial(write_window_command, WindowCommand.PAGE)
    turns = build_page_buttons(action_ids.EDITING_PREFIX, number, pages, labels, write)
    title = cut(subject.component.title, blocks.TITLE_CHARS)
    shown = build_read_only_window(title, *body, *turns, close=draft_editing.LIST_CLOSE)
    return shown | mark(callback, asdict(about))


def build_notice(sentence: str) -> list[blocks.Block]:
    """Return the sentence as a block; none if it is empty."""
    return (
        [{**blocks.build_section(cut(sentence, MOST_CHARS)), "block_id": action_ids.NOTICE_BLOCK}] if sentence else []
    )


def replace_notice(view: Payload, sentence: str) -> View:
    """Return the same window with another sentence at its top."""
    rest: list[Any] = [
        each for each in read_list(view.get("blocks")) if read_mapping(each).get("block_id") != action_ids.NOTICE_BLOCK
    ]
    return {name: view[name] for name in SHOWN if name in view} | {"blocks": [*build_notice(sentence), *rest]}


def build_notice_window(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return build_read_only_window(draft_editing.NOTICE_TITLE, *build_notice(sentence), close=draft_editing.LIST_CLOSE)
