"""What a card says of where words were read, and what is posted once it is answered: never to more than it named."""

from __future__ import annotations

import pytest

from app.core.copy import texts
from app.core.errors import FailureKind
from app.core.state.permission import PermissionChoice
from app.playground.claude import ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.called import calls
from tests.flow.carried import (
    CREW,
    DONE,
    SECRET,
    asks,
    board,
    card,
    changes,
    of,
    posting,
    posts,
    presses,
    private,
    reading,
    says,
    told,
)
from tests.flow.chat import Chat, text_of

pytestmark = pytest.mark.req("SE-04")

ALLOW = [*PermissionChoice].index(PermissionChoice.ALLOW)
ALLOW_ALL = len(PermissionChoice)
READ = "This was read in #board, which 2 people can read. {target} may have other readers."


async def test_who_joins_the_target_while_its_owner_thinks_is_named_before_anything_is_posted(chat: Chat) -> None:
    direct = await board(chat)
    private(chat, CREW, "crew", "Maya", "Sam")
    thread = await says(chat, direct, reading("#board"), posting(SECRET, "#crew"), DONE)
    assert "This was read in" not in await asks(chat, thread, direct)
    changes(chat, CREW, members=of(chat, "Maya", "Sam", "Priya"))
    await presses(chat, thread, direct, ALLOW)
    await chat.sees(READ.format(target="#crew"), thread=thread, where=direct)
    assert posts(chat, "#crew") == []
    await presses(chat, thread, direct, ALLOW)
    await told(chat, thread, direct)
    assert posts(chat, "#crew") == [SECRET]


async def test_one_button_for_several_writes_stands_below_the_sources_of_all_of_them(chat: Chat) -> None:
    direct = await board(chat)
    both = Turn(
        parts=[ToolCall("post_message", {"channel": channel, "text": SECRET}) for channel in ("#board", "#ops")]
    )
    thread = await says(chat, direct, reading("#board"), both, DONE)
    shown = await card(chat, thread, direct)
    assert READ.format(target="#ops") in text_of(shown)
    await chat.slack.people.clicks("Maya", direct, shown.ts, f"{action_ids.ANSWER_PREFIX}{ALLOW_ALL}")
    await told(chat, thread, direct)
    assert posts(chat) == [SECRET]


async def test_an_answer_that_waited_goes_no_further_once_another_company_reads_along(chat: Chat) -> None:
    await chat.says("The rota is late", who="Sam", where="#ops")
    thread = await says(chat, "#general", reading("#ops"), posting("It is late.", "#general"), "I know nothing.")
    await card(chat, thread, "#general")
    asked = len(chat.claude.requests)
    general = chat.slack.workspace.channel_named("#general")
    assert general
    changes(chat, general.id, is_shared=True)
    await presses(chat, thread, "#general", ALLOW)
    await told(chat, thread, "#general", texts.FAILURES[FailureKind.OVERHEARD])
    assert len(chat.claude.requests) == asked
    assert "It is late." not in posts(chat, "#general")
    await says(chat, "#general", thread=thread)
    await told(chat, thread, "#general", "I know nothing.")
    assert "The rota is late" not in str(chat.claude.requests[-1].prompt)


async def test_a_public_channel_that_the_app_is_not_in_stops_no_answer_that_has_named_it(chat: Chat) -> None:
    looking = calls("find_channels", words="random")
    thread = await says(chat, "#general", looking, posting("It is late.", "#ops"), DONE)
    assert "It is late." in await asks(chat, thread, "#general")
    await presses(chat, thread, "#general", ALLOW)
    await told(chat, thread, "#general")
    assert posts(chat) == ["It is late."]
    await says(chat, "#general", "Fine.", thread=thread)
    await told(chat, thread, "#general", "Fine.")
    assert "you_are_in_it" in str(chat.claude.requests[-1].prompt)
