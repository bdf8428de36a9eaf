"""A person who leads the first step of a decision, beside the thread that the verdict is about; and what comes of it.

A click is delivered once, or lost: they press until something happens. What the model says to them is told here, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.core import texts_steps
from app.playground.claude import Prompt, Text, ToolCall
from app.playground.slack import Message
from handlers import blocks
from tests.crash.stage import Stage
from tests.crash.verdict import Kind, Wrong
from tests.flow.chat import text_of

PATIENCE, AGAIN = 40.0, 3.0
"""Seconds: how long something is waited for, and after how many it is pressed again."""

QUESTION, SAID, NOTED = "Where do we meet?", "We have to decide where to meet", "Noted. What else?"
OPENING, APPROVED, RECORDED = "What situation are you thinking about?", "Approved as v1", "v1 is in the record"
DONE = "done"
FOUND: dict[str, Any] = {
    "potential_decisions": [{"handle": "D1", "description": "Where to meet"}],
    "objectives": [],
    "uncertainties": [],
    "considerations": [],
}


def answer(prompt: Prompt) -> Text | ToolCall | None:
    """What the model says in this step; None if it is asked for something else."""
    names = {str(tool["name"]) for tool in prompt.tools}
    if "submit_issue_raising" in names:
        return ToolCall("submit_issue_raising", FOUND)
    if "ready_to_summarize" in names:
        return Text(NOTED)
    return None if names else Text("Summary: where to meet.")


@dataclass
class Decider:
    """Maya, in a channel. `root` is where her first step is led."""

    stage: Stage
    where: str = "#general"
    who: str = "Maya"
    root: str = ""

    async def begins(self) -> None:
        """Begin a decision, and wait for the opening of its first step."""
        people = self.stage.slack.people
        await people.commands(self.who, self.where, "/decide", QUESTION)
        await people.waits(lambda: people.modal(self.who))
        await people.fills(self.who, question=QUESTION, place="here")
        assert await people.submits(self.who) == {}
        await self.until(lambda: self.roots("Issue raising"))
        self.root = self.roots("Issue raising")[0].ts
        await self.until(lambda: self.showing(OPENING))

    async def leads(self) -> None:
        """Talk, say that this was all, approve, and start the next step."""
        await self.stage.slack.people.says(self.who, self.where, SAID, self.root)
        await self.answered()
        await self.stage.slack.people.says(self.who, self.where, DONE, self.root)
        await self.presses(f"{blocks.ANSWER_ACTIONS}0", lambda: self.showing(APPROVED))
        await self.presses(blocks.START_STEP_ACTION, lambda: self.roots("Problem frame"))
        next_ = self.roots("Problem frame")[0].ts
        await self.until(lambda: self.thread(next_)[1:])

    async def answered(self) -> None:
        """Wait for the answer, whatever that takes."""
        await self.presses("", lambda: self.showing(NOTED))

    async def presses(self, action: str, done: Callable[[], object]) -> None:
        """Press a button whenever it is there, and *Retry* where it is offered, until it is done."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                for message in self.thread(self.root):
                    offered = (each for each in (blocks.RETRY_ACTION, action) if f"'{each}'" in str(message.blocks))
                    for each in offered:
                        with suppress(LookupError):
                            await self.stage.slack.people.clicks(self.who, self.where, message.ts, each)
                with suppress(TimeoutError):
                    await self.stage.slack.people.waits(done, AGAIN)

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is true of the workspace. Raises `TimeoutError`."""
        await self.stage.slack.people.waits(true, PATIENCE)

    # --- what she sees -----------------------------------------------------------------------------

    def thread(self, root: str) -> list[Message]:
        """All that everybody sees of a thread, its first message included."""
        return [m for m in self.stage.slack.people.sees(self.who, self.where, root) if not m.seen_by]

    def showing(self, words: str) -> list[Message]:
        """The program's messages in her step that show these words."""
        return [m for m in self.thread(self.root) if words in text_of(m) and m.user == self.stage.slack.bot_user_id]

    def roots(self, title: str) -> list[Message]:
        """The first messages of a step."""
        shown = self.stage.slack.people.sees(self.who, self.where)
        return [m for m in shown if f"of 9 · *{title}*" in text_of(m)]

    async def wrong(self) -> tuple[Wrong, ...]:
        """What is lost, twice or half of the decision, once all is at rest."""
        return (*self._shown_wrong(), *await self._kept_wrong())

    def _shown_wrong(self) -> Iterator[Wrong]:
        shown = {words: len(self.showing(words)) for words in (OPENING, APPROVED, RECORDED)}
        begun = {title: len(self.roots(title)) for title in ("Issue raising", "Problem frame")}
        for what, count in {**shown, **begun}.items():
            if count != 1:
                yield Wrong(Kind.TWICE if count else Kind.LOST, f"{what!r} stands there {count} times")
        for words in (texts_steps.SUMMARIZING.strip(), texts_steps.CHECKING.strip()):
            if self.showing(words):
                yield Wrong(Kind.HALF, f"{words!r} was left there")

    async def _kept_wrong(self) -> tuple[Wrong, ...]:
        count = await self.stage.database.extractions.count_documents({})
        return () if count == 1 else (Wrong(Kind.TWICE if count else Kind.LOST, f"{count} versions in the record"),)
