"""An extraction from stage to stage: what each is asked with, how it ends, and that nothing of it is left open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.agent.claude.prices import compute_cost
from app.agent.extraction.extraction import RESEARCH_CALLS
from app.agent.extraction.material import build_material
from app.agent.extraction.submission import judge
from app.core.conversation.call import DraftExtracted
from app.core.conversation.conversation import Message, MessageStatus
from app.core.conversation.usage import Usage
from app.core.copy import decision_steps
from app.core.errors import FailureKind, ModelFailed
from app.core.state.interview import Mode, Phase, Stage
from app.decision.drafts.draft import QUOTES, Accepted, restore_sources
from app.decision.playbook.step_prompt import (
    build_research_prompt,
    build_serialize_prompt,
    build_summarize_prompt,
    build_system_prompt,
)
from app.decision.tracing.said import SaidFigures
from app.ports import ToolUse
from tests.fakes import threads_asked_for, virtual
from tests.unit.agent.extracted import ISSUES, SEARCH, Extracted, invalid, leading, stages, submits, summary, valid
from tests.unit.agent.scripted import COST, MODEL, Part, answers, deltas
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example, minimal

BOTH = pytest.mark.parametrize("mode", Mode)
LOOK = ToolUse(id="s1", name="search_web", input={"query": "vans"})


def text(taken: Extracted, place: int) -> str:
    """The words of a request's first message."""
    return str(taken.model.asked[place].messages[0]["content"])


def came_of(row: Message) -> DraftExtracted:
    (call,) = row.calls
    assert isinstance(call, DraftExtracted)
    return call


@pytest.mark.req("S4-003", "S4-014", "S4-058")
async def test_with_people_an_extraction_summarizes_and_then_submits() -> None:
    taken = Extracted(summary(), submits(valid()))
    await taken.closed()
    summarized, submitted = taken.model.asked
    assert (list(summarized.tools), summarized.forced) == ([], "")
    assert [tool["name"] for tool in submitted.tools] == [submitted.forced] == ["submit_issue_raising"]
    assert taken.reached == [Stage.SUMMARIZE, Stage.SERIALIZE]


@pytest.mark.req("S4-018", "S4-048", "S4-027")
async def test_without_people_one_turn_of_discussion_goes_before_and_may_research() -> None:
    taken = Extracted(answers(LOOK), answers(text="A van it is."), summary(), submits(valid()), mode=Mode.DIRECT)
    closed = await taken.closed()
    assert [[tool["name"] for tool in request.tools] for request in taken.model.asked] == [
        ["search_web"],
        ["search_web"],
        [],
        ["submit_issue_raising"],
    ]
    assert taken.tools.wishes == [LOOK]
    assert taken.model.asked[1].messages[-1]["content"][0]["tool_use_id"] == "s1"
    assert "A van it is." in str(taken.model.asked[2].messages), "what was discussed is summarized"
    assert taken.reached == [Stage.SUMMARIZE, Stage.SERIALIZE]
    assert closed.status is MessageStatus.COMPLETE


@pytest.mark.req("S4-013", "S4-018", "S4-048")
@BOTH
async def test_research_is_offered_in_no_stage_but_the_discussion(mode: Mode) -> None:
    taken = Extracted(*stages(mode, summary(), submits(valid())), mode=mode)
    await taken.closed()
    offered = [SEARCH in request.tools for request in taken.model.asked]
    assert offered == [*([True] if mode is Mode.DIRECT else []), False, False]


@pytest.mark.req("S4-002", "S4-017")
async def test_both_modes_come_to_the_same_by_the_same_requests() -> None:
    alone = Extracted(*stages(Mode.DIRECT, summary(), submits(valid())), mode=Mode.DIRECT)
    together = Extracted(summary(), submits(valid()))
    assert came_of(await alone.closed()) == came_of(await together.closed())
    without_words = [text(alone, place).replace("<reply>\nIt is about a driver.\n</reply>\n\n", "") for place in (1, 2)]
    assert without_words == [text(together, place) for place in (0, 1)]


@pytest.mark.req("S0-217", "S4-015")
async def test_the_request_to_summarize_ends_with_the_headings_of_its_step() -> None:
    taken = Extracted(summary(), submits(valid()))
    await taken.closed()
    said = text(taken, 0)
    assert said.endswith(build_summarize_prompt(ISSUES))
    asked_for, *headings = said[said.rindex("Summarize") :].splitlines()
    assert asked_for == "Summarize what was said in this step, under these headings:"
    assert headings[: len(ISSUES.summary_headings)] == [f"- {heading}" for heading in ISSUES.summary_headings]
    assert headings[-1].startswith("Write down what people said and agreed to, with handles. Bring no new ideas")


@pytest.mark.req("S0-229", "S0-223", "S4-042")
async def test_a_submission_is_asked_for_with_schema_transcript_summary_draft_and_request_in_this_order() -> None:
    taken = Extracted(summary("A driver or a van."), submits(valid()), of=leading(draft=valid()))
    await taken.closed()
    assert taken.submissions[0].tools[0]["input_schema"] == ISSUES.json_schema
    said = text(taken, 1)
    places = [said.index(part) for part in ("Do we hire or rent?", "<draft>", "<summary>\nA driver or a van.")]
    assert places == sorted(places)
    assert said.endswith(build_serialize_prompt(ISSUES))


async def test_what_the_discussion_came_to_goes_on_into_summary_and_submission() -> None:
    taken = Extracted(*stages(Mode.DIRECT, summary(), submits(valid())), mode=Mode.DIRECT)
    await taken.closed()
    assert text(taken, 0).endswith(build_research_prompt(ISSUES))
    for place in (1, 2):
        assert "<reply>\nIt is about a driver.\n</reply>" in text(taken, place)


@pytest.mark.req("S4-047", "S4-054")
@BOTH
async def test_every_stage_is_told_that_nobody_answers_now(mode: Mode) -> None:
    taken = Extracted(*stages(mode, summary(), submits(valid())), mode=mode)
    await taken.closed()
    assert {request.system for request in taken.model.asked} == {build_system_prompt(ISSUES, Mode.DIRECT)}


@pytest.mark.req("S4-017", "S4-046")
async def test_a_valid_submission_closes_the_reply_without_words_and_with_the_draft() -> None:
    closed = await Extracted(summary(), submits(valid())).closed()
    assert (closed.status, closed.stage, closed.text, closed.content) == (
        MessageStatus.COMPLETE,
        Stage.SERIALIZE,
        "",
        "",
    )
    assert (closed.acted, closed.parts, closed.failure) == (True, ("9.1", "9.2"), "")
    assert came_of(closed).attempts == 1
    assert came_of(closed).drafted.draft["potential_decisions"] == valid()["potential_decisions"]


@pytest.mark.req("S0-070")
async def test_people_see_how_far_it_is_and_none_of_the_words() -> None:
    taken = Extracted([*deltas("Secret "), *summary()], submits(valid()))
    await taken.closed()
    assert taken.draft.shown == [decision_steps.SUMMARIZING, decision_steps.MAKING_CARD]
    assert taken.draft.closings == 1


async def test_all_requests_are_counted_and_paid_for() -> None:
    taken = Extracted(*stages(Mode.DIRECT, summary(), submits(None), submits(valid())), mode=Mode.DIRECT)
    closed = await taken.closed()
    assert closed.usage == COST + COST + COST + COST
    assert (closed.model, closed.cost) == (MODEL, compute_cost(MODEL, closed.usage))


@BOTH
@pytest.mark.req("S4-050", "S4-008")
@pytest.mark.parametrize(
    "script",
    [
        answers(text="Here you are: {}"),
        answers(),
        submits(valid(), tool="submit_problem_frame"),
        answers(text="I would rather not.", status=MessageStatus.REFUSED),
    ],
    ids=["words alone", "nothing", "another tool", "a refusal"],
)
async def test_a_model_that_does_not_submit_is_asked_once_more_and_has_failed_then(
    mode: Mode, script: list[Part]
) -> None:
    taken = Extracted(*stages(mode, summary(), script, script), mode=mode)
    closed = await taken.closed()
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.UNFINISHED.value)
    assert (closed.stage, closed.text, closed.calls, closed.reference) == (Stage.SERIALIZE, "", (), "r")
    is_refused = any("rather not" in str(part) for part in script)
    assert len(taken.submissions) == (1 if is_refused else 2)


@BOTH
@pytest.mark.req("AG-10")
async def test_a_model_that_ends_without_its_tool_is_told_so_once_and_then_submits(mode: Mode) -> None:
    taken = Extracted(*stages(mode, summary(), answers(text="Here you are."), submits(valid())), mode=mode)
    closed = await taken.closed()
    (came,) = closed.calls
    assert isinstance(came, DraftExtracted)
    assert (closed.status, came.attempts, came.problems) == (MessageStatus.COMPLETE, 1, ())
    first, second = (list(request.messages) for request in taken.submissions)
    assert second[: len(first)] == first
    said, asked = second[len(first) :]
    assert said == {"role": "assistant", "content": "Here you are."}
    assert asked["role"] == "user"
    assert "You have not called" in asked["content"]


@pytest.mark.req("AG-10")
async def test_a_model_that_ends_without_its_tool_a_second_time_is_not_told_so_again() -> None:
    aside = answers(text="Here you are.")
    taken = Extracted(summary(), aside, submits(invalid()), aside, submits(valid(), id="t2"))
    closed = await taken.closed()
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.UNFINISHED.value)
    assert len(taken.submissions) == 3


@BOTH
@pytest.mark.parametrize(
    "script",
    [answers(), answers(text=" \n"), answers(text="\u200b"), answers(text="No.", status=MessageStatus.REFUSED)],
    ids=["nothing", "blank", "nothing that is seen", "a refusal"],
)
async def test_without_a_summary_nothing_is_submitted(mode: Mode, script: list[Part]) -> None:
    taken = Extracted(*stages(mode, script), mode=mode)
    closed = await taken.closed()
    assert (closed.status, closed.failure) == (MessageStatus.FAILED, FailureKind.UNFINISHED.value)
    assert (closed.stage, taken.submissions) == (Stage.SUMMARIZE, [])


@pytest.mark.parametrize(("calls", "status"), [(RESEARCH_CALLS, "complete"), (RESEARCH_CALLS + 1, "failed")])
async def test_research_ends_after_fifty_calls(calls: int, status: str) -> None:
    rounds = [answers(LOOK, ToolUse(id="s2", name="search_web", input={}))] * (calls // 2) + [answers(LOOK)] * (
        calls % 2
    )
    taken = Extracted(*rounds, answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT)
    closed = await taken.closed()
    assert closed.status.value == status
    assert len(taken.tools.wishes) == RESEARCH_CALLS


@pytest.mark.req("AG-07", "SE-04")
async def test_what_is_written_up_without_people_keeps_the_places_that_it_was_read_in() -> None:
    taken = Extracted(answers(LOOK), answers(text="So."), summary(), submits(valid()), mode=Mode.DIRECT)
    taken.tools.sources.add("C0BOARD001")
    assert "C0BOARD001" in ((await taken.closed()).sources or ())
    alone = Extracted(*stages(Mode.DIRECT, summary(), submits(valid())), mode=Mode.DIRECT)
    assert (await alone.closed()).sources is None


AT: dict[Stage, Callable[[list[Part]], list[list[Part]]]] = {
    Stage.DISCUSS: lambda script: [script],
    Stage.SUMMARIZE: lambda script: stages(Mode.DIRECT, script),
    Stage.SERIALIZE: lambda script: stages(Mode.DIRECT, summary(), script),
}
EACH = pytest.mark.parametrize("stage", AT)


@EACH
@pytest.mark.req("S0-253")
async def test_a_failure_of_the_model_ends_the_extraction_where_it_happens(stage: Stage) -> None:
    failure = ModelFailed(FailureKind.LIMITED, "req_9", after=3)
    taken = Extracted(*AT[stage]([failure]), mode=Mode.DIRECT)
    closed = await taken.closed()
    assert (closed.status, closed.failure, closed.reference) == (MessageStatus.FAILED, "limited", "req_9")
    assert (closed.stage, closed.wait, closed.calls, closed.text) == (stage, 3, (), "")
    assert taken.draft.closings == 1


@EACH
async def test_cut_in_any_stage_the_reply_is_cancelled_and_the_stream_closed(stage: Stage) -> None:
    at_work, never = asyncio.Event(), asyncio.Event()
    taken = Extracted(*AT[stage]([at_work.set, never]), mode=Mode.DIRECT)
    await at_work.wait()
    taken.run.cut()
    closed = await taken.closed()
    assert (closed.status, closed.stage, closed.calls) == (MessageStatus.CANCELLED, stage, ())
    assert (taken.draft.closings, closed.text) == (1, "")
    assert taken.model.closed.is_set()


@EACH
async def test_dropped_in_any_stage_it_has_no_end_and_leaves_nothing_open(stage: Stage) -> None:
    at_work, never = asyncio.Event(), asyncio.Event()
    taken = Extracted(*AT[stage]([at_work.set, never]), mode=Mode.DIRECT)
    await at_work.wait()
    with capture_logs() as lines:
        await taken.run.drop()
    assert (taken.model.closed.is_set(), taken.draft.closings, lines) == (True, 1, [])
    with pytest.raises(asyncio.CancelledError):
        await taken.closed()


async def test_a_stage_that_cannot_be_saved_is_not_begun() -> None:
    class Unsaved(Extracted):
        async def _reach(self, stage: Stage) -> None:
            raise ZeroDivisionError

    taken = Unsaved(summary())
    with pytest.raises(ZeroDivisionError):
        await taken.closed()
    assert (taken.model.asked, taken.draft.closings) == ([], 1)


@pytest.mark.req("S0-019", "S0-025")
async def test_the_log_counts_attempts_and_items_and_holds_nothing_that_was_said() -> None:
    with capture_logs() as lines:
        await Extracted(summary("Van."), submits({"driver": "Ada"}), submits(valid())).closed()
    tried = {"event": "extraction_tried", "component": "issue_raising"}
    asked, answered = {"event": "model_asked", "log_level": "info"}, {"event": "model_answered", "log_level": "info"}
    submitted = {**answered, "reference": "r", "tools": ISSUES.tool}
    assert lines == [
        {"event": "turn_began", "log_level": "info", "status": "streaming"},
        {**asked, "roles": "u"},
        {**answered, "reference": "r", "tools": ""},
        {**asked, "roles": "u"},
        submitted,
        {**tried, "log_level": "warning", "attempt": 1, "succeeded": False, "items": 0, "issues": 4},
        {**asked, "roles": "uau"},
        submitted,
        {**tried, "log_level": "info", "attempt": 2, "succeeded": True, "items": 1, "issues": 0},
        {
            "event": "turn_ended",
            "log_level": "info",
            "status": "complete",
            "kind": "",
            "reference": "r",
            "tokens": 36,
            "cost": compute_cost(MODEL, Usage(input_tokens=30, output_tokens=6)),
            "rounds": 3,
            "stage": "serialize",
        },
    ]


@pytest.mark.req("SE-11")
@virtual
async def test_long_texts_of_an_extraction_keep_nobody_else_waiting() -> None:
    await Extracted(summary("A driver or a van. " * 200), submits(valid())).closed()
    assert threads_asked_for() == 7, (
        "what is taken up and what each stage is made from, its summary, what is kept, the submission, and its judge"
    )


@pytest.mark.req("SE-11")
@pytest.mark.parametrize(("found", "threads"), [("A van. ", 0), ("A van. " * 500, 1)], ids=["short", "long"])
@virtual
async def test_what_was_found_without_people_keeps_nobody_else_waiting_if_it_is_long(found: str, threads: int) -> None:
    taken = Extracted(answers(text=found), summary(), submits(valid()), mode=Mode.DIRECT)
    await taken.closed()
    assert threads_asked_for() == 9 + threads


@pytest.mark.req("FA-24", "FA-11")
async def test_while_a_card_is_made_message_and_status_say_which_part_of_the_step_is_written() -> None:
    wanted, facts = ISSUES.summary_headings[1], ISSUES.summary_headings[3]
    written = deltas("## What ", f"is wanted\n- home by six\n**{facts}", "**\n- Fridays.")
    taken = Extracted([*written, *summary()], submits(None), submits(valid()))
    await taken.closed()
    parts = [{"part": part, "number": number, "count": 4} for part, number in ((wanted, 2), (facts, 4))]
    assert taken.draft.shown == [
        decision_steps.SUMMARIZING,
        *(decision_steps.WRITING_UP.format(**part) for part in parts),
        decision_steps.MAKING_CARD,
        decision_steps.CORRECTING,
    ]
    assert f"is writing up the step: {wanted} (2 of 4)…" in taken.draft.activities
    assert taken.draft.activities == [
        decision_steps.IS_SUMMARIZING,
        *(decision_steps.IS_WRITING_UP.format(**part) for part in parts),
        decision_steps.IS_MAKING_CARD,
        decision_steps.IS_CHECKING,
        decision_steps.IS_CORRECTING,
        decision_steps.IS_CHECKING,
    ]


@pytest.mark.req("FA-11")
async def test_a_table_that_is_handed_in_is_said_to_be_checked() -> None:
    refused = [submits({}, tool="submit_consequences")] * 4
    taken = Extracted(summary(), *refused, step="consequences")
    await taken.closed()
    assert "is checking the table…" in taken.draft.activities


@pytest.mark.req("FA-24")
@virtual
async def test_the_submission_is_asked_for_at_the_moment_the_summary_ends() -> None:
    at = dict[str, float]()

    def note(what: str) -> Callable[[], None]:
        def now() -> None:
            at[what] = asyncio.get_running_loop().time()

        return now

    *words, end = summary()
    taken = Extracted([*words, note("summary ends"), end], [note("asked"), *submits(valid())])
    await taken.closed()
    assert at["asked"] == at["summary ends"]
    assert len(taken.model.asked) == 2, "nothing else is asked in between"


QUOTED: dict[str, Any] = {
    **minimal("issue_raising"),
    "objectives": [{"handle": "IO1", "description": "Sleep", "evidence": [{"quote": "we want to sleep"}]}],
}


@pytest.mark.req("FA-30", "FA-08", "S0-237")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("key", KEYS)
async def test_each_stage_is_told_what_counts_in_the_result_and_nothing_of_asking(key: str, mode: Mode) -> None:
    component = PLAYBOOK[key]
    taken = Extracted(*stages(mode, summary(), submits(example(key), component.tool)), mode=mode, step=key)
    await taken.closed()
    assert len(taken.model.asked) == (3 if mode is Mode.DIRECT else 2)
    for request in taken.model.asked:
        said = str(request.messages[0]["content"])
        assert [phase for phase in Phase if component.guidance[phase] in said] == [Phase.EXTRACT]
        assert component.purpose in request.system
        assert not [each for each in ("ask_user", "One question", "ready_to_summarize") if each in request.system]


@pytest.mark.req("FA-08")
def test_quotes_of_notes_are_not_sent_back_and_are_not_lost() -> None:
    material = "".join(build_material(leading(draft=QUOTED), (), ISSUES, before("issue_raising")))
    assert "Sleep" in material
    assert "we want to sleep" not in material
    without = {**QUOTED, "objectives": [{"handle": "IO1", "description": "Sleep"}]}
    verdict = judge(ISSUES, without, before("issue_raising"), SaidFigures(), QUOTED)
    assert isinstance(verdict, Accepted)
    assert verdict.draft["objectives"][0]["evidence"] == [{"quote": "we want to sleep"}]


def test_a_quote_that_is_added_comes_after_those_that_were_there_and_none_stands_twice() -> None:
    given = {"objectives": [{"handle": "IO1", "evidence": [{"quote": "We want  to sleep"}, {"quote": "at night"}]}]}
    (item,) = restore_sources(given, QUOTED)["objectives"]
    assert [each["quote"] for each in item["evidence"]] == ["we want to sleep", "at night"]
    many = {"objectives": [{"handle": "IO1", "evidence": [{"quote": f"words {n}"} for n in range(QUOTES)]}]}
    assert len(restore_sources(many, QUOTED)["objectives"][0]["evidence"]) == QUOTES


@pytest.mark.parametrize("odd", [[], "x", {"objectives": [{"handle": "IO1", "evidence": "none"}]}, {"handle": ["IO1"]}])
def test_data_of_another_shape_is_left_as_it_came(odd: Any) -> None:
    assert restore_sources(odd, QUOTED) == odd
    assert restore_sources(odd, {}) is odd
