"""Whatever is too long for a card or a window is cut where a word ends, in every view."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import Card, HubCard, NoteCard, QuestionCard
from app.core.reactions import messages
from app.core.state.interview import UnsaidFigure
from app.core.state.permission import Policy
from app.core.state.sheet import Item, Listing, Sheet
from handlers.views.cards.hub_card import render_first_message
from handlers.views.cards.thread_cards import render_card
from handlers.views.editing.list_window import build_notice
from handlers.views.kit import blocks, summary_line
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import PermissionOverview
from tests.properties import limit_examples
from tests.unit.core.live import Live
from tests.unit.handlers.decided import hub
from tests.unit.handlers.shown import PLACE, SEQ
from tests.unit.handlers.steps_of import DECISION, DRAFT, NEXT, NOTED, QUESTION, REVIEW
from tests.unit.handlers.talks import talk
from tests.virtual import START

WORD = "zanzibar"


def cards(long: str) -> Iterator[Card]:
    """Every card that shows words of people, full of these."""
    sheet = Sheet(essence=(long, long), sections=(Listing(title=long, items=(Item(text=long, notes=(long,)),)),))
    bare = replace(sheet, essence=())
    asked = replace(QUESTION, prompt=long)
    steps = tuple(replace(each, title=long[:60].rpartition(" ")[0], gist=long) for each in DECISION.steps)
    yield HubCard(decision=replace(DECISION, question=long, steps=steps), owner="U1")
    yield QuestionCard(question=asked, owner="U1")
    for shown in (sheet, bare):
        yield replace(
            DRAFT,
            question=asked,
            title=long[:80].rpartition(" ")[0],
            sheet=shown,
            missing=(long,),
            remarks=(long, long),
            unsaid=(UnsaidFigure(text="15k", where=long),),
            changes=(long,),
        )
        yield replace(NOTED, sheet=shown, missing=(long,))
        yield replace(REVIEW, sheet=shown, causes=(long, long), changes=(long,), later=(long,))
    yield replace(NEXT, next_title=long)
    yield NoteCard(text=long)


def views(long: str) -> Iterator[Any]:
    for card in cards(long):
        for page in render_card(card, SEQ, PLACE):
            yield [page.text, *page.blocks]
    first = render_first_message(replace(DECISION, question=long), DECISION.steps[0].key, "U1", PLACE)
    yield [first.text, *first.blocks]
    for page in (blocks.render_page(long), blocks.render_unformatted(long)):
        yield page.text
    yield build_notice(long)
    titled = replace(hub(1), title=long, decision=replace(DECISION, question=long))
    view = summary_line.LinkContext(workspace_url=PLACE.workspace_url, now=START)
    yield render_home((titled, replace(talk(2), title=long)), view, PermissionOverview(rules=(), policy=Policy()), 0)


@pytest.mark.req("FA-10")
@given(st.text("ab ", max_size=9), st.integers(5, 900))
@limit_examples(20)
def test_no_view_cuts_within_a_word(begins: str, count: int) -> None:
    for view in views(begins + f" {WORD}" * count):
        torn = {each for each in re.findall(r"z[a-z]*", json.dumps(view)) if each != WORD}
        assert not torn - {"z"}, view


@pytest.mark.req("FA-10")
def test_the_title_of_a_conversation_ends_with_a_word() -> None:
    live = Live(replace(Live().now, title=""))
    said = live.message(f"{WORD} " * 40)
    live.apply(said, said.receipt)
    assert live.now.title.endswith(f"{WORD}…")
    assert len(live.now.title) <= messages.TITLE_CHARS
