"""One extraction of a result (T4, C-07): begun, come to its end well or badly, stopped, died over, tried again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import StepCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import FinishReply
from app.core.copy import decision_steps
from app.core.events.internal import StageReached, TurnEnded
from app.core.state.interview import Mode, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status, TurnState
from app.core.turns import takeover
from app.core.turns.takeover import FRESH_STARTS
from tests.unit.core.interviews import (
    CHANGED,
    CLARIFYING,
    CONFIRMING,
    DRAFT,
    DRAFTED,
    EDITED,
    GATHERING,
    LACKING,
    MATERIAL,
    StepThread,
    clarifying,
    confirming,
    extracting,
    gathering,
    started,
)
from tests.unit.core.live import CHOICE, Live
from tests.unit.core.threads import retried

BADLY = [MessageStatus.FAILED, MessageStatus.INTERRUPTED, MessageStatus.CANCELLED, MessageStatus.REFUSED]
RETRIABLE = [MessageStatus.FAILED, MessageStatus.INTERRUPTED, MessageStatus.CANCELLED]


def retries(step: StepThread, seq: int) -> StepThread:
    """The owner presses *Retry* under that reply."""
    event = retried(step.rows[seq])
    step.apply(event, "retry")
    return step


@pytest.mark.req("S0-077", "S0-056")
def test_what_was_extracted_waits_for_the_owners_ok() -> None:
    step = extracting().extracts()
    assert (step.at, step.hops) == (CONFIRMING, [("extract", "confirm")])
    assert (step.now.pending, step.now.approved, step.now.status) == (1, 0, Status.WAITING_INPUT)
    assert (step.lead.draft, step.lead.drafted, step.lead.model) == (DRAFT, DRAFTED, "claude")
    assert (step.waits.draft, step.waits.sheet, step.waits.missing) == (1, DRAFTED.sheet, ())
    assert step.told == ["waits", "shown"]


@pytest.mark.req("S0-077")
def test_what_lacks_something_waits_too_and_says_what_it_lacks() -> None:
    step = extracting().extracts(LACKING)
    assert (step.at, step.waits.missing) == (CONFIRMING, LACKING.missing)


def test_stages_follow_one_another_and_are_in_the_trail() -> None:
    step = extracting().reaches(Stage.SERIALIZE)
    assert (step.now.stage, step.path("stage_transition")) == (Stage.SERIALIZE, [("summarize", "serialize")])
    assert step.extracts().path("stage_transition") == [("serialize", "none")]


def test_a_stage_of_an_extraction_that_is_over_is_late() -> None:
    late = StageReached(stage=Stage.SERIALIZE)
    assert gathering().refuses(late) == "STALE_RUN"
    assert gathering().says("And?").refuses(late) == "STALE_RUN"


def test_what_is_said_meanwhile_is_answered_when_the_draft_is_shown() -> None:
    step = extracting().says("And O2?")
    assert (step.now.phase, step.now.asked) == (Phase.EXTRACT, (step.now.head,))
    step.extracts()
    assert (step.at, step.now.asked) == (CONFIRMING, ())
    assert step.reply.stage is Stage.NONE
    assert step.runs


def test_a_question_of_the_model_gives_way_to_the_draft() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards().signals().extracts()
    assert (step.at, step.now.status, len(step.now.cards)) == (CONFIRMING, Status.WAITING_INPUT, 1)


@pytest.mark.parametrize("begun", [gathering, clarifying], ids=["in gather", "in clarify"])
def test_what_could_not_be_put_right_becomes_a_question_of_the_model(begun: type[StepThread]) -> None:
    step = begun().signals().exhausts("no measure", "no owner")
    assert (step.at, step.hops) == (GATHERING, [("extract", "gather")])
    note = step.transcript[-2]
    assert (note.role, note.text) == (
        Role.NOTE,
        decision_steps.EXHAUSTED_FOR_MODEL.format(issues="no measure; no owner"),
    )
    assert (step.runs, step.reply.stage, step.lead.discussed) == (True, Stage.NONE, 0)


@pytest.mark.parametrize("status", BADLY)
def test_an_extraction_that_came_to_nothing_leads_back_to_where_it_began(status: MessageStatus) -> None:
    step = extracting().replies("", status=status)
    assert (step.at, step.hops) == (GATHERING, [("extract", "gather")])
    step = clarifying().signals().replies("", status=status)
    assert (step.at, step.hops) == (CLARIFYING, [("extract", "gather"), ("gather", "clarify")])
    assert (step.runs, step.now.run) == (False, TurnState.IDLE)
    assert [effect.reply for effect in step.new(FinishReply)] == [step.now.head]


def test_a_run_that_ends_without_a_result_is_broken_off_too() -> None:
    assert extracting().replies("").at == GATHERING


def test_a_stop_breaks_an_extraction_off() -> None:
    step = extracting().stops()
    assert (step.at, step.runs) == (GATHERING, False)


def test_an_extraction_that_is_given_up_is_not_begun_again_and_again() -> None:
    step = extracting().gives_up()
    assert (step.at, step.runs) == (GATHERING, False)


@pytest.mark.parametrize("status", RETRIABLE)
def test_retry_extracts_once_more_in_the_same_message(status: MessageStatus) -> None:
    step = extracting()
    reply = step.now.turn.reply if step.now.turn else 0
    step.replies("", status=status, parts=("9.1",))
    retries(step, reply)
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.SUMMARIZE)
    assert (step.reply.stage, step.reply.parts[0], step.runs) == (Stage.SUMMARIZE, "9.1", True)
    assert step.extracts().at == CONFIRMING


def test_retry_is_too_late_when_the_talk_went_on_or_a_draft_is_shown() -> None:
    failed = extracting()
    reply = failed.now.turn.reply if failed.now.turn else 0
    went_on = failed.fails().answers("And?")
    assert went_on.refuses(retried(went_on.rows[reply])) == "QUESTION_CLOSED"
    step = gathering()
    step.answers("Noted.", step.notes()).signals()
    reply = step.now.head
    step.fails().edits(EDITED)
    assert step.refuses(retried(step.rows[reply])) == "QUESTION_CLOSED"
    assert step.at == CONFIRMING


def test_who_takes_an_extraction_over_runs_it_again_and_gives_up_after_some_deaths() -> None:
    step = extracting().reaches(Stage.SERIALIZE)
    assert takeover.close_after_crash(step.now, step.reply) is None
    died = replace(step.now, fence=step.now.fence + FRESH_STARTS)
    closed = takeover.close_after_crash(died, step.reply)
    assert closed
    assert (closed.status, closed.stage) == (MessageStatus.INTERRUPTED, Stage.SUMMARIZE)
    assert step.now.turn
    step.apply(TurnEnded(turn=step.now.turn.id, reply=closed, at=step.ts), "died")
    assert step.at == GATHERING
    assert retries(step, closed.seq).now.phase is Phase.EXTRACT


def test_what_becomes_of_the_ground_meanwhile_ends_no_extraction() -> None:
    step = extracting().hears(CHANGED, EDITED)
    assert (step.now.phase, step.runs, step.lead.changed) == (Phase.EXTRACT, True, {"frame": 2})
    assert step.extracts().at == CONFIRMING


# In direct mode


@pytest.mark.req("S4-018")
def test_in_direct_mode_a_step_is_drafted_at_once_from_what_was_said_elsewhere() -> None:
    step = StepThread(mode=Mode.DIRECT, material=MATERIAL)
    assert step.at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)
    assert step.hops == [("", "intro"), ("intro", "gather"), ("gather", "extract")]
    opening, said, _ = step.transcript
    assert (opening.role, said.role, said.text, said.author) == (Role.ASSISTANT, Role.PERSON, MATERIAL[0].text, "U7")
    assert (step.runs, step.reply.stage, step.told) == (True, Stage.DISCUSS, ["started"])
    assert step.reaches(Stage.SUMMARIZE).reaches(Stage.SERIALIZE).extracts().at == CONFIRMING


def test_in_direct_mode_a_turn_that_is_under_way_there_ends_first() -> None:
    early = Live().says("Hello", opens=True)
    step = StepThread(early.now, begins=False)
    step.rows |= early.rows
    begun = started(step, mode=Mode.DIRECT, material=MATERIAL)
    step.apply(begun, begun.receipt)
    assert (step.now.phase, step.reply.stage) == (Phase.INTRO, Stage.NONE)
    assert step.replies("Hello!").at == (Lifecycle.IN_PROGRESS, Phase.EXTRACT, Stage.DISCUSS)


def test_a_step_of_the_worked_example_is_finished_from_the_start() -> None:
    step = StepThread(example=True, example_draft=DRAFTED)
    assert step.at == (Lifecycle.COMPLETE, Phase.CONFIRM, Stage.NONE)
    assert (step.now.approved, step.runs, step.now.question) == (1, False, None)
    assert step.told == ["started", "waits", "shown", "approved"]
    assert [effect.reply for effect in step.new(FinishReply)] == [], "its result says it all"


def test_each_new_draft_takes_the_place_of_the_one_before() -> None:
    step = confirming().says("okay, but O1 is wrong").replies("What is?").signals().extracts(EDITED)
    cards = [row.card for row in step.transcript if isinstance(row.card, StepCard)]
    assert [(card.draft, card.state) for card in cards] == [(1, "changing"), (2, "open")]
