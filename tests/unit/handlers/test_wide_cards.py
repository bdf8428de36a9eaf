"""Cards of wide tables: a thread's pane shows them whole, Slack takes each message, and the last one approves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from app.core.conversation.card import Card, NotesCard, ReviewCard, StepCard, StepState
from app.core.conversation.conversation import Message
from app.core.state.sheet import Grid, Head, Matrix, Rating, Sheet
from app.decision.analysis.ratings import MOST
from app.decision.drafts.draft import Accepted, read
from app.decision.layout import sheets
from app.decision.schema.terms import format_signed
from handlers.views.kit.blocks import RenderedMessage
from handlers.views.kit.plain_text import extract_text
from tests.unit.decision.components.worked import PLAYBOOK, rated
from tests.unit.handlers.shown import controls, show_all
from tests.unit.handlers.steps_of import DRAFT

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
