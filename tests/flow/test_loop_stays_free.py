"""A table is analysed beside the event loop: a probe on the loop's thread sees each function that begins there."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from copy import deepcopy
from types import CodeType, FrameType
from typing import Any

import pytest

from app.core.copy import decision_record
from app.decision.analysis.analysis import analyse
from app.decision.firmness.amounts import compare_orders
from app.decision.firmness.firmness import find_firmness
from app.decision.layout.sheets import build_sheet
from app.decision.rules.checks import check_rules
from app.playground.claude import Text, ToolCall, Turn
from handlers.slack import action_ids
from handlers.views.editing.rating import build_picker
from handlers.views.editing.window import build_list
from tests.flow.chat import Chat
from tests.flow.deciding import APPROVE, begins, card, leads_example, opens, presses, submits, window
from tests.flow.test_decision_confirming import ISSUES, edits
from tests.flow.test_decision_revision import reopens
from tests.unit.decision.components.worked import example

LONG = (analyse, find_firmness, compare_orders, build_sheet, check_rules, build_list, build_picker)
"""What takes longer than 50 ms for a large table."""


@contextmanager
def watching() -> Generator[list[str]]:
    """Give the long functions that begin on this thread, which is the loop's, with what they were called by."""
    watched: dict[CodeType, str] = {each.__code__: each.__name__ for each in LONG}
    seen: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in watched:
            callers, outer = list[str](), frame.f_back
            while outer and len(callers) < 8:
                callers.append(outer.f_code.co_qualname)
                outer = outer.f_back
            seen.append(f"{watched[frame.f_code]} by {', '.join(callers)}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def test_the_probe_sees_what_runs_on_its_own_thread() -> None:
    with watching() as seen, pytest.raises(AttributeError):
        check_rules(None, {}, None)  # type: ignore[arg-type]
    assert [each.split()[0] for each in seen] == ["check_rules"]


@pytest.mark.req("TR-21")
@pytest.mark.timeout(300)
async def test_no_analysis_runs_on_the_loop_through_steps_revision_windows_and_reports(room: Chat) -> None:
    with watching() as seen:
        hub, threads = await leads_example(room, "recommendation")
        await reopens(room, threads["consequences"])
        ratings = deepcopy(example("consequences"))
        next(each for each in ratings["table"]["cells"] if each["alternative_id"] == "A5")["rating"] = 2
        room.will_answer(*submits("consequences", ratings))
        await room.says("done", thread=threads["consequences"])
        await card(room, threads["consequences"])
        await opens(room, lambda: presses(room, threads["consequences"], action_ids.EDIT), "A5")
        await presses(room, threads["consequences"], APPROVE)
        await card(room, threads["tradeoffs"], "was made before this changed: Consequences v2")
        await presses(room, threads["tradeoffs"], action_ids.STILL_VALID)
        await opens(room, lambda: presses(room, hub, action_ids.RECORD), decision_record.RECORD_TITLE)
        await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "export:html")
        await room.slack.people.waits(lambda: room.slack.people.files("Maya", "#general", hub))
        await room.rests()
    assert seen == []


@pytest.mark.req("TR-21")
async def test_no_rule_runs_on_the_loop_when_notes_are_shown_and_a_draft_is_changed_by_a_tool_or_in_a_window(
    room: Chat,
) -> None:
    noted = {"list": "potential_decisions", "fields": {"description": "Where to meet"}, "quote": "where to meet"}
    changed = {"item": "D1", "fields": {"description": "Where to meet on Thursday"}}
    with watching() as seen:
        _, thread = await begins(room)
        room.will_answer(Turn(parts=[ToolCall("note_item", noted)]), "What else?")
        await room.says("We do not know where to meet", thread=thread)
        await room.sees("What else?", thread=thread)
        await presses(room, thread, action_ids.SHOW)
        await card(room, thread, "noted so far")
        assert seen == []
        room.will_answer(*submits("issue_raising", ISSUES))
        await room.says("done", thread=thread)
        await card(room, thread)
        room.will_answer(Turn(parts=[Text("I have changed the day."), ToolCall("change_item", changed)]))
        room.will_answer("It says Thursday now.")
        await room.says("On Thursday", thread=thread)
        await card(room, thread, "draft 2")
        assert seen == []
        await edits(room, thread, "Where to meet in May")
        assert await room.slack.people.submits("Maya") == {}
        await window(room, "Where to meet in May")
        await room.rests()
        await room.slack.people.clicks_in_modal("Maya", action_ids.EDITING_ROW, "remove:potential_decisions.0")
        await card(room, thread, "Still needed")
        await room.rests()
    assert seen == []
