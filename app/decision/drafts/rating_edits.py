"""Ratings that people chose, and those kept when another option becomes the status quo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.core.copy.decision_steps import NOT_KNOWN
from app.core.text import labels
from app.decision.analysis.ratings import BEST, WORST, At
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED, find_place, is_unknown
from app.decision.schema.paths import Draft, find_value, find_values, is_list, is_object, omit

_PLACE: Final = ("alternative_id", "objective_id")
FORMER: Final = "former"
"""Field of the table that stores them, each with the status quo it compares with."""

PROPOSALS = (
    "Ratings against an earlier status quo; by subtraction they would be these against {baseline}. They are proposals: "
    "offer them, and note one only when a person confirms it:\n{rows}"
)


@dataclass(frozen=True, slots=True)
class CarriedRating:
    """A rating against a former status quo, for a place without a current rating."""

    rating: int
    against: str
    """The former status quo."""
    proposed: int | None
    """Its value now; None if that leaves the scale, or the current status quo was not rated then."""
    reason: str = ""
    """Why people rated it so then; empty if nobody said."""


def rebase(table: Draft, baseline: str) -> Draft:
    """Return the table with the ratings against this status quo; those against the last one are stored beside it."""
    last = table.get("baseline_id", baseline)
    if last == baseline:
        return table
    kept = table.get(FORMER, [])
    given = [{**each, "baseline_id": last} for each in table.get("cells", []) if each["alternative_id"] != last]
    back = [omit(each, "baseline_id") for each in kept if each["baseline_id"] == baseline]
    former = [*(each for each in kept if each["baseline_id"] != baseline), *given]
    return _add_former({**table, "cells": back, "baseline_id": baseline}, former)


def select_current(draft: Draft, so_far: DecisionRecord) -> Draft:
    """Return the draft with its table limited to the current status quo, options and objectives."""
    table = draft.get("table")
    if not is_object(table) or so_far.baseline is None:
        return draft
    table = rebase(table, so_far.baseline)
    former = [
        each
        for each in table.get(FORMER, [])
        if each["objective_id"] in so_far.objectives
        and {each["alternative_id"], each["baseline_id"]} <= set(so_far.alternatives)
    ]
    return {**draft, "table": _add_former(table, former)}


def is_plain_zero(cell: Mapping[str, Any], so_far: DecisionRecord) -> bool:
    """Return True if a cell says no more than that the status quo is 0 against itself."""
    return cell["alternative_id"] == so_far.baseline and not set(cell) - {*_PLACE, "rating", "origin"}


def find_carried(draft: Mapping[str, Any], so_far: DecisionRecord) -> dict[At, CarriedRating]:
    """Return the former ratings of places without a rating, from the last status quo."""
    rated = {find_place(each) for each in find_values(draft, "table.cells[]")}
    former = [*reversed(find_values(draft, f"table.{FORMER}[]"))]
    found: dict[At, CarriedRating] = {}
    for against in dict.fromkeys(each["baseline_id"] for each in former):
        cells = [each for each in former if each["baseline_id"] == against and not is_unknown(each)]
        zeros: list[dict[str, Any]] = [
            {"alternative_id": against, "objective_id": each, "rating": 0}
            for each in dict.fromkeys(cell["objective_id"] for cell in cells)
        ]
        proposed = propose_shifted([*cells, *zeros], so_far.baseline or "")
        for each in (*cells, *zeros):
            at, reason = find_place(each), each.get("rationale", "") if each.get("origin") != SUGGESTED else ""
            found.setdefault(at, CarriedRating(each["rating"], against, proposed.get(at), reason))
    places = ((option, objective) for objective in so_far.objectives for option in so_far.alternatives)
    return {at: found[at] for at in places if at in found and at not in rated and at[0] != so_far.baseline}


def propose_shifted(cells: Iterable[Mapping[str, Any]], baseline: str) -> dict[At, int]:
    """Return proposals for ratings against another status quo, without those that leave the scale."""
    ratings = {find_place(each): int(each["rating"]) for each in cells}
    zeros = {at[1]: rating for at, rating in ratings.items() if at[0] == baseline}
    moved = {at: rating - zeros[at[1]] for at, rating in ratings.items() if at[1] in zeros}
    return {at: rating for at, rating in moved.items() if WORST <= rating <= BEST}


def describe_proposals(draft: Mapping[str, Any], so_far: DecisionRecord) -> str:
    """Describe the proposals for a model in a conversation; empty if there are none."""
    rows: dict[str, list[str]] = {}
    for (option, objective), each in find_carried(draft, so_far).items():
        if each.proposed is not None:
            rows.setdefault(objective, []).append(f"{option} {each.proposed:+d}")
    listed = "\n".join(f"{each}: {', '.join(row)}" for each, row in rows.items())
    return PROPOSALS.format(baseline=so_far.label(so_far.baseline or ""), rows=listed) if rows else ""


def _add_former(table: Draft, former: list[Any]) -> Draft:
    return {**omit(table, FORMER), **({FORMER: former} if former else {})}


CHOSEN: Final = "user"

CHOSEN_RATINGS = (
    "Ratings that people chose in a window, for each objective, with the reason where they gave one (* for one that is "
    "left out here). They stand; the server keeps them. Do not ask for a reason that was given:\n{rows}"
)
REASONS: Final = 40
"""Reasons of chosen ratings that a model is told, so that a wide table fits its window."""


def find_chosen(draft: Mapping[str, Any], so_far: DecisionRecord) -> dict[At, dict[str, Any]]:
    """Return the cells that people chose, for the current options and objectives.

    Empty if the table compares with an option that is no longer the status quo.
    """
    cells = find_values(draft, "table.cells[]")
    if not cells or find_value(draft, "table.baseline_id") not in (None, so_far.baseline):
        return {}
    theirs = {find_place(each): each for each in cells if each.get("origin") == CHOSEN}
    rated = {each for each in so_far.alternatives if each != so_far.baseline}
    return {at: cell for at, cell in theirs.items() if at[0] in rated and at[1] in so_far.objectives}


def remove_chosen(draft: Mapping[str, Any], so_far: DecisionRecord) -> Mapping[str, Any]:
    """Return the draft without the chosen cells.

    A model that writes the draft again could not fit a table of 2,500 cells. Ratings against an earlier status quo are
    left out too.
    """
    theirs, table = find_chosen(draft, so_far), draft.get("table")
    if not is_object(table) or not (theirs or FORMER in table):
        return draft
    cells = [each for each in table.get("cells", []) if find_place(each) not in theirs]
    return {**draft, "table": {**omit(table, FORMER), "cells": cells}}


def describe_ratings(draft: Mapping[str, Any], so_far: DecisionRecord) -> str:
    """Describe the chosen ratings in a few characters each, with the first `REASONS` reasons; empty if there are none.

    Of a further reason it says that it was given, so that nobody asks for it again.
    """
    rows: dict[str, list[str]] = {}
    told = 0
    for (option, objective), cell in find_chosen(draft, so_far).items():
        why = " ".join(cell.get("rationale", "").split())
        reason = (f' ("{labels.shorten(why)}")' if told < REASONS else "*") if why else ""
        told += bool(why)
        rating = NOT_KNOWN if is_unknown(cell) else f"{cell['rating']:+d}"
        rows.setdefault(objective, []).append(f"{option} {rating}{reason}")
    return (
        CHOSEN_RATINGS.format(rows="\n".join(f"{each}: {', '.join(row)}" for each, row in rows.items())) if rows else ""
    )


def restore_chosen(submitted: Any, before: Draft, so_far: DecisionRecord) -> Any:
    """Return a model's submission, of any shape, with the cells that people chose `before` in place of its own.

    Ratings against an earlier status quo are added too, since no model can claim them.
    """
    given = submitted.get("table", {}) if is_object(submitted) else None
    cells = given.get("cells", []) if is_object(given) else None
    if not is_object(submitted) or not is_object(given) or not is_list(cells):
        return submitted
    before = select_current(before, so_far)
    theirs, former = find_chosen(before, so_far), find_values(before, f"table.{FORMER}[]")
    taken = {f"{option}:{objective}" for option, objective in theirs}
    noted = {_name_place(each): each for each in find_values(before, "table.cells[]")}
    others = [_keep_notes(_remove_claims(each), noted) for each in cells if _name_place(each) not in taken]
    if not theirs and others == cells and former == given.get(FORMER, []):
        return submitted
    kept = {FORMER: former} if former else {}
    return {**submitted, "table": {**omit(given, FORMER), **kept, "cells": [*others, *theirs.values()]}}


def _name_place(cell: Any) -> str:
    return f"{cell.get('alternative_id')}:{cell.get('objective_id')}" if is_object(cell) else ""


def _remove_claims(cell: Any) -> Any:
    return omit(cell, "origin") if is_object(cell) and cell.get("origin") == CHOSEN else cell


def _keep_notes(cell: Any, noted: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the cell with what was noted of it.

    That is the rating that its amount was given for, unless it confirms the amount, and that nobody gave its rating.
    """
    last = noted.get(_name_place(cell), {})
    if not is_object(cell) or not last:
        return cell
    is_dated = "amount_for" in last and "amount_for" not in cell and last.get("quant_value") == cell.get("quant_value")
    is_idea = last.get("origin") == SUGGESTED and last["rating"] == cell.get("rating")
    kept = {**({"amount_for": last["amount_for"]} if is_dated else {}), **({"origin": SUGGESTED} if is_idea else {})}
    return {**cell, **kept}
