"""An extraction that looks things up, or broke off and goes on after its rounds, and what is written while it works."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from app.agent.extraction.extraction import RESEARCH_CALLS, SAID_SINCE
from app.agent.extraction.kept_rounds import KeptStage, read_stages, write_stages
from app.agent.extraction.research import Research
from app.agent.tool_runner import UNCLEAN, ToolRunner
from app.agent.tools.interview.interview_toolset import CLOSED, UNKNOWN
from app.core.conversation.call import DraftExtracted
from app.core.conversation.conversation import Message, MessageStatus
from app.core.errors import FailureKind, ModelFailed
from app.core.state.interview import Mode, Phase, Stage
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import DENIED
from app.core.text.marks import mark
from app.ports import ModelRequest, ToolUse
from tests.unit.agent.extracted import Extracted, leading, submits, summary, valid
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.scripted import Part, answers
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.core.threads import said

LOOK = ToolUse(id="s1", name="search_web", input={"query": "vans"})
AGAIN = ToolUse(id="s2", name="search_web", input={"query": "drivers"})
BREAKS: list[Part] = [ModelFailed(FailureKind.CUT)]
BUS = said(6, "And a bus.", author_name="Maya")
BUDGET = said(5, "Wait, we have 20 vans.", author_name="Maya")


async def broken(*scripts: list[Part], mode: Mode = Mode.INTERACTIVE) -> Message:
    """The row of an extraction that broke off after these answers."""
    row = await Extracted(*scripts, BREAKS, mode=mode).closed()
    assert row.status is MessageStatus.FAILED
    return row


async def ended(taken: Extracted) -> DraftExtracted:
    closed = await taken.closed()
    (call,) = closed.calls
    assert isinstance(call, DraftExtracted)
    assert closed.content == "", "nothing is kept of an extraction that has come to its end"
    return call


def words(request: ModelRequest) -> str:
    return str(request.messages[0]["content"])


def blocks(request: ModelRequest) -> list[Mapping[str, Any]]:
    contents = [message["content"] for message in request.messages[1:]]
    return [block for content in contents if not isinstance(content, str) for block in content]


@pytest.mark.req("AG-02")
async def test_a_finished_summary_is_not_asked_for_again_when_the_submission_breaks_off() -> None:
    row = await broken(summary("A driver or a van."))
    again = Extracted(submits(valid()), after=row)
    await ended(again)
    (request,) = again.model.asked
    assert request.forced
    assert "<summary>\nA driver or a van.\n</summary>" in words(request)


@pytest.mark.req("AG-02")
async def test_a_submission_that_was_judged_is_corrected_and_not_made_anew() -> None:
    row = await broken(summary(), submits({"driver": "Ada"}))
    again = Extracted(submits(valid()), after=row)
    assert ((await ended(again)).attempts, (await ended(again)).problems) == (2, (4,))
    told = blocks(again.model.asked[0])
    assert [block["type"] for block in told] == ["thinking", "tool_use", "tool_result"]
    assert json.loads(told[2]["content"])["issue_count"] == 4


@pytest.mark.req("AG-02")
async def test_one_that_could_not_be_read_counts_as_one_fault_after_a_break_too() -> None:
    row = await broken(summary(), submits({"text": "x" * 300_000}))
    assert (await ended(Extracted(submits(valid()), after=row))).problems == (1,)


@pytest.mark.req("FA-35")
async def test_a_row_keeps_how_many_problems_each_of_its_own_attempts_had() -> None:
    cut = answers(ToolUse(id="t1", name="submit_issue_raising", input=valid()), status=MessageStatus.TRUNCATED)
    row = await broken(summary(), submits({"driver": "Ada"}), cut)
    assert row.attempts == (4, 1)
    assert (await ended(Extracted(submits({}), submits(valid()), after=row))).problems == (4, 1, 3)
    retried = await ended(Extracted(submits({}), submits(valid()), after=replace(row, attempts=())))
    assert (retried.problems, retried.attempts) == ((3,), 3), "the others have their lines"


@pytest.mark.req("AG-02")
async def test_what_was_looked_up_without_people_is_not_looked_up_again_and_counts_on() -> None:
    row = await broken(answers(LOOK), mode=Mode.DIRECT)
    again = Extracted(answers(text="A van."), summary(), submits(valid()), mode=Mode.DIRECT, after=row)
    await ended(again)
    assert again.tools.wishes == []
    assert [block["type"] for block in blocks(again.model.asked[0])] == ["thinking", "tool_use", "tool_result"]
    calls = [answers(LOOK)] * (RESEARCH_CALLS - 1)
    late = await broken(*calls, mode=Mode.DIRECT)
    closed = await Extracted(answers(LOOK, AGAIN), mode=Mode.DIRECT, after=late).closed()
    assert closed.failure == FailureKind.UNFINISHED.value


@pytest.mark.req("AG-02", "SE-04")
async def test_the_end_of_the_look_around_is_kept_as_well_and_where_it_was_read() -> None:
    first = Extracted(answers(LOOK), answers(text="A van it is."), BREAKS, mode=Mode.DIRECT)
    first.tools.sources.add("C0BOARD001")
    row = await first.closed()
    again = Extracted(summary(), submits(valid()), mode=Mode.DIRECT, after=row)
    assert "C0BOARD001" in ((await again.closed()).sources or ())
    assert ["<reply>\nA van it is.\n</reply>" in words(request) for request in again.model.asked] == [True, True]


@pytest.mark.req("AG-02", "SE-04")
async def test_places_read_before_and_after_a_break_are_both_known() -> None:
    first = Extracted(answers(LOOK), BREAKS, mode=Mode.DIRECT)
    first.tools.sources.add("C0BOARD001")
    again = Extracted(
        answers(AGAIN), answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT, after=await first.closed()
    )
    again.tools.sources.add("C0OPS00001")
    assert {"C0BOARD001", "C0OPS00001"} <= {*((await again.closed()).sources or ())}


@pytest.mark.req("AG-02")
async def test_each_finished_round_is_saved_when_it_ends_and_the_last_submission_with_the_end() -> None:
    taken = Extracted(answers(LOOK), answers(text="So."), summary(), submits(None), submits(valid()), mode=Mode.DIRECT)
    await taken.closed()
    stages = [Stage.DISCUSS, Stage.DISCUSS, Stage.SUMMARIZE, Stage.SERIALIZE]
    assert [row.stage for row in taken.kept] == stages
    assert [row.rounds for row in taken.kept] == [1, 2, 3, 4]
    assert all(row.usage for row in taken.kept)


@pytest.mark.req("AG-02")
async def test_the_fourth_submission_is_asked_for_again_if_its_judgement_is_lost() -> None:
    taken = Extracted(summary(), *[submits(None)] * 4)
    await taken.closed()
    assert len(taken.kept) == 4, "the summary, and three that can be corrected"
    assert (await ended(Extracted(submits(valid()), after=taken.kept[-1]))).attempts == 4


@pytest.mark.req("AG-02")
async def test_a_summary_of_something_else_is_made_anew() -> None:
    row = await broken(summary("A driver or a van."))
    again = Extracted(summary("Now with a draft."), submits(valid()), of=leading(draft=valid()), after=row)
    await ended(again)
    assert "Now with a draft." in words(again.model.asked[1])
    assert "A driver or a van.\n</summary>" not in words(again.model.asked[1])


@pytest.mark.req("AG-02")
async def test_a_summary_that_was_made_without_people_is_made_anew_with_them() -> None:
    row = await broken(answers(text="A van it is."), summary("A van."), mode=Mode.DIRECT)
    again = Extracted(summary("A driver."), submits(valid()), after=row)
    await ended(again)
    assert [bool(request.forced) for request in again.model.asked] == [False, True]


@pytest.mark.req("AG-03")
async def test_what_is_written_during_the_summary_is_read_by_the_submission() -> None:
    taken = Extracted(summary(), submits(valid()))
    taken.news = [(), (BUDGET,)]
    await ended(taken)
    summarized, submitted = map(words, taken.model.asked)
    assert "20 vans" not in summarized
    assert submitted.index("20 vans") < submitted.index("</transcript>")
    assert 'from="Maya"' in submitted
    assert SAID_SINCE in submitted


@pytest.mark.req("AG-03")
async def test_what_is_written_before_the_summary_is_in_it_and_needs_no_remark() -> None:
    taken = Extracted(answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT)
    taken.news = [(), (BUDGET,)]
    await ended(taken)
    assert ["20 vans" in words(request) for request in taken.model.asked] == [False, True, True]
    assert SAID_SINCE not in words(taken.model.asked[2])


@pytest.mark.req("AG-03")
async def test_what_is_written_between_two_looks_or_two_submissions_is_read_with_their_results() -> None:
    taken = Extracted(answers(LOOK), answers(text="So."), summary(), submits(None), submits(valid()), mode=Mode.DIRECT)
    taken.news = [(), (BUDGET,), (), (), (BUS,)]
    await ended(taken)
    assert ["20 vans" in words(request) for request in taken.model.asked] == [False, False, True, True, True]
    for place, told in ((1, "20 vans"), (4, "And a bus")):
        *before, last = blocks(taken.model.asked[place])
        assert [each["type"] for each in before] == ["thinking", "tool_use", "tool_result"]
        assert told in last["text"]
        assert 'from="Maya"' in last["text"]
        assert taken.model.asked[place].messages[0] == taken.model.asked[place - 1].messages[0], "an epoch goes on"
    assert [row.heard for row in taken.kept] == [(), (5,), (5,), (5,)]


@pytest.mark.req("AG-02", "AG-03")
async def test_what_was_read_before_a_break_is_read_once_and_where_it_was() -> None:
    first = Extracted(answers(LOOK), answers(AGAIN), BREAKS, mode=Mode.DIRECT)
    first.news = [(BUDGET,), (BUS,)]
    row = await first.closed()
    assert row.heard == (5, 6)
    again = Extracted(
        answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT, after=row, later=(BUDGET, BUS)
    )
    await ended(again)
    assert again.model.asked[0].messages == first.model.asked[2].messages
    assert ["And a bus" in words(request) for request in again.model.asked] == [False, True, True]
    assert all(str(request.messages).count("20 vans") == 1 for request in again.model.asked)


@pytest.mark.req("AG-02")
@pytest.mark.parametrize("gone", ["deleted", "changed"])
async def test_where_a_message_that_was_read_is_gone_or_changed_nothing_goes_on_from_it(gone: str) -> None:
    first = Extracted(answers(LOOK), BREAKS, mode=Mode.DIRECT)
    first.news = [(BUDGET,)]
    row = await first.closed()
    changed = {
        "deleted": replace(BUDGET, text="", status=MessageStatus.DELETED),
        "changed": replace(BUDGET, text="No."),
    }
    again = Extracted(
        answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT, after=row, later=(changed[gone],)
    )
    await ended(again)
    assert blocks(again.model.asked[0]) == []
    assert "20 vans" not in str([request.messages for request in again.model.asked])


async def test_what_is_written_after_a_call_that_was_asked_for_in_words_is_read_with_that() -> None:
    taken = Extracted(summary(), answers(text="Here."), submits(None), submits(valid()))
    taken.news = [(), (), (BUDGET,)]
    await ended(taken)
    last = taken.model.asked[-1].messages[-1]["content"]
    assert [block["type"] for block in last] == ["tool_result", "text"]


def test_what_is_kept_is_read_back_by_stage() -> None:
    assert read_stages("") == {}
    call: dict[str, Any] = {"type": "tool_use", "id": "s1", "name": "look", "input": {}}
    asked: dict[str, Any] = {"role": "assistant", "content": [call]}
    result: dict[str, Any] = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "s1", "content": "{}"}],
    }
    looked = KeptStage("a", (5,), [asked, result, {"role": "user", "content": "Hand it in."}])
    summed = KeptStage("b")
    assert (looked.result, summed.result) == (None, None)
    summed.end(mark("note", "A van."))
    again = read_stages(write_stages({Stage.DISCUSS: looked, Stage.SUMMARIZE: summed}))
    hand_in = {"role": "user", "content": [{"type": "text", "text": "Hand it in."}]}
    assert again[Stage.DISCUSS] == KeptStage("a", (5,), [asked, result, hand_in])
    assert again[Stage.SUMMARIZE].result == mark("note", "A van.")


ATTIC = ToolUse(id="l1", name="look", input={"text": "attic"})
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
    note, look = await alone.calls(NOTE, ATTIC)
    assert (note[0], json.loads(note[1])["result"], note[2]) == ("n1", "noted", False)
    assert look == ("l1", "ops: attic", False)
    assert alone.research.sources == {"tool:look"}


@pytest.mark.req("AG-07")
async def test_what_is_forbidden_is_not_read_without_people_either() -> None:
    alone = Alone(PermissionVerdict.DENIED)
    assert await alone.calls(ATTIC) == [("l1", DENIED.format(tool="look"), True)]
    assert alone.research.sources == set()


async def test_a_call_that_cannot_be_is_an_error_and_the_others_count() -> None:
    unknown, hostile, look = await Alone().calls(
        ToolUse(id="u1", name="fly", input={}), ToolUse(id="h1", name="look", input={"text": "a\x00b"}), ATTIC
    )
    assert (json.loads(unknown[1])["problem"], unknown[2]) == (UNKNOWN, True)
    assert hostile == ("h1", UNCLEAN, True)
    assert look[1] == "ops: attic"


@pytest.mark.req("S4-056")
async def test_after_it_is_ready_nothing_more_is_read() -> None:
    _ready, look = await Alone().calls(ToolUse(id="r1", name="ready_to_summarize", input={}), ATTIC)
    assert look == ("l1", CLOSED, True)


@pytest.mark.req("AG-05")
async def test_a_result_takes_no_more_than_its_share_of_the_window() -> None:
    long = ToolUse(id="l1", name="look", input={"text": "x" * 5_000})
    ((_, told, _),) = await Alone(longest=1_000).calls(long)
    assert told.startswith("ops: xxx")
    assert len(told) <= 1_000
