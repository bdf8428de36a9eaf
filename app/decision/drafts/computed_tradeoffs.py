"""Findings of the analysis in a tradeoffs draft: people's words stay, a model's claims are replaced.

Words that explain a finding are dropped when another finding takes its place, because nobody said them of that one. A
verdict on an option stays with the option. What people call the heart of their decision is theirs and always stays; it
names what it was said of once the ratings speak of something else. A model's claim of another finding does not remove
people's words.

Without approved ratings there is nothing to compute, and the draft stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Conflict, PracticalDominance, Tension
from app.decision.analysis.dominance import DominatedOption
from app.decision.analysis.ratings import BEST, WORST, Steps
from app.decision.analysis.variation import Irrelevant, IrrelevantKind
from app.decision.record import DecisionRecord
from app.decision.schema.findings import Remark
from app.decision.schema.paths import Draft, is_list

SAID: Final = ("explanation", "user_verdict", "reason", "statement", "points")
"""Fields of a finding that hold people's own words."""
BY_PEOPLE: Final = ("redundant", "user_dismissed")
"""Reasons of people to call an objective irrelevant although it varies."""
_LISTS: Final = ("dominated_alternatives", "irrelevant_objectives", "tensions", "practical_dominance")
_ABOUT: Final = ("alternative_id", "objective_id", "by")
"""Fields that tell the subject of a finding."""
_SCALE: Final = range(WORST, BEST + 1)


def as_computed(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Write the findings into the draft; remark on claims that differ."""
    if so_far.analysis is None:
        return
    found = compute_findings(draft, so_far.analysis, claimed=True)
    claimed = {name: draft.get(name, []) for name in ("dominated_alternatives", "irrelevant_objectives", "tensions")}
    draft.pop("headline_conflict", None)
    draft |= found
    draft["swing_weights"] = _compute_swings(draft, so_far.analysis)
    if any(_is_different(rows, draft[name]) for name, rows in claimed.items()):
        yield Remark("Findings were set to what your ratings say.")


def remove_outdated(draft: Draft, so_far: DecisionRecord) -> Draft:
    """Return the draft without words on former findings.

    Fields count only if the server wrote them and now finds others.
    """
    if so_far.analysis is None:
        return draft
    found = compute_findings(draft, so_far.analysis)
    rows = {name: [_keep_outlasting(row, found[name]) for row in draft.get(name, [])] for name in _LISTS}
    heart = _name_older_pair(draft, so_far, so_far.analysis.headline)
    return {**draft, **rows, **({"headline_conflict": heart} if heart else {})}


def explain_uniform(each: Irrelevant) -> str:
    """Return the reason why an objective does not tell the options apart."""
    options = "Every option is" if each.kind is IrrelevantKind.NO_VARIATION else "All options that are left are"
    return f"{options} rated {each.rating:+d}.".replace("+0", "0")


def compute_findings(draft: Draft, analysis: Analysis, *, claimed: bool = False) -> dict[str, Any]:
    """Return all findings, each with the words of the draft on it.

    If the fields are only a model's claims, they do not tell the subject of the words.
    """
    if claimed:
        draft = {**draft, **{name: [_remove_claims(row) for row in draft.get(name, [])] for name in _LISTS}}
    sums = {score.alternative: score.net for score in analysis.scores}
    by_people = [each for each in draft.get("irrelevant_objectives", []) if each.get("kind") in BY_PEOPLE]
    return {
        "dominated_alternatives": [_build_dominated(draft, each) for each in analysis.dominance.dominated],
        "irrelevant_objectives": [_build_irrelevant(draft, each) for each in analysis.irrelevant] + by_people,
        "tensions": [_build_tension(draft, each, sums[each.alternative]) for each in analysis.tensions],
        "practical_dominance": [_build_practical(draft, each) for each in analysis.practical_dominance],
        **_build_headline(draft, analysis.headline),
    }


def _compute_swings(draft: Draft, analysis: Analysis) -> list[dict[str, Any]]:
    swings = [
        {"objective_id": each.objective, "worst": each.worst, "best": each.best, "points": row["points"]}
        for each in analysis.swings
        if "points" in (row := _find_row(draft, "swing_weights", objective_id=each.objective))
    ]
    dearest = sorted((each["points"] for each in swings), reverse=True)
    return [{**each, "rank": dearest.index(each["points"]) + 1} for each in swings]


def _build_irrelevant(draft: Draft, each: Irrelevant) -> dict[str, Any]:
    """Return the finding with people's own reason. The reason of a former finding is not theirs."""
    found = {"objective_id": each.objective, "kind": each.kind.value, "uniform_rating": each.rating}
    row = _find_row(draft, "irrelevant_objectives", objective_id=each.objective)
    reason = row.get("reason") if _is_same(row, found, "kind", "uniform_rating") else None
    known = [explain_uniform(replace(each, rating=rating, kind=kind)) for rating in _SCALE for kind in IrrelevantKind]
    return {**found, "reason": reason if reason and reason not in known else explain_uniform(each)}


def _build_dominated(draft: Draft, each: DominatedOption) -> dict[str, Any]:
    found = {
        "alternative_id": each.alternative,
        "dominated_by": each.dominated_by,
        "all_dominators": list(each.all_dominators),
        "kind": each.kind.value,
        "better_on": list(each.better_on),
        "equal_on": list(each.equal_on),
    }
    row = _find_row(draft, "dominated_alternatives", alternative_id=each.alternative)
    explained = _select_own(row, "explanation") if _is_same(row, found, "dominated_by") else {}
    return {**found, **explained, **_select_own(row, "user_verdict", "reason")}


def _build_tension(draft: Draft, each: Tension, net: int | None) -> dict[str, Any]:
    found = {
        "alternative_id": each.alternative,
        "gains": list(each.gains),
        "losses": list(each.losses),
        **({} if net is None else {"net_score": net}),
        "vs_status_quo": {"better": list(each.better), "worse": list(each.worse)},
    }
    row = _find_row(draft, "tensions", alternative_id=each.alternative)
    return {**found, **(_select_own(row, "statement") if _is_same(row, found, "gains", "losses") else {})}


def _build_practical(draft: Draft, each: PracticalDominance) -> dict[str, Any]:
    found = {
        "alternative_id": each.alternative,
        "by": each.by,
        "gives_up": [_build_steps(each.gives_up)],
        "gains": [_build_steps(gain) for gain in each.gains],
    }
    row = _find_row(draft, "practical_dominance", alternative_id=each.alternative, by=each.by)
    answered = _is_same(row, found, "gives_up", "gains")
    return {**found, **(_select_own(row, "user_verdict", "reason") if answered else {})}


def _build_steps(each: Steps) -> dict[str, Any]:
    return {"objective_id": each.objective, "steps": each.steps}


def _build_headline(draft: Draft, headline: Conflict | None) -> dict[str, Any]:
    """Return the pair that the ratings oppose, beside people's words on the heart of it, which always stay.

    `said_of` names what they were said of, as long as they are the same words.
    """
    row = draft.get("headline_conflict", {})
    found = {"objective_a_id": headline.one, "objective_b_id": headline.other} if headline else {}
    own, said_of = _select_own(row, "statement"), row.get("said_of", {})
    is_older = bool(own) and said_of.get("statement") == own["statement"]
    both = {**found, **own, **({"said_of": said_of} if is_older else {})}
    return {"headline_conflict": both} if both else {}


def _name_older_pair(draft: Draft, so_far: DecisionRecord, headline: Conflict | None) -> dict[str, Any]:
    """Return people's words on the heart of it, with the objectives they were said of if the ratings oppose others."""
    row: dict[str, Any] = draft.get("headline_conflict", {})
    pair = [row[name] for name in ("objective_a_id", "objective_b_id") if name in row]
    is_current = headline is not None and {*pair} == {headline.one, headline.other}
    if "statement" not in row or "said_of" in row or not pair or is_current:
        return row
    return {**row, "said_of": {"statement": row["statement"], "objectives": " against ".join(map(so_far.label, pair))}}


def _find_row(draft: Draft, name: str, **at: str) -> dict[str, Any]:
    """Return the draft's row for this finding; empty if there is none."""
    rows = (row for row in draft.get(name, []) if all(row.get(key) == handle for key, handle in at.items()))
    return next(rows, dict[str, Any]())


def _select_own(row: dict[str, Any], *words: str) -> dict[str, Any]:
    """Return those of the given fields that hold people's words."""
    return {name: row[name] for name in words if name in row}


def _remove_claims(row: dict[str, Any]) -> dict[str, Any]:
    if row.get("kind") in BY_PEOPLE:
        return row
    return {name: each for name, each in row.items() if name in _ABOUT or name in SAID}


def _keep_outlasting(row: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, Any]:
    about = {name: row[name] for name in _ABOUT if name in row}
    now = next((each for each in found if about.items() <= each.items()), row)
    is_people = row.get("kind") in BY_PEOPLE
    return {name: each for name, each in row.items() if is_people or name not in SAID or now.get(name) == each}


def _is_same(row: Mapping[str, Any], found: Mapping[str, Any], *names: str) -> bool:
    """Return True if the row has the subject of the finding.

    Missing fields claim nothing, and order does not matter.
    """
    return all(_is_alike(row.get(name, found[name]), found[name]) for name in names)


def _is_alike(one: Any, other: Any) -> bool:
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(each in other for each in one)
    return one == other


def _is_different(claimed: list[Mapping[str, Any]], computed: list[Mapping[str, Any]]) -> bool:
    """Return True if a claim is not among the findings, or one of its fields differs. Missing fields claim nothing."""
    return not all(any(row.items() >= claim.items() for row in computed) for claim in claimed)
