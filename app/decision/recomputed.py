"""Tradeoffs as the analysis finds them (X5): what people said to a finding stays, what was claimed of it goes.

Without approved ratings there is nothing to compute, and the draft stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.decision.analysis import Analysis
from app.decision.conflict import Conflict, PracticalDominance, Tension
from app.decision.dominance import Dominated
from app.decision.findings import Remark
from app.decision.paths import Draft
from app.decision.ratings import BEST, WORST, Steps
from app.decision.so_far import SoFar
from app.decision.variation import Irrelevant, IrrelevantKind

SAID: Final = ("explanation", "user_verdict", "reason", "statement", "points")
"""What is people's own in a finding."""
BY_PEOPLE: Final = ("redundant", "user_dismissed")
"""Why an objective may be irrelevant although it varies."""


def as_computed(draft: Draft, so_far: SoFar) -> Iterator[Remark]:
    """Write the findings; say so if anything else was claimed."""
    if so_far.analysis is None:
        return
    claimed = {name: draft.get(name, []) for name in ("dominated_alternatives", "irrelevant_objectives", "tensions")}
    draft |= _findings(draft, so_far.analysis)
    _write_headline(draft, so_far.analysis.headline)
    if any(_differs(rows, draft[name]) for name, rows in claimed.items()):
        yield Remark("Findings were set to what your ratings say.")


def uniform(each: Irrelevant) -> str:
    """Why an objective tells nothing apart."""
    options = "Every option is" if each.kind is IrrelevantKind.NO_VARIATION else "All options that are left are"
    return f"{options} rated {each.rating:+d}.".replace("+0", "0")


def _findings(draft: Draft, analysis: Analysis) -> dict[str, list[dict[str, Any]]]:
    sums = {score.alternative: score.net for score in analysis.scores}
    swings = [
        {"objective_id": each.objective, "worst": each.worst, "best": each.best, **said}
        for each in analysis.swings
        if (said := _said(draft, "swing_weights", objective_id=each.objective))
    ]
    dearest = sorted((each["points"] for each in swings), reverse=True)
    return {
        "dominated_alternatives": [
            {**_dominated(each), **_said(draft, "dominated_alternatives", alternative_id=each.alternative)}
            for each in analysis.dominance.dominated
        ],
        "irrelevant_objectives": [
            {
                "objective_id": each.objective,
                "reason": uniform(each),
                "kind": each.kind.value,
                "uniform_rating": each.rating,
                **_reason(draft, each.objective),
            }
            for each in analysis.irrelevant
        ]
        + [each for each in draft.get("irrelevant_objectives", []) if each.get("kind") in BY_PEOPLE],
        "tensions": [
            {
                **_tension(each, sums[each.alternative]),
                **_said(draft, "tensions", alternative_id=each.alternative),
            }
            for each in analysis.tensions
        ],
        "practical_dominance": [
            {**_practical(each), **_said(draft, "practical_dominance", alternative_id=each.alternative, by=each.by)}
            for each in analysis.practical_dominance
        ],
        "swing_weights": [{**each, "rank": dearest.index(each["points"]) + 1} for each in swings],
    }


def _reason(draft: Draft, objective: str) -> dict[str, Any]:
    """What people said of an objective that tells nothing apart; what was found before is no reason any more."""
    said = _said(draft, "irrelevant_objectives", objective_id=objective)
    found = [
        uniform(Irrelevant(objective, rating, kind)) for rating in range(WORST, BEST + 1) for kind in IrrelevantKind
    ]
    return {} if said.get("reason") in found else said


def _dominated(each: Dominated) -> dict[str, Any]:
    return {
        "alternative_id": each.alternative,
        "dominated_by": each.dominated_by,
        "all_dominators": list(each.all_dominators),
        "kind": each.kind.value,
        "better_on": list(each.better_on),
        "equal_on": list(each.equal_on),
    }


def _tension(each: Tension, net: int | None) -> dict[str, Any]:
    return {
        "alternative_id": each.alternative,
        "gains": list(each.gains),
        "losses": list(each.losses),
        **({} if net is None else {"net_score": net}),
        "vs_status_quo": {"better": list(each.better), "worse": list(each.worse)},
    }


def _practical(each: PracticalDominance) -> dict[str, Any]:
    return {
        "alternative_id": each.alternative,
        "by": each.by,
        "gives_up": [_steps(each.gives_up)],
        "gains": [_steps(gain) for gain in each.gains],
    }


def _steps(each: Steps) -> dict[str, Any]:
    return {"objective_id": each.objective, "steps": each.steps}


def _write_headline(draft: Draft, headline: Conflict | None) -> None:
    given = draft.pop("headline_conflict", {})
    if headline:
        computed = {"objective_a_id": headline.one, "objective_b_id": headline.other}
        is_same = {given.get("objective_a_id"), given.get("objective_b_id")} == {headline.one, headline.other}
        said = {"statement": given["statement"]} if is_same and "statement" in given else {}
        draft["headline_conflict"] = {**computed, **said}


def _said(draft: Draft, name: str, **at: str) -> dict[str, Any]:
    """What people said to this finding, if it was there already."""
    rows = (row for row in draft.get(name, []) if all(row[key] == handle for key, handle in at.items()))
    return {key: each for key, each in next(rows, dict[str, Any]()).items() if key in SAID}


def _differs(claimed: list[Mapping[str, Any]], computed: list[Mapping[str, Any]]) -> bool:
    """True if a claim is not found, or a field of it is another one; what was left out is no claim."""
    return not all(any(row.items() >= claim.items() for row in computed) for claim in claimed)
