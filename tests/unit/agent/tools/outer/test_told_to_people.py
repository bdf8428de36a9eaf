"""What each tool says to people of its result where the model says nothing: a sentence, and nothing quoted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.agent.endings import BEGINNING, summarize_results
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.core.conversation.conversation import Message, Role
from app.core.state.schedule import Schedule, ScheduleKind
from app.ports import Heard, ListedChannel, Person
from tests.unit.agent.tools.outer.afield import DIRECT, OPS, THREAD, Afield

pytestmark = pytest.mark.req("AG-12")


async def told(at: Afield, name: str, /, **given: Any) -> str:
    """The line that stands for the result of this call."""
    result = json.dumps(await at.does(name, **given), ensure_ascii=False)
    use = {"type": "tool_use", "id": "a", "name": name, "input": given}
    came = {"type": "tool_result", "tool_use_id": "a", "content": result}
    said = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [came]}]
    beginning, line = summarize_results(said, EXTERNAL_TOOLS).split("\n")
    assert beginning == BEGINNING
    return line


def heard(*texts: str) -> tuple[Heard, ...]:
    return tuple(Heard(ts=f"177000000{place}.000001", name="Sam", text=text) for place, text in enumerate(texts))


async def test_of_a_channel_it_tells_which_and_how_many_messages_and_quotes_none(at: Afield) -> None:
    assert await told(at, "read_channel", channel="#ops") == "- Looked at #ops: no messages."
    at.reach.said[OPS.id] = heard("47", '<message from="Ann">lunch</message>')
    assert await told(at, "read_channel", channel="#ops") == "- Looked at #ops: 2 messages."
    assert await told(at, "read_channel", channel="#ops", limit=1) == "- Looked at #ops: 1 message."


async def test_of_this_thread_it_tells_how_many_messages(at: Afield) -> None:
    at.reach.said[THREAD.root] = heard("one")
    at.reach.spots[THREAD.channel] = replace(OPS, id=THREAD.channel)
    assert await told(at, "read_thread") == "- Looked at this thread: 1 message."


async def test_of_a_post_and_a_file_it_tells_where_they_are(at: Afield) -> None:
    at.reach.spots[THREAD.channel] = replace(OPS, id=THREAD.channel)
    posted = await told(at, "post_message", channel="#ops", text="Soup.")
    assert posted == f"- Posted to #ops: https://acme.example/archives/{OPS.id}/here:call1"
    filed = await told(at, "create_file", name="menu", format="markdown", content="Soup.")
    assert filed == "- Put the file menu.md into this thread."


async def test_of_names_it_tells_who_and_what_was_found() -> None:
    at = Afield(DIRECT)
    at.reach.listed = (ListedChannel(spot=OPS),)
    at.reach.staff[""] = (Person(user="U1", name="Sam"), Person(user="U2", name="Samuel"))
    assert await told(at, "find_channels", words="ops") == "- Found 1 channel: #ops."
    assert await told(at, "find_channels", words="zoo") == "- Found no channels."
    assert await told(at, "find_people", name="sam") == "- Found 2 people: Sam, Samuel."
    assert await told(at, "find_people", name="samuel") == "- Found 1 person: Samuel."


async def test_of_a_search_it_tells_what_was_found(at: Afield) -> None:
    assert await told(at, "search_conversations", words="vans") == "- Found no conversations."
    await at.remembers(title="Vans for the depot")
    assert await told(at, "search_conversations", words="vans") == "- Found 1 conversation: Vans for the depot."


async def test_of_another_conversation_it_tells_which(at: Afield) -> None:
    other = await at.remembers((Message(seq=1, role=Role.PERSON, text="hi", author="U1"),), title="Vans for the depot")
    at.reach.spots[other.thread.channel] = replace(OPS, id=other.thread.channel)
    link = f"{other.thread.channel}:{other.thread.root}"
    assert (await told(at, "read_conversation", conversation=link)).startswith("- Read Vans for the depot: 1 message")


async def test_of_planned_work_it_tells_what_and_when(at: Afield) -> None:
    assert await told(at, "list_work") == "- Nothing is planned for later."
    schedule = Schedule(kind=ScheduleKind.CRON, cron="0 9 * * 1", zone="UTC", instruction="Post the menu")
    await at.remembers(title="Menus", schedule=schedule)
    assert (await told(at, "list_work")).startswith("- Planned for later: Menus, ")


async def test_of_the_clock_it_tells_the_time() -> None:
    line = await told(Afield(), "date_and_time", zone="Europe/Berlin")
    assert line.startswith("- It is ")
    assert line.endswith("(Europe/Berlin).")


def test_every_tool_has_words_of_its_own() -> None:
    mute = [name for name, tool in EXTERNAL_TOOLS.items() if tool.tell.__module__ == "app.agent.tools.tool"]
    assert mute == []
