"""Findings of the analysis in a tradeoffs draft: people's words stay, a model's claims are replaced.

Words on a finding are dropped when another finding takes its place, because nobody said them of that one: a verdict on
an option is one beside the option that dominates it. If people kept an option and another one dominates it too, the row
names those it was kept beside, and the new one is shown. What people call the heart of their decision, and what they
say that an option wins and gives up, is theirs and always stays; it names what it was said of once the ratings speak of
something else. A model's claim of another finding does not remove people's words. Swing points stay with the range they
were given for: while the ratings give another one they are kept, and count for nothing.

Without approved ratings there is nothing to compute, and the draft stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.decision.analysis.analysis import Analysis
from app.decision.analysis.conflict import Conflict, PracticalDominance, Tension
from app.decision.analysis.dominance import DisputedDominance, DominatedOption
from app.decision.analysis.ratings import BEST, WORST, Steps
from app.decision.analysis.scores import compute_nets
from app.decision.analysis.swing import GivenPoints, Swing
from app.decision.analysis.variation import Irrelevant, IrrelevantKind
from app.decision.record import DecisionRecord
from app.decision.rows import BY_PEOPLE, read_points
from app.decision.schema.findings import Remark
from app.decision.schema.paths import Draft, find_values, is_list, is_object, omit
from app.decision.schema.terms import format_signed

SAID: Final = ("explanation", "user_verdict", "reason", "statement", "points")
"""Fields of a finding that hold people's own words."""
FOR_IT: Final = "{objectives} for it"
AGAINST_IT: Final = "{objectives} against it"
NOTHING: Final = "nothing for or against it"
_LISTS: Final = ("dominated_alternatives", "irrelevant_objectives", "tensions", "practical_dominance")
_ABOUT: Final = ("alternative_id", "objective_id", "by")
"""Fields that tell the subject of a finding."""
_NOTES: Final = ("said_of", "kept_beside")
"""Fields in which the server notes of what people spoke before."""
_SCALE: Final = range(WORST, BEST + 1)


def as_computed(draft: Draft, so_far: DecisionRecord) -> Iterator[Remark]:
    """Write the findings into the draft; remark on claims that differ."""
    analysis = so_far.analyse_by(draft)
    if analysis is None:
        return
    claimed = {name: draft.get(name, []) for name in ("dominated_alternatives", "irrelevant_objectives", "tensions")}
    _replace_findings(draft, compute_findings(draft, analysis, claimed=True))
    # Some verdicts count for exactly one finding, and only after the first pass do they stand beside it.
    analysis = so_far.analyse_by(draft) or analysis
    _replace_findings(draft, compute_findings(draft, analysis))
    draft["swing_weights"] = assign_points(draft, analysis, so_far.before)
    if any(_is_different(rows, draft[name]) for name, rows in claimed.items()):
        yield Remark("Findings were set to what your ratings say.")


def remove_computed(draft: Mapping[str, Any]) -> Draft:
    """Return the draft with people's words on the findings only: the findings are told as the analysis has them."""
    rows = {name: [omit(_remove_claims(row), *_NOTES) for row in draft[name]] for name in _LISTS if name in draft}
    said = {name: [row for row in found if not row.keys() <= {*_ABOUT}] for name, found in rows.items()}
    heart = _select_own(draft.get("headline_conflict", {}), "statement")
    points = [_select_own(row, "objective_id", "points", "former") for row in draft.get("swing_weights", [])]
    return {
        **draft,
        **said,
        **({"headline_conflict": heart} if "headline_conflict" in draft else {}),
        **({"swing_weights": points} if points else {}),
    }


def _replace_findings(draft: Draft, found: Mapping[str, Any]) -> None:
    draft.pop("headline_conflict", None)
    draft |= found


def remove_outdated(draft: Draft, so_far: DecisionRecord) -> Draft:
    """Return the draft without words on former findings.

    Fields count only if the server wrote them and now finds others.
    """
    analysis = so_far.analyse_by(draft)
    if analysis is None:
        return draft
    found = compute_findings(draft, analysis)
    lists = [name for name in _LISTS if name != "tensions"]
    rows = {name: [_keep_outlasting(row, found[name]) for row in draft.get(name, [])] for name in lists}
    rows["dominated_alternatives"] = [
        *map(_name_kept, draft.get("dominated_alternatives", []), rows["dominated_alternatives"])
    ]
    rows["tensions"] = [_name_older_gains(row, found["tensions"], so_far) for row in draft.get("tensions", [])]
    heart = _name_older_pair(draft, so_far, analysis)
    return {**draft, **rows, **({"headline_conflict": heart} if heart else {})}


def explain_uniform(each: Irrelevant) -> str:
    """Return the reason why an objective does not tell the options apart."""
    options = "Every option is" if each.kind is IrrelevantKind.NO_VARIATION else "All options that are left are"
    return f"{options} rated {format_signed(each.rating)}."


def compute_findings(draft: Draft, analysis: Analysis, *, claimed: bool = False) -> dict[str, Any]:
    """Return all findings, each with the words of the draft on it.

    If the fields are only a model's claims, they do not tell the subject of the words.
    """
    if claimed:
        draft = {**draft, **{name: [_remove_claims(row) for row in draft.get(name, [])] for name in _LISTS}}
    sums = compute_nets(analysis.scores)
    by_people = [each for each in draft.get("irrelevant_objectives", []) if each.get("kind") in BY_PEOPLE]
    return {
        "dominated_alternatives": [
            *(_build_dominated(draft, each, claimed=claimed) for each in analysis.dominance.dominated),
            *(_build_disputed(draft, each, claimed=claimed) for each in analysis.dominance.disputed),
        ],
        "irrelevant_objectives": [_build_irrelevant(draft, each) for each in analysis.irrelevant] + by_people,
        "tensions": [
            *(_build_tension(draft, each, sums[each.alternative]) for each in analysis.tensions),
            *_list_other_statements(draft, analysis.tensions),
        ],
        "practical_dominance": [_build_practical(draft, each) for each in analysis.practical_dominance],
        **_build_headline(draft, analysis.headline),
    }


def assign_points(
    draft: Mapping[str, Any], analysis: Analysis, before: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of swing points: first those asked about, then points for ranges that are gone.

    Points count for the range that their row names, or else for that of the ratings. A number that only repeats the one
    of `before` belongs to the range it had there. Points for another range are kept as `former`, and count again if
    that range returns.
    """
    asked = {each.objective: each for each in analysis.swings}
    handles = dict.fromkeys((*asked, *(row["objective_id"] for row in draft.get("swing_weights", []))))
    given = [_read_row(draft, before or {}, each) for each in handles]
    rows = [_place_points(asked.get(each.objective), each) for each in given if each]
    rows = [row for row in rows if row]
    dearest = sorted((row["points"] for row in rows if "points" in row), reverse=True)
    return [{**row, "rank": dearest.index(row["points"]) + 1} if "points" in row else row for row in rows]


def find_put_aside(draft: Draft, so_far: DecisionRecord) -> dict[str, dict[str, Any]]:
    """Return the rows of points that were given for another range than now, by objective."""
    analysis = so_far.analyse_by(draft)
    rows = assign_points(draft, analysis) if analysis else []
    return {row["objective_id"]: row for row in rows if "former" in row}


def restore_points(submitted: Any, before: Draft, so_far: DecisionRecord) -> Any:
    """Return a model's submission, of any shape, with the points that are put aside `before`.

    It has no place for them, so to leave them out drops nothing, and to repeat the number says nothing anew. A number
    that was said anew in the talk is for the range that it got there, also if an approved version had the same.
    """
    rows = submitted.get("swing_weights", []) if is_object(submitted) else None
    if not find_values(before, "swing_weights[]") or not is_object(submitted) or not is_list(rows):
        return submitted
    held = find_put_aside(before, so_far)
    given = [each for each in rows if is_object(each) and str(each.get("objective_id")) in held]
    anew = [each["objective_id"] for each in given if _is_anew(each, held[each["objective_id"]])]
    kept = {objective: row for objective, row in held.items() if objective not in anew}
    others = [each for each in rows if not is_object(each) or str(each.get("objective_id")) not in kept]
    ranged = [_add_noted_range(each, before) if is_object(each) else each for each in others]
    return {**submitted, "swing_weights": [*ranged, *kept.values()]}


def _add_noted_range(row: Mapping[str, Any], before: Draft) -> Mapping[str, Any]:
    noted = _find_row(before, "swing_weights", objective_id=row.get("objective_id"))
    is_same = "worst" not in row and {"worst", "best"} <= noted.keys() and row.get("points") == noted.get("points")
    return {**row, "worst": noted["worst"], "best": noted["best"]} if is_same else row


def _is_anew(row: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    return "points" in row and (row["points"] != held["former"]["points"] or "worst" in row)


def add_range(row: Mapping[str, Any], draft: Draft, so_far: DecisionRecord) -> dict[str, Any]:
    """Return a row of swing points that people gave just now, with the range that the ratings have now."""
    analysis = so_far.analyse_by(draft)
    swings = analysis.swings if analysis else ()
    span = [(each.worst, each.best) for each in swings if each.objective == row.get("objective_id")]
    bare = omit(row, "worst", "best", "rank", "former")
    return {**bare, **({"worst": span[0][0], "best": span[0][1]} if span else {})}


def add_dispute(row: Mapping[str, Any], draft: Draft, so_far: DecisionRecord) -> dict[str, Any]:
    """Return a verdict that people gave just now, with the amounts that speak for its option: it was said of these."""
    analysis = so_far.analyse_by(draft)
    found = analysis.dominance.disputed if analysis else ()
    own = (each for each in found if each.alternative == row.get("alternative_id"))
    beside = next((each for each in own if row.get("dominated_by") in (None, each.by)), None)
    return {**row, **({"dominated_by": beside.by, "disputed_on": list(beside.despite)} if beside else {})}


def _read_row(draft: Mapping[str, Any], before: Mapping[str, Any], objective: str) -> GivenPoints | None:
    row = _find_row(draft, "swing_weights", objective_id=objective)
    if "points" not in row:
        return read_points({**row["former"], "objective_id": objective}) if "former" in row else None
    if "former" in row:  # somebody gave points anew, beside the former ones
        return GivenPoints(objective, row["points"])
    last = _find_row(before, "swing_weights", objective_id=objective)
    earlier = {**last.get("former", last), "objective_id": objective}
    return read_points(earlier if "worst" not in row and row["points"] == earlier.get("points") else row)


def _place_points(asked: Swing | None, given: GivenPoints) -> dict[str, Any]:
    """Return the points beside the range of now, or apart with the range they were given for; empty without either."""
    if asked and given.fits(asked):
        return {"objective_id": asked.objective, "worst": asked.worst, "best": asked.best, "points": given.points}
    former = {"points": given.points, "worst": given.worst, "best": given.best}
    return {"objective_id": given.objective, "former": former} if None not in former.values() else {}


def _build_irrelevant(draft: Draft, each: Irrelevant) -> dict[str, Any]:
    """Return the finding with people's own reason. The reason of a former finding is not theirs."""
    found = {"objective_id": each.objective, "kind": each.kind.value, "uniform_rating": each.rating}
    row = _find_row(draft, "irrelevant_objectives", objective_id=each.objective)
    reason = row.get("reason") if _is_same(row, found, "kind", "uniform_rating") else None
    known = [explain_uniform(replace(each, rating=rating, kind=kind)) for rating in _SCALE for kind in IrrelevantKind]
    return {**found, "reason": reason if reason and reason.replace("-", "−") not in known else explain_uniform(each)}


def _build_dominated(draft: Draft, each: DominatedOption, *, claimed: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "alternative_id": each.alternative,
        "dominated_by": each.dominated_by,
        "all_dominators": list(each.all_dominators),
        "kind": each.kind.value,
        "better_on": list(each.better_on),
        "equal_on": list(each.equal_on),
        **({"disputed_on": list(each.despite)} if each.despite else {}),
    }
    row = _find_row(draft, "dominated_alternatives", alternative_id=each.alternative)
    kept_beside = [by for by in row.get("kept_beside", []) if by in each.all_dominators]
    return found | _select_said(draft, found, claimed=claimed) | ({"kept_beside": kept_beside} if kept_beside else {})


def _name_kept(before: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Return the row, with the options that this one was kept beside if it is kept no longer."""
    if before.get("user_verdict") != "keep" or "user_verdict" in row:
        return row
    beside = (before.get("dominated_by"), *before.get("all_dominators", ()))
    return {**row, "kept_beside": [*dict.fromkeys(filter(None, beside))]}


def _build_disputed(draft: Draft, each: DisputedDominance, *, claimed: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "alternative_id": each.alternative,
        "dominated_by": each.by,
        "better_on": list(each.better_on),
        "disputed_on": list(each.despite),
    }
    return found | _select_said(draft, found, claimed=claimed)


def _select_said(draft: Draft, found: dict[str, Any], *, claimed: bool) -> dict[str, Any]:
    """Return people's words on a dominance. Setting aside despite amounts was said of these amounts or not at all."""
    row = _find_row(draft, "dominated_alternatives", alternative_id=found["alternative_id"])
    if not _is_same(row, found, "dominated_by"):
        return {}
    disputed = found.get("disputed_on", [])
    is_known = claimed or not disputed or _is_alike(row.get("disputed_on"), disputed)
    if row.get("user_verdict") == "set_aside" and not is_known:
        return _select_own(row, "explanation")
    return _select_own(row, "explanation", "user_verdict", "reason")


def _build_tension(draft: Draft, each: Tension, net: int | None) -> dict[str, Any]:
    found = {
        "alternative_id": each.alternative,
        "gains": list(each.gains),
        "losses": list(each.losses),
        **({} if net is None else {"net_score": net}),
        "vs_status_quo": {"better": list(each.better), "worse": list(each.worse)},
    }
    return {**found, **_select_statement(_find_row(draft, "tensions", alternative_id=each.alternative))}


def _list_other_statements(draft: Draft, found: Iterable[Tension]) -> Iterator[dict[str, Any]]:
    """Yield what people said that the other options win and give up, such as those that are set aside."""
    left = {each.alternative for each in found}
    for row in draft.get("tensions", []):
        if "statement" in row and row["alternative_id"] not in left:
            yield {"alternative_id": row["alternative_id"], **_select_statement(row)}


def _select_statement(row: dict[str, Any]) -> dict[str, Any]:
    """Return people's words, with what they were said of as long as they are the same words."""
    own, said_of = _select_own(row, "statement"), row.get("said_of", {})
    is_older = bool(own) and said_of.get("statement") == own["statement"]
    return {**own, **({"said_of": said_of} if is_older else {})}


def _name_older_gains(row: dict[str, Any], found: list[dict[str, Any]], so_far: DecisionRecord) -> dict[str, Any]:
    """Return people's words on an option, with its gains and losses then if the ratings give others."""
    if "statement" not in row:
        return row
    now = next((each for each in found if each["alternative_id"] == row["alternative_id"]), dict[str, Any]())
    older = row.get("said_of", {})
    said_of = older.get("objectives") if older.get("statement") == row["statement"] else _describe_gains(row, so_far)
    bare = omit(row, "said_of")
    if not said_of or said_of == _describe_gains(now, so_far):
        return bare
    return {**bare, "said_of": {"statement": row["statement"], "objectives": said_of}}


def _describe_gains(row: Mapping[str, Any], so_far: DecisionRecord) -> str:
    """Return on what an option was the best and the weakest; empty if the row does not tell."""
    sides = ((FOR_IT, row.get("gains", [])), (AGAINST_IT, row.get("losses", [])))
    told = [side.format(objectives=", ".join(map(so_far.label, handles))) for side, handles in sides if handles]
    return " and ".join(told) or (NOTHING if "gains" in row else "")


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
    both = {**found, **_select_statement(row)}
    return {"headline_conflict": both} if both else {}


def _name_older_pair(draft: Draft, so_far: DecisionRecord, analysis: Analysis) -> dict[str, Any]:
    """Return people's words on the heart of it, with what they were said of if the ratings oppose others more often."""
    row: dict[str, Any] = draft.get("headline_conflict", {})
    pair = [row[name] for name in ("objective_a_id", "objective_b_id") if name in row]
    opposed = (*([analysis.headline] if analysis.headline else []), *analysis.as_opposed)
    is_current = {*pair} in [{each.one, each.other} for each in opposed]
    if "statement" not in row or "said_of" in row or not pair or is_current:
        return row
    return {**row, "said_of": {"statement": row["statement"], "objectives": " against ".join(map(so_far.label, pair))}}


def _find_row(draft: Mapping[str, Any], name: str, **at: Any) -> dict[str, Any]:
    """Return the draft's row for this finding; empty if there is none."""
    rows = (row for row in draft.get(name, []) if all(row.get(key) == handle for key, handle in at.items()))
    return next(rows, dict[str, Any]())


def _select_own(row: dict[str, Any], *words: str) -> dict[str, Any]:
    """Return those of the given fields that hold people's words."""
    return {name: row[name] for name in words if name in row}


def _remove_claims(row: dict[str, Any]) -> dict[str, Any]:
    if row.get("kind") in BY_PEOPLE:
        return row
    return {name: each for name, each in row.items() if name in _ABOUT or name in SAID or name in _NOTES}


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
