"""What counts as given: every handle that ever stood in the thread of a step, wherever it stands in its messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.conversation.call import DraftExtracted, DraftNoted
from app.core.conversation.conversation import Message, Role
from app.core.state.interview import Interview, JudgedDraft
from app.core.state.sheet import Sheet
from app.decision.drafts.given_handles import collect_handles
from app.decision.schema.handles import find_highest, renumber
from tests.unit.core.interviews import HUB, PREPARED
from tests.unit.core.threads import reply
from tests.unit.decision.components.worked import PLAYBOOK, minimal


def draft(handle: str) -> dict[str, Any]:
    return {"notes": [{"handle": handle, "description": "Dropped later"}]}


def judged(handle: str) -> JudgedDraft:
    return JudgedDraft(draft=draft(handle), sheet=Sheet())


RESULT = json.dumps([{"role": "user", "content": [{"type": "tool_result", "content": json.dumps({"item": "O4"})}]}])
PLACES = {
    "a call that noted it": (reply(1, "Noted.", calls=(DraftNoted(draft=draft("O4"), edition=1),)), None),
    "an extraction": (reply(1, "", calls=(DraftExtracted(drafted=judged("O4"), attempts=1),)), None),
    "a window": (Message(seq=1, role=Role.NOTE, text="", data=json.dumps(draft("O4"))), None),
    "the result of a tool": (reply(1, "Noted.", content=RESULT), None),
    "the draft": (
        reply(1, "Hello"),
        Interview(decision=HUB, component="objectives", prepared=PREPARED, draft=draft("O4")),
    ),
    "the draft as it was judged": (
        reply(1, "Hello"),
        Interview(decision=HUB, component="objectives", prepared=PREPARED, drafted=judged("O4")),
    ),
}


@pytest.mark.req("FA-19")
@pytest.mark.parametrize(("row", "lead"), PLACES.values(), ids=PLACES)
def test_a_handle_that_stood_anywhere_in_a_thread_is_given(row: Message, lead: Interview | None) -> None:
    assert [*collect_handles([row], lead)] == ["O4"]


@pytest.mark.req("FA-19")
def test_an_item_with_the_last_number_that_was_given_gets_the_next_one() -> None:
    made = {**minimal("objectives"), "fundamental_objectives": [{"handle": "O3", "description": "Keep the cost low"}]}
    assert find_highest([draft("O2")], {"O": 3, "M": 1}) == {"O": 3, "M": 1}
    after = renumber(PLAYBOOK["objectives"], made, {"O": 3}, ())
    assert [each["handle"] for each in after["fundamental_objectives"]] == ["O4"]
