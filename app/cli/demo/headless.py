"""The demo without a page: the worked example is played in the terminal, from `/decide` to the exported report.

The real program runs between the emulators. Maya acts through the same functions as the page. Each step's result is
compared with the example, and the first difference ends the play. What is told is the essence of each step, or with
`full` every message.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeVar

from rich.console import Console

from app.cli.demo import demo_folder, served_demo, telling, terminal
from app.cli.demo.playscript import NEWS, RERATED, WEIGHED, Playscript
from app.clock import SystemClock
from app.core.state.decision import ComponentStatus, Version
from app.core.thread import ThreadKey
from app.decision.playbook import example
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft, walk_objects
from app.playground.claude import Prompt, Turn
from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Message
from app.ports import Clock, Entry
from app.ports.store import Store
from app.settings import Settings
from app.wiring import Application, connect_store
from handlers.slack import action_ids

WHO, WHERE = "Maya", "#general"
UNLIMITED = (
    "messages_per_minute",
    "workspace_messages_per_minute",
    "answers_per_minute",
    "workspace_answers_per_minute",
)
"""Limits that are switched off, because the play types faster than a person."""

PATIENCE = 60.0
"""Seconds until an expected message counts as missing."""

Found = TypeVar("Found")


class Mismatch(Exception):
    """A difference between play and example; the message is one sentence that names the place."""


@dataclass
class Figures:
    """Totals of the play."""

    steps: int
    versions: int
    messages: int
    report: str
    """The decision as exported Markdown."""
    seconds: float = 0.0

    def __str__(self) -> str:
        """Return the totals in one sentence."""
        done = f"{self.steps} steps led, {self.versions} versions approved, one rating changed, the report exported"
        return f"{done}: {self.messages} messages in {self.seconds:.0f} s, and all as in the example."


async def play(
    settings: Settings, console: Console, staging: Callable[[date], Playscript] = Playscript, *, full: bool = False
) -> Figures:
    """Play the example to its end. Raise `Mismatch`."""
    clock = SystemClock()
    began = clock.monotonic()
    console.print(telling.BANNER, style="dim")
    console.print(telling.STARTING, style="dim")
    script = staging(clock.now().date())
    async with run_unhurried(settings, script.answer) as (slack, running):
        names = {member.id: member.name for member in slack.workspace.members.values()}
        teller = (telling.Transcript if full else telling.Story)(console, names, len(script.components))
        figures = await _Play(slack, running, script, teller, names, clock).whole()
    figures.seconds = clock.monotonic() - began
    return figures


class _Unpaced:
    """Implementation of `app.ports.Ledger` that stores nothing.

    Otherwise Slack's limit of one post per second would take most of the play's time.
    """

    async def read(self, team: str, key: str) -> Entry:
        """See `Ledger.read`."""
        return Entry()

    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """See `Ledger.exchange`. It refuses a second write, so the caller reads again and finds the first forgotten."""
        return not entry.version

    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        """See `Ledger.exchange_all`."""
        return not any(entry.version for entry in entries.values())


@asynccontextmanager
async def run_unhurried(
    settings: Settings, answer: Callable[[Prompt], Turn] | None
) -> AsyncGenerator[tuple[SlackPlayground, Application]]:
    """Run the program on a Slack emulator of its own, at a pace that no person keeps. `answer` is as in the demo."""
    unhurried = settings.model_copy(update=dict.fromkeys(UNLIMITED, 0))
    slack = SlackPlayground(
        SlackOptions(limits=False, seed=demo_folder.create_seed(), **served_demo.build_registration())
    )
    await slack.start()
    try:
        async with served_demo.run_in_emulator(unhurried, slack, answer, _open_unpaced_store) as running:
            yield slack, running
    finally:
        await slack.stop()


@asynccontextmanager
async def _open_unpaced_store(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
    """Yield the store of the settings, with a pace that forgets what was sent."""
    async with connect_store(settings, clock) as store:
        yield replace(store, pacing=_Unpaced())


@dataclass
class _Play:
    slack: SlackPlayground
    running: Application
    script: Playscript
    teller: telling.Story
    names: Mapping[str, str]
    clock: Clock
    hub: str = ""
    threads: dict[str, str] = field(default_factory=dict[str, str])

    async def whole(self) -> Figures:
        """Play the whole decision: nine steps, one changed rating, and the export."""
        await self._begin()
        for component in self.script.components:
            await self._lead(component)
        await self._change_a_rating()
        report = await self._export()
        everything = self.slack.workspace.messages(self._channel)
        return Figures(len(self.threads), len(await self._versions()), len(everything), report=report)

    # --- Maya's actions ---

    async def _begin(self) -> None:
        people, question = self.slack.people, example.read_question()
        await people.commands(WHO, WHERE, "/decide", question)
        await self._sees("the form of /decide", lambda: people.modal(WHO))
        await people.fills(WHO, question=question, place="here")
        if problems := await people.submits(WHO):
            raise Mismatch(f"The decision could not be begun: {'; '.join(problems.values())}")
        found = await self._sees("the hub", lambda: [m for m in people.sees(WHO, WHERE) if question in self._words(m)])
        self.hub = found[0].ts
        self.teller.tell_beginning(question, found[0])

    async def _lead(self, component: Component) -> None:
        """Write the lines of a step in its thread, and approve the result."""
        key, lines = component.key, example.list_said(component.key)
        self.teller.tell_start(component)
        thread = self.threads[key] = await self._thread_of(component)
        for place, line in enumerate(lines):
            await self.slack.people.says(WHO, WHERE, line, thread)
            if place < len(lines) - 1:
                await self._wait_for_answer(thread, self.script.reply(key, place))
        await self._approve(component, 1)
        if component is not self.script.components[-1]:
            await self._press(thread, action_ids.START_STEP)

    async def _change_a_rating(self) -> None:
        """Change a rating, and check the effect on the results that build on it."""
        component, thread = load_proact()[RERATED], self.threads[RERATED]
        self.teller.tell_change(component, NEWS)
        await self._press(thread, action_ids.REOPEN)
        await self._wait_for_answer(thread, "What has changed?")
        await self.slack.people.says(WHO, WHERE, NEWS, thread)
        await self._approve(component, 2)
        review = f"{component.title} v2"
        later = self.threads[WEIGHED]
        await self._sees(f"that the tradeoffs hear of {review}", lambda: self._find_shown(later, review))
        await self._rest()
        self.teller.tell_effect(self._find_shown(later, review), self.slack.people.sees(WHO, WHERE, self.hub)[0])
        decision = await self.running.store.conversations.find(self._key)
        step = decision.decision.step(WEIGHED) if decision and decision.decision else None
        if step is None or step.status is not ComponentStatus.NEEDS_REVISION:
            raise Mismatch(f"After {review} the tradeoffs do not ask to be looked at again.")

    async def _export(self) -> str:
        people = self.slack.people
        await people.chooses(WHO, WHERE, self.hub, action_ids.HUB_MENU, "export:markdown")
        found = await self._sees("the exported report", lambda: people.files(WHO, WHERE, self.hub))
        report = found[0].content.decode()
        if missing := [each.title for each in self.script.components if each.title not in report]:
            raise Mismatch(f"The report does not tell of {', '.join(missing)}.")
        self.teller.tell_report(report)
        return report

    async def _approve(self, component: Component, number: int) -> None:
        """Wait for the card, approve it, and compare the record."""
        key, thread = component.key, self.threads[component.key]
        await self._press(thread, f"{action_ids.ANSWER_PREFIX}0")
        approved = f"Approved as v{number}"
        await self._sees(f"{key} v{number}", lambda: self._find_shown(thread, approved))
        await self._rest()
        if await self._read_record(component, number) != self.script.read_expected(key, again=number > 1):
            raise Mismatch(f"{component.title} v{number} is not what the example has.")
        card = self._find_shown(thread, approved)[-1]
        self.teller.tell_approval(component, number, card, self.slack.people.sees(WHO, WHERE, thread))

    # --- what Slack shows ---

    async def _thread_of(self, component: Component) -> str:
        """Return the thread of a step, once its opening is posted."""
        people = self.slack.people

        def begun() -> list[Message]:
            roots = [m for m in people.sees(WHO, WHERE) if f"of 9 · *{component.title}*" in self._words(m)]
            return [m for m in roots if people.sees(WHO, WHERE, m.ts)[1:]]

        return (await self._sees(f"the thread of {component.title}", begun))[-1].ts

    def _words(self, message: Message) -> str:
        return "\n".join(terminal.render_lines(message, self.names))

    def _find_shown(self, thread: str, words: str) -> list[Message]:
        return [m for m in self.slack.people.sees(WHO, WHERE, thread) if words in self._words(m)]

    async def _wait_for_answer(self, thread: str, words: str) -> None:
        await self._sees(f"the answer “{words}”", lambda: self._find_shown(thread, words))
        await self._rest()

    async def _press(self, thread: str, action: str) -> None:
        """Press a button of the newest Slack message that has it."""
        people = self.slack.people

        def offered() -> list[Message]:
            return [m for m in people.sees(WHO, WHERE, thread) if f"'{action}'" in str(m.blocks)]

        found = await self._sees(f"a button {action!r}", offered)
        await people.clicks(WHO, WHERE, found[-1].ts, action)

    async def _sees(self, what: str, look: Callable[[], Found]) -> Found:
        try:
            return await self.slack.people.waits(look, PATIENCE)
        except TimeoutError:
            raise Mismatch(f"Within {PATIENCE:.0f} s this did not appear: {what}.") from None

    async def _rest(self) -> None:
        """Return when the program is idle."""
        while self.running.worker.busy:
            await self.clock.sleep(0.02)

    # --- the record ---

    @property
    def _channel(self) -> str:
        channel = self.slack.workspace.channel_named(WHERE)
        assert channel is not None, "each workspace has it"
        return channel.id

    @property
    def _key(self) -> ThreadKey:
        return ThreadKey(team=self.slack.team_id, channel=self._channel, root=self.hub)

    async def _versions(self) -> tuple[Version, ...]:
        return tuple(await self.running.store.versions.list(self._key))

    async def _read_record(self, component: Component, number: int) -> Draft:
        versions = await self._versions()
        names = map_handles(dict(each.data) for each in versions)
        found = next(each for each in versions if (each.component, each.number) == (component.key, number))
        draft = build_draft(component, dict(found.data), names)
        for each in walk_objects(draft):  # quotes come from different messages each time
            each.pop("message_id", None)
        return draft
