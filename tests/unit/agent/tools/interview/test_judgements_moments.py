"""The tools of an interview in its course: what fits the moment, what ends the turn, and what a reply means."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.agent.tools.interview.interview_toolset import CLOSED
from app.core.conversation.call import (
    AskPerson,
    ConfirmationResolved,
    DraftNoted,
    InconsistencyFlagged,
    InconsistencySettled,
    ResolveQuestion,
    SummaryReady,
)
from app.core.state.interview import Inconsistency, Mode, Phase
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.status import Status
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.decision.components.worked import minimal

DEEP = json.loads("[" * 25 + "]" * 25)
MADE = Inconsistency(about="money", one="at most 50k", other="100k is fine")
TWO = {"about": "money", "statement_a": "at most 50k", "statement_b": "100k is fine"}
DISCUSSION = (Phase.INTRO, Phase.GATHER, Phase.CLARIFY)
QUESTION = Question(id="1.1", kind=QuestionKind.CHOICE, prompt="Which?", options=("A", "B"))


@pytest.mark.parametrize("phase", DISCUSSION)
@pytest.mark.req("S4-011", "S4-040")
def test_the_model_says_that_it_has_what_the_step_needs_and_the_turn_ends(phase: Phase) -> None:
    box = Box(interviewed(phase))
    assert "End your turn" in box.does("ready_to_summarize")["action"]
    assert box.calls == (SummaryReady(),)
    assert box.tools.waits
    assert box.fails("note_item", list="objectives", fields={"description": "x"}) == CLOSED


def test_nothing_is_summarized_before_anybody_has_said_anything() -> None:
    assert "Nobody has said anything" in Box(interviewed(Phase.INTRO, has_content=False)).fails("ready_to_summarize")
    Box(interviewed(Phase.GATHER, has_content=False)).does("ready_to_summarize")


def test_an_inconsistency_that_blocks_keeps_the_model_from_summarizing_until_it_is_settled() -> None:
    box = Box(interviewed(inconsistencies=(replace(MADE, about="time", blocking=False),)))
    box.does("flag_inconsistency", **TWO)
    assert "money" in box.fails("ready_to_summarize")
    assert "time, money" in box.fails("settle_inconsistency", about="mony")
    assert box.does("settle_inconsistency", about="money")["still_open"] == ["time"]
    box.does("ready_to_summarize")
    assert box.calls == (InconsistencyFlagged(found=MADE), InconsistencySettled(about="money"), SummaryReady())


RECORDING: dict[str, dict[str, Any]] = {
    "note_item": {"list": "objectives", "fields": {"description": "x"}},
    "change_item": {"item": "D1", "fields": {}},
    "drop_item": {"item": "D1"},
    "move_item": {"item": "D1", "to": "objectives"},
    "set_fields": {"fields": {}},
    "settle_inconsistency": {"about": "money"},
    "ready_to_summarize": {},
    "read_step": {"step": "x"},
    "search_thread": {"words": "x"},
}


@pytest.mark.parametrize(("name", "given"), RECORDING.items())
@pytest.mark.req("S4-056")
def test_while_a_draft_waits_nothing_is_noted_and_nothing_looked_up(name: str, given: dict[str, Any]) -> None:
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising"), inconsistencies=(MADE,)))
    assert "waits for the owner's OK" in box.fails(name, **given)


def test_nobody_confirms_what_is_not_shown_and_nothing_is_called_while_the_result_is_written() -> None:
    assert "no draft waits" in Box().fails("resolve_confirmation", decision="approve")
    writing = Box(interviewed(Phase.EXTRACT))
    for name, given in (*RECORDING.items(), ("flag_inconsistency", TWO), ("resolve_confirmation", {})):
        assert "Not while the result is written" in writing.fails(name, **given)


def test_in_direct_mode_the_one_turn_of_discussion_may_note_and_look_up_but_asks_nobody() -> None:
    box = Box(interviewed(Phase.EXTRACT, mode=Mode.DIRECT))
    box.notes("potential_decisions", description="Hire")
    box.does("search_thread", words="hire")
    assert "Nobody is here" in box.fails("ask_user", type="input", prompt="What?")
    box.does("ready_to_summarize")


def test_a_question_to_the_owner_ends_the_turn() -> None:
    box = Box()
    box.does("ask_user", type="input", prompt="What else?")
    assert box.calls == (AskPerson(type=QuestionKind.INPUT, prompt="What else?"),)
    assert box.tools.waits
    assert box.fails("ask_user", type="input", prompt="And?") == CLOSED


def test_an_answer_in_other_words_is_understood_only_of_the_models_own_question() -> None:
    open_ = replace(interviewed(), question=QUESTION, status=Status.WAITING_INPUT)
    box = Box(open_)
    assert "B" in box.does("resolve_question", value="b")["understood"]
    assert box.calls == (ResolveQuestion(value="B"),) or box.calls == (ResolveQuestion(value="b"),)
    for origin, words in ((Origin.EXTRACTION, "resolve_confirmation"), (Origin.PERMISSION, "buttons")):
        other = Box(replace(open_, question=replace(QUESTION, origin=origin)))
        assert words in other.fails("resolve_question", value="A")


def test_a_reply_that_approves_counts_only_when_nothing_is_missing() -> None:
    complete = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")))
    complete.does("resolve_confirmation", decision="approve")
    assert complete.calls == (ConfirmationResolved(approved=True),)
    assert complete.tools.waits
    assert complete.fails("flag_inconsistency", **TWO) == CLOSED
    empty = Box(interviewed(Phase.CONFIRM))
    assert "at least one decision" in empty.fails("resolve_confirmation", decision="approve")
    assert not empty.tools.waits


def test_a_reply_that_wants_changes_ends_the_turn_with_the_changes_that_come_beside_it() -> None:
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")))
    box.does("resolve_confirmation", decision="change")
    assert box.tools.waits
    box.does("change_item", item="D1", fields={"description": "Whom to meet"})
    assert [type(call) for call in box.calls] == [ConfirmationResolved, DraftNoted]
    box.does("ask_user", type="input", prompt="What else?")
    assert box.fails("drop_item", item="D1") == CLOSED


def test_in_confirm_an_inconsistency_can_be_shown() -> None:
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")))
    box.does("flag_inconsistency", **TWO, blocking=False)
    assert box.calls == (InconsistencyFlagged(found=replace(MADE, blocking=False)),)
