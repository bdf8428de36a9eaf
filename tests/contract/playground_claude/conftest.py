"""One playground and one real SDK client per test. Everything here runs on loopback."""

from collections.abc import AsyncIterator

import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground


@pytest.fixture
async def playground() -> AsyncIterator[ClaudePlayground]:
    server = ClaudePlayground()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def claude(playground: ClaudePlayground) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(api_key=playground.api_key, base_url=playground.url, max_retries=0) as client:
        yield client
