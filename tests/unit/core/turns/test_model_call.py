"""What the model calls for: tried on a copy, refused in words that help it, carried out when its turn has ended."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from app.core.conversation.call import AskPerson, Call, CancelSchedule, KeptCall, ResolveQuestion, SetSchedule
from app.core.conversation.conversation import Conversation, MessageStatus
from app.core.conversation.transition import Trigger
from app.core.errors import IllegalEvent
from app.core.state.goal import (
    ChangesWanted,
    GoalDropped,
    GoalNamed,
    GoalPhase,
    GoalType,
    InfoAsked,
    InfoRecorded,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
)
from app.core.state.question import QuestionKind
from app.core.state.schedule import ScheduleKind
from app.core.state.status import Status
from app.core.turns.model_call import carry_out_call
from tests.unit.core.interviews import READY, YES, confirming
from tests.unit.core.live import BEGINNING, CHOICE, DAILY, Live
from tests.unit.core.lives import in_background, waiting
from tests.unit.core.threads import conversation

ON = Trigger(cause="try", at=f"{BEGINNING}.000001")
NAMED = GoalNamed(type=GoalType.ARTIFACT_CREATION, description="A rota", info=(("weeks", "Weeks"),))
EVERY_CALL: tuple[Call, ...] = (
    CHOICE,
    ResolveQuestion(value="yes"),
    DAILY,
    CancelSchedule(),
    NAMED,
    InfoRecorded(name="weeks", value="52"),
    InfoAsked(name="weeks"),
    PlanProposed(),
    WorkStarted(),
    WorkFinished(summary="s", artefacts=("a",)),
    GoalDropped(),
    Satisfied(),
    ChangesWanted(),
)


def refusal(now: Conversation, call: Call) -> tuple[str, str]:
    with pytest.raises(IllegalEvent) as refused:
        carry_out_call(now, call, ON)
    return refused.value.code, refused.value.detail


@pytest.mark.parametrize(
    ("now", "call", "code", "words"),
    [
        (Live().now, AskPerson(type=QuestionKind.CHOICE, prompt="Which?", options=("one",)), "BAD_QUESTION", "2 to 10"),
        (Live().now, ResolveQuestion(value="yes"), "NO_QUESTION", "no question is open"),
        (waiting().now, ResolveQuestion(value="neither"), "BAD_ANSWER", "one of the options"),
        (Live().now, CancelSchedule(), "NO_SCHEDULE", ""),
        (
            in_background().now,
            SetSchedule(kind=ScheduleKind.CRON, cron="x", instruction="y"),
            "BAD_SCHEDULE",
            "no cron expression",
        ),
        (Live().now, WorkStarted(), "ILLEGAL", "Name the goal first."),
        (Live().now, InfoRecorded(name="weeks", value="52"), "ILLEGAL", "Nothing of that name"),
    ],
)
def test_a_call_that_cannot_be_is_refused_with_words_for_the_model(
    now: Conversation, call: Call, code: str, words: str
) -> None:
    refused, told = refusal(now, call)
    assert refused == code
    assert words in told


def test_a_call_on_the_goal_moves_the_goal() -> None:
    now = carry_out_call(conversation(), NAMED, ON).conversation
    assert (now.goals.phase, now.goals.goal and now.goals.goal.description) == (GoalPhase.UNDERSTANDING, "A rota")


def test_nothing_is_called_for_in_an_archived_thread() -> None:
    now = conversation(status=Status.ARCHIVED)
    assert {refusal(now, call)[0] for call in (CHOICE, DAILY, CancelSchedule())} == {"ARCHIVED"}


def test_what_is_tried_while_the_turn_runs_is_what_counts_when_it_has_ended() -> None:
    live = Live().says("Hi")
    tried = carry_out_call(carry_out_call(live.now, DAILY, ON).conversation, CHOICE, ON).conversation
    live.replies("I see.", DAILY, CHOICE)
    assert (tried.status, tried.schedule) == (live.now.status, live.now.schedule)
    assert tried.question
    assert live.now.question
    assert (tried.question.prompt, tried.question.options) == (live.now.question.prompt, live.now.question.options)


def test_calls_count_in_the_order_in_which_they_were_made() -> None:
    assert Live().says("Hi").replies("x", DAILY, CancelSchedule()).now.schedule is None
    assert in_background().says("Hi").replies("x", CancelSchedule(), DAILY).now.schedule


MEANT = ("complete", "truncated", "limited")


@pytest.mark.parametrize("status", [status for status in MessageStatus if status not in MEANT])
def test_of_an_answer_that_was_not_meant_no_call_counts(status: MessageStatus) -> None:
    live = Live().says("Hi").replies("x", CHOICE, DAILY, NAMED, status=status)
    assert (live.now.status, live.now.question, live.now.schedule) == (Status.ACTIVE, None, None)
    assert live.now.goals.goal is None


def test_a_call_that_cannot_be_any_more_keeps_no_other_from_counting() -> None:
    live = Live().says("Hi").replies("x", ResolveQuestion(value="yes"), CHOICE, WorkStarted(), NAMED)
    assert live.now.question
    assert live.now.goals.goal
    assert [event.reason for event in live.made.audit if event.type == "illegal_transition"] == [
        "NO_QUESTION",
        "ILLEGAL",
    ]


@pytest.mark.parametrize("call", EVERY_CALL, ids=lambda call: type(call).__name__)
def test_a_call_that_is_kept_is_read_back_as_itself(call: Call) -> None:
    kept: TypeAdapter[Call] = TypeAdapter(KeptCall)
    assert kept.validate_json(kept.dump_json(call)) == call


@pytest.mark.parametrize("call", [READY, YES])
def test_what_an_interview_takes_at_the_end_of_a_turn_is_not_tried_before(call: Call) -> None:
    with pytest.raises(IllegalEvent, match="NOT_COMPONENT"):
        carry_out_call(confirming().now, call, ON)


def test_a_draft_that_waits_is_resolved_as_such_and_not_as_a_question() -> None:
    with pytest.raises(IllegalEvent, match="resolve_confirmation"):
        carry_out_call(confirming().now, ResolveQuestion(value="yes"), ON)
