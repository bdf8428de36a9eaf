"""The card on which an owner allows or forbids a tool's access to the outside. Pure.

The action is quoted in plain words: nothing in it is markup or notifies anyone, and it cannot be mistaken for ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation.card import PermissionCard
from app.core.copy import permission_cards
from app.core.state.permission import LABELS, RECOMMENDED_AFTER, PermissionChoice
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from handlers.slack import action_ids
from handlers.views.kit import blocks, mrkdwn, rich_text
from handlers.views.kit.blocks import Block, RenderedMessage
from handlers.views.kit.packing import split_text

SHOWN_CHARS, SHOWN_LINES = 600, 8
"""Limits of the quoted action, so that the buttons are on the same screen; the rest is counted."""

MOST_NAMED = 8
"""Channels that a card names; the others are counted."""

FOR_GOOD = (PermissionChoice.ALWAYS, PermissionChoice.NEVER)

BUTTONS = (*action_ids.ANSWER_BUTTONS, action_ids.ALLOW_ALL_BUTTON)
"""The four choices, and the fifth of a card that lists several writes."""

ALWAYS_PLACE = [choice for choice, _ in LABELS].index(PermissionChoice.ALWAYS)

TOGETHER_CHARS = 250
"""Characters of a listed write: eight of them, escaped, fit a section."""


def render(card: PermissionCard, seq: int) -> RenderedMessage:
    """Return the question, or the choice that was made."""
    asks = permission_cards.ASKS.format(owner=f"<@{card.owner}>", title=mrkdwn.render_verbatim(card.use.title))
    counted = permission_cards.COUNTED.format(place=card.place, count=card.count) if card.count > 1 else ""
    sentence = " ".join(filter(None, (asks, counted)))
    words = card.use.shown.strip()
    begun = _cut_beginning(words)
    said_of = cut(card.use.said_of, SHOWN_CHARS)
    foreign = (blocks.build_verbatim_context(said_of),) if said_of else ()
    quoted = (*([rich_text.build_quote(begun)] if begun else []), *foreign)
    more = len(words) - len(begun) + len(card.use.said_of) - len(said_of)
    is_closed = bool(card.decision or card.withdrawn)
    reasons = tuple(map(blocks.build_reason, _list_some(card.use.remarks)))
    below = (
        (*_render_closed(card, more),) if is_closed else (*_render_rest(card, more, seq), *_build_answers(card, seq))
    )
    return RenderedMessage(
        text=cut(sentence, blocks.FALLBACK_CHARS), blocks=(blocks.build_section(sentence), *reasons, *quoted, *below)
    )


def _cut_beginning(words: str) -> str:
    lines = "\n".join(words.split("\n")[:SHOWN_LINES])
    return next(split_text(lines, SHOWN_CHARS), "").rstrip()


def _render_rest(card: PermissionCard, more: int, seq: int) -> tuple[Block, ...]:
    """Return what is not shown in full, with a button that shows it: characters, places, and the other writes."""
    told = [permission_cards.MORE_WORDS.format(count=more)] if more else []
    told += [permission_cards.MORE_REASONS] if len(card.use.remarks) > MOST_NAMED else []
    told += [permission_cards.LISTED, *_list_together(card)] if card.together else []
    if not told:
        return ()
    show_all = blocks.build_button(action_ids.SHOW_ALL, permission_cards.SHOW_ALL, str(seq))
    return (blocks.build_section("\n".join(told)) | {"accessory": show_all},)


def _list_together(card: PermissionCard) -> list[str]:
    """Return a line for each write that one button allows, and the number of those beyond the first."""
    lines = [
        permission_cards.TOGETHER.format(number=number, what=mrkdwn.render_verbatim(cut(what, TOGETHER_CHARS)))
        for number, what in enumerate(card.together, 1)
    ]
    return _list_some(lines)


def _build_answers(card: PermissionCard, seq: int) -> tuple[Block, ...]:
    best = ALWAYS_PLACE if card.use.recommended else 0
    buttons = [
        blocks.build_button(action, label, f"{seq}:{place}", "primary" if place == best else None)
        for place, (action, label) in enumerate(zip(BUTTONS, card.question.options, strict=False))
    ]
    advice = permission_cards.RECOMMENDED.format(count=RECOMMENDED_AFTER)
    return (
        *([blocks.build_context(advice)] if card.use.recommended else []),
        blocks.build_context(permission_cards.COVERS.format(covers=_name_scope(card))),
        blocks.build_actions(*buttons),
        blocks.build_context(permission_cards.HINT),
    )


def _name_scope(card: PermissionCard) -> str:
    """Return what a permanent choice covers."""
    labels = list(dict.fromkeys(covered.label for covered in card.use.ruled)) or [card.use.covers]
    head = permission_cards.COVERS_SOURCE.format(covers=card.use.covers, source="")
    sources = [label.removeprefix(head) for label in labels if label.startswith(head)]
    is_alike = len(sources) == len(labels)
    return mrkdwn.render_verbatim(
        f"{head}{join_words(sources, MOST_NAMED)}" if is_alike else "; ".join(_list_some(labels))
    )


def _list_some(sentences: Sequence[str]) -> list[str]:
    """Return the first sentences, and the number of the others."""
    more = len(sentences) - MOST_NAMED
    return [*sentences[:MOST_NAMED], *([permission_cards.MORE_PLACES.format(count=more)] if more > 0 else [])]


def _render_closed(card: PermissionCard, more: int) -> tuple[Block, ...]:
    counted = permission_cards.MORE_WORDS.format(count=more) if more else ""
    listed = "\n".join(_list_together(card)) if card.all_allowed else ""
    return tuple(map(blocks.build_context, filter(None, (counted, listed, _describe_verdict(card)))))


def _describe_verdict(card: PermissionCard) -> str:
    if card.decision is None:
        return permission_cards.WITHDRAWN
    verdict = _name_verdict(card, card.decision)
    told = permission_cards.DECIDED.format(verdict=verdict, person=f"<@{card.by}>", time=blocks.format_time(card.at))
    if card.forbidden:
        return permission_cards.SEE_RULES.format(decided=told)
    if card.decision not in FOR_GOOD:
        return told
    return permission_cards.REVOCABLE.format(decided=told, covers=_name_scope(card))


def _name_verdict(card: PermissionCard, decision: PermissionChoice) -> str:
    count = len(card.together) if card.all_allowed else 1
    if card.forbidden:
        done = count - card.forbidden
        return permission_cards.SOME_FORBIDDEN.format(done=done, count=count) if done else permission_cards.FORBIDDEN
    return permission_cards.ALL_ALLOWED.format(count=count) if card.all_allowed else permission_cards.VERDICTS[decision]
