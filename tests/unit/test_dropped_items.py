"""What a step has dropped keeps its name where a later one still speaks of it: nobody reads a bare handle."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import asdict, replace
from typing import Any, Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.sheet import Facts, Listing, Matrix, Sheet
from app.decision.schema.paths import Draft, is_object
from tests.properties import limit_examples
from tests.unit.core.interviews import HUB
from tests.unit.decision.components.worked import KEYS, example
from tests.unit.stored_decision import THREE, StoredDecision

_BARE: Final = re.compile(r"\b[AO][0-9]+\b(?! \w)")
"""A handle that no word follows."""

AGENTS = "A4 Three part-time weekend agents (not there any more)"


def without(*handles: str) -> Draft:
    """The example's options without some of them."""
    draft = example("alternatives")
    draft["alternatives"] = [each for each in draft["alternatives"] if each["handle"] not in handles]
    del draft["strategy_table"]
    return draft


async def approved(*later: Draft) -> StoredDecision:
    """The example, and further versions of its options."""
    stored = StoredDecision()
    for key in KEYS:
        await stored.approves(key, example(key))
    for number, draft in enumerate(later, 2):
        await stored.approves("alternatives", draft, number)
    return stored


async def test_the_choice_of_an_option_that_was_dropped_says_what_it_was_and_that_it_is_gone() -> None:
    stored = await approved(without("A4"))
    sheet = stored.book.laid_out(await stored.store.versions.list(HUB), "")["notes_next_steps"]
    facts = next(each for each in sheet.sections if isinstance(each, Facts))
    assert dict(facts.rows)["Decision"] == f"{AGENTS} · leaning"


async def test_an_option_that_is_there_is_not_said_to_be_gone() -> None:
    stored = await approved()
    assert "not there any more" not in str(stored.book.laid_out(await stored.store.versions.list(HUB), ""))


@pytest.mark.parametrize("turn", [1, -1])
async def test_it_goes_by_the_name_that_it_had_last_in_whatever_order_the_versions_come(turn: int) -> None:
    renamed = without()
    renamed["alternatives"][3]["name"] = "Four agents"
    stored = await approved(renamed, without("A4"))
    sheet = stored.book.laid_out((await stored.store.versions.list(HUB))[::turn], "")["recommendation"]
    named = [each.text for one in sheet.sections if isinstance(one, Listing) for each in one.items]
    assert "Four agents (not there any more)" in named


async def test_what_is_left_out_of_a_draft_because_it_was_dropped_is_named() -> None:
    stored = await approved(without("A4"))
    notes = await stored.book.bring_up_to_date(await stored.step("notes_next_steps", draft=example("notes_next_steps")))
    assert notes is not None
    assert f"Left out, because it is not there any more: {AGENTS.partition(' (')[0]}." in notes.remarks


async def test_a_status_quo_that_was_dropped_is_named_where_the_ratings_are_asked_for_anew() -> None:
    stored, other = StoredDecision(), deepcopy(THREE)
    await stored.approves_all("issue_raising", "problem_frame", "objectives", "alternatives")
    cells = [{"alternative_id": "A2", "objective_id": "O1", "rating": 1}]
    await stored.approves("consequences", {"table": {"baseline_id": "A1", "cells": cells}})
    other["alternatives"] = [{**each, "is_status_quo": each["handle"] == "A2"} for each in other["alternatives"][1:]]
    await stored.approves("alternatives", {**other, "status_quo_id": "A2"}, 2)
    now = await stored.step("consequences")
    table = await stored.book.bring_up_to_date(now)
    assert table is not None
    assert (
        "The ratings compared with A1 Oslo (not there any more), but A2 Bergen is the status quo now. "
        "They have to be given anew."
    ) in table.remarks
    assert (await stored.book.so_far(now)).label("A9") == "A9", "what never was has no name"


def bare(shown: Any) -> list[str]:
    """The handles in something shown that stand without a name."""
    if isinstance(shown, str):
        return _BARE.findall(shown)
    if isinstance(shown, list | tuple):
        return [each for inner in cast("list[Any]", shown) for each in bare(inner)]
    if not is_object(shown):
        return []
    named = [shown["handle"]] if shown.get("handle") and not shown.get("text", shown.get("name")) else []
    return named + [each for name, inner in shown.items() if name != "handle" for each in bare(inner)]


def named_in_tables(sheet: Sheet) -> set[str]:
    """The handles that the sheet's tables of ratings name."""
    tables = [each for each in sheet.sections if isinstance(each, Matrix)]
    return {head.handle for each in tables for head in (*each.rows, *each.columns) if head.name}


@limit_examples(15)
@given(st.sets(st.sampled_from(("A2", "A3", "A4", "A5", "A6"))), st.sets(st.sampled_from(("O1", "O2", "O3", "O6"))))
async def test_whatever_options_and_objectives_are_dropped_no_handle_is_read_without_a_name(
    options: set[str], objectives: set[str]
) -> None:
    stored, fewer = await approved(without(*options)), example("objectives")
    aims = [each for each in fewer["fundamental_objectives"] if each["handle"] not in objectives]
    await stored.approves("objectives", {**fewer, "fundamental_objectives": aims, "means_objectives": []}, 2)
    for sheet in stored.book.laid_out(await stored.store.versions.list(HUB), "").values():
        assert bare(asdict(replace(sheet, essence=()))) == []
        assert set(bare(sheet.essence)) <= named_in_tables(sheet), "ratings in short are of what the table names"
