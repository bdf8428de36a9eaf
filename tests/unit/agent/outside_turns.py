"""Turns that do something outside, made for tests: a scripted model, tools of a workshop, and what is saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.agent.prompt import TurnPrompt
from app.agent.reply import TurnSettings
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Turn
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import Use, UseState
from app.ports import ModelReply, ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.scripted import PaperDraft, Part, ScriptedModel, answers
from tests.unit.core.threads import conversation, reply, said

SETTINGS = TurnSettings(model="claude-sonnet-5-5", max_tokens=1_000, context_tokens=32_000)
ROW = reply(2, "", MessageStatus.STREAMING)
RUNNING = conversation(head=2, turn=Turn(id="2.1", reply=2))
FREELY = {"ops": PermissionVerdict.ALLOWED}

PUT = ToolUse(id="p1", name="put", input={"to": "ops", "text": "Hi"})
LOOK = ToolUse(id="l1", name="look", input={"text": "attic"})
ASK = ToolUse(id="t1", name="ask_user", input={"type": "input", "prompt": "What?"})
PLAN = ToolUse(id="t2", name="propose_plan", input={})


class Outside:
    """A turn with a scripted model, tools that reach outside, and what it saves on its way."""

    def __init__(
        self,
        *scripts: list[Part],
        shop: Workshop | None = None,
        now: Conversation = RUNNING,
        row: Message = ROW,
        autonomous: bool = True,
    ) -> None:
        self.model, self.draft, self.shop = ScriptedModel(*scripts), PaperDraft(), shop or Workshop()
        self.tools = ThreadToolset(now, (), lambda: "1770000000.000001").restore(row)
        self.reports: list[tuple[Message, tuple[Use, ...], int]] = []
        prompt = TurnPrompt(now, (said(1, "Hi"), row), self.tools, outside=self.shop.hands, report=self._report)
        self.turn = TurnTask(self.model, replace(SETTINGS, autonomous=autonomous), prompt, self.draft)

    async def _report(self, row: Message, uses: tuple[Use, ...], rounds: int, heard: tuple[Message, ...]) -> None:
        self.reports.append((row, uses, rounds))

    async def closed(self) -> Message:
        return await self.turn.reply()

    def sent(self, place: int) -> list[dict[str, Any]]:
        """What a request says after the words of the person."""
        return list(self.model.asked[place].messages[1:])


def because(reason: str, *uses: ToolUse, text: str = "") -> list[Part]:
    """An answer with another stop reason."""
    *before, end = answers(*uses, text=text)
    assert isinstance(end, ModelReply)
    return [*before, replace(end, uses=(), stop_reason=reason)]


def resumed(held: Message, turn: TurnTask, state: UseState, **more: Any) -> Conversation:
    """The conversation after its owner has decided about what was asked."""
    decided = next(use.id for use in turn.uses if use.state is UseState.ASKED)
    uses = tuple(
        replace(use, state=state if use.id == decided else UseState.OPEN) if use.state is UseState.ASKED else use
        for use in turn.uses
    )
    under_way = Turn(id="2.1", reply=2, uses=uses, rounds=turn.rounds, **more)
    return replace(RUNNING, turn=under_way)
