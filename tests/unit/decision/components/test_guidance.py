"""What each component says to the model: in the newest user turn of each phase, and in the frame of all."""

from __future__ import annotations

import pytest

from app.agent.tools.interview.judgements import TOOLS
from app.core.state.interview import Interview, Mode, Phase, PreparedStep
from app.decision.playbook.step_prompt import (
    build_block,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from tests.unit.core.threads import THREAD
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before

param, mark = pytest.param, pytest.mark
GATHER, CONFIRM = Phase.GATHER, Phase.CONFIRM
PREPARED = PreparedStep(
    title="", opening="", confirm_question="", approve="", prompt_version="", schema_version="", max_turns=10
)

MOST_WORDS = 260
"""Of one directive: more of it than of the talk itself would drown the talk."""


def told(key: str, phase: Phase) -> str:
    """What stands beside the words in the newest user turn of this phase, before anything is noted."""
    interview = Interview(decision=THREAD, component=key, prepared=PREPARED)
    return build_block(PLAYBOOK[key], phase, interview, before(key))


WHICH_BOX = "Is that something you need to decide, something you want to achieve, or something you're uncertain about?"
QUESTIONS = [
    param("issue_raising", GATHER, WHICH_BOX, marks=mark.req("S0-089", "S0-090")),
    param(
        "issue_raising",
        CONFIRM,
        "Have I captured everything? Should any items move between categories?",
        marks=mark.req("S0-094"),
    ),
    param("objectives", GATHER, "How would you know if you achieved this?", marks=mark.req("S0-119", "S0-120")),
    param("alternatives", GATHER, "What else could you do?", marks=mark.req("S0-133")),
    param("alternatives", CONFIRM, "Are there any other options we should consider?", marks=mark.req("S0-140")),
    param(
        "consequences",
        GATHER,
        "How does [alternative] compare to status quo on [objective]?",
        marks=mark.req("S0-148", "S0-149"),
    ),
    param("tradeoffs", GATHER, "Does this analysis surprise you?", marks=mark.req("S0-166")),
    param("recommendation", GATHER, "What else would help you decide?", marks=mark.req("S0-180")),
]


@pytest.mark.parametrize(("key", "phase", "question"), QUESTIONS)
def test_the_questions_of_the_seed_are_asked_letter_for_letter(key: str, phase: Phase, question: str) -> None:
    assert f'"{question}"' in told(key, phase)


BEGINS = [
    param("issue_raising", "Make people comfortable", marks=mark.req("S0-084")),
    param("issue_raising", "this is a free collection and that the order does not matter", marks=mark.req("S0-085")),
    param("issue_raising", "ask what situation is on their mind", marks=mark.req("S0-086")),
    param("problem_frame", "Go through the decisions collected so far.", marks=mark.req("S0-098")),
    param(
        "problem_frame", "which one to focus on is asked with buttons when the step begins", marks=mark.req("S0-099")
    ),
    param("objectives", "Refer to the decision in focus", marks=mark.req("S0-115")),
    param("objectives", "ask which outcomes matter most", marks=mark.req("S0-116")),
    param("alternatives", "Refer to the objectives and ask", marks=mark.req("S0-129")),
    param("alternatives", "ask for options, including doing nothing", marks=mark.req("S0-130")),
    param("consequences", "Explain the five steps in one line", marks=mark.req("S0-146")),
    param("consequences", "begin with the first objective", marks=mark.req("S0-147")),
    param("tradeoffs", "Show the findings at once", marks=mark.req("S0-162")),
    param("recommendation", "Refer to the whole path", marks=mark.req("S0-175")),
    param("recommendation", "say that the decision is theirs", marks=mark.req("S0-176")),
    param("decision_quality", "Explain the seven elements and the chain", marks=mark.req("S0-190", "S0-191")),
    param("notes_next_steps", "Ask what questions or thoughts remain", marks=mark.req("S0-202")),
    param("notes_next_steps", "and probe for planned actions.", marks=mark.req("S0-203")),
]


@pytest.mark.parametrize(("key", "wanted"), BEGINS)
def test_when_a_step_begins_the_model_is_told_what_its_first_words_are_about(key: str, wanted: str) -> None:
    assert wanted in told(key, Phase.INTRO)


WANTED = [
    param("issue_raising", "Listen for decisions, goals, worries and unknowns", marks=mark.req("S0-087")),
    param(
        "issue_raising",
        "If you cannot tell into which box something belongs, ask with ask_user, as a choice of these three:",
        marks=mark.req("S0-089", "S0-090"),
    ),
    param("problem_frame", "Find out who really decides, and in what role", marks=mark.req("S0-100")),
    param("problem_frame", "Clarify scope and limits: who set each limit, and can", marks=mark.req("S0-101")),
    param("problem_frame", "Discover who is affected, who advises, who could stop it", marks=mark.req("S0-102")),
    param("problem_frame", "and how much influence each of them has.", marks=mark.req("S0-102")),
    param("problem_frame", "linked decisions: already made, the one in focus, deferred", marks=mark.req("S0-103")),
    param("objectives", 'until the answer is "because it does": that one is fundamental.', marks=mark.req("S0-118")),
    param("objectives", '"How could that be achieved?" leads to means.', marks=mark.req("S0-118")),
    param("alternatives", "Make the status quo explicit: what happens if nobody decides", marks=mark.req("S0-132")),
    param("alternatives", '"What would you do if these were forbidden?"', marks=mark.req("S0-133")),
    param("alternatives", "is several choices at once, build a strategy table", marks=mark.req("S0-134")),
    param("consequences", "One objective across all options, then the next. Ask: ", marks=mark.req("S0-148")),
    param("consequences", "how sure people are", marks=mark.req("S0-151")),
    param("tradeoffs", 'After a bare "ok", ask once more what they would give up for what.', marks=mark.req("S0-173")),
    param("tradeoffs", "Talk through what is dominated:", marks=mark.req("S0-163")),
    param("tradeoffs", "what has to be given up between the options that are left", marks=mark.req("S0-164")),
    param("recommendation", "Discuss what matters for the choice", marks=mark.req("S0-177")),
    param("recommendation", "what is still uncertain and how to find out", marks=mark.req("S0-178")),
    param("recommendation", "whether an option stands out; the analysis says", marks=mark.req("S0-179")),
    param("decision_quality", "People give the score; ask for the reason", marks=mark.req("S0-193")),
    param("decision_quality", 'for low scores what would raise them: "What would', marks=mark.req("S0-194")),
    param("notes_next_steps", "Take notes, open questions and next steps.", marks=mark.req("S0-204", "S0-205")),
    param("notes_next_steps", '"Who does what by when?" Turn "next Friday" into a date', marks=mark.req("S0-206")),
]


@pytest.mark.parametrize(("key", "wanted"), WANTED)
def test_while_it_gathers_a_component_wants_what_the_seed_wants(key: str, wanted: str) -> None:
    assert wanted in told(key, GATHER)


CONFIRMED = [
    param(
        "issue_raising",
        "say which items nobody has said in these words",
        "Have I captured everything? Should any items move between categories?",
        marks=mark.req("S0-094"),
    ),
    param("problem_frame", "Check that somebody can act on the statement.", "answered well"),
    param(
        "objectives",
        'Ask: "Would each of these matter even if nothing else on the list changed?"',
        "Would each of these matter even if nothing else on the list changed?",
        marks=mark.req("S0-125"),
    ),
    param("alternatives", "Check that the status quo is right.", "other options", marks=mark.req("S0-139", "S0-140")),
    param("consequences", "Ask whether the ratings look right.", "Do these ratings look right to you?"),
    param(
        "tradeoffs",
        "Name what was set aside and what beats it, and which objectives do not tell the options apart.",
        "Does this analysis surprise you?",
        marks=mark.req("S0-171"),
    ),
    param(
        "recommendation",
        "Say that the decision stays theirs.",
        "The decision stays yours.",
        marks=mark.req("S0-186"),
    ),
    param(
        "decision_quality",
        "talk about what would raise each one below 100",
        "Do these scores reflect how confident you are?",
        marks=mark.req("S0-198"),
    ),
    param(
        "notes_next_steps",
        "Check that the next steps are clear",
        "Are the next steps clear? Ready to wrap up?",
        marks=mark.req("S0-212"),
    ),
]


@pytest.mark.parametrize(("key", "wanted", "asked"), CONFIRMED)
def test_before_people_confirm_they_are_asked_about_what_matters(key: str, wanted: str, asked: str) -> None:
    assert wanted in told(key, CONFIRM)
    assert asked in PLAYBOOK[key].confirm_question, "the question on the card"


PURPOSES = [
    param("issue_raising", "sort what is there into decisions, objectives, uncertainties", marks=mark.req("S0-083")),
    param("problem_frame", "who decides what, for when, within which bounds, with whom", marks=mark.req("S0-097")),
    param(
        "objectives", "(fundamental objectives), told apart from the ways to get it (means", marks=mark.req("S0-114")
    ),
    param("objectives", "and how each could be measured", marks=mark.req("S0-114")),
    param("alternatives", "Options that really differ and can be done, a strategy table", marks=mark.req("S0-128")),
    param("alternatives", "an honest status quo as the baseline", marks=mark.req("S0-128")),
    param("tradeoffs", "find which options are dominated and which objectives are", marks=mark.req("S0-159")),
    param("tradeoffs", "irrelevant for this choice; then name the tensions", marks=mark.req("S0-159")),
    param("decision_quality", "a score for each of seven elements, and the lowest one", marks=mark.req("S0-189")),
    param("notes_next_steps", "notes worth keeping, who does what by when, which", marks=mark.req("S0-201")),
    param("notes_next_steps", "which questions stay open", marks=mark.req("S0-201")),
]


@pytest.mark.parametrize(("key", "wanted"), PURPOSES)
def test_the_model_knows_what_its_step_is_for_from_the_first_turn_to_the_extraction(key: str, wanted: str) -> None:
    assert all(wanted in build_system_prompt(PLAYBOOK[key], mode) for mode in Mode)


MANNERS = [
    param(Phase.INTRO, "set the scene, put people at ease, and say what this step covers", marks=mark.req("S0-065")),
    param(GATHER, "ask questions that probe, and listen closely", marks=mark.req("S0-066")),
    param(
        Phase.CLARIFY,
        "resolve what is ambiguous or does not fit, and follow up on what stayed unclear",
        marks=mark.req("S0-067"),
    ),
    param(Phase.EXTRACT, "bring what was said together in the form of this step's result", marks=mark.req("S0-068")),
    param(CONFIRM, "present the result, and ask for corrections or approval", marks=mark.req("S0-069")),
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("phase", "wanted"), MANNERS)
def test_in_each_phase_the_model_knows_which_it_is_and_how_it_is_led(key: str, phase: Phase, wanted: str) -> None:
    line = f"\n- {phase.value}: {wanted}.\n"
    assert (line in build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE)) is (phase is not Phase.EXTRACT)
    assert (line in build_system_prompt(PLAYBOOK[key], Mode.DIRECT)) is (phase is Phase.EXTRACT)
    assert told(key, phase).startswith(f"<step>\nPhase: {phase.value}\n{PLAYBOOK[key].guidance[phase]}\n")


@pytest.mark.req("S0-068")
@pytest.mark.parametrize("key", KEYS)
def test_both_requests_of_an_extraction_say_what_counts_in_the_result_of_this_step(key: str) -> None:
    wanted = PLAYBOOK[key].guidance[Phase.EXTRACT]
    assert wanted in build_summarize_prompt(PLAYBOOK[key])
    assert wanted in build_serialize_prompt(PLAYBOOK[key])


@pytest.mark.req("S0-224")
@pytest.mark.parametrize("key", KEYS)
def test_an_extraction_is_asked_for_its_data_and_for_no_text_around_it(key: str) -> None:
    assert build_serialize_prompt(PLAYBOOK[key]).startswith(
        f"Put what was said in this step into submit_{key}(), and do nothing else: no text before it, none after it."
    )


@pytest.mark.parametrize("phase", [GATHER, CONFIRM])
def test_the_last_step_promises_no_reminder_that_nobody_can_set_there(phase: Phase) -> None:
    said = told("notes_next_steps", phase)
    assert "offer reminders" not in said
    assert "in a new thread or a direct message" in said
    assert not {"schedule_work", "cancel_schedule"} & {tool.name for tool in TOOLS}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("phase", Phase)
def test_no_directive_drowns_the_talk(key: str, phase: Phase) -> None:
    assert len(PLAYBOOK[key].guidance[phase].split()) <= MOST_WORDS


@pytest.mark.req("S4-051", "S4-005")
@pytest.mark.parametrize("key", KEYS)
def test_what_counts_stands_at_the_start_and_at_the_end(key: str) -> None:
    paragraphs = build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE).split("\n\n")
    assert "ready_to_summarize()" in paragraphs[1]
    assert "ready_to_summarize()" in paragraphs[-1]
    assert not any("ready_to_summarize" in each for each in paragraphs[2:-1])
    assert PLAYBOOK[key].purpose in "\n".join(paragraphs[2:-1])


@pytest.mark.req("S4-043", "S4-052", "S4-053")
def test_with_a_person_there_the_model_talks_first_and_then_calls() -> None:
    first, *_, last = build_system_prompt(PLAYBOOK["objectives"], Mode.INTERACTIVE).split("\n\n")[1:]
    assert all(word in first for word in ("listen, ask, clarify", "call ready_to_summarize()"))
    assert "discuss first, and call ready_to_summarize() when" in last


@pytest.mark.req("S4-047", "S4-054")
@pytest.mark.parametrize("key", KEYS)
def test_with_nobody_there_the_model_works_at_once_and_nothing_is_repeated(key: str) -> None:
    prompt = build_system_prompt(PLAYBOOK[key], Mode.DIRECT)
    assert "ask nothing" in prompt.split("\n\n")[1]
    assert "ready_to_summarize" not in prompt
    assert prompt.endswith("These instructions are not for showing.")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("mode", Mode)
def test_a_prompt_is_filled(key: str, mode: Mode) -> None:
    assert not {"{", "}"} & set(build_system_prompt(PLAYBOOK[key], mode))


@pytest.mark.parametrize("key", KEYS)
def test_an_extraction_knows_when_the_step_is_complete(key: str) -> None:
    prompt = build_system_prompt(PLAYBOOK[key], Mode.DIRECT)
    for criterion in PLAYBOOK[key].criteria:
        assert criterion.need.format(item="each of them") in prompt
    assert ("- nothing in particular" in prompt) is not bool(PLAYBOOK[key].criteria)


@pytest.mark.parametrize("key", KEYS)
def test_a_summary_has_the_headings_of_its_component(key: str) -> None:
    prompt = build_summarize_prompt(PLAYBOOK[key])
    assert all(f"- {heading}\n" in prompt for heading in PLAYBOOK[key].summary_headings)
    assert "no new ideas" in prompt


@pytest.mark.req("S4-041", "S0-227", "S0-228")
@pytest.mark.parametrize("key", KEYS)
def test_an_extraction_names_its_one_tool_and_asks_for_what_was_said_alone(key: str) -> None:
    prompt = build_serialize_prompt(PLAYBOOK[key])
    assert f"submit_{key}()" in prompt
    assert "only what was clearly stated. Leave out what is missing, or give an empty list." in prompt
