"""What changed between two drafts of one step, in a few words for the card that is shown again. Pure.

Each draft is compared as it was computed at its time. Names are short, because the card below has them in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.copy import draft_changes, draft_editing
from app.core.copy.decision_steps import NOT_KNOWN
from app.core.text.cutting import cut, shorten_name
from app.core.text.labels import join_words
from app.decision.analysis.analysis import drop, leave_out
from app.decision.analysis.ratings import At, RatingTable
from app.decision.analysis.scores import compute_nets, compute_scores, find_leaders
from app.decision.analysis.standing.verdicts import Verdicts, list_dropped, list_left_out
from app.decision.drafts.dated_notes import DATES
from app.decision.drafts.noting import remove_evidence
from app.decision.record import DecisionRecord
from app.decision.rows import describe_amount, find_place, is_unknown, read_verdicts
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.paths import (
    Draft,
    find_value,
    find_values,
    is_list,
    is_object,
    map_names,
    read_name,
    walk_objects,
)
from app.decision.schema.similarity import measure_similarity
from app.decision.schema.terms import format_amount, format_signed

TOLD: Final = frozenset(
    {
        DATES,
        "table",
        "limit_checks",
        "dominated_alternatives",
        "irrelevant_objectives",
        "tensions",
        "headline_conflict",
        "standout_option",
        "decision_hierarchy",
    }
)
"""Fields that are computed, copied, or compared in another way."""

SWINGS: Final = "swing_weights"
GROUNDS: Final = ("rationale", "uncertainty", "rating_range")
"""Fields of a rating that say what it rests on, and how sure it is."""
FEW: Final = 2
"""Things of one kind that are named; more are counted."""
WORDING: Final = 90
"""Characters of a name that is new: its end may be what matters."""

_FIGURE: Final = re.compile(r"(?<!\w)\d+(?:[.,:'’-]\d+)*")
"""The digits of a handle are none."""
_HANDLE: Final = re.compile(r"[A-Z]{1,2}\d{1,3}")
SAME_SUBJECT: Final = 0.5
"""Share of words from which on one text of a list stands for another one, and its figures for the other's."""


def describe_changes(
    before: Draft, after: Draft, so_far: DecisionRecord, former: DecisionRecord | None = None
) -> tuple[str, ...]:
    """Return what changed, the most important first; empty if nothing did or there was no draft before.

    `former` holds the results that the draft `before` was made with, if they were others.
    """
    if not before or (before == after and not former):
        return ()
    names = _Names(before, after, so_far, former or so_far)
    found = (
        *_compare_leaders(before, after, names),
        *_tell_lapsed(before, after, names),
        *_compare_standouts(before, after, names),
        *(_compare_firmness(before, after, former, names) if former else ()),
        *_compare_status_quo(before, after, names),
        *_compare_dominated(before, after, names),
        *_compare_limits(before, after, names),
        *_compare_cells(before, after, names),
        *_compare_amounts(before, after, names),
        *_compare_wording(before, after, names),
    )
    return found or tuple(_compare_lists(before, after))


class _Names:
    """Short names of all items of both drafts and of the decision, with the results that each draft was made with."""

    def __init__(self, before: Draft, after: Draft, so_far: DecisionRecord, former: DecisionRecord) -> None:
        self._own, self.so_far, self.former = map_names([before, after]), so_far, former

    def short(self, handle: str) -> str:
        """Return the handle with its short name."""
        return f"{handle} {shorten_name(self._own.get(handle, '') or self.so_far.name(handle))}".strip()

    def full(self, handle: str) -> str:
        """Return the handle with its name, whole unless it is very long."""
        return f"{handle} {cut(self._own.get(handle, ''), WORDING)}".strip()

    def place(self, at: At) -> str:
        """Return the place of a rating by the short names of its option and objective."""
        return draft_changes.PLACE.format(option=self.short(at[0]), objective=self.short(at[1]))

    def few(self, handles: Iterable[str]) -> str:
        """Return the first items by name, and the number of the others."""
        return join_words(map(self.short, handles), FEW)


def _find_both_leaders(before: Draft, after: Draft, names: _Names) -> Iterator[tuple[str, ...]]:
    """Yield who led in the former draft and who leads now. Tradeoffs approved meanwhile have the same say in both."""
    tradeoffs = names.so_far.later.get("tradeoffs", {})
    for draft, record in ((before, names.former), (after, names.so_far)):
        yield _find_leaders(draft, record, tradeoffs)


def _find_leaders(draft: Draft, record: DecisionRecord, tradeoffs: Draft) -> tuple[str, ...]:
    """Return who leads on the plain sum, by the ratings or else by the sums of the draft; empty if that is unknown.

    Ratings count as these tradeoffs have them count. It is unknown, too, while an option that is set aside lacks one.
    """
    if find_values(draft, "table.cells[]"):
        table = record.table(draft)
        return _find_rated_leaders(table, read_verdicts(tradeoffs)) if table else ()
    found = record.analyse_by(draft)
    if found and found.missing:
        return ()
    left = [each for each in find_values(draft, "tensions[]") if not {"gains", "net_score"}.isdisjoint(each)]
    return find_leaders({each["alternative_id"]: each.get("net_score") for each in left})


def _find_rated_leaders(table: RatingTable, verdicts: Verdicts) -> tuple[str, ...]:
    counted = drop(leave_out(table, list_left_out(table, verdicts)), list_dropped(table, verdicts))
    return find_leaders(compute_nets(compute_scores(counted)))


def _is_lead_told(draft: Draft, so_far: DecisionRecord) -> bool:
    """Return True if people have seen who leads: a card of ratings does not say it before the tradeoffs have."""
    return not find_values(draft, "table.cells[]") or "tradeoffs" in so_far.later


def _compare_leaders(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = _find_both_leaders(before, after, names)
    if set(was) == set(now) or not _is_lead_told(before, names.so_far):
        return
    if not now:
        yield draft_changes.LEADS_NOT
    elif set(was) & set(now):
        yield from _compare_level(was, now, names)
    else:
        form = (draft_changes.LEAD_INSTEAD if was else draft_changes.LEAD_NOW)[len(now) > 1]
        yield form.format(items=names.few(now), other=names.few(was))


def _compare_level(was: tuple[str, ...], now: tuple[str, ...], names: _Names) -> Iterator[str]:
    """Yield who has joined those that go on leading, and who leads with them no more."""
    stayed = [each for each in now if each in was]
    fresh, gone = [each for each in now if each not in was], [each for each in was if each not in now]
    if fresh:
        yield draft_changes.LEVEL[len(fresh) > 1].format(items=names.few(fresh), other=names.few(stayed))
    if gone and len(now) == 1:
        yield draft_changes.LEAD_NOW[0].format(items=names.few(now))
    elif gone:
        yield draft_changes.LEVEL_NOT[len(gone) > 1].format(items=names.few(gone), other=names.few(stayed))


def _compare_standouts(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = (find_value(draft, "standout_option.alternative_id") for draft in (before, after))
    if now and now != was:
        yield draft_changes.STANDS_OUT.format(one=names.short(now))
    elif was and not now:
        yield draft_changes.STANDS_OUT_NOT.format(one=names.short(was))


def _compare_firmness(before: Draft, after: Draft, former: DecisionRecord, names: _Names) -> Iterator[str]:
    """Yield who comes first most often over what people call possible, if it did not before and does not lead anew."""
    if not find_values(after, "tensions[]"):
        return
    records = ((before, former), (after, names.so_far))
    was, now = (found.most_often if (found := record.firmness_by(draft)) else "" for draft, record in records)
    led, leads = _find_both_leaders(before, after, names)
    if was and now and was != now and (now in led or now not in leads):
        yield draft_changes.COMES_FIRST.format(one=names.short(now), other=names.short(was))


def _compare_dominated(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield who can be set aside now, who is in again, and whom people kept beside another one than now."""
    told_kept = dict(_tell_kept(before, after, names))
    was, now = _list_aside(before, names.former), _list_aside(after, names.so_far)
    former = names.former.analyse_by(before)
    counted = names.so_far.map_counted(after)
    back_in = [each for each in counted if former and each in former.dropped]
    yield from (draft_changes.COUNTED_ZERO.format(one=names.short(each)) for each in back_in if counted[each])
    if others := [each for each in back_in if not counted[each]]:
        yield draft_changes.COUNTED[len(others) > 1].format(items=names.few(others))
    if fresh := [each for each in now if each not in (*was, *told_kept, *back_in)]:
        yield draft_changes.SET_ASIDE.format(items=names.few(fresh))
    analysis = names.so_far.analyse_by(after)
    out = (*now, *analysis.dropped, *analysis.given_up) if analysis else now
    if back := [each for each in was if each not in out and each in names.so_far.alternatives]:
        yield draft_changes.BACK[len(back) > 1].format(items=names.few(back))
    yield from told_kept.values()


def _compare_status_quo(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield that the status quo is beaten or no longer so. It is never set aside, so it is told of apart."""
    today = names.so_far.compared_with
    was, now = (
        any(each["alternative_id"] == today for each in _list_beaten(draft, record))
        for draft, record in ((before, names.former), (after, names.so_far))
    )
    if today and was != now:
        yield (draft_changes.BEATEN if now else draft_changes.BEATEN_NOT).format(one=names.short(today))


def _list_aside(draft: Draft, record: DecisionRecord) -> list[str]:
    """Return the dominated options that the draft's sheet lists as set aside: neither the status quo nor a kept one."""
    beaten = [each for each in _list_beaten(draft, record) if each.get("user_verdict") != "keep"]
    return [each["alternative_id"] for each in beaten if each["alternative_id"] != record.compared_with]


def _list_beaten(draft: Draft, record: DecisionRecord) -> list[Mapping[str, Any]]:
    """Return the findings on dominated options, without those that people have to decide first.

    These are the ones that amounts speak for, and the ones that depend on what another option counts on.
    """
    analysis = record.analyse_by(draft)
    conditional = analysis.dominance.conditional if analysis else ()
    return [
        each
        for each in _list_found(draft)
        if each["alternative_id"] not in conditional
        and (not each.get("disputed_on") or each.get("user_verdict") == "set_aside")
    ]


def _tell_kept(before: Draft, after: Draft, names: _Names) -> Iterator[tuple[str, str]]:
    """Yield each option that people kept beside another one than the one that dominates it now, and what to tell."""
    kept, open_now = _map_dominators(before, "keep"), _map_dominators(after, None)
    analysis = names.so_far.analyse_by(after)
    undominated = (
        {*analysis.dominance.left} - {each["alternative_id"] for each in _list_found(after)} if analysis else ()
    )
    for option, former in kept.items():
        one, other = names.short(option), open_now.get(option, former)
        if other != former:
            yield option, draft_changes.KEPT.format(one=one, other=names.short(other), former=names.short(former))
        elif option in undominated and option != names.so_far.compared_with:
            yield option, draft_changes.KEPT_FREE.format(one=one)


def _tell_lapsed(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield the objectives whose points have come to count for nothing."""
    if lapsed := _list_lapsed(before, after):
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
        bare = [{name: each for name, each in row.items() if name != "rank"} for row in rows]
        yield {**draft, SWINGS: bare} if lapsed else draft


def _list_found(draft: Draft) -> list[Mapping[str, Any]]:
    return find_values(draft, "dominated_alternatives[]")


def _map_dominators(draft: Draft, verdict: str | None) -> dict[str, str]:
    """Return the dominated options with this verdict, or with none, each with the option that dominates it."""
    return {
        each["alternative_id"]: each["dominated_by"]
        for each in _list_found(draft)
        if each.get("user_verdict") == verdict and "dominated_by" in each
    }


def _compare_cells(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = ({find_place(each): _describe_rating(each) for each in _list_cells(draft)} for draft in (before, after))
    grounds, others = (
        {find_place(each): [each.get(name) for name in GROUNDS] for each in _list_cells(draft)}
        for draft in (before, after)
    )
    changed = [at for at in now if at in was and was[at] != now[at]]
    if len(changed) > FEW:
        yield draft_changes.RERATED_MANY.format(count=len(changed))
    else:
        for at in changed:
            yield draft_changes.RERATED.format(
                option=names.short(at[0]), objective=names.short(at[1]), now=now[at], was=was[at]
            )
    for forms, one, other in ((draft_changes.RATINGS_NEW, now, was), (draft_changes.RATINGS_GONE, was, now)):
        if places := [at for at in one if at not in other]:
            few = join_words(map(names.place, places))
            yield forms[min(len(places), FEW + 1) - 1].format(items=few, count=len(places))
    if moved := [at for at in now if was.get(at) == now[at] and grounds[at] != others[at]]:
        yield draft_changes.GROUNDS.format(items=join_words(map(names.place, moved), FEW))


def _describe_rating(cell: Mapping[str, Any]) -> str:
    return NOT_KNOWN if is_unknown(cell) else format_signed(cell["rating"])


def _list_cells(draft: Draft) -> list[Mapping[str, Any]]:
    return find_values(draft, "table.cells[]")


def _compare_amounts(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield the amounts that changed, came or went in cells that both drafts have."""
    was, now = ({find_place(each): describe_amount(each) for each in _list_cells(draft)} for draft in (before, after))
    both = [at for at in now if at in was and was[at] != now[at]]
    changed = [at for at in both if was[at] and now[at]]
    if len(changed) > FEW:
        yield draft_changes.MEASURED_MANY.format(count=len(changed))
    else:
        for at in changed:
            yield draft_changes.RERATED.format(
                option=names.short(at[0]), objective=names.short(at[1]), now=now[at], was=was[at]
            )
    new, gone = [at for at in both if not was[at]], [at for at in both if not now[at]]
    yield from _count((draft_changes.AMOUNTS_NEW, len(new)), (draft_changes.AMOUNTS_GONE, len(gone)))


def _count(*counted: tuple[tuple[str, str], int]) -> Iterator[str]:
    yield from (form[count != 1].format(count=count) for form, count in counted if count)


def _compare_limits(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield the options whose amounts keep or break a limit otherwise than before; one that went does neither."""
    was, now = (_list_beyond(draft, names.so_far) for draft in (before, after))
    former, known = (
        {at: amount for each in names.so_far.collect(draft).values() for at, amount in each.amounts.items()}
        for draft in (before, after)
    )
    open_now = {each for each, at in was if known.get(at) in (None, former[at])}
    broke, breaks = ({each for each, _ in found} for found in (was, now))
    for form, found in ((draft_changes.WITHIN, broke - breaks - open_now), (draft_changes.BEYOND, breaks - broke)):
        for limit in sorted({limit for _, limit in found}):
            options = names.few(sorted(option for option, one in found if one == limit))
            yield form.format(items=options, limit=cut(limit, WORDING))


def _list_beyond(draft: Draft, so_far: DecisionRecord) -> set[tuple[tuple[str, str], At]]:
    """Return the options of a draft's own amounts that are surely beyond a limit, each with the limit and its place."""
    if not find_values(draft, "table.cells[]"):
        return set()
    found = (each for each in find_beyond(so_far, draft) if each.is_certain)
    return {((option, each.limit), (option, each.objective)) for each in found for option, _ in each.options}


def _compare_wording(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    """Yield what came, went or changed, each kind once: the first fields outside of items, then the first items."""
    fields, items = dict(_compare_fields(*_leave_lapsed(before, after))), dict(_compare_items(before, after, names))
    for form in dict.fromkeys((*fields, *items)):
        found = (fields.get(form, []), items.get(form, []))
        first = [each for some in found for each in some[:FEW]]
        yield form.format(items=join_words([*first, *(each for some in found for each in some[FEW:])], len(first)))


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
                told = _tell_figures(one, other)
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


def _compare_items(before: Draft, after: Draft, names: _Names) -> Iterator[tuple[str, list[str]]]:
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


def _compare_lists(before: Draft, after: Draft) -> Iterator[str]:
    """Yield the names of the fields that changed, lists of what has no handle among them."""
    was, now = (remove_evidence(each) for each in (before, after))
    if fields := _list_fields(was, now):
        yield draft_changes.CHANGED.format(items=fields)


def _list_fields(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the first fields that changed by name, those inside of others as well."""
    return join_words(dict.fromkeys(_find_fields(was, now)), FEW)


def _tell_figures(one: Any, other: Any) -> str:
    """Return in brackets the figures that others stand for now, such as *(2,100 instead of 1,900)*; empty if none.

    Of lists these are the figures of the one text that was reworded. A handle stands for itself.
    """
    if is_list(one) and is_list(other):
        gone, new = ([each for each in some if each not in rest] for some, rest in ((one, other), (other, one)))
        texts = [_read_text(each) for each in (*gone, *new)]
        is_one = len(gone) == len(new) == 1 and measure_similarity(*texts) >= SAME_SUBJECT
        return _tell_figures(*texts) if is_one else ""
    was, now = (_list_figures(_read_text(each)) for each in (one, other))
    gone, new = [each for each in was if each not in now], [each for each in now if each not in was]
    return draft_changes.FIGURES.format(now=join_words(new), was=join_words(gone)) if gone and new else ""


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
            yield f"{draft_editing.name_change(name, one, other)}{_tell_figures(one, other)}"


def _map_items(draft: Draft) -> dict[str, Mapping[str, Any]]:
    """Return the items by handle, without where they were said: a further quote is no change.

    The decision that is framed is no item beside its own statement.
    """
    framed = find_value(draft, "decision_hierarchy.focal.handle")
    return {
        each["handle"]: {name: value for name, value in each.items() if name != "evidence"}
        for each in walk_objects(draft)
        if each.get("handle") not in (None, framed)
    }
