"""Forms: the windows that Slack opens over the conversation, and their submissions. Pure.

A form carries the address of its subject, so that nothing is stored while a person fills it in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from app.core.copy import texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, parse_object, read_key, read_state, read_text, read_words
from handlers.views.kit import blocks
from handlers.views.kit.blocks import Block

View = dict[str, Any]


MOST_CHARS = 3_000
"""Slack's limit for a text in a section, and for a person's input in a field."""


def build_read_only_window(title: str, *body: Block) -> View:
    """Return a window without input."""
    close = blocks.build_plain_text(texts.NOTICE_CLOSE)
    return {"type": "modal", "title": blocks.build_plain_text(title), "close": close, "blocks": list(body)}


def build_notice(title: str, sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return build_read_only_window(title, blocks.build_section(sentence))


def build_form(callback: str, about: Mapping[str, Any], words: tuple[str, str, str], *body: Block) -> View:
    """Return a window that can be submitted. `about` is what it carries.

    `words` are its title, and the labels of the buttons that submit and close it.
    """
    title, submit, close = map(blocks.build_plain_text, words)
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": json.dumps(about),
        "title": title,
        "submit": submit,
        "close": close,
        "blocks": list(body),
    }


def read_about(view: Payload) -> Payload:
    """Return what a window carries."""
    return parse_object(view.get("private_metadata"))


def read_address(view: Payload, team: str) -> ThreadKey | None:
    """Return the thread whose address a window carries; None if there is none."""
    return blocks.parse_address(read_text(read_about(view).get("address")), team)


def build_page_buttons(actions: str, page: int, pages: int) -> list[Block]:
    """Return the buttons that turn the pages; none for a single page. `actions` is the prefix of their `action_id`."""
    if pages == 1:
        return []
    ways = ((page - 1, "previous", texts.PREVIOUS_PAGE), (page + 1, "next", texts.NEXT_PAGE))
    turns = [blocks.build_button(f"{actions}{way}", label, str(to)) for to, way, label in ways if 0 <= to < pages]
    return [blocks.build_actions(*turns), blocks.build_context(texts.PAGE_OF.format(page=page + 1, pages=pages))]


def read_page(view: Payload) -> int:
    """Return the number of the page that a window shows."""
    page = read_about(view).get("page")
    return page if isinstance(page, int) else 0


def build_answer_form(thread: ThreadKey, card: int, prompt: str) -> View:
    """Return the form for a written answer to the question in the card with that `seq`."""
    return build_form(
        action_ids.ANSWER_WINDOW,
        {**asdict(thread), "card": card},
        (texts.ANSWER_TITLE, texts.ANSWER_SUBMIT, texts.LATER),
        blocks.build_verbatim(prompt[:MOST_CHARS]),
        build_words_input(action_ids.ANSWER_WINDOW, texts.ANSWER_TITLE),
    )


def build_words_input(name: str, label: str) -> Block:
    """Return the field for the words that a form asks for."""
    return blocks.build_input(
        name, label, {**blocks.build_text_box(MOST_CHARS), "min_length": 1, "focus_on_load": True}
    )


def read_answer(view: Payload) -> tuple[ThreadKey, int, str] | None:
    """Return thread, card and words of a submitted answer. None if it is another form or incomplete."""
    about = read_about(view)
    words = read_words(read_state(view), action_ids.ANSWER_WINDOW).strip()
    thread, card = read_key(about), about.get("card")
    if view.get("callback_id") != action_ids.ANSWER_WINDOW or thread is None or not isinstance(card, int) or not words:
        return None
    return thread, card, words
