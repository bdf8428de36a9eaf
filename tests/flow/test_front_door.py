"""Nobody but Slack gets in over HTTP."""

from __future__ import annotations

import json
import time
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest
from slack_sdk.signature import SignatureVerifier

from tests.contract.web.strangers import Client
from tests.flow.chat import Chat, chatting, fixture_of

chat = fixture_of(chatting, http=True)


def event(chat: Chat) -> str:
    channel = chat.slack.workspace.channel_named("#general")
    assert channel is not None
    said = {"type": "app_mention", "user": "U1", "channel": channel.id, "ts": "1770000000.000001"}
    body: dict[str, Any] = {
        "type": "event_callback",
        "team_id": chat.slack.team_id,
        "event_id": "Ev1",
        "event": {**said, "text": f"<@{chat.slack.bot_user_id}> open sesame"},
    }
    return json.dumps(body)


async def knock(chat: Chat, body: str, secret: str, at: float) -> int:
    signature = SignatureVerifier(secret).generate_signature(timestamp=str(int(at)), body=body)
    headers = {
        "content-type": "application/json",
        "x-slack-request-timestamp": str(int(at)),
        "x-slack-signature": signature or "",
    }
    url = f"http://127.0.0.1:{chat.settings.http_port}/slack/events"
    async with aiohttp.ClientSession() as session, session.post(url, data=body, headers=headers) as answer:
        return answer.status


@pytest.mark.req("S0-001", "S0-043")
async def test_a_request_with_a_wrong_signature_is_refused_and_nothing_is_stored(chat: Chat) -> None:
    assert await knock(chat, event(chat), "a wrong secret", time.time()) == 401
    assert await chat.documents("inbox") == 0


async def test_a_request_of_ten_minutes_ago_is_refused_though_its_signature_is_right(chat: Chat) -> None:
    assert await knock(chat, event(chat), chat.slack.signing_secret, time.time() - 600) == 401
    assert await chat.documents("inbox") == 0


@pytest.mark.req("SE-02")
@pytest.mark.parametrize(
    "setting", [{"http_connections_per_address": 2}, {"http_connections": 2}], ids=["of one address", "in all"]
)
async def test_more_connections_than_are_set_push_out_the_one_that_waited_longest(
    mongo_uri: str, setting: dict[str, Any]
) -> None:
    async with chatting(mongo_uri, http=True, **setting) as chat, AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(Client(chat.settings.http_port)) for _ in range(3)]
        await silent[0].is_hung_up_on()
        assert await knock(chat, event(chat), "a wrong secret", time.time()) == 401


async def test_slacks_own_request_is_taken_in_before_it_is_acknowledged(chat: Chat) -> None:
    chat.will_answer("Open.")
    assert await knock(chat, event(chat), chat.slack.signing_secret, time.time()) == 200
    assert await chat.documents("inbox") == 1
