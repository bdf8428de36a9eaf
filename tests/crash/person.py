"""A person in a thread of their own, beside the one that the verdict is about.

A click is delivered once, or lost with a process that dies: they press until something happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from app.playground.slack import Message
from handlers.slack import action_ids
from tests.crash.stage import Stage
from tests.flow.chat import text_of

PATIENCE, AGAIN = 90.0, 3.0
"""Seconds: how long something is waited for, and after how many it is pressed again."""

Choice = Callable[[Message], str]
"""Which action they take in a message, should it be offered there; empty for none."""


@dataclass
class Person:
    """Maya, in a channel. `root` is where her thread begins."""

    stage: Stage
    where: str = "#general"
    who: str = "Maya"
    root: str = ""

    async def says(self, text: str) -> None:
        """Write in her thread, or begin it."""
        said = text if self.root else f"@Threadwise {text}"
        ts = await self.stage.slack.people.says(self.who, self.where, said, self.root or None)
        self.root = self.root or ts

    async def presses(self, choice: Choice, done: Callable[[], object]) -> None:
        """Press what she chooses wherever it is offered, again and again, until it is done. Raises `TimeoutError`."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                pressed = self._offered(choice)
                self.stage.retries += sum(action == action_ids.RETRY for _, action in pressed)
                for ts, action in pressed:
                    with suppress(LookupError):  # it has just gone
                        await self.stage.slack.people.clicks(self.who, self.where, ts, action)
                with suppress(TimeoutError):
                    await self.until(lambda pressed=pressed: done() or self._offered(choice) - pressed, AGAIN)

    async def until(self, true: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until something is true of the workspace. Raises `TimeoutError`."""
        await self.stage.slack.people.waits(true, patience)

    def _offered(self, choice: Choice) -> set[tuple[str, str]]:
        thread = [(message, choice(message)) for message in self.thread(self.root)]
        return {(message.ts, action) for message, action in thread if action and offers(message, action)}

    def thread(self, root: str) -> list[Message]:
        """All that everybody sees of a thread, its first message included."""
        return [m for m in self.stage.slack.people.sees(self.who, self.where, root) if not m.seen_by]

    def showing(self, words: str) -> list[Message]:
        """The program's messages in her thread that show these words."""
        return [m for m in self.thread(self.root) if words in text_of(m) and m.user == self.stage.slack.bot_user_id]


def offers(message: Message, action: str) -> bool:
    """True if this can be pressed in a message."""
    return f"'{action}'" in str(message.blocks)


def retries(message: Message) -> str:
    """*Retry*, where it is offered."""
    return action_ids.RETRY if offers(message, action_ids.RETRY) else ""
