"""What the people in one thread see of an answer, and when: its first words, and all of it."""

from __future__ import annotations

import asyncio
import time

from app.playground.slack import Message, SlackPlayground
from app.playground.slack.values.model import Change, Posted, Updated
from tests.bench.answers import Answer
from tests.flow.chat import text_of


class Sight:
    """Watches one thread from now on. Times are seconds since the epoch."""

    def __init__(self, slack: SlackPlayground, channel: str, root: str, answer: Answer) -> None:
        self._place, self._bot, self._answer = (channel, root), slack.bot_user_id, answer
        self._shown: dict[str, str] = {}
        self.first_at = self.whole_at = 0.0
        self.first, self.whole = asyncio.Event(), asyncio.Event()
        self.close = slack.workspace.watch(self._see)

    @property
    def missing(self) -> int:
        """How many words of the answer are not shown now."""
        return self._answer.missing(" ".join(self._shown[ts] for ts in sorted(self._shown)))

    def _see(self, change: Change) -> None:
        match change:
            case Posted(message=message) | Updated(message=message) if self._is_ours(message):
                self._shown[message.ts] = text_of(message)
                self._note()
            case _:
                pass

    def _is_ours(self, message: Message) -> bool:
        return (message.channel, message.thread_ts) == self._place and message.user == self._bot

    def _note(self) -> None:
        now = time.time()
        if not self.first.is_set():
            self.first_at = now
            self.first.set()
        if not self.whole.is_set() and not self.missing:
            self.whole_at = now
            self.whole.set()
