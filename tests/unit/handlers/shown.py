"""A card as Slack would show it: what can be pressed, and what is said."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from app.core.conversation.card import Card
from app.core.thread import ThreadKey
from app.playground.slack.blocks.blocks import check_blocks
from handlers.views.cards.thread_cards import render_card
from handlers.views.kit.blocks import FALLBACK_CHARS, CardPlace, RenderedMessage
from handlers.views.kit.plain_text import extract_text

ROOT = "1770000100.000100"
PLACE = CardPlace(thread=ThreadKey(team="T1", channel="C1", root=ROOT), workspace_url="https://acme.slack.com/")
SEQ = 12
AT = "1770000250.001700"
"""2 February 2026, 02:44 in UTC."""
AT_0244 = "<!date^1770000250^{time}|02:44 UTC>"

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=120)
NASTY = st.sampled_from(["&", "<", ">", "<!channel>", "@here", "*", "`", "~", "\u2060", "😀"])
HARD = st.lists(WORDS | NASTY.map(lambda word: word * 40), min_size=1, max_size=30).map("".join)
"""Words that are hard to show."""


def show(card: Card, seq: int = SEQ) -> RenderedMessage:
    """Show a card of one message, which Slack must take."""
    (rendered,) = show_all(card, seq)
    return rendered


def show_all(card: Card, seq: int = SEQ) -> tuple[RenderedMessage, ...]:
    """Show a card in as many messages as it needs, each of which Slack must take."""
    pages = render_card(card, seq, PLACE)
    for page in pages:
        assert check_blocks([dict(block) for block in page.blocks])
        assert 0 < len(page.text) <= FALLBACK_CHARS
    return pages


def lines(rendered: RenderedMessage) -> list[str]:
    """All that is read in the message, a line each."""
    return extract_text(rendered.blocks).split("\n")


def controls(rendered: RenderedMessage) -> list[dict[str, Any]]:
    """Everything that can be pressed, in order."""
    return [element for block in rendered.blocks if block["type"] == "actions" for element in block["elements"]]


def menu(rendered: RenderedMessage) -> dict[str, str]:
    """What can be picked, and what it is called."""
    (found,) = (control for control in controls(rendered) if control["type"] == "overflow")
    return {option["value"]: option["text"]["text"] for option in found["options"]}


def pressed(rendered: RenderedMessage) -> list[tuple[str, str, str]]:
    """Label, action and value of each button."""
    return [(c["text"]["text"], c["action_id"], c["value"]) for c in controls(rendered) if c["type"] == "button"]


def said(rendered: RenderedMessage) -> list[str]:
    """The text of each block that has one."""
    return [block["text"]["text"] for block in rendered.blocks if block["type"] == "section"]


def small(rendered: RenderedMessage) -> list[str]:
    """The lines of small print."""
    return [element["text"] for block in rendered.blocks if block["type"] == "context" for element in block["elements"]]


def markup(rendered: RenderedMessage) -> set[str]:
    """Every mention, link and time in what Slack reads as markup."""
    sections = [block["text"] for block in rendered.blocks if block["type"] == "section"]
    contexts = [element for block in rendered.blocks if block["type"] == "context" for element in block["elements"]]
    read = [shown["text"] for shown in (*sections, *contexts) if shown["type"] == "mrkdwn"]
    return {found for text in (*read, rendered.text) for found in re.findall(r"<[^>]*>?", text)}
