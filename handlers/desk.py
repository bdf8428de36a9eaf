"""What the gate and the surfaces behind it work with, and how they keep to Slack's three seconds.

Whoever pressed or typed something is always answered in time: with what they asked for, or with a sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import structlog

from app.clock import ts_of
from app.core import texts
from app.core.decisions import DecisionStep
from app.core.errors import OutOfReach, Retryable, SlackRefused, StoreUnavailable, ThreadwiseError
from app.core.limits import Creation
from app.core.model import Conversation, ThreadKey
from app.core.owners import Owners, Standing, may_own
from app.core.permissions import Rule, Spans
from app.decision.report.dossier import Report
from app.decision.so_far import SoFar
from app.ports import Clock, EventIntake, Permissions, Places, Profile
from handlers import records
from handlers.channels import Channels
from handlers.clicks import Click
from handlers.commands import Rules
from handlers.glance import View
from handlers.line import Line, aside
from handlers.pacer import Priority
from handlers.payload import Payload, from_elsewhere, text
from handlers.web import SlackIdentity

SpansOf = Callable[[Iterable[Rule]], Awaitable[Spans]]
"""Tells when rules were used last and end."""
Ack = Callable[..., Awaitable[Any]]
Body = dict[str, Any]

T = TypeVar("T")

PROMPT_SECONDS = 2.3
"""How long an answer may take. Slack waits 3 seconds for one, and a trigger lives as long; what is left is for a
sentence that says that it took too long."""

LAST_WORD_SECONDS = 0.5
"""What such a sentence gets."""

BARRED: Mapping[Standing, str] = {Standing.STRANGER: texts.BARRED_STRANGER}
"""What those are told who can begin nothing here, but for guests."""

log = structlog.get_logger(__name__)


class Shelf(Protocol):
    """What is needed of `app.ports.Conversations`: here one only looks. Raises `StoreUnavailable`."""

    async def find(self, thread: ThreadKey) -> Conversation | None:
        """See there."""
        ...

    async def of_owner(self, team: str, owner: str, limit: int = 100) -> tuple[Conversation, ...]:
        """See there."""
        ...


class Steps(Protocol):
    """What is needed of `app.casebook`: what the steps of a decision stand on. Raises `StoreUnavailable`."""

    def knows(self, key: str) -> bool:
        """False of a step whose component is not installed any more."""
        ...

    async def so_far(self, now: Conversation) -> SoFar:
        """What the decision holds, for the step that this conversation leads."""
        ...


class Counts(Protocol):
    """What is needed of `app.limits`: what people make is counted. Raises `StoreUnavailable`."""

    async def create(self, team: str, user: str, at: float, made: Mapping[Creation, int]) -> int:
        """See there."""
        ...

    async def take_back(self, team: str, user: str, at: float) -> None:
        """See there."""
        ...

    async def first_today(self, team: str, what: str) -> bool:
        """See there."""
        ...


class NotNow(Exception):
    """It could not be done in time: the store or Slack is away, or slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What somebody wanted to make at a moment, and in how many seconds they may if it was too much; else 0."""

    at: float
    user: str
    wait: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What is needed to answer people."""

    line: Line
    us: SlackIdentity
    intake: EventIntake
    conversations: Shelf
    permissions: Permissions
    places: Places
    profile_of: Callable[[str, str], Awaitable[Profile]]
    open_home: Callable[[str, str], Awaitable[None]]
    """Shows somebody their Home, who looks at it: team and user."""
    channels: Channels
    rules: Rules
    steps: Steps
    spans_of: SpansOf
    sees: Callable[[str, str, str], Awaitable[bool]]
    """Looks up whether somebody can see a channel now: team, person, channel. Raises `OutOfReach` where nobody can."""
    report_of: Callable[[Conversation], Awaitable[Report]]
    """Makes the report of the decision that a conversation is the hub of."""
    course: tuple[DecisionStep, ...]
    """The steps of a decision that begins."""
    limits: Counts

    @property
    def clock(self) -> Clock:
        """The clock of the program."""
        return self.line.clock

    @property
    def view(self) -> View:
        """From where conversations are looked at now."""
        return View(workspace_url=self.us.url, now=self.clock.now())

    def is_retired(self, now: Conversation) -> bool:
        """True of a step whose component is not installed any more: nobody leads it."""
        return now.interview is not None and not self.steps.knows(now.interview.component)

    async def barred(self, user: str, body: Body) -> str:
        """Why this person can begin nothing here, in words; empty if they can. Slack is asked once an hour at most.

        Where it does not tell in time, what was sent tells who comes from elsewhere, and the rest count as members: the
        turn looks again.
        """
        owners = self.rules.owners
        if owners is Owners.ANYONE:
            return ""
        known = (await self.profile_of(self.us.team, user)).standing
        standing = known or (Standing.STRANGER if from_elsewhere(body, self.us.team) else Standing.MEMBER)
        return "" if may_own(owners, standing) else BARRED.get(standing, texts.BARRED_GUEST)

    async def count(self, user: str, made: Mapping[Creation, int]) -> Counted:
        """Count what somebody makes now. Raises `StoreUnavailable`."""
        at = self.clock.now().timestamp()
        return Counted(at=at, user=user, wait=await self.limits.create(self.us.team, user, at, made))

    async def uncount(self, counted: Counted) -> None:
        """It could not be made: nobody shall have to wait for that. Else it stays counted, which does little harm."""
        with suppress(StoreUnavailable):
            await self.limits.take_back(self.us.team, counted.user, counted.at)

    @property
    def at(self) -> str:
        """The present time as a ts, for what Slack gives no time."""
        return ts_of(self.clock.now())

    async def refusal(self, now: Conversation | None, user: str) -> str:
        """Why this person may not be shown a decision now; empty if they may. What they saw before does not count."""
        return records.refusal(now, user) or (await self.unseen(user, now.thread.channel) if now else "")

    async def unseen(self, user: str, channel: str) -> str:
        """Why this person may not be shown what stands in a channel now; empty if they may. Raises as `sees`' Slack."""
        try:
            return "" if await self.sees(self.us.team, user, channel) else texts.NOT_SEEN
        except OutOfReach:
            return texts.CANNOT_LOOK

    async def open_window(self, trigger: str, view: dict[str, Any]) -> None:
        """Open a modal for whoever gave the trigger, which lives three seconds and works once."""
        await self.line.say("views.open", Priority.QUESTION, trigger_id=trigger, view=view)

    async def update_window(self, shown: Payload, view: dict[str, Any]) -> None:
        """Show something else in a window, if it still is as it was shown to us."""
        at = {"view_id": text(shown.get("id")), "hash": text(shown.get("hash"))}
        await self.line.say("views.update", Priority.QUESTION, **at, view=view)

    async def whisper(self, channel: str, user: str, words: str, **content: Any) -> None:
        """Say something that one person sees, as a last word: at once, once, and without a store."""
        await self._last_word("chat.postEphemeral", channel=channel, user=user, text=words, **content)

    async def whisper_in(self, thread: ThreadKey, user: str, words: str) -> None:
        """The same, in a thread."""
        await self._last_word("chat.postEphemeral", **aside(thread, user), text=words)

    async def answer_alone(self, click: Click, act: Awaitable[str]) -> None:
        """Do what somebody pressed for; what it comes to in words, they alone are told."""
        if said := await in_words(act):
            await self.whisper_in(click.thread, click.user, said)

    async def excuse(self, trigger: str, view: dict[str, Any], *, above: bool = False) -> None:
        """Say in a window that something cannot be done, as a last word; `above` the window that gave the trigger."""
        await self._last_word("views.push" if above else "views.open", trigger_id=trigger, view=view)

    async def take_back(self, channel: str, ts: str) -> None:
        """Remove a message of ours that nothing will follow, as a last word."""
        await self._last_word("chat.delete", channel=channel, ts=ts)

    async def _last_word(self, method: str, **arguments: Any) -> None:
        """Not in its turn: what is said when the store is away must not need the ledger."""
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self.line.web.call(method, **arguments)
        except (Retryable, SlackRefused, TimeoutError) as error:
            log.warning("last_word_lost", method=method, error=type(error).__name__)


async def in_words(act: Awaitable[str]) -> str:
    """What comes of something that a person waits for, in words for them; empty if it speaks for itself."""
    try:
        return await promptly(act)
    except NotNow:
        return texts.NOT_NOW


async def promptly(act: Awaitable[T]) -> T:
    """Wait for something that a person waits for. Raises `NotNow` when it fails or takes longer than they may wait.

    Any error of ours counts: a record that cannot be opened is no outage, but whoever waits is answered all the same.
    """
    try:
        async with asyncio.timeout(PROMPT_SECONDS):
            return await act
    except (ThreadwiseError, TimeoutError) as error:
        code = error.code if isinstance(error, SlackRefused) else ""
        log.warning("not_answered", error=type(error).__name__, code=code)
        raise NotNow from error
