from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import ClientSession

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.sdk import Bot, bot_of

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
def bot(slack: SlackPlayground) -> Bot:
    return bot_of(slack)


def admission(slack: SlackPlayground) -> dict[str, str]:
    """The header by which a page of this playground is known."""
    return {"Authorization": f"Bearer {slack.page_token}"}


@pytest.fixture
async def browser(slack: SlackPlayground) -> AsyncIterator[ClientSession]:
    """A page that was opened by the right address."""
    async with ClientSession(headers=admission(slack)) as session:
        yield session


def channel_id(slack: SlackPlayground, name: str) -> str:
    channel = slack.workspace.channel_named(name)
    assert channel is not None
    return channel.id


def user_id(slack: SlackPlayground, name: str) -> str:
    member = slack.workspace.member(name)
    assert member is not None
    return member.id
