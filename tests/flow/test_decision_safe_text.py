"""Whatever the model hands in: what reaches a card and the record is plain text within its limits."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from app.core.copy import texts
from app.core.errors import FailureKind
from app.core.text.sanitize import MAX_BYTES
from app.core.text.untrusted import MAX_STRING
from app.playground.claude import Pace, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    details,
    leads_to_card,
    starts,
    submission,
    versions,
)
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")
MOST, EMOJI = 500, "👍🏽"
"""Characters of an option's description, and one that is two of them."""


@pytest.mark.req("S0-036", "S0-037", "S0-042")
@pytest.mark.req("S0-030")
async def test_scripts_mentions_markers_and_long_texts_are_plain_and_cut_on_card_and_in_the_record(room: Chat) -> None:
    hub, _ = await begins(room)
    await starts(room, hub, "problem_frame")
    await starts(room, hub, "objectives")
    thread = await starts(room, hub, "alternatives")
    options = deepcopy(minimal("alternatives"))
    options["alternatives"][0]["name"] = "<script>alert('x')</script>Oslo <!channel> *bold* <@U0EDPEN1F85>"
    options["alternatives"][1]["name"] = "Bergen [INST]now[/INST]"
    options["alternatives"][1]["description"] = "b" * (MOST - len(EMOJI)) + EMOJI
    too_long = deepcopy(options)
    too_long["alternatives"][1]["description"] = "b" * MAX_STRING + EMOJI
    await room.exchanges("Oslo or Bergen", "What else?", thread=thread)
    room.will_answer("Summary.", *(submission("alternatives", each) for each in (too_long, options)))
    await room.says("done", thread=thread)
    await card(room, thread)
    (told,) = [block for message in room.claude.requests[-1].prompt.messages for block in message.of("tool_result")]
    (wrong,) = json.loads(told["content"])["issues"]["invalid"]
    assert (wrong["field"], wrong["problem"]) == ("alternatives.1.description", "too long")
    assert len(wrong["provided"]) < 200
    shown = [m for m in room.thread(thread) if m.blocks]
    said = "\n".join((*(text_of(m) for m in shown), await details(room, thread)))
    assert [mark for mark in ("<script", "<!channel", "[INST]", "[/INST]") if mark in said] == []
    assert [m.text for m in shown if "<!channel" in m.text] == []
    await approves(room, thread)
    await room.rests()
    one, two = (await versions(room, hub))["alternatives", 1].data["alternatives"]
    assert "script" not in one["name"]
    assert "channel" not in one["name"]
    assert "Oslo" in one["name"]
    assert two["name"] == "Bergen now"
    assert two["description"].endswith(f"b{EMOJI}"), "it is kept to its last character"
    assert len(two["description"]) == MOST
    assert EMOJI in said


@pytest.mark.req("S0-026", "S0-028")
async def test_an_answer_in_a_step_that_grows_too_long_ends_with_a_sentence(room: Chat) -> None:
    _, thread = await begins(room)
    room.will_answer(Turn(text="word " * (MAX_BYTES // 5 + 1), pace=Pace(chunk=4_000)))
    await room.says("Where do we meet?", thread=thread)
    await room.sees(texts.FAILURES[FailureKind.OVERSIZED], thread=thread)


@pytest.mark.req("S0-030")
async def test_a_marker_that_comes_in_two_halves_is_never_seen(room: Chat) -> None:
    _, thread = await begins(room)
    room.will_answer(Turn(text="One.\n\n[INST]Two.\n\n<|system|>Three. What else?", pace=Pace(chunk=3, seconds=0.02)))
    await room.says("Where do we meet?", thread=thread)
    await room.sees("Three. What else?", thread=thread)
    written = [*room.calls("chat.update"), *room.calls("chat.postMessage")]
    assert "Two." in str(written)
    assert "INST" not in str(written)


@pytest.mark.req("S0-033")
async def test_a_submission_beyond_the_limits_is_an_error_that_the_model_can_mend(room: Chat) -> None:
    _, thread = await begins(room)
    await room.exchanges("Where do we meet?", "What else?", thread=thread)
    huge = {**ISSUES, "considerations": [{"handle": "C1", "text": "x" * MAX_BYTES}]}
    room.will_answer("Summary.", submission("issue_raising", huge), submission("issue_raising", ISSUES))
    await room.says("done", thread=thread)
    await card(room, thread)
    (told,) = [block for message in room.claude.requests[-1].prompt.messages for block in message.of("tool_result")]
    assert json.loads(told["content"])["result"] == "tool_error"


async def test_a_card_of_many_items_is_one_message_and_all_of_them_are_read_in_its_details(room: Chat) -> None:
    hub, thread = await begins(room)
    many = [
        {"handle": f"D{n}", "description": f"Decision {n}: {'how ' * 60}", "notes": "because " * 40}
        for n in range(1, 41)
    ]
    first = await leads_to_card(room, thread, "issue_raising", {**ISSUES, "potential_decisions": many}, "A lot")
    await room.rests()
    (page,) = [m for m in room.thread(thread) if m.ts >= first.ts]
    whole = await details(room, thread)
    assert all(f"Decision {n}:" in whole for n in range(1, 41)), "nothing is left out"
    await room.slack.people.clicks("Maya", "#general", page.ts, f"{action_ids.ANSWER_PREFIX}0")
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert len((await versions(room, hub))["issue_raising", 1].data["potential_decisions"]) == 40
