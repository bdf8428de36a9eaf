"""Each attempt to extract leaves a line in the audit log: how it ended, and how much was found or wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.core.conversation.audit import AuditType
from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import MessageStatus
from app.core.events.acts import RetryPressed
from app.core.events.audit_entries import audit_extraction
from app.core.state.interview import UnsaidFigure
from tests.unit.core.interviews import DRAFTED, StepThread, drafted, extracting

INVENTED = UnsaidFigure(text="15k", where="A2")


def attempts(step: StepThread) -> list[tuple[str, Mapping[str, int]]]:
    return [(each.reason, each.counts) for each in step.made.audit if each.type is AuditType.EXTRACTION_ATTEMPT]


@pytest.mark.req("FA-35")
def test_a_draft_leaves_a_line_with_its_items_and_what_it_lacks() -> None:
    step = extracting().extracts(replace(DRAFTED, items=4, missing=("a date",), unsaid=(INVENTED,)))
    assert attempts(step) == [("accepted", {"attempt": 1, "items": 4, "problems": 2})]


@pytest.mark.req("FA-35")
def test_each_refused_attempt_leaves_a_line_with_its_problems() -> None:
    call = DraftExtracted(drafted=drafted(items=1), attempts=3, problems=(2, 1))
    assert [(each.reason, each.counts, each.correlation) for each in audit_extraction(call, "r:1")] == [
        ("refused", {"attempt": 1, "problems": 2}, "r:1"),
        ("refused", {"attempt": 2, "problems": 1}, "r:1"),
        ("accepted", {"attempt": 3, "items": 1, "problems": 0}, "r:1"),
    ]
    given_up = ExtractionExhausted(issues=("x",), attempts=2, problems=(2, 1))
    assert [each.reason for each in audit_extraction(given_up, "")] == ["refused", "refused"]


@pytest.mark.req("FA-35")
def test_an_extraction_that_came_to_nothing_leaves_a_line_as_well() -> None:
    assert attempts(extracting().fails()) == [("broken_off", {})]


@pytest.mark.req("FA-35")
def test_each_attempt_before_an_extraction_breaks_off_leaves_a_line_and_leaves_none_again_after_retry() -> None:
    step = extracting().replies("", status=MessageStatus.FAILED, attempts=(2, 1))
    refused = [("refused", {"attempt": 1, "problems": 2}), ("refused", {"attempt": 2, "problems": 1})]
    assert attempts(step) == [*refused, ("broken_off", {})]
    failed = next(row for row in step.rows.values() if row.attempts)
    again = step.does(RetryPressed, reply=failed.seq, pressed_reply=failed)
    assert again.reply.attempts == ()
    again.replies("", DraftExtracted(drafted=drafted(items=1), attempts=3), model="claude")
    assert attempts(again) == [("accepted", {"attempt": 1, "items": 1, "problems": 0})]
