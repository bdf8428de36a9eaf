"""Basis on which the drafts of a step are judged: the results before it, and what people said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from app.core.conversation.conversation import Message
from app.core.file_content import FileText
from app.core.state.interview import FileTrace, HeldDraft, Interview, JudgedDraft
from app.core.state.sheet import Sheet
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.dated_notes import DATES, hold_notes
from app.decision.drafts.draft import BY_HAND, Accepted, find_left_behind, find_unproven, read, refresh_draft
from app.decision.drafts.quote_sources import (
    Quotable,
    Sources,
    list_approved_texts,
    list_quotes,
    list_texts,
    remove_false_quotes,
)
from app.decision.layout import sheets
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.handles import find_highest
from app.decision.schema.paths import Draft, read_name, walk_objects
from app.decision.tracing.draft_files import DraftFiles
from app.decision.tracing.file_passages import FilePassages
from app.decision.tracing.file_traces import find_traces
from app.decision.tracing.message_uses import find_misplaced, find_unheard
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import find_unwatched, list_approved, list_figures, trace_figures
from app.decision.tracing.unsaid_claims import (
    find_unsaid_claims,
    leave_out_approved,
    list_known_doubts,
    list_known_people,
    list_new_words,
    remove_claims,
)
from app.decision.tracing.weekdays import find_wrong_weekdays


@dataclass(frozen=True)
class StepContext:
    """The basis of one step: all results approved before it, with the versions they come from."""

    component: Component
    so_far: DecisionRecord
    based_on: Mapping[str, int]
    said: tuple[str, ...] = ()
    """People's messages in its thread."""
    sources: Sources = field(default_factory=lambda: Sources(()))
    statements: tuple[Statement, ...] | None = None
    """All that people said in the decision, and what they vouched for; only of a full context."""
    checked: tuple[Mapping[str, Any], ...] = ()
    """Drafts whose texts stay as they are: they were judged before, or a person wrote them."""
    shown: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The draft shown last, or else the approved version; empty if there is neither."""
    former: DecisionRecord | None = None
    """The results when the draft was made; None if they are the same."""
    topics: frozenset[str] = frozenset()
    """What remarks on the step's cards have asked about."""
    waiting: frozenset[str] = frozenset()
    """What those on the card that waits for approval ask about: nobody has answered it yet."""
    others: tuple[Message, ...] = ()
    """Messages in its thread by others than the owner; only of a full context."""
    files: tuple[FileText, ...] = ()
    """What was read of files in the decision; only of a full context."""
    draft_files: DraftFiles | None = None
    """The files from which alone the draft is made, if it is; only of a full context."""

    @cached_property
    def figures(self) -> SaidFigures:
        """Return the numbers and dates that were said, or that a file or an approved result holds. It can take long."""
        return SaidFigures.of(self._list_told(), self._passages.figures)

    @cached_property
    def _told(self) -> SaidFigures:
        return SaidFigures.of(self._list_told())

    def _list_told(self) -> Iterator[Statement]:
        """Yield what people said, and approved results."""
        yield from self.statements or ()
        yield from list_approved(self.so_far)

    @cached_property
    def _passages(self) -> FilePassages:
        return FilePassages.of(self.files)

    @cached_property
    def quotable(self) -> Quotable:
        """Return what texts may quote: what was said in the decision, approved results, and what was checked.

        Facts that nobody said are not among it. It can take long.
        """
        statements = self.statements or ()
        approved, heard = list_approved_texts(self.component, self.so_far), self._list_quotable(statements)
        checked = (remove_claims(each, self.find_suggested(dict(each), heard)) for each in self.checked)
        said = (*self.sources.said, *(each.text for each in statements), self.so_far.question)
        return Quotable((*said, *approved, *list_texts(*checked)), self.sources.people)

    def _list_quotable(self, statements: Iterable[Statement]) -> list[str]:
        """Return the texts that a quote can be from: messages, and quotes in approved results."""
        approved = (*self.so_far.results.values(), self.so_far.before)
        return [*self.said, *(each.text for each in statements), *(each["quote"] for each in list_quotes(approved))]

    def remember_topics(self, lead: Interview, *, is_complete: bool) -> StepContext:
        """Return the context in which no remark asks anew what the step's cards have asked about."""
        waiting = lead.drafted.topics if lead.drafted and not is_complete else ()
        return replace(self, topics=frozenset(lead.topics), waiting=frozenset(waiting))

    def judge(self, accepted: Accepted) -> JudgedDraft:
        """Return the remarks on a valid draft with the draft. It can take long."""
        component, draft = self.component, self.sources.trace(accepted.draft)
        said: Sequence[str] = self.said
        if self.statements is not None:
            said = self._list_quotable(self.statements)
            draft = self.quotable.unquote_draft(remove_false_quotes(draft, said))
        traces, alone = self._trace(draft) if self.files else (), self.draft_files
        strangers = alone.find_strangers(draft, self.so_far) if alone else ()
        is_edited = bool(self.checked) and self.checked[-1] is accepted.draft
        suggested = self.find_suggested(draft, said, is_edited=is_edited)
        doubtful = (*_leave_out_traced(self.find_unproven(draft, said), draft, traces), *suggested, *strangers)
        strange = alone.describe_strangers(strangers, draft) if alone else ()
        days = (*find_unwatched(draft, self.so_far), *find_wrong_weekdays(draft, self.statements or ()))
        misplaced = find_misplaced(draft, self.statements or (), self.so_far)
        asked = (*find_unheard(draft, self.others, self.topics), *misplaced, *days)
        found = (*strange, *asked, *accepted.remarks)
        remarks = [each for each in found if not each.topics or not self.topics.issuperset(each.topics)]
        traced = alone.trace_figures(draft, self.so_far) if alone else trace_figures(draft, self.figures, self.so_far)
        return JudgedDraft(
            draft=draft,
            sheet=self._lay_out(draft, doubtful),
            held=self._hold(draft, doubtful),
            missing=accepted.missing,
            remarks=tuple(remark.text for remark in remarks),
            topics=tuple(topic for remark in remarks for topic in remark.topics),
            blocked=accepted.blocked,
            based_on=self.based_on,
            changes=describe_changes(dict(self.shown), draft, self.so_far, self.former),
            gist=sheets.write_gist(component, draft, self.so_far),
            deadline=sheets.read_deadline(component, draft),
            question=sheets.read_question(component, draft),
            items=sheets.count_items(draft),
            handles=find_highest([draft]),
            unsaid=traced.unsaid,
            sums=traced.sums,
            traces=traces,
            suggested=suggested,
        )

    def _lay_out(self, draft: Draft, doubtful: Collection[str]) -> Sheet:
        whole = sheets.build_sheet(self.component, draft, self.so_far, doubtful)
        return sheets.recall(self.component, whole, self.so_far)

    def _hold(self, draft: Draft, doubtful: Collection[str]) -> HeldDraft | None:
        """Return the draft as its approval leaves it, if its card asks about notes on earlier ratings."""
        held = hold_notes(draft, self.so_far) if DATES in self.component.kept else draft
        return None if held is draft else HeldDraft(draft=held, sheet=self._lay_out(held, doubtful))

    def find_unproven(self, draft: Draft, said: Collection[str]) -> tuple[str, ...]:
        """Return the handles of items that neither people nor approved results have worded so."""
        return find_unproven(draft, said, list_approved_texts(self.component, self.so_far))

    def find_suggested(self, draft: Draft, said: Sequence[str], *, is_edited: bool = False) -> tuple[str, ...]:
        """Return the places of facts in a draft that nobody said. What a person has edited by hand is the person's."""
        by_hand = [
            each["handle"]
            for each in walk_objects(draft)
            if "handle" in each and any(quote.get("message_id") == BY_HAND for quote in each.get("evidence", ()))
        ]
        before = self.checked[0] if is_edited else None
        people = (*self.sources.people, *list_known_people(self.so_far))
        facts = (
            ()
            if self.draft_files
            else find_unsaid_claims(  # a file may hold them
                draft, said, before, people, list_known_doubts(self.so_far)
            )
        )
        approved = self.so_far.suggested.get(self.component.key, ())
        facts = leave_out_approved(draft, facts, self.so_far.before, approved)
        return tuple(each for each in facts if each.partition(".")[0] not in by_hand)

    def _trace(self, draft: Draft) -> tuple[FileTrace, ...]:
        if self.draft_files:
            return self.draft_files.find_traces(draft, self.so_far)
        return find_traces(draft, self._passages, self._told, self.said, self.so_far)

    def judge_submitted(self, accepted: Accepted) -> JudgedDraft:
        """Return the judgement of what the model submits: it tells what was noted and is not in it."""
        noted = dict(self.checked[0]) if self.checked else {}
        left = find_left_behind(noted, accepted.draft, dict(self.shown))
        return self.judge(replace(accepted, remarks=(*left, *accepted.remarks)))

    def judge_entered(self, accepted: Accepted, before: Draft) -> JudgedDraft:
        """Return the judgement of a draft that a person has changed by hand: what they entered counts as said."""
        words = list_new_words(accepted.draft, before)
        entered = (*sorted(list_figures(accepted.draft) - list_figures(before)), *words)
        heard = tuple(map(Statement, entered))
        known = replace(
            self,
            statements=(*(self.statements or ()), *heard),
            checked=(*self.checked, accepted.draft),
            topics=self.topics - self.waiting,
            draft_files=self.draft_files and self.draft_files.hear(*heard),
        )
        return replace(known.judge(accepted), entered=entered)

    def read(self, draft: Mapping[str, Any], before: Draft) -> JudgedDraft | None:
        """Return the judgement of a draft; None if it is invalid. It can take long."""
        found = read(self.component, dict(draft), self.so_far, before)
        return self.judge(found) if isinstance(found, Accepted) else None

    def refresh(self, draft: Draft) -> JudgedDraft:
        """Return the judgement of a draft that is first updated to the current results. It can take long."""
        known = replace(self, topics=self.topics - self.waiting)
        return known.judge(refresh_draft(self.component, draft, self.so_far))


def _leave_out_traced(handles: Iterable[str], draft: Draft, traces: Iterable[FileTrace]) -> Iterator[str]:
    """Yield the handles of the items whose names no file holds."""
    names = {each.text for each in traces if not each.about}
    traced = {each["handle"] for each in walk_objects(draft) if "handle" in each and read_name(each) in names}
    yield from (each for each in handles if each not in traced)
