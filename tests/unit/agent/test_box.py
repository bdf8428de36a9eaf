"""The box of tools: what the model is offered, what it is told, and what counts of what it called."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.agent.tools.conversation.question_tools import ASKED
from app.agent.tools.conversation.schedule_tools import CANCELLED, PLANNED_OFTEN, RUNS_AGAIN
from app.agent.tools.conversation.thread_toolset import AFTER_QUESTION, SPECS, TOOLS, UNKNOWN, ThreadToolset
from app.core.conversation.call import AskPerson, CancelSchedule, OfferDecision, ResolveQuestion, SetSchedule
from app.core.state.goal import (
    ChangesWanted,
    GoalDropped,
    GoalNamed,
    GoalPhase,
    GoalType,
    InfoRecorded,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
)
from app.core.state.question import QuestionKind
from app.core.state.schedule import ScheduleKind
from app.ports import ToolUse
from tests.unit.core.live import BEGINNING, CONFIRMATION, Live
from tests.unit.core.lives import in_background, waiting

NAMED = {
    "type": "artifact_creation",
    "description": "A rota",
    "required_information": [{"name": "weeks", "label": "Weeks"}],
}
DAILY = {"kind": "cron", "instruction": "Send the digest.", "cron": "0 9 * * *", "zone": "UTC"}


class Box:
    """A box of a thread, and what it says."""

    def __init__(self, live: Live | None = None, wait: int = 0) -> None:
        live = live or Live().says("Hi")
        self.tools = ThreadToolset(live.now, live.cards, lambda: live.ts)
        self.tools.trial.schedule_wait = wait

    def use(self, name: str, given: Any = None) -> tuple[str, bool]:
        block = self.tools.use(ToolUse(id="t1", name=name, input=given if given is not None else {}))
        assert (block["type"], block["tool_use_id"]) == ("tool_result", "t1")
        return block["content"], block.get("is_error", False)

    def fails(self, name: str, given: Any = None) -> str:
        before = self.tools.calls
        words, failed = self.use(name, given)
        assert failed
        assert self.tools.calls == before
        assert words
        return words

    def does(self, name: str, given: Any = None) -> str:
        words, failed = self.use(name, given)
        assert not failed, words
        return words


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.mark.parametrize(
    ("name", "given", "call"),
    [
        (
            "ask_user",
            {"type": "choice", "prompt": "Which?", "options": ["A", "B"], "allow_something_else": True},
            AskPerson(type=QuestionKind.CHOICE, prompt="Which?", options=("A", "B"), other=True),
        ),
        (
            "schedule_work",
            DAILY,
            SetSchedule(
                kind=ScheduleKind.CRON,
                instruction="Send the digest.",
                cron="0 9 * * *",
                zone="UTC",
                at=f"{BEGINNING + 1}.000001",
            ),
        ),
        (
            "set_goal",
            NAMED,
            GoalNamed(type=GoalType.ARTIFACT_CREATION, description="A rota", info=(("weeks", "Weeks"),)),
        ),
        ("propose_plan", {}, PlanProposed()),
        ("note_feedback", {"feedback": "satisfied"}, Satisfied()),
        ("note_feedback", {"feedback": "dropped"}, GoalDropped()),
        ("note_feedback", {"feedback": "changes"}, ChangesWanted()),
    ],
)
def test_a_tool_that_is_used_is_a_call(name: str, given: Any, call: object) -> None:
    box = Box()
    box.does(name, given)
    assert box.tools.calls == (call,)


def test_the_work_on_a_goal_is_told_step_by_step_and_each_call_sees_what_those_before_have_moved(box: Box) -> None:
    assert f"Conversation Phase: {GoalPhase.UNDERSTANDING}" in box.does("set_goal", NAMED)
    assert "✓ weeks" in box.does("record_information", {"name": "weeks", "value": "52"})
    assert f"Conversation Phase: {GoalPhase.EXECUTING}" in box.does("start_work")
    told = box.does("finish_work", {"summary": "The rota.", "artefacts": ["rota"]})
    assert f"Conversation Phase: {GoalPhase.REVIEWING}" in told
    assert box.tools.calls[1:] == (
        InfoRecorded(name="weeks", value="52"),
        WorkStarted(),
        WorkFinished(summary="The rota.", artefacts=("rota",)),
    )


def test_a_question_is_the_last_thing_that_is_called_for(box: Box) -> None:
    assert box.does("ask_user", {"type": "input", "prompt": "What?"}) == ASKED
    assert box.tools.waits
    assert box.fails("propose_plan") == AFTER_QUESTION
    assert box.fails("ask_user", {"type": "input", "prompt": "And?"}) == AFTER_QUESTION


def test_an_answer_in_other_words_is_read_back_to_the_model() -> None:
    box = Box(waiting().says("the one with people"))
    assert "D2 Hiring" in box.does("resolve_question", {"value": "D2 Hiring"})
    assert box.tools.calls == (ResolveQuestion(value="D2 Hiring"),)
    assert box.fails("resolve_question", {"value": "D2 Hiring"}) == "no question is open"


def test_an_answer_that_is_none_leaves_the_question_open_for_another_try() -> None:
    box = Box(waiting(CONFIRMATION).says("hm"))
    assert "one of the options" in box.fails("resolve_question", {"value": "perhaps"})
    assert "Yes" in box.does("resolve_question", {"value": "yes"})


def test_a_schedule_is_told_with_its_next_run_and_replaced_or_cancelled_in_the_same_turn() -> None:
    box = Box(in_background().says("Hi"))
    assert "every hour" in box.does("schedule_work", {**DAILY, "cron": "0 * * * *"})
    assert box.does("cancel_schedule") == CANCELLED
    assert box.fails("cancel_schedule")
    assert [type(call) for call in box.tools.calls] == [SetSchedule, CancelSchedule]


def test_a_plan_in_place_of_a_paused_one_is_told_to_run() -> None:
    live = in_background().says("Hi")
    assert RUNS_AGAIN not in Box(live).does("schedule_work", DAILY)
    live.now = replace(live.now, paused=True)
    assert Box(live).does("schedule_work", DAILY).endswith(RUNS_AGAIN)


def test_a_guided_decision_is_offered_and_the_turn_goes_on_as_it_was() -> None:
    box = Box(waiting().says("We have to decide where to meet"))
    before = box.tools.trial.conversation
    assert "button" in box.does("offer_decision", {"question": "Where do\nwe meet?"})
    assert box.tools.calls == (OfferDecision(question="Where do we meet?"),)
    assert not box.tools.waits
    assert box.tools.trial.conversation == before
    assert "at most 500" in box.fails("offer_decision", {"question": "x" * 501})


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("ask_user", {"type": "choice", "prompt": "Which?", "options": ["one"]}, "2 to 10 options"),
        ("ask_user", {"type": "choice"}, "prompt: Field required"),
        ("ask_user", {"type": "choice", "prompt": "Which?", "colour": "red"}, "there is no `colour`; there is `type`"),
        ("propose_plan", {"plan": "x"}, "there is no `plan`"),
        (
            "set_goal",
            {**NAMED, "required_information": [{"name": "x", "label": "x", "lable": "x"}]},
            "there is no `required_information.0.lable`; did you mean `label`?",
        ),
        ("ask_user", ["not", "an", "object"], ""),
        ("ask_user", None, "Field required"),
        ("schedule_work", {**DAILY, "cron": "every day"}, "no cron expression"),
        ("schedule_work", {**DAILY, "zone": "Mars/Olympus"}, "time zone"),
        ("start_work", {}, "Name the goal first."),
        ("record_information", {"name": "x", "value": "y"}, "Nothing of that name"),
        ("set_goal", {**NAMED, "required_information": [{"name": "Bad Name", "label": "x"}]}, "required_information.0"),
        ("open_door", {}, UNKNOWN),
        ("propose_plan", {"x": "y" * 100_001}, "too long"),
    ],
)
def test_what_cannot_be_is_told_in_words_that_help_and_does_not_count(name: str, given: Any, words: str) -> None:
    assert words in Box().fails(name, given)


@pytest.mark.req("S0-025")
def test_what_is_wrong_with_an_input_is_told_without_repeating_it() -> None:
    assert "secret" not in Box().fails("ask_user", {"type": "secret", "prompt": "x"})


@pytest.mark.req("S0-036")
def test_what_the_model_wrote_is_cleaned_however_deep_it_stands_before_it_counts(box: Box) -> None:
    box.does("ask_user", {"type": "choice", "prompt": "Which[/INST]?", "options": ["A\u0007", "B"]})
    (call,) = box.tools.calls
    assert isinstance(call, AskPerson)
    assert (call.prompt, call.options) == ("Which?", ("A", "B"))
    assert not box.tools.verbatim


def test_clean_inputs_are_kept_as_they_were(box: Box) -> None:
    assert not box.tools.used
    box.does("set_goal", NAMED)
    assert (box.tools.verbatim, box.tools.used) == (True, True)


def test_what_was_not_clean_once_stays_so(box: Box) -> None:
    box.fails("open_door", {"x": "\u0007"})
    box.does("propose_plan")
    assert not box.tools.verbatim


def test_the_tools_are_the_same_for_every_turn_and_told_as_the_api_wants_them() -> None:
    assert [spec["name"] for spec in SPECS] == list(TOOLS)
    for spec in SPECS:
        assert set(spec) == {"name", "description", "input_schema"}
        assert spec["input_schema"]["type"] == "object"
        assert len(spec["name"]) <= 64
    assert json.loads(json.dumps(SPECS)) == list(SPECS)


@pytest.mark.req("SE-13")
def test_who_has_planned_too_often_plans_nothing_and_is_told_until_when() -> None:
    assert Box(wait=600).fails("schedule_work", DAILY) == PLANNED_OFTEN.format(wait="10 min")
