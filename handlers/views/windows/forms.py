"""Forms: the windows that Slack opens over the conversation, and their submissions. Pure.

A form carries the address of its subject, so that nothing is stored while a person fills it in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from app.core.copy import texts
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import Payload, parse_object, read_key, read_state, read_text, read_words
from handlers.views.kit import blocks
from handlers.views.kit.blocks import Block

View = dict[str, Any]


PAGE = 45
"""Lines of a page of a list: few enough to read, and far below Slack's limits of 100 blocks and 250 KB."""

T = TypeVar("T")

MOST_CHARS = 3_000
"""Slack's limit for a text in a section, and for a person's input in a field."""


def build_read_only_window(title: str, *body: Block, close: str = texts.NOTICE_CLOSE) -> View:
    """Return a window without input. `close` is the label of the button that closes it."""
    return {
        "type": "modal",
        "title": blocks.build_plain_text(title),
        "close": blocks.build_plain_text(close),
        "blocks": list(body),
    }


def mark(callback: str, about: Mapping[str, Any]) -> View:
    """Return the properties by which a window is recognised, and what it carries (Slack: 3,000 characters)."""
    return {"callback_id": callback, "private_metadata": json.dumps(about)}


def build_notice(title: str, sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return build_read_only_window(title, blocks.build_section(sentence))


def build_form(callback: str, about: Mapping[str, Any], words: tuple[str, str, str], *body: Block) -> View:
    """Return a window that can be submitted. `about` is what it carries.

    `words` are its title, and the labels of the buttons that submit and close it.
    """
    title, submit, close = words
    shown = build_read_only_window(title, *body, close=close) | mark(callback, about)
    return shown | {"submit": blocks.build_plain_text(submit)}


def read_about(view: Payload) -> Payload:
    """Return what a window carries."""
    return parse_object(view.get("private_metadata"))


def read_address(view: Payload, team: str) -> ThreadKey | None:
    """Return the thread whose address a window carries; None if there is none."""
    return blocks.parse_address(read_text(read_about(view).get("address")), team)


def cut_page(lines: Sequence[T], page: int) -> tuple[Sequence[T], int, int]:
    """Return the lines of a page, its number, counted from 0, and the number of pages.

    A number too high gives the last one.
    """
    pages = max(-(-len(lines) // PAGE), 1)
    page = min(page, pages - 1)
    return lines[page * PAGE : (page + 1) * PAGE], page, pages


def build_page_buttons(
    actions: str,
    page: int,
    pages: int,
    labels: tuple[str, str] = (texts.PREVIOUS_PAGE, texts.NEXT_PAGE),
    write: Callable[[int], str] = str,
) -> list[Block]:
    """Return the buttons that turn the pages; none for a single page.

    `actions` is the prefix of their `action_id`, and `write` gives the value of one that leads to a page.
    """
    if pages == 1:
        return []
    ways = zip((page - 1, page + 1), ("previous", "next"), labels, strict=True)
    turns = [blocks.build_button(f"{actions}{way}", label, write(to)) for to, way, label in ways if 0 <= to < pages]
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
