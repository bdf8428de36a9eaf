"""The card on which an owner allows or forbids a tool's access to the outside. Pure.

The action is quoted in plain words: nothing in it is markup or notifies anyone, and it cannot be mistaken for ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation.card import PermissionCard
from app.core.copy import permission_cards
from app.core.state.permission import PermissionChoice
from app.core.text.cutting import cut
from handlers.slack import action_ids
from handlers.views.kit import blocks, mrkdwn, rich_text
from handlers.views.kit.blocks import Block, RenderedMessage
from handlers.views.kit.packing import split_text

SHOWN_CHARS, SHOWN_LINES = 600, 8
"""Limits of the quoted action, so that the buttons are on the same screen; the rest is counted."""

MOST_NAMED = 8
"""Channels that a card names; the others are counted."""

FOR_GOOD = (PermissionChoice.ALWAYS, PermissionChoice.NEVER)


def render(card: PermissionCard, seq: int) -> RenderedMessage:
    """Return the question, or the choice that was made."""
    title = mrkdwn.render_verbatim(card.use.title)
    asks = permission_cards.ASKS.format(owner=f"<@{card.owner}>", title=title)
    counted = permission_cards.COUNTED.format(place=card.place, count=card.count) if card.count > 1 else ""
    sentence = " ".join(filter(None, (asks, counted)))
    words = card.use.shown.strip()
    begun = _cut_beginning(words)
    quoted = (rich_text.build_quote(begun),) if begun else ()
    more, is_closed = len(words) - len(begun), bool(card.decision or card.withdrawn)
    reasons = tuple(
        blocks.build_context(f"🔒 {mrkdwn.render_verbatim(remark)}") for remark in _list_some(card.use.remarks)
    )
    below = (*_render_closed(card, more),) if is_closed else (*_render_rest(more, seq), *_build_answers(card, seq))
    return RenderedMessage(
        text=cut(sentence, blocks.FALLBACK_CHARS), blocks=(blocks.build_section(sentence), *reasons, *quoted, *below)
    )


def _cut_beginning(words: str) -> str:
    lines = "\n".join(words.split("\n")[:SHOWN_LINES])
    return next(split_text(lines, SHOWN_CHARS), "").rstrip()


def _render_rest(more: int, seq: int) -> tuple[Block, ...]:
    """Return the count of the hidden characters, with a button that shows them; nothing if all are shown."""
    if not more:
        return ()
    show_all = blocks.build_button(action_ids.SHOW_ALL, permission_cards.SHOW_ALL, str(seq))
    return (blocks.build_section(permission_cards.MORE_WORDS.format(count=more)) | {"accessory": show_all},)


def _build_answers(card: PermissionCard, seq: int) -> tuple[Block, ...]:
    buttons = [
        blocks.build_button(action_ids.ANSWER_BUTTONS[place], label, f"{seq}:{place}", None if place else "primary")
        for place, label in enumerate(card.question.options)
    ]
    labels = _list_some([covered.label for covered in card.use.ruled] or [card.use.covers])
    covers = permission_cards.COVERS.format(covers=mrkdwn.render_verbatim("; ".join(labels)))
    return (blocks.build_context(covers), blocks.build_actions(*buttons), blocks.build_context(permission_cards.HINT))


def _list_some(sentences: Sequence[str]) -> list[str]:
    """Return the first sentences, and the number of the others."""
    more = len(sentences) - MOST_NAMED
    return [*sentences[:MOST_NAMED], *([permission_cards.MORE_PLACES.format(count=more)] if more > 0 else [])]


def _render_closed(card: PermissionCard, more: int) -> tuple[Block, ...]:
    counted = permission_cards.MORE_WORDS.format(count=more) if more else ""
    return tuple(map(blocks.build_context, filter(None, (counted, _describe_verdict(card)))))


def _describe_verdict(card: PermissionCard) -> str:
    if card.decision is None:
        return permission_cards.WITHDRAWN
    verdict = permission_cards.VERDICTS[card.decision]
    told = permission_cards.DECIDED.format(verdict=verdict, person=f"<@{card.by}>", time=blocks.format_time(card.at))
    return permission_cards.REVOCABLE.format(decided=told) if card.decision in FOR_GOOD else told
