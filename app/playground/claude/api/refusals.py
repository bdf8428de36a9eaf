"""Refusals of the Messages API: an HTTP status, an error type and a sentence.

Every refusal leaves as `{"type":"error","error":{"type","message"},"request_id"}`. Knows no rule; the rules raise it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ERRORS: Mapping[int, tuple[str, str]] = {
    400: ("invalid_request_error", "The request was invalid."),
    401: ("authentication_error", "Invalid bearer token."),
    402: ("billing_error", "There is an issue with your billing or payment information."),
    403: ("permission_error", "Your API key may not use the specified resource."),
    404: ("not_found_error", "The requested resource was not found."),
    413: ("request_too_large", "Request exceeds the maximum size."),
    429: ("rate_limit_error", "This request would exceed your organization's rate limit."),
    500: ("api_error", "Internal server error."),
    504: ("timeout_error", "The request timed out."),
    529: ("overloaded_error", "Overloaded"),
}
"""Meaning of each status as `error.type`, with a default sentence (Messages API, error reference)."""


@dataclass
class Refusal(Exception):
    """A refusal by the API. `message` defaults to the sentence of `status`; `error_code` goes into `error.details`."""

    status: int
    message: str = ""
    error_code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def kind(self) -> str:
        """Return the `error.type` that belongs to the status."""
        return ERRORS[self.status][0]

    def error(self) -> dict[str, Any]:
        """Return the `error` object, as HTTP bodies and a stream's `event: error` contain it."""
        error: dict[str, Any] = {"type": self.kind, "message": self.sentence}
        if self.error_code is not None:
            error["details"] = {"error_code": self.error_code}
        return error

    def body(self, request_id: str) -> dict[str, Any]:
        """Return the JSON body of the HTTP answer."""
        return {"type": "error", "error": self.error(), "request_id": request_id}

    @property
    def sentence(self) -> str:
        """Return the sentence for the person who reads the log."""
        return self.message or ERRORS[self.status][1]


def build_invalid_request(message: str) -> Refusal:
    """Return a 400 `invalid_request_error`: the commonest refusal, and never worth a retry."""
    return Refusal(400, message)
