"""What frames each request of a step, which is its prompt, state and tools. None of it says too much, or twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from app.agent.extraction.submission import build_submission_tool
from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Offer
from app.agent.tools.conversation.thread_toolset import TOOLS
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.agent.tools.interview import judgements
from app.agent.tools.look_up import NAME
from app.core.state.interview import Mode, Phase
from app.decision.playbook.openings import write_opening
from app.decision.playbook.step_prompt import (
    TERMS,
    build_block,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from app.decision.schema.terms import list_lines
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before

LOOKUPS = ToolRunner(tools=select_tools(EXTERNAL_TOOLS, Offer.STEPS)).fold_lookups()
KNOWN = {
    NAME,
    *TOOLS,
    *EXTERNAL_TOOLS,
    *(tool.name for tool in judgements.TOOLS),
    *(each.tool for each in PLAYBOOK.components),
} - {"rate"}
"""Names of all tools but the one that is a common word."""
MOST = 85_440
"""Characters of the nine system prompts of the talk together with their tools. A smaller number is welcome here."""


def named(*texts: str) -> set[str]:
    return KNOWN & {word for text in texts for word in re.findall(r"\w+", text)}


def state(key: str, phase: Phase) -> str:
    now = interviewed(phase, component=key)
    assert now.interview
    return build_block(PLAYBOOK[key], phase, now.interview, before(key))


def offered(key: str) -> set[str]:
    return {NAME, *LOOKUPS.folded, *(spec["name"] for spec in Box(interviewed(component=key)).tools.specs)}


def list_long_lines(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in text.splitlines() if len(line) > 25]


@pytest.mark.req("FA-08")
@pytest.mark.parametrize("key", KEYS)
def test_no_request_names_a_tool_that_it_does_not_have(key: str) -> None:
    component = PLAYBOOK[key]
    states = [state(key, phase) for phase in Phase if phase is not Phase.EXTRACT]
    described = [json.dumps(spec) for spec in (*LOOKUPS.specs, *Box(interviewed(component=key)).tools.specs)]
    talk = named(build_system_prompt(component, Mode.INTERACTIVE), *states, *described)
    assert talk <= offered(key)
    written_up = build_system_prompt(component, Mode.DIRECT)
    assert not named(written_up, build_summarize_prompt(component))
    submission = json.dumps(build_submission_tool(component))
    assert named(written_up, build_serialize_prompt(component), submission) == {component.tool}


@pytest.mark.req("FA-08")
@pytest.mark.parametrize("key", KEYS)
def test_without_tools_nothing_is_said_of_looking_up_or_of_asking(key: str) -> None:
    said = f"{build_system_prompt(PLAYBOOK[key], Mode.DIRECT)}\n{build_summarize_prompt(PLAYBOOK[key])}".lower()
    assert not [
        each for each in ("you can look up", "look it up", "ask with", "one question in", "call ") if each in said
    ]


@pytest.mark.req("FA-08", "FA-33")
@pytest.mark.parametrize("key", KEYS)
def test_each_word_of_the_method_is_explained_by_the_instructions_or_by_the_opening_beside_them(key: str) -> None:
    component, opening = PLAYBOOK[key], write_opening(PLAYBOOK[key], before(key))
    for mode in Mode:
        alone, beside = (build_system_prompt(component, mode, told) for told in ("", opening))
        for word, line in list_lines(component.terms).items():
            assert f"- {word}: {line}." in alone
            as_written = f"{word}: {line}".replace("−", "-")
            assert (f"- {word}: {line}." in beside) == (as_written not in opening.replace("−", "-"))
        assert (TERMS in beside) == any(f"- {word}: " in beside for word in list_lines(component.terms))


@pytest.mark.req("FA-08")
@pytest.mark.parametrize("key", KEYS)
def test_no_line_stands_twice_in_what_frames_a_request(key: str) -> None:
    component = PLAYBOOK[key]
    talk = list_long_lines([build_system_prompt(component, Mode.INTERACTIVE), state(key, Phase.GATHER)])
    assert len(talk) == len({*talk})
    system = build_system_prompt(component, Mode.DIRECT)
    for asked in (build_summarize_prompt(component), build_serialize_prompt(component)):
        lines = list_long_lines([system, asked])
        assert len(lines) == len({*lines})


@pytest.mark.req("FA-08")
def test_only_steps_for_which_something_is_computed_are_told_of_what_is_computed() -> None:
    for mode in Mode:
        told = [key for key in KEYS if "omputed" in build_system_prompt(PLAYBOOK[key], mode)]
        assert told == ["tradeoffs", "recommendation", "decision_quality", "notes_next_steps"]
    assert not [key for key in KEYS if "[computed]" in build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE)]


def read_counts(line: str) -> list[int]:
    return [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]{3,}", line)]


@pytest.mark.req("FA-08")
def test_the_page_on_performance_tells_the_characters_of_each_step_and_stage_and_that_they_became_fewer() -> None:
    page = (Path(__file__).parents[3] / "docs/performance.md").read_text("utf-8")
    told = page.partition("### What a decision sends to the model")[2].partition("\n### ")[0]
    rows = {line.split("|")[1].strip(): read_counts(line) for line in told.splitlines() if line.startswith("| ")}
    steps = [rows[component.key.replace("_", " ")] for component in PLAYBOOK.components]
    assert {len(each) for each in steps} == {2 * 3}, "whole and as lines, in three stages"
    stages = [rows[stage][-1] for stage in ("talk", "summarize", "serialize")]
    assert [sum(each[2 * place + 1] for each in steps) for place in range(3)] == stages
    before, _, after = rows["all"]
    (newest,) = re.findall(r"With all that was added since: ([\d,]+) on", told)
    assert (sum(stages), max(after, *read_counts(newest)) <= 0.7 * before) == (after, True)


@pytest.mark.req("FA-08")
def test_what_frames_the_requests_of_a_decision_does_not_grow() -> None:
    sizes = {
        key: len(build_system_prompt(PLAYBOOK[key], Mode.INTERACTIVE))
        + len(json.dumps([*Box(interviewed(component=key)).tools.specs, *LOOKUPS.specs], separators=(",", ":")))
        for key in KEYS
    }
    assert sum(sizes.values()) <= MOST, sizes
