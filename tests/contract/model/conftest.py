"""One playground per test, on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.playground.claude import ClaudePlayground


@pytest.fixture
async def api() -> AsyncGenerator[ClaudePlayground]:
    api = ClaudePlayground()
    await api.start()
    yield api
    await api.stop()


@pytest.fixture
async def claude(api: ClaudePlayground) -> AsyncGenerator[Claude]:
    claude = Claude(SecretStr(api.api_key), api.url, idle_seconds=30)
    yield claude
    await claude.close()
