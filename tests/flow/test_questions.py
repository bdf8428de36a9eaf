"""Questions: the model asks, the thread waits, and the owner answers by click, by words or in a form."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.core.state.question import QuestionKind
from app.core.state.status import Status
from app.playground.claude import Turn
from app.playground.slack.values.controls import find_control
from app.playground.slack.values.model import Message
from tests.flow.called import asks, calls, labels, spoken
from tests.flow.chat import BOTH_WAYS, Chat, chatting, fixture_of, text_of
from tests.told import words

WHICH = "Which decision do we focus on?"
OPTIONS = ("Evening cover", "Hiring", "New depot")
GOES_ON = "Evening cover it is. Who is short of sleep?"


room = fixture_of(chatting)


async def asked(chat: Chat, *turns: Turn | str, ask: Turn | None = None) -> tuple[str, Message]:
    """Maya begins a thread in which the model asks her something; `turns` come after that."""
    chat.will_answer(*spoken(ask or asks(WHICH, *OPTIONS), *turns))
    thread = await chat.says("@Threadwise we have several things to decide")
    card = await chat.sees("❓", thread=thread)
    await chat.rests()
    return thread, card


@pytest.mark.req("S2-019", "S2-020", "S2-029")
@BOTH_WAYS
async def test_a_question_is_a_post_that_mentions_the_owner_and_the_thread_waits(chat: Chat) -> None:
    thread, card = await asked(chat)
    maya = chat.id_of("Maya")
    assert f"<@{maya}> {WHICH}" in text_of(card)
    assert f"<@{maya}>" in card.text
    assert labels(card) == [*OPTIONS]
    assert texts.CHOICE_HINT in text_of(card)
    waiting = await chat.conversation(thread)
    assert waiting.status is Status.WAITING_INPUT
    assert waiting.question is not None
    assert (waiting.question.kind, waiting.question.options) == (QuestionKind.CHOICE, OPTIONS)


@pytest.mark.req("S2-021", "S2-030", "S2-040")
@BOTH_WAYS
async def test_a_click_closes_the_card_and_the_model_goes_on_with_the_answer(chat: Chat) -> None:
    thread, card = await asked(chat, GOES_ON)
    await chat.slack.people.clicks("Maya", "#general", card.ts, "answer:0")
    await chat.sees(GOES_ON, thread=thread)
    await chat.rests()
    closed = chat.now(card)
    assert f"✅ *Evening cover* · <@{chat.id_of('Maya')}>" in text_of(closed)
    assert labels(closed) == []
    assert words(chat.claude.requests[-1].prompt.last_user_text) == "Evening cover"
    going_on = await chat.conversation(thread)
    assert (going_on.status, going_on.question) == (Status.ACTIVE, None)


async def test_a_counter_question_is_answered_and_points_at_the_question_that_stays_open(room: Chat) -> None:
    thread, card = await asked(room, "It is about the depot in the north.", "The north, then. By when?")
    await room.says("what is the third one about?", thread=thread)
    reply = await room.sees("the depot in the north", thread=thread)
    await room.until(lambda: texts.QUESTION_ABOVE in text_of(room.now(reply)))
    await room.rests()
    link = f"/archives/{card.channel}/p{card.ts.replace('.', '')}?thread_ts={thread}&amp;cid={card.channel}"
    assert link in text_of(room.now(reply))
    assert labels(room.now(card)) == [*OPTIONS]
    assert len([m for m in room.thread(thread) if WHICH in text_of(m)]) == 1
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT
    state = room.claude.requests[-1].prompt.last_user_text
    assert f'Your question is still open: "{WHICH}"' in state
    await room.slack.people.clicks("Maya", "#general", card.ts, "answer:2")
    await room.sees("By when?", thread=thread)
    await room.rests()
    last = await room.sees("By when?", thread=thread)
    assert texts.QUESTION_ABOVE not in text_of(last)


async def test_more_than_four_options_are_chosen_from_a_list(room: Chat) -> None:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
    thread, card = await asked(room, "Thursday suits me too.", ask=asks("Which day?", *days))
    offered = [option["text"]["text"] for option in find_control(card.blocks or [], "answer:select").options]
    assert offered == [*days]
    await room.slack.people.chooses("Maya", "#general", card.ts, "answer:select", "Thursday")
    await room.sees("Thursday suits me too.", thread=thread)
    await room.rests()
    assert "✅ *Thursday*" in text_of(room.now(card))
    assert words(room.claude.requests[-1].prompt.last_user_text) == "Thursday"


@pytest.mark.req("S2-041")
@pytest.mark.parametrize("http", [False, True], ids=["socket", "http"])
async def test_free_text_is_answered_in_a_form(mongo_uri: str, http: bool) -> None:
    async with chatting(mongo_uri, http=http, time_scale=1.0) as chat:
        thread, card = await asked(
            chat, "A fine name.", ask=calls("ask_user", type="input", prompt="What shall we call it?")
        )
        assert labels(card) == [texts.ANSWER]
        await chat.slack.people.clicks("Maya", "#general", card.ts, "answer:form")
        await chat.until(lambda: chat.slack.people.modal("Maya") is not None)
        await chat.slack.people.fills("Maya", answer="Operation <Nightingale> & Co")
        assert await chat.slack.people.submits("Maya") == {}
        await chat.sees("A fine name.", thread=thread)
        await chat.rests()
        assert words(chat.claude.requests[-1].prompt.last_user_text) == "Operation <Nightingale> & Co"
        assert "✅ *Operation &lt;Nightingale&gt; &amp; Co*" in text_of(chat.now(card))


@pytest.mark.req("S2-041")
async def test_free_text_is_answered_by_simply_writing(room: Chat) -> None:
    thread, card = await asked(
        room, "A fine name.", ask=calls("ask_user", type="input", prompt="What shall we call it?")
    )
    await room.says("Operation Nightingale", thread=thread)
    await room.sees("A fine name.", thread=thread)
    await room.rests()
    assert "✅ *Operation Nightingale*" in text_of(room.now(card))


@pytest.mark.req("S2-039")
@pytest.mark.parametrize(("said", "answer"), [("yes please", texts.YES), ("nope", texts.NO)])
async def test_a_yes_or_no_may_be_typed(room: Chat, said: str, answer: str) -> None:
    thread, card = await asked(room, "Understood.", ask=calls("ask_user", type="confirmation", prompt="Shall I?"))
    assert labels(card) == [texts.YES, texts.NO]
    await room.says(said, thread=thread)
    await room.sees("Understood.", thread=thread)
    await room.rests()
    assert f"✅ *{answer}*" in text_of(room.now(card))


@BOTH_WAYS
async def test_a_question_outlasts_a_restart(chat: Chat) -> None:
    thread, card = await asked(chat, GOES_ON)
    await chat.stops()
    await chat.starts()
    await chat.slack.people.clicks("Maya", "#general", card.ts, "answer:0")
    await chat.sees(GOES_ON, thread=thread, patience=30)
    await chat.rests()
    assert "✅ *Evening cover*" in text_of(chat.now(card))


async def test_a_card_shows_no_answer_whose_message_was_deleted(chat: Chat) -> None:
    chat.will_answer(calls("ask_user", type="input", prompt="What do you earn?"), "Noted.")
    thread = await chat.says("@Threadwise help me with my budget")
    card = await chat.sees("What do you earn?", thread=thread)
    await chat.rests()
    told = await chat.says("it is 5432 a month", thread=thread)
    await chat.sees("it is 5432 a month", thread=thread)
    await chat.sees("Noted.", thread=thread)
    await chat.rests()
    await chat.slack.people.deletes("Maya", "#general", told)
    await chat.until(lambda: "(deleted)" in text_of(chat.now(card)))
    assert "5432" not in str(chat.thread(thread))
