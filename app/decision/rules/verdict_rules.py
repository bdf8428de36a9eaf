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
LISTS: Final = frozenset({DOMINATED, IN_PRACTICE})
"""Lists whose items are findings, with the words of people beside them."""

_NOWHERE: Final = "the ratings find nothing like it: say so, and note no verdict"


def verdicts_placed(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that each verdict stands in the list in which the ratings have its finding, if there is one."""
    for path in sorted(LISTS):
        for place in find_places(draft, f"{path}[]"):
            found = find_misplaced(place.value, path, draft, so_far) if "user_verdict" in place.value else ()
            for each in found:
                if each.requirement != _NOWHERE:
                    yield replace(each, field=f"{place.name}.{each.field}")


def find_misplaced(item: Mapping[str, Any], path: str, draft: Draft, so_far: DecisionRecord) -> Iterator[Issue]:
    """Yield the issue with a verdict in one of `LISTS` on what the ratings do not find there."""
    analysis = so_far.analyse_by(draft)
    if analysis is None:
        return
    found = analysis.dominance
    beaten = {each.alternative for each in (*found.dominated, *found.disputed)}
    in_practice = {(each.alternative, each.by) for each in analysis.practical_dominance}
    option, by = str(item["alternative_id"]), str(item.get("by", ""))
    if path == DOMINATED and option not in beaten:
        yield _refuse(IN_PRACTICE if any(option == one for one, _ in in_practice) else "")
    if path == IN_PRACTICE and (option, by) not in in_practice:
        yield _refuse(DOMINATED if option in beaten else "")


def _refuse(there: str) -> Issue:
    """Return the issue, with the list in which the ratings have the finding if there is one."""
    wanted = f"a verdict in {there}, where the ratings find it" if there else _NOWHERE
    return Issue("alternative_id", wanted, "no finding of this list")
