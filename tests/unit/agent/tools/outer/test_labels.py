"""Every tool tells from which places its result came, and every one that writes who will read it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.agent.tools.context import Access
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.core.state.permission import ChannelKind, Target
from app.ports import Heard
from tests.unit.agent.tools.external.test_list_work import PLANNED
from tests.unit.agent.tools.outer.afield import DIRECT, OPS, Afield
from tests.unit.core.threads import ts

BOARD = "G0BOARD000"


@pytest.mark.req("SE-04")
async def test_a_channel_and_a_thread_are_from_where_they_stand_and_the_time_is_from_nowhere(at: Afield) -> None:
    at.reach.said[OPS.id] = (Heard(ts=ts(1), name="Sam", text="lunch?"),)
    await at.does("read_channel", channel="#ops")
    assert at.came_from == (OPS.id,)
    await at.does("read_thread")
    assert at.came_from == ("C1",)
    await at.does("date_and_time")
    assert at.came_from == ()


@pytest.mark.req("SE-04")
async def test_another_conversation_is_from_where_it_was_held_and_from_all_that_it_has_read() -> None:
    at = Afield(DIRECT)
    other = await at.remembers(title="Rota", sources=(BOARD,))
    named = f"{other.thread.channel}:{other.thread.root}"
    await at.does("read_conversation", conversation=named)
    assert at.came_from == ("C7", BOARD)
    await at.does("search_conversations", words="rota")
    assert at.came_from == ("C7", BOARD)
    await at.does("search_conversations", words="nothing of this")
    assert at.came_from == ()


@pytest.mark.req("SE-04")
async def test_what_is_planned_elsewhere_is_from_there_and_what_is_planned_here_is_known() -> None:
    at = Afield(DIRECT)
    at.conversation = await at.remembers(title="Here", thread=DIRECT, **PLANNED)
    assert (await at.does("list_work"))["work"]
    assert at.came_from == ()
    await at.remembers(title="Rota", sources=(BOARD,), **PLANNED)
    await at.does("list_work")
    assert at.came_from == ("C7", BOARD)


@pytest.mark.req("SE-04")
async def test_what_writes_tells_where_and_what_it_tells_afterwards_is_from_nowhere(at: Afield) -> None:
    asked = await at.prompt("post_message", channel="#ops", text="Hi")
    assert asked.target == Target(place=OPS.id, name="#ops", kind=ChannelKind.PUBLIC)
    at.reach.spots["C1"] = replace(OPS, id="C1", name="#general", private=True)
    asked = await at.prompt("create_file", name="rota", format="markdown", content="# Rota")
    assert asked.target == Target(place="C1", name="#general", kind=ChannelKind.PRIVATE)
    await at.does("post_message", channel="#ops", text="Hi")
    assert at.came_from == ()
    await at.does("create_file", name="rota", format="markdown", content="# Rota")
    assert at.came_from == ()


def test_no_other_tool_writes() -> None:
    writing = {name for name, tool in EXTERNAL_TOOLS.items() if tool.access is Access.WRITE}
    assert writing == {"post_message", "create_file", "search_web"}
