"""Goals of free threads through the whole program: by the model's calls, by rules on words, by silence (S1, T5)."""

from __future__ import annotations

import asyncio

import pytest

from app.core.copy import texts
from app.core.goals.moves import ADVICE
from app.core.state.goal import GoalPhase, GoalState, GoalStatus
from app.core.state.status import Status
from app.core.turns.directive import RESUMED
from app.playground.claude import ToolCall, Turn
from tests.flow.called import asks, calls, results, spoken
from tests.flow.chat import Chat, chatting, fixture_of, text_of

WISH = "I want to build a todo app"
ALL_TOLD = "Add, delete, mark complete with React components"
NEEDED = [{"name": "component_type", "label": "Kind"}, {"name": "requirements", "label": "What it must do"}]
TEN_MINUTES = 600.0


room = fixture_of(chatting, look_seconds=3600.0)


async def goals(chat: Chat, thread: str) -> GoalState:
    """Where the thread is with its goal, once it rests."""
    await chat.rests()
    return (await chat.conversation(thread)).goals


async def idles(chat: Chat, thread: str) -> None:
    """Wait until the sweep has found that the goal was left."""
    while (await goals(chat, thread)).phase is not GoalPhase.IDLE:
        await asyncio.sleep(0.05)


async def turn(chat: Chat, thread: str, said: str, answer: str, shown: str) -> GoalPhase:
    """Maya says something and the model answers it, after what was scripted before; gives the phase after that."""
    chat.will_answer(*spoken(answer))
    await chat.says(said, thread=thread)
    await chat.sees(shown, thread=thread)
    return (await goals(chat, thread)).phase


async def wished(chat: Chat, said: str = WISH) -> str:
    """A thread in which Maya has said what she wants, and was asked back."""
    chat.will_answer(*spoken("What features do you need?"))
    thread = await chat.says(f"@Threadwise {said}")
    await chat.sees("What features", thread=thread)
    await chat.rests()
    return thread


@pytest.mark.req("S1-060")
async def test_the_reference_run_by_the_words_alone(chat: Chat) -> None:
    thread = await wished(chat)
    begun = await goals(chat, thread)
    assert begun.phase is GoalPhase.UNDERSTANDING
    assert begun.goal is not None
    assert [info.name for info in begun.goal.missing] == ["component_type", "requirements"]
    starting = "I'll create a React todo app component."
    assert await turn(chat, thread, ALL_TOLD, starting, "I'll create") is GoalPhase.EXECUTING
    planned = await goals(chat, thread)
    assert planned.goal is not None
    assert {info.name: info.value for info in planned.goal.info} == {"component_type": "React", "requirements": "CRUD"}
    shown = "There you go.\n\n<artifact type='react' title='Todo'>code</artifact>"
    assert await turn(chat, thread, "and?", shown, "There you go.") is GoalPhase.REVIEWING
    thanks = "Perfect! This is exactly what I needed"
    assert await turn(chat, thread, thanks, "Glad to hear it.", "Glad") is GoalPhase.COMPLETED
    after = await goals(chat, thread)
    assert (after.goal, [goal.status for goal in after.completed]) == (None, [GoalStatus.COMPLETED])
    assert after.turns == 8


@pytest.mark.req("S1-060")
async def test_the_reference_run_by_the_model_s_calls(chat: Chat) -> None:
    chat.will_answer(
        calls("set_goal", type="artifact_creation", description="A todo app", required_information=NEEDED),
        *spoken("What shall it do?"),
    )
    thread = await chat.says("@Threadwise todo app, please, quick")
    await chat.sees("What shall it do?", thread=thread)
    assert (await goals(chat, thread)).phase is GoalPhase.UNDERSTANDING
    recorded = [
        ToolCall("record_information", {"name": "component_type", "value": "a page"}),
        ToolCall("record_information", {"name": "requirements", "value": "adding and deleting"}),
        ToolCall("propose_plan"),
    ]
    chat.will_answer(Turn(parts=recorded))
    planned = await turn(chat, thread, "adding, deleting; one page", "First this, then that.", "First this")
    assert planned is GoalPhase.PLANNING
    assert [refused for _, refused in results(chat)] == [False, False, False]
    work = [ToolCall("start_work"), ToolCall("finish_work", {"summary": "A page", "artefacts": ["todo.html"]})]
    chat.will_answer(Turn(parts=work))
    assert await turn(chat, thread, "so be it", "Here is the page.", "Here is") is GoalPhase.REVIEWING
    chat.will_answer(calls("note_feedback", feedback="satisfied"))
    assert await turn(chat, thread, "that will do", "Until next time.", "Until") is GoalPhase.COMPLETED
    [done] = (await goals(chat, thread)).completed
    assert (done.status, done.artefacts) == (GoalStatus.COMPLETED, ("todo.html",))


async def test_a_call_that_cannot_be_is_refused_with_advice_and_moves_nothing(room: Chat) -> None:
    thread = await wished(room)
    room.will_answer(calls("start_work"))
    assert await turn(room, thread, "hm", "A plan first.", "A plan") is GoalPhase.UNDERSTANDING
    assert results(room) == [(ADVICE[GoalPhase.UNDERSTANDING], True)]


async def test_a_new_goal_in_the_midst_of_work_leaves_the_old_one(room: Chat) -> None:
    thread = await wished(room)
    await turn(room, thread, ALL_TOLD, "I'll create it.", "I'll create it.")
    fault = [{"name": "fault", "label": "What is wrong"}]
    room.will_answer(calls("set_goal", type="task_execution", description="Fix the login", required_information=fault))
    other = await turn(room, thread, "yes, switch to the login", "The login, then. What is wrong?", "login,")
    assert other is GoalPhase.UNDERSTANDING
    after = await goals(room, thread)
    assert after.goal is not None
    assert after.goal.description == "Fix the login"
    assert [goal.status for goal in after.completed] == [GoalStatus.ABANDONED]


@pytest.mark.req("AG-13")
async def test_never_mind_ends_an_answer_that_streams_and_a_question_that_is_open(room: Chat) -> None:
    room.will_answer(*spoken("Here is what I would build, at length. " * 20))
    thread = await room.says(f"@Threadwise {WISH}")
    await room.sees("Here is what", thread=thread)
    room.will_answer(*spoken("As you like."))
    await room.says("never mind", thread=thread)
    await room.sees("As you like.", thread=thread)
    assert (await goals(room, thread)).phase is GoalPhase.IDLE
    assert [text_of(m) for m in room.thread(thread) if text_of(m).count("Here is what") == 20] == []

    room.will_answer(asks("Which features?", "Few", "Many"))
    await room.says("Build a calculator", thread=thread)
    await room.sees("Which features?", thread=thread)
    assert await turn(room, thread, "forget it", "Forgotten.", "Forgotten.") is GoalPhase.IDLE
    card = await room.sees("Which features?", thread=thread)
    assert texts.QUESTION_CANCELLED in text_of(card)
    assert (await room.conversation(thread)).status is Status.ACTIVE


@pytest.mark.req("AG-16", "AG-17")
async def test_status_tells_the_one_who_asks_where_the_thread_is(chat: Chat) -> None:
    thread = await wished(chat)
    await chat.says("@Threadwise status", thread=thread)
    told = await chat.sees("Finding out what you need for the todo app; waiting for your words", thread=thread)
    await chat.rests()
    assert told.seen_by == chat.id_of("Maya")
    assert "Still needed: Type of component; Requirements" in text_of(told)
    for inside in ("understanding", "artifact_creation", "Turn Count", "Completed Goals", "Paused"):
        assert inside not in text_of(told)
    assert [m for m in chat.thread(thread, who="Sam") if "Finding out" in text_of(m)] == []
    assert len(chat.claude.requests) == 1
    await chat.says("@Threadwise status", who="Sam", thread=thread)
    await chat.sees("can do that here", who="Sam", thread=thread)
    assert [m for m in chat.thread(thread, who="Sam") if "Finding out" in text_of(m)] == []
    await turn(chat, thread, "with React", "And what shall it do?", "And what")
    await chat.says("@Threadwise status", thread=thread)
    again = await chat.sees("Known so far", thread=thread)
    assert "Known so far: Type of component: React\nStill needed: Requirements" in text_of(again)


@pytest.mark.req("S1-058", "S1-059")
async def test_the_model_is_told_where_the_thread_is(room: Chat) -> None:
    thread = await wished(room)
    await turn(room, thread, "with React", "And what shall it do?", "And what")
    newest = room.claude.requests[-1].prompt
    told = "\n".join(message.text for message in newest.messages if message.role == "user")
    assert "Turn Count: 3\n" in newest.last_user_text
    for line in (
        "Conversation Phase: understanding",
        "Type: artifact_creation",
        "Description: Build a todo app",
        "✓ component_type: Type of component = React",
        "? requirements",
        "Completed Goals: 0",
    ):
        assert line in told
    assert "(America/New_York)" in told


@pytest.mark.req("S1-054", "S1-055", "S1-057")
async def test_silence_ends_a_goal_and_nobody_is_told(mongo_uri: str) -> None:
    async with chatting(mongo_uri, look_seconds=0.1) as chat:
        chat.slack.workspace.mint.ahead = -TEN_MINUTES
        thread = await wished(chat)
        said = len(chat.calls("chat.postMessage")) + len(chat.calls("chat.postEphemeral"))
        await idles(chat, thread)
        left = await goals(chat, thread)
        assert (left.goal, [goal.status for goal in left.completed]) == (None, [GoalStatus.ABANDONED])
        assert len(chat.calls("chat.postMessage")) + len(chat.calls("chat.postEphemeral")) == said
        chat.slack.workspace.mint.ahead = 0
        back = await turn(chat, thread, "with React, by the way", "Back to the app: React.", "Back to")
        assert back is GoalPhase.UNDERSTANDING
        assert RESUMED in chat.claude.requests[-1].prompt.last_user_text
        again = await goals(chat, thread)
        assert again.goal is not None
        assert (again.goal.id, again.goal.description) == ("G2", "Build a todo app")
        assert [info.value for info in again.goal.info] == ["React", ""]


@pytest.mark.req("AG-14")
async def test_a_result_that_nobody_objects_to_is_delivered_and_a_good_morning_does_not_plan_it_again(
    mongo_uri: str,
) -> None:
    async with chatting(mongo_uri, look_seconds=2.0) as chat:  # so that no look falls between the two messages
        chat.slack.workspace.mint.ahead = -TEN_MINUTES
        thread = await wished(chat)
        shown = "I'll create a React component.\n\n<artifact title='Todo'>code</artifact>"
        chat.will_answer(*spoken(shown))
        await chat.says(ALL_TOLD, thread=thread)
        await chat.sees("I'll create", thread=thread)
        await idles(chat, thread)
        [done] = (await goals(chat, thread)).completed
        assert (done.status, done.delivered) == (GoalStatus.COMPLETED, True)
        chat.slack.workspace.mint.ahead = 0
        assert await turn(chat, thread, "good morning", "Good morning!", "Good morning!") is GoalPhase.GREETING
        assert RESUMED not in chat.claude.requests[-1].prompt.last_user_text
        assert await turn(chat, thread, "make it blue", "Blue, then?", "Blue, then?") is GoalPhase.UNDERSTANDING
        again = (await goals(chat, thread)).goal
        assert again is not None
        assert (again.description, again.delivered) == ("Build a todo app", False)


async def test_a_goal_that_waits_for_its_owner_s_answer_is_not_left(mongo_uri: str) -> None:
    async with chatting(mongo_uri, look_seconds=0.1) as chat:
        chat.slack.workspace.mint.ahead = -TEN_MINUTES
        chat.will_answer(asks("Which features?", "Few", "Many"))
        waiting = await chat.says(f"@Threadwise {WISH}")
        await chat.sees("Which features?", thread=waiting)
        left = await wished(chat)
        await idles(chat, left)
        assert (await goals(chat, waiting)).phase is GoalPhase.UNDERSTANDING


@pytest.mark.req("S1-056")
async def test_who_comes_back_later_than_that_takes_up_the_goal_again(room: Chat) -> None:
    thread = await wished(room)
    room.slack.workspace.mint.ahead = TEN_MINUTES / 2
    await turn(room, thread, "with React", "React, good.", "React, good.")
    going_on = await goals(room, thread)
    assert going_on.goal is not None
    assert going_on.goal.id == "G1"
    room.slack.workspace.mint.ahead = TEN_MINUTES * 2
    await turn(room, thread, "hello again", "Hello.", "Hello.")
    assert (await goals(room, thread)).goal is None
    await turn(room, thread, "let me see it", "At the app.", "At the app.")
    again = await goals(room, thread)
    assert again.goal is not None
    assert (again.goal.id, [goal.status for goal in again.completed]) == ("G2", [GoalStatus.ABANDONED])
    assert [info.value for info in again.goal.info] == ["React", ""]
    assert RESUMED in room.claude.requests[-1].prompt.last_user_text


@pytest.mark.req("AG-17")
@pytest.mark.parametrize("look_seconds", [0.1, 3600.0], ids=["found", "told by the next message"])
async def test_how_long_silence_may_last_and_how_many_questions_are_enough_is_what_the_operator_sets(
    mongo_uri: str, look_seconds: float
) -> None:
    async with chatting(mongo_uri, look_seconds=look_seconds, idle_minutes=3, most_questions=0) as chat:
        mint = chat.slack.workspace.mint
        mint.ahead = -TEN_MINUTES / 2 if look_seconds < 1 else 0
        thread = await wished(chat)
        if look_seconds < 1:
            await idles(chat, thread)
        else:
            assert (await goals(chat, thread)).phase is GoalPhase.PLANNING, "one question was too many"
            mint.ahead = TEN_MINUTES / 2
            await turn(chat, thread, "hello again", "Hello.", "Hello.")
        [left] = (await goals(chat, thread)).completed
        assert left.status is GoalStatus.ABANDONED


@pytest.mark.req("FA-29")
async def test_a_reminder_for_every_monday_asks_for_neither_a_target_nor_a_change(room: Chat) -> None:
    room.will_answer(
        calls("set_goal", type="task_execution", description="Update the sheet every Monday"),
        *spoken("Every Monday at nine, then?"),
    )
    thread = await room.says("@Threadwise remind me every Monday to update the sheet")
    await room.sees("Every Monday at nine, then?", thread=thread)

    goal = (await goals(room, thread)).goal
    assert goal is not None
    assert goal.info == ()
    [told] = results(room)
    assert "Required Information" not in told[0]
    assert "Of no use now: resolve_question, record_information" in str(room.claude.requests[0])
