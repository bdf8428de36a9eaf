"""Corrections of facts that an earlier step has approved: its version stays as it is, and later steps know better.

The step that hears the correction holds it, with the words that it replaces. Where those are replaced in their own step
as well, the correction is settled, and no longer told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from app.decision.schema.paths import Draft, find_values, is_object, omit, read_name
from app.decision.schema.similarity import normalize

CORRECTIONS: Final = "corrections"
"""List of a draft that the server keeps: one item for each fact, with the handle of the fact."""
WORDS: Final = "text"
"""Field with the words that hold now; the only one that the model gives."""
EVIDENCE: Final = "evidence"
"""Field of an item with the quotes that it comes from."""
QUOTES: Final = 5
"""Quotes that an item holds; the newest stay."""
_FACTS: Final = ("issue_raising", "considerations[]")
"""Step and list of the facts that later steps may correct."""


def find_fact(results: Mapping[str, Draft], handle: str) -> Mapping[str, Any] | None:
    """Return the approved fact with this handle that a later step may correct."""
    step, path = _FACTS
    return next((each for each in find_values(results.get(step), path) if each["handle"] == handle), None)


def find_correction(drafts: Iterable[Mapping[str, Any]], fact: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what the last of these drafts says instead of a fact; None if none does, or if it has other words now."""
    found = [each for draft in drafts for each in find_values(draft, f"{CORRECTIONS}[]")]
    told = [each for each in found if each["handle"] == fact["handle"] and each["was"] == read_name(fact)]
    return told[-1] if told else None


def mark_corrected(result: Draft, tell: Callable[[Mapping[str, Any]], str]) -> Draft:
    """Return a result whose facts say what was corrected of them, as far as `tell` has words for it."""
    marked = deepcopy(result)
    for each in find_values(marked, _FACTS[1]):
        if told := tell(each):
            each[WORDS] = f"{each[WORDS]} – {told}"
    return marked


def write_correction(
    draft: Draft, fact: Mapping[str, Any], given: Mapping[str, Any], step: str, quotes: Iterable[str]
) -> Draft:
    """Return the draft with what people say instead of a fact. Quotes of other words are left out."""
    rest = [each for each in draft.get(CORRECTIONS, ()) if each["handle"] != fact["handle"]]
    old = next((each for each in draft.get(CORRECTIONS, ()) if each["handle"] == fact["handle"]), dict[str, Any]())
    item = {"handle": fact["handle"], "was": read_name(fact), **({WORDS: old[WORDS]} if old else {}), **given}
    return {**draft, CORRECTIONS: [*rest, add_quotes({**item, "step": step}, old, quotes)]}


def add_quotes(item: Mapping[str, Any], before: Mapping[str, Any], quotes: Iterable[str]) -> dict[str, Any]:
    """Return an item with these quotes behind those that it had before; of other words, those are left out."""
    held: list[Any] = before.get(EVIDENCE, []) if normalize(read_name(before)) == normalize(read_name(item)) else []
    evidence = [*held, *({"quote": each} for each in quotes)][-QUOTES:]
    return {**omit(item, EVIDENCE), **({EVIDENCE: evidence} if evidence else {})}


def find_lost_quotes(before: Any, after: Any) -> dict[str, Any]:
    """Return the quotes that an item had, as its field, if it has none now."""
    is_lost = is_object(before) and EVIDENCE in before and EVIDENCE not in after
    return {EVIDENCE: before[EVIDENCE]} if is_lost else {}


def drop_correction(draft: Draft, handle: str) -> Draft:
    """Return the draft without what people said instead of a fact."""
    rest = [each for each in draft.get(CORRECTIONS, ()) if each["handle"] != handle]
    bare = omit(draft, CORRECTIONS)
    return {**bare, CORRECTIONS: rest} if rest else bare


def keep_corrections(submitted: Any, before: Mapping[str, Any]) -> Any:
    """Return data of a model with the corrections that were noted before it, since it is never asked for them."""
    if not is_object(submitted):
        return submitted
    bare = omit(submitted, CORRECTIONS)
    return {**bare, CORRECTIONS: before[CORRECTIONS]} if CORRECTIONS in before else bare
