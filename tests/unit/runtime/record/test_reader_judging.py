"""The casebook as a judge: of drafts, of what a change before them does to them, and of when they are enough."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.call import DraftNoted
from app.core.conversation.conversation import Conversation, Turn
from app.core.state.interview import InterviewCommand, Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.sheet import Mark
from app.decision.drafts.noting import begin_draft
from app.decision.layout.sheets import build_sheet
from app.decision.playbook import example
from app.decision.playbook.playbook import Playbook
from app.decision.record import DecisionRecord
from app.decision.schema.component import Readiness
from app.decision.schema.paths import Draft, walk_objects
from handlers.views.editing import changes
from tests.properties import limit_examples
from tests.unit.core.interviews import HUB
from tests.unit.core.threads import OTHER, reply, said
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, minimal
from tests.unit.decision.components.worked import example as example_draft
from tests.unit.handlers.payloads import MAYA
from tests.unit.stored_decision import THREE, StoredDecision, rated


async def test_nothing_is_no_draft_and_what_is_not_valid_is_none(stored: StoredDecision) -> None:
    now = await stored.step("issue_raising")
    assert await stored.book.judge(now, {}) is None
    assert await stored.book.judge(now, {"potential_decisions": "many"}) is None


async def test_what_a_window_took_in_is_taken_in_though_something_older_in_the_draft_is_wrong(
    stored: StoredDecision,
) -> None:
    await stored.approves("objectives")
    await stored.approves("alternatives", THREE)
    noted = rated(("A2", "O1"))
    noted["table"]["cells"][0]["rating"] = 2
    now = await stored.step("consequences", draft=noted)
    so_far, more = await stored.book.so_far(now), {**noted["table"]["cells"][0], "alternative_id": "A3", "rating": 1}
    shown = changes.judge_change(
        PLAYBOOK["consequences"], noted, {"table": {"cells": [*noted["table"]["cells"], more]}}, so_far
    )
    assert shown.issues == ()
    judged = await stored.book.judge_edit(now, shown.draft)
    assert judged is not None
    assert judged.draft == shown.draft
    assert judged.missing == ("A2 on O1 reason: what the rating is based on",)


async def test_a_draft_is_judged_by_what_people_wrote_in_its_thread() -> None:
    stored, draft = StoredDecision(), minimal("issue_raising")
    draft["potential_decisions"] = [
        {"handle": "D1", "description": "Where to meet", "evidence": [{"quote": "where to meet"}]},
        {"handle": "D2", "description": "Who cooks", "evidence": [{"quote": "who cooks"}]},
    ]
    now = await stored.step("issue_raising", "I do not know WHERE to meet.")
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    doubtful = {item.handle: item.marks for section in judged.sheet.sections for item in getattr(section, "items", ())}
    assert doubtful["D1"] != doubtful["D2"]
    assert (judged.items, judged.missing, judged.blocked) == (2, (), False)


@pytest.mark.req("FA-15")
async def test_words_that_an_earlier_step_approved_are_not_to_be_checked_again(stored: StoredDecision) -> None:
    issues = minimal("issue_raising")
    issues["objectives"] = [
        {"handle": "IO1", "description": "Have a warm hall"},
        {"handle": "IO2", "description": "Have a quiet hall", "origin": "ai_suggested"},
    ]
    await stored.approves("issue_raising", issues)
    ends = [
        {"handle": "O1", "description": "Have a warm hall"},
        {"handle": "O2", "description": "Have a quiet hall"},
        {"handle": "O3", "description": "Have a hall"},
    ]
    draft = {**minimal("objectives"), "fundamental_objectives": ends, "means_objectives": []}
    now = await stored.step("objectives", "Hm.", draft=draft)
    for judged in (await stored.book.judge(now, draft), await stored.book.noted(now)):
        assert judged is not None
        assert "O2" in judged.sheet.to_check
        assert "O3" in judged.sheet.to_check
        assert "O1" not in judged.sheet.to_check


async def test_a_draft_is_asked_about_what_others_than_the_owner_wrote(stored: StoredDecision) -> None:
    words = "We should rather repair the old greenhouse roof."
    rows = (said(1, words, MAYA), said(2, words, OTHER, "Sam"))
    now = await stored.step("notes_next_steps", rows=rows)
    judged = await stored.book.judge(now, {"notes": ["Buy paint"]})
    assert judged is not None
    assert judged.remarks[0] == "Sam wrote in this thread. Does any of it belong in here?"
    assert not [each for each in judged.remarks if "Maya" in each or each.startswith("Somebody")]
    taken_up = await stored.book.judge(now, {"notes": ["Repair the old greenhouse roof"]})
    assert taken_up is not None
    assert "wrote in this thread" not in str(taken_up.remarks)


async def test_a_draft_is_asked_about_a_day_of_the_decision_that_no_step_names(stored: StoredDecision) -> None:
    now = await stored.step("notes_next_steps", "We go if two have signed by 31 January.")
    judged = await stored.book.judge(now, {"decision": {"in_the_users_words": "We go if two sign by 31 January."}})
    assert judged is not None
    assert "Your decision speaks of 31 January" in judged.remarks[0]


@pytest.mark.req("FA-04")
async def test_words_of_an_earlier_step_are_not_said_to_be_nobodys_on_a_later_card() -> None:
    stored, first = StoredDecision(), minimal("issue_raising")
    first["potential_decisions"][0]["evidence"] = [{"quote": "no caller gives up", "message_id": "9.1"}]
    await stored.approves("issue_raising", first)
    draft = minimal("objectives")
    wanted = draft["fundamental_objectives"][0]
    wanted["evidence"] = [{"quote": "No caller gives up"}]
    now = await stored.step("objectives", "Hello.")
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    kept = judged.draft["fundamental_objectives"][0]["evidence"]
    assert kept == [{"quote": "No caller gives up", "message_id": "9.1"}]
    marks = {item.handle: item.marks for section in judged.sheet.sections for item in getattr(section, "items", ())}
    assert Mark.CHECK not in marks[wanted["handle"]]
    wanted["evidence"] = [{"quote": "Money is everything"}]
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    marks = {item.handle: item.marks for section in judged.sheet.sections for item in getattr(section, "items", ())}
    assert Mark.CHECK in marks[wanted["handle"]]


async def test_each_quote_names_the_message_it_is_taken_from_so_that_it_can_go_with_it() -> None:
    stored, draft = StoredDecision(), minimal("issue_raising")
    draft["potential_decisions"][0]["evidence"] = [{"quote": "where to meet", "message_id": "9.1"}]
    judged = await stored.book.judge(
        await stored.step("issue_raising", "Hello.", "I do not know WHERE to meet."), draft
    )
    assert judged is not None
    assert judged.draft["potential_decisions"][0]["evidence"] == [{"quote": "where to meet", "message_id": "9.2"}]


async def test_what_refers_to_an_erased_step_refers_to_nothing_of_the_one_that_was_begun_in_its_place(
    stored: StoredDecision,
) -> None:
    await stored.approves("alternatives", THREE)
    anew = await stored.step("objectives")
    assert anew.interview is not None
    anew = replace(anew, interview=replace(anew.interview, handles={"O": 1}))
    judged = await stored.book.judge(anew, minimal("objectives"))
    assert judged is not None
    assert judged.handles == {"O": 2}
    await stored.approves("objectives", dict(judged.draft))
    after = await stored.book.bring_up_to_date(await stored.step("consequences", draft=rated(("A2", "O1"))))
    assert after is not None
    assert {each["objective_id"] for each in after.draft["table"]["cells"]} == {"O2"}, "of the status quo alone"
    assert after.missing != ()


async def test_a_removed_option_takes_its_ratings_along_and_people_are_told(stored: StoredDecision) -> None:
    await stored.approves("objectives")
    await stored.approves("alternatives", THREE)
    await stored.approves("consequences", rated(("A2", "O1"), ("A3", "O1")))
    await stored.approves("alternatives", minimal("alternatives"), 2)
    after = await stored.book.bring_up_to_date(await stored.step("consequences"))
    assert after is not None
    assert {each["alternative_id"] for each in after.draft["table"]["cells"]} == {"A1", "A2"}
    assert after.missing == ()
    assert "Taken out, as the option or the objective is not there any more: 1 rating." in after.remarks
    assert after.based_on["alternatives"] == 2


@pytest.mark.req("FA-03")
async def test_a_draft_with_a_reason_that_nobody_gave_follows_a_change_of_the_steps_before() -> None:
    stored, extreme = StoredDecision(), rated(("A2", "O1"))
    extreme["table"]["cells"][0]["rating"] = -2
    await stored.approves_all("objectives", "alternatives")
    after = await stored.book.bring_up_to_date(await stored.step("consequences", draft=extreme))
    assert after is not None
    assert after.missing == ("A2 on O1 reason: what the rating is based on",)


async def test_a_removed_objective_takes_its_ratings_along_and_a_new_one_is_all_that_is_asked_for(
    stored: StoredDecision,
) -> None:
    objectives = minimal("objectives")
    objectives["fundamental_objectives"].append({"handle": "O2", "description": "Keep the cost low"})
    await stored.approves("objectives", objectives)
    await stored.approves("alternatives")
    now = await stored.step("consequences", draft=rated(("A2", "O1"), ("A2", "O2")))
    changed = {**objectives, "fundamental_objectives": [{"handle": "O2", "description": "Keep the cost low"},
                                                        {"handle": "O3", "description": "See the sea"}]}  # fmt: skip
    await stored.approves("objectives", changed, 2)
    after = await stored.book.bring_up_to_date(now)
    assert after is not None
    assert {each["objective_id"] for each in after.draft["table"]["cells"]} == {"O2", "O3"}
    assert after.missing == ("ratings on O3 See the sea: A2 Bergen",)


async def test_a_draft_goes_before_the_approved_version_and_without_both_there_is_nothing(
    stored: StoredDecision,
) -> None:
    now = await stored.step("issue_raising")
    assert await stored.book.bring_up_to_date(now) is None
    await stored.approves("issue_raising")
    kept = await stored.book.bring_up_to_date(now)
    draft = minimal("issue_raising")
    draft["potential_decisions"][0]["description"] = "When to meet"
    noted = await stored.book.bring_up_to_date(await stored.step("issue_raising", draft=draft))
    assert kept is not None
    assert noted is not None
    assert [each.draft["potential_decisions"][0]["description"] for each in (kept, noted)] == [
        "Where to meet",
        "When to meet",
    ]


@pytest.mark.req("FA-13")
async def test_a_card_that_is_edited_several_times_tells_all_that_has_changed_since_it_was_shown(
    stored: StoredDecision,
) -> None:
    begun = await stored.step("alternatives", draft=THREE)
    first = {**THREE, "alternatives": [{"is_status_quo": False, **each} for each in THREE["alternatives"]]}
    edited = {**first, "alternatives": [dict(each) for each in first["alternatives"]]}
    edited["alternatives"][1]["description"] = "By the fjord"
    once = _waiting(begun, compared=first, shown=edited, draft=edited)
    twice = {**edited, "alternatives": [*edited["alternatives"][:2], {**edited["alternatives"][2], "name": "Lisbon"}]}
    told = (
        "reworded: A3 Lisbon",
        "changed: A2 Bergen (Description (By the fjord instead of By the sea))",
    )
    for now, changes_told in (
        (once, told),
        (_waiting(once, shown=edited), told),
        (_waiting(once, compared={}, shown=first), told),
        (replace(once, question=None), told[:1]),
        (replace(once, turn=Turn(id="t", reply=1)), told[:1]),
    ):
        judged = await stored.book.judge_edit(now, twice)
        assert judged is not None
        assert judged.changes == changes_told


def _waiting(now: Conversation, **lead: Any) -> Conversation:
    """The thread of a step while a card of its draft waits."""
    assert now.interview is not None
    asked = Question(id="q", kind=QuestionKind.CONFIRMATION, prompt="Right?", origin=Origin.EXTRACTION, card=3)
    return replace(now, question=asked, interview=replace(now.interview, **lead))


# --- readiness


@pytest.mark.req("S0-215")
@pytest.mark.parametrize(("messages", "is_ready"), [(2, False), (3, True)])
async def test_a_draft_that_lacks_nothing_is_ready_when_people_have_said_enough(
    stored: StoredDecision, messages: int, is_ready: bool
) -> None:
    now = await stored.step("issue_raising", *["Where do we meet?"] * messages, draft=minimal("issue_raising"))
    assert await stored.is_ready(now) is is_ready


@pytest.mark.req("S0-215")
async def test_however_much_was_said_a_draft_that_lacks_something_or_is_none_is_not_ready(
    stored: StoredDecision,
) -> None:
    lacking: Draft = {**minimal("issue_raising"), "potential_decisions": []}
    for draft in (None, lacking, {"potential_decisions": "many"}):
        assert not await stored.is_ready(await stored.step("issue_raising", *["Hm."] * 9, draft=draft))


async def test_a_draft_that_contradicts_itself_is_not_ready() -> None:
    stored, draft = StoredDecision(), minimal("issue_raising")
    draft["considerations"] = [{"handle": "C1", "text": "Where to meet"}]
    assert not await stored.is_ready(await stored.step("issue_raising", *["Hm."] * 9, draft=draft))


async def test_what_the_newest_answer_noted_counts_already(stored: StoredDecision) -> None:
    now = await stored.step("issue_raising", *["Hm."] * 3)
    noted = [DraftNoted(draft=each, edition=0) for each in ({}, minimal("issue_raising"))]
    assert await stored.is_ready(now, *noted)
    assert not await stored.is_ready(now, *reversed(noted))


@pytest.mark.req("FA-04", "FA-19")
async def test_the_handle_that_a_tool_told_is_the_one_on_the_card() -> None:
    stored, draft = StoredDecision(), minimal("issue_raising")
    draft["considerations"] = [{"handle": "C7", "text": "The roof leaks"}]
    kept = json.dumps(json.dumps({"result": "noted", "item": "C7"}))
    told = reply(2, "Added.", content=kept, calls=(DraftNoted(draft=draft, edition=0),))
    now = await stored.step("issue_raising", rows=(said(1, "Hm."), told))
    judged = await stored.book.judge_correction(replace(now, phase=Phase.CONFIRM), told)
    assert judged is not None
    assert [each["handle"] for each in judged.draft["considerations"]] == ["C7"]


@pytest.mark.req("FA-28")
async def test_only_a_draft_that_waits_or_is_corrected_is_judged_as_a_reply_leaves_it() -> None:
    stored, draft = StoredDecision(), minimal("issue_raising")
    now = await stored.step("issue_raising", "Hm.")
    assert now.interview is not None
    noted, broken = (
        reply(9, "I see.", calls=(DraftNoted(draft=each, edition=0),)) for each in (draft, {"objectives": 3})
    )
    waiting = replace(now, phase=Phase.CONFIRM)
    correcting = replace(now, phase=Phase.GATHER, interview=replace(now.interview, correcting=True))
    for shown in (waiting, correcting):
        judged = await stored.book.judge_correction(shown, noted)
        assert judged is not None
        assert [each["description"] for each in judged.draft["potential_decisions"]] == ["Where to meet"]
        assert await stored.book.judge_correction(shown, broken) is None
        assert await stored.book.judge_correction(shown, reply(9, "I see.")) is None
    assert await stored.book.judge_correction(replace(now, phase=Phase.GATHER), noted) is None


@pytest.mark.req("S0-236")
async def test_when_a_component_is_ready_is_its_own_affair_and_changes_nothing_else() -> None:
    first, *others = PLAYBOOK.components
    eager = first.model_copy(update={"readiness": Readiness(messages=1, done=("done",))})
    for playbook, is_ready in ((PLAYBOOK, False), (Playbook((eager, *others)), True)):
        stored = StoredDecision(playbook)
        now = await stored.step("issue_raising", "Where do we meet?", draft=minimal("issue_raising"))
        assert await stored.is_ready(now) is is_ready


@pytest.mark.req("FA-01")
async def test_what_a_message_says_outright_is_asked_of_its_component(stored: StoredDecision) -> None:
    issues, frame = await stored.step("issue_raising"), await stored.step("problem_frame")
    assert stored.book.signal(frame, "Yes, that's right.") is InterviewCommand.DONE
    assert stored.book.signal(issues, "Yes, that's right.") is None


# --- what is not there any more


async def test_what_is_gone_from_an_earlier_step_is_called_as_people_knew_it(stored: StoredDecision) -> None:
    await stored.approves("objectives")
    await stored.approves("alternatives", THREE)
    await stored.approves("consequences", rated(("A2", "O1"), ("A3", "O1")))
    await stored.approves("alternatives", minimal("alternatives"), 2)
    cells = (await stored.book.results(HUB))["consequences"]["table"]["cells"]
    assert [each["alternative_id"] for each in cells] == ["A2", "A3"]


async def test_what_refers_to_a_step_that_was_erased_is_left_out_and_no_id_is_seen(stored: StoredDecision) -> None:
    versions = {key: await stored.approves(key, draft) for key, draft in example.load_drafts().items()}
    for gone in ("issue_raising", "objectives", "alternatives", "consequences"):
        left = [version for key, version in versions.items() if key != gone]
        ids = [each["id"] for each in walk_objects(versions[gone].data) if "id" in each]
        shown = str(stored.book.laid_out(left, ""))
        assert [id_ for id_ in ids if id_ in shown] == []


async def test_a_draft_that_is_noted_in_part_is_not_judged_when_its_ground_changes(stored: StoredDecision) -> None:
    half: Draft = {"stakeholders": [{"handle": "P1", "name": "Kim"}]}
    assert await stored.book.bring_up_to_date(await stored.step("problem_frame", draft=half)) is None


async def test_of_a_finished_step_what_was_approved_is_brought_up_to_date_and_no_draft_that_was_given_up() -> None:
    stored, given_up = StoredDecision(), minimal("issue_raising")
    given_up["potential_decisions"][0]["description"] = "When to meet"
    await stored.approves("issue_raising")
    now = replace(await stored.step("issue_raising", draft=given_up), lifecycle=Lifecycle.COMPLETE)
    after = await stored.book.bring_up_to_date(now)
    assert after is not None
    assert after.draft["potential_decisions"][0]["description"] == "Where to meet"


async def test_ratings_say_what_they_were_given_against_until_they_are_given_anew() -> None:
    stored, other = StoredDecision(), {**THREE, "status_quo_id": "A3"}
    other["alternatives"] = [{**each, "is_status_quo": each["handle"] == "A3"} for each in THREE["alternatives"]]
    await stored.approves_all("issue_raising", "problem_frame", "objectives")
    await stored.approves("alternatives", THREE)
    cells = [
        {"alternative_id": option, "objective_id": "O1", "rating": rating} for option, rating in (("A2", 1), ("A3", -1))
    ]
    await stored.approves("consequences", {"table": {"baseline_id": "A1", "cells": cells}})
    was = stored.book.laid_out(await stored.store.versions.list(HUB), "")["consequences"]
    await stored.approves("alternatives", other, 2)
    assert stored.book.laid_out(await stored.store.versions.list(HUB), "")["consequences"] == was
    tradeoffs = await stored.book.so_far(await stored.step("tradeoffs"))
    assert (tradeoffs.baseline, tradeoffs.compared_with) == ("A3", "A1")
    assert tradeoffs.analysis is not None
    assert [each.alternative for each in tradeoffs.analysis.dominance.dominated] == ["A1", "A3"]


@pytest.mark.req("FA-18")
@pytest.mark.parametrize("key", KEYS)
@given(data=st.data())
@limit_examples(8)
def test_notes_can_be_laid_out_however_little_is_noted_yet(key: str, data: st.DataObject) -> None:
    whole, component = example_draft(key), PLAYBOOK[key]
    kept = data.draw(st.sets(st.sampled_from(sorted(whole))))
    some = {name: each for name, each in whole.items() if name in kept}
    for name, each in some.items():
        if isinstance(each, list):
            some[name] = each[: data.draw(st.integers(0, 3))]
    so_far = DecisionRecord({each.key: example_draft(each.key) for each in PLAYBOOK.earlier(key)}, TODAY, {})
    assert build_sheet(component, begin_draft(component, some), so_far) is not None


@pytest.mark.req("FA-18")
async def test_the_notes_come_laid_out_with_what_they_still_need_and_without_notes_there_is_nothing(
    stored: StoredDecision,
) -> None:
    assert await stored.book.noted(await stored.step("problem_frame")) is None
    some: Draft = {"decision_maker": {"name": "Ada"}, "parties": []}
    noted = await stored.book.noted(await stored.step("problem_frame", "Ada decides", draft=some))
    assert noted is not None
    assert "Ada" in str(noted.sheet.sections)
    assert noted.missing
    assert noted.draft == some
    now = await stored.step("problem_frame", draft=some)
    assert now.interview
    assert await stored.book.noted(replace(now, interview=replace(now.interview, component="retired"))) is None
