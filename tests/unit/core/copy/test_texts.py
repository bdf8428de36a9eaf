"""The sentences that people read."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps, texts
from app.core.errors import FailureKind
from app.core.text.marks import mark
from app.core.text.sanitize import MAX_BYTES


@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_has_a_sentence_of_its_own_without_internals(kind: FailureKind) -> None:
    sentence = texts.FAILURES[kind].format(wait=texts.format_wait(60))
    assert sentence.endswith(".")
    assert list(texts.FAILURES.values()).count(texts.FAILURES[kind]) == 1
    assert not any(word in sentence.lower() for word in ("error", "exception", "anthropic", "api", "token", "{"))


def test_retry_is_offered_only_where_the_same_request_can_succeed() -> None:
    passing = {"busy", "limited", "cut", "timeout", "internal", "paced", "spent_today", "unfinished"}
    assert passing == texts.RETRYABLE


def test_a_sentence_for_other_people_names_the_owner() -> None:
    assert texts.NOT_OWNER.format(owner="<@U1>") == "Only <@U1> can do that here."
    assert texts.OTHERS_ARE_HEARD.format(owner="<@U1>").count("<@U1>") == 2


def test_the_limit_that_people_read_is_the_limit_that_is_kept() -> None:
    assert f"{MAX_BYTES:,} bytes" in texts.FAILURES[FailureKind.OVERSIZED]


def test_a_reference_can_be_copied() -> None:
    assert texts.format_reference("tw-1") == "Reference `tw-1`"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (1, "1 s"), (119, "119 s"), (120, "2 min"), (121, "3 min"), (7_140, "119 min"), (7_141, "2 h")],
)
def test_a_wait_is_never_said_to_be_shorter_than_it_is(seconds: int, words: str) -> None:
    assert texts.format_wait(seconds) == words


@pytest.mark.parametrize(("count", "words"), [(0, "0 plans"), (1, "1 plan"), (1_200, "1,200 plans")])
def test_one_of_something_is_not_many_of_it(count: int, words: str) -> None:
    assert texts.format_count(count, "plan") == words


@pytest.mark.parametrize("note", [decision_steps.TAKEN_UP_FOR_MODEL, decision_steps.REOPENED_FOR_MODEL])
def test_a_note_to_the_model_has_nothing_that_the_marks_around_it_would_change(note: str) -> None:
    assert note in mark("note", note)
