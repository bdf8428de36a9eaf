"""Failures from the API itself, or from a gateway in between. Pure.

An error of the API is classified by its type. A gateway's response has no known form: it may be HTML, JSON of another
API, or empty. It is classified by its status, which every proxy sets.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import cast

from app.core.errors import FailureKind

KINDS: Mapping[str, FailureKind] = {
    "authentication_error": FailureKind.MISCONFIGURED,
    "permission_error": FailureKind.MISCONFIGURED,
    "not_found_error": FailureKind.MISCONFIGURED,
    "billing_error": FailureKind.SPENT,
    "enforced_spend_limit_reached": FailureKind.SPENT,
    "contract_spend_limit_reached": FailureKind.SPENT,
    "rate_limit_error": FailureKind.LIMITED,
    "request_too_large": FailureKind.TOO_LONG,
    "invalid_request_error": FailureKind.INVALID,
    "overloaded_error": FailureKind.BUSY,
    "api_error": FailureKind.BUSY,
    "timeout_error": FailureKind.BUSY,
}
"""Anthropic's error types and codes. Codes come first: a spend limit also calls itself a rate limit."""

BEGINNINGS: Mapping[str, FailureKind] = {
    "prompt is too long": FailureKind.TOO_LONG,
    "Your credit balance is too low": FailureKind.SPENT,
    "You have reached your specified": FailureKind.SPENT,
}
"""Beginnings of the messages of invalid requests that have no fault of their own: the API tells them by no code."""

BY_STATUS: Mapping[int, FailureKind] = {
    200: FailureKind.CUT,
    400: FailureKind.INVALID,
    402: FailureKind.SPENT,
    408: FailureKind.TIMEOUT,
    413: FailureKind.TOO_LONG,
    422: FailureKind.INVALID,
    429: FailureKind.LIMITED,
}
"""Failures by status alone; 200 is the status of an error within a stream. From 500 on the service is busy.

Any other status (401, 403, 404, 407, a redirect) concerns address or key, and so the configuration.
"""

TRY_AGAIN = "Try again in a moment."
GATEWAY = (
    "Check ANTHROPIC_BASE_URL, and at that gateway whether it takes this key and passes /v1/messages and /v1/models "
    "on to Anthropic."
)
ADVICE: Mapping[FailureKind, str] = {
    FailureKind.MISCONFIGURED: "Check ANTHROPIC_API_KEY and THREADWISE_MODEL.",
    FailureKind.SPENT: "Fill up the budget of that key.",
}
"""Advice on an error from Anthropic itself, if it does not pass by itself."""

EVENTS = "text/event-stream"
"""Content type of a streamed response."""

CERTAIN = (402, 413)
"""Statuses that are more precise than the error type in the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response in place of a message. `address` has scheme, host and port, and no password."""

    address: str
    status: int
    body: object = None
    """The body, if it is JSON."""

    @property
    def is_own(self) -> bool:
        """Return True if it has the form of Anthropic's errors, which only they have."""
        return _get_value(self.body, "type") == "error"

    @property
    def kind(self) -> FailureKind:
        """Return the kind of failure, by its meaning for the person who waits."""
        if self.is_own and self.status not in CERTAIN:
            error = _get_value(self.body, "error")
            for name in (_get_value(_get_value(error, "details"), "error_code"), _get_value(error, "type")):
                if isinstance(name, str) and name in KINDS:
                    return self._specify(KINDS[name], str(_get_value(error, "message")))
        if self.status >= 500:
            return FailureKind.BUSY
        return BY_STATUS.get(self.status, FailureKind.MISCONFIGURED)

    def _specify(self, kind: FailureKind, message: str) -> FailureKind:
        found = (each for beginning, each in BEGINNINGS.items() if message.startswith(beginning))
        return next(found, kind) if kind is FailureKind.INVALID else kind

    @property
    def told(self) -> str:
        """Return the origin, the status and advice, for the app's operator."""
        whose = "" if self.is_own else " (not Anthropic's own answer)"
        return f"{self.address} answered {self.status}{whose}. {self._advice}"

    @property
    def _advice(self) -> str:
        if self.is_own:
            return ADVICE.get(self.kind, TRY_AGAIN)
        if self.kind is FailureKind.MISCONFIGURED or self.status < 400:
            return GATEWAY
        return f"{TRY_AGAIN} If it stays so, ask whoever runs that gateway."


def describe_no_answer(address: str) -> str:
    """Return the text for the app's operator if there was no response at all."""
    return f"{address} gave no answer. Check ANTHROPIC_BASE_URL, proxy and network."


def is_description(answered: str) -> bool:
    """Return True if this describes a model, as the API or a gateway to it does. A page for people does not."""
    try:
        return bool(_get_value(json.loads(answered), "id"))
    except (ValueError, RecursionError):
        return False


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `retry-after`; None if absent. A date is compared with the server's own clock."""
    wish = headers.get("retry-after", "")
    try:
        seconds = float(wish)
    except ValueError:
        return _compute_wait(wish, headers.get("date", ""))
    return seconds if 0 <= seconds < math.inf else None


def _compute_wait(wish: str, now: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(wish) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError):  # no date, or only one of them has a zone
        return None


def _get_value(value: object, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
