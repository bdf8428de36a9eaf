"""Finder of the results of a decision that use a message which has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from app.core.conversation.conversation import Conversation
from app.core.conversation.facts import MessageUse
from app.core.decisions.approval import is_asked, require_interview
from app.core.state.decision import ComponentStatus, DecisionStep, Version
from app.core.state.interview import Interview
from app.decision.playbook.playbook import Playbook
from app.decision.schema.handles import build_draft, map_handles
from app.decision.tracing.message_uses import DRAFT, Result, Use, find_uses, replace_message
from app.decision.tracing.said import Statement
from app.decision.tracing.statements import list_said
from app.ports import Versions
from app.runtime.record.sayings import Sayings, SayingsReader


@dataclass(frozen=True, slots=True)
class UseFinder:
    """Finder of uses in the approved results of a decision, and in a draft that waits for approval."""

    versions: Versions
    sayings: SayingsReader
    playbook: Playbook

    async def find(self, now: Conversation, message: str, becomes: str | None) -> tuple[MessageUse, ...]:
        """Return the results of this decision that use the message with this Slack ts.

        `becomes` is its text from now on; None if it is deleted.
        """
        lead = require_interview(now)
        versions = await self.versions.list(lead.decision)
        if not (results := [*self._list_approved(versions), *_list_draft(now, lead)]):
            return ()
        hub = await self.sayings.conversations.find(lead.decision)
        before, after = await self._read_statements(now, hub, versions, message, becomes)
        found = await asyncio.to_thread(find_uses, results, message, before, after)
        steps = hub.decision.steps if hub and hub.decision else ()
        return tuple(_describe_use(self.playbook[each.result.component].title, each, lead, steps) for each in found)

    async def _read_statements(
        self,
        now: Conversation,
        hub: Conversation | None,
        versions: Iterable[Version],
        message: str,
        becomes: str | None,
    ) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
        """Return all that people said in the decision, before and after the change."""
        rows = await self.sayings.conversations.transcript(now, 0)
        elsewhere = await self.sayings.read_elsewhere(now, hub)
        vouched = tuple(Statement(each.text) for one in versions for each in one.vouched if each.at != message)
        had = (*elsewhere.files, *await self.sayings.read_files(now))
        has = (*elsewhere.files, *await self.sayings.read_files(now, without=message if becomes is None else ""))
        told = (*elsewhere.statements, *vouched)
        before = Sayings((*told, *list_said(now, rows)), had).list_all()
        return before, Sayings((*told, *list_said(now, replace_message(rows, message, becomes))), has).list_all()

    def _list_approved(self, versions: Collection[Version]) -> Iterator[Result]:
        names, known = map_handles(dict(version.data) for version in versions), self.playbook.components
        for each in versions:
            if any(component.key == each.component for component in known):
                draft = build_draft(self.playbook[each.component], dict(each.data), names)
                yield Result(each.component, each.number, draft)


def _list_draft(now: Conversation, lead: Interview) -> Iterator[Result]:
    if is_asked(now):
        yield Result(lead.component, DRAFT, lead.draft)


def _describe_use(title: str, use: Use, lead: Interview, steps: Iterable[DecisionStep]) -> MessageUse:
    step = next((each for each in steps if each.key == use.result.component != lead.component), None)
    return MessageUse(
        title=title,
        version=use.result.number,
        figures=use.figures,
        current=use.current if use.current != use.result.number else 0,
        elsewhere=step.thread.root if step and step.thread else "",
        is_discussed=step is not None and step.status is ComponentStatus.IN_PROGRESS,
    )
