"""All approved versions of one decision, and the records that they make up. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from app.core.state.decision import Version
from app.core.state.interview import Interview
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.layout import sheets
from app.decision.playbook.found_so_far import TOLD
from app.decision.playbook.playbook import Playbook
from app.decision.playbook.version_changes import list_changes
from app.decision.record import DecisionRecord, StandingStep
from app.decision.schema.component import Component
from app.decision.schema.handles import Record, build_draft, map_handles, prune
from app.decision.schema.paths import Draft, map_names
from app.decision.tracing.unsaid_claims import mark_claims, remove_claims


@dataclass(frozen=True)
class DecisionVersions:
    """All versions of a decision's steps. `today` is the day in the zone of whom they are read for."""

    playbook: Playbook
    versions: Collection[Version]
    today: date
    looked_at: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    """The versions with which people looked at a newest result again and left it as it is, by component."""

    @cached_property
    def newest(self) -> Mapping[str, Version]:
        """The newest version of each step, by component."""
        newest: dict[str, Version] = {}
        for version in self.versions:
            if version.component not in newest or newest[version.component].number < version.number:
                newest[version.component] = version
        return newest

    @cached_property
    def drafts(self) -> Mapping[str, Draft]:
        """The newest result of each step by handle, with references to items that only an older version holds.

        References to an erased step are left out, because its names are lost.
        """
        known = {each.key: each for each in self.playbook.components}
        records: dict[str, Record] = {key: dict(version.data) for key, version in self.newest.items()}
        drafts = {
            key: build_draft(known[key], record, self._handles) for key, record in records.items() if key in known
        }
        return {key: prune(known[key], draft, self._handles.values())[0] for key, draft in drafts.items()}

    @cached_property
    def marked(self) -> Mapping[str, Draft]:
        """The newest result of each step, with a mark on what nobody said."""
        return {key: mark_claims(draft, self.newest[key].suggested) for key, draft in self.drafts.items()}

    @cached_property
    def _handles(self) -> Mapping[str, str]:
        return map_handles(dict(version.data) for version in self.versions)

    def build_record(self, component: Component) -> DecisionRecord:
        """Return the newest results before this step, with its own and those after it."""
        earlier = {each.key for each in self.playbook.earlier(component.key)}
        results = {key: draft for key, draft in self.drafts.items() if key in earlier}
        ever = sorted((each for each in self.versions if each.component in earlier), key=lambda each: each.number)
        former = map_names(dict(version.data) for version in ever)
        later = {key: draft for key, draft in self.drafts.items() if key not in earlier and key != component.key}
        own = self.drafts.get(component.key, {})
        suggested = {key: self.newest[key].suggested for key in self.drafts}
        numbers = {key: self.newest[key].number for key in results}
        return DecisionRecord(
            results, self.today, own, former=former, later=later, suggested=suggested, numbers=numbers
        )

    def build_told_record(self, component: Component, lead: Interview) -> DecisionRecord:
        """Return the same record with what the step's interview has to be told beside it."""
        so_far, steps = self.build_record(component), tuple(self._list_steps(component))
        return replace(so_far, question=lead.question, steps=steps, changes=self._list_changes(lead))

    def build_whole_record(self) -> DecisionRecord:
        """Return the newest results of all steps, without facts that nobody said."""
        told = {key: remove_claims(draft, self.newest[key].suggested) for key, draft in self.drafts.items()}
        return DecisionRecord(told, self.today, numbers={key: self.newest[key].number for key in told})

    def build_former_record(self, lead: Interview) -> DecisionRecord:
        """Return the results before this step as they were when it was made."""
        return self._build_record_of(self.playbook[lead.component], _list_grounds(lead))

    def _build_record_of(self, component: Component, based_on: Mapping[str, int]) -> DecisionRecord:
        then = [each for each in self.versions if each.number <= based_on.get(each.component, 0)]
        return replace(self, versions=then).build_record(component)

    def describe_grounds(self, lead: Interview) -> dict[str, tuple[str, ...]]:
        """Return what has changed in each step that this one builds on, in a few words by its title."""
        told = dict[str, tuple[str, ...]]()
        for each, both in self._pair(lead):
            if lead.component in each.concerns:
                before, after = (build_draft(each, dict(one.data), self._handles) for one in both)
                was = both[0].based_on
                former = self._build_record_of(each, was) if was else None
                so_far = self.build_record(each)
                told[each.title] = describe_changes(before, after, so_far, former, is_elsewhere=True)
        return told

    def _list_steps(self, component: Component) -> Iterable[StandingStep]:
        """Yield the earlier steps that are approved, in a few words where nothing else tells what they found."""
        for each in self.playbook.earlier(component.key):
            if each.key in self.drafts:
                is_told = each.key in TOLD or bool(sheets.list_sources(each))
                gist = "" if is_told else sheets.write_gist(each, self.drafts[each.key], self.build_record(each))
                yield StandingStep(each.title, self.newest[each.key].number, gist, self._is_outdated(each))

    def list_outdated(self, component: Component) -> tuple[str, ...]:
        """Return the earlier components whose result may need another look."""
        earlier = (each for each in self.playbook.earlier(component.key) if each.key in self.drafts)
        return tuple(each.key for each in earlier if self._is_outdated(each))

    def _is_outdated(self, component: Component) -> bool:
        """Return True if a step that this one builds on is newer than when its result was made or left as it is."""
        newest = self.newest
        made_with = {**newest[component.key].based_on, **self.looked_at.get(component.key, {})}
        grounds = (each for each in self.playbook.earlier(component.key) if component.key in each.concerns)
        return any(each.key in newest and made_with.get(each.key, 0) < newest[each.key].number for each in grounds)

    def _list_changes(self, lead: Interview) -> tuple[str, ...]:
        """Return what has changed in earlier steps since this one was approved, or last put together."""
        found = list[str]()
        for each, both in self._pair(lead):
            before, after = (
                mark_claims(build_draft(each, dict(one.data), self._handles), one.suggested) for one in both
            )
            found += list_changes(each, before, after, (both[0].number, both[1].number))
        return tuple(found)

    def _pair(self, lead: Interview) -> Iterator[tuple[Component, tuple[Version, Version]]]:
        """Yield each earlier step with its version that this one was made with and its newest one, if they differ."""
        base = _list_grounds(lead)
        for each in self.playbook.earlier(lead.component):
            at = (each.key, base.get(each.key))
            was = next((one for one in self.versions if (one.component, one.number) == at), None)
            if was and self.newest[each.key].number > was.number:
                yield each, (was, self.newest[each.key])


def _list_grounds(lead: Interview) -> Mapping[str, int]:
    """Return the version of each earlier step that this one was made with."""
    return lead.based_on or (lead.drafted.based_on if lead.drafted else {})
