"""Rules for even swaps: each starts from known amounts, and one thing is given for another."""

from __future__ import annotations

from collections.abc import Iterator

from app.decision.analysis.ratings import Flaw, InvalidInput
from app.decision.analysis.swaps import apply_swap
from app.decision.record import DecisionRecord
from app.decision.rows import read_swap
from app.decision.schema.findings import Finding, Issue
from app.decision.schema.paths import Draft, find_places
from app.decision.schema.terms import format_amount


def even_swaps(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that a swap starts from the amounts of the table, or from those that the swaps before it left."""
    if so_far.analysis is None:
        return
    measured = so_far.measured
    for place in find_places(draft, "even_swaps[]"):
        try:
            measured = apply_swap(measured, read_swap(place.value))
        except InvalidInput as wrong:
            at = (wrong.handles[0], wrong.handles[1])
            side = "improve" if at[1] == place.value["improve"]["objective_id"] else "pay_with"
            where = f"{so_far.label(at[0])} on {so_far.label(at[1])}"
            if wrong.flaw is Flaw.GAPS:
                known = f"a known amount of {where}: note it beside the rating first"
                yield Issue(f"{place.name}.{side}.from", known, "no amount is known")
            elif wrong.flaw is Flaw.AMOUNT:
                amount = format_amount(measured.amounts[at], measured.units[at[1]])
                known = f"the known amount of {where}, {amount}"
                yield Issue(f"{place.name}.{side}.from", known, "another amount is known")
            else:
                yield Issue(f"{place.name}.pay_with.to", "one amount better and the other worse", "nothing is paid")
