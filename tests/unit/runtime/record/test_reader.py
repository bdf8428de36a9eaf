"""The casebook: versions go in and out with the same ids, and a step sees what was approved before it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.state.decision import Decision, Version
from app.core.state.interview import Interview, MissingGround, Mode, Phase
from app.decision.playbook import example
from app.decision.playbook.playbook import Playbook
from app.decision.playbook.step_prompt import build_block
from tests.unit.core.interviews import HUB
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, minimal
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import THREE, StoredDecision, approved, rated


def ids(version: Version, path: str) -> dict[str, str]:
    """The id of each handle in a list of the record."""
    return {each["handle"]: each["id"] for each in version.data[path]}


# --- what a step begins with


@pytest.mark.req("S4-019", "FA-32")
@pytest.mark.parametrize("key", KEYS)
async def test_a_step_begins_with_the_texts_and_versions_of_its_component(key: str) -> None:
    prepared, component = await StoredDecision().book.prepare(HUB, key), PLAYBOOK[key]
    assert (prepared.title, prepared.confirm_question) == (component.title, component.confirm_question)
    assert (prepared.approve, prepared.opening) == (component.approve, prepared.opening.strip())
    assert (prepared.prompt_version, prepared.schema_version) == (component.prompt_version, component.schema_version)
    assert prepared.max_turns == (40 if key in ("objectives", "consequences", "decision_quality") else 25)
    assert Interview(decision=HUB, component=key, prepared=prepared).mode is Mode.INTERACTIVE


async def test_each_step_knows_which_comes_next_and_the_last_one_that_none_does() -> None:
    book = StoredDecision().book
    following = [(await book.prepare(HUB, key)).next_key for key in KEYS]
    assert following == [*KEYS[1:], ""]
    assert (await book.prepare(HUB, KEYS[0])).next_title == "Problem frame"


async def test_an_opening_tells_what_was_approved_before_it(stored: StoredDecision) -> None:
    await stored.approves_all("issue_raising", "problem_frame")
    assert "You are deciding: Where do we meet in May?" in (await stored.book.prepare(HUB, "objectives")).opening


@pytest.mark.req("NC-09")
async def test_a_step_knows_the_first_step_whose_result_it_lacks(stored: StoredDecision) -> None:
    lacks = (await stored.book.prepare(HUB, "recommendation")).lacks
    assert lacks == MissingGround(title="Consequences")
    assert (await stored.book.prepare(HUB, "issue_raising")).lacks is None


@pytest.mark.req("NC-09")
async def test_a_step_is_not_led_back_for_what_an_approved_step_left_out(stored: StoredDecision) -> None:
    await stored.approves_all("issue_raising", "problem_frame")
    prepared = await stored.book.prepare(HUB, "objectives")
    assert "Nothing wanted has been named" in prepared.opening
    assert prepared.lacks is None


@pytest.mark.req("S0-099")
@pytest.mark.parametrize(("count", "offered"), [(0, 0), (1, 0), (2, 2), (10, 10), (12, 10)])
async def test_the_frame_asks_with_buttons_which_of_the_decisions_to_focus_on(
    stored: StoredDecision, count: int, offered: int
) -> None:
    decisions = [{"handle": f"D{n}", "description": f"Decision {n}"} for n in range(1, count + 1)]
    await stored.approves("issue_raising", {**minimal("issue_raising"), "potential_decisions": decisions})
    prepared = await stored.book.prepare(HUB, "problem_frame")
    assert prepared.choices == tuple(f"D{n} Decision {n}" for n in range(1, offered + 1))
    asks = "Which decision should we focus on?"
    assert (prepared.question == asks, prepared.opening.endswith(asks)) == (offered > 0, count == 0)
    assert ("You have named one decision: D1 Decision 1\n" in prepared.opening) == (count == 1)
    assert (await stored.book.prepare(HUB, "objectives")).choices == ()


@pytest.mark.req("S0-247")
def test_a_component_that_nobody_wrote_is_an_error_and_not_another_one() -> None:
    with pytest.raises(KeyError):
        StoredDecision().book.component("weather")


# --- what a step sees


async def test_a_step_sees_the_results_before_it_and_none_after_it(stored: StoredDecision) -> None:
    await stored.approves_all(*KEYS)
    for place, key in enumerate(KEYS):
        so_far = await stored.book.so_far(await stored.step(key))
        assert set(so_far.results) == set(KEYS[:place])
        assert so_far.before != {} or key == "notes_next_steps"


async def test_what_was_approved_last_counts_and_is_named_as_the_ground(stored: StoredDecision) -> None:
    await stored.approves_all("issue_raising", "problem_frame")
    again = minimal("issue_raising")
    again["potential_decisions"].append({"handle": "D2", "description": "When to meet"})
    await stored.approves("issue_raising", again, 2)
    ground = await stored.book.ground(await stored.step("objectives"))
    assert ground.based_on == {"issue_raising": 2, "problem_frame": 1}
    assert len(ground.so_far.results["issue_raising"]["potential_decisions"]) == 2


@pytest.mark.req("FA-21")
def test_no_two_steps_flag_each_other_and_a_step_that_quotes_a_later_score_is_not_flagged_by_it() -> None:
    flags = {each.key: each.concerns for each in PLAYBOOK.steps()}
    assert not [(one, other) for one, concerned in flags.items() for other in concerned if one in flags[other]]
    assert "decision_quality" in flags["recommendation"]
    assert "recommendation" not in flags["decision_quality"]


@pytest.mark.req("FA-21", "FA-27")
async def test_a_step_that_is_discussed_again_knows_what_has_changed_since_it_was_approved(
    stored: StoredDecision,
) -> None:
    await stored.approves_all(*KEYS[:6])
    await stored.approves(
        "consequences", {"table": {"cells": [{**rated(("A2", "O1"))["table"]["cells"][0], "rating": -1}]}}, 2
    )
    now = await stored.step("tradeoffs")
    assert now.interview is not None
    based = replace(now, interview=replace(now.interview, based_on={"consequences": 1, "objectives": 1}))
    so_far = await stored.book.so_far(based)
    assert so_far.changes == ("Consequences: v1 → v2", "- A2 on O1: +1 → -1")
    assert "A2 on O1: +1 → -1" in build_block(
        PLAYBOOK["tradeoffs"], Phase.GATHER, based.interview or now.interview, so_far
    )
    assert [(each.title, each.version) for each in so_far.steps][-1] == ("Consequences", 2)
    assert (await stored.book.so_far(now)).changes == (), "what was never approved was made with nothing"


@pytest.mark.req("TR-07", "FA-16")
async def test_a_note_is_kept_with_the_version_of_the_ratings_that_it_was_written_for(stored: StoredDecision) -> None:
    await stored.approves_all(*KEYS[: KEYS.index("recommendation")])
    judged = await stored.book.judge(await stored.step("recommendation"), minimal("recommendation"))
    assert judged is not None
    await stored.approves("recommendation", dict(judged.draft))
    (cell,) = rated(("A2", "O1"))["table"]["cells"]
    await stored.approves("consequences", {"table": {"cells": [{**cell, "rating": -1}]}}, 2)
    kept = await stored.store.versions.list(HUB)
    mark = "Written for version 1 of the ratings; some have changed since."
    assert mark in repr(stored.book.laid_out(kept, "")["recommendation"].sections)
    assert mark in repr(stored.book.first_page(kept, ""))


async def test_today_is_the_owners_today() -> None:
    frame = minimal("problem_frame")
    frame["focal_decision"]["deadline"] = "2026-02-28"
    at_home = await StoredDecision().book.judge(
        await StoredDecision().step("problem_frame", zone="America/New_York"), frame
    )
    anywhere = await StoredDecision().book.judge(await StoredDecision().step("problem_frame"), frame)
    assert at_home is not None
    assert anywhere is not None
    assert (at_home.blocked, anywhere.blocked) == (False, True)


# --- versions in and out


@pytest.mark.req("S0-222", "S0-040", "S0-014")
async def test_a_version_is_the_component_its_data_and_when_and_with_what_it_was_made(stored: StoredDecision) -> None:
    await stored.approves("issue_raising")
    now = await stored.step("problem_frame")
    assert now.interview is not None
    older = replace(now.interview, prepared=replace(now.interview.prepared, prompt_version="1"))
    ground = await stored.book.ground(now)
    kept = await stored.book.version(
        replace(now, interview=replace(older, based_on=ground.based_on)), approved(minimal("problem_frame")), 1
    )
    assert (kept.component, kept.number, kept.decision) == ("problem_frame", 1, HUB)
    assert kept.data["focal_decision"]["statement"] == "Where do we meet in May?"
    assert kept.extracted_at == kept.approved_at == "2026-03-01T00:00:00+00:00"
    assert (kept.approved_by, kept.model, kept.based_on) == (MAYA, "claude", {"issue_raising": 1})
    assert kept.prompt_version == "1", "as the step began, whatever its component says now"


async def test_what_was_approved_is_kept_though_a_step_that_it_refers_to_was_erased_meanwhile(
    stored: StoredDecision,
) -> None:
    await stored.approves("alternatives")
    kept = await stored.book.version(await stored.step("consequences"), approved(rated(("A2", "O1"))), 1)
    assert kept.data["table"]["cells"] == {}


async def test_a_result_comes_out_of_the_record_as_it_went_in(stored: StoredDecision) -> None:
    for key in KEYS:
        await stored.approves(key)
    assert await stored.book.results(HUB) == {key: minimal(key) for key in KEYS}


@pytest.mark.req("S0-226")
async def test_an_item_keeps_its_id_through_all_versions_also_when_it_was_away(stored: StoredDecision) -> None:
    first = await stored.approves("alternatives", THREE)
    second = await stored.approves("alternatives", minimal("alternatives"), 2)
    third = await stored.approves("alternatives", THREE, 3)
    assert ids(second, "alternatives") == {each: ids(first, "alternatives")[each] for each in ("A1", "A2")}
    assert ids(third, "alternatives") == ids(first, "alternatives")
    assert len(set(ids(first, "alternatives").values())) == 3


async def test_what_refers_to_an_item_finds_it_in_its_next_version(stored: StoredDecision) -> None:
    await stored.approves_all("objectives", "alternatives")
    before = await stored.approves("consequences")
    renamed = minimal("alternatives")
    renamed["alternatives"][1]["name"] = "Bergen by train"
    await stored.approves("alternatives", renamed, 2)
    after = await stored.approves("consequences", number=2)
    assert before.data["table"] == after.data["table"]
    so_far = await stored.book.so_far(await stored.step("tradeoffs"))
    (cell,) = so_far.results["consequences"]["table"]["cells"]
    assert so_far.label(cell["alternative_id"]) == "A2 Bergen by train"


async def test_a_handle_that_two_steps_share_names_two_things(stored: StoredDecision) -> None:
    issues, ratings = minimal("issue_raising"), rated(("A2", "O1"))
    issues["uncertainties"] = [{"handle": "U1", "description": "Will it rain"}]
    ratings["uncertainties"] = [
        {"handle": "U1", "description": "The price of the hall", "driver": "season"},
    ]
    raised = await stored.approves("issue_raising", issues)
    await stored.approves_all("objectives", "alternatives")
    rate = await stored.approves("consequences", ratings)
    again = await stored.approves("consequences", ratings, 2)
    assert ids(raised, "uncertainties")["U1"] != ids(rate, "uncertainties")["U1"]
    assert ids(again, "uncertainties") == ids(rate, "uncertainties")
    results = await stored.book.results(HUB)
    assert results["issue_raising"]["uncertainties"][0]["description"] == "Will it rain"
    assert results["consequences"]["uncertainties"][0]["description"] == "The price of the hall"


async def test_the_newest_version_is_laid_out_in_whatever_order_they_come() -> None:
    stored, again = StoredDecision(), minimal("issue_raising")
    again["potential_decisions"][0]["description"] = "When to meet"
    versions = [await stored.approves("issue_raising"), await stored.approves("issue_raising", again, 2)]
    for given in (versions, versions[::-1]):
        assert "When to meet" in str(stored.book.laid_out(given, "")["issue_raising"])


async def test_of_a_step_that_is_known_no_more_the_record_stays_and_nothing_else_suffers() -> None:
    stored = StoredDecision(Playbook(PLAYBOOK.components[:2]))
    await stored.approves_all("issue_raising", "problem_frame")
    strange = replace(await stored.approves("problem_frame", number=2), component="weather", number=1)
    await stored.store.versions.keep(await stored.step("issue_raising"), strange)
    assert set(await stored.book.results(HUB)) == {"issue_raising", "problem_frame"}
    laid_out = stored.book.laid_out(await stored.store.versions.list(HUB), "")
    assert set(laid_out) == {"issue_raising", "problem_frame"}


# --- the worked example


@pytest.mark.parametrize("key", KEYS)
async def test_a_step_of_the_worked_example_is_judged_with_what_was_said_in_it(
    stored: StoredDecision, key: str
) -> None:
    for each in KEYS[: KEYS.index(key)]:
        await stored.approves(each, dict(example.load_drafts()[each]))
    drafted = await stored.book.read_example(HUB, key)
    assert drafted is not None
    assert drafted.missing == ()
    assert drafted.gist


async def test_the_question_of_a_decision_says_which_example_it_is(stored: StoredDecision) -> None:
    _, second = example.list_questions()
    course = PLAYBOOK.steps()
    await placed(
        stored.store, replace(talk(0), thread=HUB, decision=Decision(question=second, steps=course, example=True))
    )
    drafted = await stored.book.read_example(HUB, "issue_raising")
    assert drafted is not None
    assert "milling machine" in str(drafted.draft)


async def test_a_step_that_the_example_has_not_is_led_like_any_other() -> None:
    first, *_ = PLAYBOOK.components
    stored = StoredDecision(Playbook((first.model_copy(update={"key": "weather"}),)))
    assert await stored.book.read_example(HUB, "weather") is None


@pytest.mark.req("FA-16")
async def test_an_earlier_step_made_with_an_older_version_is_told_as_outdated_to_those_that_follow(
    stored: StoredDecision,
) -> None:
    await stored.approves_all("problem_frame", "objectives", "alternatives")
    rates = await stored.step("consequences")

    async def outdated(made_with: int) -> dict[str, bool]:
        version = await stored.book.version(rates, approved(minimal("consequences")), made_with)
        based_on = {"problem_frame": 1, "objectives": 1, "alternatives": made_with}
        await stored.store.versions.keep(rates, replace(version, based_on=based_on))
        so_far = await stored.book.so_far(await stored.step("tradeoffs"))
        return {each.title: each.is_outdated for each in so_far.steps}

    assert (await outdated(1))["Consequences"] is False
    await stored.approves("alternatives", number=2)
    so_far = await stored.book.so_far(await stored.step("tradeoffs"))
    assert {each.title: each.is_outdated for each in so_far.steps}["Consequences"] is True
    assert (await outdated(2))["Consequences"] is False


@pytest.mark.req("FA-16")
async def test_a_step_that_was_looked_at_again_and_found_still_valid_is_not_told_as_outdated() -> None:
    made_with = {"problem_frame": 1, "objectives": 1, "alternatives": 1}

    async def is_outdated(based_on: dict[str, int], number: int = 1) -> bool:
        stored = StoredDecision()
        steps = [
            replace(each, version=number, based_on=based_on) if each.key == "consequences" else each
            for each in PLAYBOOK.steps()
        ]
        course = Decision(question="Where do we meet?", steps=tuple(steps))
        await placed(stored.store, replace(talk(0), thread=HUB, decision=course))
        await stored.approves_all("problem_frame", "objectives", "alternatives")
        rates = await stored.step("consequences")
        version = await stored.book.version(rates, approved(minimal("consequences")), 1)
        await stored.store.versions.keep(rates, replace(version, based_on=made_with))
        await stored.approves("alternatives", number=2)
        so_far = await stored.book.so_far(await stored.step("tradeoffs"))
        return {each.title: each.is_outdated for each in so_far.steps}["Consequences"]

    assert await is_outdated(made_with) is True
    assert await is_outdated({**made_with, "alternatives": 2}) is False
    assert await is_outdated({**made_with, "alternatives": 2}, number=2) is True, "that was said of another version"
