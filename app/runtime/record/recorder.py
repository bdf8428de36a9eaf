"""Writer of versions into the record, and sender of notices to people and other conversations.

Each effect may be repeated. The first version of a number stays, and an inbox accepts a receipt once. Before a post is
repeated, the app looks for it in Slack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog

from app.clock import format_ts
from app.core.conversation.conversation import BEFORE, Conversation
from app.core.conversation.effect import (
    ForgetFiles,
    OpenStep,
    RedactQuotes,
    SavePermissionRule,
    SaveVersion,
    SendDirectMessage,
    SendNotice,
)
from app.core.conversation.news import News, StepEvent, StepMove
from app.core.conversation.redaction import Redaction
from app.core.events.heard import ComponentStarted, NoticeReceived
from app.ports import Clock, Conversations, EventIntake, Files, Outlet, Permissions, Versions
from app.runtime.record.reader import DecisionReader

log = structlog.get_logger(__name__)

Recorded = SaveVersion | RedactQuotes | ForgetFiles | SavePermissionRule | SendNotice | SendDirectMessage | OpenStep


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordWriter:
    """Performer of effects on the record and on other conversations. It raises what its ports raise."""

    intake: EventIntake
    conversations: Conversations
    versions: Versions
    files: Files
    permissions: Permissions
    casebook: DecisionReader
    outlet: Outlet
    clock: Clock
    copies_days: int
    """Days for which copies of erasure secrets are kept; people are told the number."""

    async def record(self, now: Conversation, effect: Recorded, *, unsure: bool) -> None:
        """Perform one effect of this conversation. `unsure` if it may have been performed already."""
        match effect:
            case SaveVersion():
                await self._keep(now, effect)
            case RedactQuotes():
                await self._unquote(now, effect)
            case ForgetFiles():
                await self.files.forget(now, effect.files)
            case SavePermissionRule():
                await self.permissions.keep(effect.rule, unsure=unsure)
            case SendNotice():
                # An id is unique only within its conversation.
                receipt = f"news:{now.id}:{effect.id}"
                labels = tuple(label for label in now.sources if label != BEFORE)
                told = await self._locate_card(now, effect.news)
                news = NoticeReceived(receipt=receipt, thread=effect.thread, at=self._at, news=told, sources=labels)
                taken = await self.intake.accept(news)
                log.info("news_told", news=effect.news.news, taken=taken.value)
            case SendDirectMessage():
                await self.outlet.tell_directly(now, effect, unsure=unsure)
            case OpenStep():
                await self._open(now, effect, unsure=unsure)

    async def _locate_card(self, now: Conversation, news: News) -> News:
        """Return the notice with the place of the card that it tells of."""
        if not isinstance(news, StepMove) or not news.card:
            return news
        row = await self.conversations.row(now, news.card)
        return replace(news, ts=next(iter(row.parts), "") if row else "")

    async def _keep(self, now: Conversation, effect: SaveVersion) -> None:
        row = await self.conversations.row(now, effect.row)
        assert row is not None, "what was approved has a row before it is kept"
        version = await self.casebook.version(now, row, effect.version)
        await self.versions.keep(now, version)
        log.info("version_kept", component=version.component, number=version.number)

    async def _unquote(self, now: Conversation, effect: RedactQuotes) -> None:
        """Redact quotes in all steps. Effects are performed in order, so versions approved here earlier are stored."""
        assert now.interview is not None, "only a step has versions"
        gone, hub = Redaction({effect.message}), await self.conversations.find(now.interview.decision)
        for version in await self.versions.list(now.interview.decision):
            data, component = gone.from_data(version.data), version.component
            if data == version.data:
                continue
            holder = now
            if component != now.interview.component:
                step = hub.decision.step(component) if hub and hub.decision else None
                holder = await self.conversations.find(step.thread) if step and step.thread else None
            # A step that was erased meanwhile has no version left to change.
            if holder is not None:
                await self.versions.amend(holder, replace(version, data=data))
                log.info("version_unquoted", component=component, number=version.number)

    async def _open(self, now: Conversation, effect: OpenStep, *, unsure: bool) -> None:
        """Open the thread of a step, and tell the decision at once, so that nobody can start the step a second time."""
        thread = await self.outlet.begin_step(now, effect.component, unsure=unsure)
        receipt = f"step:{now.id}:{thread.root}"  # not its component: an erased step can be started anew
        step = now.decision.step(effect.component) if now.decision else None
        known = StepMove(component=effect.component, thread=thread, on=StepEvent.STARTED, owner=now.owner)
        await self.intake.accept(NoticeReceived(receipt=f"known:{receipt}", thread=now.thread, at=self._at, news=known))
        begun = ComponentStarted(
            receipt=receipt,
            thread=thread,
            at=self._at,
            user=now.owner,
            decision=now.thread,
            question=now.decision.question if now.decision else "",
            name=now.name,
            component=effect.component,
            mode=effect.mode,
            material=effect.material,
            sources=now.sources,
            example=now.decision is not None and now.decision.example,
            handles=step.handles if step else {},
        )
        await self.intake.accept(begun)

    @property
    def _at(self) -> str:
        return format_ts(self.clock.now())
