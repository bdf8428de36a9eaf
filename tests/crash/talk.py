"""People in one thread: they write, wait as long as people would, change their minds, and press *Retry*.

What they know is what Slack shows them; the verdict reads the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from app.core.copy import texts
from app.playground.slack import Message
from app.playground.slack.values.model import Change
from tests.crash.stage import Stage
from tests.crash.verdict import Card, Ending, Reply, Said, Thread, Wish, card, replies, settled, shown

PATIENCE = 90.0  # seconds; for a busy machine


@dataclass
class Talk:
    """One thread. `who` begins it and owns it."""

    stage: Stage
    number: int
    who: str = "Maya"
    where: str = "#general"
    root: str = ""
    said: list[Said] = field(default_factory=list[Said])
    _others: set[str] = field(default_factory=set[str])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        workspace = self.stage.slack.workspace
        found = workspace.channels.get(self.where) or workspace.channel_named(self.where)
        assert found is not None
        self.channel = found.id
        workspace.watch(self._hear)

    def _hear(self, change: Change) -> None:
        """Wake whoever waits, at what happens in this thread alone: there are many threads."""
        message = getattr(change, "message", None)
        if message is not None and self.root in (message.thread_ts, message.ts):
            self._changed.set()

    # --- what people do ----------------------------------------------------------------------------

    async def says(self, kind: str = "", *, who: str = "", wish: Wish = "answer") -> Said:
        """Write a message whose token is of this kind; the first one begins the thread, as does a mention."""
        token = f"q{self.number}.{len(self.said)}{kind}"
        mention = "@Threadwise " if wish == "lock" or not (self.root or self.channel.startswith("D")) else ""
        author = who or self.who
        ts = await self.stage.slack.people.says(author, self.where, f"{mention}{token}", self.root or None)
        self.root = self.root or ts
        self._others.add(author)
        said = Said(token, ts, wish)
        self.said.append(said)
        return said

    async def edits(self, said: Said) -> None:
        """Put a message differently."""
        await self.stage.slack.people.edits(self.who, self.where, said.ts, f"{said.token} in other words")

    async def deletes(self, said: Said) -> None:
        """Take a message back; what comes of it does not matter any more."""
        await self.stage.slack.people.deletes(self.who, self.where, said.ts)
        self.said[self.said.index(said)] = replace(said, wish="nothing")

    async def presses_stop(self, said: Said) -> None:
        """Press *Stop* under the answer to this message, if it is still there; any end is then right."""
        self.said[self.said.index(said)] = replace(said, wish="end")
        page = self.replies()[-1].pages[-1]
        with suppress(LookupError):
            await self.stage.slack.people.clicks(self.who, self.where, page.ts, "stop")

    async def presses_retry(self, patience: float = PATIENCE) -> None:
        """Press *Retry* under the newest answer until something happens; a click is delivered once, or lost.

        Who has taken back what it answers is told that there is nothing to answer.
        """
        self.stage.retries += 1
        before = self.replies()[-1]
        while self.replies()[-1] == before and texts.TAKEN_BACK not in self.whispers(self.who):
            page = before.pages[-1]
            await self.stage.slack.people.clicks(self.who, self.where, page.ts, "retry")
            try:
                async with asyncio.timeout(3):
                    await self.until(lambda: self.replies()[-1] != before)
            except TimeoutError:
                continue
        await self.until(lambda: self.replies()[-1].ending is not Ending.HALF, patience)

    async def chooses(self) -> None:
        """Press the first button of the question, until something happens, if one came with the newest answer."""
        # All words may have come before a kill, and no question: then the answer is marked, and there is none to press.
        await self.until(lambda: self.cards() or self.replies()[-1].ending is not Ending.WHOLE)
        if self.replies()[-1].ending is not Ending.WHOLE:
            return
        asked = self.cards()[-1]
        if not asked.answer:
            return
        self.said.append(Said(asked.answer, asked.ts))
        while self.cards()[-1].answer:
            await self.stage.slack.people.clicks(self.who, self.where, asked.ts, "answer:0")
            with suppress(TimeoutError):
                async with asyncio.timeout(3):
                    await self.until(lambda: not self.cards()[-1].answer)

    # --- what people see ---------------------------------------------------------------------------

    def replies(self) -> tuple[Reply, ...]:
        """The program's answers in this thread."""
        return replies([shown(message) for message in self._ours() if card(message) is None])

    def cards(self) -> list[Card]:
        """The program's questions in this thread."""
        return [found for message in self._ours() if (found := card(message))]

    def whispers(self, name: str) -> list[str]:
        """What the program has said in this thread to this person alone."""
        workspace = self.stage.slack.workspace
        person = workspace.member(name)
        told = workspace.ephemerals(self.channel, person.id) if person else ()
        return [message.text for message in told if message.thread_ts == self.root]

    def _ours(self) -> list[Message]:
        workspace = self.stage.slack.workspace
        messages = workspace.replies(self.channel, self.root)
        return [message for message in messages if message.user == workspace.app.user.id]

    async def until(self, true: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until something is true of this thread. Raises `TimeoutError`."""
        async with asyncio.timeout(patience):
            while not true():
                self._changed.clear()
                await self._changed.wait()

    async def begun(self, said: Said) -> None:
        """Wait until an answer to this message can be read, or it is settled otherwise."""
        await self.until(lambda: any(reply.concerns(said) for reply in self.replies()))

    async def settled(self, *all_said: Said, patience: float = PATIENCE) -> None:
        """Wait until these messages have got all they will get, those at least that want an answer."""
        for said in all_said:
            if said.wish in ("answer", "end"):
                await self.until(lambda said=said: settled(said, self.replies()), patience)

    def seen(self) -> Thread:
        """The whole thread, for the verdict. What the owner is whispered (that a click came too late) is left out."""
        workspace = self.stage.slack.workspace
        bot = workspace.app.user.id
        marks = {
            message.ts: frozenset(given.name for given in message.reactions if bot in given.users)
            for message in workspace.messages(self.channel)
        }
        return Thread(
            name=f"thread {self.number}",
            said=[replace(said, marks=marks.get(said.ts, frozenset())) for said in self.said],
            shown=[shown(message) for message in self._ours() if card(message) is None],
            cards=self.cards(),
            whispers=[text for name in sorted(self._others - {self.who}) for text in self.whispers(name)],
        )
