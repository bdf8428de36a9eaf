"""The card on which somebody allows or forbids something outside (design §6, Permission). Pure.

What would be done is shown in plain words: nothing in it is markup, and it pings nobody.
"""

from __future__ import annotations

from app.core import texts_permissions as texts
from app.core.cards import PermissionCard
from handlers import blocks, mrkdwn
from handlers.blocks import Block, Rendered

SHOWN_CHARS = 2_900
"""Of what would be done, in one paragraph; Slack: 3,000."""

PARAGRAPHS = 2
"""How many of them are shown; of what is longer the rest is counted."""


def shown(card: PermissionCard, seq: int) -> Rendered:
    """Ask, or tell what was decided."""
    title = mrkdwn.verbatim(card.use.title)
    asks = texts.ASKS.format(owner=f"<@{card.owner}>", title=title)
    counted = texts.COUNTED.format(place=card.place, count=card.count) if card.count > 1 else ""
    sentence = " ".join(filter(None, (asks, counted)))
    body = (blocks.section(sentence), *_material(card.use.shown))
    below = _closed(card) if card.decision or card.withdrawn else _answers(card, seq)
    return Rendered(text=sentence[: blocks.FALLBACK_CHARS], blocks=(*body, *below))


def _material(words: str) -> tuple[Block, ...]:
    pieces = [words[at : at + SHOWN_CHARS] for at in range(0, len(words), SHOWN_CHARS)]
    more = len(words) - SHOWN_CHARS * PARAGRAPHS
    counted = (blocks.context(texts.MORE_WORDS.format(count=more)),) if more > 0 else ()
    return (*(blocks.words(piece) for piece in pieces[:PARAGRAPHS] if piece.strip()), *counted)


def _answers(card: PermissionCard, seq: int) -> tuple[Block, ...]:
    buttons = [
        blocks.button(f"{blocks.ANSWER_ACTIONS}{place}", label, f"{seq}:{place}", None if place else "primary")
        for place, label in enumerate(card.question.options)
    ]
    covers = texts.COVERS.format(covers=mrkdwn.verbatim(card.use.covers))
    return (blocks.context(covers), blocks.actions(*buttons), blocks.context(texts.HINT))


def _closed(card: PermissionCard) -> tuple[Block, ...]:
    if card.decision is None:
        return (blocks.context(texts.WITHDRAWN),)
    verdict = texts.VERDICTS[card.decision]
    told = texts.DECIDED.format(verdict=verdict, person=f"<@{card.by}>", time=blocks.time_of(card.at))
    return (blocks.context(told),)
