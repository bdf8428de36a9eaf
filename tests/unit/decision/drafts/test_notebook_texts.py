"""Texts in a draft: changed, dropped and moved by their words, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from app.decision.drafts.notebook import DraftChange, ItemAddress
from tests.unit.decision.books import book, done, refused
from tests.unit.decision.components.worked import example, minimal


def test_texts_are_changed_dropped_and_moved_by_their_words() -> None:
    notes = book("notes_next_steps")
    draft = done(notes.note({}, "notes", {"text": "Ask Ada"}))
    draft = done(notes.change(draft, ItemAddress("ask ada"), {"text": "Ask Bo"}))
    action = notes.move(draft, ItemAddress("Ask Bo"), "planned_actions", {"owner": "Ada"})
    assert isinstance(action, DraftChange)
    assert action.draft["planned_actions"] == [{"handle": "N1", "action": "Ask Bo", "owner": "Ada"}]
    back = done(notes.move(action.draft, ItemAddress("N1"), "open_questions", {}))
    assert back["open_questions"] == ["Ask Bo"]
    assert done(notes.drop(back, ItemAddress("Ask Bo")))["open_questions"] == []


@pytest.mark.parametrize(
    ("at", "to", "words"),
    [
        (ItemAddress("A9"), "tensions", "names nothing that is noted"),
        (ItemAddress("A4"), "tensions", "stands in several lists, it has to be one of dominated_alternatives"),
        (ItemAddress("A4", "tensions"), "tensions", "to: cannot be moved there"),
        (ItemAddress("A4", "tensions"), "nowhere", "to: cannot be moved there"),
        (ItemAddress("A4", "nowhere"), "tensions", "names nothing that is noted"),
        (ItemAddress("A4", "tensions"), "swing_weights", "to: cannot be moved there"),
        (ItemAddress("A2", "practical_dominance"), "tensions", "names nothing that is noted"),
    ],
)
def test_what_cannot_be_moved_is_refused(at: ItemAddress, to: str, words: str) -> None:
    tradeoffs = book("tradeoffs")
    draft = example("tradeoffs")
    draft["dominated_alternatives"].append({"alternative_id": "A4"})
    assert words in refused(tradeoffs.move(draft, at, to, {}))


def test_a_row_takes_along_what_it_is_about() -> None:
    tradeoffs = book("tradeoffs")
    draft = done(tradeoffs.note({}, "dominated_alternatives", {"alternative_id": "A3", "explanation": "never better"}))
    assert done(tradeoffs.move(draft, ItemAddress("A3"), "tensions", {}))["tensions"] == [{"alternative_id": "A3"}]


def test_an_item_with_a_handle_is_known_by_its_words_and_a_refusal_names_what_may_be_meant() -> None:
    notes, draft = book("notes_next_steps"), dict[str, Any]()
    for action in ("Ask the ministry", "Write the job ad", "Have lunch"):
        draft = done(notes.note(draft, "planned_actions", {"action": action}))
    changed = done(notes.change(draft, ItemAddress("write the job ad", "planned_actions"), {"owner": "Maya"}))
    assert [each.get("owner") for each in changed["planned_actions"]] == [None, "Maya", None]
    told = refused(notes.change(draft, ItemAddress("The ad for the job"), {"owner": "Maya"}))
    assert "so nothing was changed" in told
    assert "it has to be one of N2 Write the job ad; N1 Ask the ministry; N3 Have lunch" in told
    assert "it has to be the handle of an item" in refused(notes.change({}, ItemAddress("N1"), {"owner": "Maya"}))


def test_what_is_not_there_can_neither_be_changed_nor_dropped() -> None:
    options = book("alternatives")
    assert "names nothing" in refused(options.change({}, ItemAddress("A1"), {"name": "Oslo"}))
    assert "names nothing" in refused(options.drop({}, ItemAddress("A1")))
    draft = minimal("alternatives")
    assert "stands there already, as A2" in refused(options.change(draft, ItemAddress("A1"), {"name": "bergen"}))


@pytest.mark.parametrize(
    ("key", "given", "words"),
    [
        ("problem_frame", {}, "fields: cannot be set here"),
        ("problem_frame", {"decision_hierarchy": {"focal": {"statement": "x"}}}, "cannot be set here"),
        ("problem_frame", {"decision_maker": "Ada"}, "decision_maker: cannot be set here"),
        ("problem_frame", {"decision_maker.name.first": "Ada"}, "did you mean `decision_maker.name`?"),
        ("problem_frame", {"focal_decision": {"deadline": "soon"}}, "focal_decision.deadline: no such date"),
        ("problem_frame", {"focal_decision": {"source_decision_id": "D77"}}, "names nothing that exists"),
        ("alternatives", {"alternatives": []}, "alternatives: cannot be set here"),
        ("alternatives", {"status_quo_id": ["A1"]}, "status_quo_id: wrong type"),
        ("problem_frame", {"decision_maker.name": "Ada", "focal_decision.source_decision_id": ["D1"]}, "wrong type"),
        ("consequences", {"table": None}, "table: cannot be set here"),
        ("decision_quality", {"overall_score": 99}, "overall_score: cannot be set here"),
    ],
)
def test_what_is_no_field_or_not_fit_for_it_is_refused(key: str, given: dict[str, Any], words: str) -> None:
    assert words in refused(book(key).fill({}, given))
