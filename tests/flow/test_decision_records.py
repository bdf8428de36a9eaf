"""What is in the record of a decision, looked at and taken along by its owner."""

from __future__ import annotations

import json

import pytest

from app.core.copy import decision_record
from handlers.slack import action_ids
from tests.flow.chat import Chat
from tests.flow.deciding import decides, leads_to_record, window
from tests.unit.decision.components.worked import minimal

HUB_OFFERS = action_ids.HUB_MENU


async def recorded(room: Chat) -> str:
    """A decision with one approved step; gives its hub."""
    hub = await decides(room)
    await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    return hub


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
async def test_a_report_is_put_into_the_thread_of_its_decision(room: Chat, form: str) -> None:
    hub = await recorded(room)
    await room.slack.people.chooses("Maya", "#general", hub, HUB_OFFERS, f"export:{form}")
    (file,) = await room.slack.people.waits(lambda: room.slack.people.files("Maya", "#general", hub))
    content = file.content.decode()
    assert "Where to meet" in content
    if form == "json":
        assert json.loads(content)


async def test_the_record_so_far_is_shown_to_its_owner_alone(room: Chat) -> None:
    hub = await recorded(room)
    await room.slack.people.clicks("Maya", "#general", hub, action_ids.RECORD)
    shown = await window(room, decision_record.RECORD_TITLE)
    assert "Where to meet" in str(shown.given)

    def refused() -> list[str]:
        return [m.text for m in room.slack.people.sees("Sam", "#general") if "Only <@" in m.text]

    await room.slack.people.clicks("Sam", "#general", hub, action_ids.RECORD)
    await room.until(lambda: len(refused()) == 1)
    await room.slack.people.chooses("Sam", "#general", hub, HUB_OFFERS, "export:json")
    await room.until(lambda: len(refused()) == 2)
    assert room.slack.people.modal("Sam") is None
    assert room.slack.people.files("Sam", "#general", hub) == []
