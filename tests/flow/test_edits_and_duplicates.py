"""People change their minds, and Slack says things twice."""

from __future__ import annotations

import asyncio

from app.playground.claude import Gate, Turn
from tests.flow.chat import BOTH_WAYS, Chat, text_of
from tests.told import words

pytestmark = BOTH_WAYS


async def test_a_second_delivery_of_the_same_message_changes_nothing(chat: Chat) -> None:
    thread = await chat.exchanges("@Threadwise hi", "Once.")
    for event_id in chat.deliveries_of("message") + chat.deliveries_of("app_mention"):
        chat.slack.deliver_again(event_id)
    await chat.exchanges("@Threadwise another", "Twice.")
    await chat.rests()
    assert [text_of(m) for m in chat.thread(thread)] == ["Once."]


async def test_an_edit_before_the_answer_replaces_what_was_said(chat: Chat) -> None:
    gate = asyncio.Event()
    chat.will_answer(Turn(text="One moment.", gates=[Gate(6, gate)]), "Two.")
    thread = await chat.says("@Threadwise first")
    await chat.sees("One", thread=thread)
    waiting = await chat.says("secnd", thread=thread)
    await chat.slack.people.edits("Maya", "#general", waiting, "second")
    await chat.applied(3, thread)
    gate.set()
    await chat.sees("Two.", thread=thread)
    assert words(chat.claude.requests[-1].prompt.last_user_text) == "second"


async def test_an_edit_after_the_answer_is_told_with_the_next_turn(chat: Chat) -> None:
    chat.will_answer("Forty it is.", "Then fourteen.")
    first = await chat.says("@Threadwise there are 40 of us")
    await chat.sees("Forty it is.", thread=first)
    await chat.rests()
    await chat.slack.people.edits("Maya", "#general", first, "@Threadwise there are 14 of us")
    await chat.settled_inbox(2)
    await chat.says("go on", thread=first)
    await chat.sees("Then fourteen.", thread=first)
    heard = words(chat.claude.requests[-1].prompt.last_user_text)
    assert "corrected an earlier message" in heard
    assert "there are 14 of us" in heard
    assert words(chat.claude.requests[-1].prompt.messages[0].text) == "there are 40 of us"


async def test_a_deleted_message_is_erased_and_never_sent_again(chat: Chat) -> None:
    chat.will_answer("I see.", "Fine.")
    first = await chat.says("@Threadwise hello")
    await chat.sees("I see.", thread=first)
    secret = await chat.says("@Sam the secret is swordfish", thread=first)
    await chat.settled_inbox(2)
    await chat.slack.people.deletes("Maya", "#general", secret)
    await chat.settled_inbox(3)
    await chat.says("go on", thread=first)
    await chat.sees("Fine.", thread=first)
    assert "swordfish" not in str(chat.claude.requests[-1].body)
    conversation = await chat.conversation(first)
    rows = await chat.store.conversations.transcript(conversation, 0)
    assert all("swordfish" not in row.text for row in rows)


async def test_a_message_whose_answer_has_begun_can_still_be_deleted(chat: Chat) -> None:
    chat.will_answer("I heard a secret.", "Which secret?")
    first = await chat.says("@Threadwise the secret is swordfish")
    await chat.sees("I heard a secret.", thread=first)
    await chat.rests()
    await chat.slack.people.deletes("Maya", "#general", first)
    await chat.settled_inbox(2)
    await chat.says("what was it?", thread=first)
    await chat.sees("Which secret?", thread=first)
    assert "swordfish" not in str(chat.claude.requests[-1].body)
