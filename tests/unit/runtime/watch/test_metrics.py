"""What is counted, and that nothing but our own constants ever becomes a label."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Transition, Turn
from app.ports import Queue
from app.runtime.watch.metrics import OTHER, REASONS, STATES, Metrics
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import thread, ts
from tests.unit.watch.numbers import numbers, samples

TOOLS = ("post_message", "create_file")
OPERATIONS = Path(__file__).parents[4] / "docs" / "operations.md"
HELD = Conversation(id="c1", thread=thread(), owner="U1")
TURN = Turn(id="2.1", reply=2)
RAN = AuditEvent(
    type=AuditType.RUN_FINISHED,
    reason="complete",
    counts={"input_tokens": 70, "output_tokens": 30, "micro_dollars": 1_250, "rounds": 4},
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def metrics(clock: ManualClock) -> Metrics:
    return Metrics(clock, TOOLS)


def saved(metrics: Metrics, *audit: AuditEvent, now: Conversation = HELD) -> None:
    metrics.note_saved(Transition(conversation=now, audit=audit))


def told(metrics: Metrics, name: str) -> dict[tuple[str, ...], float]:
    return dict(numbers(metrics.page(Queue()), name))


def changed(kind: AuditType, after: str, reason: str = "settled") -> AuditEvent:
    return AuditEvent(type=kind, reason=reason, before="", after=after)


@pytest.mark.req("S3-087")
def test_what_conversations_goals_and_steps_come_to_is_counted(metrics: Metrics) -> None:
    saved(metrics, changed(AuditType.STATE_TRANSITION, "in_progress"), changed(AuditType.GOAL_TRANSITION, "completed"))
    saved(metrics, changed(AuditType.COMPONENT_TRANSITION, "complete"), changed(AuditType.GOAL_TRANSITION, "completed"))
    assert told(metrics, "events_total") == {
        ("settled", "in_progress", "state_transition"): 1,
        ("settled", "completed", "goal_transition"): 2,
        ("settled", "complete", "component_transition"): 1,
    }


@pytest.mark.req("S3-089")
def test_every_answer_that_is_stopped_is_counted(metrics: Metrics) -> None:
    stopped = AuditEvent(type=AuditType.STREAM_CANCELLED, reason="stop_requested", actor="U1")
    saved(metrics, stopped)
    saved(metrics, stopped)
    assert told(metrics, "events_total") == {("stop_requested", "", "stream_cancelled"): 2}


@pytest.mark.req("AG-12")
def test_denials_by_rule_are_counted_by_tool_and_never_by_what_a_rule_says(metrics: Metrics) -> None:
    for tool in ("post_message", "post_message", "words of somebody"):
        metrics.note_denied(tool)
    assert told(metrics, "denials_total") == {("post_message",): 2, ("other",): 1}


def test_refusals_are_counted_by_their_code(metrics: Metrics) -> None:
    saved(metrics, AuditEvent(type=AuditType.AUTHORIZATION_FAILED, reason="NOT_OWNER", before="idle", after="idle"))
    assert told(metrics, "events_total") == {("NOT_OWNER", "idle", "authorization_failed"): 1}


@pytest.mark.parametrize("end", ["complete", "truncated", "cancelled", "interrupted", "busy", "spent_today", "invalid"])
def test_answers_are_counted_by_how_they_ended(metrics: Metrics, end: str) -> None:
    saved(metrics, replace(RAN, reason=end))
    assert told(metrics, "events_total") == {(end, "", "run_finished"): 1}


def test_tokens_and_cost_of_answers_add_up(metrics: Metrics) -> None:
    saved(metrics, RAN)
    saved(metrics, replace(RAN, counts={"input_tokens": 5, "output_tokens": 1}))
    assert told(metrics, "tokens_total") == {("input",): 75, ("output",): 31}
    assert told(metrics, "micro_dollars_total") == {(): 1_250}


def test_rounds_of_an_answer_are_averaged_over_those_that_tell_them(metrics: Metrics) -> None:
    for counts in ({"rounds": 4}, {"rounds": 1}, {}):
        saved(metrics, replace(RAN, counts=counts))
    assert (told(metrics, "rounds_sum"), told(metrics, "rounds_count")) == ({(): 5}, {(): 2})


@pytest.mark.req("S3-088")
def test_what_people_decide_about_each_tool_is_counted_under_its_name(metrics: Metrics) -> None:
    for tool, decision in (
        ("post_message", "never"),
        ("post_message", "never"),
        ("create_file", "allow"),
        ("x", "wait"),
    ):
        saved(metrics, AuditEvent(type=AuditType.PERMISSION_DECISION, reason=tool, actor="U1", after=decision))
    assert told(metrics, "events_total") == {
        ("post_message", "never", "permission_decision"): 2,
        ("create_file", "allow", "permission_decision"): 1,
        (OTHER, "wait", "permission_decision"): 1,
    }


@pytest.mark.req("S3-090")
def test_rounds_are_told_for_each_conversation_that_has_begun(metrics: Metrics) -> None:
    begun = replace(changed(AuditType.STATE_TRANSITION, "in_progress"), before="initializing")
    saved(
        metrics,
        begun,
        replace(begun, after="ready"),
        replace(begun, before="complete"),
        changed(AuditType.STATE_TRANSITION, "streaming"),
    )
    saved(metrics, RAN, replace(RAN, reason="cancelled"))
    assert (told(metrics, "conversations_total"), told(metrics, "rounds_sum")) == ({(): 2}, {(): 8})


def test_the_time_of_an_answer_goes_from_its_beginning_to_its_end(metrics: Metrics, clock: ManualClock) -> None:
    under_way = replace(HELD, turn=TURN)
    for conversation in (under_way, replace(under_way, version=2)):
        saved(metrics, now=conversation)
        clock.advance(10)
    saved(metrics, RAN, now=replace(HELD, turn=replace(TURN, id="3.4")))
    clock.advance(7)
    saved(metrics, RAN)
    clock.advance(100)
    saved(metrics, now=HELD)
    assert (told(metrics, "turn_seconds_sum"), told(metrics, "turn_seconds_count")) == ({(): 27}, {(): 2})


def test_an_answer_that_another_process_began_has_no_time(metrics: Metrics, clock: ManualClock) -> None:
    saved(metrics, now=replace(HELD, turn=TURN))
    metrics.let_go(HELD)
    clock.advance(3_600)
    saved(metrics, RAN)
    assert told(metrics, "turn_seconds_count") == {}


def test_conversations_count_as_worked_on_until_they_are_let_go(metrics: Metrics) -> None:
    other = replace(HELD, id="c2")
    metrics.note_taken(HELD)
    metrics.note_taken(other)
    metrics.lost()
    metrics.let_go(HELD)
    assert (told(metrics, "sessions"), told(metrics, "leases_lost_total")) == ({(): 1}, {(): 1})
    metrics.let_go(other)
    assert told(metrics, "sessions") == {}


def test_what_waits_is_told_with_the_age_of_the_oldest(metrics: Metrics, clock: ManualClock) -> None:
    oldest = f"{clock.now().timestamp() - 90:.6f}"
    page = metrics.page(Queue(open=3, parked=1, oldest=oldest))
    assert numbers(page, "inbox_rows") == {("open",): 3, ("parked",): 1}
    assert numbers(page, "inbox_oldest_seconds") == {(): 90}
    assert numbers(metrics.page(Queue()), "inbox_oldest_seconds") == {}


def test_what_happens_a_moment_ahead_of_our_clock_is_not_older_than_nothing(
    metrics: Metrics, clock: ManualClock
) -> None:
    ahead = f"{clock.now().timestamp() + 5:.6f}"
    assert numbers(metrics.page(Queue(open=1, oldest=ahead)), "inbox_oldest_seconds") == {}


def test_while_nobody_knows_what_waits_no_number_is_made_up(metrics: Metrics) -> None:
    page = metrics.page(None)
    unknown = [*numbers(page, "inbox_rows").values(), *numbers(page, "inbox_oldest_seconds").values()]
    assert len(unknown) == 3
    assert all(map(math.isnan, unknown))


def test_the_states_and_the_reasons_that_there_are_have_names_of_their_own() -> None:
    assert {"active", "streaming", "complete", "extract", "executing", "always", "never"} <= STATES
    assert {"message_posted", "turn_ended", "NOT_OWNER", "truncated", "limited", "settled"} <= REASONS
    assert not {OTHER, ""} & (STATES | REASONS)


def test_the_manual_lists_every_metric_with_its_labels_and_no_other(metrics: Metrics) -> None:
    metrics.note_taken(HELD)
    saved(metrics, RAN, changed(AuditType.STATE_TRANSITION, "ready"))
    metrics.note_denied("post_message")
    listed: dict[str, str] = dict(
        re.findall(r"^\| `(threadwise_\w+)(?:\{([\w,]+)\})?`", OPERATIONS.read_text("utf-8"), re.MULTILINE)
    )
    ours: dict[str, set[str]] = {}
    for sample in samples(metrics.page(Queue())):
        name = re.sub("_(bucket|sum|count)$", "", sample.name)
        ours.setdefault(name, set()).update(set(sample.labels) - {"le"})
    assert {name: set(labels.split(",")) - {""} for name, labels in listed.items()} == ours


QUERY = re.compile(r"^\| .+? \| `(.+)` \|$", re.MULTILINE)
ASKED_FOR = {
    "conversations that end": ('to="completed"', 'to="complete"', "run_finished"),
    "permissions": ('type="permission_decision",to="never"',),
    "stops": ("stream_cancelled",),
    "rounds": ("rounds_sum", "conversations_total", "rounds_count"),
    "tokens and cost": ("tokens_total", "micro_dollars_total"),
    "what waits, what is lost": ("inbox_oldest_seconds", "leases_lost_total"),
}


@pytest.mark.req("S3-087", "S3-088", "S3-090")
def test_every_query_of_the_manual_asks_for_what_there_is_and_nothing_is_left_out(metrics: Metrics) -> None:
    metrics.note_taken(HELD)
    saved(metrics, RAN, changed(AuditType.STATE_TRANSITION, "ready"))
    names = {sample.name for sample in samples(metrics.page(Queue()))}
    queries = QUERY.findall(OPERATIONS.read_text("utf-8").replace("\\|", "|"))
    for query in queries:
        assert set(re.findall(r"threadwise_\w+", query)) <= names, query
        for label, values in re.findall(r'(\w+)=~?"([^"]+)"', query):
            assert set(values.split("|")) <= LABELS[label], query
    for words in ASKED_FOR.values():
        assert [word for word in words if not any(word in query for query in queries)] == []


WORDS = st.one_of(
    st.text(), st.sampled_from(["U12345", "C999", ts(1), "we will close the Lyon office", "complete", "create_file"])
)
EVENTS = st.builds(
    AuditEvent,
    type=st.sampled_from(AuditType),
    reason=WORDS,
    actor=WORDS,
    before=WORDS,
    after=WORDS,
    correlation=WORDS,
    counts=st.dictionaries(
        st.one_of(st.text(), st.sampled_from(["rounds", "input_tokens", "micro_dollars"])), st.integers(0, 10**12)
    ),
)
LABELS = {
    "type": {kind.value for kind in AuditType},
    "to": STATES | {OTHER, ""},
    "reason": REASONS | {*TOOLS, OTHER, ""},
    "direction": {"input", "output"},
    "state": {"open", "parked"},
}


@given(st.lists(EVENTS, max_size=8), WORDS)
def test_whatever_an_event_holds_no_label_is_anything_but_a_constant_of_ours(audit: list[AuditEvent], id_: str) -> None:
    metrics = Metrics(ManualClock(), TOOLS)
    conversation = replace(HELD, id=id_, title="Lyon", turn=replace(TURN, id=id_))
    metrics.note_taken(conversation)
    saved(metrics, *audit, now=conversation)
    metrics.let_go(conversation)
    for sample in samples(metrics.page(Queue(open=1, oldest=ts(1)))):
        for label, value in sample.labels.items():
            assert label == "le" or value in LABELS[label], sample
