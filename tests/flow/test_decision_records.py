"""What is in the record of a decision, looked at and taken along by its owner."""

from __future__ import annotations

import json

import pytest

from app.core.copy import decision_record
from app.playground.slack.values.faults import Fault
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


@pytest.mark.parametrize(
    ("code", "words"),
    [("is_archived", decision_record.ARCHIVED_THERE), ("not_in_channel", decision_record.NOT_THERE)],
)
async def test_why_a_report_cannot_be_put_there_is_told_where_it_can_be_read(room: Chat, code: str, words: str) -> None:
    hub = await recorded(room)
    await room.rests()
    for method in ("chat.postEphemeral", "files.completeUploadExternal"):
        room.slack.faults.add(Fault(method, "error", times=2, code=code))
    await room.slack.people.chooses("Maya", "#general", hub, HUB_OFFERS, "export:html")
    place, channel = await room.slack.people.opens_dm("Maya"), room.slack.workspace.channel_named("#general")
    assert channel
    told = f"<#{channel.id}>: {words}"
    await room.until(lambda: told in [m.text for m in room.slack.people.sees("Maya", place)])


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
