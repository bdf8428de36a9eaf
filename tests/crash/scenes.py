"""What people do while the program is killed: one scene for each state that a run can be in.

A scene is a function of a talk and its cues; to add one, write it and put it into `SCENES`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.playground.claude import Cut, Gate, HttpFault, Pace, Prompt, Text, Thinking, ToolCall, Turn
from tests.crash import answers, decider
from tests.crash.decider import Decider
from tests.crash.points import Point, Side
from tests.crash.stage import STALE, Stage
from tests.crash.talk import Talk
from tests.crash.verdict import Ending, Wrong

SHOWN = 200  # characters of a slow answer, after which it waits for its cue
THOUGHT = "Let me see."
"""Every answer begins with a thought, which binds it to all that came before: a history that changed is refused."""
CHUNK = 24  # characters a delta: the head of an answer comes in one piece
TAKEN_IN_SECONDS, LONG_SECONDS = 3.0, 30.0


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
            return self._in_step(said)
        tokens = answers.asked(prompt)
        text = answers.whole(tokens, len(prompt.messages))
        slow = any(token.endswith("s") for token in tokens)
        gates = [Gate(len(THOUGHT) + SHOWN, self.go_on)] if slow else []
        gates += self._shots(len(THOUGHT) + min(SHOWN, len(text) // 2), len(THOUGHT) + len(text))
        asks, fault = answers.question(tokens), self.fails.pop(0) if self.fails else None
        parts = (Thinking(THOUGHT), Text(text), *((asks,) if asks else ()))
        return Turn(parts=parts, pace=Pace(chunk=CHUNK), gates=gates, fault=fault)

    def _in_step(self, said: Text | ToolCall) -> Turn:
        length = len(said.text) if isinstance(said, Text) else len(json.dumps(said.input))
        return Turn(parts=(said,), pace=Pace(chunk=CHUNK), gates=self._shots(length // 2, length))

    def _shots(self, middle: int, end: int) -> list[Gate]:
        """Where in an answer of the model the point lies, if it lies in one: after so many of its characters."""
        if not self.point or self.point.side is not Side.MODEL or not self.stage.armed:
            return []
        return [Gate({"request": 0, "text": middle, "end": end}[self.point.name], _Trigger(self.fire))]


class _Trigger(asyncio.Event):
    """A gate that is never opened: whoever comes to it is shot."""

    def __init__(self, fire: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._fire = fire

    async def wait(self) -> Literal[True]:
        await self._fire()
        return await super().wait()


Scene = Callable[[Talk, Cues], Awaitable[None]]

MODEL_MOMENTS = ("request", "text", "end")
"""After a request has come, in the middle of the answer, and when all of its words have been sent."""


async def first(talk: Talk, cues: Cues) -> None:
    """Somebody begins a thread; the answer is shown as it comes, and finished."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    cues.go_on.set()
    await talk.settled(said)


async def later(talk: Talk, cues: Cues) -> None:
    """Somebody goes on with a thread that rests."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    cues.go_on.set()
    await talk.settled(await talk.says())


async def long(talk: Talk, cues: Cues) -> None:
    """An answer of several messages."""
    await cues.arm()
    await talk.settled(await talk.says("l"))


async def queued(talk: Talk, cues: Cues) -> None:
    """Another message comes while an answer is shown: it gets the next turn."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.says())
    cues.go_on.set()
    await talk.settled(*talk.said)


async def stopped(talk: Talk, cues: Cues) -> None:
    """*Stop* is pressed while an answer is shown."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.presses_stop(said))
    cues.go_on.set()
    await talk.settled(*talk.said)


async def edited(talk: Talk, cues: Cues) -> None:
    """What is being answered is put differently meanwhile."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.edits(said))
    cues.go_on.set()
    await talk.settled(said)


async def deleted(talk: Talk, cues: Cues) -> None:
    """What is being answered is taken back meanwhile."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.deletes(said))
    cues.go_on.set()
    await talk.settled(said)


async def erased(talk: Talk, cues: Cues) -> None:
    """What was answered long ago is taken back while the thread rests."""
    await talk.settled(await talk.says())
    await talk.settled(said := await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await cues.taken_in(talk, talk.deletes(said))


async def retried(talk: Talk, cues: Cues) -> None:
    """The model fails, and the owner presses *Retry*."""
    cues.fails.append(Cut("dropped", after=SHOWN))
    cues.go_on.set()
    await talk.settled(await talk.says("s"))
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await talk.presses_retry()


async def impatient(talk: Talk, cues: Cues) -> None:
    """The model fails for long, and *Retry* is pressed as soon as it is there, whoever is just dying."""
    cues.fails.append(HttpFault(429, retry_after=60))
    cues.go_on.set()
    await cues.arm()
    await talk.settled(await talk.says("s"))
    if talk.replies()[-1].ending is Ending.MARKED:
        await talk.presses_retry()


async def intruded(talk: Talk, cues: Cues) -> None:
    """Somebody else mentions the program in the owner's thread: that is refused, privately and with a lasting mark."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await cues.taken_in(talk, talk.says(who="Sam", wish="lock"))
    await cues.stage.rests(TAKEN_IN_SECONDS)


async def asked(talk: Talk, cues: Cues) -> None:
    """The model asks with buttons, and the owner presses one."""
    cues.go_on.set()
    await cues.arm()
    await talk.settled(await talk.says("a"))
    await talk.chooses()
    await talk.settled(*talk.said)


async def decided(talk: Talk, cues: Cues) -> None:
    """A step of a decision is led from talk to its record, and the next one is started."""
    cues.go_on.set()
    await talk.settled(await talk.says())
    person = Decider(cues.stage, where=talk.where, who=talk.who)
    await person.begins()
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await person.leads()
    await cues.stage.rests(LONG_SECONDS)
    cues.wrong += await person.wrong()


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (
        first,
        later,
        long,
        queued,
        stopped,
        edited,
        deleted,
        erased,
        retried,
        impatient,
        intruded,
        asked,
        decided,
    )
}
