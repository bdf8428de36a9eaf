"""A step's answer or draft in several rounds: what was written meanwhile is read, and what breaks off goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.agent.tool_runner import READ_FIRST
from app.core.conversation.transition import QUEUED
from app.core.copy import texts
from app.core.state.interview import Phase
from app.playground.claude import Gate, Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.breaking import breaks, resumes, shown
from tests.flow.called import calls
from tests.flow.chat import Chat, hangs, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    conversation,
    decides,
    interview,
    leads_to_card,
    submission,
    thread_of,
)
from tests.flow.permitting import final
from tests.unit.decision.components.worked import minimal


def noting(text: str, said: str = "", *, quote: str = "", gates: tuple[Gate, ...] = ()) -> Turn:
    """The model says something and notes one consideration."""
    given = {"list": "considerations", "fields": {"text": text}, **({"quote": quote} if quote else {})}
    return Turn(parts=[*([Text(said)] if said else []), ToolCall("note_item", given)], gates=[*gates])


async def noted(room: Chat, thread: str) -> list[str]:
    draft: dict[str, Any] = dict((await interview(room, thread)).draft)
    return [each["text"] for each in draft.get("considerations", ())]


def told(room: Chat) -> list[dict[str, Any]]:
    """All results of calls in the newest request."""
    messages = room.claude.requests[-1].prompt.messages
    return [json.loads(block["content"]) for message in messages for block in message.of("tool_result")]


@pytest.mark.req("AG-03")
async def test_wait_the_limit_is_20_is_read_before_the_next_round_of_a_step_quoted_and_answered_once(
    room: Chat,
) -> None:
    (_, thread), gate = await begins(room), asyncio.Event()
    changed = {"item": "C1", "fields": {"text": "At most 20 vans"}, "quote": "the limit is 20"}
    room.will_answer(
        noting("At most 30 vans", "I note that.", gates=(Gate(9, gate),)),
        calls("change_item", **changed),
        "Twenty it is. What else?",
        "Good.",
    )
    await room.says("We have at most 30 vans", thread=thread)
    await room.sees("I note", thread=thread)
    said = await room.queues("wait, the limit is 20, not 30", thread=thread)
    gate.set()
    await final(room, thread, "Twenty it is.")
    second, third = (request.prompt.messages for request in room.claude.requests[1:])
    assert second[-1].text.endswith("wait, the limit is 20, not 30")
    assert [each["result"] for each in told(room)] == ["noted", "changed"]
    assert await noted(room, thread) == ["At most 20 vans"]
    assert len(room.claude.requests) == 3, "it is not answered once more"
    assert QUEUED not in room.marks(said)
    await room.says("that is all for now", thread=thread)
    await room.sees("Good.", thread=thread)
    later = room.claude.requests[-1].prompt.messages
    assert [each.text for each in later[: len(third)]] == [each.text for each in third]
    assert sum("the limit is 20, not 30" in each.text for each in later) == 1


@pytest.mark.req("AG-03")
async def test_a_step_is_not_summed_up_over_what_its_owner_has_just_written(room: Chat) -> None:
    (_, thread), gate = await begins(room), asyncio.Event()
    room.will_answer(
        Turn(parts=[Text("I have it all."), ToolCall("ready_to_summarize", {})], gates=[Gate(9, gate)]),
        "Then tell me of the garage.",
    )
    await room.says("We have at most 30 vans", thread=thread)
    await room.sees("I have", thread=thread)
    await room.queues("wait, there is a garage as well", thread=thread)
    gate.set()
    await final(room, thread, "Then tell me of the garage.")
    (result,) = room.claude.requests[-1].prompt.messages[-1].of("tool_result")
    assert result["content"] == READ_FIRST
    assert (await conversation(room, thread)).phase in (Phase.INTRO, Phase.GATHER)


@pytest.mark.req("AG-03")
async def test_a_draft_is_not_approved_over_what_its_owner_has_just_written(room: Chat) -> None:
    (_, thread), gate = await begins(room), asyncio.Event()
    await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "Where do we meet?")
    await room.rests()
    approval = ToolCall("resolve_confirmation", {"decision": "approve"})
    room.will_answer(Turn(parts=[Text("I take that as a yes."), approval], gates=[Gate(9, gate)]), "I wait.")
    await room.says("Well, that would be it I suppose", thread=thread)
    await room.sees("I take", thread=thread)
    await room.queues("hold on, let me look at it once more", thread=thread)
    gate.set()
    await final(room, thread, "I wait.")
    assert (await conversation(room, thread)).approved == 0
    await approves(room, thread)


@pytest.mark.req("AG-02")
@pytest.mark.parametrize("way", ["stop", "cut"])
async def test_a_step_s_answer_that_broke_off_goes_on_with_its_results_and_notes_nothing_twice(
    room: Chat, way: str
) -> None:
    _, thread = await begins(room)
    broken = breaks("Part of it that never comes to its end", way, 10)
    room.will_answer(noting("A van", "First."), noting("A depot", "Second."), broken, noting("A rota"), "All noted.")
    await room.says("A van, a depot and a rota", thread=thread)
    await room.sees("Part of", thread=thread)
    await resumes(room, thread, way)
    await final(room, thread, "All noted.")
    assert await noted(room, thread) == ["A van", "A depot", "A rota"]
    assert [each["result"] for each in told(room)] == ["noted"] * 3
    assert [words for words in ("First.", "Second.", "Part of") if shown(room, thread).count(words) != 1] == []


@pytest.mark.req("AG-02")
async def test_a_correction_that_was_finished_before_stop_stands_on_the_card(room: Chat) -> None:
    _, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "Where to meet, or where to gather?")
    await room.rests()
    changed = ToolCall("change_item", {"item": "D1", "fields": {"description": "Where to gather"}})
    half = hangs("Part of it that never comes to its end")
    room.will_answer(Turn(parts=[Text("I change it."), changed]), half)
    await room.says("Gather, please", thread=thread)
    await room.sees("Part of", thread=thread)
    await room.says("stop", thread=thread)
    assert "Where to gather" in text_of(await card(room, thread, "draft 2"))
    await room.rests()
    await approves(room, thread)


async def talks(room: Chat) -> str:
    """A decision begins, and one thing is said, so that there is something to sum up; gives the step's thread."""
    await decides(room)
    thread = await thread_of(room, "Issue raising")
    room.will_answer("What else?")
    await room.says("Where do we meet?", thread=thread)
    await room.sees("What else?", thread=thread)
    await room.rests()
    return thread


@pytest.mark.req("AG-02")
async def test_a_card_that_broke_off_is_made_from_the_finished_summary_and_its_corrections(room: Chat) -> None:
    thread, issues = await talks(room), minimal("issue_raising")
    wrong = submission("issue_raising", {**issues, "decision": "Where to meet"})
    held = Turn(parts=[ToolCall("submit_issue_raising", issues)], gates=[Gate(0, asyncio.Event())])
    room.will_answer("Summary: where to meet.", wrong, held)
    before = len(room.claude.requests)
    await room.says("done", thread=thread)
    await room.until(lambda: len(room.claude.requests) == before + 3)
    await room.says("stop", thread=thread)
    failed = await room.sees(texts.RETRY, thread=thread)
    room.will_answer(submission("issue_raising", issues))
    await room.slack.people.clicks("Maya", "#general", failed.ts, action_ids.RETRY)
    await card(room, thread)
    offered = [[tool["name"] for tool in request.prompt.tools] for request in room.claude.requests[before:]]
    assert offered == [[], *[["submit_issue_raising"]] * 3], "the summary is asked for once"
    assert "Summary: where to meet." in room.claude.requests[-1].prompt.messages[0].text
    messages = room.claude.requests[-1].prompt.messages
    (told,) = [json.loads(block["content"]) for message in messages for block in message.of("tool_result")]
    assert told["result"] == "validation_failed"


@pytest.mark.req("AG-03")
async def test_words_during_a_summary_are_in_the_draft_count_as_said_and_are_answered_after_it(room: Chat) -> None:
    thread, gate = await talks(room), asyncio.Event()
    vans = {"handle": "C1", "text": "We have 20 vans", "evidence": [{"quote": "we have 20 vans"}]}
    found = {**minimal("issue_raising"), "considerations": [vans]}
    room.will_answer(
        Turn(text="Summary: where to meet.", gates=[Gate(9, gate)]),
        submission("issue_raising", found),
        "The 20 vans are in the draft.",
    )
    await room.says("done", thread=thread)
    await room.until(lambda: len(room.claude.requests) == 2)
    said = await room.says("wait, we have 20 vans", thread=thread)
    await room.until(lambda: QUEUED in room.marks(said))
    gate.set()
    await final(room, thread, "The 20 vans are in the draft.")
    summarized, submitted, answered = (request.prompt.messages for request in room.claude.requests[1:])
    assert "20 vans" not in str(summarized)
    assert "wait, we have 20 vans" in submitted[0].text
    assert answered[-1].text.count("wait, we have 20 vans") == 1
    await card(room, thread)
    lead = await interview(room, thread)
    assert lead.drafted is not None
    assert lead.drafted.unsaid == (), "what was written meanwhile was said"
    assert [each["quote"] for each in lead.drafted.draft["considerations"][0]["evidence"]] == ["we have 20 vans"]
    await approves(room, thread)
    await room.sees("Approved as v1", thread=thread)
    assert len(room.claude.requests) == 4, "it is answered once"
