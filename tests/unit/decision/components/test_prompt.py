"""What the model is told: the same frame for all components, and in each what a facilitator asks there."""

from __future__ import annotations

import pytest

from app.core.state.interview import Mode
from app.decision.playbook.step_prompt import build_serialize_prompt, build_summarize_prompt, build_system_prompt
from tests.unit.decision.components.worked import KEYS, PLAYBOOK


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
