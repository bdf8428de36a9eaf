"""What a scene says to the stage: when the point is armed, and how the answers of the model go, which kill too."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.playground.claude import Cut, Gate, HttpFault, Pace, Prompt, Text, Thinking, ToolCall, Turn
from tests.crash import answers, decider, poster
from tests.crash.points import Point, Side
from tests.crash.stage import STALE, Stage
from tests.crash.talk import Talk
from tests.crash.verdict import Wrong

SHOWN = 200  # characters of a slow answer, after which it waits for its cue
THOUGHT = "Let me see."
"""Every answer begins with a thought, which binds it to all that came before: a history that changed is refused."""
CHUNK = 24  # characters a delta: the head of an answer comes in one piece
TAKEN_IN_SECONDS = 3.0

MODEL_MOMENTS = ("request", "text", "end")
"""After a request has come, in the middle of the answer, and when all of its words have been sent."""


@dataclass
class Cues:
    """What a scene says to the stage: when the point is armed, and how the model's answer goes."""

    stage: Stage
    point: Point | None
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a slow answer may come to its end."""
    fails: list[Cut | HttpFault] = field(default_factory=list[Cut | HttpFault])
    """What goes wrong with the next answers."""
    wrong: list[Wrong] = field(default_factory=list[Wrong])
    """What the scene itself finds wrong, beside what is said in its thread."""
    before_armed: tuple[int, int] = (0, 0)
    """How many entries the journals of Slack and the model had when it was armed."""
    _answers: int = 0
    """How many answers of the model were begun since."""

    async def arm(self) -> None:
        """The kill may happen from here on."""
        self.before_armed = len(self.stage.slack.journal.entries), len(self.stage.claude.journal.entries)
        self.stage.arm()
        point = self.point
        if point and point.side in (Side.SLACK, Side.DELIVERY):
            moment = "after" if point.moment == "after" else "instead" if point.side is Side.SLACK else "before"
            self.stage.slack.faults.at(point.name, moment=moment, nth=point.nth, act=self.fire)

    async def fire(self) -> None:
        """Kill whoever is working."""
        if self.stage.disarm():
            await self.stage.kill_holder()

    async def taken_in(self, talk: Talk, act: Awaitable[object]) -> None:
        """Let somebody do something, and wait until the program has written it down, if it lives to do so."""
        before = await self._version(talk)
        await act
        try:
            async with asyncio.timeout(TAKEN_IN_SECONDS):
                while await self._version(talk) == before:
                    await asyncio.sleep(STALE)
        except TimeoutError:
            return

    async def _version(self, talk: Talk) -> int:
        found = await self.stage.database.conversations.find_one({"root": talk.root}, {"version": 1})
        return found["version"] if found else 0

    def answer(self, prompt: Prompt) -> Turn:
        """The model's answer, which kills at its moments too."""
        if said := decider.answer(prompt):
            return self._beside((said,))
        if parts := poster.answer(prompt):
            return self._beside((Thinking(THOUGHT), *parts))
        tokens = answers.asked(prompt)
        if reads := answers.reading(tokens, prompt):
            return self._beside((Thinking(THOUGHT), reads))
        text = answers.whole(tokens, len(prompt.messages))
        slow = any(token.endswith(("s", "r")) for token in tokens)
        gates = [Gate(len(THOUGHT) + SHOWN, self.go_on)] if slow else []
        gates += self._shots(len(THOUGHT) + min(SHOWN, len(text) // 2), len(THOUGHT) + len(text))
        asks, fault = answers.question(tokens), self.fails.pop(0) if self.fails else None
        parts = (Thinking(THOUGHT), Text(text), *((asks,) if asks else ()))
        return Turn(parts=parts, pace=Pace(chunk=CHUNK), gates=gates, fault=fault)

    def _beside(self, parts: Sequence[Thinking | Text | ToolCall]) -> Turn:
        """What is said in a thread beside the one that the verdict is about."""
        length = sum(map(_length, parts))
        return Turn(parts=parts, pace=Pace(chunk=CHUNK), gates=self._shots(length // 2, length))

    def _shots(self, middle: int, end: int) -> list[Gate]:
        """Where in an answer of the model the point lies, if it lies in this one: after so many of its characters."""
        if not self.point or self.point.side is not Side.MODEL or not self.stage.armed:
            return []
        self._answers += 1
        if self._answers != self.point.nth:
            return []
        return [Gate({"request": 0, "text": middle, "end": end}[self.point.name], _Trigger(self.fire))]


def _length(part: Thinking | Text | ToolCall) -> int:
    return len(json.dumps(part.input)) if isinstance(part, ToolCall) else len(part.text)


class _Trigger(asyncio.Event):
    """A gate that is never opened: whoever comes to it is shot."""

    def __init__(self, fire: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._fire = fire

    async def wait(self) -> Literal[True]:
        await self._fire()
        return await super().wait()
