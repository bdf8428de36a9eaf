"""What people have before them was shown by an older version: its buttons and forms mean what they always meant.

An id that is taken out of the fixtures is a button in somebody's thread that does nothing any more.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from app.core.conversation.conversation import Conversation
from app.core.events.heard import SlackEvent
from app.core.thread import ThreadKey
from handlers.inbound.reading.slack_messages import read_event
from handlers.views.windows import conversation_picker, export_window, forms, handover_window, new_decision, welcome
from tests.pressable import is_heard

FIXTURES = Path(__file__).parents[2] / "fixtures"

Json = dict[str, Any]
EVENT: TypeAdapter[SlackEvent] = TypeAdapter(SlackEvent)

IDS: Json = json.loads((FIXTURES / "interactions.json").read_text("utf-8"))
CLICKS: list[Json] = [json.loads(line) for line in (FIXTURES / "stored" / "clicks.jsonl").read_text().splitlines()]
PRESSED: Json = json.loads((FIXTURES / "slack" / "block_actions_retry.json").read_text("utf-8"))
THREAD = ThreadKey(team="T1", channel="C1", root="1770000000.000001")
DECISION = Conversation(id="d1", thread=THREAD, owner="U1", title="Shall we?")

FORMS: dict[str, Json] = {
    "answer": forms.build_answer_form(THREAD, 6, "Which one?"),
    "start": welcome.build_start_form("C1"),
    "decide": new_decision.build_form(
        new_decision.DecisionOrigin(channel="C1"), new_decision.FormOptions(private=True, readers=3)
    ),
    "export": export_window.build_form([DECISION]),
    "hand_over": handover_window.build_form(THREAD),
    "archive": conversation_picker.build_empty(conversation_picker.ArchiveAction.ARCHIVE, choices=True),
    "reopen": conversation_picker.build_empty(conversation_picker.ArchiveAction.REOPEN, choices=True),
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in IDS.items() if kind != "forms" for name in names]
)
async def test_an_old_control_has_its_listener_still(kind: str, name: str) -> None:
    assert await is_heard(kind, name), f"an old {kind} {name!r} has no listener any more"


@pytest.mark.parametrize("click", CLICKS, ids=lambda click: f"{click['action']}-{click['value']}")
def test_an_old_button_is_the_event_that_it_always_was(click: Json) -> None:
    body = deepcopy(PRESSED)
    body["actions"][0] |= {"action_id": click["action"], "value": click["value"]}
    event: Any = read_event(body, "U0BOTBOT1", "1.0")
    heard = json.loads(EVENT.dump_json(event))
    assert {key: heard.get(key) for key in click["event"]} == click["event"]


@pytest.mark.parametrize("callback", FORMS)
def test_a_form_has_the_fields_and_the_memory_that_a_later_version_reads(callback: str) -> None:
    view = FORMS[callback]
    fields = {block["block_id"]: block["element"]["action_id"] for block in view["blocks"] if block["type"] == "input"}
    memory = json.loads(view.get("private_metadata") or "{}")
    shown = {"callback_id": view["callback_id"], "fields": fields, "private_metadata": memory}
    assert shown == {"callback_id": callback, **IDS["forms"][callback]}
