"""Ratings and amounts that changed, and the limits that these keep or break now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from app.core.copy import draft_changes
from app.core.copy.decision_steps import NOT_KNOWN
from app.core.text.cutting import cut
from app.core.text.labels import join_words
from app.decision.analysis.ratings import At
from app.decision.drafts.changes.item_names import FEW, WORDING, ChangeNames
from app.decision.record import DecisionRecord
from app.decision.rows import describe_amount, find_place, is_unknown
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.paths import Draft, find_value, find_values
from app.decision.schema.terms import format_signed

Both: TypeAlias = tuple[Mapping[At, str], Mapping[At, str]]
"""What is told at each place of the draft before, and of the one after."""
QUANT: Final = "quant_value"
"""The field of an amount."""
GROUNDS: Final = ("rationale", "uncertainty", "rating_range")
"""Fields of a rating that say what it rests on, and how sure it is."""


def compare_cells(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield the ratings that changed, came or went, and those of which only the grounds are others."""
    was, now = _map_ratings(before), _map_ratings(after)
    grounds, others = (
        {find_place(each): [each.get(name) for name in GROUNDS] for each in _list_cells(draft)}
        for draft in (before, after)
    )
    zeros = {find_value(draft, "table.baseline_id") for draft in (before, after)}  # nobody rates the status quo
    changed = _find_changed(was, now)
    amounts = _map_amounts(before), _map_amounts(after)
    yield from _tell_changed(changed, (was, now), draft_changes.RERATED_MANY, names, amounts)
    for forms, one, other in ((draft_changes.RATINGS_NEW, now, was), (draft_changes.RATINGS_GONE, was, now)):
        if places := [at for at in one if at not in other and at[0] not in zeros]:
            few = join_words(map(names.place, places)) if len(places) <= FEW else names.places(places)
            yield forms[min(len(places), FEW + 1) - 1].format(items=few, count=len(places))
    if moved := [at for at in now if was.get(at) == now[at] and grounds[at] != others[at]]:
        yield draft_changes.GROUNDS.format(items=join_words(map(names.place, moved), FEW))


def _find_changed(was: Mapping[At, str], now: Mapping[At, str]) -> list[At]:
    """Return the places that both have, and at which they differ."""
    return [at for at in now if at in was and was[at] != now[at]]


def _tell_changed(
    changed: Sequence[At], told: Both, many: str, names: ChangeNames, beside: Both = ({}, {})
) -> Iterator[str]:
    """Yield what stands at these places now instead of before, as told of both; of many only which these are.

    What changed `beside` it is told in the same words.
    """
    was, now = told
    if len(changed) > FEW:
        yield many.format(count=len(changed), items=names.places(changed))
        return
    for at in changed:
        one, other = (some.get(at, "") for some in beside)
        more = draft_changes.FIGURES.format(now=other, was=one) if one and other and one != other else ""
        yield draft_changes.RERATED.format(place=names.place(at), now=now[at], was=was[at]) + more


def _describe_rating(cell: Mapping[str, Any]) -> str:
    return NOT_KNOWN if is_unknown(cell) else format_signed(cell["rating"])


def _map_ratings(draft: Draft) -> dict[At, str]:
    return {find_place(each): _describe_rating(each) for each in _list_cells(draft)}


def _map_amounts(draft: Draft) -> dict[At, str]:
    return {find_place(each): describe_amount(each) for each in _list_cells(draft)}


def _list_cells(draft: Draft) -> list[Mapping[str, Any]]:
    return find_values(draft, "table.cells[]")


def compare_amounts(before: Draft, after: Draft, names: ChangeNames) -> Iterator[str]:
    """Yield the amounts that changed, came or went in cells that both drafts have."""
    was, now = _map_amounts(before), _map_amounts(after)
    both = _find_changed(was, now)
    rerated = _find_changed(_map_ratings(before), _map_ratings(after))
    told = rerated if len(rerated) <= FEW else []  # each is told with its amount
    units = _find_reworded(before, after)
    changed = [at for at in both if was[at] and now[at] and at not in (*told, *units)]
    yield from _tell_changed(changed, (was, now), draft_changes.MEASURED_MANY, names)
    if units:
        yield draft_changes.UNITS.format(items=names.few(dict.fromkeys(objective for _, objective in units)))
    new, gone = [at for at in both if not was[at]], [at for at in both if not now[at]]
    for forms, places in ((draft_changes.AMOUNTS_NEW, new), (draft_changes.AMOUNTS_GONE, gone)):
        if places:
            yield forms[len(places) != 1].format(count=len(places), items=names.places(places))


def _find_reworded(before: Draft, after: Draft) -> list[At]:
    """Return the places of amounts with the same number in another unit, in cells that both drafts have."""
    was, now = (
        {find_place(each): (each[QUANT], each.get("quant_unit", "")) for each in _list_cells(draft) if QUANT in each}
        for draft in (before, after)
    )
    return [at for at in now if at in was and was[at][0] == now[at][0] and was[at] != now[at]]


def compare_limits(before: Draft, after: Draft, names: ChangeNames, *, is_elsewhere: bool) -> Iterator[str]:
    """Yield the options whose amounts keep a limit that they broke; one that went does not.

    Told `is_elsewhere` than on the step's own card, also those that break one: that card says so itself.
    """
    was, now = (_list_beyond(draft, names.so_far) for draft in (before, after))
    former, known = (
        {at: amount for each in names.so_far.collect(draft).values() for at, amount in each.amounts.items()}
        for draft in (before, after)
    )
    open_now = {each for each, at in was if known.get(at) in (None, former[at])}
    broke, breaks = ({each for each, _ in found} for found in (was, now))
    beyond = breaks - broke if is_elsewhere else set[tuple[str, str]]()
    for form, found in ((draft_changes.WITHIN, broke - breaks - open_now), (draft_changes.BEYOND, beyond)):
        for limit in sorted({limit for _, limit in found}):
            options = names.few(sorted(option for option, one in found if one == limit))
            yield form.format(items=options, limit=cut(limit, WORDING))


def _list_beyond(draft: Draft, so_far: DecisionRecord) -> set[tuple[tuple[str, str], At]]:
    """Return the options of a draft's own amounts that are surely beyond a limit, each with the limit and its place."""
    if not find_values(draft, "table.cells[]"):
        return set()
    found = (each for each in find_beyond(so_far, draft) if each.is_certain)
    return {((option, each.limit), (option, each.objective)) for each in found for option, _ in each.options}
