"""The sentences that people read."""

from __future__ import annotations

import pytest

from app.agent.turn import MAX_REPLY_BYTES
from app.core import texts
from app.core.errors import FailureKind


@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_has_a_sentence_of_its_own_without_internals(kind: FailureKind) -> None:
    sentence = texts.FAILURES[kind]
    assert sentence.endswith(".")
    assert list(texts.FAILURES.values()).count(sentence) == 1
    assert not any(word in sentence.lower() for word in ("error", "exception", "anthropic", "api", "token", "{"))


def test_retry_is_offered_only_where_the_same_request_can_succeed() -> None:
    passing = {kind for kind in FailureKind if kind in ("busy", "limited", "cut", "timeout", "internal")}
    assert passing == texts.RETRYABLE


def test_a_sentence_for_other_people_names_the_owner() -> None:
    assert texts.NOT_OWNER.format(owner="<@U1>") == "Only <@U1> can do that here."
    assert texts.OTHERS_ARE_HEARD.format(owner="<@U1>").count("<@U1>") == 2


def test_the_limit_that_people_read_is_the_limit_that_is_kept() -> None:
    assert f"{MAX_REPLY_BYTES:,} bytes" in texts.FAILURES[FailureKind.OVERSIZED]


def test_a_reference_can_be_copied() -> None:
    assert texts.reference("tw-1") == "Reference `tw-1`"
