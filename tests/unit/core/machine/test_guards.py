"""The guards: who may do what, and where (requirements §3.3)."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any, cast, get_args

import pytest

from app.core.conversation.effect import Erase
from app.core.conversation.facts import Facts
from app.core.events.acts import EraseConfirmed, StepRequested, StopRequested, SummaryRequested
from app.core.events.heard import Event, MessageDeleted, MessageEdited, OwnerAct
from app.core.machine import guards
from app.core.machine.apply import ends_turn, find_refusal
from app.core.machine.registry import ROWS, Row
from app.core.state.interview import InterviewCommand
from app.core.state.status import Status
from tests.machine_docs import kind_of
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import archived, in_background, waiting
from tests.unit.core.occurrences import one_of_each
from tests.unit.core.threads import OTHER, OWNER, THREAD

WANT_SOMETHING = {
    "MessagePosted", "RetryPressed", "ContinuePressed", "EraseRequested", "EraseConfirmed", "QuestionAnswered",
    "ArchiveRequested", "ArchiveConfirmed", "ReopenRequested", "ScheduleCancelled", "HelpRequested", "RunDue",
    "DecisionStarted", "ComponentStarted", "NoticeReceived", "SummaryRequested", "DraftEdited", "RestartRequested",
    "StepClosed", "StepRequested", "OwnershipTransferred", "DecisionClosed", "FiguresConfirmed", "SchedulePaused",
}  # fmt: skip
"""By name and not by the program's own rows, which could lose one."""

GO_ON = {
    "RetryPressed", "ContinuePressed", "QuestionAnswered", "ScheduleCancelled", "SummaryRequested", "DraftEdited",
    "RestartRequested", "StepClosed", "StepRequested", "OwnershipTransferred", "DecisionClosed", "FiguresConfirmed",
    "SchedulePaused",
}  # fmt: skip
"""What only makes sense where a conversation goes on."""


def test_every_guard_stands_in_a_row() -> None:
    known = {name for name, each in vars(guards).items() if getattr(each, "__module__", "") == guards.__name__}
    rows: list[Row[Any]] = [ROWS[kind_of(event)] for event in get_args(Event)]
    assert known == {cast("FunctionType", guard).__name__ for row in rows for guard in row.guards}


def by(user: str, live: Live) -> list[OwnerAct]:
    """Every act of the owner, done by this person."""
    return [replace(event, user=user) for event in one_of_each(live) if isinstance(event, OwnerAct)]


@pytest.mark.req("S0-002", "S0-044")
@pytest.mark.parametrize(
    "live",
    [Live().talks(), Live().says("Hi"), waiting(CHOICE, DAILY), in_background(), archived()],
    ids=["at rest", "answering", "waiting", "in the background", "archived"],
)
def test_nobody_but_the_owner_may_do_what_only_the_owner_may(live: Live) -> None:
    acts = by(OTHER, live)
    assert {type(act) for act in acts} == set(get_args(OwnerAct))
    assert {find_refusal(live.now, act) for act in acts} == {"NOT_OWNER"}
    assert "NOT_OWNER" not in {find_refusal(live.now, act) for act in by(OWNER, live)}
    assert not [act for act in acts if ends_turn(live.now, act)]


def test_who_is_over_the_limit_is_refused_before_anything_else_is_looked_at() -> None:
    for live in (Live(), archived()):
        event = live.message("Hi", retry_after=3)
        assert find_refusal(live.now, event, live.facts(event)) == "RATE_LIMITED"


def test_what_is_being_erased_gives_nothing_more_and_still_forgets_what_is_deleted() -> None:
    live = waiting(CHOICE, DAILY)
    live.now = replace(live.now, effects=(Erase(id="e:0", user=OWNER),))
    codes = {type(event).__name__: find_refusal(live.now, event) for event in one_of_each(live)}
    assert {name for name, code in codes.items() if code == "ERASING"} == WANT_SOMETHING
    gone = MessageDeleted(receipt="d", thread=THREAD, ts="1.1", at="2.1")
    assert find_refusal(live.now, gone) is None


def test_in_the_archive_only_what_leads_out_of_it_is_allowed() -> None:
    live = archived()
    codes = {type(event).__name__: find_refusal(live.now, event) for event in one_of_each(live)}
    assert {name for name, code in codes.items() if code == "ARCHIVED"} == {*GO_ON, "MessagePosted"}
    assert {name for name, code in codes.items() if code is None} == {
        "EraseRequested",
        "EraseConfirmed",
        "ArchiveRequested",
        "ArchiveConfirmed",
        "ReopenRequested",
        "HelpRequested",
        "ComponentStarted",
    }
    assert codes["NoticeReceived"] == "NOT_COMPONENT"


def test_a_message_that_was_deleted_is_forgotten_in_the_archive_too() -> None:
    gone = MessageDeleted(receipt="d", thread=THREAD, ts="1.1", at="2.1")
    assert find_refusal(archived().now, gone) is None
    edit = MessageEdited(receipt="e", thread=THREAD, ts="1.1", at="2.1", user=OWNER, text="x")
    assert find_refusal(archived().now, edit) == "UNHEARD"


@pytest.mark.parametrize(
    "live", [Live().talks(), Live().says("Hi"), archived()], ids=["at rest", "answering", "archived"]
)
def test_a_mention_that_is_sent_again_after_its_edit_is_no_new_message(live: Live) -> None:
    (first, *_) = live.transcript
    mention = replace(live.message("Hi!", opens=True), ts=first.ts)
    facts = Facts(targets=(first,), retry_after=9)
    assert find_refusal(live.now, mention, facts) == "UNHEARD"
    assert not ends_turn(live.now, mention, facts)


def test_silence_counts_only_where_nobody_has_the_next_move_and_nothing_was_said_since() -> None:
    live = Live().talks()
    assert find_refusal(live.now, live.quiet()) is None
    assert find_refusal(live.now, live.quiet("1.1")) == "STALE_RUN"
    for other in (Live().says("Hi"), waiting(), in_background(), archived()):
        assert find_refusal(other.now, other.quiet()) == "STALE_RUN"


@pytest.mark.parametrize(
    ("live", "kind", "ends"),
    [
        (Live().says("Hi"), "ArchiveRequested", True),
        (in_background().says("Hi"), "ArchiveRequested", False),
        (in_background().says("Hi"), "ArchiveConfirmed", True),
        (in_background().says("Hi"), "ScheduleCancelled", False),
        (in_background().is_due(), "ScheduleCancelled", True),
        (Live().says("Hi"), "EraseConfirmed", True),
        (Live().says("Hi"), "EraseRequested", False),
        (Live().says("Hi"), "StopRequested", True),
        (Live().says("Hi"), "MessagePosted", False),
        (Live().talks(), "EraseConfirmed", False),
        (Live().talks(), "ArchiveRequested", False),
    ],
)
def test_only_what_cannot_be_while_an_answer_is_written_ends_it(live: Live, kind: str, ends: bool) -> None:
    (event,) = [event for event in one_of_each(live) if type(event).__name__ == kind]
    assert ends_turn(live.now, event) is ends


def test_a_stop_that_was_meant_for_another_answer_ends_nothing() -> None:
    live = Live().says("Hi")
    assert not ends_turn(live.now, live.event(StopRequested, reply=1))
    assert ends_turn(live.now, live.event(StopRequested, reply=live.reply.seq))


def test_a_stop_counts_from_the_moment_its_answer_was_begun() -> None:
    live = Live().says("Hi")
    assert live.now.turn
    begun = live.now.turn.since
    assert ends_turn(live.now, live.event(StopRequested, at=begun))
    before = f"{float(begun) - 1:.6f}"
    assert live.refuses(live.event(StopRequested, at=before)) == "NO_STREAM"


def test_nothing_ends_an_answer_in_a_thread_that_is_being_erased() -> None:
    live = Live().says("Hi")
    live.now = replace(live.now, effects=(*live.now.effects, Erase(id="e:0", user=OWNER)))
    assert not ends_turn(live.now, live.event(EraseConfirmed))
    assert live.now.status is Status.ACTIVE


def test_that_a_thread_is_no_decision_or_no_step_is_told_before_that_nobody_leads_the_step() -> None:
    live = Live().talks()
    assert live.refuses(live.event(StepRequested, component="frame", component_missing=True)) == "NOT_DECISION"
    assert (
        live.refuses(live.event(SummaryRequested, signal=InterviewCommand.DONE, component_missing=True))
        == "NOT_COMPONENT"
    )
