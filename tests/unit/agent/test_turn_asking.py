"""A turn whose words have asked people something, while only notes come with them: nothing is left to say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.agent.prompt import BackgroundLimits, TurnPrompt
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.copy import texts
from app.core.state.permission import PermissionVerdict
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers
from tests.unit.agent.test_rounds import ROWS, RUNNING, SETTINGS, Taken

ASKS = "I see. How soon do you need it?"
GOAL = ToolUse(id="t1", name="set_goal", input={"type": "question_answer", "description": "Find a room."})
START = ToolUse(id="t2", name="start_work", input={})
LOOK = ToolUse(id="t3", name="look", input={"place": "ops"})


async def closed_after(*scripts: list[Part]) -> tuple[Message, int]:
    """The reply, and how often the model was asked."""
    taken = Taken(*scripts)
    return await taken.closed(), len(taken.model.asked)


async def test_a_reply_that_asks_and_notes_ends_without_another_request() -> None:
    row, requests = await closed_after(answers(GOAL, text=ASKS))
    assert (row.status, row.text, requests) == (MessageStatus.COMPLETE, ASKS, 1)
    assert [message["role"] for message in json.loads(row.content)] == ["assistant", "user"]
    assert len(row.calls) == 1


@pytest.mark.parametrize(
    ("uses", "text"),
    [
        ((GOAL,), "I note that."),
        ((GOAL,), "Is it the hall? I note that first."),
        ((GOAL,), ""),
        ((START,), ASKS),
        ((replace(GOAL, input={"type": "wish"}),), ASKS),
        ((GOAL, ToolUse(id="t4", name="fly", input={})), ASKS),
    ],
    ids=["nothing is asked", "more is to come", "nothing is said", "work begins", "refused", "one is refused"],
)
async def test_a_reply_goes_on_if_there_may_be_more_to_say(uses: tuple[ToolUse, ...], text: str) -> None:
    row, requests = await closed_after(answers(*uses, text=text), answers(text="And now?"))
    assert requests == 2
    assert row.text.endswith("And now?")


@pytest.mark.req("FA-01")
@pytest.mark.parametrize("last", ["I am at it.", ""])
async def test_a_question_that_other_words_follow_after_a_call_is_still_asked_by_the_reply(last: str) -> None:
    row, requests = await closed_after(answers(START, text=ASKS), answers(text=last))
    assert (row.asks, requests) == (True, 2)
    assert not (await closed_after(answers(START, text="I look."), answers(text=last)))[0].asks


async def test_what_was_refused_is_noted_in_a_further_request_and_then_the_reply_ends() -> None:
    wrong = replace(GOAL, input={"type": "wish"})
    row, requests = await closed_after(answers(wrong, text=ASKS), answers(replace(GOAL, id="t2")))
    assert (row.text, requests, len(row.calls)) == (ASKS, 2, 1)


async def test_while_the_rest_is_noted_the_status_does_not_say_that_the_answer_is_thought_about() -> None:
    taken = Taken(answers(replace(GOAL, input={"type": "wish"}), text=ASKS), answers(text=""))
    await taken.closed()
    assert taken.draft.activities == [texts.STILL_THINKING, texts.WRITING_DOWN]


async def outside(*scripts: list[Part], has_news: Callable[[], bool] = bool, run: bool = False) -> ScriptedModel:
    """The model after a turn with tools that reach outside."""
    model, shop = ScriptedModel(*scripts), Workshop({"ops": PermissionVerdict.ALLOWED})
    alone = BackgroundLimits(seconds=60, gives_way=bool) if run else None
    tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
    prompt = TurnPrompt(RUNNING, ROWS, tools, outside=shop.hands, has_news=has_news, unattended=alone)
    await TurnTask(model, SETTINGS, prompt, PaperDraft()).reply()
    return model


async def test_words_before_something_was_read_are_no_answer_to_it() -> None:
    model = await outside(answers(LOOK, text=ASKS), answers(GOAL), answers(text="It is free. Do you take it?"))
    assert len(model.asked) == 3


async def test_a_reply_that_asks_after_something_was_read_ends_as_well() -> None:
    model = await outside(answers(LOOK), answers(GOAL, text=ASKS))
    assert len(model.asked) == 2


async def test_a_reply_goes_on_with_what_the_owner_has_written_meanwhile() -> None:
    model = await outside(answers(GOAL, text=ASKS), answers(text="By May."), has_news=lambda: True)
    assert len(model.asked) == 2


async def test_a_run_that_nobody_reads_goes_on_to_its_end() -> None:
    model = await outside(answers(GOAL, text=ASKS), answers(text="Done."), run=True)
    assert len(model.asked) == 2


async def test_a_question_that_was_answered_between_two_requests_is_asked_no_more() -> None:
    """Otherwise a step that the model ends with its next words would wait for an answer that was given already."""
    written = Message(seq=len(ROWS) + 9, role=Role.PERSON, text="In May.", author="U1", ts="1770000000.000009")
    came = [(written,), ()]

    async def hear(_: int) -> tuple[Message, ...]:
        return came.pop(0)

    async def ask(*scripts: list[Part]) -> Message:
        tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
        prompt = TurnPrompt(RUNNING, ROWS, tools, hear=hear, has_news=lambda: bool(came[0]))
        return await TurnTask(ScriptedModel(*scripts), SETTINGS, prompt, PaperDraft()).reply()

    closed = await ask(answers(GOAL, text=ASKS), answers(text="In May, then."))
    assert (closed.heard, closed.asks) == ((written.seq,), False)
    came[:] = [(written,), ()]
    assert (await ask(answers(GOAL, text=ASKS), answers(text="In May. At what time?"))).asks
