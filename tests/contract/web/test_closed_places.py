"""What Slack refuses because of where it was to be said is told apart from what it refuses anywhere."""

from __future__ import annotations

import json

import pytest

from app.core.errors import PlaceGone, SlackRefused
from tests.contract.web.test_ill_formed_answers import slack_answers

CLOSED = [
    "cannot_reply_to_message",
    "channel_not_found",
    "ekm_access_denied",
    "is_archived",
    "is_inactive",
    "not_in_channel",
    "restricted_action",
    "restricted_action_non_threadable_channel",
    "thread_not_found",
]


@pytest.mark.parametrize("code", [*CLOSED, "invalid_blocks", "msg_too_long", "user_not_found"])
async def test_a_place_that_is_closed_to_us_is_known_by_its_code(code: str) -> None:
    body = json.dumps({"ok": False, "error": code}).encode()
    async with slack_answers(200, "application/json", body) as client:
        with pytest.raises(SlackRefused) as raised:
            await client.call("chat.postMessage", channel="C1", text="Hi")
    assert (isinstance(raised.value, PlaceGone), raised.value.code) == (code in CLOSED, code)
