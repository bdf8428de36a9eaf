"""The windows that show the whole of what a message says in short: an action, a step's result, what was read. Pure.

What exceeds a window's limits has several pages.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from app.core.conversation.card import NotesCard, ReviewCard, StepCard
from app.core.conversation.conversation import Conversation, Message
from app.core.copy import decision_steps, permission_cards, texts
from app.core.state.question import Origin
from app.core.state.sheet import Section
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use, UseState
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from app.ports.servers import SEPARATOR, name_tool_and_server
from handlers.slack import action_ids
from handlers.slack.payload import Payload, parse_object
from handlers.views.cards.sheet_pages import render_sections
from handlers.views.cards.step_card import list_notes, list_review, list_whole
from handlers.views.kit import blocks, mrkdwn, rich_text
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import pack, split_text
from handlers.views.kit.readable import render_data, render_input
from handlers.views.windows import forms
from handlers.views.windows.forms import View, build_page_buttons, build_read_only_window

PARAGRAPH: Final = rich_text.BLOCK_CHARS
"""Characters of one block. Slack allows 3,000 for other texts, and documents no limit here."""

PAGE_BLOCKS, PAGE_BYTES = 10, 100_000
"""Limits of a page: few enough to read. Slack's are 100 blocks and 250 KB."""

HEADED: Final = 3
"""Blocks at the beginning of a part that are kept on one page."""

DETAILS_BLOCKS: Final = 90
"""Limit of a page of a result, whose blocks are short."""


def explain_refusal(now: Conversation | None, user: str, card: int) -> str:
    """Return why this person may not see the action of the card with that `seq`; empty if they may."""
    if now is None:
        return texts.NOTHING_HERE
    if now.owner != user:
        return texts.NOT_OWNER.format(owner=f"<@{now.owner}>")
    asked = now.question
    is_open = asked is not None and asked.origin is Origin.PERMISSION and asked.card == card
    return "" if is_open else permission_cards.DECIDED_ALREADY


def build_window(now: Conversation, page: int = 0) -> View:
    """Return a page of the action that the owner is asked to allow. A number too high gives the last page."""
    assert now.question is not None, "what waits for nothing is refused"
    assert now.turn is not None, "only a turn asks for permission"
    pages = _pack_parts(_render_use(use) for use in now.turn.uses if use.state is UseState.ASKED)
    foot = blocks.build_context(permission_cards.ANSWER_ON_CARD)
    return _build_page(permission_cards.SHOWN_TITLE, pages, page, (now.thread, now.question.card), foot)


def build_details_window(card: StepCard | ReviewCard | NotesCard, thread: ThreadKey, seq: int, page: int = 0) -> View:
    """Return a page of the result on the card with this `seq`. A number too high gives the last page."""
    content = (block for group in render_sections(_list_sections(card)) for block in group)
    pages = pack(content, _weigh, (DETAILS_BLOCKS, PAGE_BYTES)) or [[blocks.build_context(decision_steps.NOTHING)]]
    return _build_page(cut(card.title, blocks.TITLE_CHARS), pages, page, (thread, seq))


def build_activity_window(reply: Message, tools: Container[str], thread: ThreadKey, page: int = 0) -> View:
    """Return a page of what these tools, and those of servers, were asked and brought for a reply.

    A number too high gives the last page. What cannot be read any more gives a window that says so.
    """
    said: list[dict[str, Any]] = json.loads(reply.content or "[]")
    parts = chain.from_iterable(_render_call(call, result) for call, result in _pair_calls(said, tools))
    pages = _pack_parts(parts) or [[blocks.build_context(texts.NO_DETAILS)]]
    return _build_page(texts.DETAILS_TITLE, pages, page, (thread, reply.seq))


def _build_page(
    title: str, pages: Sequence[Sequence[Block]], page: int, about: tuple[ThreadKey, int], *foot: Block
) -> View:
    """Return a page of a window about the card or reply of this thread with this `seq`."""
    at, (thread, seq) = min(page, len(pages) - 1), about
    turns = build_page_buttons(action_ids.SHOW_ALL_PAGE_PREFIX, at, len(pages))
    kept = {"address": blocks.format_address(thread), "card": seq}
    return build_read_only_window(title, *pages[at], *turns, *foot) | forms.mark(action_ids.SHOW_ALL_WINDOW, kept)


def _pack_parts(parts: Iterable[Iterable[Block]]) -> list[list[Block]]:
    """Put parts on pages. What heads a part stands on no other page than what comes first under it."""
    groups = chain.from_iterable((each[:HEADED], *zip(each[HEADED:])) for each in map(tuple, parts))
    pages = pack(groups, lambda group: (len(group), len(json.dumps(group))), (PAGE_BLOCKS, PAGE_BYTES))
    return [[*chain.from_iterable(page)] for page in pages]


def _pair_calls(
    said: Sequence[dict[str, Any]], tools: Container[str]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each call of these tools that has a result, with the block of the result."""
    calls = dict[str, dict[str, Any]]()
    for block in (block for message in said for block in message["content"]):
        if block["type"] == "tool_use" and (block["name"] in tools or SEPARATOR in block["name"]):
            calls[block["id"]] = block
        elif block["type"] == "tool_result" and block["tool_use_id"] in calls:
            yield calls[block["tool_use_id"]], block


def _render_call(call: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Iterable[Block]]:
    """Yield what was asked for, and what came of it."""
    title = name_tool_and_server(call["name"])
    title = f"{title[:1].upper()}{title[1:]}"
    head = blocks.build_section(permission_cards.SHOWN_USE.format(title=mrkdwn.render_verbatim(cut(title, 200))))
    given: dict[str, Any] = call["input"]
    asked = render_data(json.dumps(given, ensure_ascii=False)) if SEPARATOR in call["name"] else render_input(given)
    came = (blocks.build_context(texts.BROUGHT), *_quote(_describe_result(result)))
    if asked:
        yield (head, blocks.build_context(texts.ASKED_FOR), *_quote(asked))
        yield came
    else:
        yield (head, *came)


def _describe_result(result: Mapping[str, Any]) -> str:
    """Return what came of a call. Why one failed was told to the model, in words that are for it alone."""
    told: str = result["content"]
    if result.get("is_error") and not parse_object(told):
        return texts.PERHAPS_BROUGHT if told == UNKNOWN_OUTCOME else texts.BROUGHT_FAILED
    return render_data(told) or texts.BROUGHT_NOTHING


def _quote(words: str) -> Iterator[Block]:
    return map(rich_text.build_quote, split_text(words, PARAGRAPH))


def _list_sections(card: StepCard | ReviewCard | NotesCard) -> tuple[Section, ...]:
    match card:
        case StepCard():
            return list_whole(card)
        case NotesCard():
            return list_notes(card)
        case _:
            return list_review(card)


def find_card(view: Payload, team: str) -> tuple[ThreadKey, int] | None:
    """Return thread and card of a window."""
    thread, card = forms.read_address(view, team), forms.read_about(view).get("card")
    return (thread, card) if thread and isinstance(card, int) else None


def _render_use(use: Use) -> Iterator[Block]:
    title = mrkdwn.render_verbatim(f"{use.title[:1].upper()}{use.title[1:]}")
    yield blocks.build_section(permission_cards.SHOWN_USE.format(title=title))
    yield from map(blocks.build_reason, use.remarks)
    yield from _quote(use.shown.strip())
    yield from _quote(use.said_of)


def _weigh(block: Block) -> tuple[int, int]:
    return 1, len(json.dumps(block))
