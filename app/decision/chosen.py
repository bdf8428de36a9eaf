"""Ratings that a person chose in a window. The model does not repeat, change or claim them.

Such a rating has the origin `user`. A rating that people gave in words and the model noted has no origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.decision.paths import Draft, is_list, is_object, value, values
from app.decision.ratings import At
from app.decision.rebasing import FORMER, held, without_former
from app.decision.so_far import SoFar, place_of

CHOSEN: Final = "user"

TOLD = "Ratings that people chose in a window, for each objective. They stand; the server keeps them:\n{rows}"


def chosen(draft: Mapping[str, Any], so_far: SoFar) -> dict[At, dict[str, Any]]:
    """Return the cells that people chose, for the current options and objectives.

    Empty if the table compares with an option that is no longer the status quo.
    """
    cells = values(draft, "table.cells[]")
    if not cells or value(draft, "table.baseline_id") not in (None, so_far.baseline):
        return {}
    theirs = {place_of(each): each for each in cells if each.get("origin") == CHOSEN}
    rated = {each for each in so_far.alternatives if each != so_far.baseline}
    return {at: cell for at, cell in theirs.items() if at[0] in rated and at[1] in so_far.objectives}


def without_chosen(draft: Mapping[str, Any], so_far: SoFar) -> Mapping[str, Any]:
    """Return the draft without the chosen cells.

    A model that writes the draft again could not fit a table of 2,500 cells. Ratings against an earlier status quo are
    left out too.
    """
    theirs, table = chosen(draft, so_far), draft.get("table")
    if not is_object(table) or not (theirs or FORMER in table):
        return draft
    cells = [each for each in table.get("cells", []) if place_of(each) not in theirs]
    return {**draft, "table": {**without_former(table), "cells": cells}}


def told(draft: Mapping[str, Any], so_far: SoFar) -> str:
    """Describe the chosen ratings in a few characters each; empty if there are none."""
    rows: dict[str, list[str]] = {}
    for (option, objective), cell in chosen(draft, so_far).items():
        rows.setdefault(objective, []).append(f"{option} {cell['rating']:+d}")
    return TOLD.format(rows="\n".join(f"{each}: {', '.join(row)}" for each, row in rows.items())) if rows else ""


def with_chosen(submitted: Any, before: Draft, so_far: SoFar) -> Any:
    """Return a model's submission, of any shape, with the cells that people chose `before` in place of its own.

    Ratings against an earlier status quo are added too, since no model can claim them.
    """
    given = submitted.get("table", {}) if is_object(submitted) else None
    cells = given.get("cells", []) if is_object(given) else None
    if not is_object(submitted) or not is_object(given) or not is_list(cells):
        return submitted
    before = held(before, so_far)
    theirs, former = chosen(before, so_far), values(before, f"table.{FORMER}[]")
    taken = {f"{option}:{objective}" for option, objective in theirs}
    others = [_unclaimed(each) for each in cells if _place(each) not in taken]
    if not theirs and others == cells and former == given.get(FORMER, []):
        return submitted
    kept = {FORMER: former} if former else {}
    return {**submitted, "table": {**without_former(given), **kept, "cells": [*others, *theirs.values()]}}


def _place(cell: Any) -> str:
    return f"{cell.get('alternative_id')}:{cell.get('objective_id')}" if is_object(cell) else ""


def _unclaimed(cell: Any) -> Any:
    if is_object(cell) and cell.get("origin") == CHOSEN:
        return {name: each for name, each in cell.items() if name != "origin"}
    return cell
