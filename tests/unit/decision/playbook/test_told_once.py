"""What is told once is known in every later step that speaks of the thing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.core.state.interview import Interview, Mode, Phase, PreparedStep
from app.core.state.sheet import Sheet
from app.core.text import labels
from app.decision.layout.parts.result import Result
from app.decision.layout.parts.told_parts import list_own_ratings
from app.decision.layout.sheets import recall
from app.decision.playbook.found_so_far import REASONS, list_findings
from app.decision.playbook.openings import write_opening
from app.decision.playbook.step_prompt import build_block, build_system_prompt
from app.decision.record import DecisionRecord
from tests.unit.core.threads import THREAD
from tests.unit.decision.components.told import ASSUMED, DRIVER, KEPT, THIRD, TODAY, WHY, find_told, known, verdicts
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example

PREPARED = PreparedStep(
    title="", opening="", confirm_question="", approve="", prompt_version="", schema_version="", max_turns=10
)
INTERVIEW = Interview(decision=THREAD, component="recommendation", prepared=PREPARED)


def tell(key: str, results: dict[str, Any], suggested: dict[str, tuple[str, ...]] | None = None) -> str:
    """All that the model is told in a later step."""
    found = list_findings(PLAYBOOK[key], DecisionRecord(results, TODAY, {}, suggested=suggested or {}))
    return "\n".join(line for each in found for line in (each.heading, *each.lines))


def told(key: str, *more_cells: dict[str, Any]) -> str:
    """What the model is told when each earlier step holds something of people's."""
    return tell(key, known(key, *more_cells))


def judged(key: str) -> str:
    """What the model is told when people have judged the findings."""
    return tell(key, verdicts(key))


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["tradeoffs", "recommendation"])
def test_a_reason_given_for_a_rating_is_known_where_ratings_are_spoken_of(key: str) -> None:
    assert re.search(rf"^- A2: (.*; )?O1 {re.escape(WHY)}", told(key), re.MULTILINE)


@pytest.mark.req("FA-15")
def test_of_several_reasons_assumptions_and_words_on_one_thing_each_reaches_the_model() -> None:
    results = verdicts("recommendation")
    results["alternatives"]["alternatives"][1]["assumptions"] = [ASSUMED, DRIVER]
    pair = {"alternative_id": "A4", "by": "A2", "user_verdict": "accepted", "reason": DRIVER}
    results["tradeoffs"]["practical_dominance"].append(pair)
    so_far = DecisionRecord(results, TODAY, {})
    said = [each["rationale"] for each in list_own_ratings(so_far) if each.get("rationale")]
    block = build_block(PLAYBOOK["recommendation"], Phase.GATHER, INTERVIEW, so_far)
    assert [words for words in said if labels.shorten(words) not in block] == []
    assert f"- A2: {ASSUMED}; {DRIVER}" in block
    assert f"they said rejected, because {KEPT}" in block
    assert f"they said accepted, because {DRIVER}" in block


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", KEYS[KEYS.index("consequences") :])
def test_an_assumption_of_an_option_is_known_where_options_are_judged(key: str) -> None:
    assert f"- A2: {ASSUMED}" in told(key)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", [*KEYS[KEYS.index("consequences") :], "problem_frame"])
def test_an_uncertainty_comes_with_what_it_depends_on(key: str) -> None:
    assert f"(depends on: {DRIVER}" in told(key)


@pytest.mark.parametrize("key", ["decision_quality", "notes_next_steps"])
def test_what_is_still_uncertain_is_told_once_though_it_was_named_in_the_beginning(key: str) -> None:
    results = known(key)
    results["issue_raising"]["uncertainties"].append({"handle": "U9", "description": "Whether the vendor survives"})
    said = tell(key, results)
    remaining = results["recommendation"]["remaining_uncertainties"]
    assert all(f"- {each['description']}" in said for each in remaining)
    assert "- U9 Whether the vendor survives" in said
    assert said.count(f"depends on: {DRIVER}") == 1
    assert "- U1 " not in said
    results["recommendation"]["remaining_uncertainties"] = []
    assert f"(depends on: {DRIVER})" in tell(key, results)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", KEYS[KEYS.index("consequences") :])
def test_the_part_of_people_is_known_once_there_are_options_and_their_concerns_where_those_are_judged(key: str) -> None:
    results = known(key)
    results["problem_frame"]["parties"] = [
        {"handle": "P1", "name": "Maya", "role": "decision_maker", "concerns": ["All of it"]},
        {"handle": "P2", "name": "Sam", "role": "advisor", "concerns": ["Older patients", "Evenings"]},
        {"handle": "P3", "name": "Patients", "role": "affected_party"},
        {"handle": "P4", "name": "Lenz"},
    ]
    concerns = "" if key in ("decision_quality", "notes_next_steps") else ", Older patients, Evenings"
    people = f"People: P1 Maya; P2 Sam: advisor{concerns}; P3 Patients: affected; P4 Lenz"
    assert people in tell(key, results).splitlines()


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["tradeoffs", "recommendation"])
def test_a_consideration_on_an_aim_is_known_where_options_are_weighed_but_what_a_limit_says_is_told_once(
    key: str,
) -> None:
    results = known(key)
    aim = {"handle": "O9", "description": "Let older patients cope", "performance_measure": {"metric": "Complaints"}}
    results["objectives"]["fundamental_objectives"].append(aim)
    results["problem_frame"]["focal_decision"]["constraints"] = ["At most 46,321 euros for older patients"]
    said = ["About 40 percent of the patients are over 70", "Last winter brought 12 complaints", "Sunday was sunny"]
    said += ["At most 46,321 euros is there for older patients", "Older people could use 46,321 euros"]
    results["issue_raising"]["considerations"] = [
        {"handle": f"C{number}", "text": text} for number, text in enumerate(said, start=1)
    ]
    told = tell(key, results)
    assert [text for text in said if text in told] == [*said[:2], said[4]]
    assert "- C4 " not in told


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["recommendation", "decision_quality", "notes_next_steps"])
def test_why_a_dominated_option_is_kept_is_known_afterwards(key: str) -> None:
    assert f"they said keep, because {KEPT}" in told(key)


@pytest.mark.req("FA-15", "FA-31")
@pytest.mark.parametrize("key", ["recommendation", "decision_quality", "notes_next_steps"])
def test_what_they_call_the_heart_of_it_is_known_afterwards_and_their_trades_where_one_is_chosen(key: str) -> None:
    results = verdicts(key)
    statements: list[dict[str, str]] = [{"alternative_id": "A2", "statement": DRIVER}, {"alternative_id": "A4"}]
    results["tradeoffs"] |= {"headline_conflict": {"statement": WHY}, "tensions": statements}
    assert f'- "{WHY}"' in tell(key, results)
    told = re.search(rf"^- A2 [^:]*: (.*; )?{re.escape(DRIVER)}", tell(key, results), re.MULTILINE)
    assert bool(told) == (key == "recommendation")


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["recommendation", "decision_quality", "notes_next_steps"])
def test_what_they_said_of_a_practical_dominance_and_of_an_objective_is_known_afterwards(key: str) -> None:
    assert f"practically dominated beside {THIRD}, they said rejected, because {KEPT}" in judged(key)
    assert f": left out by them, because {WHY}" in judged(key)


def find(key: str, name: str, results: dict[str, Any], **more: Any) -> str:
    """What people are shown of this kind in the windows of a later step, a line each."""
    items = find_told(Result(PLAYBOOK[key], {}, DecisionRecord(results, TODAY, {}, **more)), name)
    return "\n".join(line for each in items for line in (f"{each.handle} {each.text}", *each.notes))


@pytest.mark.req("FA-15")
def test_people_find_what_they_said_of_a_practical_dominance_and_of_an_objective() -> None:
    told = find("recommendation", "understanding", verdicts("recommendation"))
    assert f"Compared with {THIRD}, you said: its one step is worth it.\n{KEPT}" in told
    assert f"You dismissed it.\n{WHY}" in told


@pytest.mark.req("FA-03")
def test_a_verdict_whose_reason_nobody_gave_is_told_without_one() -> None:
    results = verdicts("recommendation")
    for each in results["tradeoffs"]["irrelevant_objectives"]:
        each.pop("reason")
    so_far = DecisionRecord(results, TODAY, {})
    assert "You dismissed it." in find("recommendation", "understanding", results)
    told = build_block(PLAYBOOK["recommendation"], Phase.GATHER, INTERVIEW, so_far)
    assert re.search(r": left out by them$", told, re.MULTILINE)


@pytest.mark.req("FA-15")
def test_what_nobody_said_is_told_to_nobody_as_theirs() -> None:
    proposed = {"alternative_id": "A2", "objective_id": "O1", "rating": 1, "rationale": "a guess of mine"}
    results = known("tradeoffs", proposed | {"origin": "ai_suggested"})
    assert "a guess of mine" not in find("tradeoffs", "reasons", results)
    assert "a guess of mine" not in tell("tradeoffs", results)


@pytest.mark.req("FA-04")
def test_what_a_person_approved_and_nobody_said_reaches_the_model_of_later_steps_as_a_suggestion() -> None:
    results = known("recommendation")
    understood = results["tradeoffs"]["user_understanding"]
    depends = f"{results['issue_raising']['uncertainties'][0]['handle']}.driver"
    told = tell("recommendation", results, {"issue_raising": (depends,), "tradeoffs": ("user_understanding",)})
    assert f"(depends on: {DRIVER} [suggested, nobody said it])" in told
    assert f"- {understood} [suggested, nobody said it]" in told.splitlines()
    said = tell("recommendation", results)
    assert f'- "{understood}"' in said.splitlines()
    assert "nobody said" not in said


@pytest.mark.req("FA-04")
def test_what_nobody_said_stays_a_suggestion_in_the_details_of_later_steps() -> None:
    results = known("tradeoffs")
    depends = f"{results['issue_raising']['uncertainties'][0]['handle']}.driver"
    plain, marked = f"Depends on: {DRIVER}", f"💡 Depends on: {DRIVER} (suggested by Threadwise)"
    for suggested, line in (((), plain), ((depends,), marked)):
        shown = find("tradeoffs", "uncertainties", results, suggested={"issue_raising": suggested})
        assert line in shown.splitlines()


@pytest.mark.req("FA-15")
def test_people_find_what_the_doubt_of_a_rating_comes_from() -> None:
    doubtful = {"alternative_id": "A2", "objective_id": "O1", "rating": 1, "uncertainty": {"driver": DRIVER}}
    assert f"In doubt: {DRIVER}" in find("tradeoffs", "reasons", known("tradeoffs", doubtful))


def test_of_very_many_reasons_people_read_how_many_more_there_are() -> None:
    more = [{"alternative_id": "A2", "objective_id": "O1", "rating": 1, "rationale": "near"}] * 90
    assert find("tradeoffs", "reasons", known("tradeoffs", *more)).endswith("more")


def test_of_very_many_reasons_the_rest_is_counted() -> None:
    more = [{"alternative_id": "A2", "objective_id": "O1", "rating": 1, "rationale": "near"}] * REASONS
    assert "more, which are on record" in told("tradeoffs", *more)
    assert told("tradeoffs", *more).count(" on O1: near") < REASONS


def test_a_step_without_words_of_its_own_explains_none() -> None:
    so_far, empty = DecisionRecord({}, TODAY, {}), Sheet(sections=())
    plain = PLAYBOOK["tradeoffs"].model_copy(update={"terms": ()})
    assert [each.title for each in recall(plain, empty, so_far).sections] == []
    assert [each.title for each in recall(PLAYBOOK["tradeoffs"], empty, so_far).sections] == ["Words of the method"]


def test_a_limit_that_was_noted_beside_a_decision_is_known_when_the_decision_is_framed() -> None:
    results = known("problem_frame")
    results["issue_raising"]["potential_decisions"][0]["notes"] = "It has to run by 1 September."
    assert re.search(r"^- D1 .* \(It has to run by 1 September\.\)", tell("problem_frame", results), re.MULTILINE)


def test_what_the_options_are_and_where_each_measure_stands_today_is_known_where_they_are_rated() -> None:
    results = known("consequences")
    results["alternatives"]["alternatives"][1]["description"] = "Two electric ovens for 240,000 euros"
    results["objectives"]["fundamental_objectives"][0]["performance_measure"] = {
        "metric": "missed mornings a year",
        "direction": "minimize",
        "baseline": 8,
    }
    said = tell("consequences", results)
    assert re.search(r"^- A2: Two electric ovens for 240,000 euros$", said, re.MULTILINE)
    assert re.search(r"^O1: missed mornings a year, minimize, today 8$", said, re.MULTILINE)
    results["objectives"]["fundamental_objectives"][0]["performance_measure"]["baseline"] = 1_234_567
    assert "today 1,234,567\n" in tell("consequences", results)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["objectives", "consequences"])
def test_a_fact_that_was_told_at_first_is_known_where_amounts_are_spoken_of(key: str) -> None:
    results = known(key)
    results["issue_raising"]["considerations"] = [{"handle": "C1", "text": "The branch costs 196,000 a year"}]
    assert "- C1 The branch costs 196,000 a year" in tell(key, results)


def with_voices(key: str) -> dict[str, Any]:
    """Some are on an option, or by somebody who has a say; the last one is on neither."""
    results = known(key)
    frame = results["problem_frame"]
    frame["decision_maker"] = {"name": "Maya and Anneke"}
    frame["parties"] = [
        {"handle": "P1", "name": "Works council", "role": "stakeholder"},
        {"handle": "P2", "name": "Neighbours", "role": "affected_party"},
    ]
    said = ["Anneke is dead against leasing", "The council must agree", f"{THIRD[3:]}: Bo left", "Neighbours grumble"]
    results["issue_raising"]["considerations"] = [
        {"handle": f"C{number}", "text": text} for number, text in enumerate(said, start=1)
    ]
    return results


@pytest.mark.req("FA-27")
def test_who_has_the_last_word_beside_the_decider_is_known_in_later_steps() -> None:
    results = known("alternatives")
    results["problem_frame"] |= {
        "decision_maker": {"name": "Maya", "role": "Manager", "authority": "needs_approval", "decision_rule": "in May"},
        "parties": [{"handle": "P1", "name": "Hedwig", "role": "decision_maker"}],
    }
    assert "Who decides: Maya, Manager, decides, and Hedwig approves, in May\n" in tell("alternatives", results)
    results["problem_frame"]["decision_maker"]["authority"] = "recommends"
    assert "Who decides: Maya, Manager, recommends, and Hedwig decides, in May\n" in tell("alternatives", results)
    unsaid = {"problem_frame": ("decision_maker.authority",)}
    assert "Who decides: Maya, Manager, in May\n" in tell("alternatives", results, unsaid)


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["alternatives", "tradeoffs", "recommendation"])
def test_who_decides_and_is_against_something_is_known_where_options_are_spoken_of(key: str) -> None:
    said = tell(key, with_voices(key))
    assert "To keep in mind:\n- C1 Anneke is dead against leasing\n- C2 The council must agree" in said
    assert ("- C3 " in said) == (key != "alternatives"), "the options are not known before"
    assert "Neighbours grumble" not in said


@pytest.mark.req("FA-15")
def test_a_consideration_on_a_course_is_known_where_options_are_looked_for() -> None:
    results = with_voices("alternatives")
    results["issue_raising"]["potential_decisions"][0]["courses"] = ["Buy a truck"]
    results["issue_raising"]["potential_decisions"][1:] = []
    results["issue_raising"]["considerations"][-1]["text"] = "Trucks need a licence"
    assert "- C4 Trucks need a licence" in tell("alternatives", results)


@pytest.mark.req("FA-15")
def test_the_opening_names_what_speaks_against_the_lead_by_who_decides() -> None:
    opening = write_opening(PLAYBOOK["recommendation"], DecisionRecord(with_voices("recommendation"), TODAY, {}))
    assert "\n\nTo keep in mind:\n• C1 Anneke is dead against leasing\n\n" in opening


@pytest.mark.req("FA-15")
def test_what_is_kept_in_mind_says_what_was_corrected_of_it() -> None:
    was, now = "Anneke is dead against leasing", "Anneke may lease"
    corrected = {"handle": "C1", "was": was, "text": now, "step": "Problem frame"}
    results = with_voices("recommendation")
    results["problem_frame"]["corrections"] = [corrected]
    told = "C1 Anneke is dead against leasing – corrected in Problem frame: Anneke may lease"
    assert f"- {told}" in tell("recommendation", results)
    assert f"• {told}\n" in write_opening(PLAYBOOK["recommendation"], DecisionRecord(results, TODAY, {}))


@pytest.mark.req("FA-27")
@pytest.mark.parametrize("key", KEYS[KEYS.index("objectives") :])
def test_the_people_are_told_with_the_handles_that_notes_refer_to(key: str) -> None:
    results = known(key)
    results["problem_frame"]["parties"] = [{"handle": "P1", "name": "Maya"}, {"handle": "P2", "name": "Jonas, finance"}]
    assert "People: P1 Maya; P2 Jonas, finance" in tell(key, results)


def with_courses(key: str) -> dict[str, Any]:
    results = known(key)
    decisions = [
        {
            "handle": "D1",
            "description": "What to do with the branch",
            "courses": ["Renew", "A bus"],
            "notes": "Since May",
        },
        {"handle": "D2", "description": "Whom to ask", "courses": ["The school"]},
    ]
    results["issue_raising"]["potential_decisions"] = decisions
    if "problem_frame" in results:
        results["problem_frame"]["focal_decision"]["source_decision_id"] = "D1"
    return results


@pytest.mark.req("FA-06", "FA-15")
def test_courses_that_were_named_at_first_are_listed_where_options_are_looked_for() -> None:
    results = with_courses("alternatives")
    opening = write_opening(PLAYBOOK["alternatives"], DecisionRecord(results, TODAY, {}))
    assert "You have named these courses already." in opening
    assert "\n• Renew\n• A bus\n" in opening
    assert "The school" not in opening, "that was named for another decision"
    assert "Courses named for it before (do not ask for them again):\n- Renew\n- A bus" in tell("alternatives", results)
    results["issue_raising"]["potential_decisions"] = [{"handle": "D1", "description": "What to do with the branch"}]
    assert "courses" not in write_opening(PLAYBOOK["alternatives"], DecisionRecord(results, TODAY, {}))


@pytest.mark.req("FA-15")
def test_courses_of_the_only_decision_are_known_also_where_the_frame_names_no_source() -> None:
    results = with_courses("alternatives")
    del results["problem_frame"]["focal_decision"]["source_decision_id"]
    assert "- Renew" not in tell("alternatives", results)
    results["issue_raising"]["potential_decisions"].pop()
    assert "- Renew\n- A bus" in tell("alternatives", results)


@pytest.mark.req("FA-15")
def test_the_frame_is_made_with_the_courses_that_were_named() -> None:
    assert "- D1 What to do with the branch (Renew; A bus; Since May)" in tell(
        "problem_frame", with_courses("problem_frame")
    )


def mirrored(key: str, suggested: dict[str, tuple[str, ...]] | None = None, **more: Any) -> list[str]:
    """The lines that the model reads in a step after the example's recommendation, with something more in that."""
    results = {each: example(each) for each in KEYS[: KEYS.index(key)]}
    results["recommendation"] |= more
    return tell(key, results, suggested).splitlines()


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["decision_quality", "notes_next_steps"])
def test_what_matters_for_the_choice_and_how_an_option_could_fail_is_known_after_the_recommendation(key: str) -> None:
    told = mirrored(key)

    assert "- Hiring must start in December to be ready on 1 March; a partner could bridge." in told
    assert (
        "- A4 Three part-time weekend agents: it went wrong: By May only one post is filled and the volunteers carry "
        "the winter again; early sign: Fewer than five suitable applications by 15 January; against it: Bridge "
        "contract with the partner for March and April"
    ) in told


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["decision_quality", "notes_next_steps"])
def test_what_people_lean_to_is_known_after_the_recommendation_and_a_suggested_leaning_is_marked(key: str) -> None:
    leaning = "If the replay does not surprise us, we hire."

    assert f'They lean: "{leaning}"' in mirrored(key, user_leaning=leaning)
    suggested = mirrored(key, {"recommendation": ("user_leaning",)}, user_leaning=leaning)
    assert f"They lean: {leaning} [suggested, nobody said it]" in suggested


@pytest.mark.req("FA-15")
@pytest.mark.parametrize("key", ["decision_quality", "notes_next_steps"])
def test_by_when_something_is_to_be_found_out_is_known_after_the_recommendation(key: str) -> None:
    both = {"description": "Can we hire?", "resolution_path": "Ask the agency", "by_when": "2026-12-11"}
    day = {"description": "Does it scale?", "by_when": "2026-12-12"}

    told = mirrored(key, remaining_uncertainties=[both, day, {"description": "Will it snow?"}])

    assert "- Can we hire? (to find out: Ask the agency, by 2026-12-11)" in told
    assert "- Does it scale? (to find out: by 2026-12-12)" in told
    assert "- Will it snow?" in told


@pytest.mark.req("FA-15")
def test_what_would_raise_the_weakest_element_is_known_where_next_steps_are_noted_and_of_no_other_element() -> None:
    told = mirrored("notes_next_steps")

    at = told.index("What would raise it, as they said:")
    assert told[at + 1] == "- Reliable Consequence Information: Replay 400 tickets; call two more partner references."
    assert "Ask Jonas for a two-year commitment." not in "\n".join(told)


@pytest.mark.req("FA-08", "FA-33")
def test_steps_that_the_opening_explains_are_not_explained_again_whatever_their_sign_is() -> None:
    opening = write_opening(PLAYBOOK["consequences"], before("consequences"))
    told = build_system_prompt(PLAYBOOK["consequences"], Mode.INTERACTIVE, opening)
    assert "much worse" in opening
    assert "much worse" not in told
    assert "- -2: much worse." in build_system_prompt(PLAYBOOK["consequences"], Mode.INTERACTIVE)
