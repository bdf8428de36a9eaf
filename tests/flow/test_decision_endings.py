"""How the talk in a step ends: never over an open question, and not without notice."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.playground.claude import Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat
from tests.flow.deciding import card, conversation, decides, deciding, interview, presses, submits, thread_of
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")
READY = ToolCall("ready_to_summarize")


@pytest.fixture
async def room(mongo_uri: str) -> AsyncGenerator[Chat]:
    async with deciding(mongo_uri, discussion_turns=4) as chat:
        yield chat


async def begun(room: Chat) -> str:
    """The thread of a step that waits for its first word."""
    await decides(room)
    return await thread_of(room, "Issue raising")


async def talks(room: Chat, thread: str, said: str, *answers: Turn | str, shows: str = "") -> None:
    """Maya says something, and the model answers."""
    room.will_answer(*answers)
    await room.says(said, thread=thread)
    await room.sees(shows or next(str(answer) for answer in answers if isinstance(answer, str)), thread=thread)
    await room.rests()


@pytest.mark.req("FA-01")
async def test_a_question_is_answered_before_the_card_that_was_called_for_beside_it(room: Chat) -> None:
    thread = await begun(room)
    both = Turn(parts=[Text("That is a lot.\n\n**Who has to agree?** Take your time."), READY])
    await talks(room, thread, "Where do we meet, and when?", both, shows="Who has to agree?")
    assert (await conversation(room, thread)).phase is Phase.GATHER
    room.will_answer(Turn(parts=[Text("Noted: the board."), READY]), *submits("issue_raising", ISSUES))
    await room.says("The board", thread=thread)
    await card(room, thread)


@pytest.mark.req("FA-32")
async def test_whoever_is_told_that_the_talk_will_end_can_keep_talking(room: Chat) -> None:
    thread = await begun(room)
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
    thread = await begun(room)
    for said in ("Where do we meet?", "The hall is cold.", "And far."):
        await talks(room, thread, said, f"{said} I see.")
    await talks(room, thread, "And dear.", "And what else is it?")
    assert (await conversation(room, thread)).phase is Phase.GATHER
    room.will_answer("I have put that down.", *submits("issue_raising", ISSUES))
    await room.says("And dark.", thread=thread)
    await card(room, thread)
