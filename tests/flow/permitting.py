"""Conversations in which the model wants to do something outside: what it wants, what was done, and who decides."""

from __future__ import annotations

from typing import Any

from app.core.copy import texts
from app.core.state.permission import PermissionChoice
from app.core.state.status import TurnState
from app.playground.claude import Text, ToolCall, Turn
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of

ALLOW, ALWAYS, WAIT, NEVER = range(len(PermissionChoice))
"""The places of the four buttons."""

ALLOW_ALL = NEVER + 1
"""The place of the fifth, which a card has that lists several writes."""


def posting(*texts: str, said: str = "") -> Turn:
    """The model wants to post these in #ops, each by a use of its own."""
    uses = [ToolCall("post_message", {"channel": "#ops", "text": text}) for text in texts]
    return Turn(parts=[*([Text(said)] if said else []), *uses])


def using(*uses: tuple[str, dict[str, Any]], said: str = "") -> Turn:
    """The model uses several tools in one round."""
    return Turn(parts=[*([Text(said)] if said else []), *(ToolCall(name, given) for name, given in uses)])


def posted(chat: Chat) -> list[str]:
    """The first lines of what the app has posted in #ops."""
    bot = chat.slack.bot_user_id
    return [text_of(each).splitlines()[0] for each in chat.slack.people.sees("Maya", "#ops") if each.user == bot]


async def asked(chat: Chat, thread: str, text: str = "") -> Message:
    """Wait until a permission is asked for, with these words on its card, and its buttons can be pressed."""

    def shown() -> list[Message]:
        cards = [each for each in chat.thread(thread) if "Always = " in text_of(each)]
        return [each for each in cards if text in text_of(each)]

    return (await chat.slack.people.waits(shown))[-1]


async def presses(chat: Chat, card: Message, place: int, *, who: str = "Maya") -> None:
    await chat.slack.people.clicks(who, "#general", card.ts, f"{action_ids.ANSWER_PREFIX}{place}")


async def decides(chat: Chat, thread: str, place: int, text: str = "") -> None:
    """Wait for the card with these words, and press one of its buttons."""
    await presses(chat, await asked(chat, thread, text), place)


async def final(chat: Chat, thread: str, words: str) -> str:
    """Wait until these words are shown and nobody works any more; gives the words of their message as it is then.

    The line on what the tools did is left out.
    """
    ts = (await chat.sees(words, thread=thread)).ts
    await chat.rests()
    return without_line(next(each for each in chat.thread(thread) if each.ts == ts))


def without_line(message: Message) -> str:
    """The words of a message without the line on what its tools did."""
    lines = text_of(message).split("\n")
    return "\n".join(line for line in lines if not line.startswith("🔎") and line != texts.SHOW_DETAILS)


async def wants(chat: Chat, turn: Turn, *later: Turn | str, said: str = "post it to #ops") -> str:
    """Begin a thread in which the model wants this; gives its ts when the owner is asked and nobody works."""
    chat.will_answer(turn, *later)
    thread = await chat.says(f"@Threadwise {said}")
    await asked(chat, thread)
    await chat.rests()
    assert (await chat.conversation(thread)).run is TurnState.AWAITING
    return thread


def told(chat: Chat) -> list[tuple[str, bool]]:
    """All results that the newest request holds, in order, and which of them are errors."""
    messages = chat.claude.requests[-1].prompt.messages
    found = [result for message in messages for result in message.of("tool_result")]
    return [(result["content"], bool(result.get("is_error"))) for result in found]
