"""One person's play: a decision from `/decide` to its last card, through Slack's own controls.

The person types messages and presses buttons in the emulator. What happens next is decided by the conversation as it is
stored, so that the look of a card does not matter.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from app.core.conversation.conversation import Conversation, MessageStatus, Role
from app.core.state.question import Origin, Question
from app.core.thread import ThreadKey
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import map_names
from app.evaluation.person import Person
from app.evaluation.responders import Responder, build_responder
from app.playground.slack import SlackPlayground
from app.playground.slack.values.controls import find_controls
from app.ports import Clock
from app.wiring import Application
from handlers.slack import action_ids

WHO, WHERE = "Maya", "#general"
ALL_SAID = "That's all."
MOST_ACTS = 60
"""Messages and presses in one step, after which it counts as stuck."""
MOST_ENDINGS = 3
"""Times that a person says that this was all, before the step counts as stuck."""
MOST_RETRIES = 2
"""Failed replies in one step that a person retries."""
LOOK_SECONDS = 0.05

Found = TypeVar("Found")


class Stuck(Exception):
    """A step that cannot go on; the message is one sentence for the report."""


@dataclass
class Led:
    """A step as it was led."""

    component: Component
    thread: ThreadKey | None = None
    pressed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Labels of pressed buttons, each with the Slack ts of its message."""
    approved: bool = False
    seconds: float = 0.0
    stuck: str = ""


@dataclass
class Player:
    """A person in the emulator's workspace. `patience` is how long it waits for the app, in seconds."""

    person: Person
    seed: int
    slack: SlackPlayground
    running: Application
    clock: Clock
    patience: float
    hub: ThreadKey | None = None
    led: list[Led] = field(default_factory=list[Led])

    def __post_init__(self) -> None:
        """Begin with nothing said."""
        self._responder: Responder = build_responder(self.person, self.seed)

    async def play(self, tell: Callable[[Led], None]) -> None:
        """Play the decision as far as it goes; `tell` is called after each step."""
        for component in load_proact().components:
            led, began = Led(component), self.clock.monotonic()
            self.led.append(led)
            try:
                self.hub = self.hub or await self._begin()
                await self._lead(led)
            except Stuck as reason:
                led.stuck = str(reason)
            led.seconds = self.clock.monotonic() - began
            tell(led)
            if not led.approved:
                return

    # --- acts ---

    async def _begin(self) -> ThreadKey:
        people, known = self.slack.people, await self._list_decisions()
        await people.commands(WHO, WHERE, "/decide", self.person.question)
        await people.waits(lambda: people.modal(WHO))
        await people.fills(WHO, question=self.person.question, place="here")
        if problems := await people.submits(WHO):
            raise Stuck(f"The decision could not be begun: {'; '.join(problems.values())}")

        async def find() -> ThreadKey | None:
            return next((each for each in await self._list_decisions() if each not in known), None)

        return await self._wait("the hub of the decision", find)

    async def _lead(self, led: Led) -> None:
        led.thread = await self._wait(f"the thread of {led.component.title}", lambda: self._find_thread(led))
        endings = retries = 0
        for _ in range(MOST_ACTS):
            now = await self._rest(led.thread)
            if now.approved:
                led.approved = True
                await self._start_next(led)
                return
            if await self._press_offer(led, now, retry=retries < MOST_RETRIES):
                retries += 1
            elif not await self._answer(led, now):
                endings += 1
                if endings > MOST_ENDINGS:
                    lacks = "; ".join(_list_lacks(now)) or "a result to approve"
                    raise Stuck(f"Nothing more was said, and this was still missing: {lacks}.")
                await self._end(led, now)
        raise Stuck(f"It was not approved after {MOST_ACTS} messages and presses.")

    async def _answer(self, led: Led, now: Conversation) -> bool:
        """Do what the person does next: approve, choose or write. Return False if there is nothing left to say."""
        asked = now.question
        if asked and asked.origin is Origin.EXTRACTION and not self._responder.has_more(led.component.key):
            if await self._press(led, now, asked.options[0]):
                return True
        elif asked and (label := self._pick(asked)) and await self._press(led, now, label):
            return True
        words = self._responder.say_next(led.component.key, await self._read_asked(now), await self._list_names())
        if words:
            await self._write(now, words)
        return bool(words)

    async def _end(self, led: Led, now: Conversation) -> None:
        """Say that this was all, with the button if it is shown."""
        if not await self._press_action(led, now, action_ids.SUMMARIZE):
            await self._write(now, ALL_SAID)

    async def _press_offer(self, led: Led, now: Conversation, *, retry: bool) -> bool:
        """Press *Retry* or *Continue* below the newest reply, if it is offered.

        Raise `Stuck` if that reply has failed for good.
        """
        row = await self.running.store.conversations.row(now, now.offering or now.answered)
        if row is not None and row.status is MessageStatus.FAILED:
            if not (retry and now.offering):
                raise Stuck(f"A reply failed for good: {row.failure}.")
            return await self._press_action(led, now, action_ids.RETRY)
        return bool(now.offering) and await self._press_action(led, now, action_ids.CONTINUE)

    async def _start_next(self, led: Led) -> None:
        if led.component is not load_proact().components[-1]:
            assert led.thread is not None, "it has been led"
            now = await self._rest(led.thread)
            if not await self._find_and_click(led, now, lambda action, _: action == action_ids.START_STEP):
                raise Stuck("The button that starts the next step was not shown.")

    def _pick(self, asked: Question) -> str:
        picks = [word.casefold() for word in self.person.picks]
        return next((each for each in asked.options if any(word in each.casefold() for word in picks)), "")

    # --- Slack ---

    async def _write(self, now: Conversation, words: str) -> None:
        await self.slack.people.says(WHO, WHERE, words, now.thread.root)
        await self._change(now)

    async def _press(self, led: Led, now: Conversation, label: str) -> bool:
        prefix = action_ids.ANSWER_PREFIX
        return await self._click(led, now, lambda action, shown: action.startswith(prefix) and shown == label)

    async def _press_action(self, led: Led, now: Conversation, action_id: str) -> bool:
        return await self._click(led, now, lambda action, _: action == action_id)

    async def _click(self, led: Led, now: Conversation, fits: Callable[[str, str], bool]) -> bool:
        """Press the newest button that fits, and wait for what it changes. Return False if none is shown."""
        if not await self._find_and_click(led, now, fits):
            return False
        await self._change(now)
        return True

    async def _find_and_click(self, led: Led, now: Conversation, fits: Callable[[str, str], bool]) -> bool:
        for message in reversed(self.slack.people.sees(WHO, WHERE, now.thread.root)):
            for control in find_controls(message.blocks or []):
                label = str(control.element.get("text", {}).get("text", ""))
                if control.type == "button" and fits(control.action_id, label):
                    led.pressed.append((label, message.ts))
                    value = str(control.element.get("value", ""))
                    await self.slack.people.clicks(WHO, WHERE, message.ts, control.action_id, value)
                    return True
        return False

    # --- the stored conversation ---

    async def _list_decisions(self) -> list[ThreadKey]:
        member = self.slack.workspace.member(WHO)
        assert member is not None, "each workspace has her"
        owned = await self.running.store.conversations.of_owner(self.slack.team_id, member.id)
        return [each.thread for each in owned if each.decision]

    async def _find_thread(self, led: Led) -> ThreadKey | None:
        assert self.hub is not None, "the decision has begun"
        hub = await self.running.store.conversations.find(self.hub)
        step = hub.decision.step(led.component.key) if hub and hub.decision else None
        return step.thread if step else None

    async def _change(self, before: Conversation) -> None:
        """Wait until the app has stored something about this thread."""

        async def find() -> bool | None:
            now = await self.running.store.conversations.find(before.thread)
            return True if now is None or now.version > before.version else None

        await self._wait("an answer to what was typed or pressed", find)

    async def _rest(self, thread: ThreadKey) -> Conversation:
        """Return the conversation when the app has nothing left to do."""

        async def find() -> Conversation | None:
            if self.running.worker.busy or (await self.running.store.inbox.queue(thread.team)).open:
                return None
            now = await self.running.store.conversations.find(thread)
            is_idle = now is not None and now.head and not (now.turn or now.effects or now.unanswered)
            return now if is_idle else None

        return await self._wait("the end of the app's work", find)

    async def _wait(self, what: str, look: Callable[[], Awaitable[Found | None]]) -> Found:
        deadline = self.clock.monotonic() + self.patience
        while self.clock.monotonic() < deadline:
            if found := await look():
                return found
            await self.clock.sleep(LOOK_SECONDS)
        raise Stuck(f"Within {self.patience:.0f} s this did not come: {what}.")

    async def _read_asked(self, now: Conversation) -> str:
        """Return what the app wants to know: the lack on its card, an open question, or else its newest words."""
        if now.pending and (lacks := _list_lacks(now)):
            return "\n".join(lacks)
        if now.question and not now.pending:
            return now.question.prompt
        rows = await self.running.store.conversations.transcript(now, 0)
        return next((row.text for row in reversed(rows) if row.role is Role.ASSISTANT and row.text), "")

    async def _list_names(self) -> dict[str, str]:
        """Return the names of all approved items, by handle: what people read off the cards."""
        assert self.hub is not None, "the decision has begun"
        versions = await self.running.store.versions.list(self.hub)
        known = map_handles(dict(each.data) for each in versions)
        drafts = (build_draft(load_proact()[each.component], dict(each.data), known) for each in versions)
        return map_names(drafts)


def _list_lacks(now: Conversation) -> tuple[str, ...]:
    """Return what the draft of a step still needs, in words."""
    drafted = now.interview.drafted if now.interview else None
    return drafted.missing if drafted else ()
