"""A person who leads the first step of a decision, what the model says to them, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from app.core.copy import decision_steps
from app.playground.claude import Prompt, Text, ToolCall
from app.playground.slack import Message
from handlers.slack import action_ids
from tests.crash.person import AGAIN, PATIENCE, Choice, Person, retries
from tests.crash.verdict import Kind, Wrong
from tests.flow.chat import text_of

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


class Decider(Person):
    """Her thread is the one in which the first step is led."""

    async def begins(self) -> None:
        """Begin a decision, and wait for the opening of its first step."""
        people = self.stage.slack.people
        async with asyncio.timeout(PATIENCE):
            while not people.modal(self.who):  # a busy machine lets the few seconds pass in which it can be opened
                await people.commands(self.who, self.where, "/decide", QUESTION)
                with suppress(TimeoutError):
                    await self.until(lambda: people.modal(self.who), AGAIN)
        await people.fills(self.who, question=QUESTION, place="here")
        assert await people.submits(self.who) == {}
        await self.until(lambda: self.roots("Issue raising"))
        self.root = self.roots("Issue raising")[0].ts
        await self.until(lambda: self.showing(OPENING))

    async def leads(self) -> None:
        """Talk, say that this was all, approve, and start the next step."""
        await self.says(SAID)
        await self.presses(retries, lambda: self.showing(NOTED))
        await self.says(DONE)
        await self.presses(_taking(f"{action_ids.ANSWER_PREFIX}0"), lambda: self.showing(APPROVED))
        await self.presses(_taking(action_ids.START_STEP), lambda: self.roots("Problem frame"))
        next_ = self.roots("Problem frame")[0].ts
        await self.until(lambda: self.thread(next_)[1:])

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
        for words in (decision_steps.SUMMARIZING.strip(), decision_steps.MAKING_CARD.strip()):
            if self.showing(words):
                yield Wrong(Kind.HALF, f"{words!r} was left there")

    async def _kept_wrong(self) -> tuple[Wrong, ...]:
        count = await self.stage.database.extractions.count_documents({})
        return () if count == 1 else (Wrong(Kind.TWICE if count else Kind.LOST, f"{count} versions in the record"),)


def _taking(action: str) -> Choice:
    return lambda message: retries(message) or action
