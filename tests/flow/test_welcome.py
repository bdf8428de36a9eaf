"""First sight: a place is greeted once, and a form begins a conversation."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.core.state.decision import ComponentStatus
from app.decision.playbook import example
from app.decision.playbook.playbook import load_proact
from app.playground.claude import Text, ToolCall, Turn
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.carried import BOARD, changes, of, private
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of, text_of
from tests.flow.deciding import opens
from tests.told import words

TITLES = [component.title for component in load_proact().components]


room = fixture_of(chatting, time_scale=1.0)


def greetings(chat: Chat, where: str, who: str = "Maya") -> list[Message]:
    """The greetings that somebody sees in a place."""
    return [message for message in chat.slack.people.sees(who, where) if texts.WELCOME in text_of(message)]


async def greeted(chat: Chat, where: str, who: str = "Maya") -> Message:
    """Wait for the greeting."""
    return (await chat.slack.people.waits(lambda: greetings(chat, where, who)))[0]


@pytest.mark.req("M-008")
async def test_a_channel_is_greeted_when_we_are_added_and_a_conversation_begins_there(room: Chat) -> None:
    people = room.slack.people
    await people.invites("Maya", "#random", "Threadwise")
    greeting = await greeted(room, "#random")
    await opens(room, lambda: people.clicks("Sam", "#random", greeting.ts, "start:task"), who="Sam")
    room.will_answer("By when do you have to decide?")
    await people.fills("Sam", start="Hire or <rent> a van?")
    assert await people.submits("Sam") == {}
    assert people.modal("Sam") is None
    (root,) = [message for message in people.sees("Sam", "#random") if "Hire or" in message.text]
    assert "asks: Hire or &lt;rent&gt; a van?" in root.text
    await room.sees("By when do you have to decide?", who="Sam", where="#random", thread=root.ts)
    assert words(room.claude.requests[-1].prompt.last_user_text) == "Hire or <rent> a van?"
    await room.rests()
    assert (await room.conversation(root.ts, where="#random")).owner == room.id_of("Sam")


@pytest.mark.req("SE-06")
async def test_nothing_begins_in_a_private_channel_for_whoever_was_taken_out_while_the_form_was_open(
    room: Chat,
) -> None:
    people = room.slack.people
    private(room, BOARD, "board")
    changes(room, BOARD, members=tuple(map(room.id_of, ("Maya", "Sam"))))
    await people.invites("Maya", "#board", "Threadwise")
    greeting = await greeted(room, "#board")
    await opens(room, lambda: people.clicks("Sam", "#board", greeting.ts, "start:task"), who="Sam")
    changes(room, BOARD, members=of(room, "Maya"))
    await people.fills("Sam", start="What did they say of me?")
    assert await people.submits("Sam") == {action_ids.START_WINDOW: texts.NOT_SEEN}
    assert not [message for message in people.sees("Maya", "#board") if "What did they" in message.text]
    assert await room.documents("conversations") == 0


async def test_direct_messages_are_greeted_once(room: Chat) -> None:
    place = await room.slack.people.opens_dm("Maya")
    await greeted(room, place)
    await room.slack.people.opens_dm("Maya")
    room.will_answer("Yes.")
    await room.says("are you there?", where=place)
    await room.until(lambda: bool(room.claude.requests))
    assert len(greetings(room, place)) == 1


async def test_ask_threadwise_begins_in_direct_messages_from_anywhere(room: Chat) -> None:
    people = room.slack.people
    await opens(room, lambda: people.uses_global_shortcut("Maya", "new_conversation"))
    room.will_answer("What is it for?")
    await people.fills("Maya", start="Draft an announcement")
    assert await people.submits("Maya") == {}
    told = people.modal("Maya")
    assert told is not None
    assert texts.OUR_MESSAGES in told.blocks[0]["text"]["text"]
    place = await people.opens_dm("Maya")
    (root,) = [message for message in people.sees("Maya", place) if "Draft an announcement" in message.text]
    await room.sees("What is it for?", where=place, thread=root.ts)


async def test_the_example_is_laid_out_in_direct_messages_without_a_model(mongo_uri: str) -> None:
    async with chatting(mongo_uri, time_scale=0.3, **UNLIMITED) as chat:
        people = chat.slack.people
        await people.invites("Maya", "#random", "Threadwise")
        greeting = await greeted(chat, "#random")
        window = await opens(chat, lambda: people.clicks("Maya", "#random", greeting.ts, "example"))
        place = await people.opens_dm("Maya")
        assert f"archives/{place}|" in str(window.blocks)

        def begun() -> list[Message]:
            return [m for m in people.sees("Maya", place) if example.read_question() in text_of(m)]

        hub = (await people.waits(begun))[0]

        def finished() -> bool:
            return len([m for m in people.sees("Maya", place) if "of 9 · *" in text_of(m)]) == 9

        await people.waits(finished, 30)
        await chat.rests()
        whole = await chat.conversation(hub.ts, where=place)
        assert whole.decision is not None
        assert [step.status for step in whole.decision.steps] == [ComponentStatus.COMPLETE] * 9
        assert len(chat.claude.requests) == 0

        roots = {title: m.ts for m in people.sees("Maya", place) for title in TITLES if f"*{title}*" in text_of(m)}
        rated = people.sees("Maya", place, roots["Consequences"])
        assert "Volunteer overtime rota" in "".join(str(m.blocks) for m in rated)


async def test_a_later_press_lays_the_other_example_out(mongo_uri: str) -> None:
    async with chatting(mongo_uri, time_scale=0.3, **UNLIMITED) as chat:
        people, question = chat.slack.people, example.list_questions()[1]
        chat.slack.workspace.mint.ahead = -120.0  # what is posted stands there for two minutes already
        await people.invites("Maya", "#random", "Threadwise")
        greeting = await greeted(chat, "#random")
        place = await people.opens_dm("Maya")

        def shown(words: str) -> list[Message]:
            return [m for m in people.sees("Maya", place) if words in text_of(m)]

        for steps in (9, 18):
            await people.clicks("Maya", "#random", greeting.ts, "example")
            await people.waits(lambda steps=steps: len(shown("of 9 · *")) == steps, 30)
            await chat.rests()
        whole = await chat.conversation(shown(question)[0].ts, where=place)
        assert whole.decision is not None
        assert [step.status for step in whole.decision.steps] == [ComponentStatus.COMPLETE] * 9
        assert len(chat.claude.requests) == 0


async def test_a_decision_that_was_offered_in_a_talk_begins_with_its_question_for_whoever_presses(room: Chat) -> None:
    people, question = room.slack.people, "Where do we teach while the house is closed?"
    await people.invites("Maya", "#random", "Threadwise")
    await greeted(room, "#random")
    offered = Turn(parts=[Text("That is worth a guided decision."), ToolCall("offer_decision", {"question": question})])
    room.will_answer(offered, "The button is below.")
    thread = await room.says("@Threadwise we have to decide where to teach", where="#random")
    reply = await room.sees(texts.MAKE_DECISION, who="Sam", where="#random", thread=thread)
    await room.rests()
    await opens(room, lambda: people.clicks("Sam", "#random", reply.ts, action_ids.START_DECISION), who="Sam")
    await people.fills("Sam", place="here")
    assert await people.submits("Sam") == {}
    hub, *_ = await people.waits(lambda: [m for m in people.sees("Sam", "#random") if question in text_of(m)])
    assert (await room.conversation(hub.ts, where="#random")).owner == room.id_of("Sam")
