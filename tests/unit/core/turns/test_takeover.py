"""A turn whose process died: whether it goes on by itself, from where, and that it does so once."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.copy import texts
from app.core.events.acts import RetryPressed
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.events.internal import EpochStarted, TurnTakenUp
from app.core.state.goal import PlanProposed
from app.core.state.interview import Phase, Stage
from app.core.state.status import TurnState
from app.core.state.tool_use import Use, UseState
from app.core.turns import takeover
from app.core.turns.takeover import FRESH_STARTS, LATEST_SECONDS, can_resume
from tests.unit.core.interviews import extracting
from tests.unit.core.live import DAILY, Live
from tests.unit.core.lives import in_background, permitting, use
from tests.unit.core.threads import OTHER, THREAD

HALF = "Half of it"
LOOKED = use("r1", UseState.DONE, title="", result="Nothing new.", since="1.0")


def said(*ids: str, told: bool = False) -> str:
    """What a turn has said: rounds with a tool use each, the last one with its result or without."""
    messages: list[dict[str, Any]] = []
    for id_ in ids:
        messages.append(
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": id_, "name": "x", "input": {}},
                ],
            }
        )
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "ok"}]})
    return json.dumps(messages if told else messages[:-1])


def shown(live: Live, text: str = HALF, **values: Any) -> Live:
    """Slack shows this of the answer under way, and its process dies."""
    row = replace(live.reply, text=text, parts=("9.7",), kept_at=live.ts, **values)
    live.rows[row.seq] = replace(row, status=MessageStatus.STREAMING)
    live.now = replace(live.now, fence=live.now.fence + 1)
    return live


def cut(live: Live | None = None, **values: Any) -> Live:
    return shown(live or Live().says("Hi"), **values)


def looked(*uses: Use, **values: Any) -> Live:
    """Its first round looked something up, which is kept, and its second one was cut."""
    live = Live().says("What is new?")
    kept = {"text": "I look.", "content": said("r1", told=not uses), "rounds": 1, "standing": len("I look.")}
    live.reports(*uses, **kept)
    return shown(live, "I look.\n\nThere", **values)


def goes_on(live: Live, *unheard: Any, after: float = 1) -> bool:
    at = f"{float(live.reply.kept_at) + after:.6f}"
    return takeover.can_resume_after_crash(live.now, live.reply, at, unheard)


def taken_up(live: Live) -> Live:
    assert live.now.turn
    live.apply(TurnTakenUp(turn=live.now.turn.id, reply=live.reply), live.now.turn.id)
    return live


# Whether


@pytest.mark.req("MW-21")
def test_an_answer_that_was_cut_in_mid_sentence_goes_on() -> None:
    assert goes_on(cut())


@pytest.mark.req("MW-21")
def test_it_goes_on_once() -> None:
    live = taken_up(cut())
    assert live.now.turn
    assert live.now.turn.taken_up
    assert not goes_on(shown(live, "Half of it, and"))
    assert live.refuses(TurnTakenUp(turn=live.now.turn.id, reply=live.reply)) == "STALE_RUN"


@pytest.mark.req("MW-21")
def test_ten_minutes_after_its_last_sign_of_life_it_goes_on_no_more() -> None:
    assert goes_on(cut(), after=LATEST_SECONDS)
    assert not goes_on(cut(), after=LATEST_SECONDS + 1)
    assert LATEST_SECONDS == 10 * 60


def test_what_was_begun_before_such_times_were_kept_is_closed() -> None:
    live = cut()
    assert not takeover.can_resume_after_crash(live.now, replace(live.reply, kept_at=""), live.ts, ())


def test_one_that_was_asked_for_again_goes_on_although_it_has_shown_nothing_new() -> None:
    live = Live().says("Hi").replies("", status=MessageStatus.FAILED)
    failed = next(row for row in live.transcript if row.status is MessageStatus.FAILED)
    live.does(RetryPressed, reply=failed.seq, pressed_reply=replace(failed, parts=("9.9",)), ts="9.9")
    assert takeover.close_after_crash(live.now, live.reply)
    assert goes_on(live)


@pytest.mark.req("MW-21")
def test_where_the_owner_has_said_something_else_meanwhile_it_does_not_go_on() -> None:
    live = cut()
    here: dict[str, Any] = {"receipt": "e", "thread": THREAD, "ts": "1.1", "at": live.ts}
    assert not goes_on(live, live.message("And this?"))
    assert not goes_on(live, MessageEdited(**here, user=live.now.owner, text="Or this?"))
    assert not goes_on(live, MessageDeleted(**here))


def test_what_others_say_and_what_the_owner_presses_does_not_keep_it_from_going_on() -> None:
    live = cut()
    here: dict[str, Any] = {"receipt": "e", "thread": THREAD, "ts": "1.1", "at": live.ts}
    others = live.message("And this?", OTHER), MessageEdited(**here, user=OTHER, text="x")
    assert goes_on(live, *others, live.click("0"))


def test_an_answer_to_what_was_taken_back_does_not_go_on() -> None:
    live = Live().says("Hi")
    asked = next(row for row in live.transcript if row.role is Role.PERSON)
    live.apply(MessageDeleted(receipt="d", thread=THREAD, ts=asked.ts, at=live.ts), "d")
    assert not goes_on(cut(live))


def test_with_the_beginnings_of_an_epoch_it_goes_on_all_the_same() -> None:
    live = Live().talks("Hi").says("And?")
    assert live.now.turn
    live.apply(EpochStarted(since=2, summary="s"), live.now.turn.id)
    assert goes_on(cut(live))


def test_a_run_of_a_schedule_is_made_again_by_rules_of_its_own() -> None:
    assert not goes_on(cut(in_background().is_due()))
    assert goes_on(cut(in_background(DAILY).says("Hi")))


def test_of_a_run_that_nobody_could_finish_nothing_is_kept_since_it_is_made_again_whole() -> None:
    live = shown(in_background().is_due(), HALF, content=said("r1", told=True), rounds=1, calls=(PlanProposed(),))
    live.now = replace(live.now, fence=live.now.fence + FRESH_STARTS)
    closed = takeover.close_after_crash(live.now, live.reply)
    assert closed is not None
    assert (closed.status, closed.text) == (MessageStatus.INTERRUPTED, HALF)
    assert (closed.content, closed.calls) == ("", ())


def test_an_answer_that_is_over_or_waits_does_not_go_on() -> None:
    live = cut()
    done = replace(live.reply, status=MessageStatus.COMPLETE)
    assert not takeover.can_resume_after_crash(live.now, done, live.ts, ())
    waits = permitting()
    assert not takeover.can_resume_after_crash(waits.now, waits.reply, waits.ts, ())
    assert not takeover.can_resume_after_crash(Live().talks().now, done, live.ts, ())


def test_over_an_answer_nobody_may_die_more_often_than_over_one_that_has_shown_nothing() -> None:
    live = cut()
    live.now = replace(live.now, fence=live.now.fence + FRESH_STARTS - 1)
    assert not goes_on(live)


# Writes


@pytest.mark.req("MW-21")
@pytest.mark.parametrize(
    "uses",
    [
        (use("t1", UseState.STARTED, since="1.0"), use("t2")),
        (use("t1", UseState.DONE, since="1.0", result="ok"), use("t2")),
        (use("t1", UseState.DONE, since="1.0", result="ok"), use("t2", UseState.STARTED, since="2.0")),
    ],
)
def test_where_the_round_that_was_cut_has_begun_a_write_it_does_not_go_on(uses: tuple[Use, ...]) -> None:
    assert not goes_on(shown(Live().says("Post").reports(*uses)))


@pytest.mark.req("MW-21")
def test_after_a_round_whose_writes_are_all_done_it_goes_on_with_their_results() -> None:
    live = Live().says("Post").reports(use("t1", UseState.DONE, since="1.0", result="It stands there."))
    assert goes_on(shown(live))
    turn = taken_up(live).now.turn
    assert turn
    assert [each.result for each in turn.uses] == ["It stands there."]
    assert live.reply.content


def test_what_was_allowed_and_not_begun_is_no_write() -> None:
    assert goes_on(cut(permitting().clicks("0")))


WROTE = use("t1", UseState.DONE, since="1.0", result="ok")


@pytest.mark.req("AG-02")
@pytest.mark.parametrize("done", [LOOKED, WROTE], ids=["it only read", "it wrote"])
@pytest.mark.parametrize("is_closed", [True, False], ids=["the round is closed", "its results are in the state"])
def test_what_a_torn_save_tells_of_an_open_round_is_dropped_and_what_was_finished_is_gone_on_with(
    done: Use, is_closed: bool
) -> None:
    """The row tells of a second round, and the state still of the first."""
    live = Live().says("Post").reports(done)
    if is_closed:
        live.reports(text="I look.", content=said(done.id, told=True), rounds=1)
    torn: dict[str, Any] = {"content": said(done.id, "t9"), "rounds": 2, "acted": True}
    torn |= {"calls": (PlanProposed(), PlanProposed()), "finished_calls": 1, "finished_text": 4, "standing": 9}
    assert goes_on(shown(live, **torn))
    row, turn = taken_up(live).reply, live.now.turn
    assert turn
    assert json.loads(row.content) == json.loads(said(done.id, told=True))
    assert (row.rounds, row.calls, row.stands, row.text) == (1, (PlanProposed(),), "Half", HALF)
    assert (turn.uses, turn.rounds, turn.done) == ((), 1, ("post to #ops (“Hello”)",) if done is WROTE else ())
    assert can_resume(turn, row)


@pytest.mark.req("AG-02")
def test_a_round_that_only_the_row_knows_to_be_over_is_gone_on_from() -> None:
    live = looked()
    row = replace(live.reply, content=said("r1", "r2", told=True), rounds=2, standing=7, status=MessageStatus.STREAMING)
    live.rows[row.seq] = row
    assert goes_on(live)
    turn = taken_up(live).now.turn
    assert turn
    assert (turn.rounds, json.loads(live.reply.content)) == (2, json.loads(said("r1", "r2", told=True)))


def test_of_a_first_round_that_was_torn_nothing_is_kept() -> None:
    live = shown(Live().says("Look"), content=said("t9"), rounds=1, calls=(PlanProposed(),), acted=True)
    assert goes_on(live)
    row = taken_up(live).reply
    assert (row.content, row.rounds, row.calls, row.acted, row.text) == ("", 0, (), False, HALF)


# Whether it is begun anew without a word to anybody


def fresh(known: int = 0, **row: Any) -> Message | None:
    """How the reply of a turn is closed whose process died; None if the turn begins anew."""
    live = Live().says("Look")
    assert live.now.turn
    live.now = replace(live.now, turn=replace(live.now.turn, rounds=known))
    return takeover.close_after_crash(live.now, replace(live.reply, **row))


def test_what_has_shown_nothing_begins_anew_and_what_has_shown_something_does_not() -> None:
    assert fresh() is None
    assert fresh(1, content=said("r1", told=True), rounds=1) is None
    rows: tuple[dict[str, Any], ...] = ({"text": HALF}, {"parts": ("9.7",)}, {"text": HALF, "parts": ("9.7",)})
    for row in rows:
        closed = fresh(**row)
        assert closed
        assert closed.status is MessageStatus.INTERRUPTED


def test_a_round_that_only_the_state_knows_of_is_not_made_again_since_it_may_have_done_something() -> None:
    closed = fresh(1)
    assert closed
    assert (closed.status, closed.content) == (MessageStatus.INTERRUPTED, "")
    assert fresh(0, content=said("r1", told=True), rounds=1) is None, "what only the row knows of has begun no tool"


def test_what_cannot_go_on_keeps_its_finished_rounds_although_a_torn_save_tells_of_more() -> None:
    live = Live().says("Look").reports(text="I look.", content=said("r1", told=True), rounds=1)
    live = shown(live, content=said("r1", "t9"), rounds=2, standing=9)
    live.now = replace(live.now, fence=live.now.fence + FRESH_STARTS)
    closed = takeover.close_after_crash(live.now, live.reply)
    assert closed
    assert (closed.unfinished, json.loads(closed.content)[:2]) == (True, json.loads(said("r1", told=True)))
    assert "t9" not in closed.content


def test_a_read_that_was_begun_is_no_write_and_what_was_done_in_rounds_that_are_lost_is_one() -> None:
    reading = use("r1", UseState.OPEN, title="", since="1.0")
    assert goes_on(shown(Live().says("Look").reports(reading)))
    for lost in ({"done": ("post to #ops",)}, {"unsure": (use("t1", UseState.DONE),)}, {}):
        live = shown(Live().says("Post"), content=said("t9"), rounds=1)
        assert live.now.turn
        live.now = replace(live.now, turn=replace(live.now.turn, rounds=2, **lost))
        assert goes_on(live) is (not lost)


# From where


def test_what_was_allowed_goes_on_as_an_answer_that_grows() -> None:
    live = permitting().clicks("0")
    live.rows[live.reply.seq] = replace(live.reply, kept_at=live.ts, status=MessageStatus.HELD)
    assert goes_on(live)
    assert taken_up(live).reply.status is MessageStatus.STREAMING


def test_what_a_round_has_heard_is_answered_by_the_turn_that_keeps_the_round_and_anew_if_the_round_is_lost() -> None:
    live = Live().says("Look").says("Only in #ops")
    late = live.transcript[-1].seq
    kept = shown(live, content=said("r1", told=True), rounds=1, heard=(late,))
    assert kept.now.turn
    kept.now = replace(kept.now, turn=replace(kept.now.turn, rounds=1))
    assert taken_up(kept).now.asked == ()
    lost = Live().says("Look").says("Only in #ops")
    lost = shown(lost, content=said("t9"), rounds=1, heard=(late,))
    lost.now = replace(lost.now, asked=())
    assert taken_up(lost).now.asked == (late,)
    assert lost.reply.heard == ()


@pytest.mark.req("MW-21")
def test_it_goes_on_after_its_last_finished_round_and_what_was_shown_stays() -> None:
    live = taken_up(looked())
    row, turn = live.reply, live.now.turn
    assert turn
    assert (row.text, row.stands, row.parts) == ("I look.\n\nThere", "I look.", ("9.7",))
    assert (turn.rounds, turn.uses, row.content) == (1, (), said("r1", told=True))
    assert can_resume(turn, row)
    assert live.now.run is TurnState.STREAMING


def test_what_it_was_doing_is_not_kept_as_words() -> None:
    live = taken_up(shown(Live().says("Hi"), f"I look.\n\n{texts.USING.format(tools='read channel')}"))
    assert live.reply.text == "I look."


def test_an_extraction_that_was_cut_begins_anew() -> None:
    step = extracting().reaches(Stage.SERIALIZE)
    shown(step, "⏳ Checking …")
    assert goes_on(step)
    taken_up(step)
    assert (step.now.stage, step.now.run) == (Stage.SUMMARIZE, TurnState.STREAMING)


def summed_up() -> Live:
    """An extraction whose summary is saved, and whose process dies while it makes the card."""
    step = extracting().reaches(Stage.SERIALIZE)
    summary = json.dumps([{"role": "assistant", "content": [{"type": "text", "text": "A van."}]}])
    step.reports(content=summary, rounds=1, stage=Stage.SERIALIZE, sources=("C7",))
    return shown(step, "⏳ Making the card …")


@pytest.mark.req("AG-02")
def test_an_extraction_that_was_cut_after_its_summary_keeps_it() -> None:
    step = summed_up()
    assert goes_on(step)
    taken_up(step)
    assert step.now.turn
    assert (step.now.turn.rounds, step.reply.rounds) == (1, 1)
    assert "A van." in step.reply.content
    assert can_resume(step.now.turn, step.reply)


@pytest.mark.req("AG-03")
def test_what_an_extraction_has_read_is_still_answered_after_it() -> None:
    step = summed_up().says("Wait, we have 20 vans.")
    asked = step.now.asked
    step.rows[step.reply.seq] = replace(step.reply, heard=asked)
    taken_up(step)
    assert len(asked) == 1
    assert step.now.asked == asked


@pytest.mark.req("AG-02")
@pytest.mark.parametrize("status", [MessageStatus.INTERRUPTED, MessageStatus.CANCELLED])
def test_a_retry_of_an_extraction_that_broke_off_begins_with_what_it_had(status: MessageStatus) -> None:
    step = summed_up()
    assert step.now.turn
    row = takeover.close_reply(step.now.turn, replace(step.reply, text="", status=status))
    assert not row.unfinished, "no answer goes on from a summary"
    step.replies("", status=status, content=row.content)
    assert step.now.phase is Phase.GATHER
    step.does(RetryPressed, reply=row.seq)
    assert step.now.turn
    assert (step.now.turn.rounds, step.reply.rounds) == (1, 1)
    assert (step.reply.content, step.reply.sources) == (row.content, ("C7",))
    assert can_resume(step.now.turn, step.reply)


def test_a_retry_of_an_extraction_without_a_finished_round_begins_at_the_beginning() -> None:
    step = extracting()
    step.fails()
    step.does(RetryPressed, reply=step.now.head)
    assert step.now.turn
    assert (step.now.turn.rounds, step.reply.rounds, step.reply.content) == (0, 0, "")


def test_news_of_another_turn_are_dropped() -> None:
    live = cut()
    assert live.refuses(TurnTakenUp(turn="0.0", reply=live.reply)) == "STALE_RUN"


def row(content: str = "", rounds: int = 0) -> Message:
    return Message(seq=2, role=Role.ASSISTANT, text="", content=content, rounds=rounds)


@pytest.mark.parametrize(
    ("rounds", "uses", "left", "is_known"),
    [
        (0, (), row(), True),
        (0, (), row(said("r1"), 1), False),
        (1, (LOOKED,), row(said("r1"), 1), True),
        (1, (LOOKED,), row(said("r1"), 0), True),
        (1, (LOOKED,), row(said("r1", "r2"), 2), False),
        (1, (), row(said("r1", told=True), 1), True),
        (1, (), row(said("r1", "r2", told=True), 2), False),
        (1, (), row(said("r1"), 1), False),
        (1, (), row("", 1), False),
    ],
)
def test_a_turn_is_taken_up_where_row_and_state_tell_the_same(
    rounds: int, uses: tuple[Use, ...], left: Message, is_known: bool
) -> None:
    turn = Live().says("Hi").now.turn
    assert turn
    assert can_resume(replace(turn, rounds=rounds, uses=uses), left) is is_known
