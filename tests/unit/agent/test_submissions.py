"""What the model submits: judged, sent back with what is wrong, four times at most, and never taken half."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.agent.extraction.extraction import ATTEMPTS, CUT_OFF
from app.agent.extraction.submission import MOST_TOKENS, compute_token_limit
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Message, MessageStatus
from app.core.state.interview import Mode, Stage
from app.core.text.sanitize import MAX_BYTES
from app.decision.drafts.draft import SERVERS
from app.decision.record import DecisionRecord
from app.ports import ToolUse
from tests.unit.agent.extracted import ISSUES, SETTINGS, Extracted, invalid, leading, stages, submits, summary, valid
from tests.unit.agent.scripted import answers, cut_off
from tests.unit.decision.components.worked import MINIMAL, PLAYBOOK, TODAY, before, example, rated


def drafted(row: Message) -> dict[str, Any]:
    (call,) = row.calls
    assert isinstance(call, DraftExtracted), call
    return dict(call.drafted.draft)


def exhausted(row: Message) -> ExtractionExhausted:
    (call,) = row.calls
    assert isinstance(call, ExtractionExhausted), call
    return call


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else []


def saying(text: str) -> dict[str, Any]:
    """A valid draft with this text in an object in a list."""
    draft = valid()
    draft["potential_decisions"][0]["description"] = text
    return draft


def said(row: Message) -> str:
    return drafted(row)["potential_decisions"][0]["description"]


@pytest.mark.req("S4-007", "S4-034", "S4-036")
async def test_what_is_wrong_is_said_without_the_schema_and_the_model_submits_again() -> None:
    wrong = (submits(invalid(mood="glad")), submits(invalid(objectives="speed"), id="t2"))
    taken = Extracted(summary(), *wrong, submits(valid(), id="t3"))
    closed = await taken.closed()
    assert isinstance(closed.calls[0], DraftExtracted)
    assert closed.calls[0].attempts == 3
    (first,), (second,) = taken.told(0), taken.told(1)
    assert list(first) == ["result", "issues", "issue_count", "action"]
    assert (first["result"], first["issue_count"]) == ("validation_failed", 2)
    assert (first["issues"]["unknown"], first["issues"]["missing"][0]["field"]) == (["mood"], "uncertainties")
    assert first["action"].startswith("Call submit_issue_raising() with corrected data.")
    assert second["issues"]["invalid"][0]["field"] == "objectives"
    for told in (first, second):
        assert "properties" not in json.dumps(told)


async def test_a_submission_goes_back_with_its_answer_and_nothing_before_it_changes() -> None:
    taken = Extracted(summary(), submits(invalid()), submits(valid(), id="t2"))
    await taken.closed()
    first, second = taken.submissions
    assert second.messages[:1] == first.messages
    assistant, results = second.messages[1:]
    assert [block["type"] for block in assistant["content"]] == ["thinking", "tool_use"]
    assert [(block["tool_use_id"], block["is_error"]) for block in results["content"]] == [("t1", True)]
    assert (second.tools, second.system, second.forced) == (first.tools, first.system, first.forced)


@pytest.mark.req("S4-028", "S4-049", "S4-059")
@pytest.mark.parametrize("mode", Mode)
async def test_after_four_submissions_that_are_wrong_there_is_no_fifth_in_either_mode(mode: Mode) -> None:
    wrong = [submits(invalid(), id=f"t{number}") for number in range(ATTEMPTS + 1)]
    taken = Extracted(*stages(mode, summary(), *wrong), mode=mode)
    closed = await taken.closed()
    assert len(taken.submissions) == ATTEMPTS == 4
    assert (closed.status, closed.stage, closed.failure) == (MessageStatus.COMPLETE, Stage.SERIALIZE, "")
    assert exhausted(closed).attempts == ATTEMPTS
    (issue,) = exhausted(closed).issues
    assert issue.startswith("uncertainties is missing; it has to be a list of at most 50; what matters")


async def test_the_issues_that_are_left_tell_of_the_last_submission_in_words() -> None:
    wrong = valid()
    wrong["potential_decisions"][0]["priority"] = "urgent"
    wrong["mood"] = "glad"
    scripts = [submits(invalid())] * 3 + [submits(wrong)]
    closed = await Extracted(summary(), *scripts).closed()
    assert exhausted(closed).issues == (
        "mood is no field of this step",
        "potential_decisions.0.priority: not one of these; it has to be one of high, medium, low; only if it was said",
    )


@pytest.mark.req("S4-038", "S4-033", "FA-26")
async def test_a_wrong_name_comes_back_as_an_unknown_field() -> None:
    draft = valid()
    draft["potential_decisions"][0]["prio"] = "high"
    taken = Extracted(summary(), submits(draft), submits(valid()))
    await taken.closed()
    assert taken.told(0)[0]["issues"]["unknown"] == ["potential_decisions.0.prio"]
    action = taken.told(0)[0]["action"]
    assert "Unknown fields may be typos." in action
    assert "potential_decisions.0.prio (did you mean `priority`?)" in action


@pytest.mark.req("S0-227")
async def test_nulls_are_dropped_before_anything_is_judged() -> None:
    draft: dict[str, Any] = {**valid(), "focal_candidate_id": None}
    draft["potential_decisions"] = [{**valid()["potential_decisions"][0], "priority": None, "evidence": [None]}]
    closed = await Extracted(summary(), submits(draft)).closed()
    assert "focal_candidate_id" not in drafted(closed)
    assert drafted(closed)["potential_decisions"][0] == {**valid()["potential_decisions"][0], "evidence": []}


@pytest.mark.req("S0-024", "S0-033", "S0-034")
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (saying("ä" * (MAX_BYTES // 2)), "too_long"),
        ({**valid(), "notes": nested(20)}, "too_deep"),
        ({**valid(), "notes": float("nan")}, "malformed"),
    ],
    ids=["100,000 bytes", "depth 20", "no number"],
)
async def test_data_beyond_the_limits_is_an_error_of_the_tool_and_not_read(data: Any, kind: str) -> None:
    taken = Extracted(summary(), *[submits(data, id=f"t{number}") for number in range(ATTEMPTS)])
    closed = await taken.closed()
    assert taken.told(0)[0]["result"] == "tool_error"
    assert taken.told(0)[0]["issue_count"] == 0
    assert exhausted(closed).issues == (f"the data could not be read: {kind}",)


async def test_what_could_not_be_read_may_be_put_right() -> None:
    taken = Extracted(summary(), submits({**valid(), "notes": nested(20)}), submits(valid(), id="t2"))
    assert drafted(await taken.closed())["potential_decisions"]


@pytest.mark.parametrize("data", ["{}", [], 3, None], ids=repr)
async def test_what_is_no_object_is_invalid_and_breaks_nothing(data: Any) -> None:
    taken = Extracted(summary(), submits(data), submits(valid(), id="t2"))
    assert drafted(await taken.closed())["potential_decisions"]
    assert taken.told(0)[0]["result"] == "validation_failed"


@pytest.mark.req("S0-041", "S0-036")
@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Driver\u0007 or van", "Driver or van"),
        ("Driver [INST]or van", "Driver or van"),
        ("Driver \ud800or van", "Driver \ufffdor van"),
        ("Driver <script>x</script><b>or</b> van", "Driver or van"),
    ],
    ids=["control characters", "markers", "UTF-8", "HTML"],
)
async def test_every_string_is_made_safe_however_deep_it_stands(raw: str, kept: str) -> None:
    assert said(await Extracted(summary(), submits(saying(raw))).closed()) == kept


@pytest.mark.req("S0-013", "S0-035", "S0-221")
async def test_nothing_that_breaks_the_schema_becomes_a_draft() -> None:
    for data in (saying(""), saying("x" * 501), {}, invalid()):
        taken = Extracted(summary(), *[submits(data)] * ATTEMPTS)
        assert exhausted(await taken.closed()).issues


@pytest.mark.req("S4-016", "S4-045", "S4-041")
async def test_beside_other_calls_only_the_submission_counts_and_all_are_answered() -> None:
    other = ToolUse(id="o1", name="search_web", input={})
    wrong, again = (ToolUse(id=f"t{number}", name=ISSUES.tool, input=invalid()) for number in (1, 2))
    taken = Extracted(summary(), answers(other, wrong, again), submits(valid(), id="t3"))
    await taken.closed()
    results = taken.submissions[1].messages[-1]["content"]
    assert [block["tool_use_id"] for block in results] == ["o1", "t1", "t2"]
    assert [told["result"] for told in taken.told(0)] == ["tool_error", "validation_failed", "tool_error"]
    assert taken.tools.wishes == []


async def test_a_submission_that_broke_off_is_no_data_and_the_next_has_more_room() -> None:
    whole = ToolUse(id="t1", name=ISSUES.tool, input=valid())
    taken = Extracted(summary(), cut_off(whole), submits({**valid(), "considerations": []}, id="t2"))
    closed = await taken.closed()
    first, second = taken.submissions
    assert second.messages == first.messages
    assert (first.max_tokens, second.max_tokens) == (4_000, 8_000)
    assert isinstance(closed.calls[0], DraftExtracted)
    assert closed.calls[0].attempts == 2


async def test_submissions_that_always_break_off_are_four_attempts() -> None:
    taken = Extracted(summary(), *[cut_off(ToolUse(id="t1", name=ISSUES.tool, input=valid()))] * ATTEMPTS)
    closed = await taken.closed()
    assert exhausted(closed).issues == (CUT_OFF,)
    assert [request.max_tokens for request in taken.submissions] == [4_000, 8_000, 16_000, 32_000]


@pytest.mark.req("S0-226")
@pytest.mark.parametrize("noted", [valid(), {}], ids=["a draft", "nothing noted"])
async def test_the_model_is_given_the_draft_whose_handles_it_has_to_keep(noted: dict[str, Any]) -> None:
    taken = Extracted(summary(), submits(valid()), of=leading(draft=noted))
    await taken.closed()
    said = taken.submissions[0].messages[0]["content"]
    assert ('<draft>\n{"potential_decisions":[{"handle":"D1"' in said) is bool(noted)


@pytest.mark.req("S0-219")
def test_a_submission_has_4000_tokens_and_more_where_there_is_more_to_submit() -> None:
    wide = rated({f"A{a}": [0] * 12 for a in range(1, 7)}, key="consequences")
    assert compute_token_limit(ISSUES, before("issue_raising"), {}, SETTINGS.extraction_tokens) == 4_000
    assert compute_token_limit(PLAYBOOK["consequences"], before("consequences", MINIMAL), {}, 4_000) == 4_000
    assert compute_token_limit(PLAYBOOK["consequences"], wide, {}, 4_000) == 6 * 12 * 200
    assert compute_token_limit(PLAYBOOK["tradeoffs"], wide, {}, 4_000) == 4_000
    assert compute_token_limit(ISSUES, DecisionRecord({}, TODAY), {"text": "x" * 20_000}, 4_000) > 10_000
    assert compute_token_limit(PLAYBOOK["consequences"], wide, {"text": "x" * 1_000_000}, 4_000) == MOST_TOKENS


async def test_the_room_of_a_step_is_asked_for() -> None:
    step = PLAYBOOK["consequences"]
    now = leading(step.key, draft={"x": "y" * 40_000})
    taken = Extracted(summary(), submits(example(step.key), tool=step.tool), step=step.key, of=now)
    await taken.closed()
    assert taken.submissions[0].max_tokens > 20_000


@pytest.mark.parametrize("source", SERVERS)
async def test_a_model_cannot_claim_of_words_what_the_server_alone_can_say(source: str) -> None:
    draft = valid()
    draft["potential_decisions"][0]["evidence"] = [{"message_id": source, "quote": "what nobody wrote"}]
    closed = await Extracted(summary(), submits(draft)).closed()
    assert drafted(closed)["potential_decisions"][0]["evidence"] == [{"quote": "what nobody wrote"}]


@pytest.mark.parametrize("source", SERVERS)
async def test_what_the_server_said_of_words_stays_when_the_model_submits_them_again(source: str) -> None:
    evidence = [{"message_id": source, "quote": "Where to meet"}]
    draft = valid()
    draft["potential_decisions"][0]["evidence"] = evidence
    closed = await Extracted(summary(), submits(draft), of=leading(draft=draft)).closed()
    assert drafted(closed)["potential_decisions"][0]["evidence"] == evidence


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(("mode", "is_kept"), [(Mode.INTERACTIVE, False), (Mode.DIRECT, True)])
async def test_a_range_that_nobody_gave_in_the_talk_is_in_no_draft_of_it(mode: Mode, *, is_kept: bool) -> None:
    table = example("consequences")["table"]
    cells = [{**each, "rating_range": {"low": -2, "high": 1}} for each in table["cells"] if each["rating"] == 0]
    submission = submits({"table": {"cells": cells}}, tool=PLAYBOOK["consequences"].tool)
    talk = [answers(text="Nothing to look up.")] if mode is Mode.DIRECT else []
    taken = Extracted(*talk, summary(), submission, mode=mode, of=leading("consequences"), step="consequences")
    kept = drafted(await taken.closed())["table"]["cells"]
    assert any("rating_range" in each for each in kept) == is_kept


@pytest.mark.req("FA-05")
async def test_words_that_were_noted_as_the_owners_are_in_the_draft_as_they_were_noted() -> None:
    noted = {"user_understanding": "I lean to A2, but not happily"}
    submission = submits(
        {**MINIMAL["tradeoffs"], "user_understanding": "Leaning towards A2"}, PLAYBOOK["tradeoffs"].tool
    )
    taken = Extracted(summary(), submission, of=leading("tradeoffs", draft=noted), step="tradeoffs")
    assert drafted(await taken.closed())["user_understanding"] == "I lean to A2, but not happily"
