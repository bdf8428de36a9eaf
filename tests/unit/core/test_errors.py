"""Errors carry what the worker needs to decide, and what the log may hold."""

from __future__ import annotations

import pytest

from app.core.errors import (
    FailureKind,
    IllegalEvent,
    LostConversation,
    ModelFailed,
    Retryable,
    SettingsError,
    SlackRefused,
    SlackUnavailable,
    StoreUnavailable,
    ThreadwiseError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (IllegalEvent("BUSY"), "BUSY"),
        (IllegalEvent("BUSY", "while streaming"), "BUSY while streaming"),
        (SlackRefused("chat.update", "cant_update_message"), "chat.update: cant_update_message"),
        (ModelFailed(FailureKind.CUT, "req_1"), "cut"),
        (StoreUnavailable(), StoreUnavailable.__doc__),
        (SlackUnavailable("chat.update"), "chat.update"),
    ],
)
def test_an_error_says_what_happened(error: ThreadwiseError, text: str) -> None:
    assert str(error) == text


def test_only_outages_and_limits_are_tried_again() -> None:
    assert issubclass(StoreUnavailable, Retryable)
    assert issubclass(SlackUnavailable, Retryable)
    for final in (IllegalEvent, LostConversation, SlackRefused, ModelFailed, SettingsError):
        assert issubclass(final, ThreadwiseError)
        assert not issubclass(final, Retryable)


def test_a_call_that_may_have_been_carried_out_is_marked() -> None:
    refused = SlackUnavailable("chat.postMessage", after=30)
    assert (refused.after, refused.ambiguous) == (30, False)
    assert SlackUnavailable("chat.postMessage", ambiguous=True).ambiguous


def test_a_failure_of_the_model_carries_its_kind_its_reference_and_how_long_to_wait() -> None:
    failure = ModelFailed(FailureKind.LIMITED, "req_1", after=20)
    assert (failure.kind, failure.reference, failure.after) == (FailureKind.LIMITED, "req_1", 20)
