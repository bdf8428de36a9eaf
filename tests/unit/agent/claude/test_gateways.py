"""How the answer of whoever stands between us and the model is read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.claude.gateways import Answer, describe_no_answer, is_description, read_retry_after
from app.core.errors import FailureKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "error", "details", "id"]), inner),
)


def answer(status: int, body: Any = None) -> Answer:
    return Answer(address="https://gw.example", status=status, body=body)


def own(kind: str, code: str = "") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "details": {"error_code": code}}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, "<html>", FailureKind.MISCONFIGURED),
        (404, own("nobody_knows_this"), FailureKind.MISCONFIGURED),
        (408, None, FailureKind.TIMEOUT),
        (599, {}, FailureKind.BUSY),
        (429, own("rate_limit_error"), FailureKind.LIMITED),
        (429, own("rate_limit_error", "contract_spend_limit_reached"), FailureKind.SPENT),
        (413, own("api_error"), FailureKind.TOO_LONG),
        (500, own("invalid_request_error"), FailureKind.INVALID),
        (500, {"error": {"type": "invalid_request_error"}}, FailureKind.BUSY),
    ],
)
def test_the_apis_own_error_counts_by_its_type_and_anybody_elses_by_its_status(
    status: int, body: object, kind: FailureKind
) -> None:
    assert answer(status, body).kind is kind


@given(st.integers(200, 599), JSON)
def test_nothing_that_is_answered_is_too_strange_to_be_read(status: int, body: object) -> None:
    assert isinstance(answer(status, body).kind, FailureKind)
    assert answer(status, body).told.startswith(f"https://gw.example answered {status}")


def test_what_is_told_says_whose_answer_it_was_and_what_to_do() -> None:
    assert "THREADWISE_MODEL" in answer(404, own("not_found_error")).told
    assert answer(529, own("overloaded_error")).told.endswith("Try again in a moment.")
    assert "not Anthropic's own" in answer(404).told
    assert "ANTHROPIC_BASE_URL" in answer(200).told
    assert answer(502).told.endswith("ask whoever runs that gateway.")
    assert "gave no answer" in describe_no_answer("https://gw.example")


@pytest.mark.parametrize(
    ("answered", "described"),
    [('{"id": "claude"}', True), ('{"id": ""}', False), ('["id"]', False), ("<p>", False), ("[" * 99_000, False)],
    ids=["described", "without an id", "a list", "a page", "brackets"],
)
def test_a_description_of_a_model_is_told_from_a_page(answered: str, described: bool) -> None:
    assert is_description(answered) is described


@pytest.mark.parametrize(
    ("wish", "now", "seconds"),
    [
        ("3", "", 3.0),
        ("inf", "", None),
        ("", "", None),
        ("Sun, 22 Nov 2026 10:00:20 GMT", "Sun, 22 Nov 2026 10:00:00 GMT", 20.0),
        ("Sun, 22 Nov 2026 10:00:20 GMT", "", None),
    ],
)
def test_a_wait_is_read_in_seconds_and_as_a_date_by_the_servers_own_clock(
    wish: str, now: str, seconds: float | None
) -> None:
    assert read_retry_after({"retry-after": wish, "date": now}) == seconds
