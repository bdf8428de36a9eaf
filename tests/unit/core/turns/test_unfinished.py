"""What is kept of a reply that broke off, and how another one goes on from there."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.copy import texts
from app.core.events.acts import RetryPressed
from app.core.events.heard import MessageDeleted
from app.core.events.internal import ToolUsesReported
from app.core.state.goal import GoalDropped, PlanProposed
from app.core.state.status import Status
from app.core.state.tool_use import NOT_WANTED, UNKNOWN_OUTCOME, UseState
from app.core.turns.history import build_api_messages
from app.core.turns.unfinished import INTERRUPTED, keep_finished
from tests.unit.core.live import DAILY, Live
from tests.unit.core.lives import use
from tests.unit.core.threads import OTHER, THREAD, reply


def wish(id_: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": "x", "input": {}}


def round_of(id_: str) -> list[dict[str, Any]]:
    told = {"type": "tool_result", "tool_use_id": id_, "content": "ok"}
    return [{"role": "assistant", "content": [wish(id_)]}, {"role": "user", "content": [told]}]


def broken(*said: dict[str, Any], status: MessageStatus = MessageStatus.FAILED, **more: Any) -> Message:
    return replace(reply(2, "", status), content=json.dumps(said) if said else "", **more)


def kept(row: Message) -> list[dict[str, Any]]:
    return json.loads(row.content)


@pytest.mark.req("AG-02")
def test_of_an_open_round_each_use_has_the_result_that_is_true_of_it() -> None:
    uses = (
        use("c1", UseState.DONE, title="", result="noted"),
        use("r1", UseState.DONE, title="", since="1.0", result="read"),
        use("w1", UseState.DONE, since="1.0", result="posted"),
        use("w2", UseState.STARTED, since="1.0"),
        use("w3", UseState.ASKED),
    )
    opened = {"role": "assistant", "content": [wish(each.id) for each in uses]}
    calls = (PlanProposed(), PlanProposed())
    row = keep_finished(broken(opened, calls=calls, finished_calls=1, standing=3), uses, "")
    told = [block["content"] for block in kept(row)[1]["content"]]
    assert told == [NOT_WANTED, "read", "posted", UNKNOWN_OUTCOME, NOT_WANTED]
    assert (row.unfinished, row.calls, row.standing) == (True, (PlanProposed(),), 0)


def test_words_after_the_last_round_say_that_they_broke_off_and_without_words_only_a_stop_does() -> None:
    failed = keep_finished(broken(*round_of("r1")), (), " Then ")
    assert kept(failed)[2] == {"role": "assistant", "content": [{"type": "text", "text": f"Then\n\n{INTERRUPTED}"}]}
    assert kept(keep_finished(broken(*round_of("r1")), (), "")) == round_of("r1")
    stopped = keep_finished(broken(*round_of("r1"), status=MessageStatus.CANCELLED), (), "")
    assert kept(stopped)[2]["content"][0]["text"] == INTERRUPTED


def test_a_reply_that_had_paused_goes_on_in_the_same_message() -> None:
    paused = {"role": "assistant", "content": [{"type": "text", "text": "One moment."}]}
    (whole,) = kept(keep_finished(broken(paused), (), "And"))
    assert [block["text"] for block in whole["content"]] == ["One moment.", f"And\n\n{INTERRUPTED}"]


@pytest.mark.parametrize(
    ("status", "rest", "is_sent"),
    [(MessageStatus.FAILED, "Half", True), (MessageStatus.FAILED, " ", False), (MessageStatus.CANCELLED, "x", False)],
)
def test_without_a_round_only_words_are_kept(status: MessageStatus, rest: str, is_sent: bool) -> None:
    row = keep_finished(broken(status=status, calls=(PlanProposed(),)), (), rest)
    assert (row.content, row.calls, row.unfinished) == ("", (), is_sent)


def failed(**more: Any) -> Live:
    """The second round of an answer was cut."""
    live = Live().says("Post it")
    said = [*round_of("r1"), {"role": "assistant", "content": [{"type": "text", "text": f"Th\n\n{INTERRUPTED}"}]}]
    values: dict[str, Any] = {
        "content": json.dumps(said),
        "rounds": 1,
        "unfinished": True,
        "acted": True,
        "failure": "cut",
    }
    return live.replies("I look. Th", status=MessageStatus.FAILED, **(values | more))


@pytest.mark.req("AG-02")
def test_go_on_reaches_the_model_after_all_that_was_finished_before_a_failure() -> None:
    live = failed().says("Go on")
    *_, looked, told, rest, asked = build_api_messages(live.now, live.transcript)
    assert [looked, told] == round_of("r1")
    assert rest["content"][0]["text"] == f"Th\n\n{INTERRUPTED}"
    assert asked["content"].startswith("Go on")


@pytest.mark.req("AG-02")
def test_retry_leaves_the_words_and_goes_on_below_them() -> None:
    live = failed()
    row = next(row for row in live.transcript if row.status is MessageStatus.FAILED)
    live.does(RetryPressed, reply=row.seq, pressed_reply=replace(row, parts=("9.9",)), ts="9.9")
    stays = live.rows[row.seq]
    assert (stays.status, stays.text, stays.content, stays.failure) == (
        MessageStatus.COMPLETE,
        row.text,
        row.content,
        "",
    )
    assert live.reply.parts == ()
    wishes = [each.text for each in live.transcript if each.role is Role.PERSON]
    assert wishes == ["Post it", texts.GO_ON]
    assert build_api_messages(live.now, live.transcript)[1:3] == round_of("r1")


def retry(live: Live) -> RetryPressed:
    """*Retry* under the newest reply that failed."""
    row = [each for each in live.transcript if each.status is MessageStatus.FAILED][-1]
    return live.event(RetryPressed, reply=row.seq)


def deletes(live: Live, text: str) -> Live:
    """The owner deletes a message."""
    row = next(each for each in live.transcript if each.text == text)
    live.apply(MessageDeleted(receipt=f"d{row.seq}", thread=THREAD, ts=row.ts, at=live.ts), f"d{row.seq}")
    return live


def test_retry_of_an_answer_whose_question_was_deleted_is_refused_and_the_model_is_not_asked() -> None:
    live = Live().talks("Hi").says("Where?").replies("", status=MessageStatus.FAILED)
    assert deletes(live, "Where?").refuses(retry(live)) == "TAKEN_BACK"
    assert live.now.turn is None


def test_retry_reads_what_is_left_of_what_was_asked() -> None:
    live = Live().says("Hi").says("Where?").says("In March?", OTHER).says("And when?").replies()
    live.replies("", status=MessageStatus.FAILED)
    deletes(live, "Where?").apply(retry(live), "again")
    assert live.now.turn is not None


def test_words_of_an_answer_that_is_given_anew_are_not_sent() -> None:
    live = Live().says("Hi").replies("Half", status=MessageStatus.FAILED, unfinished=True, failure="cut")
    row = next(row for row in live.transcript if row.status is MessageStatus.FAILED)
    live.does(RetryPressed, reply=row.seq, pressed_reply=replace(row, parts=("9.9",)), ts="9.9")
    (asked,) = build_api_messages(live.now, live.transcript)
    assert "Half" not in str(asked)
    assert live.reply.parts == ("9.9",)


@pytest.mark.req("AG-02")
def test_calls_of_finished_rounds_count_although_the_answer_was_stopped() -> None:
    live = Live().says("Build a calculator that adds two numbers for our team")
    assert live.now.goals.goal
    live.replies("I drop it.", GoalDropped(), PlanProposed(), status=MessageStatus.CANCELLED, unfinished=True)
    assert live.now.goals.goal is None


@pytest.mark.req("AG-03")
def test_what_was_read_between_two_rounds_begins_no_other_turn_and_is_sent_once() -> None:
    live = Live().says("Post it").says("Only in #ops")
    late = live.transcript[-1]
    assert live.now.asked == (late.seq,)
    said = round_of("r1")
    said[1]["content"].append({"type": "text", "text": "Only in #ops"})
    row = replace(live.reply, content=json.dumps(said), rounds=1, heard=(late.seq,))
    assert live.now.turn
    event = ToolUsesReported(turn=live.now.turn.id, reply=row, uses=(), rounds=1, at="", heard=(late,))
    live.apply(event, event.turn)
    assert (live.now.asked, live.now.queued, live.now.overheard, live.now.heard) == ((), (), late.seq, late.ts)
    done = [*said, {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}]
    live.replies("Done.", content=json.dumps(done), rounds=2, heard=(late.seq,))
    assert live.now.turn is None
    live.says("Thanks")
    messages = build_api_messages(live.now, live.transcript)
    assert messages[1:4] == done
    assert str(messages).count("Only in #ops") == 1
    text_only = replace(live.now, plain=live.now.head)
    assert str(build_api_messages(text_only, live.transcript)).count("Only in #ops") == 1


@pytest.mark.req("AG-02")
def test_a_plan_that_was_set_in_a_finished_round_is_kept_when_the_answer_breaks_off() -> None:
    live = Live().says("Every day, please").replies("Half", DAILY, status=MessageStatus.FAILED, unfinished=True)
    assert (live.now.status, bool(live.now.next_run)) == (Status.BACKGROUND, True)


def test_an_answer_keeps_no_round_that_has_heard_a_message_which_was_deleted_meanwhile() -> None:
    live = Live().says("Look").says("It is swordfish")
    heard = live.transcript[-1]
    live.reports(use("r1", UseState.DONE, title="", result="ok"), content=json.dumps(round_of("r1")))
    live.now = replace(live.now, overheard=heard.seq)
    gone = MessageDeleted(receipt="d", thread=live.now.thread, ts=heard.ts, at=live.ts)
    live.apply(live.finds(gone, targets=(heard,)), "d")
    live.replies("Noted.", content=json.dumps(round_of("r1")), heard=(heard.seq,))
    assert (live.transcript[1].text, live.transcript[1].content) == ("Noted.", "")
