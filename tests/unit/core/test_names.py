"""What a thread is called follows the message that gave it its name, and is forgotten with it."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.conversation import Message
from app.core.conversation.effect import PublishHome
from app.core.events.heard import MessageDeleted, MessageEdited
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER, conversation


def named(words: str = "The rota for March") -> Live:
    return Live(conversation(title="")).says(words).replies()


def first(live: Live) -> Message:
    return live.transcript[0]


def edits(live: Live, row: Message, words: str) -> Live:
    return live.does(MessageEdited, row.author, ts=row.ts, text=words)


def deletes(live: Live, row: Message) -> Live:
    event = MessageDeleted(receipt="d", thread=live.now.thread, ts=row.ts, at=live.ts)
    live.apply(event, "d")
    return live


def test_the_name_of_a_thread_is_forgotten_with_the_words_that_gave_it() -> None:
    live = deletes(named(), first(named()))
    assert live.now.title == ""
    assert live.new(PublishHome)
    assert live.says("Something else").now.title == "Something else"


def test_a_thread_is_called_by_what_its_first_message_says_now() -> None:
    live = named("The code is 1234")
    assert edits(live, first(live), "The code is secret").now.title == "The code is secret"
    assert edits(live, first(live), "No code").now.title == "No code"
    assert deletes(live, first(live)).now.title == ""


def test_a_thread_keeps_its_name_when_another_message_changes_or_goes() -> None:
    live = named().says("And April?").replies()
    later = next(row for row in live.transcript if row.text == "And April?")
    assert edits(live, later, "And May?").now.title == "The rota for March"
    assert deletes(live, later).now.title == "The rota for March"


def test_somebody_elses_words_neither_rename_a_thread_nor_take_its_name() -> None:
    live = named().says("The rota for March", OTHER)
    theirs = live.transcript[-1]
    assert (theirs.author, first(live).author) == (OTHER, OWNER)
    live.now = replace(live.now, effects=())
    assert deletes(live, theirs).now.title == "The rota for March"
