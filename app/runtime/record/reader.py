"""Reader of a decision's record, and judge of drafts against it.

It connects the pure decision with conversations. It reads versions, and neither writes nor decides.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from app.core.conversation.call import DraftNoted
from app.core.conversation.conversation import Conversation, Message, Role
from app.core.conversation.facts import MessageUse
from app.core.decisions.approval import is_asked, require_interview
from app.core.state.decision import Version
from app.core.state.interview import Interview, InterviewCommand, JudgedDraft, MissingGround, Phase, PreparedStep
from app.core.state.lifecycle import Lifecycle
from app.core.state.sheet import Sheet
from app.core.text.marks import clean
from app.core.thread import ThreadKey
from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.drafts.given_handles import collect_handles
from app.decision.drafts.hand_edit import judge_hand_edit
from app.decision.drafts.noting import begin_draft, list_blockers
from app.decision.drafts.quote_sources import Sources
from app.decision.drafts.readiness import is_ready, read_command
from app.decision.layout import sheets
from app.decision.layout.first_page import build_first_page
from app.decision.playbook import example
from app.decision.playbook.openings import find_missing_step, list_choices, write_opening
from app.decision.playbook.playbook import Playbook
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.handles import (
    build_record,
    find_highest,
    list_handles,
    map_handles,
    prune,
)
from app.decision.schema.paths import Draft
from app.decision.schema.validation import breaks_form
from app.decision.tracing.said import Statement
from app.decision.tracing.statements import list_said
from app.decision.tracing.tracing import list_figures
from app.ports import Clock, Versions
from app.runtime.record.decision_versions import DecisionVersions
from app.runtime.record.sayings import SayingsReader
from app.runtime.record.step_context import StepContext
from app.runtime.record.use_finder import UseFinder

RATED, NOTES = "consequences", "notes_next_steps"
"""The components that rate options, and that say who does what next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscussionTurns:
    """Maximum number of turns of a discussion: as usual, and of the components that need longer."""

    usual: int = 25
    long: int = 40


class DecisionReader:
    """Reader of the records of decisions, for the steps of one playbook."""

    def __init__(
        self,
        versions: Versions,
        sayings: SayingsReader,
        playbook: Playbook,
        clock: Clock,
        turns: DiscussionTurns = DiscussionTurns(),
    ) -> None:
        self._versions, self._playbook, self._clock, self._turns = versions, playbook, clock, turns
        self._sayings, self._conversations = sayings, sayings.conversations

    def component(self, key: str) -> Component:
        """Return the component with this key. Raise `KeyError`."""
        return self._playbook[key]

    def knows(self, key: str) -> bool:
        """Return True if this component is installed.

        The threads of a removed component stay, but no interview can go on in them.
        """
        return any(each.key == key for each in self._playbook.components)

    async def prepare(self, decision: ThreadKey, key: str, question: str = "") -> PreparedStep:
        """Return the component's part of a new interview, with the decision's results so far.

        `question` is what people typed when the decision began.
        """
        component = self._playbook[key]
        ground = await self._ground(decision, component, "", ())
        ground = replace(ground, so_far=replace(ground.so_far, question=question))
        later = self._playbook.later(key)
        offered, said = await asyncio.to_thread(_open_step, component, ground.so_far)
        asked = component.first_question
        question = asked.prompt if asked and offered else ""
        return PreparedStep(
            title=component.title,
            opening=said.removesuffix(question).rstrip(),
            question=question,
            choices=offered,
            confirm_question=component.confirm_question,
            approve=component.approve,
            prompt_version=component.prompt_version,
            schema_version=component.schema_version,
            max_turns=self._turns.long if component.long_discussion else self._turns.usual,
            next_key=later[0].key if later else "",
            next_title=later[0].title if later else "",
            lacks=await self._find_ground(decision, find_missing_step(component, ground.so_far)),
        )

    async def _find_ground(self, decision: ThreadKey, key: str) -> MissingGround | None:
        """Return a step that a later one lacks, with its thread; None without a key."""
        if not key:
            return None
        hub = await self._conversations.find(decision)
        step = hub.decision.step(key) if hub and hub.decision else None
        return MissingGround(title=self._playbook[key].title, thread=step.thread if step else None)

    async def ground(self, now: Conversation, rows: Iterable[Message] | None = None) -> StepContext:
        """Return the basis of this conversation's step. `rows` is its transcript, if it was read already."""
        lead = require_interview(now)
        told = tuple(await self._conversations.transcript(now, 0) if rows is None else rows)
        said = tuple(clean(row.text) for row in told if row.role is Role.PERSON)
        ground = await self._ground(lead.decision, self._playbook[lead.component], now.zone, said, lead)
        given = (*collect_handles(told, lead), *await self._list_given_elsewhere(now, ground.component))
        so_far, shown = _spend(ground.component, ground.so_far, given), _find_compared(now, ground.so_far.before)
        checked = (lead.draft, *([lead.drafted.draft] if lead.drafted else []))
        known = replace(ground, so_far=so_far, sources=Sources.of_step(told, so_far), shown=shown, checked=checked)
        return known.remember_topics(lead, is_complete=now.lifecycle is Lifecycle.COMPLETE)

    async def _list_given_elsewhere(self, now: Conversation, component: Component) -> list[str]:
        """Return the handles that other steps' threads have given to items of the same kinds, open or not."""
        kinds, given = set(component.handles.values()), list[str]()
        alike = [each.key for each in self._playbook.components if not kinds.isdisjoint(each.handles.values())]
        hub = await self._conversations.find(require_interview(now).decision) if len(alike) > 1 else None
        for step in hub.decision.steps if hub and hub.decision else ():
            is_other = step.key in alike and step.thread != now.thread
            other = await self._conversations.find(step.thread) if is_other and step.thread else None
            if other and other.interview:
                given += collect_handles(await self._conversations.transcript(other, 0), other.interview)
        return given

    async def full_ground(self, now: Conversation, rows: Iterable[Message] | None = None) -> StepContext:
        """Return the basis with all that people said in any thread of the decision, to judge a draft with."""
        told = tuple(await self._conversations.transcript(now, 0) if rows is None else rows)
        lead, ground = require_interview(now), await self.ground(now, told)
        elsewhere = await self._sayings.read_elsewhere(now, await self._conversations.find(lead.decision))
        said = (*list_said(now, told), *(Statement(each.text) for each in lead.vouched), *elsewhere.statements)
        files = (*await self._sayings.read_files(now), *elsewhere.files)
        alone = await self._sayings.read_draft_files(now, told)
        others = tuple(row for row in told if row.role is Role.PERSON and row.author != now.owner)
        return replace(ground, statements=said, others=others, files=files, draft_files=alone)

    async def so_far(self, now: Conversation) -> DecisionRecord:
        """Return the record that the step builds on, with every handle given so far: a window gives none of them."""
        return (await self.ground(now)).so_far

    async def read_example(self, decision: ThreadKey, key: str) -> JudgedDraft | None:
        """Return the result of a step in the worked example that the decision is; None if it has no such step."""
        hub = await self._conversations.find(decision)
        question = hub.decision.question if hub and hub.decision else ""
        drafts = example.load_drafts(question)
        if key not in drafts:
            return None
        ground = await self._ground(decision, self._playbook[key], "", example.list_said(key, question))
        said = (question, *(text for each in drafts for text in example.list_said(each, question)))
        ground = replace(ground, statements=tuple(map(Statement, said)))
        return await asyncio.to_thread(ground.refresh, drafts[key])

    async def judge(
        self, now: Conversation, draft: Mapping[str, Any], known: Mapping[str, Any] | None = None
    ) -> JudgedDraft | None:
        """Return the judgement of a draft now; None if it is invalid, missing, or of an unknown step.

        Its items keep their handles if they are those of `known`: the current draft, if nothing else is named.
        """
        lead = require_interview(now)
        if not draft or not self.knows(lead.component):
            return None
        return await asyncio.to_thread((await self.full_ground(now)).read, draft, dict(known or lead.draft))

    async def noted(self, now: Conversation) -> JudgedDraft | None:
        """Return the notes of a discussion laid out, with what they still need; None if nothing is noted.

        Notes may be incomplete anywhere, so nothing is derived from them. None, too, for an unknown step.
        """
        lead = require_interview(now)
        if not lead.draft or not self.knows(lead.component):
            return None
        return await asyncio.to_thread(_lay_out_notes, await self.ground(now), lead.draft)

    async def lay_out(self, now: Conversation) -> Sheet | None:
        """Return all that is known in a step, even while nothing is noted; None for an unknown step."""
        lead = require_interview(now)
        is_known = self.knows(lead.component)
        return await asyncio.to_thread(_lay_out, await self.ground(now), lead.draft) if is_known else None

    async def judge_edit(self, now: Conversation, draft: Mapping[str, Any]) -> JudgedDraft | None:
        """Return the judgement of a person's change of the current draft; None if it is refused."""
        if not self.knows(require_interview(now).component):
            return None
        ground, before = await self.full_ground(now), dict(require_interview(now).draft)
        made = await asyncio.to_thread(judge_hand_edit, ground.component, before, dict(draft), ground.so_far)
        return None if isinstance(made, Rejected) else await asyncio.to_thread(ground.judge_entered, made, before)

    async def judge_correction(self, now: Conversation, reply: Message) -> JudgedDraft | None:
        """Return the judgement of what this reply made of a draft that waits for approval or is being corrected.

        None if it is no such draft, if the reply did not change it, or if it is invalid now.
        """
        noted = [call.draft for call in reply.calls if isinstance(call, DraftNoted)]
        # A request for changes that comes with this reply is not in the state yet.
        is_shown = now.phase is Phase.CONFIRM or require_interview(now).correcting
        # Its tools have told the handles that they gave, and the rounds that are saved already hold them.
        return await self.judge(now, noted[-1], noted[-1]) if noted and is_shown else None

    async def bring_up_to_date(self, now: Conversation) -> JudgedDraft | None:
        """Return the draft, or else the approved version, updated to the current results that it builds on.

        For a finished step the approved version comes first, because an abandoned draft is not its result. None if
        there is neither, or if the step is unknown. None, too, for a draft that is only partly noted, from which
        nothing can be computed.
        """
        if not self.knows(require_interview(now).component):
            return None
        ground, lead = await self.full_ground(now), require_interview(now)
        kept = [dict(lead.draft), ground.so_far.before]
        draft = next(filter(None, reversed(kept) if now.lifecycle is Lifecycle.COMPLETE else kept), None)
        if not draft or await asyncio.to_thread(breaks_form, ground.component, draft):
            return None
        known = await self._list_versions(lead.decision, now.zone)
        ground = replace(ground, former=await asyncio.to_thread(known.build_former_record, lead))
        judged = await asyncio.to_thread(ground.refresh, draft)
        return replace(judged, grounds=await asyncio.to_thread(known.describe_grounds, lead))

    async def is_ready(self, now: Conversation, reply: Message) -> bool:
        """Return True if the draft is complete enough for an extraction to start by itself, after this reply."""
        if not self.knows(require_interview(now).component):
            return False
        lead, ground = require_interview(now), await self.ground(now)
        noted = [call.draft for call in reply.calls if isinstance(call, DraftNoted)]
        draft = dict(noted[-1] if noted else lead.draft)
        found = await asyncio.to_thread(read, ground.component, draft, ground.so_far) if draft else None
        covered = isinstance(found, Accepted) and not found.missing
        blocked = isinstance(found, Accepted) and found.blocked
        return is_ready(ground.component, ground.said, covered=covered, blocked=blocked)

    def signal(self, now: Conversation, text: str) -> InterviewCommand | None:
        """Return the interview command of a message, as far as its words alone show one."""
        key = require_interview(now).component
        return read_command(self._playbook[key], text) if self.knows(key) else None

    async def version(self, now: Conversation, approved: Message, number: int) -> Version:
        """Return the approved result as the record stores it, with items by id. The message `approved` holds it.

        References to a step that was erased meanwhile are left out, because an erased step has no ids.
        """
        lead = require_interview(now)
        component = self._playbook[lead.component]
        ids = _map_ids(component, await self._versions.list(lead.decision))
        draft, _ = prune(component, json.loads(approved.data), ids.keys())
        stated, drafted = list_figures(draft), lead.drafted
        judged = drafted if drafted and drafted.draft == json.loads(approved.data) else None
        at = self._clock.now().isoformat()
        return Version(
            decision=lead.decision,
            component=component.key,
            number=number,
            data=build_record(component, draft, ids, lambda: str(uuid4())),
            extracted_at=at,
            approved_at=at,
            approved_by=approved.author,
            prompt_version=lead.prepared.prompt_version,
            schema_version=lead.prepared.schema_version,
            model=lead.model,
            based_on=lead.based_on,
            vouched=tuple(each for each in lead.vouched if each.text in stated),
            traces=judged.traces if judged else (),
            suggested=judged.suggested if judged else (),
        )

    async def find_uses(self, now: Conversation, message: str, becomes: str | None) -> tuple[MessageUse, ...]:
        """See `UseFinder.find`."""
        return await UseFinder(self._versions, self._sayings, self._playbook).find(now, message, becomes)

    async def results(self, decision: ThreadKey) -> Mapping[str, Draft]:
        """Return the newest approved result of each step, by handle, with a mark on what nobody said."""
        return (await self._list_versions(decision, "")).marked

    def laid_out(self, versions: Iterable[Version], zone: str) -> Mapping[str, Sheet]:
        """Return the sheet of each step's newest version, based on the current results of earlier steps."""
        known = self._gather(tuple(versions), zone)
        records = {key: known.build_record(self._playbook[key]) for key in known.drafts}
        return {
            key: sheets.build_sheet(self._playbook[key], known.drafts[key], each, known.newest[key].suggested)
            for key, each in records.items()
        }

    def first_page(self, versions: Iterable[Version], zone: str, outdated: Collection[str] = ()) -> Sheet | None:
        """Return the page for a board; None if no component of the playbook rates options.

        `outdated` names the components whose newest version needs another look.
        """
        kept = tuple(versions)
        at = (datetime.fromisoformat(each.approved_at) for each in kept if each.component == NOTES)
        noted = next((each.astimezone(ZoneInfo(zone or "UTC")).isoformat() for each in at), "")
        older = {each.component: each.number for each in kept if each.component in outdated}
        if not self.knows(RATED):
            return None
        return build_first_page(self._playbook[RATED], self._gather(kept, zone).build_whole_record(), noted, older)

    def list_sources(self, key: str) -> tuple[str, ...]:
        """Return the steps from whose newest results this step's sheet computes findings."""
        return sheets.list_sources(self._playbook[key]) if self.knows(key) else ()

    async def _ground(
        self,
        decision: ThreadKey,
        component: Component,
        zone: str,
        said: tuple[str, ...],
        lead: Interview | None = None,
    ) -> StepContext:
        """Return the basis of a step, and for its interview what that has to be told beside the results."""
        known = await self._list_versions(decision, zone)
        if lead and await asyncio.to_thread(known.list_outdated, component):
            known = replace(known, looked_at=await self._list_looked_at(decision, known))
        return await asyncio.to_thread(_build_ground, known, component, said, lead)

    async def _list_looked_at(self, decision: ThreadKey, known: DecisionVersions) -> dict[str, Mapping[str, int]]:
        """Return what the newest results are based on as the decision knows it, which hears of *Still valid*."""
        hub = await self._conversations.find(decision)
        numbers = {key: version.number for key, version in known.newest.items()}
        steps = hub.decision.steps if hub and hub.decision else ()
        return {each.key: each.based_on for each in steps if each.version == numbers.get(each.key)}

    async def _list_versions(self, decision: ThreadKey, zone: str) -> DecisionVersions:
        return self._gather(await self._versions.list(decision), zone)

    def _gather(self, versions: Collection[Version], zone: str) -> DecisionVersions:
        today = self._clock.now().astimezone(ZoneInfo(zone or "UTC")).date()
        return DecisionVersions(self._playbook, versions, today)


def _build_ground(
    known: DecisionVersions, component: Component, said: tuple[str, ...], lead: Interview | None
) -> StepContext:
    own = (dict(version.data) for version in known.versions if version.component == component.key)
    so_far = known.build_told_record(component, lead) if lead else known.build_record(component)
    so_far = replace(so_far, spent=find_highest(own, lead.handles if lead else None))
    return StepContext(component, so_far, so_far.numbers, said)


def _find_compared(now: Conversation, before: Draft) -> Mapping[str, Any]:
    """Return what a draft is compared with: on a card that changes in place all its changes are told, not the last."""
    lead = require_interview(now)
    stays = is_asked(now) and now.turn is None
    return (lead.compared or before or lead.shown) if stays else (lead.shown or before)


def _lay_out(ground: StepContext, noted: Mapping[str, Any]) -> Sheet:
    return sheets.recall(ground.component, _lay_out_notes(ground, noted).sheet, ground.so_far)


def _lay_out_notes(ground: StepContext, noted: Mapping[str, Any]) -> JudgedDraft:
    draft = begin_draft(ground.component, noted)
    doubtful = (*ground.find_unproven(draft, ground.said), *ground.find_suggested(draft, ground.said))
    sheet = sheets.build_sheet(ground.component, draft, ground.so_far, doubtful)
    return JudgedDraft(draft=noted, sheet=sheet, missing=list_blockers(ground.component, noted, ground.so_far))


def _open_step(component: Component, so_far: DecisionRecord) -> tuple[tuple[str, ...], str]:
    """Return the choices that a step offers, and the words that it begins with."""
    return tuple(list_choices(component, so_far)), write_opening(component, so_far)


def _spend(component: Component, so_far: DecisionRecord, given: Iterable[str]) -> DecisionRecord:
    """Return the record in which no new item of this step gets a handle of these, or of a later step."""
    own = set(component.handles.values())
    taken = [{"handle": each} for each in (*given, *list_handles(so_far.later.values()))]
    mine = [each for each in taken if each["handle"].rstrip("0123456789") in own]
    return replace(so_far, spent=find_highest(mine, so_far.spent))


def _map_ids(component: Component, versions: Iterable[Version]) -> dict[str, str]:
    """Return the ids of all handles. An item keeps its id through all versions of its step.

    Handles of other steps are included unless this step has items of that kind: two steps may both have a U1.
    """
    own = set(component.handles.values())
    ids: dict[str, str] = {}
    for version in versions:
        for id_, handle in map_handles([dict(version.data)]).items():
            if version.component == component.key or handle.rstrip("0123456789") not in own:
                ids[handle] = id_
    return ids
