"""Messages as Block Kit: pure functions from our values to Slack's dictionaries.

Every message has a plain-text twin, which notifications and screen readers use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.core import texts
from app.core.errors import FailureKind
from app.core.model import Message, MessageStatus
from handlers import mrkdwn

Block = dict[str, Any]

RETRY_ACTION = "retry"
"""`action_id` of *Retry*; its value is the `seq` of the reply."""

FALLBACK_CHARS = 3_900
"""Slack: `chat.update` refuses a `text` past 4,000 characters."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """One Slack message: its blocks and their plain-text twin."""

    text: str
    blocks: tuple[Block, ...]


def page(markdown: str, closing: tuple[Block, ...] = ()) -> Rendered:
    """Show a page of an answer. Slack renders Markdown itself in a `markdown` block (12,000 characters at most)."""
    body: tuple[Block, ...] = ({"type": "markdown", "text": markdown},) if markdown else ()
    spoken = markdown or next((_spoken(block) for block in closing), "")
    return Rendered(text=mrkdwn.escape(spoken)[:FALLBACK_CHARS], blocks=(*body, *closing))


def unrendered(markdown: str, closing: tuple[Block, ...] = ()) -> Rendered:
    """Show the same words without markup, for a text that Slack refuses to render. Slack never parses rich text."""
    element = {"type": "rich_text_section", "elements": [{"type": "text", "text": markdown or " "}]}
    body: Block = {"type": "rich_text", "elements": [element]}
    return Rendered(text=mrkdwn.escape(markdown)[:FALLBACK_CHARS], blocks=(body, *closing))


def closing(reply: Message) -> tuple[Block, ...]:
    """Say below a reply how it ended, if not well, and offer what helps."""
    match reply.status:
        case MessageStatus.FAILED:
            return _failure(reply)
        case MessageStatus.INTERRUPTED:
            return (_context(texts.INTERRUPTED), _retry(reply.seq))
        case MessageStatus.TRUNCATED:
            return (_context(texts.TRUNCATED),)
        case MessageStatus.REFUSED:
            return (_context(texts.REFUSED),)
        case _:
            return () if reply.text.strip() else (_context(texts.EMPTY),)


def _failure(reply: Message) -> tuple[Block, ...]:
    kind = FailureKind(reply.failure)
    sentence = f"{texts.FAILURES[kind]} {texts.reference(reply.reference)}"
    return (_context(sentence), *((_retry(reply.seq),) if kind in texts.RETRYABLE else ()))


def _context(sentence: str) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": sentence}]}


def _retry(reply: int) -> Block:
    button = {
        "type": "button",
        "action_id": RETRY_ACTION,
        "value": str(reply),
        "text": {"type": "plain_text", "text": texts.RETRY},
    }
    return {"type": "actions", "elements": [button]}


def _spoken(block: Block) -> str:
    return next((str(element.get("text", "")) for element in block.get("elements", ())), "")
