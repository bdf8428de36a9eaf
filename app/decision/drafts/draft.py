"""Judgment of the model's submission: a draft to show to people, or issues to correct.

The order: clean strings, drop nulls, replace synonyms, check the schema, check the rules, and last derive values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.core.conversation.redaction import DELETED
from app.core.text.labels import join_words
from app.core.text.untrusted import Json, clean
from app.decision.drafts.derived import derive, keep_outlasting, resolve_aliases
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED
from app.decision.rules.checks import check_rules, list_missing
from app.decision.schema.component import Component
from app.decision.schema.corrections import QUOTES
from app.decision.schema.feedback import list_corrections
from app.decision.schema.findings import Issue, Remark, select_issues, select_remarks
from app.decision.schema.handles import list_handles, prune, renumber
from app.decision.schema.paths import BY_HAND, Draft, find_value, is_list, is_object, read_name, walk_objects
from app.decision.schema.similarity import normalize, split_words
from app.decision.schema.validation import find_schema_issues

LEFT_BEHIND: Final = "Noted before, but not in this draft: {items}. Write if it belongs in."
ROOM: Final = 200
"""Characters that a card has for one remark."""
SERVERS: Final = (BY_HAND, DELETED)
"""Values of `message_id` that only the server may write."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Data that people can be shown. They cannot approve it while something is missing."""

    draft: Draft
    remarks: tuple[Remark, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def blocked(self) -> bool:
        """Return True while an inconsistency is open."""
        return any(remark.blocking for remark in self.remarks)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Data that the model has to correct."""

    issues: tuple[Issue, ...]


def read(
    component: Component, submitted: Json, so_far: DecisionRecord, draft: Draft | None = None
) -> Accepted | Rejected:
    """Judge a submission. What may be unsaid is no error of it, but needed.

    Raises `ExtractionError` if it is nested too deep. The result continues `draft`, or else the version before: their
    items keep their handles. No handle is given a second time.
    """
    data: Any = resolve_aliases(component, tidy(clean(submitted)))
    wrong = tuple(each for each in find_schema_issues(component, data) if not each.waits)
    wrong = wrong or select_issues(check_rules(component, data, so_far))
    if wrong:
        return Rejected(wrong)
    known = (*so_far.handles, *list_handles([draft or so_far.before]))
    mine, changed = derive(component, renumber(component, data, so_far.spent, known), so_far)
    return _accept(component, mine, so_far, changed)


def refresh_draft(component: Component, draft: Draft, so_far: DecisionRecord) -> Accepted:
    """Return a draft after an earlier step has changed, without dangling references and with remarks on them.

    Data that would be refused now stays in the draft, so that nothing of people's is lost. Approval has to wait until
    it is corrected.
    """
    draft, changed = derive(component, keep_outlasting(component, draft, so_far), so_far)
    draft, missed = prune(component, draft, so_far.handles)
    so_far = replace(so_far, before=draft)  # nothing is newly planned here, so a day that has passed since is no error
    names = (f"{each} {so_far.former.get(each, '')}".strip() for each in missed)
    gone = f"Left out, because it is not there any more: {join_words(names)}."
    return _accept(component, draft, so_far, (*changed, *([Remark(gone)] if missed else [])))


def tidy(data: Any) -> Any:
    """Return the data with trimmed strings and without nulls, which say nothing."""
    if is_object(data):
        return {key: tidy(each) for key, each in data.items() if each is not None}
    if is_list(data):
        return [tidy(each) for each in data if each is not None]
    return data.strip() if isinstance(data, str) else data


def find_unproven(draft: Draft, said: Collection[str], approved: Iterable[str] = ()) -> tuple[str, ...]:
    """Return handles of items that claim to be people's own, but quote nothing or quote words that nobody wrote.

    The comparison ignores case, width and spaces. People are asked to look at these items; none is left out. An item
    that quotes nothing is taken by its own words, which may also be those of a text that was `approved`. A correction
    needs no quote if one message has each word in which it differs from the fact.
    """
    texts, known = [normalize(text) for text in said], {normalize(text) for text in approved}
    items = (each for each in walk_objects(draft) if "handle" in each and each.get("origin", "user") == "user")
    claimed = [each for each in items if each.get("evidence") or normalize(read_name(each)) not in known]
    unquoted = (each for each in claimed if not _is_quoted(each.get("evidence") or [{"quote": read_name(each)}], texts))
    return tuple(each["handle"] for each in unquoted if not _is_corrected(each, texts))


def find_left_behind(noted: Draft, draft: Draft, shown: Draft) -> tuple[Remark, ...]:
    """Return a remark on the people's items that were noted and that neither the draft nor what was `shown` has.

    An item in the same words under another handle is there. Of what was shown, the card tells what was taken out.
    """
    there = {find_value(noted, "decision_hierarchy.focal.handle"), *list_handles([draft, shown])}
    words = {normalize(read_name(each)) for each in walk_objects(draft) if "handle" in each}
    own = (each for each in walk_objects(noted) if "handle" in each and each.get("origin") != SUGGESTED)
    gone = [each for each in own if each["handle"] not in there and normalize(read_name(each)) not in words]
    if not gone:
        return ()
    items = join_words([f"{each['handle']} {read_name(each)}" for each in gone])
    about = [(each["handle"],) for each in gone]
    return (Remark(LEFT_BEHIND.format(items=items), about=about, rule="left_behind"),)


def _is_corrected(item: Mapping[str, Any], texts: list[str]) -> bool:
    """Return True if a message has all the new words of a correction, and there are any."""
    new = {*split_words(read_name(item))} - {*split_words(item["was"])} if "was" in item else set[str]()
    return bool(new) and any(new <= {*split_words(text)} for text in texts)


def _is_quoted(evidence: list[dict[str, str]], texts: list[str]) -> bool:
    quotes = [normalize(each["quote"]) for each in evidence if each.get("message_id") not in SERVERS]
    return bool(evidence) and all(quote and any(quote in text for text in texts) for quote in quotes)


def _identify_source(quote: Mapping[str, Any]) -> tuple[str, str]:
    return str(quote.get("message_id")), normalize(str(quote.get("quote")))


def strip_false_sources(submitted: Any, before: Draft) -> Any:
    """Return the data as a model may submit it.

    It may repeat the server's own marks on a quote, but never claim them.
    """
    servers = {_identify_source(each) for each in walk_objects(before) if each.get("message_id") in SERVERS}
    if is_list(submitted):
        return [strip_false_sources(each, before) for each in submitted]
    if not is_object(submitted):
        return submitted
    is_claim = submitted.get("message_id") in SERVERS and _identify_source(submitted) not in servers
    kept = {name: each for name, each in submitted.items() if not (is_claim and name == "message_id")}
    return {name: strip_false_sources(each, before) for name, each in kept.items()}


def restore_sources(submitted: Any, before: Draft) -> Any:
    """Return the data with the quotes that its items had `before`: a model that goes on from a draft never sees them.

    Quotes that it adds come after them; the newest `QUOTES` stay.
    """
    known = {
        each["handle"]: each["evidence"] for each in walk_objects(before) if each.get("evidence") and "handle" in each
    }
    return _restore(submitted, known) if known else submitted


def _restore(submitted: Any, known: Mapping[str, list[Any]]) -> Any:
    if is_list(submitted):
        return [_restore(each, known) for each in submitted]
    if not is_object(submitted):
        return submitted
    whole = {name: _restore(each, known) for name, each in submitted.items()}
    kept, given = known.get(str(whole.get("handle")), []), whole.get("evidence", [])
    if not kept or not is_list(given):
        return whole
    said = [normalize(str(each.get("quote"))) for each in kept]
    added = [each for each in given if not (is_object(each) and normalize(str(each.get("quote"))) in said)]
    return {**whole, "evidence": [*kept, *added][-QUOTES:]}


def _accept(component: Component, draft: Draft, so_far: DecisionRecord, changed: tuple[Remark, ...]) -> Accepted:
    found = check_rules(component, draft, so_far)
    wrong = (*(each for each in find_schema_issues(component, draft) if each.waits), *select_issues(found))
    needed = (*list_missing(component, draft, so_far), *list_corrections(component, draft, wrong))
    remarks = (*changed, *select_remarks(found))
    return Accepted(draft, tuple(_fit(each, so_far) for each in remarks), needed)


def _fit(remark: Remark, so_far: DecisionRecord) -> Remark:
    """Return the remark with short names if it is longer than a card's line, which would cut what it says."""
    is_long = len(remark.text) > ROOM
    return replace(remark, text=so_far.shorten(remark.text, so_far.short)) if is_long else remark
