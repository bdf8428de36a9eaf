"""Fields and items of a draft that came, went or were worded otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from app.core.copy import draft_changes, draft_editing
from app.core.text.labels import join_words
from app.decision.drafts.changes.item_names import FEW, ChangeNames
from app.decision.drafts.dated_notes import DATES
from app.decision.drafts.noting import remove_evidence
from app.decision.schema.days import format_day
from app.decision.schema.paths import Draft, find_value, find_values, is_list, is_object, omit, read_name, walk_objects
from app.decision.schema.similarity import measure_similarity
from app.decision.schema.terms import format_amount, name_element

BRIEF: Final = 30
"""Characters of a text up to which it is told beside the one it replaces."""
TOLD: Final = frozenset(
    {
        DATES,
        "table",
        "limit_checks",
        "dominated_alternatives",
        "irrelevant_objectives",
        "practical_dominance",
        "tensions",
        "headline_conflict",
        "standout_option",
        "decision_hierarchy",
    }
)
"""Fields that are computed, copied, or compared in another way."""

SWINGS: Final = "swing_weights"
SCORE: Final = "score"
"""The field of an element of quality, which has a name and no handle."""
FRAME: Final = ("alternative_ids", "objective_ids")

_FIGURE: Final = re.compile(r"(?<!\w)\d+(?:[.,:'’-]\d+)*")
"""The digits of a handle are none."""

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")

_HANDLE: Final = re.compile(r"[A-Z]{1,2}\d{1,3}")

SAME_SUBJECT: Final = 0.5
"""Share of words from which on one text of a list stands for another one, and its figures for the other's."""


def compare_wording(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield what came, went or changed, each kind once: the first fields outside of items, then the first items."""
    fields, items = dict(_compare_fields(*_leave_lapsed(before, after))), dict(_compare_items(before, after, names))
    for form in dict.fromkeys((*fields, *items)):
        found = (fields.get(form, []), items.get(form, []))
        first = [each for some in found for each in some[:FEW]]
        yield form.format(items=join_words([*first, *(each for some in found for each in some[FEW:])], len(first)))


def compare_lists(before: Draft, after: Draft) -> Iterator[str]:
    """Yield the names of the fields that changed, lists of what has no handle among them.

    Which options and objectives a table has is told as a change of the steps that they are from.
    """
    was, now = (_leave_frame(remove_evidence(each)) for each in (before, after))
    if fields := _list_fields(was, now):
        yield draft_changes.CHANGED.format(items=fields)


def _leave_frame(draft: Draft) -> Draft:
    table = draft.get("table")
    return {**draft, "table": omit(table, *FRAME)} if is_object(table) else draft


def tell_lapsed(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield the objectives whose points have come to count for nothing, as they have another range now.

    The range is not known while ratings are missing, and of no interest where the objective is left out.
    """
    analysis = names.so_far.analyse_by(after)
    unranged = {*analysis.left_out, *(objective for _, objective in analysis.missing)} if analysis else set[str]()
    if lapsed := [each for each in _list_lapsed(before, after) if each not in unranged]:
        yield draft_changes.LAPSED.format(items=names.few(lapsed))


def _list_lapsed(before: Draft, after: Draft) -> list[str]:
    counted = [each["objective_id"] for each in find_values(before, f"{SWINGS}[]") if "points" in each]
    former = [each["objective_id"] for each in find_values(after, f"{SWINGS}[]") if "former" in each]
    return [each for each in former if each in counted]


def _leave_lapsed(before: Draft, after: Draft) -> Iterator[Draft]:
    """Yield both drafts without the points that lapsed between them, and without ranks, which follow from points."""
    lapsed = _list_lapsed(before, after)
    for draft in (before, after):
        rows = [each for each in find_values(draft, f"{SWINGS}[]") if each["objective_id"] not in lapsed]
        bare = [omit(row, "rank") for row in rows]
        yield {**draft, SWINGS: bare} if lapsed else draft


def _compare_fields(before: Draft, after: Draft) -> Iterator[tuple[str, list[str]]]:
    """Yield the fields outside of items that came, went or changed, by name. The server's notes are no change."""
    found = [*_find_single(remove_evidence(before), remove_evidence(after))]
    for form, kind in (
        (draft_changes.ADDED, (False, True)),
        (draft_changes.GONE, (True, False)),
        (draft_changes.CHANGED, (True, True)),
    ):
        fields = dict[str, list[str]]()
        for (outer, *inner), one, other in found:
            if (bool(one), bool(other)) == kind:
                told = _tell_values(([outer, *inner])[-1], one, other)
                names = [*map(draft_editing.name_field, inner)]
                name = draft_editing.name_field(outer)
                fields.setdefault(name if names else f"{name}{told}", []).extend(f"{each}{told}" for each in names)
        named = [f"{outer} ({join_words(inner, FEW)})" if inner else outer for outer, inner in fields.items()]
        if named:
            yield form, named


def _find_single(
    was: Mapping[str, Any], now: Mapping[str, Any], outer: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield the path, the former and the new value of each field that differs and holds no items."""
    for name in dict.fromkeys((*was, *now)):
        one, other, path = was.get(name), now.get(name), (*outer, name)
        if one == other or ".".join(path) in TOLD:
            continue
        if is_object(one or {}) and is_object(other or {}):
            yield from _find_single(one or {}, other or {}, path)
        elif not any("handle" in each for each in walk_objects([one, other])):
            yield path, one, other


def _compare_items(before: Draft, after: Draft, names: ChangeNames) -> Iterator[tuple[str, list[str]]]:
    was, now = _map_items(before), _map_items(after)
    both = [each for each in now if each in was and was[each] != now[each]]
    reworded = [each for each in both if read_name(was[each]) != read_name(now[each])]
    others = [f"{names.full(each)} ({_list_fields(was[each], now[each])})" for each in both if each not in reworded]
    for form, named in (
        (draft_changes.ADDED, [names.full(each) for each in now if each not in was]),
        (draft_changes.GONE, [names.short(each) for each in was if each not in now]),
        (
            draft_changes.REWORDED,
            [f"{names.full(each)}{_describe_rewording(was[each], now[each])}" for each in reworded],
        ),
        (draft_changes.CHANGED, others),
    ):
        if named:
            yield form, named


def _describe_rewording(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return in brackets the figures of other words, and the fields that came or went; empty if there are none."""
    moved = [
        draft_editing.name_change(each, was.get(each), now.get(each))
        for each in (*was, *now)
        if (each in was) != (each in now)
    ]
    figures = _tell_figures(read_name(was), read_name(now))
    return figures + (draft_changes.IN_BRACKETS.format(fields=join_words(moved, FEW)) if moved else "")


def _list_fields(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the first fields that changed by name, those inside of others as well."""
    return join_words(dict.fromkeys(_find_fields(was, now)), FEW)


def _tell_values(name: str, one: Any, other: Any) -> str:
    """Return in brackets the figures that others stand for now or, of two short texts in a field, both."""
    texts = [draft_editing.CHOICES.get(each, each) for each in (one, other) if isinstance(each, str)]
    is_short = len(texts) == 2 and all(0 < len(each) <= BRIEF for each in texts) and not name.endswith("_id")
    brief = draft_changes.FIGURES.format(now=texts[1], was=texts[0]) if is_short else ""
    return _tell_figures(one, other) or brief


def _tell_figures(one: Any, other: Any) -> str:
    """Return in brackets the figures that others stand for now, such as *(2,100 instead of 1,900)*; empty if none.

    Of lists these are the figures of the one text that was reworded. A handle stands for itself.
    """
    if is_list(one) and is_list(other):
        gone, new = ([each for each in some if each not in rest] for some, rest in ((one, other), (other, one)))
        if told := _tell_named(gone, new):
            return draft_changes.IN_BRACKETS.format(fields=told)
        texts = [_read_text(each) for each in (*gone, *new)]
        is_one = len(gone) == len(new) == 1 and measure_similarity(*texts) >= SAME_SUBJECT
        return _tell_figures(*texts) if is_one else ""
    was, now = (_list_figures(_read_text(each)) for each in (one, other))
    gone, new = [each for each in was if each not in now], [each for each in now if each not in was]
    told, before = (join_words(map(_tell_figure, some)) for some in (new, gone))
    return draft_changes.FIGURES.format(now=told, was=before) if gone and new else ""


def _tell_named(gone: Sequence[Any], new: Sequence[Any]) -> str:
    """Return the first elements of quality whose score is another one, with both scores; empty of anything else."""
    was = {each["name"]: each for each in gone if is_object(each) and SCORE in each}
    both = [(was[each["name"]], each) for each in new if is_object(each) and SCORE in each and each["name"] in was]
    told = (f"{name_element(other['name'])}{_tell_figures(one[SCORE], other[SCORE])}" for one, other in both)
    return join_words(told, FEW)


def _tell_figure(figure: str) -> str:
    """Return a figure as people write it: a field holds days as 2027-01-31."""
    return format_day(figure) if _DAY.fullmatch(figure) else figure


def _list_figures(text: str) -> list[str]:
    return [text] if _HANDLE.fullmatch(text) else _FIGURE.findall(text)


def _read_text(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return format_amount(value) if is_number else value if isinstance(value, str) else ""


def _find_fields(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that differ by name, with the figures that changed in them."""
    for name in dict.fromkeys((*was, *now)):
        one, other = was.get(name), now.get(name)
        if name == DATES or one == other:
            continue
        if is_object(one) and is_object(other):
            yield from _find_fields(one, other)
        else:
            yield f"{draft_editing.name_change(name, one, other)}{_tell_values(name, one, other)}"


def _map_items(draft: Draft) -> dict[str, Mapping[str, Any]]:
    """Return the items by handle, without where they were said and who said them: a further quote is no change.

    The decision that is framed is no item beside its own statement.
    """
    framed = find_value(draft, "decision_hierarchy.focal.handle")
    return {
        each["handle"]: omit(each, "evidence", "origin")
        for each in walk_objects(draft)
        if each.get("handle") not in (None, framed)
    }
