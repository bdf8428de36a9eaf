"""The casebook about steps whose ground has changed: what it tells of each, and what outlasts the change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import accepted, minimal
from tests.unit.decision.components.worked import rated as options_rated
from tests.unit.stored_decision import THREE, StoredDecision, approved, rated


@pytest.mark.req("FA-13")
async def test_a_step_to_look_at_again_is_told_what_changed_in_each_step_that_it_builds_on() -> None:
    stored, waste = StoredDecision(), "The cold room died twice; about {amount} kg were thrown away"
    for number, amount in enumerate((900, 800, 700), 1):
        facts = [{"handle": "C1", "description": waste.format(amount=amount)}]
        await stored.approves("issue_raising", {**minimal("issue_raising"), "considerations": facts}, number)
    frame = minimal("problem_frame")
    await stored.approves("problem_frame")
    frame["focal_decision"]["scope"] = "The June meeting"
    await stored.approves("problem_frame", frame, 2)
    for key, told in (
        (
            "problem_frame",
            {
                "Issue raising": (
                    "reworded: C1 The cold room died twice; about 700 kg were thrown away (700 instead of 900)",
                )
            },
        ),
        (
            "objectives",
            {"Problem frame": ("changed: The decision (Scope (The June meeting instead of The May meeting))",)},
        ),
    ):
        now = await stored.step(key, draft=minimal(key))
        assert now.interview is not None
        made_with = {"issue_raising": 1, "problem_frame": 1}
        after = await stored.book.bring_up_to_date(replace(now, interview=replace(now.interview, based_on=made_with)))
        assert after is not None
        assert after.grounds == told


@pytest.mark.req("FA-21")
async def test_a_step_to_look_at_again_is_told_that_a_new_amount_is_beyond_a_limit(stored: StoredDecision) -> None:
    frame, table = minimal("problem_frame"), minimal("consequences")
    frame["focal_decision"]["constraints"] = ["The cost is at most 100 euros"]
    measure = {"metric": "Cost", "direction": "minimize", "units": "euros"}
    await stored.approves("problem_frame", frame)
    aims = [{"handle": "O1", "description": "Keep the cost low", "performance_measure": measure}]
    await stored.approves("objectives", {"fundamental_objectives": aims, "means_objectives": []})
    await stored.approves("alternatives")
    for number, amount in enumerate((90, 110), 1):
        table["table"]["cells"][0] |= {"quant_value": amount, "quant_unit": "euros"}
        await stored.approves("consequences", table, number)
    now = await stored.step("tradeoffs", draft=minimal("tradeoffs"))
    assert now.interview is not None
    made_with = dict.fromkeys(("problem_frame", "objectives", "alternatives", "consequences"), 1)
    after = await stored.book.bring_up_to_date(replace(now, interview=replace(now.interview, based_on=made_with)))
    assert after is not None
    assert after.grounds["Consequences"][0] == "beyond the limit “The cost is at most 100 euros” now: A2 Bergen"


@pytest.mark.req("FA-13")
async def test_a_tradeoff_to_look_at_again_is_told_who_comes_first_most_often_now(stored: StoredDecision) -> None:
    rows = {"A1": [0, 0, 0], "A2": [0, 2, -1], "A3": [1, 0, -2]}
    for number, each in enumerate((rows, {**rows, "A3": [1, 1, -2]}), 1):
        results = options_rated(each).results
        for key in ("objectives", "alternatives", "consequences"):
            await stored.approves(key, dict(results[key]), number)
    now = await stored.step("tradeoffs", draft=minimal("tradeoffs"))
    assert now.interview is not None
    for made_with, is_told in ((1, True), (2, False)):
        versions = dict.fromkeys(("objectives", "alternatives", "consequences"), made_with)
        await stored.approves("tradeoffs", number=made_with)
        looked_at = replace(now, interview=replace(now.interview, based_on=versions))
        after = await stored.book.bring_up_to_date(looked_at)
        assert after is not None
        told = [each for each in after.changes if "comes first most often now" in each]
        assert len(told) == is_told


@pytest.mark.req("FA-13")
async def test_a_step_to_look_at_again_is_told_who_leads_instead_of_an_option_that_was_taken_out(
    stored: StoredDecision,
) -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1], "A4": [2, 1]}
    for number, each in enumerate((rows, {name: rows[name] for name in ("A1", "A2", "A3")}), 1):
        results = options_rated(each).results
        for key in ("objectives", "alternatives"):
            await stored.approves(key, dict(results[key]), number)
        table = await stored.step("consequences")
        assert table.interview is not None
        grounds = {"objectives": number, "alternatives": number}
        made = replace(table, interview=replace(table.interview, based_on=grounds))
        version = await stored.book.version(made, approved(dict(results["consequences"])), number)
        await stored.store.versions.keep(table, version)
    await stored.approves("tradeoffs")
    now = await stored.step("recommendation", draft=minimal("recommendation"))
    assert now.interview is not None
    made_with = {"objectives": 1, "alternatives": 1, "consequences": 1, "tradeoffs": 1}
    after = await stored.book.bring_up_to_date(replace(now, interview=replace(now.interview, based_on=made_with)))
    assert after is not None
    assert after.grounds["Consequences"][0] == "A2 Way A2 leads instead of A4 Way A4 (not there any more)"


async def test_of_ratings_of_which_nobody_knows_what_they_were_made_with_it_is_not_said_that_another_one_leads(
    stored: StoredDecision,
) -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1]}
    for number, each in enumerate((rows, {**rows, "A2": [2, 0]}), 1):
        results = options_rated(each).results
        for key in ("objectives", "alternatives", "consequences"):
            await stored.approves(key, dict(results[key]), number)
    await stored.approves("tradeoffs")
    now = await stored.step("recommendation", draft=minimal("recommendation"))
    assert now.interview is not None
    made_with = {"objectives": 2, "alternatives": 2, "consequences": 1, "tradeoffs": 1}
    after = await stored.book.bring_up_to_date(replace(now, interview=replace(now.interview, based_on=made_with)))
    assert after is not None
    assert after.grounds == {"Consequences": ("A2 Way A2 on O2 Aim O2: 0 instead of −1",)}


@pytest.mark.req("TR-07")
async def test_a_draft_with_notes_on_earlier_ratings_is_held_with_notes_on_those_of_now_and_without_their_mark() -> (
    None
):
    stored, rows = StoredDecision(), {"A1": [0, 0], "A2": [2, -1], "A3": [-1, 1]}
    note = {"user_leaning": "To A2."}
    draft = accepted("recommendation", note, options_rated(rows, "recommendation")).draft
    for key, result in options_rated({**rows, "A2": [2, 0]}, "recommendation").results.items():
        await stored.approves(key, dict(result))
    now = await stored.step("recommendation", "To A2.", draft=draft)
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    assert judged.held is not None
    marked = "Written for earlier ratings"
    assert marked in repr(judged.sheet)
    assert marked not in repr(judged.held.sheet)
    again = await stored.book.judge(now, judged.held.draft)
    assert again is not None
    assert (again.held, again.sheet) == (None, judged.held.sheet)


async def test_ratings_under_way_outlast_a_change_of_the_status_quo_and_back(stored: StoredDecision) -> None:
    await stored.approves_all("issue_raising", "problem_frame", "objectives")
    drafts, told = [rated(("A2", "O1"), ("A3", "O1"))], list[str]()
    for number, baseline in enumerate(["A1", "A3", "A1"], 1):
        options = [{**each, "is_status_quo": each["handle"] == baseline} for each in THREE["alternatives"]]
        await stored.approves("alternatives", {"alternatives": options, "status_quo_id": baseline}, number)
        after = await stored.book.bring_up_to_date(await stored.step("consequences", draft=drafts[-1]))
        assert after is not None
        assert (after.missing == ()) is (baseline == "A1")
        drafts.append(dict(after.draft))
        told += after.remarks
    _, before_it, there, back = drafts
    assert back["table"]["cells"] == before_it["table"]["cells"]
    assert {each["alternative_id"] for each in there["table"]["cells"]} == {"A3"}
    assert told[-1] == "A1 Oslo is the status quo again: 2 ratings given against it count again."


@pytest.mark.req("S0-207")
async def test_a_decision_that_waits_to_be_affirmed_waits_on_when_its_quality_falls() -> None:
    stored, affirmed = StoredDecision(), {"decision_affirmation": "It was a good decision at the time."}
    await stored.approves("decision_quality", _scored(100))
    waiting = await stored.book.bring_up_to_date(await stored.step("notes_next_steps", draft=affirmed))
    await stored.approves("decision_quality", _scored(60), 2)
    after = await stored.book.bring_up_to_date(await stored.step("notes_next_steps", draft=affirmed))
    assert waiting is not None
    assert after is not None
    assert waiting.missing == ()
    assert any("decision quality is 60 %" in needed for needed in after.missing)
    assert after.draft == affirmed


def _scored(score: int) -> Draft:
    elements = [{**each, "score": score} for each in minimal("decision_quality")["elements"]]
    return {"elements": elements, "overall_score": score}
