"""A handle, and the id behind it, is given once: whatever is added, dropped and approved, and whoever adds it."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.extraction.submission import judge as submitted
from app.core.conversation.call import DraftExtracted, DraftNoted
from app.core.conversation.conversation import Message, Role
from app.core.state.decision import Decision, DecisionStep
from app.core.state.interview import JudgedDraft
from app.core.state.sheet import Sheet
from app.decision.drafts.draft import Accepted
from app.decision.drafts.notebook import DraftChange, DraftEditor
from app.decision.record import DecisionRecord
from app.decision.schema.component import generalize_path
from app.decision.schema.handles import list_handles
from app.decision.schema.outline import list_lists
from app.decision.schema.paths import Draft, find_value, read_name, walk_objects
from app.decision.tracing.said import SaidFigures
from handlers.views.editing import changes
from handlers.views.editing.path import Path, get_value, put_value
from tests.unit.core.interviews import HUB
from tests.unit.core.threads import reply
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, minimal
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision, rated

NAMED = tuple(key for key in KEYS if PLAYBOOK[key].handles)
FIELDS: dict[str, Any] = {"options": ["this"], "role": "stakeholder", "supports": ["O1"]}
"""What items of some lists cannot be without."""

COST = {"description": "Keep the cost low"}
STAFF = {"description": "Keep the staff happy"}
AIMS: Path = ("fundamental_objectives",)


def smallest(key: str) -> Draft:
    """The smallest draft, with a list in a list where there can be one."""
    draft = minimal(key)
    if key == "alternatives":
        columns = [{"handle": "S1", "name": "Where", "options": ["north", "south"]}]
        draft["strategy_table"] = {"decision_columns": columns, "strategies": []}
    return draft


def aims(*more: dict[str, Any]) -> Draft:
    draft = minimal("objectives")
    draft["fundamental_objectives"] += more
    return draft


def handles(draft: Draft) -> dict[str, str]:
    """What has which handle."""
    return {read_name(each): each["handle"] for each in walk_objects(draft) if "handle" in each}


async def standing(stored: StoredDecision, key: str) -> DecisionRecord:
    return await stored.book.so_far(await stored.step(key))


def by_window(key: str, draft: Draft, path: Path, item: dict[str, Any], so_far: DecisionRecord) -> Draft:
    after = changes.add_item(PLAYBOOK[key], draft, path, item, so_far)
    found = changes.judge_change(PLAYBOOK[key], draft, after, so_far)
    assert not found.issues
    return found.draft


def by_model(key: str, draft: Draft, path: Path, item: dict[str, Any], so_far: DecisionRecord) -> Draft:
    """It numbers as it sees the draft, as it is told to."""
    prefix = PLAYBOOK[key].handles[f"{generalize_path(list(path))}[]"]
    there = [int(each.removeprefix(prefix)) for each in list_handles([draft]) if each.rstrip("0123456789") == prefix]
    numbered = {"handle": f"{prefix}{max(there, default=0) + 1}", **item}
    data = put_value(draft, path, [*(get_value(draft, path) or []), numbered])
    found = submitted(PLAYBOOK[key], data, so_far, SaidFigures(), draft)
    assert isinstance(found, Accepted), found
    return found.draft


def by_note(key: str, draft: Draft, path: Path, item: dict[str, Any], so_far: DecisionRecord) -> Draft:
    component = PLAYBOOK[key]
    if ".".join(map(str, path)) not in list_lists(component):
        return by_window(key, draft, path, item, so_far)
    noted = DraftEditor(component, so_far).note(draft, ".".join(map(str, path)), item)
    assert isinstance(noted, DraftChange), noted
    return noted.draft


HANDS = {"window": by_window, "model": by_model, "note": by_note}


@pytest.fixture
def stored() -> StoredDecision:
    return StoredDecision()


@pytest.mark.req("S0-226")
@pytest.mark.parametrize("hand", HANDS)
async def test_the_ratings_of_an_objective_that_was_dropped_do_not_count_for_a_new_one(
    stored: StoredDecision, hand: str
) -> None:
    await stored.approves_all("issue_raising", "problem_frame", "alternatives")
    await stored.approves("objectives", aims({"handle": "O2", **COST}))
    await stored.approves("consequences", rated(("A2", "O1"), ("A2", "O2")))
    await stored.approves("objectives", aims(), 2)
    draft = HANDS[hand]("objectives", aims(), AIMS, STAFF, await standing(stored, "objectives"))
    assert handles(draft) == {"Shorten the way": "O1", "Keep the staff happy": "O3"}
    await stored.approves("objectives", draft, 3)
    table = await stored.book.bring_up_to_date(await stored.step("consequences"))
    assert table is not None
    assert table.missing == ("ratings on O3 Keep the staff happy: A2 Bergen",)


@pytest.mark.req("FA-19")
@pytest.mark.parametrize("hand", HANDS)
async def test_also_while_its_version_still_stands_what_was_dropped_gives_its_handle_to_nobody(
    stored: StoredDecision, hand: str
) -> None:
    await stored.approves("objectives", aims({"handle": "O2", **COST}))
    draft = HANDS[hand]("objectives", aims(), AIMS, STAFF, await standing(stored, "objectives"))
    assert handles(draft)["Keep the staff happy"] == "O3"


async def test_what_is_submitted_again_keeps_its_handle_and_its_words_may_be_new() -> None:
    stored, approved = StoredDecision(), aims({"handle": "O2", **COST})
    await stored.approves("objectives", approved)
    so_far, cheaper = (
        await standing(stored, "objectives"),
        aims({"handle": "O2", "description": "Cost less than today"}),
    )
    for draft in (approved, {}):
        found = submitted(PLAYBOOK["objectives"], cheaper, so_far, SaidFigures(), draft)
        assert isinstance(found, Accepted)
        assert handles(found.draft) == {"Shorten the way": "O1", "Cost less than today": "O2"}


async def test_the_question_keeps_its_handle_though_nobody_submits_what_the_server_writes() -> None:
    stored, so_far = StoredDecision(), await standing(StoredDecision(), "problem_frame")
    first = submitted(PLAYBOOK["problem_frame"], minimal("problem_frame"), so_far, SaidFigures())
    assert isinstance(first, Accepted)
    assert first.draft["decision_hierarchy"]["focal"]["handle"] == "H1"
    await stored.approves("problem_frame", first.draft)
    so_far, taken = await standing(stored, "problem_frame"), minimal("problem_frame")
    taken["decision_hierarchy"]["already_made"] = [{"handle": "H1", "statement": "We meet in May"}]
    for frame, handle in ((minimal("problem_frame"), "H1"), (taken, "H2")):
        again = submitted(PLAYBOOK["problem_frame"], frame, so_far, SaidFigures(), first.draft)
        assert isinstance(again, Accepted)
        assert again.draft["decision_hierarchy"]["focal"]["handle"] == handle


@pytest.mark.req("FA-19")
async def test_a_step_that_was_begun_anew_knows_what_it_gave_before_and_what_since(stored: StoredDecision) -> None:
    await stored.approves("objectives", aims({"handle": "O5", **COST}))
    await stored.approves("objectives", aims(), 2)
    now = await stored.step("objectives")
    assert now.interview is not None
    for before, spent in (({"O": 3, "M": 2}, {"O": 5, "M": 2}), ({"O": 7}, {"O": 7})):
        so_far = await stored.book.so_far(replace(now, interview=replace(now.interview, handles=before)))
        assert so_far.spent == spent


@st.composite
def items(draw: st.DrawFn, key: str, number: int) -> tuple[Path, dict[str, Any]]:
    """A list of the step, and something that was never in it."""
    boxes = [each.removesuffix("[]") for each in PLAYBOOK[key].handles if each.endswith("[]")]
    path: Path = tuple(draw(st.sampled_from(boxes)).split("."))
    wanted = PLAYBOOK[key].json_schema
    for step in path:
        wanted = wanted["properties"][step]
    names = [name for name in wanted["items"]["required"] if name != "handle"]
    return path, {name: deepcopy(FIELDS.get(name, f"Thing {number}")) for name in names}


def dropped(key: str, draft: Draft, path: Path, so_far: DecisionRecord) -> Draft:
    """Without the last one of a list, if the step can be without it."""
    if len(get_value(draft, path) or ()) <= len(find_value(smallest(key), ".".join(map(str, path))) or ()):
        return draft
    without, _ = changes.remove_item(PLAYBOOK[key], draft, (*path, len(get_value(draft, path)) - 1), so_far)
    found = changes.judge_change(PLAYBOOK[key], draft, without, so_far)
    assert not found.issues
    return found.draft


def moved(key: str, draft: Draft, path: Path, so_far: DecisionRecord) -> Draft:
    """With the last one of a list in another list, if there is one that takes it."""
    others = changes.list_targets(PLAYBOOK[key], path)
    if not others or draft == dropped(key, draft, path, so_far):
        return draft
    after = changes.move_item(PLAYBOOK[key], draft, (*path, len(get_value(draft, path)) - 1), others[0], so_far).draft
    found = changes.judge_change(PLAYBOOK[key], draft, after, so_far)
    return draft if found.issues else found.draft


@pytest.mark.req("FA-19")
@given(st.sampled_from(NAMED), st.data())
async def test_no_sequence_of_changes_and_approvals_gives_a_handle_or_an_id_to_two_things(
    key: str, data: st.DataObject
) -> None:
    stored = StoredDecision()
    await stored.approves_all(*KEYS[: KEYS.index(key)])
    draft, number = smallest(key), 1
    await stored.approves(key, draft)
    for turn in range(data.draw(st.integers(2, 12))):
        path, item = data.draw(items(key, turn))
        so_far = await standing(stored, key)
        match data.draw(st.sampled_from((*HANDS, "drop", "move", "approve"))):
            case "drop":
                draft = dropped(key, draft, path, so_far)
            case "move":
                draft = moved(key, draft, path, so_far)
            case "approve":
                number += 1
                await stored.approves(key, draft, number)
            case hand:
                after = HANDS[hand](key, draft, path, item, so_far)
                assert handles(draft).items() <= handles(after).items(), "what is there keeps its handle"
                draft = after
    versions = [dict(each.data) for each in await stored.store.versions.list(HUB) if each.component == key]
    words = {
        (each["id"], each["handle"], read_name(each)) for one in versions for each in walk_objects(one) if "id" in each
    }
    assert len(words) == len({id_ for id_, _, _ in words}) == len({handle for _, handle, _ in words})


@pytest.mark.req("FA-19")
@given(st.lists(st.sampled_from(("model", "window", "note", "drop", "discard")), min_size=2, max_size=10))
async def test_no_handle_of_a_draft_is_given_again_though_the_draft_was_never_approved(acts: list[str]) -> None:
    stored, rows, draft = StoredDecision(), list[Message](), aims()
    now = await stored.step("objectives")
    names: dict[str, str] = {"O1": "Shorten the way"}
    for turn, act in enumerate(acts, 2):
        lead = replace(now.interview or pytest.fail("a step has an interview"), draft=draft)
        so_far = (await stored.book.ground(replace(now, interview=lead), rows)).so_far
        match act:
            case "drop":
                draft = aims(*draft["fundamental_objectives"][1:-1])
            case "discard":
                draft = aims()
            case hand:
                draft = HANDS[hand]("objectives", draft, AIMS, {"description": f"Thing {turn}"}, so_far)
        for name, handle in handles(draft).items():
            assert names.setdefault(handle, name) == name
        rows.append(found_in(turn, act, draft))


def found_in(turn: int, act: str, draft: Draft) -> Message:
    """The row of a draft, as the thread keeps it."""
    call = DraftNoted(draft=draft, edition=turn)
    if act == "model":
        call = DraftExtracted(drafted=JudgedDraft(draft=draft, sheet=Sheet()), attempts=1)
    if act == "window":
        return Message(seq=turn, role=Role.NOTE, text="", data=json.dumps(draft))
    return reply(turn, "Noted.", calls=(call,))


@pytest.mark.req("FA-19")
async def test_a_new_item_gets_no_handle_that_a_later_step_has_given(stored: StoredDecision) -> None:
    await stored.approves_all("issue_raising", "problem_frame", "objectives", "alternatives")
    doubts = {"handle": "U4", "description": "How long the way will be", "impact": "high"}
    await stored.approves("consequences", {**rated(("A2", "O1")), "uncertainties": [doubts]})
    so_far = await standing(stored, "issue_raising")
    draft = by_model("issue_raising", minimal("issue_raising"), ("uncertainties",), {"description": "Rain"}, so_far)
    assert handles(draft)["Rain"] == "U5"


@pytest.mark.req("FA-19")
async def test_the_draft_that_is_shown_has_given_its_handles_too(stored: StoredDecision) -> None:
    now = await stored.step("objectives", draft=aims({"handle": "O7", **COST}))
    assert (await stored.book.so_far(now)).spent["O"] == 7


@pytest.mark.req("FA-19")
async def test_a_window_gives_no_handle_of_an_item_that_was_dropped_in_the_talk(stored: StoredDecision) -> None:
    step = await stored.step("objectives", draft=aims())
    noted = DraftNoted(draft=aims({"handle": "O7", **COST}), edition=1)
    row = replace(reply(1, "Noted"), calls=(noted,))
    now = await placed(stored.store, replace(step, head=1, thread=replace(step.thread, root="77.7")), row)
    draft = by_window("objectives", aims(), AIMS, STAFF, await stored.book.so_far(now))
    assert handles(draft)[STAFF["description"]] == "O8"


@pytest.mark.req("FA-19")
async def test_two_steps_that_are_open_at_once_give_each_number_of_a_kind_once(stored: StoredDecision) -> None:
    first = await stored.step("issue_raising")
    noted = DraftNoted(draft={"uncertainties": [{"handle": "U2", "description": "Dropped later"}]}, edition=1)
    row = replace(reply(1, "Noted"), calls=(noted,))
    draft = {"uncertainties": [{"handle": "U1", "description": "The winter"}]}
    assert first.interview is not None
    open_one = replace(
        first, interview=replace(first.interview, draft=draft), thread=replace(first.thread, root="77.7")
    )
    await placed(stored.store, replace(open_one, id="other", head=1), row)
    steps = (DecisionStep(key="issue_raising", title="Issues", thread=open_one.thread),)
    await placed(stored.store, replace(talk(90), thread=HUB, decision=Decision(question="Where?", steps=steps)))
    editor = DraftEditor(PLAYBOOK["consequences"], await standing(stored, "consequences"))
    noted_here = editor.note({}, "uncertainties", {"description": "The price"})
    assert isinstance(noted_here, DraftChange)
    assert noted_here.name == "U3"
    aims_only = await standing(stored, "objectives")
    assert aims_only.spent == {}, "of other kinds nothing is given elsewhere"
