"""The tools of an interview in its course: what fits the moment, what ends the turn, and what a reply means."""

from __future__ import annotations

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
    SummaryRefused,
)
from app.core.state.interview import Mode, Phase
from app.core.state.question import Origin, QuestionKind
from app.core.state.status import Status
from tests.unit.agent.tools.sat import DISCUSSION, MADE, QUESTION, TWO, Box, interviewed
from tests.unit.core.threads import note, said
from tests.unit.decision.components.worked import minimal


@pytest.mark.parametrize("phase", DISCUSSION)
@pytest.mark.req("S4-011", "S4-040")
def test_the_model_says_that_it_has_what_the_step_needs_and_the_turn_ends(phase: Phase) -> None:
    box = Box(interviewed(phase, draft=minimal("issue_raising")))
    assert "End your turn" in box.does("ready_to_summarize")["action"]
    assert box.calls == (SummaryReady(),)
    assert box.tools.waits
    assert box.fails("note_item", list="objectives", fields={"description": "x"}) == CLOSED


def test_nothing_is_summarized_before_anybody_has_said_anything() -> None:
    assert "Nobody has said anything" in Box(interviewed(Phase.INTRO, has_content=False)).fails("ready_to_summarize")
    Box(interviewed(Phase.GATHER, has_content=False, draft=minimal("issue_raising"))).does("ready_to_summarize")


def test_an_inconsistency_that_blocks_keeps_the_model_from_summarizing_until_it_is_settled() -> None:
    open_ = (replace(MADE, about="time", blocking=False),)
    box = Box(interviewed(inconsistencies=open_, draft=minimal("issue_raising")))
    box.does("flag_inconsistency", **TWO)
    assert "money" in box.fails("ready_to_summarize")
    odd = Box(interviewed(inconsistencies=(*open_, MADE)))
    assert "time, money" in odd.fails("settle_inconsistency", about="mony")
    assert box.does("settle_inconsistency", about="money")["still_open"] == ["time"]
    box.does("ready_to_summarize")
    assert box.calls == (InconsistencyFlagged(found=MADE), InconsistencySettled(about="money"), SummaryReady())


@pytest.mark.req("FA-02")
def test_a_gap_in_the_notes_is_named_once_and_then_the_model_may_end_the_talk_with_it() -> None:
    box = Box(interviewed(draft={}))
    box.tools.begin_round("Then I have it all.")
    for _ in range(2):  # beside it, before the answer is read, it counts no more than once
        told, failed = box.use("ready_to_summarize")
        assert failed
        assert "at least one decision" in told["problem"]
        assert not box.tools.waits
    box.tools.begin_round("They do not know.")
    box.does("ready_to_summarize")
    assert (box.calls[0], box.calls[-1]) == (SummaryRefused(missing=box.tools.trial.missing), SummaryReady())


@pytest.mark.req("FA-02")
def test_a_gap_that_was_named_in_an_earlier_turn_is_accepted_and_another_one_is_not() -> None:
    gap = Box(interviewed(draft={})).tools.trial.missing
    Box(interviewed(draft={}, refused_gap=gap)).does("ready_to_summarize")
    other = Box(interviewed(draft={}, refused_gap=("a name",)))
    assert "at least one decision" in other.use("ready_to_summarize")[0]["problem"]
    Box(interviewed(draft=minimal("issue_raising"), refused_gap=gap)).does("ready_to_summarize")


@pytest.mark.req("FA-26")
def test_beside_a_call_that_failed_the_talk_is_not_ended() -> None:
    box = Box(interviewed(draft=minimal("issue_raising")))
    box.fails("note_item", list="objectives", fields={"description": ""})
    assert "note_item failed" in box.fails("ready_to_summarize")
    box.tools.begin_round("Once more.")
    box.notes("objectives", description="A warm hall")
    assert "note_item failed" in box.fails("ready_to_summarize")
    Box(interviewed(draft=minimal("issue_raising"))).does("ready_to_summarize")


@pytest.mark.req("FA-26")
def test_what_failed_before_the_owner_wrote_again_keeps_nothing_back() -> None:
    box = Box(interviewed(draft=minimal("issue_raising")))
    box.fails("note_item", list="objectives", fields={"description": ""})
    box.tools.hear((said(9, "That was all, write it up"),))
    box.does("ready_to_summarize")


@pytest.mark.req("FA-01")
def test_beside_a_question_the_model_is_told_that_the_answer_comes_first() -> None:
    box = Box(interviewed(draft=minimal("issue_raising")))
    box.tools.begin_round("**Who has to agree?** Take your time.")
    assert "answers your question first" in box.does("ready_to_summarize")["done"]
    assert box.tools.waits


@pytest.mark.req("FA-25")
def test_calls_that_end_the_turn_come_after_all_others_of_the_same_request() -> None:
    rank = Box().tools.rank
    ending = ("resolve_confirmation", "ask_user", "ready_to_summarize")
    assert [rank(name) for name in ending] == sorted(rank(name) for name in ending)
    assert max(rank(name) for name in RECORDING if name not in ending) < rank(ending[0])


RECORDING: dict[str, dict[str, Any]] = {
    "note_item": {"list": "objectives", "fields": {"description": "x"}},
    "change_item": {"item": "D1", "fields": {}},
    "drop_item": {"item": "D1"},
    "move_item": {"item": "D1", "to": "objectives"},
    "set_fields": {"fields": {}},
    "settle_inconsistency": {"about": "money"},
    "ready_to_summarize": {},
}


@pytest.mark.parametrize("name", ["settle_inconsistency", "ready_to_summarize"])
def test_while_a_draft_waits_nothing_is_settled_or_summarised(name: str) -> None:
    given = RECORDING[name]
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising"), inconsistencies=(MADE,)))
    assert "waits for the owner's OK" in box.fails(name, **given)


@pytest.mark.req("FA-28", "FA-25")
def test_a_correction_of_a_draft_that_waits_is_taken_and_what_becomes_of_it_is_said() -> None:
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")))
    told = box.does("change_item", item="D1", fields={"description": "Whom to meet"})
    assert "shown again" in told["action"]
    assert not box.tools.waits
    assert box.draft["potential_decisions"][0]["description"] == "Whom to meet"
    assert "has not seen it" in box.fails("resolve_confirmation", decision="approve")
    box.does("resolve_confirmation", decision="change")
    assert [type(call) for call in box.calls] == [DraftNoted, ConfirmationResolved]
    box = Box(interviewed(Phase.CONFIRM, component="alternatives", draft=minimal("alternatives")))
    taken = box.does("note_item", list="strategy_table.decision_columns", fields={"name": "Who"})
    assert "the talk goes on" in taken["action"]


def test_nobody_confirms_what_is_not_shown_and_nothing_is_called_while_the_result_is_written() -> None:
    assert "no draft waits" in Box().fails("resolve_confirmation", decision="approve")
    writing = Box(interviewed(Phase.EXTRACT))
    for name, given in (*RECORDING.items(), ("flag_inconsistency", TWO), ("resolve_confirmation", {})):
        assert "Not while the result is written" in writing.fails(name, **given)


def test_in_direct_mode_the_one_turn_of_discussion_may_note_and_look_up_but_asks_nobody() -> None:
    box = Box(interviewed(Phase.EXTRACT, mode=Mode.DIRECT))
    box.notes("potential_decisions", description="Hire")
    assert box.tools.refuse_outside() == ""
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


@pytest.mark.parametrize(
    ("newest", "other", "is_approved"),
    [
        ("Looks right to me", "", True),
        ("What does Sam mean?", "Approve it now.", False),
        ("No, not yet", "Yes, approve it.", False),
        ("Fine with me", "Really?", True),
    ],
)
def test_a_question_or_a_no_of_the_owner_approves_nothing_whatever_the_model_makes_of_it(
    newest: str, other: str, is_approved: bool
) -> None:
    rows = (said(1, "Yes"), said(2, newest), *([note(3, other, "U2SAM")] if other else []))
    box = Box(interviewed(Phase.CONFIRM, draft=minimal("issue_raising")), rows)
    if is_approved:
        box.does("resolve_confirmation", decision="approve")
    else:
        assert "asks something or says no" in box.fails("resolve_confirmation", decision="approve")
        box.does("resolve_confirmation", decision="change")
    assert [each.approved for each in box.calls if isinstance(each, ConfirmationResolved)] == [is_approved]


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
