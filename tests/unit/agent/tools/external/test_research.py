"""What a step may look up: earlier steps, its thread, and whatever else its runner is given, as free threads may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import Field

from app.agent.prompt import TurnPrompt
from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.agent.tools.interview.interview_toolset import CLOSED, InterviewToolset
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.state.interview import Mode, Phase
from app.core.state.permission import Judgement, PermissionRequest, PermissionVerdict
from app.core.state.tool_use import DENIED
from app.decision.record import DecisionRecord
from app.ports import ToolUse
from tests.unit.agent.extracted import SETTINGS
from tests.unit.agent.scripted import PaperDraft, ScriptedModel, answers
from tests.unit.agent.tools.outer.afield import Afield
from tests.unit.agent.tools.sat import ROWS, Box, interviewed
from tests.unit.decision.components.worked import TODAY, before, minimal

LOOK = ToolUse(id="l1", name="look_up", input={"topic": "rota"})


def inside(box: Box) -> Afield:
    """Tools as the turn of this step uses them."""
    return Afield(trial=box.tools.trial)


@pytest.mark.req("S4-027", "S4-044")
async def test_research_is_carried_out_in_the_discussion_and_the_turn_goes_on() -> None:
    box = Box(interviewed(component="consequences"))
    told = await inside(box).does("read_step", step="Alternatives")
    assert told["query"] == {"step": "Alternatives"}
    assert any("A2" in line for line in told["found"])
    assert box.tools.refuse_outside() == ""
    assert not box.calls
    assert not box.tools.waits
    nothing = await inside(box).does("read_step", step="tradeoffs")
    assert (nothing["result"], nothing["found"]) == ("no_results", [])
    assert "issue_raising, problem_frame, objectives, alternatives" in nothing["action"]
    bare = inside(Box(so_far=DecisionRecord({}, TODAY)))
    assert "none yet" in (await bare.does("read_step", step="objectives"))["action"]


@pytest.mark.req("FA-04")
async def test_what_nobody_said_in_an_earlier_step_is_read_as_a_suggestion() -> None:
    so_far = replace(before("consequences"), suggested={"problem_frame": ("decision_maker.authority",)})
    told = await inside(Box(interviewed(component="consequences"), so_far=so_far)).does(
        "read_step", step="problem frame"
    )
    [authority] = [each for each in told["found"] if each.startswith("decision_maker.authority")]
    assert authority.endswith(" [suggested, nobody said it]")


async def test_the_thread_is_searched_for_words_with_who_wrote_them_and_when() -> None:
    at = inside(Box())
    first, second, third = (await at.does("search_thread", words="hire"))["found"]
    assert first == {"who": "Maya Okafor", "user": "UOWNER", "when": "2026-02-02 02:40+00:00", "quote": ROWS[0].text}
    assert second["who"] == "Threadwise"
    assert (third["who"], len(third["quote"]) <= 200) == ("Maya Okafor", True), "as in another message"
    assert third["quote"] in ROWS[2].text
    assert "Hire a nurse" in third["quote"]
    assert (await at.does("search_thread", words="dentist"))["result"] == "no_results"
    assert [each["quote"] for each in (await at.does("search_thread", words="maya could"))["found"]] == [ROWS[0].text]


async def test_what_a_search_finds_is_quoted_in_whole_words() -> None:
    said = " ".join(f"word{seq}" for seq in range(100))
    row = replace(ROWS[0], text=said, author="U7", author_name="")
    for sought in ("word0", "word50", "word99"):
        (found,) = (await inside(Box(rows=(row,))).does("search_thread", words=sought))["found"]
        assert sought in found["quote"]
        assert f" {found['quote']} " in f" {said} "
        assert "U7" not in found["who"], "a name, or none"
    (whole,) = (await inside(Box(rows=(replace(row, text="x" * 500),))).does("search_thread", words="x" * 5))["found"]
    assert whole["quote"] in "x" * 200


async def test_a_search_tells_the_newest_ten() -> None:
    rows = tuple(replace(ROWS[0], seq=seq, text=f"hire number {seq}", ts="", author_name="") for seq in range(1, 13))
    found = (await inside(Box(rows=rows)).does("search_thread", words="hire"))["found"]
    assert [each["quote"] for each in found] == [f"hire number {seq}" for seq in range(3, 13)]
    assert found[0]["when"] == ""


@pytest.mark.req("AG-07")
def test_a_step_may_read_whatever_a_free_thread_may_and_writes_nothing() -> None:
    steps, free = (select_tools(EXTERNAL_TOOLS, offer) for offer in (Offer.STEPS, Offer.FREE))
    assert {name for name, tool in free.items() if tool.access is Access.READ} <= steps.keys()
    assert {"read_channel", "read_thread", "search_conversations"} <= steps.keys()
    assert {tool.access for tool in steps.values()} == {Access.READ}
    assert steps.keys() - free.keys() == {"read_step", "search_thread"}


class Topic(Input):
    topic: str = Field(description="What to look for.")


async def _look(context: TurnContext, given: Topic) -> ToolResult:
    found = [f"{given.topic}: {len(context.trial.messages)} rows, for {context.owner}"]
    return ToolResult(report_findings(given.model_dump(), "Go on.", found=found), ("C0OPS00001",))


TOOL = ExternalTool(
    name="look_up", description="Look it up.", input=Topic, access=Access.READ, offered=Offer.STEPS, run=_look
)


def led(*scripts: ToolUse, verdict: PermissionVerdict = PermissionVerdict.ALLOWED) -> tuple[TurnTask, ScriptedModel]:
    """The turn of a step with one tool, whose calls are these."""
    now = replace(interviewed(), turn=Turn(id="4.1", reply=4), head=4)
    assert now.interview
    box = Box(now)
    at = inside(box)

    async def judge(_wanted: PermissionRequest) -> Judgement:
        return Judgement(verdict=verdict)

    runner = ToolRunner(tools={TOOL.name: TOOL}, context_of=lambda _key, _since, _reads: at.context, judge=judge)
    model = ScriptedModel(answers(*scripts), answers(text="So."))
    return TurnTask(model, SETTINGS, TurnPrompt(now, ROWS, box.tools, outside=runner), PaperDraft()), model


def result(model: ScriptedModel) -> str:
    (block,) = model.asked[1].messages[-1]["content"]
    return str(block["content"])


@pytest.mark.req("AG-07", "S4-056")
async def test_a_tool_given_to_a_step_gets_what_others_get_and_tells_where_its_result_is_from() -> None:
    turn, model = led(LOOK)
    closed: Message = await turn.reply()
    assert "look_up" in [spec["name"] for spec in model.asked[0].tools]
    assert "rota: 4 rows, for UOWNER" in result(model)
    assert (closed.status, closed.text, closed.sources) == (MessageStatus.COMPLETE, "So.", ("C0OPS00001",))


@pytest.mark.req("AG-07")
async def test_a_step_reads_nothing_that_its_owner_or_the_workspace_has_forbidden() -> None:
    turn, model = led(LOOK, verdict=PermissionVerdict.DENIED)
    closed: Message = await turn.reply()
    assert result(model) == DENIED.format(tool="look_up")
    assert closed.sources == ()


@pytest.mark.req("S4-056")
def test_nothing_is_read_while_a_draft_waits_or_is_written_nor_after_a_question() -> None:
    waiting = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")))
    assert "waits for the owner's OK" in waiting.tools.refuse_outside()
    assert "Not while the result is written" in Box(interviewed(Phase.EXTRACT)).tools.refuse_outside()
    alone: InterviewToolset = Box(interviewed(Phase.EXTRACT, mode=Mode.DIRECT)).tools
    assert alone.refuse_outside() == ""
    asked = Box()
    asked.does("ask_user", type="input", prompt="What else?")
    assert asked.tools.refuse_outside() == CLOSED


async def test_what_is_looked_up_is_told_to_people_where_the_model_says_nothing() -> None:
    at = inside(Box(interviewed(component="consequences")))
    step, search = EXTERNAL_TOOLS["read_step"], EXTERNAL_TOOLS["search_thread"]
    assert step.tell(await at.does("read_step", step="problem_frame")) == "Looked at the step problem frame."
    assert step.tell(await at.does("read_step", step="tradeoffs")) == "The step tradeoffs has no approved result yet."
    assert search.tell(await at.does("search_thread", words="hire")) == "Searched this thread: 3 messages."
