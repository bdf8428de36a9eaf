"""The report of a decision, made from its record: each step's last approved result, and every version.

It only reads. The caller has checked that the person may see the decision.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record
from app.core.pending.recurrence import is_zone, name_zone
from app.core.state.decision import Decision, DecisionStep, Version
from app.core.state.sheet import Prose, Sheet
from app.core.text.labels import join_words
from app.decision.layout.sheets import read_question
from app.decision.report.dossier import Report, ReportStep
from app.ports import Clock, Profile, Versions
from app.runtime.record.reader import DecisionReader

ProfileOf = Callable[[str, str], Awaitable[Profile]]
"""Lookup of a person's profile by team and user."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Maker of reports of decisions."""

    versions: Versions
    casebook: DecisionReader
    profile_of: ProfileOf
    clock: Clock

    async def of(self, now: Conversation) -> Report:
        """Return the report of the decision whose hub this conversation is. Raise `StoreUnavailable`."""
        assert now.decision is not None, "only a decision has a report"
        versions = await self.versions.list(now.thread)
        vouching = (figure.by for version in versions for figure in version.vouched)
        people = {now.owner, *(version.approved_by for version in versions), *vouching}
        profiles = {user: await self.profile_of(now.thread.team, user) for user in sorted(people)}
        names = {user: profile.name for user, profile in profiles.items()}
        zone = profiles[now.owner].zone  # a hub knows none of its own where its owner has only pressed buttons
        there = replace(now, zone=zone) if is_zone(zone) else now
        return await asyncio.to_thread(self._build, there, now.decision, versions, names)

    def _build(
        self, now: Conversation, decision: Decision, versions: tuple[Version, ...], names: Mapping[str, str]
    ) -> Report:
        held = _Held(decision, versions, names, self.casebook, now.zone)
        return Report(
            question=held.find_question() or decision.name,
            typed=decision.question,
            owner=names[now.owner],
            made_at=_tell_there(self.clock.now(), now.zone),
            zone=name_zone(now.zone) if now.zone else "",
            deadline=decision.deadline,
            closed=decision.closed,
            example=bool(decision.example),
            first_page=held.first_page(),
            steps=tuple(held.step(number, each) for number, each in enumerate(decision.steps, 1)),
            versions=versions,
            people=names,
        )


def _tell_there(moment: datetime, zone: str) -> str:
    """Return a moment in ISO by the clocks of a zone: its day is the one that people saw on their cards."""
    return moment.astimezone(ZoneInfo(zone or "UTC")).isoformat(timespec="seconds")


class _Held:
    """The record of one decision."""

    def __init__(
        self,
        decision: Decision,
        versions: Collection[Version],
        names: Mapping[str, str],
        casebook: DecisionReader,
        zone: str,
    ) -> None:
        self._decision = decision
        self._titles = {step.key: step.title for step in decision.steps}
        self._newest = {each.component: each for each in sorted(versions, key=lambda each: each.number)}
        self._names, self._casebook, self._zone = names, casebook, zone
        self._sheets = casebook.laid_out(versions, zone)

    def find_question(self) -> str:
        """Return the question that the newest results word; empty if none of them does."""
        known = [each for each in self._newest.values() if self._casebook.knows(each.component)]
        worded = (read_question(self._casebook.component(each.component), dict(each.data)) for each in known)
        return next(filter(None, worded), "")

    def first_page(self) -> Sheet | None:
        """Return the page for a board; None while nothing is approved."""
        outdated = [each.key for each in self._decision.steps if self._decision.needs_another_look(each)]
        return self._casebook.first_page(self._newest.values(), self._zone, outdated) if self._newest else None

    def step(self, number: int, step: DecisionStep) -> ReportStep:
        """Return one step. The record is decisive, because it has a result a moment before the decision knows of it."""
        newest = self._newest.get(step.key)
        if newest is None:
            return ReportStep(key=step.key, number=number, title=step.title, status=step.status)
        # A result that was confirmed later is based on newer results than at its approval; only the decision knows
        # them.
        based_on = step.based_on if step.version == newest.number else newest.based_on
        return ReportStep(
            key=step.key,
            number=number,
            title=step.title,
            status=step.status,
            version=newest.number,
            approved_by=self._names[newest.approved_by],
            approved_at=_tell_there(datetime.fromisoformat(newest.approved_at), self._zone),
            based_on=tuple(self._name_basis(key, version, newest) for key, version in based_on.items()),
            outdated=self._list_outdated(based_on) if self._decision.needs_another_look(step) else (),
            sheet=self._sheet(newest),
        )

    def _sheet(self, version: Version) -> Sheet | None:
        """Return the sheet of the newest version. It first names the parts that are newer than that version."""
        sheet = self._sheets.get(version.component)
        newer = [
            self._name(key, self._newest[key].number)
            for key in self._casebook.list_sources(version.component)
            if key in self._newest and self._newest[key].number != version.based_on.get(key)
        ]
        if sheet is None or not newer:
            return sheet
        said = decision_record.WORKED_OUT_ANEW.format(results=join_words(newer), version=version.number)
        return Sheet(sections=(Prose(text=said), *sheet.sections))

    def _list_outdated(self, based_on: Mapping[str, int]) -> tuple[str, ...]:
        changed = ((key, was, self._newest[key].number) for key, was in based_on.items() if key in self._newest)
        return tuple(
            decision_record.BASED_ON_OLDER.format(was=self._name(key, was), now=now)
            for key, was, now in changed
            if now > was
        )

    def _name_basis(self, key: str, version: int, result: Version) -> str:
        """Return a result that another one is based on; what people have found that one valid with says so."""
        name, was = self._name(key, version), result.based_on.get(key, version)
        return decision_record.STILL_VALID.format(result=name, was=was) if was < version else name

    def _name(self, key: str, version: int) -> str:
        return f"{self._titles.get(key, key)} v{version}"
