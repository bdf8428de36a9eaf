"""Slack's refusals: HTTP 200, `ok: false`, a code, and sometimes details; and answers with a warning."""

from app.playground.slack.values.surfaces import Json


class Refusal(Exception):
    """A Web API call that Slack answers with an error code; `details` are further fields of the answer."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.body: Json = {"ok": False, "error": code, **details}


def build_refusal(code: str, problems: list[str]) -> Refusal:
    """Return a refusal that lists its reasons as Slack does: bare in `errors`, marked in `response_metadata`."""
    return Refusal(
        code, errors=problems, response_metadata={"messages": [f"[ERROR] {problem}" for problem in problems]}
    )


def build_warning(code: str) -> Json:
    """Return the fields of a successful answer that carry a warning."""
    return {"warning": code, "response_metadata": {"warnings": [code]}}
