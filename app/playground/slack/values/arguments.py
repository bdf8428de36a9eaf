"""The arguments of a Web API call, in each form that Slack accepts.

The SDK sends a JSON body, a query, or a query beside an empty form; structures inside a query or form are JSON text.
"""

import json
from typing import Any, cast

from aiohttp import web

from app.playground.slack.values.refusal import Refusal, build_refusal
from app.playground.slack.values.surfaces import Json


class Arguments:
    """Named values with the types Slack's methods read them as."""

    def __init__(self, values: Json) -> None:
        self.values = values

    def given(self, name: str) -> bool:
        """Return True if the argument was sent with a value; null counts as not sent."""
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """Return a string argument, empty if it was not sent."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def required(self, name: str) -> str:
        """Return a string argument. Refuse a call without it."""
        if not (value := self.text(name)):
            raise build_refusal("invalid_arguments", [f"missing required field: {name}"])
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean argument; a query has no booleans, only words for them."""
        return self.text(name).lower() in ("true", "1")

    def count(self, name: str, default: int, most: int) -> int:
        """Return an integer argument between 1 and `most`."""
        value = self.text(name) or str(default)
        if not value.isdecimal() or not 1 <= int(value) <= most:
            raise Refusal("invalid_limit")
        return int(value)

    def structure(self, name: str, refusal: str) -> Any:
        """Return an array or object argument, decoded if it came as text. Refuse invalid JSON."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise Refusal(refusal) from None


async def read_arguments(request: web.Request) -> Arguments:
    """Merge query, form and JSON body. A JSON body that is no object is `invalid_json`."""
    values: Json = dict(request.query)
    if request.content_type == "application/json":
        values |= _decode_body(await request.text())
    elif request.can_read_body:
        values |= {name: str(value) for name, value in (await request.post()).items()}
    return Arguments(values)


def _decode_body(body: str) -> Json:
    try:
        value = json.loads(body or "{}")
    except ValueError:
        raise Refusal("invalid_json") from None
    if not isinstance(value, dict):
        raise Refusal("json_not_object")
    return cast(Json, value)
