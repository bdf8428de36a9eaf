"""Rendered messages, held to the allow-list of what HTML a message may be."""

import re
from html.parser import HTMLParser
from typing import Any

from app.playground.slack.page.message import render_message

NAMES = {"U1": "Maya", "U9": "Threadwise", "C1": "ops"}

ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "target", "rel"},
    "button": {"type", "class", "data-action-id", "data-block-id", "data-value", "data-url"},
    "div": {"class"},
    "ol": {"class", "start"},
    "span": {"class", "title", "data-user", "data-channel", "data-action-id", "data-block-id"},
    "td": {"class"},
    "th": {"class"},
    "time": {"data-moment", "data-form"},
    "ul": {"class"},
}
PLAIN = """
    blockquote br code em h1 h2 h3 h4 h5 h6 hr li p pre s strong table tbody thead tr
"""
ALLOWED = ATTRIBUTES | {tag: set[str]() for tag in PLAIN.split()}
VOID = {"br", "hr"}


class Page(HTMLParser):
    """Holds HTML to the allow-list, and to tags that close what they opened."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown = ""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert {name for name, _ in attrs} <= ALLOWED[tag]
        assert tag != "a" or "a" not in self.open
        for name, value in attrs:
            if name in {"href", "data-url"}:
                assert re.match(r"(?i)https?://|mailto:", value or "")
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown += data


def shown(text: str) -> str:
    return render_message(text, None, NAMES)


def drawn(*blocks: dict[str, Any]) -> str:
    return render_message("the fallback", list(blocks), NAMES)
