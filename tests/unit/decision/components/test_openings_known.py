"""Openings use what is known: nobody is asked for what they have said, and nothing is spoken of that is not there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from app.core.state.interview import Mode, Phase
from app.decision.analysis.quality import Element
from app.decision.drafts.draft import Accepted
from app.decision.layout.first_page import build_first_page, describe_firmness
from app.decision.layout.sheets import recall
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import list_choices, list_lacking, write_opening
from app.decision.playbook.step_prompt import build_system_prompt
from app.decision.record import DecisionRecord
from app.decision.report.wording import DIFFERENCES
from app.decision.schema.terms import explain_to_people, list_lines, load_terms, name_element
from app.runtime.record.step_context import StepContext
from handlers.views.editing.rating import STEPS
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, TODAY, before, example, minimal, rated
from tests.unit.decision.sheets.walls import laid, titled

QUESTION = "Should we hire three agents, or pay a partner?"
NOTHING = DecisionRecord({}, TODAY)
WHO_DECIDES = "And who decides it?"


def opening(key: str, so_far: DecisionRecord) -> str:
    return write_opening(PLAYBOOK[key], so_far)


def one_candidate() -> DecisionRecord:
    issues: dict[str, Any] = {**example("issue_raising"), "focal_candidate_id": "D1"}
    return before("problem_frame", issue_raising={**issues, "potential_decisions": issues["potential_decisions"][:1]})


@pytest.mark.req("FA-06")
@pytest.mark.parametrize("key", ["issue_raising", "problem_frame"])
def test_the_question_that_was_typed_is_read_back(key: str) -> None:
    assert QUESTION in opening(key, replace(NOTHING, question=QUESTION))
    assert "question: \n" not in opening(key, NOTHING)


@pytest.mark.req("FA-15", "FA-31")
def test_the_levels_of_a_scale_in_words_are_known_where_it_is_rated() -> None:
    objectives: Any = example("objectives")
    objectives["fundamental_objectives"][0]["performance_measure"] = {
        "metric": "who would follow",
        "direction": "maximize",
        "scale_levels": ["nobody", "some", "all"],
    }
    so_far = before("consequences", objectives=objectives)
    assert "(who would follow: nobody · some · all)" in opening("consequences", so_far)
    found = str(list_findings(PLAYBOOK["consequences"], so_far))
    assert "O1: who would follow, maximize, levels: nobody, some, all" in found


@pytest.mark.req("FA-06")
def test_among_one_decision_nobody_is_asked_to_choose() -> None:
    told = opening("problem_frame", one_candidate())
    assert "You have named one decision: D1 How to cover urgent" in told
    assert "Which decision" not in told
    assert "first." not in told
    assert told.endswith(WHO_DECIDES)
    assert opening("problem_frame", replace(NOTHING, question=QUESTION)).endswith(WHO_DECIDES)


def known(*facts: str, question: str = "") -> DecisionRecord:
    """One decision with these considerations."""
    decision = {"handle": "D1", "description": "How to keep fresh food cold now the cold room is failing"}
    noted = [{"handle": f"C{number}", "text": text} for number, text in enumerate(facts, 1)]
    issues: dict[str, Any] = {**minimal("issue_raising"), "potential_decisions": [decision], "considerations": noted}
    return replace(before("problem_frame", issue_raising=issues), question=question)


@pytest.mark.req("FA-06")
def test_a_question_that_is_the_decision_is_said_once() -> None:
    question = "How should the food bank keep fresh food cold now the cold room is failing?"
    told = opening("problem_frame", known(question=question))
    assert told.count("cold room is failing") == 1
    assert "You have named one decision: D1 How to keep fresh food cold" in told
    other = "What do we do with the yard?"
    assert f"You began with the question: {other}" in opening("problem_frame", known(question=other))


@pytest.mark.req("FA-06")
@pytest.mark.parametrize(
    "said",
    [
        "Anneke and Maya decide together",
        "Maya decides.",
        "We decide, the board signs",
        "Anneke has the final say",
        "The board has the last word",
    ],
)
def test_who_decides_is_asked_only_where_nobody_said_it(said: str) -> None:
    told = opening("problem_frame", known("At most 60k", said))
    assert told.endswith(f"or in others? On who decides, this is noted: C2 {said.rstrip('.')}.")
    for open_still in ("Nobody knows who decides", "We have to decide soon", "Anneke is the treasurer"):
        assert opening("problem_frame", known(open_still)).endswith(f"or in others? {WHO_DECIDES}")


@pytest.mark.req("FA-06")
def test_limits_that_were_named_before_are_listed_and_not_asked_for() -> None:
    told = opening(
        "problem_frame", known("About 900 kg were thrown away", "At most 60k upfront", "It is 28 °C or more")
    )
    listed = "you need not name them again:\n• C2 At most 60k upfront\n• C3 It is 28 °C or more\n\n"
    assert f"You have already named these limits. Correct what is wrong; {listed}" in told
    assert "limits" not in opening("problem_frame", known("About 900 kg were thrown away")).split("\n\n", 1)[1]
    owned = opening("problem_frame", known("The mother owns 40 % of the firm", "A firm in Linz offers space"))
    assert "You have already named these limits" not in owned
    assert "• C1 The date is firm" in opening("problem_frame", known("The date is firm"))
    firm = known("No teacher travels more than 4 hours a week", "Exams in May 2028 must be on site", "May is busy")
    assert "• C1 No teacher travels more" in opening("problem_frame", firm)
    assert "• C2 Exams in May 2028 must be on site\n\n" in opening("problem_frame", firm)


@pytest.mark.req("FA-06")
def test_of_several_decisions_the_one_that_was_put_first_is_taken_and_only_confirmed() -> None:
    so_far, frame = before("problem_frame"), PLAYBOOK["problem_frame"]
    told = opening("problem_frame", so_far)
    assert "\n• D2 Whether to sell a paid 24/7 service plan" in told
    assert "You put D1 How to cover urgent 'no… first, so I take that one." in told
    assert told.endswith(f"Is that the decision to frame, in these words or in others? {WHO_DECIDES}")
    assert ("Which decision" in told, list_choices(frame, so_far)) == (False, ())
    del so_far.results["issue_raising"]["focal_candidate_id"]
    assert "so I take that one" not in opening("problem_frame", so_far)
    assert [each.split()[0] for each in list_choices(frame, so_far)] == ["D1", "D2", "D3"]


@pytest.mark.req("FA-06")
def test_what_was_named_before_is_listed_for_confirmation() -> None:
    objectives, options = opening("objectives", before("objectives")), opening("alternatives", before("alternatives"))
    assert (
        "You have already mentioned these. Correct what is wrong; you need not name them again:\n• IO1 " in objectives
    )
    assert "Ways to get there that you have named. They may be options, or parts of one:\n• M1 " in options


@pytest.mark.req("FA-31")
@pytest.mark.parametrize("key", KEYS[1:])
def test_an_opening_says_what_is_missing_instead_of_speaking_of_it(key: str) -> None:
    lacking = list_lacking(PLAYBOOK[key], NOTHING)
    assert lacking
    assert all(f"{each[0].upper()}{each[1:]}." in opening(key, NOTHING) for each in lacking)
    assert list_lacking(PLAYBOOK[key], before(key)) == ()


@pytest.mark.req("FA-31")
def test_without_ratings_no_analysis_is_said_to_have_run() -> None:
    told = opening("tradeoffs", NOTHING)
    assert "There are no ratings yet" in told
    assert "already run" not in told
    assert "surprise" not in told
    assert "The analysis has already run" in opening("tradeoffs", before("tradeoffs"))


@pytest.mark.req("FA-33")
def test_each_element_phase_and_step_of_the_scale_has_its_line() -> None:
    terms = load_terms()
    assert [*terms["elements"]] == [*Element]
    assert [*terms["phases"]] == [*Phase]
    assert [*terms["scale"]] == ["+2", "+1", "0", "-1", "-2"]
    assert all(
        line and "\n" not in line and not line.endswith(".") for group in terms.values() for line in group.values()
    )


@pytest.mark.req("FA-31")
@pytest.mark.parametrize(
    ("key", "folded"),
    [
        ("tradeoffs", ("dominated", "irrelevant", "tensions", "headline")),
        ("recommendation", ("dominated", "tensions", "standout", "firmness", "doubts")),
    ],
)
def test_what_an_opening_leaves_to_the_details_the_model_is_told_whole(key: str, folded: tuple[str, ...]) -> None:
    so_far, component = before(key), PLAYBOOK[key]
    state = {line for each in list_findings(component, so_far) for line in each.lines}
    whole = [line for name in folded for line in COMPUTED[name](so_far, component).splitlines()]
    assert {so_far.shorten(line) for line in whole if not line.endswith(":")} <= state
    assert any(line not in opening(key, so_far) for line in whole), "there is something to unfold"


@pytest.mark.req("FA-15")
def test_what_was_worth_finding_out_when_options_were_rated_is_told_at_the_end_once() -> None:
    so_far = before("notes_next_steps")
    asked, short = "What Priya's second offer says", "Gas tax"
    so_far.results["consequences"]["uncertainties"] += [
        {"handle": "U7", "description": asked, "worth_resolving": True},
        {"handle": "U8", "description": short, "worth_resolving": True},
        {"handle": "U9", "description": "Who repairs the printer"},
    ]
    told = opening("notes_next_steps", so_far)
    (found,) = [each.lines for each in list_findings(PLAYBOOK["notes_next_steps"], so_far) if "- Gas tax" in each.lines]
    page = str(build_first_page(PLAYBOOK["consequences"], so_far).sections)
    assert [each in told for each in (f"\n• {asked}", f"\n• {short}")] == [True, True]
    assert f"- {asked}" in found
    assert [asked in page, "Who repairs" in f"{told}{found}{page}"] == [True, False]
    assert (told.count("AI triage can close"), "Hiring three part-time" in told) == (1, False), "the same is told once"


@pytest.mark.req("FA-33")
@pytest.mark.parametrize("key", KEYS)
def test_people_read_the_lines_where_the_words_first_come_up(key: str) -> None:
    lines, said = list_lines(PLAYBOOK[key].explained), opening(key, before(key))
    assert lines
    if "**Show details**" in said:  # a press away
        said = titled(recall(PLAYBOOK[key], laid(key, {}, before(key)), before(key)), "Words of the method")
        assert all(f"{name_element(word)}: {line}" in said.splitlines() for word, line in lines.items())
    else:
        assert all(f"• {name_element(word)}: {line}\n" in said for word, line in lines.items())


@pytest.mark.req("FA-33")
@pytest.mark.parametrize("mode", Mode)
def test_the_model_has_the_lines_that_its_step_works_with(mode: Mode) -> None:
    groups = load_terms()
    used = {word for key in KEYS for word in list_lines(PLAYBOOK[key].terms)}
    assert used == {*groups["terms"], *groups["scale"], *groups["elements"]}
    for key in KEYS:
        prompt = build_system_prompt(PLAYBOOK[key], mode)
        assert all(f"\n- {word}: {line}." in prompt for word, line in list_lines(PLAYBOOK[key].terms).items())


@pytest.mark.req("FA-33")
@pytest.mark.parametrize("key", KEYS)
def test_the_details_of_a_step_end_with_the_lines_of_its_words(key: str) -> None:
    sheet = StepContext(PLAYBOOK[key], before(key), {}).judge(Accepted(minimal(key))).sheet
    told = titled(sheet, "Words of the method")
    assert all(f"{name_element(word)}: {line}" in told for word, line in list_lines(PLAYBOOK[key].terms).items())


@pytest.mark.req("FA-33")
def test_no_text_of_a_step_repeats_a_line() -> None:
    lines = [line for group in load_terms().values() for line in group.values() if len(line.split()) > 3]
    for key in KEYS:
        component = PLAYBOOK[key]
        texts = [component.purpose, component.opening, *component.guidance.values(), json.dumps(component.json_schema)]
        assert [line for line in lines for each in texts if line in each] == []
        prompt = build_system_prompt(component, Mode.INTERACTIVE)
        assert [line for line in lines if prompt.count(line) > 1] == []


@pytest.mark.req("FA-33")
def test_the_scale_is_called_the_same_in_the_window_of_ratings_and_in_the_report() -> None:
    for step, line in load_terms()["scale"].items():
        assert STEPS[str(int(step))].endswith(f" · {line}")
        assert DIFFERENCES[int(step)] == line


def test_no_line_that_people_read_writes_a_minus_as_a_hyphen() -> None:
    told = explain_to_people(load_terms())
    assert "in steps from −2 to +2" in told
    assert not re.search(r"-\d", told)


@pytest.mark.req("FA-33")
def test_what_stands_out_is_said_in_the_words_of_its_line() -> None:
    told = describe_firmness(rated({"A1": [0, 0], "A2": [2, -1]}, "notes_next_steps"))
    assert f"stands out on the plain sum: {load_terms()['terms']['stands out']}." in told


@pytest.mark.req("FA-07")
@pytest.mark.parametrize("key", KEYS)
def test_the_newest_message_is_answered_first_and_others_are_named(key: str) -> None:
    prompt = build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE)
    assert "The owner's newest message comes first: answer what it says or asks, then go on." in prompt
    assert "What others have written since, take up by their names." in prompt
