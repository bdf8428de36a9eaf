"""A turn that is cut off between two steps of its loop: what comes next is not begun (S3, Tasks 3.1 and 4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.prompt import TurnPrompt
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import MessageStatus
from app.core.state.permission import PermissionVerdict
from tests.unit.agent.outer_tools import Given, Workshop
from tests.unit.agent.outside_turns import LOOK, PUT, RUNNING, SETTINGS
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers, deltas
from tests.unit.core.threads import reply, said


class Cut:
    """A turn with a scripted model, which something that happens in it cuts off."""

    def __init__(self, *scripts: list[Part], **acts: Any) -> None:
        self.model, self.draft = ScriptedModel(*scripts), PaperDraft()
        self.shop = Workshop({"ops": PermissionVerdict.ALLOWED}, **acts)
        rows = (said(1, "Hi"), reply(2, "", MessageStatus.STREAMING))
        prompt = TurnPrompt(
            RUNNING, rows, ThreadToolset(RUNNING, (), lambda: "1770000000.000001"), outside=self.shop.hands
        )
        self.turn = TurnTask(self.model, SETTINGS, prompt, self.draft)

    def now(self) -> None:
        self.turn.cut()

    def while_looking(self, _given: Given) -> str:
        self.turn.cut()
        return "three vans"


@pytest.mark.req("S3-025")
async def test_a_turn_that_is_cut_while_a_tool_returns_begins_no_further_round() -> None:
    cut = Cut(answers(LOOK, text="I look."), answers(text="never"))
    cut.shop.looks = cut.while_looking
    closed = await cut.turn.reply()
    assert (closed.status, closed.text, len(cut.model.asked)) == (MessageStatus.CANCELLED, "I look.", 1)


@pytest.mark.req("S3-025")
async def test_a_turn_that_is_cut_as_its_answer_ends_uses_no_tool_of_it() -> None:
    scripts: list[Part] = []
    cut = Cut(scripts, answers(text="never"))
    scripts += [*deltas("I post it."), cut.now, *answers(PUT)]
    closed = await cut.turn.reply()
    assert (closed.status, closed.text, len(cut.model.asked)) == (MessageStatus.CANCELLED, "I post it.", 1)
    assert cut.shop.done == []
