"""Rules for people's verdicts on findings: each stands beside a finding, or it would be lost when the sheet is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.decision.record import DecisionRecord
from app.decision.schema.findings import Finding, Issue
from app.decision.schema.paths import Draft, find_places

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
