"""What an extraction without people looks up: its own step and other places, in one request, by one gate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from app.agent.extraction.research import Research
from app.agent.tool_runner import UNCLEAN, ToolRunner
from app.agent.tools.interview.interview_toolset import CLOSED, UNKNOWN
from app.core.state.interview import Mode, Phase
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import DENIED
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.tools.sat import Box, interviewed

LOOK = ToolUse(id="l1", name="look", input={"text": "attic"})
NOTE = ToolUse(
    id="n1", name="note_item", input={"list": "potential_decisions", "fields": {"description": "Hire a nurse"}}
)


@dataclass
class Alone:
    """The discussion of a step that nobody leads. What its gate says is for the tool that looks."""

    verdict: PermissionVerdict = PermissionVerdict.ALLOWED
    longest: int = 10_000
    box: Box = field(default_factory=lambda: Box(interviewed(Phase.EXTRACT, mode=Mode.DIRECT)))

    def __post_init__(self) -> None:
        shop = Workshop(verdicts={"look": self.verdict})
        runner: ToolRunner = shop.hands
        self.research = Research(tools=self.box.tools, outside=runner, longest=self.longest)

    async def calls(self, *calls: ToolUse) -> list[tuple[str, str, bool]]:
        blocks = await self.research.run(calls)
        return [(block["tool_use_id"], block["content"], bool(block.get("is_error"))) for block in blocks]


@pytest.mark.req("AG-07", "SE-04")
async def test_it_reads_elsewhere_beside_its_own_step_and_knows_from_where() -> None:
    alone = Alone()
    assert {"note_item", "look"} <= {spec["name"] for spec in alone.research.specs}
    note, look = await alone.calls(NOTE, LOOK)
    assert (note[0], json.loads(note[1])["result"], note[2]) == ("n1", "noted", False)
    assert look == ("l1", "ops: attic", False)
    assert alone.research.sources == {"tool:look"}


@pytest.mark.req("AG-07")
async def test_what_is_forbidden_is_not_read_without_people_either() -> None:
    alone = Alone(PermissionVerdict.DENIED)
    assert await alone.calls(LOOK) == [("l1", DENIED.format(tool="look"), True)]
    assert alone.research.sources == set()


async def test_a_call_that_cannot_be_is_an_error_and_the_others_count() -> None:
    unknown, hostile, look = await Alone().calls(
        ToolUse(id="u1", name="fly", input={}), ToolUse(id="h1", name="look", input={"text": "a\x00b"}), LOOK
    )
    assert (json.loads(unknown[1])["problem"], unknown[2]) == (UNKNOWN, True)
    assert hostile == ("h1", UNCLEAN, True)
    assert look[1] == "ops: attic"


@pytest.mark.req("S4-056")
async def test_after_it_is_ready_nothing_more_is_read() -> None:
    _ready, look = await Alone().calls(ToolUse(id="r1", name="ready_to_summarize", input={}), LOOK)
    assert look == ("l1", CLOSED, True)


@pytest.mark.req("AG-05")
async def test_a_result_takes_no_more_than_its_share_of_the_window() -> None:
    long = ToolUse(id="l1", name="look", input={"text": "x" * 5_000})
    ((_, told, _),) = await Alone(longest=1_000).calls(long)
    assert told.startswith("ops: xxx")
    assert len(told) <= 1_000
