"""The ratings that people's notes were written for, so that notes on other ratings can be marked."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft, find_values

NOTES: Final = (
    "user_understanding",
    "synthesis",
    "sensitivity_notes",
    "user_leaning",
    "standout_option.rationale",
    "key_considerations[]",
    "regret_notes[].worst_give_up",
)
"""Places of people's words about the table."""
DATES: Final = "written_for"


def date_notes(draft: Draft, so_far: DecisionRecord) -> None:
    """Write beside each note the ratings it was written for; a note that is unchanged keeps them."""
    if so_far.analysis is None:
        return
    dates = [_date_note(field, text, draft, so_far) for field in NOTES for text in find_values(draft, field)]
    draft.pop(DATES, None)
    if dates:
        draft[DATES] = dates


def is_note_of_before(draft: Mapping[str, Any], field: str, text: str, so_far: DecisionRecord) -> bool:
    """Return True if this text of the field was written for other ratings than the approved ones."""
    found = _find_date(draft, field, _digest(text))
    return bool(found) and so_far.analysis is not None and found["ratings"] != _digest_ratings(so_far)


def find_version(draft: Mapping[str, Any], field: str, text: str) -> int | None:
    """Return the version of the ratings that this text of the field was written for; None if that is not known."""
    return _find_date(draft, field, _digest(text)).get("version")


def _date_note(field: str, text: str, draft: Draft, so_far: DecisionRecord) -> dict[str, Any]:
    words = _digest(text)
    known = _find_date(draft, field, words) or _find_date(so_far.before, field, words)
    version = {"version": so_far.numbers["consequences"]} if "consequences" in so_far.numbers else {}
    return known or {"field": field, "words": words, "ratings": _digest_ratings(so_far), **version}


def _find_date(draft: Mapping[str, Any], field: str, words: str) -> dict[str, Any]:
    dates: list[dict[str, Any]] = find_values(draft, f"{DATES}[]")
    return next((each for each in dates if (each["field"], each["words"]) == (field, words)), dict[str, Any]())


def _digest_ratings(so_far: DecisionRecord) -> str:
    cells = find_values(so_far.results.get("consequences"), "table.cells[]")
    return _digest(
        sorted(
            (each["alternative_id"], each["objective_id"], each["rating"])
            for each in cells
            if each["alternative_id"] in so_far.alternatives and each["objective_id"] in so_far.objectives
        )
    )


def _digest(said: object) -> str:
    return sha256(repr(said).encode()).hexdigest()[:16]
