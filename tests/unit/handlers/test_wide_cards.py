"""The card of a table of 50 × 50 ratings: every message of it is one that Slack takes, and the last one approves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.decision.analysis.ratings import MOST
from app.decision.drafts.draft import Accepted, read
from app.decision.layout import sheets
from app.decision.layout.parts import words
from handlers.views.kit.blocks import RenderedMessage
from tests.unit.decision.components.worked import PLAYBOOK, rated
from tests.unit.handlers.shown import controls, show_all
from tests.unit.handlers.steps_of import DRAFT

STEP = PLAYBOOK["consequences"]


def labels(rendered: RenderedMessage) -> list[str]:
    """The labels of its buttons."""
    return [each["text"]["text"] for each in controls(rendered) if each["type"] == "button"]


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
    tables = [block for page in pages for block in page.blocks if block["type"] == "table"]
    shown = [cell["text"] for table in tables for row in table["rows"][1:] for cell in row[1:]]
    assert len(shown) == MOST * MOST
    assert sum(words.format_signed(1) in each for each in shown) == (MOST - 1) * MOST
    assert len(pages) <= len(tables) + 2
    assert "Approve" in labels(pages[-1])


def test_a_table_in_which_nothing_is_rated_yet_is_shown_with_all_that_is_missing() -> None:
    so_far = rated({f"A{option}": [0] * MOST for option in range(1, MOST + 1)}, key="consequences")
    verdict = read(STEP, {"table": {"cells": []}}, so_far)
    assert isinstance(verdict, Accepted)
    assert len(verdict.missing) == MOST
    pages = show_all(
        replace(
            DRAFT, component=STEP.key, sheet=sheets.build_sheet(STEP, verdict.draft, so_far), missing=verdict.missing
        )
    )
    assert "Approve" not in labels(pages[-1])
