"""A workspace with places that not everybody reads, and what the program carries from one to another."""

from __future__ import annotations

from dataclasses import replace

from app.playground.claude import ToolCall, Turn
from app.playground.slack.values.model import Channel, Message
from handlers.slack import action_ids
from tests.flow.called import calls
from tests.flow.chat import Chat, text_of

BOARD, HR, CREW = "G0BOARD000", "G0HR000000", "G0CREW0000"
SECRET = "Close the Leeds depot"
DONE = "It is done."


def of(chat: Chat, *names: str) -> tuple[str, ...]:
    """The ids of these people, and ours."""
    return (*map(chat.id_of, names), chat.slack.bot_user_id)


def private(chat: Chat, id_: str, name: str, *people: str) -> None:
    """Let there be a private channel of these people, in which we are too."""
    chat.slack.workspace.add_channel(Channel(id_, name, "group", of(chat, *people), created=0))


def changes(chat: Chat, id_: str, **values: object) -> None:
    """Let a channel be otherwise from now on."""
    channels = chat.slack.workspace.channels
    channels[id_] = replace(channels[id_], **values)  # pyright: ignore[reportArgumentType]


async def board(chat: Chat) -> str:
    """Maya and Sam have a private #board, in which a secret stands; gives Maya's direct messages."""
    private(chat, BOARD, "board", "Maya", "Sam")
    await chat.says(SECRET, where="board")
    return await chat.slack.people.opens_dm("Maya")


def reading(channel: str) -> Turn:
    return calls("read_channel", channel=channel)


def posting(text: str, channel: str = "#ops") -> Turn:
    return Turn(parts=[ToolCall("post_message", {"channel": channel, "text": text})])


async def asks(chat: Chat, thread: str, where: str) -> str:
    """Wait for the card that asks; gives all of its words."""
    return text_of(await card(chat, thread, where))


async def card(chat: Chat, thread: str, where: str) -> Message:
    def open_() -> list[Message]:
        return [each for each in chat.thread(thread, where=where) if "Always = " in text_of(each)]

    found = (await chat.slack.people.waits(open_))[-1]
    await chat.rests()
    return found


async def presses(chat: Chat, thread: str, where: str, place: int) -> None:
    """Press one of the four answers on the card that asks."""
    shown = await card(chat, thread, where)
    await chat.slack.people.clicks("Maya", where, shown.ts, f"{action_ids.ANSWER_PREFIX}{place}")


async def says(chat: Chat, where: str, *turns: Turn | str, thread: str | None = None, text: str = "Go on") -> str:
    """Maya writes in her direct messages or in a channel, and the model does this; gives the thread."""
    chat.will_answer(*turns)
    said = await chat.says(f"@Threadwise {text}", where=where, thread=thread)
    return thread or said


def posts(chat: Chat, channel: str = "#ops", who: str = "Maya") -> list[str]:
    """The first lines of what the program has posted there."""
    bot = chat.slack.bot_user_id
    return [text_of(each).splitlines()[0] for each in chat.slack.people.sees(who, channel) if each.user == bot]


async def told(chat: Chat, thread: str, where: str, words: str = DONE) -> None:
    """Wait until this was said in the thread and nobody works any more."""
    await chat.sees(words, thread=thread, where=where)
    await chat.rests()


async def allows(chat: Chat, where: str, text: str = "Lunch is at noon.", channel: str = "#ops") -> None:
    """Maya lets the model post something harmless, and allows that for good."""
    thread = await says(chat, where, posting(text, channel), DONE)
    await presses(chat, thread, where, 1)
    await told(chat, thread, where)
