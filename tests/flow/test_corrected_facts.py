"""A fact that was approved in one step and is corrected in the next: people and the model read what holds now."""

from __future__ import annotations

import pytest

from app.playground.claude import ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    leads_to_card,
    leads_to_record,
    presses,
    starts,
    talks,
    versions,
    window,
)
from tests.unit.decision.components.worked import minimal

FACT, NOW = "We are about 260 members", "We are about 240 members"
ISSUES = {**minimal("issue_raising"), "considerations": [{"handle": "C1", "text": FACT}]}
QUOTE = "it's 240 members, not 260"
CORRECT = ToolCall("change_item", {"item": "C1", "fields": {"text": NOW}, "quote": QUOTE})


@pytest.mark.req("FA-04", "FA-15")
async def test_what_the_next_step_corrects_of_an_approved_fact_is_told_wherever_the_fact_stands(room: Chat) -> None:
    hub, _ = await begins(room)
    await leads_to_record(room, "issue_raising", ISSUES)
    framed = await starts(room, hub, "problem_frame")
    await talks(room, framed, f"Ada decides. And {QUOTE}", Turn(parts=[CORRECT]), "Noted: 240. What is out?")
    shown = await leads_to_card(room, framed, "problem_frame", minimal("problem_frame"), "Nothing is.")
    assert f"Corrected since: C1 {NOW}" in text_of(shown)
    await approves(room, framed)
    await room.rests()

    await presses(room, hub, action_ids.RECORD)
    await window(room, f"Corrected in Problem frame: {NOW}")
    await room.slack.people.closes("Maya")
    await room.stops()
    await room.starts()
    await starts(room, hub, "objectives")
    await room.rests()
    assert f"C1 {FACT} – corrected in Problem frame: {NOW}" in str(room.claude.requests[-1].body)
    approved = (await versions(room, hub))["issue_raising", 1]
    assert approved.data["considerations"][0]["text"] == FACT, "what was approved stays as it was"
