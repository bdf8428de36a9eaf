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

RETRY_ACTION, CONTINUE_ACTION, STOP_ACTION = "retry", "continue", "stop"
"""`action_id` of *Retry*, *Continue* and *Stop*; their value is the `seq` of the reply they stand under."""

ERASE_ACTION = "erase"
"""`action_id` of the button that erases a conversation; its value is the root ts of the thread, which the message
that only one person sees does not tell."""

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


def stop(reply: int) -> tuple[Block, ...]:
    """The button below an answer that is still growing."""
    return (_actions(_button(STOP_ACTION, texts.STOP, str(reply))),)


def erase_offer(root: str) -> Rendered:
    """Ask whether a conversation shall be erased; the thread is named by its root's ts."""
    button = _button(ERASE_ACTION, texts.ERASE, root) | {"style": "danger"}
    section: Block = {"type": "section", "text": {"type": "mrkdwn", "text": texts.ERASE_OFFER}}
    return Rendered(text=texts.ERASE_OFFER, blocks=(section, _actions(button)))


def closing(reply: Message) -> tuple[Block, ...]:
    """Say below a reply how it ended, if not well, and offer what helps."""
    has_words = bool(reply.text.strip())
    match reply.status:
        case MessageStatus.FAILED:
            return _failure(reply, has_words)
        case MessageStatus.INTERRUPTED:
            return (_context(texts.INTERRUPTED if has_words else texts.INTERRUPTED_EARLY), _retry(reply.seq))
        case MessageStatus.CANCELLED:
            return (_context(texts.STOPPED),) if has_words else (_context(texts.STOPPED_EARLY), _retry(reply.seq))
        case MessageStatus.TRUNCATED:
            return (_context(texts.TRUNCATED), _actions(_button(CONTINUE_ACTION, texts.CONTINUE, str(reply.seq))))
        case MessageStatus.REFUSED:
            return (_context(texts.REFUSED),)
        case _:
            return () if has_words else (_context(texts.EMPTY),)


def _failure(reply: Message, has_words: bool) -> tuple[Block, ...]:
    kind = FailureKind(reply.failure)
    is_early = kind is FailureKind.CUT and not has_words
    sentence = texts.CUT_EARLY if is_early else texts.FAILURES[kind]
    sentence = sentence.format(wait=texts.wait(reply.wait) if reply.wait else texts.A_MOMENT)
    referred = f"{sentence} {texts.reference(reply.reference)}" if reply.reference else sentence
    return (_context(referred), *((_retry(reply.seq),) if kind in texts.RETRYABLE else ()))


def _context(sentence: str) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": sentence}]}


def _retry(reply: int) -> Block:
    return _actions(_button(RETRY_ACTION, texts.RETRY, str(reply)))


def _button(action: str, label: str, value: str) -> Block:
    return {
        "type": "button",
        "action_id": action,
        "value": value,
        "text": {"type": "plain_text", "text": label},
    }


def _actions(button: Block) -> Block:
    return {"type": "actions", "elements": [button]}


def _spoken(block: Block) -> str:
    return next((str(element.get("text", "")) for element in block.get("elements", ())), "")
