"""A decision's record, seen and had by its owner: in a window, as a file in its thread, and handed over with it."""

from __future__ import annotations

import json

import pytest

from app.core.copy import decision_record, decision_steps, texts
from handlers.slack import action_ids
from handlers.slack.manifest import SCOPES
from tests.flow.chat import Chat, chatting
from tests.flow.deciding import (
    QUESTION,
    begins,
    beside,
    conversation,
    decides,
    leads_to_record,
    presses,
    window,
)
from tests.unit.decision.components.worked import minimal


@pytest.mark.req("S0-044")
async def test_the_record_is_shown_and_exported_to_the_owner_and_to_nobody_else(room: Chat) -> None:
    hub = await decides(room)
    await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    await presses(room, hub, action_ids.RECORD)
    shown = await window(room, "Version 1 · approved by Maya")
    assert "Where to meet" in str(shown.given)
    await room.slack.people.clicks_in_modal("Maya", "record_export:json")
    await window(room, "You find the whole record as JSON in the thread of")
    assert "Where to meet" in str((await window(room, "in the thread of")).given), "the record is still there"
    await room.until(lambda: bool(room.slack.people.files("Sam", "#general", hub)))
    (record,) = room.slack.people.files("Sam", "#general", hub)
    kept = json.loads(record.content)["versions"]
    assert [(each["component"], each["number"]) for each in kept] == [("issue_raising", 1)]
    for pressed in (action_ids.RECORD, action_ids.HUB_MENU):
        await presses(room, hub, pressed, "export:html" if pressed == action_ids.HUB_MENU else None, who="Sam")
    refusal = texts.NOT_OWNER.partition("{")[0]
    people = room.slack.people  # the hub is pressed in the channel, so the answer is there
    await room.until(lambda: str([m for m in people.sees("Sam", "#general") if m.seen_by]).count(refusal) == 2)
    assert room.slack.people.modal("Sam") is None
    assert len(room.slack.people.files("Sam", "#general", hub)) == 1


async def test_a_report_is_exported_from_the_menu_and_by_the_command(room: Chat) -> None:
    hub, _ = await begins(room)
    await presses(room, hub, action_ids.HUB_MENU, "export:html")
    await beside(room, "I am preparing the report: ")
    await room.slack.people.commands("Maya", "#random", "/threadwise", "export")
    await window(room, QUESTION)
    await room.slack.people.fills("Maya", format="markdown")
    assert await room.slack.people.submits("Maya") == {}
    await window(room, "I am preparing the report in Markdown")
    await room.until(lambda: len(room.slack.people.files("Maya", "#general", hub)) == 2)
    page, text = sorted(room.slack.people.files("Maya", "#general", hub), key=lambda file: file.name)
    assert page.name.endswith(".html")
    assert page.content.lower().startswith(b"<!doctype html>")
    assert text.content.decode().startswith(f"# {QUESTION}\n")


async def test_an_installation_from_before_is_told_to_install_again(mongo_uri: str) -> None:
    async with chatting(mongo_uri, scopes=frozenset(SCOPES) - {"files:write"}, time_scale=1.0) as chat:
        hub, _ = await begins(chat)
        await presses(chat, hub, action_ids.HUB_MENU, "export:markdown")
        await beside(chat, decision_record.NO_UPLOAD)
        await chat.rests()


async def test_whoever_a_decision_is_handed_to_owns_it_and_its_steps_from_then_on(room: Chat) -> None:
    hub, step = await begins(room)
    await presses(room, hub, action_ids.HUB_MENU, "hand_over")
    await window(room, decision_record.HAND_OVER_MEANS)
    await room.slack.people.fills("Maya", to="Threadwise")
    assert await room.slack.people.submits("Maya") == {"to": decision_record.NOT_A_BOT}
    await room.slack.people.fills("Maya", to="Sam")
    assert await room.slack.people.submits("Maya") == {}
    await room.sees(decision_steps.HANDED_OVER.partition("}")[2], thread=hub)
    await room.rests()
    sam = room.id_of("Sam")
    assert [(await conversation(room, thread)).owner for thread in (hub, step)] == [sam, sam]
    await presses(room, hub, action_ids.RECORD)
    await beside(room, texts.NOT_OWNER.format(owner=f"<@{sam}>"))
    await presses(room, hub, action_ids.RECORD, who="Sam")
    await window(room, QUESTION, who="Sam")
