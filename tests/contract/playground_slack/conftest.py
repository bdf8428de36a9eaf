from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from app.playground.slack import SlackOptions, SlackPlayground

Start = Callable[[SlackOptions], Awaitable[SlackPlayground]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    started: list[SlackPlayground] = []

    async def start(options: SlackOptions) -> SlackPlayground:
        slack = SlackPlayground(options)
        await slack.start()
        started.append(slack)
        return slack

    yield start
    for slack in started:
        await slack.stop()


@pytest.fixture
async def slack(start: Start) -> SlackPlayground:
    return await start(SlackOptions(limits=False))


@pytest.fixture
def bot(slack: SlackPlayground) -> AsyncWebClient:
    return bot_of(slack)


def bot_of(slack: SlackPlayground, token: str | None = None) -> AsyncWebClient:
    """Return the real SDK's client, without the SDK's own retries."""
    return AsyncWebClient(token=token or slack.bot_token, base_url=slack.api_url, retry_handlers=[])


async def refused(call: Awaitable[object]) -> str:
    """Return the code with which Slack refuses a call of the SDK."""
    with pytest.raises(SlackApiError) as refusal:
        await call
    return str(refusal.value.response["error"])


def channel_id(slack: SlackPlayground, name: str) -> str:
    channel = slack.workspace.channel_named(name)
    assert channel is not None
    return channel.id


def user_id(slack: SlackPlayground, name: str) -> str:
    member = slack.workspace.member(name)
    assert member is not None
    return member.id
