"""A step's answer of six rounds whose process is killed in each of them, before its words or in the middle of them."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import pytest

from app.playground.claude import Text, ToolCall, Turn
from tests.flow.chat import Chat, fixture_of, hangs, text_of
from tests.flow.deciding import begins, card, deciding, interview, submission
from tests.flow.process import serving
from tests.mongo import quick_folder
from tests.unit.decision.components.worked import minimal

ROUNDS = 6
NUMBERS = range(1, ROUNDS + 1)
SHOWN = 12
"""Characters of a round that people see before it breaks off."""


def breaks_in_words(number: int) -> bool:
    return number % 2 == 0


def broken(number: int) -> Turn:
    at = SHOWN if breaks_in_words(number) else 0
    return hangs(f"Part of {number} that never comes to its end", at)


def whole(number: int) -> Turn:
    noted = {"list": "considerations", "fields": {"text": f"Fact {number}"}}
    return Turn(parts=[Text(f"Fact {number} is noted."), ToolCall("note_item", noted)])


chat = fixture_of(deciding, time_scale=10.0)


def shown(chat: Chat, thread: str) -> str:
    return "\n".join(text_of(message) for message in chat.thread(thread)[1:])


@pytest.mark.req("AG-02")
async def test_a_step_whose_process_dies_in_each_round_of_an_answer_notes_all_once_and_loses_no_words(
    chat: Chat,
) -> None:
    _, thread = await begins(chat)
    await chat.rests()
    await chat.stops()
    for number in NUMBERS:
        chat.will_answer(broken(number), whole(number))
    chat.will_answer("All is noted.")
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(quick_folder())
        program = await stack.enter_async_context(serving(chat, folder))
        await chat.says("Six facts for you", thread=thread)
        for number in NUMBERS:
            await chat.claude.arrival(2 * number - 1)
            if breaks_in_words(number):
                await chat.sees(f"Part of {number}", thread=thread)
            elif number > 1:
                await chat.sees(f"Fact {number - 1} is noted", thread=thread)
            program.kill()
            program = await stack.enter_async_context(serving(chat, folder))
        await chat.sees("All is noted.", thread=thread)
    messages = chat.claude.requests[-1].prompt.messages
    results = [json.loads(block["content"]) for message in messages for block in message.of("tool_result")]
    assert [each["item"] for each in results] == [f"C{number}" for number in NUMBERS]
    assert len(chat.claude.requests) == 2 * ROUNDS + 1, "each broken round is asked once more, and no finished one"
    words = shown(chat, thread)
    assert [number for number in NUMBERS if words.count(f"Fact {number} is noted.") != 1] == []
    await chat.starts()
    await chat.rests()
    draft = (await interview(chat, thread)).draft
    assert [each["text"] for each in draft["considerations"]] == [f"Fact {number}" for number in NUMBERS]


@pytest.mark.req("AG-02")
async def test_a_draft_whose_process_dies_in_each_of_its_requests_asks_for_no_finished_one_again(chat: Chat) -> None:
    issues = minimal("issue_raising")
    wrong = submission("issue_raising", {**issues, "decision": "Where to meet"})
    right = submission("issue_raising", issues)
    _, thread = await begins(chat)
    chat.will_answer("What else?")
    await chat.says("Where do we meet?", thread=thread)
    await chat.sees("What else?", thread=thread)
    await chat.rests()
    await chat.stops()
    before = len(chat.claude.requests)
    chat.will_answer(hangs("No", 0), "Summary: where to meet.", hangs("No", 0), wrong, hangs("No", 0), right)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(quick_folder())
        program = await stack.enter_async_context(serving(chat, folder))
        await chat.says("done", thread=thread)
        for number in (1, 3, 5):
            await chat.claude.arrival(before + number)
            await chat.until(lambda: "⏳" in shown(chat, thread))
            program.kill()
            program = await stack.enter_async_context(serving(chat, folder))
        await card(chat, thread)
    offered = [[tool["name"] for tool in request.prompt.tools] for request in chat.claude.requests[before:]]
    assert offered == [[], [], *[["submit_issue_raising"]] * 4], "only the request under way is made once more"
    last = chat.claude.requests[-1].prompt.messages
    assert [json.loads(block["content"])["result"] for each in last for block in each.of("tool_result")] == [
        "validation_failed"
    ]
