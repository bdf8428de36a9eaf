"""Single changes of a draft, each checked before it is applied: an item, a correction, a rating.

A change is refused for an error in it, never for a gap. Handles are given here, once each. When an item is removed, all
references to it are removed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final, cast

from app.core.text.labels import shorten
from app.core.text.untrusted import clean
from app.decision.drafts.computed_tradeoffs import add_dispute, add_range
from app.decision.drafts.dated_notes import DATES, hold_notes
from app.decision.drafts.derived import resolve_aliases
from app.decision.drafts.draft import Rejected, tidy
from app.decision.drafts.noting import begin_draft
from app.decision.drafts.rating_edits import CHOSEN
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED
from app.decision.rules.rating_rules import amounts_of_before, measures_agree, units_agree
from app.decision.rules.tradeoff_rules import DOMINATED, DROPPED, LISTS, even_swaps, find_misplaced
from app.decision.schema.component import Component, find_subschema
from app.decision.schema.corrections import (
    CORRECTIONS,
    WORDS,
    add_quotes,
    drop_correction,
    find_fact,
    find_lost_quotes,
    write_correction,
)
from app.decision.schema.findings import Issue, IssueKind, select_issues, select_remarks
from app.decision.schema.handles import find_dangling, find_next_handle, list_handles, prune
from app.decision.schema.outline import (
    GIVEN_FOR,
    find_element,
    find_words_field,
    holds_quotes,
    is_text,
    label_item,
    list_fields,
    list_lists,
)
from app.decision.schema.paths import (
    Draft,
    find_value,
    find_values,
    flatten,
    get_list,
    is_list,
    is_object,
    merge,
    nest,
    omit,
    read_name,
)
from app.decision.schema.similarity import measure_similarity, normalize, suggest_name
from app.decision.schema.validation import find_schema_issues

CELLS: Final = "table.cells"
SWINGS: Final = "swing_weights"
SWAPS: Final = "even_swaps"

QUESTIONS: Final = 3
"""Questions about the ratings on one objective that are asked at once."""

NEAREST: Final = 5
"""Items that a refusal names."""
CORRECTED_HERE: Final = "an item of this step: if it no longer holds, change_item it to what holds, as they said it"
NOTHING_CHANGED: Final = "names nothing that is noted, so nothing was changed"

_JUDGED: Final = ("rating", "rationale", "uncertainty", "rating_range")
"""Fields of a rating that the next rating replaces; measured amounts stay."""
_OF_TODAY: Final = frozenset({"quant_value", "rating_range", "in_a_year"})
"""Fields that make a rating of the status quo worth a note: its zeros are written by the server."""
_SERVERS: Final = ("handle", "evidence")
"""Fields of an item that only the server writes."""
_CORRECTION: Final = "people's correction; the earlier step stays as approved"
_TOO_FEW: Final = "too few"
"""The one problem of a value that more conversation will solve."""


@dataclass(frozen=True, slots=True)
class DraftChange:
    """A draft after a change. `name` identifies the item now; `loose` are the references that were removed.

    `altered` are the given values that were noted in another form, by field, with None for those left out. `item` is
    the item as it stands now, if one was noted.
    """

    draft: Draft
    name: str
    loose: tuple[str, ...] = ()
    altered: Mapping[str, Any] = field(default_factory=dict[str, Any])
    item: Any = None


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Position of an item."""

    path: str
    index: int

    @property
    def place(self) -> str:
        """Return the path of the item, as issues write it."""
        return f"{self.path}.{self.index}"


@dataclass(frozen=True, slots=True)
class ItemAddress:
    """Reference to an item: its name, and its list if the name is ambiguous."""

    name: str
    path: str = ""


@dataclass(frozen=True)
class DraftEditor:
    """Editor for drafts of a component. It never modifies the draft it is given.

    The input is cleaned first. Input that is nested too deep raises `ExtractionError`.
    """

    component: Component
    so_far: DecisionRecord
    spent: frozenset[str] = frozenset()
    """Handles given in earlier drafts; none is given again."""

    @cached_property
    def lists(self) -> tuple[str, ...]:
        """Return the paths of the lists that take single changes."""
        return list_lists(self.component)

    def note(
        self, draft: Mapping[str, Any], path: str, given: Mapping[str, Any], quote: str = ""
    ) -> DraftChange | Rejected:
        """Add an item to a list.

        If the list has no handles, a second statement on the same thing is merged into the first: it is then about what
        both refer to.
        """
        if path not in self.lists:
            return _reject("list", f"one of {', '.join(self.lists)}", "no such list")
        after = begin_draft(self.component, draft)
        listed, item = get_list(after, path), self._item(after, path, {}, given, quote)
        if self._is_keyed(path):
            for same in [each for each in listed if self._key(path, each) == self._key(path, item)]:
                listed.remove(same)
                whole = {**given, **self._join_references(path, same, given)}
                item = self._item(after, path, same, whole, quote)
        wanted = given.get("handle", "")
        added = self._add(after, path, item, wanted if wanted in self.so_far.handles else "")
        return self._compare_item(path, {**given, **self._find_lost_quote(path, quote)}, item, added)

    def change(
        self, draft: Mapping[str, Any], at: ItemAddress, given: Mapping[str, Any], quote: str = ""
    ) -> DraftChange | Rejected:
        """Change an item. Null removes a field; fields that are not given stay.

        Of a fact that an earlier step has approved, what people say instead is noted here.
        """
        after = begin_draft(self.component, draft)
        if fact := self._find_fact(at):
            return self._correct(after, fact, given, quote)
        found = self._find(after, at)
        if isinstance(found, Rejected):
            return found
        if odd := self._list_unknown_nulls(found, given):
            return Rejected(odd)
        listed = get_list(after, found.path)
        was = listed[found.index]
        listed[found.index] = self._item(after, found.path, was, given, quote)
        lost = {**self._find_lost_quote(found.path, quote), **find_lost_quotes(was, listed[found.index])}
        return self._compare_item(found.path, {**given, **lost}, listed[found.index], self._check(after, found))

    def move(
        self, draft: Mapping[str, Any], at: ItemAddress, to: str, given: Mapping[str, Any]
    ) -> DraftChange | Rejected:
        """Move an item to another list, without the fields that the list does not have.

        `given` adds fields that it needs.
        """
        after = begin_draft(self.component, draft)
        found = self._find(after, at)
        if isinstance(found, Rejected):
            return found
        words = find_words_field(self.component, to) if to in self.lists else ""
        if not words or to == found.path:
            return _reject("to", "another list, of items that have words", "cannot be moved there")
        item = get_list(after, found.path).pop(found.index)
        held = item if is_object(item) else {}
        known = find_element(self.component, to).get("properties", ())
        carried = {name: each for name, each in held.items() if name in known and name != "handle"}
        if said := read_name(held) if held else item:
            carried[words] = said
        put = self._item(after, to, carried, given)
        moved = self._add(after, to, put, held.get("handle", ""))
        if isinstance(moved, DraftChange):
            moved = self._prune(moved.draft, moved.name)
        kept = {name: each for name, each in held.items() if name not in _SERVERS and each != said}
        return self._compare_item(to, {**kept, **given}, put, moved)

    def drop(self, draft: Mapping[str, Any], at: ItemAddress) -> DraftChange | Rejected:
        """Remove an item, and all references to it; of an earlier fact what was said here instead."""
        after = begin_draft(self.component, draft)
        if at.name.upper() in find_values(after, f"{CORRECTIONS}[].handle"):
            return DraftChange(drop_correction(after, at.name.upper()), at.name)
        found = self._find(after, at)
        if isinstance(found, Rejected):
            return found
        del get_list(after, found.path)[found.index]
        return self._prune(after, at.name)

    def rate(self, draft: Mapping[str, Any], cell: Mapping[str, Any]) -> DraftChange | Rejected:
        """Rate an option on an objective, in place of the former rating."""
        after = begin_draft(self.component, draft)
        for former in find_values(after, f"{CELLS}[]"):
            if self._key(CELLS, former) == self._key(CELLS, cell):
                suggested = ("origin",) if former.get("origin") == SUGGESTED else ()
                for name in (*_JUDGED, *suggested):
                    former.pop(name, None)
        return self.note(after, CELLS, cell)

    def list_left(self, draft: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the options that are compared by the verdicts of a draft; empty if the step takes no verdicts."""
        found = self.so_far.analyse_by(dict(draft)) if DROPPED in self.lists else None
        return found.compared if found else ()

    def question_ratings(self, draft: Mapping[str, Any], objective: str) -> tuple[str, ...]:
        """Return questions about ratings on an objective against which their amounts speak, `QUESTIONS` at most.

        An amount that was given for a former rating is asked about as well.
        """
        cells = [each for each in find_values(draft, f"{CELLS}[]") if each["objective_id"] == objective]
        alone = {**draft, "table": {**draft.get("table", {}), "cells": cells}}
        found = chain.from_iterable(ask(alone, self.so_far) for ask in (amounts_of_before, measures_agree, units_agree))
        return tuple(each.text for each in select_remarks(tuple(found)))[:QUESTIONS]

    def fill(self, draft: Mapping[str, Any], given: Mapping[str, Any]) -> DraftChange | Rejected:
        """Set fields at their paths; null removes a field, or a whole object."""
        known = list_fields(self.component)
        data = dict(flatten(cast("dict[str, Any]", clean(dict(given))), known))
        if not data:
            return _reject("fields", f"one of {', '.join(known)}", "cannot be set here")
        if odd := [path for path in data if path not in known]:
            return Rejected(tuple(self._name_odd(path, known) for path in odd))
        whole = merge(begin_draft(self.component, draft), nest(data))
        after = begin_draft(self.component, resolve_aliases(self.component, tidy(whole)))
        wrong = [each for path in data for each in self._wrong(after, path) if not _is_lack(each)]
        if wrong:
            return Rejected(tuple(wrong))
        noted = {path: find_value(after, path) for path in data}
        return _compare(data, noted, DraftChange(self._hold(after, noted), ", ".join(data)))

    def _find_fact(self, at: ItemAddress) -> Mapping[str, Any] | None:
        """Return the approved fact of an earlier step that is meant; None if it is not one, or nothing may be noted."""
        may_correct = CORRECTIONS in self.component.kept
        return find_fact(self.so_far.results, at.name.upper()) if may_correct else None

    def _correct(
        self, after: Draft, fact: Mapping[str, Any], given: Mapping[str, Any], quote: str
    ) -> DraftChange | Rejected:
        """Note what people say instead of an earlier fact."""
        if odd := [name for name in given if name != WORDS]:
            return Rejected(tuple(Issue(each, f"did you mean `{WORDS}`?", kind=IssueKind.UNKNOWN) for each in odd))
        said = cast("dict[str, Any]", tidy(clean(dict(given))))
        quotes = [str(tidy(clean(quote)))] if quote else []
        noted = write_correction(after, fact, said, self.component.title, quotes)
        spot = ItemPlace(CORRECTIONS, len(noted[CORRECTIONS]) - 1)
        if wrong := self._wrong(noted, spot.place):
            return Rejected(tuple(_relate_issue(each, spot.place) for each in wrong))
        return DraftChange(noted, fact["handle"], altered={"item": _CORRECTION}, item=noted[CORRECTIONS][-1])

    def _find_lost_quote(self, path: str, quote: str) -> dict[str, str]:
        """Return the quote if items of the list hold none, and those of another do: else the tool itself tells that."""
        kept = [holds_quotes(self.component, each) for each in self.lists]
        return {} if holds_quotes(self.component, path) or not any(kept) else {"quote": quote}

    def _compare_item(
        self, path: str, given: Mapping[str, Any], item: Any, made: DraftChange | Rejected
    ) -> DraftChange | Rejected:
        """Return the change of an item with what was noted otherwise than it was given, its handle as well."""
        if isinstance(made, Rejected) or f"{path}[]" not in self.component.handles:
            return _compare(given, item, made)
        return _compare(given, {**item, "handle": made.name}, made)

    def _join_references(self, path: str, same: Mapping[str, Any], given: Mapping[str, Any]) -> Draft:
        """Return the lists of references of two statements on the same thing in one."""
        names = [name for name in given if f"{path}[].{name}[]" in self.component.references]
        lists = {name: (*same.get(name, ()), *given[name]) for name in names if is_list(given[name])}
        return {name: [*dict.fromkeys(each)] for name, each in lists.items()}

    def _is_keyed(self, path: str) -> bool:
        """Return True if the items of the list are identified by their references instead of handles."""
        return f"{path}[]" not in self.component.handles and not is_text(self.component, path)

    def _item(self, draft: Draft, path: str, old: Any, given: Mapping[str, Any], quote: str = "") -> Any:
        """Return the item with the given fields, cleaned, in the form of its list."""
        data = clean(omit(given, *_SERVERS))
        item = tidy(merge(old if is_object(old) else {}, cast("dict[str, Any]", data)))
        if path == CELLS and item.get("origin") == CHOSEN and not {"origin", *_JUDGED}.isdisjoint(given):
            del item["origin"]  # a rating given in words is no longer one chosen in a window
        if path == CELLS and "quant_value" not in item:
            item.pop("amount_for", None)
        if path == SWINGS and "points" in given:
            item = add_range(item, draft, self.so_far)
        if path == DOMINATED and "user_verdict" in given:
            item = add_dispute(item, draft, self.so_far)
        if is_text(self.component, path):
            return item.get("text", "")
        if holds_quotes(self.component, path):
            item = add_quotes(item, old if is_object(old) else {}, [str(tidy(clean(quote)))] if quote else [])
        return find_value(resolve_aliases(self.component, nest({path: [item]})), path)[0]

    def _add(self, after: Draft, path: str, item: Any, handle: str) -> DraftChange | Rejected:
        listed = get_list(after, path)
        if prefix := self.component.handles.get(f"{path}[]"):
            listed.append({"handle": self._handle(after, prefix, handle), **item})
        else:
            listed.append(item)
        return self._check(after, ItemPlace(path, len(listed) - 1))

    def _handle(self, after: Draft, prefix: str, wanted: str) -> str:
        """Return the next unused handle, or the wanted one.

        An item keeps its handle, which may come from an earlier step.
        """
        own = list_handles([after])
        if wanted.rstrip("0123456789") == prefix and wanted not in own:
            return wanted
        return find_next_handle(prefix, [*own, *self.so_far.given, *self.spent])

    def _key(self, path: str, item: Any) -> str:
        """Return the identity of an item in its list: its references, or its words."""
        bare = omit(item, "handle") if is_object(item) else item
        return normalize(label_item(self.component, path, bare))

    def _find(self, draft: Draft, at: ItemAddress) -> ItemPlace | Rejected:
        items = [
            (ItemPlace(path, index), label_item(self.component, path, item), read_name(item) if is_object(item) else "")
            for path in self.lists
            if at.path in ("", path)
            for index, item in enumerate(find_value(draft, path) or ())
        ]
        spots = [spot for spot, label, _ in items if normalize(label) == normalize(at.name)]
        spots = spots or [spot for spot, _, words in items if words and normalize(words) == normalize(at.name)]
        spots = [spot for spot in spots if not self._is_keyed(spot.path)] or spots  # the item itself first
        if not spots:
            noted = [f"{label} {words}".strip() for _, label, words in items if words != label]
            return self._reject_unknown("" if at.path else at.name.upper(), _list_nearest(at.name, noted))
        if len(spots) > 1:
            return _reject("list", f"one of {', '.join(spot.path for spot in spots)}", "stands in several lists")
        return spots[0]

    def _reject_unknown(self, handle: str, noted: Sequence[str]) -> Rejected:
        """Return the refusal of what is not noted here, with the items that are.

        Of an earlier step's item it says where that can be changed.
        """
        steps = [key for key, found in self.so_far.results.items() if handle in list_handles([found])]
        if not steps:
            meant = f"one of {'; '.join(noted)}" if noted else "the handle of an item, or its words where it has none"
            return _reject("item", meant, NOTHING_CHANGED)
        ways = [f"discuss {steps[0].replace('_', ' ').capitalize()} again to change it"]
        if self._find_fact(ItemAddress(handle)):
            return _reject("item", CORRECTED_HERE, "is of an earlier step")
        if handle in self.so_far.alternatives:
            here = DROPPED in self.lists
            ways += [f"note it in {DROPPED} here" if here else "leave it out of the choice in Tradeoffs, not here"]
        return _reject("item", f"an item of this step: people can {', or '.join(ways)}", "is of an earlier step")

    def _check(self, after: Draft, spot: ItemPlace) -> DraftChange | Rejected:
        """Return the draft if the item has its required references or its words, and no errors."""
        item = get_list(after, spot.path)[spot.index]
        if self._is_keyed(spot.path):
            vital = tuple(find_element(self.component, spot.path).get("required", ()))
        else:
            vital = (find_words_field(self.component, spot.path),)
        wrong = [
            each
            for each in self._wrong(after, spot.place, spot.path)
            if not _is_lack(each) or each.field.removeprefix(f"{spot.place}.") in vital
        ]
        wrong = wrong or list(self._unfit(after, spot))
        if wrong:
            return Rejected(tuple(self._name_issue(each, spot) for each in wrong))
        return DraftChange(self._hold(after, item), label_item(self.component, spot.path, item), item=item)

    def _hold(self, after: Draft, said: Any) -> Draft:
        """Return the draft in which what people say again on the table is written for its ratings of now."""
        if DATES not in self.component.kept:
            return after
        texts = said.values() if is_object(said) else [said]
        return hold_notes(after, self.so_far, [each for each in texts if isinstance(each, str)])

    def _name_odd(self, path: str, known: tuple[str, ...]) -> Issue:
        """Return the issue with a field that cannot be set, with the one that is probably meant."""
        if find_subschema(self.component.json_schema, [*path.split(".")]):
            return Issue(path, f"one of {', '.join(known)}", "cannot be set here")
        return Issue(path, suggest_name(path, known), kind=IssueKind.UNKNOWN)

    def _name_issue(self, issue: Issue, spot: ItemPlace) -> Issue:
        """Return the issue with its field relative to the item, and for an unknown field the one that is meant."""
        near = _relate_issue(issue, spot.place)
        if near.kind is not IssueKind.UNKNOWN or "." in near.field:
            return near
        fields = find_element(self.component, spot.path).get("properties", ())
        known = [name for name in fields if name not in (*_SERVERS, *GIVEN_FOR)]
        return replace(near, requirement=suggest_name(near.field, known, find_words_field(self.component, spot.path)))

    def _list_unknown_nulls(self, spot: ItemPlace, given: Mapping[str, Any]) -> tuple[Issue, ...]:
        """Return the issues with fields that are to be removed, and that no item of the list has."""
        known = {"text", *_SERVERS, *find_element(self.component, spot.path).get("properties", ())}
        odd = [name for name, each in given.items() if each is None and name not in known]
        issues = (Issue(f"{spot.place}.{name}", "", kind=IssueKind.UNKNOWN) for name in odd)
        return tuple(self._name_issue(each, spot) for each in issues)

    def _wrong(self, after: Draft, *at: str) -> list[Issue]:
        """Return the issues at these places or, for the first place, inside it.

        References are checked once the form is right.
        """
        found = find_schema_issues(self.component, after)
        if all(map(_is_lack, found)):
            found += find_dangling(self.component, after, self.so_far.handles)
        return [each for each in found if each.field in at or each.field.startswith(f"{at[0]}.")]

    def _unfit(self, after: Draft, spot: ItemPlace) -> Iterator[Issue]:
        """Yield the errors that a schema cannot express: duplicates, and ratings of the status quo."""
        listed = get_list(after, spot.path)
        item, key = listed[spot.index], self._key(spot.path, listed[spot.index])
        for index, other in enumerate(listed):
            if index != spot.index and self._key(spot.path, other) == key:
                there = label_item(self.component, spot.path, other)
                yield Issue("item", "something that is not in the list yet", f"stands there already, as {there}")
        if spot.path == SWAPS:
            found = select_issues(tuple(even_swaps(after, self.so_far)))
            yield from (each for each in found if each.field.startswith(f"{spot.place}."))
        if spot.path in LISTS:
            yield from find_misplaced(item, spot.path, after, self.so_far)
        is_todays = spot.path == CELLS and item["alternative_id"] == self.so_far.baseline
        if is_todays and (item["rating"] or _OF_TODAY.isdisjoint(item)):
            baseline = self.so_far.label(item["alternative_id"])
            yield Issue(
                "alternative_id", "another option, or 0 with an amount or a range", f"{baseline} is the status quo"
            )

    def _prune(self, after: Draft, name: str) -> DraftChange:
        draft, loose = prune(self.component, after, self.so_far.handles)
        return DraftChange(begin_draft(self.component, draft), name, loose)


def _list_nearest(name: str, noted: Iterable[str]) -> list[str]:
    """Return the items that a name may mean, the likeliest first, `NEAREST` at most."""
    likely = sorted(noted, key=lambda each: -measure_similarity(each, name))
    return [shorten(each) for each in likely[:NEAREST]]


def _reject(field: str, requirement: str, problem: str) -> Rejected:
    return Rejected((Issue(field, requirement, problem),))


def _compare(given: Mapping[str, Any], item: Any, made: DraftChange | Rejected) -> DraftChange | Rejected:
    """Return the change with what was noted otherwise than it was given."""
    if isinstance(made, Rejected):
        return made
    noted: Mapping[str, Any] = item if is_object(item) else {"text": item}
    other = {
        name: noted.get(name) for name, each in given.items() if each not in (None, "") and noted.get(name) != each
    }
    return replace(made, altered=other)


def _is_lack(issue: Issue) -> bool:
    """Return True if more conversation will solve the issue."""
    return issue.kind is IssueKind.MISSING or issue.problem == _TOO_FEW


def _relate_issue(issue: Issue, place: str) -> Issue:
    """Return the issue with its field relative to the item, as the caller of the change knows it."""
    inner = issue.field.removeprefix(place).lstrip(".")
    return replace(issue, field=inner or "text")
