"""The ratings that people's notes were written for, so that notes on other ratings can be marked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from app.decision.analysis.ratings import At
from app.decision.record import DecisionRecord
from app.decision.rows import find_place
from app.decision.schema.paths import Draft, find_values, is_object, omit

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
GAP: Final = "."
"""A rating that is missing in a table."""


class Since(StrEnum):
    """What is otherwise in the table of ratings since a note was written."""

    RATINGS = "ratings"
    """A rating, or what exactly is not known: a note of before holds no table."""
    OPTIONS = "options"
    """Options were added or taken out, and the ratings of the others are the same."""
    OBJECTIVES = "objectives"
    BOTH = "options and objectives"


def date_notes(draft: Draft, so_far: DecisionRecord, said_again: Collection[str] = ()) -> None:
    """Write beside each note the ratings it was written for; a note that is unchanged and not said again keeps them."""
    if so_far.analysis is None:
        return
    known = (*find_values(so_far.before, f"{DATES}[]"), *find_values(draft, f"{DATES}[]"))
    tables = {each["ratings"]: each["table"] for each in known if "table" in each}
    tables[_digest_ratings(so_far)] = _write_table(so_far)
    notes = ((field, text, text in said_again) for field, text in list_notes(draft))
    dates = [_date_note(field, text, draft, so_far, is_new=is_new) for field, text, is_new in notes]
    draft.pop(DATES, None)
    if dates:
        draft[DATES] = [*_add_tables(dates, tables)]


def hold_notes(draft: Draft, so_far: DecisionRecord, texts: Collection[str] | None = None) -> Draft:
    """Return the draft with its notes of these texts, or all, written for the ratings of now: people say they hold."""
    said = {text for _, text in list_notes(draft) if texts is None or text in texts}
    known = {**draft, DATES: [*find_values(draft, f"{DATES}[]"), *find_values(so_far.before, f"{DATES}[]")]}
    if all(find_change(known, field, text, so_far) is None for field, text in list_notes(draft) if text in said):
        return draft
    held = deepcopy(draft)
    date_notes(held, so_far, said)
    return held


def list_notes(draft: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return people's words about the table, each with its place."""
    return [(field, text) for field in NOTES for text in find_values(draft, field)]


def keep_dates(submitted: Any, before: Mapping[str, Any]) -> Any:
    """Return data of a model with the ratings that notes were written for, since it is never asked for them."""
    return {**submitted, DATES: before[DATES]} if is_object(submitted) and DATES in before else submitted


def find_change(draft: Mapping[str, Any], field: str, text: str, so_far: DecisionRecord) -> Since | None:
    """Return what is otherwise in the approved table since this text of the field was written; None if nothing is."""
    digest = _find_date(draft, field, _digest(text)).get("ratings")
    if digest is None or so_far.analysis is None or digest == _digest_ratings(so_far):
        return None
    dates = find_values(draft, f"{DATES}[]")
    then = next((each["table"] for each in dates if each["ratings"] == digest and "table" in each), None)
    return Since.RATINGS if then is None else _compare_tables(_read_table(then), _read_table(_write_table(so_far)))


def find_version(draft: Mapping[str, Any], field: str, text: str) -> int | None:
    """Return the version of the ratings that this text of the field was written for; None if that is not known."""
    return _find_date(draft, field, _digest(text)).get("version")


def _date_note(field: str, text: str, draft: Draft, so_far: DecisionRecord, *, is_new: bool) -> dict[str, Any]:
    words = _digest(text)
    known = None if is_new else _find_date(draft, field, words) or _find_date(so_far.before, field, words)
    version = {"version": so_far.numbers["consequences"]} if "consequences" in so_far.numbers else {}
    return known or {"field": field, "words": words, "ratings": _digest_ratings(so_far), **version}


def _find_date(draft: Mapping[str, Any], field: str, words: str) -> dict[str, Any]:
    dates: list[dict[str, Any]] = find_values(draft, f"{DATES}[]")
    return next((each for each in dates if (each["field"], each["words"]) == (field, words)), dict[str, Any]())


def _add_tables(dates: Iterable[dict[str, Any]], tables: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the dates, the first of each table with it: several notes are mostly written for the same one."""
    told = set[str]()
    for each in dates:
        digest, bare = each["ratings"], omit(each, "table")
        yield {**bare, "table": tables[digest]} if digest in tables and digest not in told else bare
        told.add(digest)


def _write_table(so_far: DecisionRecord) -> str:
    """Return the approved ratings as text: a row with the objectives, then one for each option."""
    cells = {find_place(each): each["rating"] for each in _list_cells(so_far)}
    objectives, options = (dict.fromkeys(at[side] for at in cells) for side in (1, 0))
    rows = [[option, *(str(cells.get((option, each), GAP)) for each in objectives)] for option in options]
    return "; ".join(map(" ".join, [[*objectives], *rows]))


def _read_table(text: str) -> dict[At, str]:
    objectives, *rows = (row.split(" ") for row in text.split("; "))
    return {(option, each): rating for option, *row in rows for each, rating in zip(objectives, row, strict=True)}


def _compare_tables(then: Mapping[At, str], now: Mapping[At, str]) -> Since:
    if any(then[at] != now[at] for at in then.keys() & now.keys()):
        return Since.RATINGS
    options, objectives = ({at[side] for at in then} != {at[side] for at in now} for side in (0, 1))
    return Since.BOTH if options and objectives else Since.OPTIONS if options else Since.OBJECTIVES


def _digest_ratings(so_far: DecisionRecord) -> str:
    return _digest(sorted((*find_place(each), each["rating"]) for each in _list_cells(so_far)))


def _list_cells(so_far: DecisionRecord) -> list[Mapping[str, Any]]:
    cells = find_values(so_far.results.get("consequences"), "table.cells[]")
    return [
        each
        for each in cells
        if each["alternative_id"] in so_far.alternatives and each["objective_id"] in so_far.objectives
    ]


def _digest(said: object) -> str:
    return sha256(repr(said).encode()).hexdigest()[:16]
