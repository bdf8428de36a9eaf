"""A turn that waits for a permission: asked about one by one, decided, redirected, withdrawn, taken over."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.conversation.card import NoteCard, PermissionCard, QuestionCard, ScheduleCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import FinishReply, RunTurn, SavePermissionRule
from app.core.conversation.usage import Usage
from app.core.copy import permission_cards
from app.core.events.acts import RetryPressed
from app.core.events.heard import MessagePosted
from app.core.state.goal import GoalNamed, GoalPhase, GoalType, PlanProposed, WorkFinished, WorkStarted
from app.core.state.permission import PermissionChoice
from app.core.state.question import Origin
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import INTERRUPT_EXPLANATION, INTERRUPT_TOOL, INTERRUPT_USER, Use, UseState, interrupt_use
from app.core.turns import takeover
from app.core.turns.takeover import FRESH_STARTS
from tests.unit.core.interviews import OTHER_DRAFT, gathering
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import in_background, permitting, use
from tests.unit.core.threads import OWNER

ALLOW, ALWAYS, WAIT, NEVER = "0123"
TWICE = f"{INTERRUPT_TOOL}\n\n{INTERRUPT_EXPLANATION}"


def states(live: Live) -> list[UseState]:
    assert live.now.turn
    return [each.state for each in live.now.turn.uses]


def notes(live: Live) -> list[str]:
    """What the model is told by nobody."""
    return [row.text for row in live.transcript if row.role is Role.NOTE]


def told(live: Live) -> list[str]:
    """What people are told as a fact."""
    return [row.card.text for row in live.transcript if isinstance(row.card, NoteCard)]


@pytest.mark.req("S3-013", "S3-014", "S3-015")
def test_the_words_of_an_interruption_are_those_of_the_seed() -> None:
    assert INTERRUPT_USER == "[Request interrupted by user]"
    assert INTERRUPT_TOOL == "[Request interrupted by user for tool use]"
    assert INTERRUPT_EXPLANATION == (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how "
        "to proceed."
    )


@pytest.mark.req("S3-010", "S3-011")
def test_a_result_is_an_error_only_when_it_says_so() -> None:
    done = Use(id="t1", tool="put", input="{}", state=UseState.DONE, result="ok")
    assert done.block() == {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
    assert replace(done, failed=True).block() == done.block() | {"is_error": True}


@pytest.mark.req("S3-012", "S3-049", "S3-074")
def test_an_interrupted_use_is_an_error_of_constant_blank_line_and_explanation_and_a_done_one_is_left() -> None:
    assert interrupt_use(use("t1", UseState.ASKED)).block() == {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": TWICE,
        "is_error": True,
    }
    done = use("t1", UseState.DONE, result="ok")
    assert interrupt_use(done) is done


@pytest.mark.req("S3-016")
def test_there_are_four_decisions() -> None:
    assert [decision.value for decision in PermissionChoice] == ["allow", "always", "wait", "never"]


def test_while_it_waits_nothing_is_to_be_run_and_its_words_are_delivered() -> None:
    live = permitting()
    assert live.now.question
    assert (live.now.run, live.now.status, live.now.question.origin) == (
        TurnState.AWAITING,
        Status.WAITING_INPUT,
        Origin.PERMISSION,
    )
    assert live.new(RunTurn) == []
    assert [effect.reply for effect in live.new(FinishReply)] == [live.reply.seq]
    card = live.card(PermissionCard)
    assert (card.use.title, card.place, card.count) == ("post to #ops", 1, 2)


@pytest.mark.parametrize(
    ("value", "state", "rules"),
    [(ALLOW, UseState.ALLOWED, []), (ALWAYS, UseState.ALLOWED, [True]), (NEVER, UseState.DENIED, [False])],
)
def test_a_decision_resumes_the_turn_where_it_was(value: str, state: UseState, rules: list[bool]) -> None:
    before = permitting()
    live = permitting().clicks(value)
    assert (live.now.run, live.now.question, live.now.status) == (TurnState.STREAMING, None, Status.ACTIVE)
    assert live.now.turn
    assert before.now.turn
    assert (live.now.turn.id, live.now.turn.resumed) == (before.now.turn.id, 1)
    assert states(live) == [state, UseState.OPEN]
    assert [effect.turn for effect in live.new(RunTurn)] == [live.now.turn.id]
    kept = [effect.rule for effect in live.new(SavePermissionRule)]
    assert [rule.allows for rule in kept] == rules
    assert all((rule.user, rule.tool, rule.scope) == (OWNER, "post_message", "channel:C2") for rule in kept)
    (audited,) = [event for event in live.made.audit if event.type == "permission_decision"]
    assert (audited.reason, audited.after) == ("post_message", live.card(PermissionCard).decision)
    assert audited.actor == OWNER


@pytest.mark.req("S3-018", "S3-019", "S3-021")
def test_wait_interrupts_all_that_is_open_ends_the_turn_and_asks_what_to_do() -> None:
    live = Live().says("Post").reports(use("t0", UseState.DONE, result="ok"), use("t1", UseState.ASKED), use("t2"))
    held = live.posts_cards().reply
    live.clicks(WAIT)
    assert live.now.question
    assert (live.now.run, live.now.turn, live.now.status) == (TurnState.IDLE, None, Status.WAITING_INPUT)
    assert (live.now.question.origin, live.new(RunTurn)) == (Origin.INTERRUPT, [])
    row = live.rows[held.seq]
    said, results = json.loads(row.content)
    assert row.status is MessageStatus.COMPLETE
    assert said == json.loads(held.content)[0]
    assert results["role"] == "user"
    assert [block["content"] for block in results["content"]] == ["ok", TWICE, TWICE]
    assert told(live) == [permission_cards.INTERRUPTED]


@pytest.mark.req("S3-058", "S3-059")
def test_words_instead_of_a_click_interrupt_it_and_are_answered_at_once() -> None:
    live = permitting().says("put it into #random instead")
    assert live.now.turn
    assert (live.now.run, live.now.question, live.now.status) == (TurnState.STREAMING, None, Status.ACTIVE)
    assert told(live) == [permission_cards.INTERRUPTED]
    assert live.card(PermissionCard).decision is PermissionChoice.WAIT
    words = [row.seq for row in live.transcript if row.text == "put it into #random instead"]
    assert words[0] < live.now.turn.reply


def test_what_was_planned_for_later_beside_a_use_that_was_told_to_wait_is_not_kept_and_the_model_is_told_so() -> None:
    live = Live().says("Post").reports(use(state=UseState.ASKED), calls=(DAILY,)).posts_cards().clicks(WAIT)
    assert live.now.schedule is None
    assert notes(live) == [permission_cards.NOT_KEPT_FOR_MODEL]
    assert notes(permitting().clicks(WAIT)) == []


POSTING = GoalNamed(type=GoalType.TASK_EXECUTION, description="Tell #ops what the hall costs")


@pytest.mark.req("AG-02", "AG-16")
@pytest.mark.parametrize("words", ["", "no, say it friendlier, and make me a report of the costs"])
def test_the_goal_and_plan_of_an_answer_that_was_told_to_wait_stay_and_what_comes_next_is_read_in_their_light(
    words: str,
) -> None:
    live = Live().says("Can we afford the hall? Tell #ops.")
    live.reports(use(state=UseState.ASKED), calls=(POSTING, PlanProposed())).posts_cards()
    live = live.says(words) if words else live.clicks(WAIT)
    goal = live.now.goals.goal
    assert goal
    assert (goal.description, live.now.goals.phase) == (POSTING.description, GoalPhase.PLANNING)
    assert notes(live) == []


def test_a_result_whose_post_was_told_to_wait_is_not_delivered() -> None:
    finished = WorkFinished(summary="Posted to #ops")
    live = Live().says("Tell #ops").reports(use(state=UseState.ASKED), calls=(POSTING, WorkStarted(), finished))
    live.posts_cards().clicks(WAIT)
    assert live.now.goals.phase is GoalPhase.EXECUTING
    assert notes(live) == [permission_cards.NOT_KEPT_FOR_MODEL]


@pytest.mark.req("AG-02")
def test_what_a_finished_round_did_stays_when_the_next_one_is_told_to_wait() -> None:
    live = Live().says("Post").reports(use(state=UseState.ASKED), calls=(DAILY,), finished_calls=1, rounds=1)
    live.posts_cards().clicks(WAIT)
    assert live.now.schedule
    assert notes(live) == []


@pytest.mark.req("AG-02")
def test_what_a_step_noted_beside_a_use_that_was_told_to_wait_stays_in_its_draft() -> None:
    step = gathering()
    step.says("The name is not right.").reports(use(state=UseState.ASKED), calls=(step.notes(OTHER_DRAFT),))
    step.posts_cards().clicks(WAIT)
    assert step.lead.draft == OTHER_DRAFT
    assert notes(step) == []


def test_of_what_was_not_kept_as_the_model_wrote_it_wait_keeps_the_words_alone() -> None:
    live = Live().says("Post").reports(use(state=UseState.ASKED), content="").posts_cards()
    seq = live.reply.seq
    row = live.clicks(WAIT).rows[seq]
    assert (row.status, row.text, row.content) == (MessageStatus.COMPLETE, "Let me.", "")


def test_a_question_that_was_open_is_overtaken_by_the_permission() -> None:
    live = Live().talks("Hi").says("Ask").replies("Which?", CHOICE).posts_cards()
    live.says("what do they cost?").reports(use(state=UseState.ASKED))
    assert live.card(QuestionCard).state == "superseded"
    assert isinstance(live.card(PermissionCard), PermissionCard)


def test_a_plan_is_paused_while_it_waits_and_goes_on_from_the_moment_of_the_answer() -> None:
    live = permitting(DAILY)
    assert live.card(ScheduleCard).paused
    live.wait(3 * 24 * 60).clicks(ALLOW)
    assert (live.now.status, live.card(ScheduleCard).paused) == (Status.BACKGROUND, False)
    assert live.now.next_run == "2026-02-05T09:00:00+00:00"
    stopped = permitting(DAILY).wait(3 * 24 * 60).stops()
    assert (stopped.now.status, stopped.now.next_run) == (Status.BACKGROUND, "2026-02-05T09:00:00+00:00")


def test_a_run_of_a_plan_that_is_stopped_while_it_waits_has_been_made_and_is_due_again() -> None:
    live = in_background().is_due().reports(use(state=UseState.ASKED)).posts_cards().stops()
    assert (live.now.run, live.now.planned, live.now.status) == (TurnState.IDLE, 0, Status.BACKGROUND)
    assert live.now.next_run


def test_what_is_given_up_while_it_waits_is_asked_no_more() -> None:
    live = permitting().parks()
    assert (live.now.run, live.now.question, live.now.status) == (TurnState.IDLE, None, Status.ACTIVE)
    assert live.card(PermissionCard).withdrawn


def test_the_cost_until_it_waited_is_remembered_as_counted() -> None:
    spent = Usage(input_tokens=7)
    live = Live().says("Post").reports(use(state=UseState.STARTED), usage=spent)
    assert live.now.turn
    assert live.now.turn.settled == Usage()
    live.reports(use(state=UseState.ASKED), usage=spent)
    assert live.now.turn.settled == spent


@pytest.mark.parametrize("how", ["stops", "archives", "parks", "fails", "dies"])
def test_what_was_begun_and_what_was_done_is_told_however_the_turn_breaks_off(how: str) -> None:
    live = Live().says("Post").reports(use("t1", UseState.DONE, result="ok"))
    live.reports(use("t2", UseState.DONE, title="post to #b", failed=True), use("t3", UseState.STARTED, title="<x>"))
    match how:
        case "archives":
            live.archives(confirmed=True)
        case "fails":
            live.replies("", status=MessageStatus.FAILED)
        case _:
            getattr(live, how)()
    assert live.now.run is TurnState.IDLE
    assert notes(live) == [
        "Before this answer broke off, this was done: post to #ops (“Hello”). Do not do it again.",
        permission_cards.UNKNOWN_FOR_MODEL.format(tool="post_message", what="<x> (“Hello”)"),
    ]
    assert told(live)[0].startswith("I was interrupted while I tried to &lt;x&gt;.")


@pytest.mark.parametrize("status", [MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED])
def test_a_turn_that_comes_to_its_end_needs_no_such_words(status: MessageStatus) -> None:
    live = Live().says("Post").reports(use("t1", UseState.DONE)).replies("Done.", status=status)
    assert (notes(live), told(live)) == ([], [])


def test_who_presses_retry_is_answered_by_a_model_that_knows_what_was_done() -> None:
    live = Live().says("Post").reports(use("t1", UseState.DONE)).replies("", status=MessageStatus.FAILED)
    failed = next(row for row in live.transcript if row.status is MessageStatus.FAILED)
    live.does(RetryPressed, reply=failed.seq, pressed_reply=replace(failed, parts=("9.9",)))
    (note,) = [row for row in live.transcript if row.role is Role.NOTE]
    assert live.now.turn
    assert note.seq < live.now.turn.reply


def test_a_turn_that_was_allowed_is_run_again_by_whoever_takes_it_over_a_few_times() -> None:
    live = permitting()
    for _ in range(10):
        live.dies()
    live.clicks(ALLOW)
    for _ in range(FRESH_STARTS - 1):
        assert live.dies().now.run is TurnState.STREAMING
    assert live.dies().now.run is TurnState.IDLE


def test_what_was_begun_is_never_run_again() -> None:
    live = permitting().clicks(ALLOW).reports(use("t1", UseState.STARTED), use("t2"), text="", content="[]")
    assert takeover.close_after_crash(live.now, replace(live.reply, parts=())) is not None
    assert live.dies().now.turn is None


def test_late_news_of_a_turn_that_is_over_are_dropped() -> None:
    live = Live().says("Post")
    late = live.reported(use(state=UseState.ASKED))
    live.stops()
    assert live.refuses(late) == "STALE_RUN"
    assert live.refuses(replace(Live().says("Hi").reported(use()), turn="0.0")) == "STALE_RUN"
    again = live.says("Again")
    assert again.refuses(replace(late, turn="0.0")) == "STALE_RUN"


def test_what_others_say_meanwhile_begins_nothing() -> None:
    live = permitting()
    event = live.message("do it", "UOTHER")
    assert isinstance(event, MessagePosted)
    live.apply(event, event.receipt)
    assert (live.now.run, live.now.asked) == (TurnState.AWAITING, ())
