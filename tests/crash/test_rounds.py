"""A task of twenty-five rounds that breaks off in each of them: killed, stopped, or cut by the model's stream."""

from __future__ import annotations

from collections import Counter
from contextlib import AsyncExitStack

import pytest

from app.playground.claude import Turn
from tests.flow.breaking import breaks, resumes, shown
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of
from tests.flow.permitting import posted, posting, told, using
from tests.flow.process import serving
from tests.mongo import quick_folder

ROUNDS = 25
NUMBERS = range(1, ROUNDS + 1)
SHOWN = 12
"""Characters of a round that people see before it breaks off."""
FREELY = {"THREADWISE_ALLOWED_TOOLS": "post_message"}


def way_of(number: int) -> str:
    return ("kill", "stop", "cut")[number % 3]


def broken(number: int) -> Turn:
    return breaks(f"Part of {number:02} that never comes to its end", way_of(number), SHOWN)


def whole(number: int) -> Turn:
    said = f"Step {number:02} is done."
    if number % 2:
        return using(("read_channel", {"channel": "#ops"}), said=said)
    return posting(f"No. {number:02}", said=said)


chat = fixture_of(chatting, runs=False, **UNLIMITED)


@pytest.mark.req("AG-02")
async def test_a_task_that_breaks_off_in_each_of_its_rounds_repeats_nothing_and_loses_no_words(chat: Chat) -> None:
    for number in NUMBERS:
        chat.will_answer(broken(number), whole(number))
    chat.will_answer("All done.")
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(quick_folder())
        program = await stack.enter_async_context(serving(chat, folder, **FREELY))
        thread = await chat.says("@Threadwise read and post in turn")
        for number in NUMBERS:
            await chat.sees(f"Part of {number:02}", thread=thread)
            if way_of(number) != "kill":
                await resumes(chat, thread, way_of(number))
            else:
                program.kill()
                program = await stack.enter_async_context(serving(chat, folder, **FREELY))
        await chat.sees("All done.", thread=thread)
    assert Counter(posted(chat)) == Counter(f"No. {number:02}" for number in NUMBERS if number % 2 == 0)
    assert len(chat.calls("conversations.history")) == sum(number % 2 for number in NUMBERS)
    assert [failed for _, failed in told(chat)] == [False] * ROUNDS
    words = shown(chat, thread)
    assert [number for number in NUMBERS if words.count(f"Step {number:02} is done.") != 1] == []
    assert [n for n in NUMBERS if way_of(n) != "kill" and f"Part of {n:02}" not in words] == []
