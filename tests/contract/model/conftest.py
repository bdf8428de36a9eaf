"""One playground per test, on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from app.playground.claude import ClaudePlayground


@pytest.fixture
async def api() -> AsyncGenerator[ClaudePlayground]:
    api = ClaudePlayground()
    await api.start()
    yield api
    await api.stop()
