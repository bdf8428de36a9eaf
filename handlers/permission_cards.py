"""The card on which somebody allows or forbids something outside (design §6, Permission). Pure.

What would be done is quoted in plain words: nothing in it is markup, it pings nobody, and it cannot pass for our own.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core import texts_permissions as texts
from app.core.cards import PermissionCard
from app.core.permissions import Decision
from handlers import action_ids, blocks, mrkdwn, rich_text
from handlers.blocks import Block, Rendered
from handlers.packing import pieces

SHOWN_CHARS, SHOWN_LINES = 600, 8
"""Of what would be done, so that the answers stand on the same screen; the rest is counted."""

MOST_NAMED = 8
"""Places that a card names; of more it says how many."""

FOR_GOOD = (Decision.ALWAYS, Decision.NEVER)


def shown(card: PermissionCard, seq: int) -> Rendered:
    """Ask, or tell what was decided."""
    title = mrkdwn.verbatim(card.use.title)
    asks = texts.ASKS.format(owner=f"<@{card.owner}>", title=title)
    counted = texts.COUNTED.format(place=card.place, count=card.count) if card.count > 1 else ""
    sentence = " ".join(filter(None, (asks, counted)))
    words = card.use.shown.strip()
    begun = _beginning(words)
    quoted = (rich_text.quote(begun),) if begun else ()
    more, is_closed = len(words) - len(begun), bool(card.decision or card.withdrawn)
    reasons = tuple(blocks.context(f"🔒 {mrkdwn.verbatim(remark)}") for remark in _some(card.use.remarks))
    below = (*_closed(card, more),) if is_closed else (*_rest(more, seq), *_answers(card, seq))
    return Rendered(
        text=sentence[: blocks.FALLBACK_CHARS], blocks=(blocks.section(sentence), *reasons, *quoted, *below)
    )


def _beginning(words: str) -> str:
    lines = "\n".join(words.split("\n")[:SHOWN_LINES])
    return next(pieces(lines, SHOWN_CHARS), "").rstrip()


def _rest(more: int, seq: int) -> tuple[Block, ...]:
    """What is not shown of the words, with the button that shows it; nothing if all of them are."""
    if not more:
        return ()
    show_all = blocks.button(action_ids.SHOW_ALL, texts.SHOW_ALL, str(seq))
    return (blocks.section(texts.MORE_WORDS.format(count=more)) | {"accessory": show_all},)


def _answers(card: PermissionCard, seq: int) -> tuple[Block, ...]:
    buttons = [
        blocks.button(action_ids.ANSWER_BUTTONS[place], label, f"{seq}:{place}", None if place else "primary")
        for place, label in enumerate(card.question.options)
    ]
    labels = _some([covered.label for covered in card.use.ruled] or [card.use.covers])
    covers = texts.COVERS.format(covers=mrkdwn.verbatim("; ".join(labels)))
    return (blocks.context(covers), blocks.actions(*buttons), blocks.context(texts.HINT))


def _some(sentences: Sequence[str]) -> list[str]:
    """The first of them, and how many more there are."""
    more = len(sentences) - MOST_NAMED
    return [*sentences[:MOST_NAMED], *([texts.MORE_PLACES.format(count=more)] if more > 0 else [])]


def _closed(card: PermissionCard, more: int) -> tuple[Block, ...]:
    counted = texts.MORE_WORDS.format(count=more) if more else ""
    return tuple(map(blocks.context, filter(None, (counted, _verdict(card)))))


def _verdict(card: PermissionCard) -> str:
    if card.decision is None:
        return texts.WITHDRAWN
    verdict = texts.VERDICTS[card.decision]
    told = texts.DECIDED.format(verdict=verdict, person=f"<@{card.by}>", time=blocks.time_of(card.at))
    return texts.REVOCABLE.format(decided=told) if card.decision in FOR_GOOD else told
