"""What people press and send: answers, archiving, reopening, cancelling."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.events.acts import (
    ArchiveConfirmed,
    DecisionClosed,
    QuestionAnswered,
    ReopenRequested,
    RestartRequested,
    RetryPressed,
    ScheduleCancelled,
    SchedulePaused,
    StepClosed,
    StepRequested,
    SummaryRequested,
)
from app.core.events.heard import Ignored
from app.core.pending.answer_reading import OTHER
from app.core.state.interview import InterviewCommand
from app.core.thread import ThreadKey
from handlers.inbound.reading.slack_actions import Click, read_click
from handlers.slack import action_ids
from tests.unit.handlers.payloads import CHANNEL, MAYA, NOW, ROOT, TEAM, heard, payload

THREAD = ThreadKey(team=TEAM, channel=CHANNEL, root=ROOT)


def click(name: str = "block_actions_answer", **changes: Any) -> dict[str, Any]:
    body = payload(name)
    body["actions"][0] |= changes
    return body


def private(action: str, value: str) -> dict[str, Any]:
    """A click below a message that only one person sees, of which Slack does not say in which thread it stands."""
    body = click(action_id=action, value=value)
    body["container"] = {
        "type": "message",
        "message_ts": "1770000110.001100",
        "channel_id": CHANNEL,
        "is_ephemeral": True,
    }
    del body["message"]
    return body


def test_a_click_on_retry_names_the_reply_and_who_clicked() -> None:
    assert heard(payload("block_actions_retry")) == RetryPressed(
        receipt=f"action:{TEAM}:{CHANNEL}:1770000110.001100:1770000230.001500:{MAYA}",
        thread=THREAD,
        ts="1770000110.001100",
        at="1770000230.001500",
        user=MAYA,
        reply=2,
    )


def test_a_click_is_understood_from_its_container_alone() -> None:
    body = payload("block_actions_retry")
    del body["message"], body["channel"]
    assert heard(body) == heard(payload("block_actions_retry"))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"action_id": "approve"}, "unknown_action"),
        ({"value": "two"}, "unknown_action"),
        ({"value": "1" * 10}, "unknown_action"),
        ({"action_ts": "soon"}, "incomplete"),
    ],
)
def test_a_click_that_we_did_not_offer_is_ignored(change: dict[str, Any], reason: str) -> None:
    body = payload("block_actions_retry")
    body["actions"][0] |= change
    assert heard(body) == Ignored(reason=reason)


@pytest.mark.req("FA-35")
def test_the_button_below_a_refused_message_names_it_and_its_thread() -> None:
    event = heard(click(action_id=action_ids.GO_ON_WITH, value=f"{THREAD.root}:1770000220.000100"))
    assert isinstance(event, ReopenRequested)
    assert (event.thread, event.message) == (THREAD, "1770000220.000100")
    for value in (THREAD.root, f"{THREAD.root}:", ":1770000220.000100", f"{THREAD.root}:soon"):
        assert heard(click(action_id=action_ids.GO_ON_WITH, value=value)) == Ignored(reason="unknown_action")


@pytest.mark.req("IN-07")
def test_the_button_of_a_draft_from_files_names_them() -> None:
    event = heard(click(action_id=action_ids.DRAFT_FROM_FILES, value="F0123,F0456"))
    assert isinstance(event, SummaryRequested)
    assert (event.thread, event.signal, event.files) == (THREAD, InterviewCommand.DRAFT, ("F0123", "F0456"))
    for value in ("", "F1,", "f1", "F1 F2"):
        assert heard(click(action_id=action_ids.DRAFT_FROM_FILES, value=value)) == Ignored(reason="unknown_action")


@pytest.mark.req("S2-040")
def test_a_button_of_a_question_answers_with_its_option() -> None:
    assert heard(click()) == QuestionAnswered(
        receipt=f"action:{TEAM}:{CHANNEL}:1770000110.001100:1770000250.001700:{MAYA}",
        thread=THREAD,
        ts="1770000110.001100",
        at="1770000250.001700",
        user=MAYA,
        card=12,
        value="1",
    )


def test_a_button_of_a_card_that_shows_several_questions_in_turn_says_which_one_it_showed() -> None:
    event = heard(click(value="12:0:7.12"))
    assert isinstance(event, QuestionAnswered)
    assert (event.card, event.value, event.question) == (12, "0", "7.12")


def test_a_select_of_a_question_answers_with_the_option_that_was_chosen() -> None:
    event = heard(click("block_actions_select"))
    assert isinstance(event, QuestionAnswered)
    assert (event.thread, event.card, event.value) == (THREAD, 12, "4")


def test_two_clicks_on_the_same_button_are_two_events_and_one_click_is_one() -> None:
    first, again, second = heard(click()), heard(click()), heard(click(action_ts="1770000250.001701"))
    assert isinstance(first, QuestionAnswered)
    assert isinstance(second, QuestionAnswered)
    assert first == again
    assert first.receipt != second.receipt


@pytest.mark.parametrize(
    "change",
    [
        {"value": "12"},
        {"value": "12:one"},
        {"value": "12:100"},
        {"value": "12:1:"},
        {"value": f"{10**9}:1"},
        {"value": None},
        {"action_id": "answer"},
        {"action_id": "answered:1"},
    ],
)
def test_an_answer_that_we_did_not_offer_is_ignored(change: dict[str, Any]) -> None:
    assert heard(click(**change)) == Ignored(reason="unknown_action")


@pytest.mark.parametrize(
    ("action", "value"),
    [
        (action_ids.ARCHIVE, "12"),
        (action_ids.START_STEP, "objectives"),
        (action_ids.START_STEP, f"objectives:{CHANNEL}:12"),
        (action_ids.STEP_MENU, "restart:never"),
        (action_ids.HUB_MENU, "export:html"),
    ],
)
def test_a_value_that_we_did_not_give_to_a_control_makes_nothing_of_a_click(action: str, value: str) -> None:
    assert heard(click(action_id=action, value=value)) == Ignored(reason="unknown_action")


def test_a_step_is_started_in_the_decision_that_the_button_names_wherever_it_stands() -> None:
    decision = ThreadKey(team=TEAM, channel="C0BOARD01", root="1770000000.000100")
    event = heard(click(action_id=action_ids.START_STEP, value="objectives:C0BOARD01:1770000000.000100"))
    assert isinstance(event, StepRequested)
    assert (event.thread, event.component, event.user) == (decision, "objectives", MAYA)


@pytest.mark.parametrize(
    ("action", "value", "made"),
    [
        (action_ids.STEP_MENU, "close", StepClosed),
        (action_ids.STEP_MENU, "restart:gather", RestartRequested),
        (action_ids.HUB_MENU, "close", DecisionClosed),
        (action_ids.HUB_MENU, "reopen", DecisionClosed),
    ],
)
def test_what_is_picked_in_the_menu_of_a_card_means_the_thread_it_stands_in(
    action: str, value: str, made: type[StepClosed | RestartRequested | DecisionClosed]
) -> None:
    body = click(action_id=action, selected_option={"value": value})
    del body["actions"][0]["value"]
    event = heard(body)
    assert isinstance(event, made)
    assert event.thread == THREAD


def test_the_button_that_opens_a_form_is_no_answer_yet_and_says_which_question_it_is_about() -> None:
    body = click(action_id=action_ids.ANSWER_FORM, value="12")
    assert heard(body) == Ignored(reason="unknown_action")
    found = read_click(body)
    assert isinstance(found, Click)
    assert (found.thread, found.user, found.action, found.number) == (THREAD, MAYA, action_ids.ANSWER_FORM, 12)


@pytest.mark.req("S2-041")
def test_a_form_that_was_sent_answers_in_words_at_the_time_that_we_know() -> None:
    assert heard(payload("view_submission_answer")) == QuestionAnswered(
        receipt=f"view:{TEAM}:V0ANSWER1:1770000260.scrubbed",
        thread=THREAD,
        ts="",
        at=NOW,
        user=MAYA,
        card=12,
        value=f"{OTHER}A pool of two\nper evening",
    )


@pytest.mark.parametrize("change", [{"user": None}, {"view": None}])
def test_a_form_of_which_something_is_missing_is_ignored(change: dict[str, Any]) -> None:
    assert heard(payload("view_submission_answer") | change) == Ignored(reason="unknown_form")


@pytest.mark.parametrize("change", [{"callback_id": "pick"}, {"id": None}])
def test_a_form_that_is_not_ours_or_has_no_name_is_ignored(change: dict[str, Any]) -> None:
    body = payload("view_submission_answer")
    body["view"] |= change
    assert heard(body) == Ignored(reason="unknown_form")


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (action_ids.ARCHIVE, ArchiveConfirmed),
        (action_ids.REOPEN, ReopenRequested),
        (action_ids.CANCEL_SCHEDULE, ScheduleCancelled),
    ],
)
def test_a_button_about_the_thread_names_it_itself(action: str, kind: type) -> None:
    event = heard(private(action, ROOT))
    assert isinstance(event, ArchiveConfirmed | ReopenRequested | ScheduleCancelled)
    assert (type(event), event.thread, event.user) == (kind, THREAD, MAYA)


@pytest.mark.parametrize(("value", "card"), [("7", 7), (ROOT, 0)])
def test_the_button_of_a_plan_names_its_card_and_one_that_was_posted_long_ago_the_thread(value: str, card: int) -> None:
    event = heard(click(action_id=action_ids.CANCEL_SCHEDULE, value=value))
    assert isinstance(event, ScheduleCancelled)
    assert (event.thread, event.card, event.user) == (THREAD, card, MAYA)


@pytest.mark.parametrize(
    ("action", "resumed"), [(action_ids.PAUSE_SCHEDULE, False), (action_ids.RESUME_SCHEDULE, True)]
)
def test_a_plan_is_paused_and_resumed_by_buttons_that_name_its_card(action: str, *, resumed: bool) -> None:
    event = heard(click(action_id=action, value="7"))
    assert isinstance(event, SchedulePaused)
    assert (event.thread, event.card, event.resumed, event.user) == (THREAD, 7, resumed, MAYA)


def test_a_button_that_reopens_is_not_a_message_that_was_written() -> None:
    event = heard(click(action_id=action_ids.REOPEN, value=ROOT))
    assert isinstance(event, ReopenRequested)
    assert not event.written


@pytest.mark.parametrize("action", [action_ids.ARCHIVE, action_ids.REOPEN, action_ids.CANCEL_SCHEDULE])
def test_a_button_about_a_thread_that_it_does_not_name_is_ignored(action: str) -> None:
    assert heard(private(action, "here")) == Ignored(reason="unknown_action")
