"""How the talk in a step ends: never over an open question, and not without notice."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude import Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat, fixture_of, text_of
from tests.flow.deciding import (
    approves,
    begins,
    card,
    conversation,
    deciding,
    interview,
    presses,
    submits,
    talks,
)
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")
READY = ToolCall("ready_to_summarize")
NOTED = ToolCall("note_item", {"list": "potential_decisions", "fields": {"description": "Where to meet"}})


room = fixture_of(deciding, discussion_turns=4)


@pytest.mark.req("FA-01")
async def test_a_question_is_answered_before_the_card_that_was_called_for_beside_it(room: Chat) -> None:
    _, thread = await begins(room)
    both = Turn(parts=[Text("That is a lot.\n\n**Who has to agree?** Take your time."), NOTED, READY])
    await talks(room, thread, "Where do we meet, and when?", both, shows="Who has to agree?")
    assert (await conversation(room, thread)).phase is Phase.GATHER
    room.will_answer(Turn(parts=[Text("Noted: the board."), READY]), *submits("issue_raising", ISSUES))
    await room.says("The board", thread=thread)
    await card(room, thread)


@pytest.mark.req("FA-32")
async def test_whoever_is_told_that_the_talk_will_end_can_keep_talking(room: Chat) -> None:
    _, thread = await begins(room)
    await talks(room, thread, "Where do we meet?", "I see.")
    await room.sees(decision_steps.ENDS_SOON.format(count=3), thread=thread)
    await presses(room, thread, action_ids.KEEP_TALKING)
    await room.sees(decision_steps.GOES_ON.format(count=10), thread=thread)
    for said in ("The hall is cold.", "And far.", "And dear.", "And dark."):
        await talks(room, thread, said, f"{said} I see.")
    assert (await conversation(room, thread)).phase is Phase.GATHER
    assert (await interview(room, thread)).discussed == 5


@pytest.mark.req("FA-32")
async def test_the_last_answer_of_the_longest_talk_is_followed_by_the_card_unless_it_asks(room: Chat) -> None:
    _, thread = await begins(room)
    for said in ("Where do we meet?", "The hall is cold.", "And far."):
        await talks(room, thread, said, f"{said} I see.")
    await talks(room, thread, "And dear.", "And what else is it?")
    assert (await conversation(room, thread)).phase is Phase.GATHER
    room.will_answer("I have put that down.", *submits("issue_raising", ISSUES))
    await room.says("And dark.", thread=thread)
    await card(room, thread)


FRIDAY, THURSDAY = "Where to meet on Friday", "Where to meet on Thursday"


async def shown(room: Chat) -> str:
    """The thread of a step whose first draft waits for an OK."""
    _, thread = await begins(room)
    await talks(room, thread, "Where do we meet on Friday?", "What else?")
    decisions = [{"handle": "D1", "description": FRIDAY}]
    room.will_answer(*submits("issue_raising", {**ISSUES, "potential_decisions": decisions}))
    await room.says("done", thread=thread)
    await card(room, thread, "draft 1")
    await room.rests()
    return thread


CHANGE = ToolCall("change_item", {"item": "D1", "fields": {"description": THURSDAY}})


@pytest.mark.req("FA-25", "FA-28")
@pytest.mark.parametrize(
    "parts",
    [
        [Text("I have changed the day."), CHANGE],
        [Text("I have changed the day."), CHANGE, ToolCall("resolve_confirmation", {"decision": "change"})],
        [Text("I have changed the day."), ToolCall("resolve_confirmation", {"decision": "change"}), CHANGE],
    ],
)
async def test_a_small_correction_comes_back_on_the_card_without_another_summary(
    room: Chat, parts: list[Text | ToolCall]
) -> None:
    thread = await shown(room)
    room.will_answer(Turn(parts=parts), *([] if len(parts) > 2 else ["It says Thursday now."]))
    await room.says("The day is Thursday", thread=thread)
    again = await card(room, thread, "draft 2")
    assert THURSDAY in text_of(again)
    await room.rests()
    offered = [tool["name"] for request in room.claude.requests for tool in request.body.get("tools", ())]
    assert offered.count("submit_issue_raising") == 1, "it was extracted once"
    await approves(room, thread)


@pytest.mark.req("FA-02")
async def test_a_gap_is_named_to_the_model_once_and_then_stands_on_the_card(room: Chat) -> None:
    _, thread = await begins(room)
    await talks(room, thread, "The hall is too small", "What else?")
    room.will_answer(
        Turn(parts=[Text("Then I have it all."), READY]),
        Turn(parts=[Text("You leave it open."), READY]),
        *submits("issue_raising", {**ISSUES, "potential_decisions": []}),
    )
    await room.says("I do not know what we have to decide", thread=thread)
    drafted = await card(room, thread, "something is still missing")
    assert decision_steps.STILL_NEEDED in text_of(drafted)
    asked = room.claude.requests[-3].prompt.messages[-1].of("tool_result")
    assert ["Still needed: at least one decision" in each["content"] for each in asked] == [True]


@pytest.mark.req("FA-26")
async def test_what_failed_beside_the_call_for_a_summary_is_not_left_out_of_it(room: Chat) -> None:
    _, thread = await begins(room)
    await talks(room, thread, "Where do we meet?", Turn(parts=[NOTED]), "What else?")
    wrong = ToolCall("note_item", {"list": "objectives", "fields": {"text": "A warm hall"}})
    right = ToolCall("note_item", {"list": "objectives", "fields": {"description": "A warm hall"}})
    room.will_answer(Turn(parts=[Text("I see."), READY, wrong]), Turn(parts=[right]), "It has to be warm. What else?")
    await room.says("The hall has to be warm", thread=thread)
    await room.sees("What else?", thread=thread)
    await room.sees("It has to be warm", thread=thread)
    await room.rests()
    assert (await conversation(room, thread)).phase is Phase.GATHER
    assert [each["description"] for each in (await interview(room, thread)).draft["objectives"]] == ["A warm hall"]
