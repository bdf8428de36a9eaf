"""A message that is deleted after a step has quoted it: its words go, from the export too, and the result stays."""

from __future__ import annotations

import json

from app.core.conversation.conversation import Role
from app.core.state.lifecycle import Lifecycle
from handlers.slack import action_ids
from tests.flow.chat import Chat
from tests.flow.deciding import approves, begins, conversation, interview, leads_to_card, versions
from tests.unit.decision.components.worked import minimal

SECRET = "We might leave Hamburg for good"
QUOTED = {
    **minimal("issue_raising"),
    "potential_decisions": [
        {"handle": "D1", "description": "Where to meet", "origin": "user", "evidence": [{"quote": SECRET}]}
    ],
}
REMARK = [{"message_id": "deleted", "quote": "(deleted)"}]


async def captured(room: Chat) -> tuple[str, str]:
    """A draft that quotes Maya and waits for her OK: hub and thread."""
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", QUOTED, f"{SECRET}, or stay.")
    await room.rests()
    return hub, thread


async def deletes(room: Chat, thread: str) -> None:
    """Maya deletes what was quoted."""
    said = next(m for m in room.slack.people.sees("Maya", "#general", thread) if SECRET in m.text)
    assert (await interview(room, thread)).draft["potential_decisions"][0]["evidence"][0]["message_id"] == said.ts
    heard = await room.documents("inbox")
    await room.slack.people.deletes("Maya", "#general", said.ts)
    await room.settled_inbox(heard + 1)
    await room.rests()


async def test_what_was_approved_stays_and_its_quote_goes_from_the_record_and_the_export(room: Chat) -> None:
    hub, thread = await captured(room)
    await approves(room, thread)
    await room.rests()
    before = await versions(room, hub)
    assert SECRET in str(before)
    await deletes(room, thread)
    after = await versions(room, hub)
    assert after["issue_raising", 1].data["potential_decisions"][0]["evidence"] == REMARK
    assert (await conversation(room, thread)).lifecycle is Lifecycle.COMPLETE
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "export:json")
    (file,) = await room.slack.people.waits(lambda: room.slack.people.files("Maya", "#general", hub))
    assert SECRET not in file.content.decode()
    assert json.loads(file.content)["versions"][0]["data"]["potential_decisions"][0]["evidence"] == REMARK


async def test_a_draft_that_waits_is_approved_without_the_quote(room: Chat) -> None:
    hub, thread = await captured(room)
    await deletes(room, thread)
    await approves(room, thread)
    await room.rests()
    assert (await versions(room, hub))["issue_raising", 1].data["potential_decisions"][0]["evidence"] == REMARK
    now = await conversation(room, thread)
    rows = await room.store.conversations.transcript(now, 0)
    assert (
        SECRET not in f"{now} {[row for row in rows if row.role is not Role.ASSISTANT]} {[row.calls for row in rows]}"
    )
