"""`threadwise eval`: persons play decisions with the whole program, and a report says what the rules found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from app.evaluation.evaluation import choose_people, evaluate
from app.evaluation.score_report import Report
from app.playground.claude import ClaudePlayground, HttpFault, Prompt, ToolCall, Turn
from tests.flow.chat import unread_settings, without_certificates
from tests.flow.process import PLAYED, threadwise
from tests.unit.decision.components.worked import MINIMAL

WIDE = {"COLUMNS": "400", "PATH": "/usr/bin:/bin", "HOME": "/"}


@pytest.mark.timeout(300)
@pytest.mark.req("FA-12")
async def test_without_a_key_a_scripted_and_a_free_person_lead_nine_steps_to_a_report(
    mongo_uri: str, tmp_path: Path
) -> None:
    who = "--person bakery_van --person free_class_trip"
    played = await threadwise(tmp_path, f"eval {who} --out first.json", {**WIDE, "MONGODB_URI": mongo_uri})
    out, complaint = (told.decode() for told in await asyncio.wait_for(played.communicate(), PLAYED))
    assert (played.returncode, complaint) == (0, "")
    assert out.count("approved") == 18, out
    report: Report = json.loads((tmp_path / "first.json").read_text("utf-8"))
    assert report["model"] == "the scripted demo model"
    assert [[step["approved"] for step in each["steps"]] for each in report["people"]] == [[True] * 9] * 2
    assert report["counts"]["steps_approved"] == 18
    assert report["counts"]["requests"] > report["counts"]["replies"] > 18
    assert report["counts"]["input_tokens"] > 0
    for rule in ("one_question_at_a_time", "quotes_found", "numbers_and_dates_traced", "refused_stays_open"):
        assert report["rules"][rule]["tried"] > 0, rule
        assert report["rules"][rule]["broken"] == 0, report["people"]
    assert report["rules"]["no_choice_made"]["broken"] == 0, report["people"]
    assert report["rules"]["contradictions_caught"] == {"tried": 1, "broken": 1}, "a script catches none"
    page = (tmp_path / "first.md").read_text("utf-8")
    assert "| Steps approved | 18 of 18 |" in page
    again = await threadwise(tmp_path, "eval --person nobody", WIDE)
    assert (await again.communicate())[1].decode().startswith("There is no person nobody. There are: bakery_van")
    assert again.returncode == 2


@pytest.fixture
async def claude() -> AsyncGenerator[ClaudePlayground]:
    """A model at an address of its own, as an operator's may be."""
    with without_certificates():
        model = ClaudePlayground()
        await model.start()
        yield model
        await model.stop()


async def judged(claude: ClaudePlayground, mongo_uri: str, **more: Any) -> tuple[Report, list[str]]:
    """The report of one person with the model at that address, and the lines of progress."""
    settings = unread_settings(
        {
            "mongodb_uri": SecretStr(mongo_uri),
            "anthropic_base_url": claude.url,
            "anthropic_api_key": SecretStr(claude.api_key),
            **more,
        }
    )
    told: list[str] = []
    return await evaluate(settings, choose_people(["bakery_van"]), 1, told.append), told


COUNSELS = "You should go with A2. Why? For whom? And until when?"


def hands_in(result: dict[str, Any]) -> Callable[[Prompt], Turn]:
    """A model that asks three questions at once, counsels, and hands in these results."""

    def answer(prompt: Prompt) -> Turn:
        tools = [str(tool.get("name")) for tool in prompt.tools]
        if not tools:
            return Turn(text="All of it was said.")
        if len(tools) == 1 and tools[0].startswith("submit_"):
            return Turn(parts=[ToolCall(tools[0], result[tools[0].removeprefix("submit_")])])
        return Turn(text=COUNSELS)

    return answer


@pytest.mark.req("FA-12")
async def test_a_model_that_counsels_and_rates_by_itself_is_found_out_by_each_rule(
    claude: ClaudePlayground, mongo_uri: str
) -> None:
    result = deepcopy(MINIMAL)
    result["problem_frame"]["focal_decision"]["statement"] = "Where do we meet?"
    claude.script.answer_always(hands_in(result))
    report, told = await judged(claude, mongo_uri)
    assert [line.split()[-1] for line in told[:7]] == ["approved"] * 7, told
    assert "stuck: " in told[7], "scores that nobody gave cannot be approved"
    assert (report["model"], report["address"]) == ("claude-sonnet-5-5", "127.0.0.1")
    found = {
        rule: [(each["step"], each["what"]) for each in score["breaks"]]
        for rule, score in report["people"][0]["rules"].items()
    }
    assert report["rules"]["one_question_at_a_time"]["broken"] == report["counts"]["replies"] > 7
    choices = " ".join(what for _, what in found["no_choice_made"])
    assert "counsel: “You should go with A2. Why?" in choices
    assert "A2 on O1 is +1, and nobody rated it" in choices
    assert len(found["contradictions_caught"]) == 1


@pytest.mark.req("FA-12")
async def test_where_a_model_invents_a_number_the_step_is_stuck_and_the_report_says_so(
    claude: ClaudePlayground, mongo_uri: str
) -> None:
    invented = deepcopy(MINIMAL)
    invented["issue_raising"]["potential_decisions"][0]["description"] = "It closes 15k of the hole"
    claude.script.answer_always(hands_in(invented))
    report, told = await judged(claude, mongo_uri)
    assert "stuck: " in told[0], told
    assert report["counts"]["steps_approved"] == 0
    assert report["counts"]["requests"] == len(claude.requests), "those that wrote the step up are counted as well"


@pytest.mark.parametrize(("status", "kind"), [(401, "misconfigured"), (413, "too_long")])
async def test_a_model_that_fails_for_good_ends_the_play_with_the_reason(
    claude: ClaudePlayground, mongo_uri: str, status: int, kind: str
) -> None:
    claude.script.answer_always(lambda _: Turn(text="no", fault=HttpFault(status)))
    report, told = await judged(claude, mongo_uri)
    assert len(told) == 1
    assert f"stuck: A reply failed for good: {kind}." in told[0]
    assert (report["counts"]["steps_approved"], len(report["people"][0]["steps"])) == (0, 1)


async def test_a_person_waits_as_long_as_the_settings_allow_and_no_longer(
    claude: ClaudePlayground, mongo_uri: str
) -> None:
    claude.script.answer_always(lambda _: Turn(text="Why?"))
    report, told = await judged(claude, mongo_uri, request_seconds=0.001)
    assert "Within 0 s this did not come" in told[0]
    assert report["counts"]["steps_approved"] == 0
