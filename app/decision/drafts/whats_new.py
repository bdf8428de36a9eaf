"""What changed between two drafts of one step, in a few words for the card that is shown again. Pure.

Each draft is compared as it was computed at its time. Names are short, because the card below has them in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.copy import draft_editing
from app.core.text.cutting import shorten_name
from app.decision.analysis.ratings import RatingTable
from app.decision.analysis.scores import compute_nets, compute_scores, find_leaders
from app.decision.drafts.dated_notes import DATES
from app.decision.drafts.noting import remove_evidence
from app.decision.record import DecisionRecord, find_place
from app.decision.schema.paths import Draft, find_value, find_values, map_names, walk_objects

FEW: Final = 2
"""Things of one kind that are named; more are counted."""

LEADS: Final = "{one} leads instead of {other}"
LEADS_NOW: Final = "{one} leads now"
LEVEL: Final = "{one} is now level with {other}"
LEADS_NOT: Final = "{one} leads alone no more"
STANDS_OUT: Final = "{one} stands out now"
STANDS_OUT_NOT: Final = "{one} stands out no more"
SET_ASIDE: Final = "{items} can be set aside now"
BACK: Final = "{items} is back in"
BACK_MANY: Final = "{items} are back in"
RERATED: Final = "{option} on {objective}: {now} instead of {was}"
RERATED_MANY: Final = "{count} ratings changed"
CELLS_NEW: Final = ("1 cell new", "{count} cells new")
CELLS_GONE: Final = ("1 cell taken out", "{count} cells taken out")
ADDED: Final = "new: {items}"
GONE: Final = "taken out: {items}"
REWORDED: Final = "reworded: {items}"
CHANGED: Final = "changed: {items}"
AND_MORE: Final = "{items} and {count} more"


def describe_changes(before: Draft, after: Draft, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what changed, the most important first; empty if nothing did or there was no draft before."""
    if not before or before == after:
        return ()
    names = _Names(before, after, so_far)
    found = (
        *_compare_leaders(_find_leaders(before, so_far), _find_leaders(after, so_far), names),
        *_compare_standouts(before, after, names),
        *_compare_dominated(before, after, names),
        *_compare_cells(before, after, names),
        *_compare_items(before, after, names),
    )
    return found or tuple(_compare_fields(before, after))


class _Names:
    """Short names of all items of both drafts and of the decision."""

    def __init__(self, before: Draft, after: Draft, so_far: DecisionRecord) -> None:
        self._own, self._so_far = map_names([before, after]), so_far

    def short(self, handle: str) -> str:
        """Return the handle with its short name."""
        return f"{handle} {shorten_name(self._own.get(handle, '') or self._so_far.name(handle))}".strip()

    def few(self, handles: Iterable[str]) -> str:
        """Return the first items by name, and the number of the others."""
        return _list_few(map(self.short, handles))


def _find_leaders(draft: Draft, so_far: DecisionRecord) -> tuple[str, ...]:
    """Return who leads on the plain sum, by the ratings or else by the sums of the draft; empty if that is unknown."""
    if find_values(draft, "table.cells[]"):
        table: RatingTable | None = so_far.table(draft)
        return find_leaders(compute_nets(compute_scores(table))) if table else ()
    return find_leaders({each["alternative_id"]: each.get("net_score") for each in find_values(draft, "tensions[]")})


def _compare_leaders(was: tuple[str, ...], now: tuple[str, ...], names: _Names) -> Iterator[str]:
    if set(was) == set(now):
        return
    fresh, kept = [each for each in now if each not in was], [each for each in now if each in was]
    if not now:
        yield LEADS_NOT.format(one=names.few(was))
    elif kept and fresh:
        yield LEVEL.format(one=names.few(fresh), other=names.few(kept))
    elif len(now) > 1:
        yield LEVEL.format(one=names.few(now[:1]), other=names.few(now[1:]))
    elif was and not kept:
        yield LEADS.format(one=names.few(now), other=names.few(was))
    else:
        yield LEADS_NOW.format(one=names.few(now))


def _compare_standouts(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = (find_value(draft, "standout_option.alternative_id") for draft in (before, after))
    if now and now != was:
        yield STANDS_OUT.format(one=names.short(now))
    elif was and not now:
        yield STANDS_OUT_NOT.format(one=names.short(was))


def _compare_dominated(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = (find_values(draft, "dominated_alternatives[].alternative_id") for draft in (before, after))
    if fresh := [each for each in now if each not in was]:
        yield SET_ASIDE.format(items=names.few(fresh))
    if back := [each for each in was if each not in now]:
        yield (BACK if len(back) == 1 else BACK_MANY).format(items=names.few(back))


def _compare_cells(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = (
        {find_place(each): each["rating"] for each in find_values(draft, "table.cells[]")} for draft in (before, after)
    )
    changed = [at for at in now if at in was and was[at] != now[at]]
    if len(changed) > FEW:
        yield RERATED_MANY.format(count=len(changed))
    else:
        for at in changed:
            yield RERATED.format(
                option=names.short(at[0]), objective=names.short(at[1]), now=_sign(now[at]), was=_sign(was[at])
            )
    for form, count in ((CELLS_NEW, len(now.keys() - was.keys())), (CELLS_GONE, len(was.keys() - now.keys()))):
        if count:
            yield form[count != 1].format(count=count)


def _compare_items(before: Draft, after: Draft, names: _Names) -> Iterator[str]:
    was, now = _map_items(before), _map_items(after)
    for form, handles in (
        (ADDED, [each for each in now if each not in was]),
        (GONE, [each for each in was if each not in now]),
        (REWORDED, [each for each in now if each in was and was[each] != now[each]]),
    ):
        if handles:
            yield form.format(items=names.few(handles))


def _compare_fields(before: Draft, after: Draft) -> Iterator[str]:
    """Yield the names of the fields that changed. Quotes and the server's notes are no change."""
    was, now = (remove_evidence(each) for each in (before, after))
    fields = [name for name in dict.fromkeys((*was, *now)) if name != DATES and was.get(name) != now.get(name)]
    if fields:
        yield CHANGED.format(items=_list_few(map(draft_editing.name_field, fields)))


def _list_few(named: Iterable[str]) -> str:
    """Return the first of these names, and the number of the others."""
    whole = [*named]
    listed = ", ".join(whole[:FEW])
    return listed if len(whole) <= FEW else AND_MORE.format(items=listed, count=len(whole) - FEW)


def _map_items(draft: Draft) -> dict[str, Mapping[str, Any]]:
    """Return the items by handle, without where they were said: a further quote is no change."""
    return {
        each["handle"]: {name: value for name, value in each.items() if name != "evidence"}
        for each in walk_objects(draft)
        if "handle" in each
    }


def _sign(rating: int) -> str:
    return f"{rating:+d}".replace("-", "−") if rating else "0"
