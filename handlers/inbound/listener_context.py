"""The context of the gate and the surfaces, and the way that they meet Slack's limit of three seconds.

A person who pressed or typed something is always answered in time: with what they asked for, or with a sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import structlog

from app.clock import format_ts
from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, decision_steps, texts
from app.core.errors import OutOfReach, PlaceGone, Retryable, SlackRefused, StoreUnavailable, ThreadwiseError
from app.core.events.heard import DecisionStarted, MessagePosted
from app.core.owners import Membership, Owners, can_own
from app.core.state.decision import DecisionStep
from app.core.state.permission import Rule, Spans
from app.core.state.sheet import Sheet
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from app.decision.record import DecisionRecord
from app.decision.report.dossier import Report
from app.ports import Clock, ConversationReader, EventIntake, Files, OnceFlags, Permissions, Profile, ServerListing
from handlers.inbound.reading.slack_actions import Click, read_click
from handlers.outbound.channels import Channels
from handlers.outbound.pacer import Priority
from handlers.outbound.web import SlackCaller, SlackIdentity, address_ephemeral
from handlers.slack.payload import Payload, is_from_elsewhere, read_mapping, read_text
from handlers.views.kit import mrkdwn
from handlers.views.kit.summary_line import LinkContext
from handlers.views.windows import record_window
from handlers.views.windows.command_replies import AppPolicy

SpansOf = Callable[[Iterable[Rule]], Awaitable[Spans]]
"""Returns when rules were last used, and when they end."""
Ack = Callable[..., Awaitable[Any]]
Body = dict[str, Any]

T = TypeVar("T")

PROMPT_SECONDS = 2.3
"""Seconds for an answer. Slack waits for 3, and a trigger lives as long. The rest is for a sentence that says that it
took too long."""

LAST_WORD_SECONDS = 0.5
"""Seconds for such a sentence."""

ABSENT = frozenset({"channel_not_found", "not_in_channel"})
"""Slack's error codes for a channel that the app is not in."""

BARRED: Mapping[Membership, str] = {Membership.STRANGER: texts.BARRED_STRANGER}
"""The sentences for people, other than guests, who may not start anything here."""

log = structlog.get_logger(__name__)


class StepReader(Protocol):
    """The part of `record.reader` that is needed here: the record behind a step. Raises `StoreUnavailable`."""

    def knows(self, key: str) -> bool:
        """Return False for a step whose component is no longer installed."""
        ...

    async def so_far(self, now: Conversation) -> DecisionRecord:
        """Return the decision's record, for the step of this conversation."""
        ...

    async def lay_out(self, now: Conversation) -> Sheet | None:
        """Return all that is known in a step, even while nothing is noted; None for an unknown step."""
        ...


class CreationCounter(Protocol):
    """The part of `app.runtime.limits` that counts what people create. Raises `StoreUnavailable`."""

    async def create(self, team: str, user: str, at: float, made: Mapping[Creation, int]) -> int:
        """See `app.runtime.limits`."""
        ...

    async def take_back(self, team: str, user: str, at: float) -> None:
        """See `app.runtime.limits`."""
        ...

    async def first_today(self, team: str, what: str) -> bool:
        """See `app.runtime.limits`."""
        ...


class AnswerFailed(Exception):
    """Failure to answer in time: the store or Slack is unavailable or slow."""


class StartFailed(Exception):
    """Failure to start something, with the field of the form to blame and the sentence for the person, as mrkdwn."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerContext:
    """The dependencies for answering people."""

    line: SlackCaller
    us: SlackIdentity
    intake: EventIntake
    conversations: ConversationReader
    permissions: Permissions
    places: OnceFlags
    files: Files
    profile_of: Callable[[str, str], Awaitable[Profile]]
    open_home: Callable[[str, str], Awaitable[None]]
    """Publishes Home for a person who opens it: team and user."""
    channels: Channels
    rules: AppPolicy
    steps: StepReader
    spans_of: SpansOf
    tools: tuple[str, ...]
    """The tools that permissions are about."""
    sees: Callable[[str, str, str], Awaitable[bool]]
    """Returns whether a person can see a channel now: team, person, channel. Raises `OutOfReach` if that is unknown."""
    report_of: Callable[[Conversation], Awaitable[Report]]
    """Builds the report of the decision that a conversation is the hub of."""
    course: tuple[DecisionStep, ...]
    """The steps of a new decision."""
    limits: CreationCounter
    servers: Callable[[], tuple[ServerListing, ...]] = tuple
    """Lists the connected tool servers with their tools."""

    @property
    def clock(self) -> Clock:
        """Return the program's clock."""
        return self.line.clock

    @property
    def view(self) -> LinkContext:
        """Return the present context for links and times."""
        return LinkContext(workspace_url=self.us.url, now=self.clock.now())

    def is_retired(self, now: Conversation) -> bool:
        """Return True for a step whose component is no longer installed, so that its interview cannot go on."""
        return now.interview is not None and not self.steps.knows(now.interview.component)

    async def find_bar(self, user: str, body: Body) -> str:
        """Return why this person may not start anything here; empty if they may. Slack is asked at most once an hour.

        If Slack does not answer in time, the payload shows people of other workspaces, and the rest count as members.
        The turn checks again.
        """
        owners = self.rules.owners
        if owners is Owners.ANYONE:
            return ""
        known = (await self.profile_of(self.us.team, user)).standing
        standing = known or (Membership.STRANGER if is_from_elsewhere(body, self.us.team) else Membership.MEMBER)
        return "" if can_own(owners, standing) else BARRED.get(standing, texts.BARRED_GUEST)

    async def count(self, user: str, made: Mapping[Creation, int]) -> int:
        """Count a creation now. Return the seconds until it is allowed, 0 if it is. Raise `StoreUnavailable`."""
        return await self.limits.create(self.us.team, user, self.clock.now().timestamp(), made)

    @asynccontextmanager
    async def count_during(self, user: str, made: Mapping[Creation, int], field: str) -> AsyncGenerator[None]:
        """Count a creation, or raise `StartFailed` for this field if it is too early.

        One that fails in the block, or takes too long, is not counted, so that it delays no one. During an outage it
        stays counted, which does little harm.
        """
        at = self.clock.now().timestamp()
        if wait := await self.limits.create(self.us.team, user, at, made):
            raise StartFailed(field, decision_steps.TOO_MANY.format(wait=texts.format_wait(wait)))
        try:
            yield
        except (StartFailed, SlackRefused, Retryable, asyncio.CancelledError):
            with suppress(StoreUnavailable):
                await self.limits.take_back(self.us.team, user, at)
            raise

    @property
    def at(self) -> str:
        """Return the present time as a ts, for payloads without a time."""
        return format_ts(self.clock.now())

    async def find_decision(self, thread: ThreadKey | None, user: str) -> Conversation | str:
        """Return a decision, or why this person may not see it now. Earlier access does not matter."""
        now = await self.conversations.find(thread) if thread else None
        if now is None:
            return decision_record.NO_DECISION
        return record_window.explain_refusal(now, user) or await self.find_obstacle(user, now.thread.channel) or now

    async def find_obstacle(self, user: str, channel: str) -> str:
        """Return why this person may not see a channel's content now; empty if they may. Slack's errors pass."""
        try:
            return "" if await self.sees(self.us.team, user, channel) else texts.NOT_SEEN
        except OutOfReach:
            return texts.CANNOT_LOOK

    async def open_window(self, trigger: str, view: dict[str, Any]) -> None:
        """Open a modal for the person behind the trigger, which lives three seconds and works once."""
        await self.line.say("views.open", Priority.QUESTION, trigger_id=trigger, view=view)

    async def update_window(self, shown: Payload, view: dict[str, Any]) -> Payload:
        """Replace the content of a window, unless it has changed since it was read. Return it as it is now."""
        at = {"view_id": read_text(shown.get("id")), "hash": read_text(shown.get("hash"))}
        return read_mapping((await self.line.say("views.update", Priority.QUESTION, **at, view=view)).get("view"))

    async def whisper(self, channel: str, user: str, words: str, **content: Any) -> None:
        """Post a sentence that one person sees: at once, with a single attempt, and without the store."""
        await self._last_word("chat.postEphemeral", channel=channel, user=user, text=words, **content)

    async def whisper_in(self, thread: ThreadKey, user: str, words: str, *, beside: bool = False) -> None:
        """Post such a sentence in a thread, or `beside` one that no one reads.

        Where nothing can be posted any more, it goes to their direct messages.
        """
        place = address_ephemeral(thread, user, beside=beside)
        if not await self._last_word("chat.postEphemeral", **place, text=words) and not thread.direct:
            await self._tell_directly(user, texts.ABOUT_PLACE.format(channel=f"<#{thread.channel}>", words=words))

    async def _tell_directly(self, user: str, words: str) -> None:
        with suppress(Retryable, SlackRefused, TimeoutError):
            async with asyncio.timeout(LAST_WORD_SECONDS):
                opened = await self.line.web.call("conversations.open", users=user)
            await self._last_word("chat.postMessage", channel=str(opened["channel"]["id"]), text=words)

    async def answer_alone(self, click: Click, act: Awaitable[str]) -> None:
        """Await an action for a click, and show its sentence, if any, to that person only."""
        if said := await await_sentence(act):
            await self.answer_click(click, said)

    async def answer_click(self, click: Click, words: str) -> None:
        """Post such a sentence where the button is: in its thread, or in the channel below the root of a thread."""
        await self.whisper_in(click.thread, click.user, words, beside=click.is_on_root)

    async def excuse(self, trigger: str, view: dict[str, Any], *, above: bool = False) -> None:
        """Show in a window that an action failed; with `above`, on top of the window of the trigger."""
        await self._last_word("views.push" if above else "views.open", trigger_id=trigger, view=view)

    async def post_root(self, user: str, channel: str, words: str) -> ThreadKey:
        """Post the first message of a thread, in direct messages with this person if no channel is named."""
        channel = channel or await self.line.open_direct(user)
        content: dict[str, Any] = {"text": words, "unfurl_links": False, "unfurl_media": False}
        answer = await self.line.say("chat.postMessage", Priority.QUESTION, channel=channel, **content)
        return ThreadKey(team=self.us.team, channel=channel, root=str(answer["ts"]))

    async def accept_posted(self, event: DecisionStarted | MessagePosted, until: float, failed: StartFailed) -> None:
        """Accept the event of a message that we have just posted, or delete the message and raise `failed`."""
        try:
            async with asyncio.timeout_at(until):
                await self.intake.accept(event)
        except (StoreUnavailable, TimeoutError) as error:
            await self.take_back(event.thread.channel, event.thread.root)
            raise failed from error

    async def take_back(self, channel: str, ts: str) -> None:
        """Delete a Slack message of ours that stays without a conversation."""
        await self._last_word("chat.delete", channel=channel, ts=ts)

    async def _last_word(self, method: str, **arguments: Any) -> bool:
        """Call Slack outside of the queue: without the store, there is no ledger.

        Return False if nothing can be posted there, as far as Slack says so.
        """
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self.line.web.call(method, **arguments)
        except (Retryable, SlackRefused, TimeoutError) as error:
            log.warning("last_word_lost", method=method, error=type(error).__name__)
            return not isinstance(error, PlaceGone)
        return True


async def await_sentence(act: Awaitable[T]) -> T | str:
    """Await an action for a waiting person, and return what it returns, or a sentence if it fails or takes too long.

    Most actions return a sentence themselves; empty if their effect is visible.
    """
    try:
        return await await_in_time(act)
    except AnswerFailed:
        return texts.NOT_NOW


async def act_on_click(
    context: ListenerContext, act: Callable[[ListenerContext, Click, str], Awaitable[str]], ack: Ack, body: Body
) -> None:
    """Acknowledge a click on a button in a message and act on it, with its trigger, which can open a window.

    The sentence of the action, if any, is shown to that person only.
    """
    await ack()
    if click := read_click(body):
        await context.answer_alone(click, act(context, click, read_text(body.get("trigger_id"))))


async def change_view(
    context: ListenerContext, act: Callable[[ListenerContext, Body], Awaitable[None]], ack: Ack, body: Body
) -> None:
    """Acknowledge a click in a view and change that view. If this times out, the control can be used again."""
    await ack()
    with suppress(AnswerFailed):
        await await_in_time(act(context, body))


async def answer_form(ack: Ack, field: str, refused: str) -> None:
    """Close a form, or keep it open with the reason against it, which is mrkdwn, at this field."""
    await (ack(response_action="errors", errors={field: mrkdwn.resolve_markup(refused)}) if refused else ack())


async def await_in_time(act: Awaitable[T]) -> T:
    """Await an action for a waiting person. Raise `AnswerFailed` if it fails or takes too long.

    All errors of ours are included. A record that cannot be decrypted is no outage, but the person is answered
    nevertheless.
    """
    try:
        async with asyncio.timeout(PROMPT_SECONDS):
            return await act
    except (ThreadwiseError, TimeoutError) as error:
        code = error.code if isinstance(error, SlackRefused) else ""
        log.warning("not_answered", error=type(error).__name__, code=code)
        raise AnswerFailed from error
