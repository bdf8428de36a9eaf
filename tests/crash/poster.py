"""A person in whose name things are posted elsewhere, at once or by a plan; what the model does, and what comes of it.

The model does as it is told: what was done, and what nobody knows about, it never does again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from app.clock import SystemClock
from app.core.conversation.conversation import Conversation, Transition
from app.core.copy import permission_cards, texts
from app.core.errors import LostConversation
from app.core.state.permission import LABELS, PermissionChoice, Rule
from app.core.state.status import Status, TurnState
from app.core.thread import ThreadKey
from app.playground.claude import Prompt, Text, ToolCall
from app.playground.slack import Message
from app.ports.store import Store
from handlers.slack import action_ids
from tests.crash.person import Person, offers, retries
from tests.crash.verdict import Kind, Wrong
from tests.crash.verdict_outside import Outside, Post, judge
from tests.flow.chat import text_of
from tests.told import words

OPS, TOWN = "#ops", "#general"
ROTA, MENU, NEWS = "The rota of the week", "The menu of the week", "All is prepared for the week"
WISH, POSTING, POSTED = "Post rota and menu, please", "I look, and post both.", "Both stand there."
PLAN, PLANNED = "Do that tomorrow, please", "I do it tomorrow."
ORDER, HALF, WHOLE = "Post the rota, then the news", "The rota stands there.", "The news stand there, too."
CALL, HERE = "Are you there?", "I am here."
GOING_ON: dict[str, bool] = {"half": True}
"""What the first run leaves to the second one."""

CHOICES = {ROTA: PermissionChoice.ALLOW, MENU: PermissionChoice.ALWAYS, NEWS: PermissionChoice.ALLOW}
"""What she answers when she is asked whether this may be posted."""

ASKS = permission_cards.COVERS.partition("{")[0]
"""What stands on a card that asks for a permission."""

GLANCE = 0.3  # seconds between looks at what is planned, which nobody tells us of

Part = Text | ToolCall
Told = Literal["done", "unsure", ""]


def answer(prompt: Prompt) -> Sequence[Part] | None:
    """What the model says to her and in her runs; None if it is asked for something else."""
    said = [words(message.text) for message in prompt.messages if message.role == "user" and message.text]
    asked = next((each for each in reversed(said) if texts.GO_ON not in each), "")  # a *Retry* goes on with it
    if CALL in asked:
        return [Text(HERE)]
    if WISH in asked:
        wanted = [_post(OPS, text) for text in (ROTA, MENU) if not told_of(prompt, text)]
        return [Text(POSTING), ToolCall("read_channel", {"channel": OPS}), *wanted] if wanted else [Text(POSTED)]
    if PLAN in asked:
        return [Text(PLANNED)] if prompt.messages[-1].of("tool_result") else [_plan()]
    return _run(prompt) if ORDER in asked else None


def _run(prompt: Prompt) -> Sequence[Part]:
    """The first run posts what it may, the second one what it has to ask for."""
    is_second = '"half": true' in prompt.last_user_text
    if is_second:
        ends = ToolCall("complete_work", {"message": WHOLE})
        return [ends if told_of(prompt, NEWS) else _post(TOWN, NEWS)]
    goes_on = ToolCall("continue_work", {"message": HALF, "state_update": GOING_ON})
    return [goes_on if told_of(prompt, ROTA) else _post(OPS, ROTA)]


def _post(channel: str, text: str) -> ToolCall:
    return ToolCall("post_message", {"channel": channel, "text": text})


def _plan() -> ToolCall:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")
    return ToolCall("schedule_work", {"kind": "scheduled", "run_at": tomorrow, "instruction": ORDER})


def told_of(prompt: Prompt, text: str) -> Told:
    """What the model was told about a post: in a result, or in a note after an answer that broke off."""
    wanted = {use["id"] for message in prompt.messages for use in message.of("tool_use") if text in str(use["input"])}
    results = [result for message in prompt.messages for result in message.of("tool_result")]
    if any(result["tool_use_id"] in wanted and not result.get("is_error") for result in results):
        return "done"
    notes = [note for message in prompt.messages for note in _NOTE.findall(message.text) if text in note]
    if any("not known" in note for note in notes):
        return "unsure"
    return "done" if notes else ""


_NOTE = re.compile(r"<note>(.*?)</note>", re.DOTALL)


@dataclass
class Poster(Person):
    """Her thread is the one in which she wants things `wanted` to be posted; `closing` is what is said in it then."""

    wanted: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()

    async def wishes(self) -> None:
        """Ask for two posts, decide about each, and see them done."""
        self.wanted, self.closing = (ROTA, MENU), (POSTED,)
        await self.says(WISH)
        await self.presses(lambda message: decides(message) or retries(message), lambda: self.said(POSTED))
        await self._calls()

    async def plans(self, store: Store) -> None:
        """Allow one post for good, and plan a work that makes it."""
        self.wanted, self.closing = (ROTA, NEWS), (PLANNED, HALF, WHOLE)
        ops, maya = self.stage.slack.workspace.channel_named(OPS), self.stage.slack.workspace.member(self.who)
        assert ops
        assert maya
        rule = Rule(
            team=self.stage.slack.team_id,
            user=maya.id,
            tool="post_message",
            scope=f"channel:{ops.id}",
            allows=True,
            at=SystemClock().now().isoformat(),
        )
        await store.permissions.keep(rule)
        await self.says(PLAN)
        await self.until(lambda: self.said(PLANNED))

    async def waits(self, store: Store) -> None:
        """Let the time of the work come, decide what it asks, and see it done."""
        async with asyncio.TaskGroup() as group:
            passing = group.create_task(self._time_passes(store))
            await self.presses(decides, lambda: self.said(WHOLE))
            passing.cancel()
        await self._calls()

    async def _calls(self) -> None:
        """Whatever the thread went through, it goes on."""
        await self.says(CALL)
        await self.presses(retries, lambda: self.said(HERE))

    async def _time_passes(self, store: Store) -> None:
        """Bring near what is planned for later, whenever nobody is at work: who claims it meanwhile goes first."""
        while True:
            led, now = await self.conversation(store), SystemClock().now().isoformat()
            is_later = led.status is Status.BACKGROUND and led.run is TurnState.IDLE and led.next_run > now
            if is_later and not await self.stage.open_leases():
                with suppress(LostConversation):
                    await store.conversations.save(Transition(conversation=replace(led, next_run=now)))
            await asyncio.sleep(GLANCE)

    async def conversation(self, store: Store) -> Conversation:
        """What the program remembers of her thread."""
        where = self.stage.slack.workspace.channel_named(self.where)
        assert where
        thread = ThreadKey(team=self.stage.slack.team_id, channel=where.id, root=self.root)
        found = await store.conversations.find(thread)
        assert found, "she has begun it"
        return found

    def said(self, text: str) -> list[Message]:
        """The messages that say this, and have come to a good end."""
        return [message for message in self.showing(text) if not offers(message, action_ids.RETRY)]

    async def wrong(self) -> tuple[Wrong, ...]:
        """What is lost, twice or half, once all is at rest."""
        thread, outside = self.thread(self.root), self._outside()
        seen = Outside(
            posts=[self._post(text, outside) for text in self.wanted],
            strays=[text for text in outside if not text.startswith(self.wanted)],
            unsure=len(self.showing(permission_cards.OUTCOME_UNKNOWN.partition("{")[0])),
            closing=[(text, len(self.said(text))) for text in (*self.closing, HERE)],
            open_cards=sum(offers(message, decides(message)) for message in thread if decides(message)),
            busy=len(self.showing(texts.USING.partition("{")[0])),
            rules=await self.stage.database.permissions.count_documents({}),
        )
        return judge(seen)

    async def still_planned(self, store: Store) -> tuple[Wrong, ...]:
        """What is planned although all of it was done."""
        led = await self.conversation(store)
        is_over = (led.status, led.run, led.schedule) == (Status.ACTIVE, TurnState.IDLE, None)
        return () if is_over else (Wrong(Kind.STRAY, f"what was planned is done, and the thread is {led.status}"),)

    def _post(self, text: str, outside: Sequence[str]) -> Post:
        prompts = [request.prompt for request in self.stage.claude.requests]
        unsure = any(told_of(prompt, text) == "unsure" for prompt in prompts)
        return Post(text=text, times=sum(each.startswith(text) for each in outside), unsure=unsure)

    def _outside(self) -> list[str]:
        """What the program has posted outside of any thread."""
        sees, bot = self.stage.slack.people.sees, self.stage.slack.bot_user_id
        shown = [message for where in (OPS, TOWN) for message in sees(self.who, where)]
        return [text_of(message) for message in shown if message.user == bot and not message.thread_ts]


def decides(message: Message) -> str:
    """The button that she presses on a card that asks for a permission; nothing of another message."""
    shown = text_of(message)
    decision = next((decision for text, decision in CHOICES.items() if text in shown), None)
    if decision is None or ASKS not in shown:
        return ""
    return f"{action_ids.ANSWER_PREFIX}{[each for each, _ in LABELS].index(decision)}"
