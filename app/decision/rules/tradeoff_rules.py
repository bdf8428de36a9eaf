"""Rules for what people say of the tradeoffs: their verdicts on findings, and their even swaps.

A verdict stands beside a finding, or it would be lost when the sheet is made. A swap starts from known amounts, and one
thing is given for another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.decision.analysis.ratings import Flaw, InvalidInput
from app.decision.analysis.swaps import apply_swap
from app.decision.record import DecisionRecord
from app.decision.rows import read_swap
from app.decision.schema.findings import Finding, Issue
from app.decision.schema.paths import Draft, find_places
from app.decision.schema.terms import format_amount

DOMINATED: Final = "dominated_alternatives"
IN_PRACTICE: Final = "practical_dominance"
DROPPED: Final = "dropped_alternatives"
LISTS: Final = frozenset({DOMINATED, IN_PRACTICE, DROPPED})
"""Lists with people's verdicts: two of findings, and one of the options that they leave out."""

_NOWHERE: Final = (
    "one that they do set aside. If people leave this option out all the same, note it in dropped_alternatives with "
    "their words; else note no verdict"
)


def verdicts_placed(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that each verdict stands in the list in which the ratings have its finding, if there is one.

    People can leave out any option but the one that all is compared with, as long as two stay.
    """
    for path in sorted(LISTS):
        for place in find_places(draft, f"{path}[]"):
            found = (
                find_misplaced(place.value, path, draft, so_far)
                if path == DROPPED or "user_verdict" in place.value
                else ()
            )
            for each in found:
                if each.requirement != _NOWHERE:
                    yield replace(each, field=f"{place.name}.{each.field}")


def find_misplaced(item: Mapping[str, Any], path: str, draft: Draft, so_far: DecisionRecord) -> Iterator[Issue]:
    """Yield the issue with an item of one of `LISTS`: a verdict on no finding, or an option that has to stay."""
    analysis = so_far.analyse_by(draft)
    if analysis is None:
        return
    found = analysis.dominance
    beaten = {each.alternative for each in (*found.dominated, *found.disputed)}
    in_practice = {(each.alternative, each.by) for each in analysis.practical_dominance}
    option, by = str(item["alternative_id"]), str(item.get("by", ""))
    if path == DROPPED and option not in analysis.dropped:
        required = "an option that is not the status quo, while two others stay"
        yield Issue("alternative_id", required, "cannot be left out")
    if path == DOMINATED and option not in beaten:
        yield _refuse(IN_PRACTICE if any(option == one for one, _ in in_practice) else "")
    if path == IN_PRACTICE and (option, by) not in in_practice:
        yield _refuse(DOMINATED if option in beaten else "")


def _refuse(there: str) -> Issue:
    """Return the issue, with the list in which the ratings have the finding if there is one."""
    if there:
        return Issue("alternative_id", f"a verdict in {there}, where the ratings find it", "stands in another list")
    return Issue("alternative_id", _NOWHERE, "the ratings do not set it aside")


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
