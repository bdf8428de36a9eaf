"""What is too wide or too long: a pane shows the whole card, Slack takes each message, and words stay whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from app.core.conversation.card import Card, HubCard, NoteCard, NotesCard, QuestionCard, ReviewCard, StepCard, StepState
from app.core.conversation.conversation import Message
from app.core.reactions import messages
from app.core.state.interview import UnsaidFigure
from app.core.state.permission import Policy
from app.core.state.sheet import Grid, Head, Item, Listing, Matrix, Rating, Sheet
from app.decision.analysis.ratings import MOST
from app.decision.drafts.draft import Accepted, read
from app.decision.layout import sheets
from app.decision.schema.terms import format_signed
from handlers.views.cards.hub_card import render_first_message
from handlers.views.cards.thread_cards import render_card
from handlers.views.editing.list_window import build_notice
from handlers.views.kit import blocks, summary_line
from handlers.views.kit.blocks import RenderedMessage
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import PermissionOverview
from tests.properties import limit_examples
from tests.unit.core.live import Live
from tests.unit.decision.components.worked import PLAYBOOK, rated
from tests.unit.handlers.decided import hub
from tests.unit.handlers.shown import PLACE, SEQ, controls, show_all
from tests.unit.handlers.steps_of import DECISION, DRAFT, NEXT, NOTED, QUESTION, REVIEW
from tests.unit.handlers.talks import talk
from tests.virtual import START

STEP = PLAYBOOK["consequences"]

STORED = Path(__file__).parents[2] / "fixtures" / "stored" / "messages.jsonl"
ROWS: TypeAdapter[Message] = TypeAdapter(Message)
CARDS = [row.card for row in map(ROWS.validate_json, STORED.read_text("utf-8").splitlines()) if row.card]

WIDE = Sheet(
    sections=(
        Grid(
            title="Actions",
            header=("What", "Who", "By when", "Supports", "Needs"),
            rows=(("N1 Call two labs", "Piet", "8 January 2027", "O1", "a day"),),
        ),
        Matrix(
            title="Ratings",
            rows=(Head(handle="A1", name="Wait"),),
            columns=tuple(Head(handle=f"O{number}", name="Cost") for number in range(1, 8)),
            cells=(tuple(Rating(value=1) for _ in range(7)),),
        ),
    )
)
"""Two tables as steps had them before results had an essence."""


def labels(rendered: RenderedMessage) -> list[str]:
    """The labels of its buttons."""
    return [each["text"]["text"] for each in controls(rendered) if each["type"] == "button"]


KINDS: tuple[type[Any], ...] = get_args(get_args(Card)[0])


@pytest.mark.req("FA-23")
def test_no_card_of_any_kind_that_was_ever_stored_has_a_table() -> None:
    assert {card.kind for card in CARDS} == {kind.__dataclass_fields__["kind"].default for kind in KINDS}
    types = {block["type"] for card in CARDS for page in show_all(card) for block in page.blocks}
    assert "rich_text" in types
    assert "table" not in types


@pytest.mark.req("FA-23")
@pytest.mark.parametrize("card", [each for each in CARDS if isinstance(each, StepCard | ReviewCard | NotesCard)])
def test_wide_tables_that_were_stored_without_an_essence_are_shown_with_one_row_a_line(
    card: StepCard | ReviewCard | NotesCard,
) -> None:
    told = "\n".join(extract_text(page.blocks) for page in show_all(replace(card, sheet=WIDE)))
    outdated = isinstance(card, StepCard) and card.state not in {StepState.OPEN, StepState.APPROVED}
    if outdated or (isinstance(card, ReviewCard) and card.done):
        assert "N1 Call two labs" not in told
    else:
        assert "• N1 Call two labs\nWho: Piet\nBy when: 8 January 2027\nSupports: O1\nNeeds: a day" in told
        assert "\n    • O7 Cost: 🟩 +1" in told


def test_a_table_of_50_options_and_50_objectives_is_shown_whole_and_can_be_approved() -> None:
    so_far = rated({f"A{option}": [0] * MOST for option in range(1, MOST + 1)}, key="consequences")
    cells: list[Any] = [
        {"alternative_id": option, "objective_id": objective, "rating": 1, "rationale": "As in the last winters."}
        for option in so_far.alternatives[1:]
        for objective in so_far.objectives
    ]
    verdict = read(STEP, {"table": {"cells": cells}}, so_far)
    assert isinstance(verdict, Accepted)
    sheet = sheets.build_sheet(STEP, verdict.draft, so_far)
    pages = show_all(replace(DRAFT, component=STEP.key, sheet=replace(sheet, essence=()), missing=verdict.missing))
    lines = [line for page in pages for line in extract_text(page.blocks).splitlines()]
    shown = [line for line in lines if line.startswith("    • O")]
    assert len(shown) == MOST * MOST
    assert sum(format_signed(1) in each for each in shown) == (MOST - 1) * MOST
    assert "Approve" in labels(pages[-1])


def test_a_table_in_which_nothing_is_rated_yet_is_shown_with_all_that_is_missing() -> None:
    so_far = rated({f"A{option}": [0] * MOST for option in range(1, MOST + 1)}, key="consequences")
    verdict = read(STEP, {"table": {"cells": []}}, so_far)
    assert isinstance(verdict, Accepted)
    (missing,) = verdict.missing
    assert missing.startswith(f"ratings on {', '.join(f'O{number}' for number in range(1, MOST))} and O{MOST}: A2 ")
    pages = show_all(
        replace(
            DRAFT, component=STEP.key, sheet=sheets.build_sheet(STEP, verdict.draft, so_far), missing=verdict.missing
        )
    )
    assert "Approve" not in labels(pages[-1])


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
