"""Questions: the model asks, the thread waits, and the owner answers by click, by words or in a form."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.core.state.question import QuestionKind
from app.core.state.status import Status
from app.playground.claude import Turn
from app.playground.slack.values.controls import find_control
from app.playground.slack.values.model import Message
from tests.flow.called import asks, calls, labels, results, spoken
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


@pytest.mark.parametrize("said", ["the second one", "2", "hiring!", "number 2, please"])
async def test_who_types_the_answer_need_not_click(room: Chat, said: str) -> None:
    thread, card = await asked(room, "Hiring it is. For when?")
    await room.says(said, thread=thread)
    await room.sees("Hiring it is.", thread=thread)
    await room.rests()
    assert "✅ *Hiring*" in text_of(room.now(card))
    assert labels(room.now(card)) == []
    assert words(room.claude.requests[-1].prompt.last_user_text) == said
    assert (await room.conversation(thread)).status is Status.ACTIVE


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


async def test_what_the_model_takes_for_an_answer_is_shown_as_taken_from_the_message(room: Chat) -> None:
    taken = calls("resolve_question", value="New depot")
    thread, card = await asked(room, taken, "I take that as *New depot*. Where?")
    await room.says("the thing with the building site", thread=thread)
    await room.sees("Where?", thread=thread)
    await room.rests()
    assert results(room) == [("I take that as *New depot*.", False)]
    shown = text_of(room.now(card))
    assert "✅ *New depot*" in shown
    assert texts.FROM_MESSAGE in shown
    assert (await room.conversation(thread)).status is Status.ACTIVE


async def test_the_model_cannot_answer_with_what_was_not_offered(room: Chat) -> None:
    thread, card = await asked(room, calls("resolve_question", value="A holiday"), "Which of the three do you mean?")
    await room.says("a holiday, if you ask me", thread=thread)
    await room.sees("Which of the three do you mean?", thread=thread)
    await room.rests()
    assert results(room) == [("The answer must be one of the options.", True)]
    assert labels(room.now(card)) == [*OPTIONS]
    assert (await room.conversation(thread)).status is Status.WAITING_INPUT


async def test_of_two_clicks_the_second_is_told_what_was_answered(room: Chat) -> None:
    thread, card = await asked(room, GOES_ON)
    await room.slack.people.clicks("Maya", "#general", card.ts, "answer:0")
    await room.slack.people.clicks("Maya", "#general", card.ts, "answer:1")
    told = await room.sees(texts.ALREADY_ANSWERED.format(answer="Evening cover"), thread=thread)
    await room.rests()
    assert told.seen_by is not None
    assert "✅ *Evening cover*" in text_of(room.now(card))
    assert len(room.claude.requests) == 2


async def test_somebody_else_s_click_answers_nothing(room: Chat) -> None:
    thread, card = await asked(room, GOES_ON)
    maya = room.id_of("Maya")
    await room.slack.people.clicks("Sam", "#general", card.ts, "answer:1")
    await room.sees(texts.NOT_OWNER.format(owner=f"<@{maya}>"), who="Sam", thread=thread)
    await room.says("Hiring", who="Sam", thread=thread)
    await room.settled_inbox(3)
    await room.rests()
    assert labels(room.now(card)) == [*OPTIONS]
    await room.slack.people.clicks("Maya", "#general", card.ts, "answer:0")
    await room.sees(GOES_ON, thread=thread)


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


async def test_where_something_else_is_welcome_a_form_takes_it(mongo_uri: str) -> None:
    async with chatting(mongo_uri, time_scale=1.0) as chat:
        ask = asks(WHICH, *OPTIONS, allow_something_else=True)
        thread, card = await asked(chat, "The canteen, then.", ask=ask)
        assert labels(card) == [*OPTIONS, texts.SOMETHING_ELSE]
        await chat.slack.people.clicks("Maya", "#general", card.ts, "answer:form")
        await chat.until(lambda: chat.slack.people.modal("Maya") is not None)
        await chat.slack.people.fills("Maya", answer="The canteen")
        await chat.slack.people.submits("Maya")
        await chat.sees("The canteen, then.", thread=thread)
        await chat.rests()
        assert "✅ *The canteen*" in text_of(chat.now(card))
        assert words(chat.claude.requests[-1].prompt.last_user_text) == "The canteen"


async def test_nobody_but_the_owner_gets_the_form(room: Chat) -> None:
    thread, card = await asked(room, ask=calls("ask_user", type="input", prompt="What shall we call it?"))
    await room.slack.people.clicks("Sam", "#general", card.ts, "answer:form")
    await room.sees("can do that here", who="Sam", thread=thread)
    assert room.slack.people.modal("Sam") is None


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


async def test_a_newer_question_takes_the_place_of_the_older_one(room: Chat) -> None:
    thread, card = await asked(room, asks("And which of these two?", "Now", "Later"), "Later, good.")
    await room.says("those are too many at once, what about the time?", thread=thread)
    newer = await room.sees("And which of these two?", thread=thread)
    await room.rests()
    assert newer.ts != card.ts
    assert (labels(room.now(card)), labels(room.now(newer))) == ([], ["Now", "Later"])
    assert texts.QUESTION_SUPERSEDED in text_of(room.now(card))
    await room.says("later", thread=thread)
    await room.sees("Later, good.", thread=thread)


async def test_a_question_that_nobody_can_answer_goes_back_to_the_model(room: Chat) -> None:
    room.will_answer(asks(WHICH, "Only this"), "Then let us take this one.")
    thread = await room.says("@Threadwise we have one thing to decide")
    await room.sees("Then let us take this one.", thread=thread)
    await room.rests()
    assert results(room) == [("A choice has 2 to 10 options.", True)]
    assert (await room.conversation(thread)).status is Status.ACTIVE
    assert [m for m in room.thread(thread) if "❓" in text_of(m)] == []


async def test_what_is_said_before_a_question_stands_above_it(room: Chat) -> None:
    ask = calls("ask_user", "Two things matter here.", type="choice", prompt=WHICH, options=[*OPTIONS])
    thread, card = await asked(room, ask=ask)
    shown = [text_of(m) for m in room.thread(thread)]
    assert shown[0] == "Two things matter here."
    assert room.now(card) == room.thread(thread)[1]


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


async def test_a_card_tells_that_the_message_of_its_answer_says_something_else_now(chat: Chat) -> None:
    thread, card = await asked(chat, "Hiring, then.")
    said = await chat.says("Hiring", thread=thread)
    await chat.sees("Hiring, then.", thread=thread)
    await chat.rests()
    await chat.slack.people.edits("Maya", "#general", said, "Evening cover")
    await chat.until(lambda: texts.CHANGED_SINCE in text_of(chat.now(card)))
    assert "Hiring" in text_of(chat.now(card))
