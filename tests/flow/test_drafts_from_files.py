"""*Draft from this file*: a table that somebody drops into a step becomes its draft, each part with its cell."""

from __future__ import annotations

from io import BytesIO

import pytest
from openpyxl import Workbook

from app.core.copy import decision_steps
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    details,
    presses,
    starts,
    submits,
    versions,
)
from tests.unit.decision.components.worked import minimal

AMOUNTS: Draft = {
    "table": {
        "cells": [
            {"alternative_id": "A1", "objective_id": "O1", "rating": 0, "quant_value": 41, "quant_unit": "km"},
            {"alternative_id": "A2", "objective_id": "O1", "rating": 1, "quant_value": 17, "quant_unit": "km"},
        ]
    }
}
FROM_BOARD = "from `board.xlsx`, without"
BUTTON = decision_steps.DRAFT_FROM_FILE


def board() -> bytes:
    """A workbook with options, an objective and amounts."""
    book, kept = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (("Option", "Shorten the way"), ("Oslo", 41), ("Bergen", 17)):
        sheet.append(row)
    book.save(kept)
    return kept.getvalue()


def measure(metric: str) -> Draft:
    return {"metric": metric, "direction": "minimize"}


async def brings(room: Chat, thread: str, name: str, content: bytes, said: str = "It is all in here.") -> None:
    """Maya drops a file into a step, and it is answered."""
    room.will_answer(f"I see {name}. What else?")
    await room.says(said, thread=thread, files={name: content})
    await room.sees(f"I see {name}.", thread=thread)
    await room.rests()


async def has_drafted(room: Chat, thread: str, component: str, data: Draft) -> str:
    """Maya presses the button, and the model drafts; gives all that the card and its details say."""
    asked = len(room.claude.requests)
    room.will_answer("It is clear.", *submits(component, data))
    await presses(room, thread, action_ids.DRAFT_FROM_FILES)
    await room.sees(f"{FROM_BOARD} asking you anything", thread=thread)
    shown = " ".join(text_of(await card(room, thread)).split())
    sent = [str(each.body["messages"]) for each in room.claude.requests[asked:]]
    assert len(sent) == 3, "the file is weighed, summed up and submitted"
    assert all(FROM_BOARD in each and "take options, objectives and amounts from there alone" in each for each in sent)
    return f"{shown} {await details(room, thread)}"


@pytest.mark.req("IN-07")
async def test_a_workbook_becomes_objectives_options_and_amounts_each_with_its_cell(room: Chat) -> None:
    hub, _ = await begins(room, "Where do we meet?")
    await starts(room, hub, "problem_frame")
    step = await starts(room, hub, "objectives")
    await brings(room, step, "board.xlsx", board())
    shown = await has_drafted(room, step, "objectives", minimal("objectives"))
    assert "Shorten the way · board.xlsx, B1" in shown
    await approves(room, step)
    await presses(room, step, action_ids.DRAFT_FROM_FILES)
    await room.sees(decision_steps.READ_ONLY, thread=step)

    step = await starts(room, hub, "alternatives")
    await brings(room, step, "board.xlsx", board())
    await room.stops()
    await room.starts()
    shown = await has_drafted(room, step, "alternatives", minimal("alternatives"))
    assert "Oslo · board.xlsx, A2" in shown
    assert "Bergen · board.xlsx, A3" in shown
    await approves(room, step)

    step = await starts(room, hub, "consequences")
    await brings(room, step, "board.xlsx", board())
    shown = await has_drafted(room, step, "consequences", AMOUNTS)
    assert "Nobody said this" not in shown
    assert "board.xlsx, B2" in shown
    assert "board.xlsx, B3" in shown
    await approves(room, step)
    await room.rests()
    traced = (await versions(room, hub))["consequences", 1].traces
    assert {("41", "B2"), ("17", "B3")} <= {(each.text.split()[0], each.place) for each in traced}


@pytest.mark.req("IN-07", "FA-14")
async def test_what_does_not_stand_in_the_file_is_marked_though_it_was_said_before(room: Chat) -> None:
    hub, _ = await begins(room, "Where do we meet?")
    await starts(room, hub, "problem_frame")
    step = await starts(room, hub, "objectives")
    await room.exchanges("We want less noise, below 55 dB.", "Less noise, below 55 dB.", thread=step)
    await brings(room, step, "board.xlsx", board(), said="Here are more.")
    objectives = [
        {"handle": "O1", "description": "Shorten the way", "performance_measure": measure("from 41")},
        {"handle": "O2", "description": "Less noise", "performance_measure": measure("below 55 dB")},
    ]
    shown = await has_drafted(room, step, "objectives", {"fundamental_objectives": objectives, "means_objectives": []})
    assert "⚠ Not in board.xlsx: 55 · O2 Less noise: below 55 dB" in shown
    assert "Not in board.xlsx: O2 Less noise." in shown
    assert "Nobody said" not in shown
    assert "Shorten the way · board.xlsx, B1" in shown
    assert "41 · board.xlsx, B2" in shown
    await presses(room, step, action_ids.CONFIRM_FIGURES)
    await room.sees("Approved as v1", thread=step)
    await room.rests()
    assert [each.text for each in (await versions(room, hub))["objectives", 1].vouched] == ["55"]


@pytest.mark.req("IN-07")
async def test_a_draft_is_offered_of_what_fits_and_a_late_press_is_answered_kindly(room: Chat) -> None:
    hub, _ = await begins(room, "Where do we meet?")
    frame = await starts(room, hub, "problem_frame")
    await brings(room, frame, "board.xlsx", board())
    assert not [m for m in room.thread(frame) if BUTTON in text_of(m)], "a table does not tell who decides what"
    await brings(room, frame, "minutes.txt", b"Ada decides where we meet in May.")
    assert [m for m in room.thread(frame) if BUTTON in text_of(m)], "a document can"

    step = await starts(room, hub, "objectives")
    ts = await room.exchanges("Here.", "I see it.", thread=step, files={"board.xlsx": board()})
    await room.rests()
    asked = len(room.claude.requests)
    await presses(room, step, action_ids.DRAFT_FROM_FILES, who="Sam")
    await room.sees("Only", thread=step, who="Sam")
    await room.slack.people.deletes("Maya", "#general", ts)
    await presses(room, step, action_ids.DRAFT_FROM_FILES)
    await room.sees(decision_steps.FILE_GONE, thread=step)
    assert len(room.claude.requests) == asked, "nothing was drafted"
