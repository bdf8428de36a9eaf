"""The worked example in the form that people and the model see, and short ways to judge a draft."""

from __future__ import annotations

import pickle
from copy import deepcopy
from datetime import date
from typing import Any

from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.handles import build_draft, map_handles
from app.decision.schema.paths import Draft
from tests.unit.decision.tables import COMPONENTS

TODAY = date(2026, 11, 21)
PLAYBOOK = load_proact()
KEYS = tuple(component.key for component in PLAYBOOK.components)
RECORDS: dict[str, Any] = {key: COMPONENTS[key] for key in KEYS}

MINIMAL: dict[str, Draft] = {
    "issue_raising": {
        "potential_decisions": [{"handle": "D1", "description": "Where to meet"}],
        "objectives": [],
        "uncertainties": [],
        "considerations": [],
    },
    "problem_frame": {
        "decision_maker": {"name": "Ada", "role": "Chair"},
        "focal_decision": {"statement": "Where do we meet in May?", "scope": "The May meeting", "constraints": []},
        "decision_hierarchy": {"already_made": [], "deferred": []},
        "parties": [],
    },
    "objectives": {
        "fundamental_objectives": [{"handle": "O1", "description": "Shorten the way"}],
        "means_objectives": [],
    },
    "alternatives": {
        "alternatives": [
            {"handle": "A1", "name": "Oslo", "description": "As always", "is_status_quo": True},
            {"handle": "A2", "name": "Bergen", "description": "By the sea"},
        ],
        "status_quo_id": "A1",
    },
    "consequences": {"table": {"cells": [{"alternative_id": "A2", "objective_id": "O1", "rating": 1}]}},
    "tradeoffs": {"user_understanding": "We lose nothing by going to Bergen."},
    "recommendation": {
        "synthesis": "Bergen is nearer for most of us, and nothing speaks for Oslo by these ratings.",
        "key_considerations": ["The hall in Bergen is small"],
    },
    "decision_quality": {
        "elements": [
            {"name": each["name"], "score": 70 + index}
            for index, each in enumerate(RECORDS["decision_quality"]["elements"])
        ]
    },
    "notes_next_steps": {},
}
"""The least that can be approved, component by component."""


A5_LEADS = {"A4_O1": -1, "A4_O2": -1, "A5_O3": 2, "A5_O4": 2, "A5_O5": 2}
"""Ratings by which A5 beats A4, and A6 as well, that A4 beat before."""


def _examples() -> dict[str, Draft]:
    names: dict[str, str] = {}
    drafts: dict[str, Draft] = {}
    for component in PLAYBOOK.components:
        drafts[component.key] = build_draft(component, RECORDS[component.key], names)
        names |= map_handles([RECORDS[component.key]])
    return drafts


_EXAMPLES = _examples()
_PICKLED = {key: pickle.dumps(draft) for key, draft in _EXAMPLES.items()}
"""The drafts in a form that is copied ten times as fast."""


def example(key: str) -> Draft:
    """The example's draft of a component; a fresh copy."""
    return pickle.loads(_PICKLED[key])


def undated(draft: Draft) -> Draft:
    """The draft without the server's notes of what amounts and texts were written for."""
    bare = {name: each for name, each in deepcopy(draft).items() if name != "written_for"}
    for cell in bare.get("table", {}).get("cells", []):
        cell.pop("amount_for", None)
    return bare


def minimal(key: str) -> Draft:
    """The smallest draft of a component; a fresh copy."""
    return deepcopy(MINIMAL[key])


def named(words: str) -> Draft:
    """The smallest draft of the issues, with a decision of this name."""
    draft = minimal("issue_raising")
    draft["potential_decisions"][0]["description"] = words
    return draft


def rerated(**ratings: int) -> Draft:
    """The example's ratings with some changed, such as `A4_O1=-1`, and without the amounts that stood beside them."""
    consequences = example("consequences")
    for each in consequences["table"]["cells"]:
        if (at := f"{each['alternative_id']}_{each['objective_id']}") in ratings:
            each["rating"] = ratings[at]
            each.pop("quant_value", None)
    return consequences


def before(key: str, drafts: dict[str, Draft] | None = None, **changed: Draft) -> DecisionRecord:
    """What is approved when the component begins: the example's results, or other ones."""
    keys = [each.key for each in PLAYBOOK.earlier(key)]
    results = {each: deepcopy(drafts[each]) if drafts else example(each) for each in keys}
    return DecisionRecord({**results, **deepcopy(changed)}, TODAY)


def accepted(key: str, draft: Any, so_far: DecisionRecord | None = None) -> Accepted:
    """The draft, judged; it has to be accepted."""
    judged = read(PLAYBOOK[key], draft, so_far or before(key))
    assert isinstance(judged, Accepted), judged
    return judged


def refused(key: str, draft: Any, so_far: DecisionRecord | None = None) -> dict[str, str]:
    """The problem of each field, or what it has to be where it is missing; the draft has to be refused."""
    judged = read(PLAYBOOK[key], draft, so_far or before(key))
    assert isinstance(judged, Rejected), judged
    return {issue.field: issue.problem or issue.requirement for issue in judged.issues}


def remarks(key: str, draft: Any, so_far: DecisionRecord | None = None) -> str:
    """All that people are told of the draft, in one text; what blocks is marked."""
    return "\n".join(("! " if each.blocking else "") + each.text for each in accepted(key, draft, so_far).remarks)


def rated(rows: dict[str, list[int]], key: str = "tradeoffs", **doubt: str) -> DecisionRecord:
    """A decision with these ratings; the first option is the status quo. `A2_O1="high"` makes a rating doubtful."""
    objectives = [f"O{n}" for n in range(1, len(next(iter(rows.values()))) + 1)]
    cells = [
        {
            "alternative_id": alternative,
            "objective_id": objective,
            "rating": rating,
            **({"uncertainty": {"level": level}} if (level := doubt.get(f"{alternative}_{objective}")) else {}),
        }
        for alternative, ratings in rows.items()
        for objective, rating in zip(objectives, ratings, strict=True)
    ]
    drafts: dict[str, Draft] = {each: minimal(each) for each in KEYS}
    drafts["objectives"]["fundamental_objectives"] = [
        {"handle": each, "description": f"Aim {each}"} for each in objectives
    ]
    drafts["alternatives"]["alternatives"] = [
        {"handle": each, "name": f"Way {each}", "description": each} for each in rows
    ]
    drafts["consequences"] = {"table": {"cells": cells}}
    return before(key, drafts)


def cell(ratings: DecisionRecord | Draft, option: str, objective: str) -> dict[str, Any]:
    """One rating of a decision or of a draft of its ratings, to look at and to change."""
    table = ratings.results["consequences"] if isinstance(ratings, DecisionRecord) else ratings
    at = (option, objective)
    return next(each for each in table["table"]["cells"] if (each["alternative_id"], each["objective_id"]) == at)


def ranged(so_far: DecisionRecord, **ranges: tuple[int, int]) -> DecisionRecord:
    """The same with ranges, such as `A2_O1=(0, 2)`."""
    for at, (low, high) in ranges.items():
        cell(so_far, *at.split("_"))["rating_range"] = {"low": low, "high": high}
    return so_far


def amounting(so_far: DecisionRecord, **amounts: float) -> DecisionRecord:
    """The same with amounts beside its ratings, such as `A2_O1=20`."""
    for at, amount in amounts.items():
        cell(so_far, *at.split("_"))["quant_value"] = amount
    return so_far
