"""A fact of an earlier step that people correct later: its version stays, and everything else tells what holds now."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.extraction.material import render_earlier
from app.agent.extraction.submission import judge
from app.core.state.interview import Phase
from app.core.state.sheet import Item, Listing, Mark, Sheet
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.draft import Accepted, Rejected, find_unproven
from app.decision.drafts.notebook import DraftChange, DraftEditor, ItemAddress
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.step_prompt import build_block
from app.decision.record import DecisionRecord
from app.decision.schema.corrections import keep_corrections
from app.decision.schema.handles import build_draft, build_record
from app.decision.schema.paths import Draft
from app.decision.tracing.said import SaidFigures
from tests.unit.agent.tools.outer.afield import Afield
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, before, example, minimal

FACT = "32 hours a week is all there is"
NOW = "28 hours a week"
QUOTE = "it's not 32 hours, it's 28"
LATER = [each for each in KEYS if each != "issue_raising"]
C3 = ItemAddress("C3")


def known(key: str) -> DecisionRecord:
    """What is approved before a step, with C3 as a fact about hours."""
    so_far = before(key)
    so_far.results["issue_raising"]["considerations"][2]["text"] = FACT
    return so_far


def correct(key: str, quote: str = QUOTE, words: str = NOW, draft: Draft | None = None) -> Draft:
    made = DraftEditor(PLAYBOOK[key], known(key)).change(draft or example(key), C3, {"text": words}, quote)
    assert isinstance(made, DraftChange)
    return made.draft


def sheet_of(key: str, draft: Draft, so_far: DecisionRecord, unproven: tuple[str, ...] = ()) -> Sheet:
    return build_sheet(PLAYBOOK[key], draft, so_far, unproven)


def items_of(sheet: Sheet) -> dict[str, Item]:
    return {each.handle: each for section in sheet.sections if isinstance(section, Listing) for each in section.items}


@pytest.mark.req("FA-04")
def test_one_call_notes_what_people_say_instead_of_an_earlier_fact() -> None:
    rows = (said(1, "Who decides?"), said(3, f"I do. Btw {QUOTE}"))
    box = Box(interviewed(component="problem_frame"), rows, so_far=known("problem_frame"))
    told, failed = box.use("change_item", item="c3", fields={"text": NOW}, quote=QUOTE)
    assert not failed
    assert "stays as approved" in told["taken_as"]["item"]
    evidence = [{"quote": QUOTE, "message_id": rows[1].ts}]
    noted = {"handle": "C3", "was": FACT, "text": NOW, "step": "Problem frame", "evidence": evidence}
    assert box.draft["corrections"] == [noted]


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("fields", [{"description": NOW}, {}, {"text": ""}, {"text": "x" * 600}, {"text": NOW, "a": 1}])
def test_a_correction_without_words_or_with_anything_else_is_refused(fields: Draft) -> None:
    made = DraftEditor(PLAYBOOK["objectives"], known("objectives")).change({}, C3, fields)
    assert isinstance(made, Rejected)
    assert made.issues[0].field in {"text", *fields}


@pytest.mark.req("FA-04")
def test_only_facts_are_corrected_and_other_items_of_earlier_steps_are_refused_as_ever() -> None:
    editor = DraftEditor(PLAYBOOK["objectives"], known("objectives"))
    for name in ("D1", "P1", "C99"):
        made = editor.change(example("objectives"), ItemAddress(name), {"text": NOW})
        assert isinstance(made, Rejected)
        assert made.issues[0].field == "item"
    retired = PLAYBOOK["objectives"].model_copy(update={"kept": ()})
    assert isinstance(DraftEditor(retired, known("objectives")).change({}, C3, {"text": NOW}), Rejected)


def test_a_correction_is_reworded_proven_later_and_taken_back() -> None:
    once = correct("objectives", quote="")
    assert "evidence" not in once["corrections"][0]
    editor = DraftEditor(PLAYBOOK["objectives"], known("objectives"))
    proven = editor.change(once, C3, {}, QUOTE)
    assert isinstance(proven, DraftChange)
    assert proven.draft["corrections"][0]["evidence"] == [{"quote": QUOTE}]
    other = editor.change(proven.draft, C3, {"text": "27 hours"}, "")
    assert isinstance(other, DraftChange)
    assert "evidence" not in other.draft["corrections"][0]
    both = editor.change(other.draft, ItemAddress("C2"), {"text": "At most 90,000 euro"})
    assert isinstance(both, DraftChange)
    left = editor.drop(both.draft, C3)
    assert isinstance(left, DraftChange)
    assert [each["handle"] for each in left.draft["corrections"]] == ["C2"]
    bare = editor.drop(left.draft, ItemAddress("c2"))
    assert isinstance(bare, DraftChange)
    assert bare.draft == example("objectives")


@pytest.mark.req("FA-15")
def test_the_state_tells_what_holds_now_in_the_same_step_and_in_later_ones() -> None:
    told = f"C3 {FACT} – corrected in Problem frame: {NOW}"
    draft = correct("problem_frame")
    held = interviewed(component="problem_frame", draft=draft).interview
    assert held
    assert told in build_block(PLAYBOOK["problem_frame"], Phase.GATHER, held, known("problem_frame"))
    assert told in render_earlier(PLAYBOOK["problem_frame"], known("problem_frame"), draft)
    for key in ("objectives", "consequences"):
        so_far = replace(known(key), results={**known(key).results, "problem_frame": draft})
        later = interviewed(component=key).interview
        assert later
        assert told in build_block(PLAYBOOK[key], Phase.GATHER, later, so_far)


@pytest.mark.req("FA-15")
def test_the_sheet_of_the_fact_and_that_of_the_correcting_step_both_say_it() -> None:
    raised = known("problem_frame").results["issue_raising"]
    del raised["considerations"][:2]
    so_far = DecisionRecord({}, TODAY, later={"problem_frame": correct("problem_frame")})
    fact = sheet_of("issue_raising", raised, so_far)
    assert items_of(fact)["C3"].text == FACT
    assert f"Corrected in Problem frame: {NOW}" in items_of(fact)["C3"].notes
    assert f"C3 {FACT} (corrected in Problem frame: {NOW})" in "\n".join(fact.essence)
    frame = sheet_of("problem_frame", correct("problem_frame"), known("problem_frame"))
    assert items_of(frame)["C3"] == Item(text=NOW, handle="C3", notes=(f"Instead of: {FACT}",))
    assert f"Corrected since: C3 {NOW}" in frame.essence
    assert frame.essence[0].startswith("Decision: ")


def test_what_was_corrected_is_told_whole_beside_a_warning_that_names_it() -> None:
    draft, words = correct("problem_frame"), "A music school with 12 teachers and 240 pupils, not 260"
    draft["corrections"][0]["text"] = words
    sheet = build_sheet(PLAYBOOK["problem_frame"], draft, known("problem_frame"), ["C3"])
    assert words in sheet.to_check
    assert f"Corrected since: C3 {words}" in sheet.essence


def test_a_sheet_of_lists_tells_a_correction_once() -> None:
    plain = PLAYBOOK["objectives"].model_copy(update={"sheet": "lists"})
    sheet = build_sheet(plain, correct("objectives"), known("objectives"))
    assert str(sheet.sections).count(NOW) == 1


@pytest.mark.req("FA-14")
def test_a_correction_that_quotes_nobody_is_marked_for_people_to_check() -> None:
    draft, words = correct("problem_frame", quote=""), (f"Btw {QUOTE}",)
    assert "C3" in find_unproven(draft, ("Btw it's not 32 hours",))
    assert "C3" not in find_unproven(correct("problem_frame"), words)
    sheet = sheet_of("problem_frame", draft, known("problem_frame"), ("C3",))
    assert items_of(sheet)["C3"].marks == (Mark.CHECK,)
    assert f"C3 {NOW}" in sheet.to_check


@pytest.mark.req("FA-15")
def test_the_newest_correction_counts_until_the_fact_itself_is_worded_anew() -> None:
    results = {**known("alternatives").results, "problem_frame": correct("problem_frame")}
    results["objectives"] = correct("objectives", words="26 hours")
    (fact,) = [each for each in results["issue_raising"]["considerations"] if each["handle"] == "C3"]
    so_far = DecisionRecord(results, TODAY)
    assert so_far.tell_correction(fact) == "corrected in Objectives: 26 hours"
    assert so_far.tell_correction({**fact, "text": "26 hours a week"}) == ""
    marked = so_far.mark_corrected(results["issue_raising"])
    assert marked["considerations"][2]["text"] == f"{FACT} – corrected in Objectives: 26 hours"
    assert results["issue_raising"]["considerations"][2]["text"] == FACT
    assert marked["considerations"][:2] == results["issue_raising"]["considerations"][:2]


def test_a_correction_is_news_on_the_card_and_survives_its_way_into_the_record() -> None:
    draft, component = correct("problem_frame"), PLAYBOOK["problem_frame"]
    assert describe_changes(example("problem_frame"), draft, known("problem_frame")) == (f"new: C3 {NOW}",)
    ids: dict[str, str] = {each: f"id-{each}" for each in ("D1", "D2", "D3", "D4", "C3")}
    record = build_record(component, draft, ids, iter(f"i{n}" for n in range(99)).__next__)
    assert build_draft(component, record, {id_: handle for handle, id_ in ids.items()}) == draft


@pytest.mark.req("FA-15")
@given(
    key=st.sampled_from(LATER),
    words=st.text("abc 123", min_size=1, max_size=60).filter(str.strip),
    claimed=st.booleans(),
)
def test_a_result_that_is_written_up_keeps_the_corrections_of_the_talk_and_adds_none(
    key: str, words: str, *, claimed: bool
) -> None:
    raised = deepcopy(known(key).results["issue_raising"])
    draft, so_far = correct(key, words=words), known(key)
    submitted = {**minimal(key), **({"corrections": [{"handle": "C1", "text": "invented"}]} if claimed else {})}
    for noted, kept in ((draft, draft["corrections"]), ({}, None)):
        judged = judge(PLAYBOOK[key], submitted, so_far, SaidFigures.of(()), noted)
        assert isinstance(judged, Accepted), judged
        assert judged.draft.get("corrections") == kept
    assert so_far.results["issue_raising"] == raised
    assert not isinstance(judge(PLAYBOOK[key], ["no", "object"], so_far, SaidFigures.of(()), draft), Accepted)


def test_only_what_was_noted_is_kept_of_corrections() -> None:
    held = correct("objectives")
    assert keep_corrections({"a": 1, "corrections": []}, held) == {"a": 1, "corrections": held["corrections"]}
    assert keep_corrections({"a": 1, "corrections": []}, {}) == {"a": 1}
    assert keep_corrections(["no", "object"], held) == ["no", "object"]


@pytest.mark.req("FA-15")
async def test_an_earlier_step_that_is_read_again_tells_what_holds_now() -> None:
    rows = (said(1, "Who decides?"), said(3, f"I do. Btw {QUOTE}"))
    box = Box(interviewed(component="problem_frame"), rows, so_far=known("problem_frame"))
    box.use("change_item", item="C3", fields={"text": NOW}, quote=QUOTE)
    told = await Afield(trial=box.tools.trial).does("read_step", step="issue raising")
    assert f"- C3 text: {FACT} – corrected in Problem frame: {NOW}" in told["found"]


def test_no_step_asks_the_model_for_corrections_in_its_forms() -> None:
    for key in KEYS:
        assert "corrections" not in str(PLAYBOOK[key].asked_schema)
        assert ("corrections" in PLAYBOOK[key].json_schema["properties"]) == (key in LATER)


@pytest.mark.req("FA-14")
def test_a_correction_whose_new_words_somebody_wrote_in_one_message_needs_no_quote() -> None:
    fact = {"handle": "C1", "text": "12 teachers, 240 pupils", "was": "12 teachers, 260 pupils", "origin": "user"}
    assert find_unproven({"corrections": [fact]}, ["we have 240 pupils, not 260"]) == ()
    assert find_unproven({"corrections": [fact]}, ["we have fewer pupils", "not 260"]) == ("C1",)
    assert find_unproven({"corrections": [{**fact, "text": fact["was"]}]}, ["260 pupils"]) == ("C1",)
