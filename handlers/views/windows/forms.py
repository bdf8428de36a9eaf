"""Forms: the windows that Slack opens over the conversation, and their submissions. Pure.

A form carries the address of its subject, so that nothing is stored while a person fills it in.
"""

from __future__ import annotations

import json
from typing import Any

from app.core.copy import texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, parse_object, read_element, read_state, read_text, read_thread
from handlers.views.kit import blocks
from handlers.views.kit.blocks import Block

View = dict[str, Any]


MOST_CHARS = 3_000
"""Slack's limit for a text in a section, and for a person's input in a field."""


def build_read_only_window(title: str, *body: Block) -> View:
    """Return a window without input."""
    close = blocks.build_plain_text(texts.NOTICE_CLOSE)
    return {"type": "modal", "title": blocks.build_plain_text(title), "close": close, "blocks": list(body)}


def build_page_buttons(actions: str, page: int, pages: int) -> list[Block]:
    """Return the buttons that turn the pages; none for a single page. `actions` is the prefix of their `action_id`."""
    if pages == 1:
        return []
    ways = ((page - 1, "previous", texts.PREVIOUS_PAGE), (page + 1, "next", texts.NEXT_PAGE))
    turns = [blocks.build_button(f"{actions}{way}", label, str(to)) for to, way, label in ways if 0 <= to < pages]
    return [blocks.build_actions(*turns), blocks.build_context(texts.PAGE_OF.format(page=page + 1, pages=pages))]


def read_page(view: Payload) -> int:
    """Return the number of the page that a window shows."""
    page = parse_object(view.get("private_metadata")).get("page")
    return page if isinstance(page, int) else 0


def build_answer_form(thread: ThreadKey, card: int, prompt: str) -> View:
    """Return the form for a written answer to the question in the card with that `seq`."""
    about = {"team": thread.team, "channel": thread.channel, "root": thread.root, "card": card}
    field = {
        "type": "plain_text_input",
        "action_id": action_ids.ANSWER_WINDOW,
        "multiline": True,
        "min_length": 1,
        "max_length": MOST_CHARS,
        "focus_on_load": True,
    }
    return {
        "type": "modal",
        "callback_id": action_ids.ANSWER_WINDOW,
        "private_metadata": json.dumps(about),
        "title": blocks.build_plain_text(texts.ANSWER_TITLE),
        "submit": blocks.build_plain_text(texts.ANSWER_SUBMIT),
        "close": blocks.build_plain_text(texts.LATER),
        "blocks": [
            {"type": "section", "text": blocks.build_plain_text(prompt[:MOST_CHARS])},
            {
                "type": "input",
                "block_id": action_ids.ANSWER_WINDOW,
                "label": blocks.build_plain_text(texts.ANSWER_TITLE),
                "element": field,
            },
        ],
    }


def read_answer(view: Payload) -> tuple[ThreadKey, int, str] | None:
    """Return thread, card and words of a submitted answer. None if it is another form or incomplete."""
    about = parse_object(view.get("private_metadata"))
    words = read_text(read_element(read_state(view), action_ids.ANSWER_WINDOW).get("value")).strip()
    thread = read_thread({"ts": about.get("root")}, read_text(about.get("team")), read_text(about.get("channel")))
    card = about.get("card")
    if view.get("callback_id") != action_ids.ANSWER_WINDOW or thread is None or not isinstance(card, int) or not words:
        return None
    return thread, card, words
