"""Turns as the program takes them: the real SDK, the retries and the breaker, over a clock of our own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import SecretStr

from app.agent.claude.breaker import Breaker
from app.agent.claude.client import Claude
from app.agent.claude.retry import RetryingModel
from app.agent.prompt import TurnPrompt
from app.agent.reply import TurnSettings
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.thread import ThreadKey
from app.playground.claude import ClaudePlayground
from tests.contract.store.clock import ManualClock
from tests.unit.agent.scripted import PaperDraft

SETTINGS = TurnSettings(model="claude-sonnet-5-5", max_tokens=1_000, context_tokens=32_000)
RUNNING = Conversation(
    id="c1", thread=ThreadKey(team="T1", channel="C1", root="1.1"), owner="U1", head=2, turn=Turn(id="2.1", reply=2)
)
ROWS = (
    Message(seq=1, role=Role.PERSON, text="hi", author="U1"),
    Message(seq=2, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING),
)


@dataclass(frozen=True)
class Speaker:
    """What turns are taken with."""

    api: ClaudePlayground
    model: Breaker
    clock: ManualClock

    def begins(self) -> tuple[TurnTask, PaperDraft]:
        """Begin a turn, and show it on paper."""
        draft = PaperDraft()
        prompt = TurnPrompt(RUNNING, ROWS, ThreadToolset(RUNNING, (), lambda: "1.0"))
        return TurnTask(self.model, SETTINGS, prompt, draft), draft

    async def replies(self) -> Message:
        """Take a turn to its end."""
        turn, _ = self.begins()
        return await turn.reply()


@asynccontextmanager
async def speaking(api: ClaudePlayground, idle_seconds: float = 30.0) -> AsyncGenerator[Speaker]:
    """Everything between a turn and the API, as the program joins it. Pauses take no time."""
    clock = ManualClock()
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds)
    try:
        yield Speaker(api, Breaker(RetryingModel(claude, clock, 120.0), clock), clock)
    finally:
        await claude.close()
