"""The three ways the SDK sends arguments, and the JSON text inside two of them."""

import json

import pytest
from aiohttp import ClientSession

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.conftest import channel_id
from tests.contract.playground_slack.sdk import Bot

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}


async def test_json_body_of_post_message_is_read(slack: SlackPlayground, bot: Bot):
    await bot.chat_postMessage(channel="#general", text="hi", blocks=[SECTION])
    [message] = slack.people.sees("Maya", "#general")
    assert message.blocks is not None
    assert message.blocks[0]["text"]["text"] == "hello"


async def test_query_of_a_get_is_read(slack: SlackPlayground, bot: Bot):
    await slack.people.says("Maya", "#general", "hi")
    answer = await bot.conversations_history(channel=channel_id(slack, "general"), limit=1)
    assert [message["text"] for message in answer["messages"]] == ["hi"]


async def test_query_beside_an_empty_form_is_read(slack: SlackPlayground, bot: Bot):
    # Measured: the SDK POSTs reactions.add, chat.delete and conversations.open with a query and an empty body.
    ts = await slack.people.says("Maya", "#general", "hi")
    await bot.reactions_add(channel=channel_id(slack, "general"), name="eyes", timestamp=ts)
    [message] = slack.people.sees("Maya", "#general")
    assert [reaction.name for reaction in message.reactions] == ["eyes"]


async def test_json_text_inside_a_form_is_decoded(slack: SlackPlayground, bot: Bot):
    # Slack: blocks and metadata in a form are JSON text.
    metadata = {"event_type": "made", "event_payload": {"id": 1}}
    form = {"channel": "#general", "blocks": json.dumps([SECTION]), "metadata": json.dumps(metadata)}
    answer = await bot.api_call("chat.postMessage", data=form)
    assert answer["message"]["blocks"][0]["text"]["text"] == "hello"
    assert answer["message"]["metadata"] == metadata


async def test_token_in_the_form_is_accepted(slack: SlackPlayground):
    # Slack: the token may come as a form field instead of a header.
    async with ClientSession() as session:
        answer = await session.post(f"{slack.api_url}auth.test", data={"token": slack.bot_token})
        assert (await answer.json())["ok"]


@pytest.mark.parametrize(("body", "code"), [("{", "invalid_json"), ("[]", "json_not_object")])
async def test_body_that_is_no_json_object_is_refused(slack: SlackPlayground, body: str, code: str):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {slack.bot_token}"}
    async with ClientSession() as session:
        answer = await session.post(f"{slack.api_url}chat.postMessage", data=body, headers=headers)
        assert (await answer.json())["error"] == code
