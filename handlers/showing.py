"""The window that shows all of what the owner is asked to allow (design §6, *Show all*). Pure.

What is too much for a window goes on in the next page.
"""

from __future__ import annotations

import json
from typing import Final

from app.core import texts
from app.core import texts_permissions as words
from app.core.model import Conversation
from app.core.question import Origin
from app.core.thread import ThreadKey
from app.core.uses import Use, UseState
from handlers import action_ids, blocks, mrkdwn, rich_text
from handlers.blocks import Block
from handlers.forms import View, reading, turning
from handlers.packing import packed, pieces
from handlers.payload import Payload, loaded, text
from handlers.records import addressed

PARAGRAPH: Final = rich_text.BLOCK_CHARS
"""Characters of one block; Slack takes 3,000 of other texts, and names no limit for these."""

PAGE_BLOCKS, PAGE_BYTES = 10, 100_000
"""Of a page: what people can look over. Slack: 100 blocks, 250 KB."""


def refusal(now: Conversation | None, user: str, card: int) -> str:
    """Why this person is not shown what the card with that `seq` asks about; empty if they are."""
    if now is None:
        return texts.NOTHING_HERE
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    asked = now.question
    is_open = asked is not None and asked.origin is Origin.PERMISSION and asked.card == card
    return "" if is_open else words.DECIDED_ALREADY


def window(now: Conversation, page: int = 0) -> View:
    """Show a page of what the owner of a conversation that waits is asked to allow; behind the last one, the last."""
    assert now.question is not None, "what waits for nothing is refused"
    use = _asked(now)
    pages = packed(map(rich_text.quote, pieces(use.shown.strip(), PARAGRAPH)), _weight, (PAGE_BLOCKS, PAGE_BYTES))
    at = min(page, len(pages) - 1)
    about = {"address": blocks.address(now.thread), "card": now.question.card}
    heading = blocks.section(words.SHOWN_USE.format(title=mrkdwn.verbatim(f"{use.title[:1].upper()}{use.title[1:]}")))
    body = [
        heading,
        *pages[at],
        *turning(action_ids.SHOW_ALL_PAGE_PREFIX, at, len(pages)),
        blocks.context(words.ANSWER_ON_CARD),
    ]
    return {
        **reading(words.SHOWN_TITLE, *body),
        "callback_id": action_ids.SHOW_ALL_WINDOW,
        "private_metadata": json.dumps(about),
    }


def notice(sentence: str) -> View:
    """A window that only says something."""
    return reading(words.SHOWN_TITLE, blocks.section(sentence))


def about(view: Payload, team: str) -> tuple[ThreadKey, int] | None:
    """The thread and the card that a window of ours is about."""
    told = loaded(view.get("private_metadata"))
    thread, card = addressed(text(told.get("address")), team), told.get("card")
    return (thread, card) if thread and isinstance(card, int) else None


def _asked(now: Conversation) -> Use:
    assert now.turn is not None, "only a turn asks for permission"
    return next(use for use in now.turn.uses if use.state is UseState.ASKED)


def _weight(block: Block) -> tuple[int, int]:
    return 1, len(json.dumps(block))
