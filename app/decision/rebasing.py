"""Ratings against a former status quo: stored as given, and proposed anew against the current one.

Such ratings have no effect until their status quo returns. A subtraction gives their value against the current one. It
is only a proposal that a person confirms, because steps of a scale do not add up exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.decision.paths import Draft, is_object, values
from app.decision.ratings import BEST, WORST, At
from app.decision.so_far import SoFar, place_of

FORMER: Final = "former"
"""Field of the table that stores them, each with the status quo it compares with."""

TOLD = (
    "Ratings against an earlier status quo; by subtraction they would be these against {baseline}. They are proposals: "
    "offer them, and note one only when a person confirms it.\n{rows}"
)


@dataclass(frozen=True, slots=True)
class Carried:
    """A rating against a former status quo, for a place without a current rating."""

    rating: int
    against: str
    """The former status quo."""
    proposed: int | None
    """Its value now; None if that leaves the scale, or the current status quo was not rated then."""


def rebased(table: Draft, baseline: str) -> Draft:
    """Return the table with the ratings against this status quo; those against the last one are stored beside it."""
    last = table.get("baseline_id", baseline)
    if last == baseline:
        return table
    kept = table.get(FORMER, [])
    given = [{**each, "baseline_id": last} for each in table.get("cells", []) if each["alternative_id"] != last]
    back = [_bare(each) for each in kept if each["baseline_id"] == baseline]
    former = [*(each for each in kept if each["baseline_id"] != baseline), *given]
    return _with_former({**table, "cells": back, "baseline_id": baseline}, former)


def held(draft: Draft, so_far: SoFar) -> Draft:
    """Return the draft with its table limited to the current status quo, options and objectives."""
    table = draft.get("table")
    if not is_object(table) or so_far.baseline is None:
        return draft
    table = rebased(table, so_far.baseline)
    former = [
        each
        for each in table.get(FORMER, [])
        if each["objective_id"] in so_far.objectives
        and {each["alternative_id"], each["baseline_id"]} <= set(so_far.alternatives)
    ]
    return {**draft, "table": _with_former(table, former)}


def without_former(table: Draft) -> Draft:
    """Return the table as a model gets it and may submit it; the server stores the rest."""
    return {name: each for name, each in table.items() if name != FORMER}


def carried(draft: Mapping[str, Any], so_far: SoFar) -> dict[At, Carried]:
    """Return the former ratings of places without a rating, from the last status quo."""
    rated = {place_of(each) for each in values(draft, "table.cells[]")}
    former = [*reversed(values(draft, f"table.{FORMER}[]"))]
    found: dict[At, Carried] = {}
    for against in dict.fromkeys(each["baseline_id"] for each in former):
        cells = [each for each in former if each["baseline_id"] == against]
        zeros = [
            {"alternative_id": against, "objective_id": each, "rating": 0}
            for each in dict.fromkeys(cell["objective_id"] for cell in cells)
        ]
        proposed = shifted([*cells, *zeros], so_far.baseline or "")
        for each in (*cells, *zeros):
            found.setdefault(place_of(each), Carried(each["rating"], against, proposed.get(place_of(each))))
    places = ((option, objective) for objective in so_far.objectives for option in so_far.alternatives)
    return {at: found[at] for at in places if at in found and at not in rated and at[0] != so_far.baseline}


def shifted(cells: Iterable[Mapping[str, Any]], baseline: str) -> dict[At, int]:
    """Return proposals for ratings against another status quo, without those that leave the scale."""
    ratings = {place_of(each): int(each["rating"]) for each in cells}
    zeros = {at[1]: rating for at, rating in ratings.items() if at[0] == baseline}
    moved = {at: rating - zeros[at[1]] for at, rating in ratings.items() if at[1] in zeros}
    return {at: rating for at, rating in moved.items() if WORST <= rating <= BEST}


def told(draft: Mapping[str, Any], so_far: SoFar) -> str:
    """Describe the proposals for a model in a conversation; empty if there are none."""
    rows: dict[str, list[str]] = {}
    for (option, objective), each in carried(draft, so_far).items():
        if each.proposed is not None:
            rows.setdefault(objective, []).append(f"{option} {each.proposed:+d}")
    listed = "\n".join(f"{each}: {', '.join(row)}" for each, row in rows.items())
    return TOLD.format(baseline=so_far.label(so_far.baseline or ""), rows=listed) if rows else ""


def _with_former(table: Draft, former: list[Any]) -> Draft:
    return {**without_former(table), **({FORMER: former} if former else {})}


def _bare(cell: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in cell.items() if name != "baseline_id"}
