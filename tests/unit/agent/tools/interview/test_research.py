"""Looking things up in a decision: earlier steps, the thread, and whatever else a box is given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import Field

from app.agent.tools.interview.interview_toolset import MAX_CALLS, SPENT, UNKNOWN
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import Input, PureTool
from app.agent.tools.trial import InterviewTrial
from app.decision.record import DecisionRecord
from tests.unit.agent.tools.sat import ROWS, Box, interviewed
from tests.unit.decision.components.worked import TODAY


@pytest.mark.req("S4-027", "S4-044")
def test_research_is_carried_out_in_the_discussion_and_the_turn_goes_on() -> None:
    box = Box(interviewed(component="consequences"))
    told = box.does("read_step", step="Alternatives")
    assert told["query"] == {"step": "Alternatives"}
    assert any("A2" in line for line in told["found"])
    assert not box.calls
    assert not box.tools.waits
    nothing = box.does("read_step", step="tradeoffs")
    assert (nothing["result"], nothing["found"]) == ("no_results", [])
    assert "issue_raising, problem_frame, objectives, alternatives" in nothing["action"]
    assert "none yet" in Box(so_far=DecisionRecord({}, TODAY)).does("read_step", step="objectives")["action"]


def test_the_thread_is_searched_for_words_with_who_wrote_them_and_when() -> None:
    first, second, third = Box().does("search_thread", words="hire")["found"]
    assert first == {"who": "Maya Okafor", "user": "UOWNER", "when": "2026-02-02 02:40+00:00", "quote": ROWS[0].text}
    assert second["who"] == "Threadwise"
    assert (third["who"], len(third["quote"]) <= 200) == ("UOWNER", True)
    assert third["quote"] in ROWS[2].text
    assert "Hire a nurse" in third["quote"]
    assert Box().does("search_thread", words="dentist")["result"] == "no_results"
    assert [each["quote"] for each in Box().does("search_thread", words="maya could")["found"]] == [ROWS[0].text]


def test_a_search_tells_the_newest_ten() -> None:
    rows = tuple(replace(ROWS[0], seq=seq, text=f"hire number {seq}", ts="", author_name="") for seq in range(1, 13))
    found = Box(rows=rows).does("search_thread", words="hire")["found"]
    assert [each["quote"] for each in found] == [f"hire number {seq}" for seq in range(3, 13)]
    assert found[0]["when"] == ""


class Topic(Input):
    topic: str = Field(description="What to look for.")


@pytest.mark.req("S4-056")
def test_other_research_tools_can_be_given_to_the_box() -> None:
    def look(trial: InterviewTrial, given: Topic) -> ToolResult:
        found = [f"{given.topic}: {len(trial.messages)} rows"]
        return ToolResult(report_findings(given.model_dump(), "Go on.", found=found))

    box = Box(research=(PureTool(name="look_up", description="Look it up.", input=Topic, run=look),))
    assert "look_up" in [spec["name"] for spec in box.tools.specs]
    assert box.does("look_up", topic="rota")["found"] == ["rota: 4 rows"]
    assert box.fails("read_step", step="objectives") == UNKNOWN
    assert "topic: Field required" in box.fails("look_up")


def test_after_fifty_calls_the_model_has_to_answer() -> None:
    box = Box()
    for _ in range(MAX_CALLS):
        box.does("search_thread", words="hire")
    assert box.fails("search_thread", words="hire") == SPENT
