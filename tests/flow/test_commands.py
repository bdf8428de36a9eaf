"""Commands, shortcuts and pickers: what people do with their conversations away from the thread."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from app.core.copy import texts
from app.core.machine.refusals import PUT_AWAY
from app.core.state.status import Status
from app.playground.slack import View
from app.playground.slack.values.model import Message
from tests.flow.called import asks, calls
from tests.flow.chat import Chat, chatting, text_of

MONDAYS = calls("schedule_work", kind="cron", cron="0 9 * * 1", instruction="Ask Maya for the numbers of the week.")


@pytest.fixture(params=["socket", "http"])
async def room(request: pytest.FixtureRequest, mongo_uri: str) -> AsyncGenerator[Chat]:
    """The program in a workspace in which Slack's three seconds last one, heard over a socket and over HTTP."""
    async with chatting(mongo_uri, http=request.param == "http", time_scale=1.0) as chat:
        yield chat


async def planned(chat: Chat) -> str:
    """Maya has a thread in which something runs on Mondays."""
    chat.will_answer(MONDAYS, "Every Monday, then.")
    thread = await chat.says("@Threadwise every Monday ask for the numbers")
    await chat.sees("Every Monday, then.", thread=thread)
    await chat.rests()
    return thread


async def idle(chat: Chat, words: str = "what shall we have for lunch", who: str = "Maya") -> str:
    """Somebody has a thread in which nothing goes on."""
    thread = await chat.exchanges(f"@Threadwise {words}", "Soup.", who=who)
    await chat.rests()
    return thread


async def types(chat: Chat, command: str, words: str = "", who: str = "Maya") -> None:
    """Somebody types a command in #general."""
    await chat.slack.people.commands(who, "#general", command, words)


async def answer(chat: Chat, words: str, who: str = "Maya") -> str:
    """Wait for the private answer with these words."""

    def shown() -> list[Message]:
        return [m for m in chat.slack.people.sees(who, "#general") if m.seen_by and words in text_of(m)]

    return text_of((await chat.slack.people.waits(shown))[-1])


async def window(chat: Chat, who: str = "Maya") -> View:
    """Wait until somebody has a modal before them."""
    view = await chat.slack.people.waits(lambda: chat.slack.people.modal(who))
    assert view is not None
    return view


def said(view: View | None) -> str:
    """What stands in a window, without its fields."""
    assert view is not None
    return "\n".join(block["text"]["text"] for block in view.blocks if block["type"] == "section")


def address(chat: Chat, thread: str) -> str:
    """What somebody copies as the link of a thread's first message."""
    assert chat.app is not None
    channel = chat.slack.workspace.channel_named("#general")
    assert channel is not None
    return f"{chat.app.identity.url}archives/{channel.id}/p{thread.replace('.', '')}"


async def becomes(chat: Chat, thread: str, status: Status) -> None:
    """Wait until the conversation has this status."""
    card = texts.FILED if status is Status.ARCHIVED else texts.REOPENED
    await chat.sees(card.partition(" by")[0], thread=thread)
    await chat.rests()
    assert (await chat.conversation(thread)).status is status


@pytest.mark.req("M-008", "S2-054", "S2-055")
async def test_the_list_tells_what_goes_on_to_its_owner_alone(room: Chat) -> None:
    await planned(room)
    await idle(room, "the office dog needs a bed", who="Sam")
    await types(room, "/threadwise", "list")
    listed = await answer(room, texts.CONVERSATIONS)
    assert "every Monday ask for the numbers" in listed
    assert "next <!date^" in listed
    assert "office dog" not in listed
    await types(room, "/threadwise", "schedules")
    assert "every Monday at 09:00" in await answer(room, "every Monday at 09:00")


@pytest.mark.req("M-008", "S2-057", "S2-058")
async def test_the_archive_picker_warns_archives_and_clears_the_schedule(room: Chat) -> None:
    thread = await planned(room)
    await idle(room)
    await types(room, "/archive-thread")
    await window(room)
    options = await room.slack.people.types_search("Maya", "pick", "numbers")
    (label,) = [each["text"]["text"] for each in options]
    name, where, when = label.split(" · ")
    assert name in ("⏰ every Monday ask for the numbers", "⏰ every Monday ask for the…")  # a date takes more room
    assert (where, when[:5]) == ("#general", "next ")
    await room.slack.people.fills("Maya", pick=options[0]["value"])
    await room.until(lambda: "every Monday at 09:00" in said(room.slack.people.modal("Maya")))
    assert await room.slack.people.submits("Maya") == {}
    assert room.slack.people.modal("Maya") is None
    await becomes(room, thread, Status.ARCHIVED)
    now = await room.conversation(thread)
    assert (now.schedule, now.next_run) == (None, "")


@pytest.mark.req("M-008", "S2-052")
async def test_an_archived_thread_keeps_nothing_and_is_reopened_by_the_picker(room: Chat) -> None:
    thread = await planned(room)
    await types(room, "/archive-thread", address(room, thread))
    await window(room)
    await room.slack.people.submits("Maya")
    await becomes(room, thread, Status.ARCHIVED)
    rows, asked = await room.documents("messages"), len(room.claude.requests)
    ignored = await room.says("one more thing about the numbers", thread=thread)
    await room.sees(texts.ARCHIVED, thread=thread)
    await room.until(lambda: PUT_AWAY in room.marks(ignored))
    assert (await room.documents("messages"), len(room.claude.requests)) == (rows, asked)
    await types(room, "/reopen-thread")
    await window(room)
    (option,) = await room.slack.people.types_search("Maya", "pick", "")
    assert option["text"]["text"].startswith("📦 ")
    await room.slack.people.fills("Maya", pick=option["value"])
    assert await room.slack.people.submits("Maya") == {}
    await becomes(room, thread, Status.ACTIVE)
    assert (await room.conversation(thread)).schedule is None
    await room.exchanges("are you there?", "Here I am again.", thread=thread)


@pytest.mark.req("S0-044")
async def test_nobody_archives_what_is_not_theirs(room: Chat) -> None:
    thread = await idle(room)
    await types(room, "/archive-thread", address(room, thread), who="Sam")
    await answer(room, "can do that here", who="Sam")
    await types(room, "/archive-thread", who="Sam")
    assert said(await window(room, who="Sam")) == texts.NOTHING_TO_PICK["archive"]
    assert (await room.conversation(thread)).status is Status.ACTIVE


async def test_the_shortcuts_on_a_message_mean_its_thread(room: Chat) -> None:
    thread = await idle(room)
    reply = await room.sees("Soup.", thread=thread)
    await room.slack.people.uses_shortcut("Maya", "#general", reply.ts, "archive_thread")
    await becomes(room, thread, Status.ARCHIVED)
    await room.slack.people.uses_shortcut("Maya", "#general", thread, "reopen_thread")
    await becomes(room, thread, Status.ACTIVE)
    foreign = await room.says("lunch, anybody?", who="Sam")
    await room.slack.people.uses_shortcut("Maya", "#general", foreign, "archive_thread")
    assert said(await window(room)) == texts.NOT_OURS


@pytest.mark.req("S2-058")
async def test_archiving_cancels_the_question_it_warned_of(room: Chat) -> None:
    room.will_answer(asks("Which one first?", "Evening cover", "Hiring"))
    thread = await room.says("@Threadwise several things to decide")
    card = await room.sees("Which one first?", thread=thread)
    await room.rests()
    await room.slack.people.uses_shortcut("Maya", "#general", thread, "archive_thread")
    assert texts.CANCELS_QUESTION in said(await window(room))
    await room.slack.people.submits("Maya")
    await becomes(room, thread, Status.ARCHIVED)
    assert texts.QUESTION_CANCELLED in text_of(room.now(card))
